"""LlamaIndex, tables of ids, open-rag-eval, labelled pairs, bare questions, CRUD-RAG, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragtui import messages
from ragtui.dataset.content_ids import chunk_id_of, query_id_of
from ragtui.dataset.formats.catalogue import FORMAT_NAMES
from ragtui.dataset.formats.registry import FORMATS
from ragtui.dataset.reading import check, is_set, open_set


def write(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return path


EXAMPLES = [
    {
        "query": "one?",
        "query_by": {"model_name": "gpt-4", "type": "ai"},
        "reference_contexts": ["alpha", "beta"],
        "reference_answer": "1",
        "reference_answer_by": {"model_name": "", "type": "human"},
    },
    {"query": "two?", "query_by": None, "reference_contexts": ["gamma"], "reference_answer": ""},
]
PREDICTIONS = [
    {"response": "1", "contexts": ["beta", "delta"]},
    {"response": "", "contexts": [], "error": "late"},
]


def test_llamaindex_folder_with_predictions(tmp_path: Path) -> None:
    write(tmp_path / "rag_dataset.json", {"examples": EXAMPLES})
    write(tmp_path / "top2.json", {"predictions": PREDICTIONS})
    write(tmp_path / "library.json", {"name": "other"})
    assert is_set(tmp_path)
    found = open_set(tmp_path)
    assert found.format == "llamaindex"
    assert found.queries["reference"].to_list() == ["1", None]
    assert found.queries["query_by"].to_list() == ["gpt-4", None]
    assert found.queries["reference_answer_by"].to_list() == ["human", None]
    assert found.gold["chunk_id"].to_list() == [chunk_id_of(one) for one in ("alpha", "beta", "gamma")]
    run = found.runs["top2"]
    first, second = found.queries.index
    assert run.lists.list_of(first)[0] == [chunk_id_of("beta"), chunk_id_of("delta")]
    assert (run.lists.list_of(second)[0], run.errors) == ([], {second: "late"})


def test_llamaindex_file_with_named_predictions(tmp_path: Path) -> None:
    dataset = write(tmp_path / "x.json", {"examples": EXAMPLES})
    found = open_set(dataset, runs={"p": write(tmp_path / "p.json", {"predictions": PREDICTIONS})})
    assert found.runs["p"].lists.lengths.tolist() == [2, 0]


@pytest.mark.parametrize(
    ("examples", "predictions", "kind"),
    [
        (EXAMPLES, PREDICTIONS[:1], "rows-do-not-line-up"),
        (EXAMPLES, [*PREDICTIONS[:1], {"response": "x"}], "missing-field"),
        (EXAMPLES, [*PREDICTIONS[:1], {"contexts": [1]}], "unknown-context"),
        (EXAMPLES, [*PREDICTIONS[:1], 7], "not-an-object-at"),
        ([{"query": "a", "reference_contexts": "b"}, {"reference_answer": "x"}], [], "missing-field"),
        ([{"query": "a"}, "b"], [], "not-an-object-at"),
    ],
)
def test_llamaindex_faults(tmp_path: Path, examples: list[Any], predictions: list[Any], kind: str) -> None:
    write(tmp_path / "rag_dataset.json", {"examples": examples})
    write(tmp_path / "p.json", {"predictions": predictions})
    assert [fault.kind for fault in check(tmp_path).of("error")] == [kind]


@pytest.mark.parametrize("indent", [None, 4])
def test_tables_of_ids(tmp_path: Path, indent: int | None) -> None:
    value = {
        "queries": {"q1": "one?", "q2": "two?"},
        "corpus": {"a": "alpha", "b": {"title": "B", "text": "beta"}},
        "relevant_docs": {"q1": ["a"], "q2": {"b": 2}},
        "mode": "text",
    }
    found = open_set(write(tmp_path / "x.json", json.dumps(value, indent=indent)))
    assert found.format == "id-tables"
    assert found.queries["text"].to_dict() == {"q1": "one?", "q2": "two?"}
    assert found.chunks["text"].to_dict() == {"a": "alpha", "b": "beta"}
    assert found.gold[["query_id", "chunk_id", "grade"]].values.tolist() == [
        ["q1", "a", 1.0],
        ["q2", "b", 2.0],
    ]
    broken = {**value, "relevant_docs": {"q1": "a", "q2": 7.5}, "corpus": {"a": ["x"]}}
    kinds = {fault.kind for fault in check(write(tmp_path / "y.json", broken)).of("error")}
    assert "not-a-text" in kinds


OPEN = """\ufeffquery_id,query,query_run,passage_id,passage,generated_answer
q1,one?,1,[1],alpha,"yes [1]
indeed"
q1,one?,1,[2],beta,
q2,two?,1,ERROR,Runtime error: late,API_ERROR
q1,one?,2,[1],beta,no
q3,three?,1,doc-9,gamma,
"""


def test_open_rag_eval(tmp_path: Path) -> None:
    found = open_set(write(tmp_path / "x.csv", OPEN))
    assert found.format == "open-rag-eval"
    assert found.queries.index.to_list() == ["q1", "q2", "q3"]
    first, second = found.runs["run-1"], found.runs["run-2"]
    assert first.lists.list_of("q1")[0] == [chunk_id_of("alpha"), chunk_id_of("beta")]
    assert first.lists.list_of("q3")[0] == ["doc-9"]
    assert first.errors == {"q2": "Runtime error: late"}
    assert first.answers is not None
    assert first.answers["answer"].to_dict() == {"q1": "yes [1]\nindeed"}
    assert second.lists.query_ids.tolist() == ["q1"]


def test_labelled_pairs(tmp_path: Path) -> None:
    text = "query,passage,score\none?,alpha,1\none?,beta,0\ntwo?,alpha,0.5\n"
    found = open_set(write(tmp_path / "x.csv", text))
    assert found.format == "labelled-pairs"
    one, two = query_id_of("one?"), query_id_of("two?")
    alpha, beta = chunk_id_of("alpha"), chunk_id_of("beta")
    assert found.gold[["query_id", "chunk_id", "grade"]].values.tolist() == [
        [one, alpha, 1.0],
        [one, beta, 0.0],
        [two, alpha, 0.5],
    ]
    assert found.chunks["text"].to_dict() == {alpha: "alpha", beta: "beta"}
    faults = check(write(tmp_path / "y.csv", text + "two?,alpha,1\nthree?,,1\nfour?,x,yes\n")).of("error")
    assert [(fault.kind, fault.line) for fault in faults] == [
        ("missing-field", 6),
        ("not-a-number", 7),
        ("grades-conflict", 5),
    ]
    two = "query,passage,score,annotator\none?,alpha,1,x\none?,alpha,0,y\n"
    assert open_set(write(tmp_path / "z.csv", two)).gold["annotator"].to_list() == ["x", "y"]


def test_questions_with_reference_answers(tmp_path: Path) -> None:
    text = 'question,expected_answer,\n"What is it?\n",a thing,\nWhy?,,\n'
    found = open_set(write(tmp_path / "x.csv", text))
    assert (found.format, [fault.kind for fault in found.warnings]) == ("questions", ["no-gold"])
    assert found.queries["text"].to_list() == ["What is it?", "Why?"]
    assert found.queries["reference"].to_list() == ["a thing", None]
    assert found.queries.index[0] == query_id_of("What is it?")
    gold = write(tmp_path / "qrels.trec", "7 0 a 1\n")
    named = open_set(write(tmp_path / "y.jsonl", {"id": 7, "question": "a?", "answer": "b"}), gold=gold)
    assert (named.queries.index.to_list(), len(named.gold)) == (["7"], 1)


def test_crud(tmp_path: Path) -> None:
    value = {
        "n1": {"key_info": ["甲", "乙"], "question": ["一？", "二？"], "answers": ["甲", "无法推断"]},
        "n2": {"key_info": [], "question": ["三？"], "answers": []},
    }
    found = open_set(write(tmp_path / "x.json", value))
    assert found.queries.index.to_list() == ["n1-1", "n1-2", "n2-1"]
    assert found.queries["answerable"].to_list() == [True, False, None]
    assert found.queries["reference"].to_list() == ["甲", None, None]
    assert found.queries["cluster"].to_list() == ["n1", "n1", "n2"]
    assert found.queries.loc["n1-1", "key_info"] == ["甲", "乙"]
    assert [fault.kind for fault in found.warnings] == ["answers-do-not-fit", "no-gold"]
    broken = check(write(tmp_path / "y.json", {**value, "n3": {"question": "x"}})).of("error")
    assert [fault.kind for fault in broken] == ["unknown-item"]


def test_beir_folder_with_several_splits(tmp_path: Path) -> None:
    write(
        tmp_path / "queries.jsonl",
        "".join(json.dumps({"_id": f"q{n}", "text": "?"}) + "\n" for n in range(4)),
    )
    write(tmp_path / "corpus.jsonl", json.dumps({"_id": "a", "title": "", "text": "alpha"}) + "\n")
    for place, split in enumerate(("dev", "test", "train")):
        write(tmp_path / f"qrels/{split}.tsv", f"query-id\tcorpus-id\tscore\nq{place}\ta\t1\n")
    found = open_set(tmp_path)
    assert found.query_split.to_dict() == {"q0": "dev", "q1": "test", "q2": "train", "q3": None}
    assert found.gold["split"].to_list() == ["dev", "test", "train"]


def test_every_format_has_its_words_and_its_reader() -> None:
    names = [one.name for one in FORMAT_NAMES]
    assert {one.name for one in FORMATS} == {*names, "refused"}
    for language in messages.LANGUAGES:
        texts = messages.catalogue(language, "dataset")
        assert {f"dataset.format.{name}" for name in names} == {
            key for key in texts if key.startswith("dataset.format.")
        }


EXPORTS = {
    "open_rag_eval_csv_connector.csv": ("open-rag-eval", 6, 0, ["run-1", "run-2"]),
    "ragas_hf_doc_qa_eval.csv": ("questions", 66, 0, []),
}
REFUSED = {
    "autorag_sample/corpus_data_sample.parquet": "only-a-corpus",
    "autorag_sample/dataset_sample_gen_by_autorag__corpus.parquet": "only-a-corpus",
    "autorag_sample/result_hybrid_retrieval__0.parquet": "results-without-queries",
    "autorag_sample/result_hybrid_retrieval__summary.csv": "tool-summary",
    "autorag_sample/result_lexical_retrieval__0.parquet": "results-without-queries",
    "autorag_sample/result_lexical_retrieval__summary.csv": "tool-summary",
    "autorag_sample/result_passage_reranker__0.parquet": "results-without-queries",
    "autorag_sample/result_passage_reranker__summary.csv": "tool-summary",
    "autorag_sample/result_semantic_retrieval__0.parquet": "results-without-queries",
    "autorag_sample/result_semantic_retrieval__summary.csv": "tool-summary",
    "tool_exports": "not-a-set",
    "tool_exports/ragas_annotated_data.json": "judge-outputs",
    # the same passage is called relevant and not relevant for one question, six times
    "tool_exports/trulens_ms_marco_hard_neg_balanced.csv": "grades-conflict",
    "negconstraint/corpus.jsonl": "unknown-format",
    "negconstraint/queries.jsonl": "unknown-format",
    "negconstraint/labels_textual_semantic.jsonl": "unknown-format",
    "crud_quest": "not-a-set",
    "ragchecker_meta/checking_inputs.json": "checked-answers",
    "ragchecker_meta/human_labeled_data.json": "preferences",
}


@pytest.mark.parametrize("name", EXPORTS)
def test_public_exports(shared: Path, name: str) -> None:
    found = open_set(shared / "data/tool_exports" / name)
    assert (found.format, len(found.queries), len(found.gold), list(found.runs)) == EXPORTS[name]


def test_public_export_of_several_passages(shared: Path) -> None:
    runs = open_set(shared / "data/tool_exports/open_rag_eval_csv_connector.csv").runs
    assert runs["run-1"].lists.list_of("query_1")[0] == [
        chunk_id_of(text) for text in ("Blackholes are big.", "Blackholes are dense.", "The earth is round.")
    ]


def test_public_pairs_are_read_but_for_their_contradictions(shared: Path, tmp_path: Path) -> None:
    path = shared / "data/tool_exports/trulens_ms_marco_hard_neg_balanced.csv"
    faults = check(path).of("error")
    assert {(fault.kind, len(faults)) for fault in faults} == {("grades-conflict", 6)}
    assert all(fault.line is not None for fault in faults)


def test_public_questions_without_documents(shared: Path) -> None:
    found = open_set(shared / "data/crud_quest/QuestAnswer2Docs_quest_gt_save.json")
    assert len(found.queries) == 3791
    # of the 312 answers that nothing can be inferred two stand in an item with more questions than answers
    assert found.queries["answerable"].value_counts()[False] == 310
    unanswered = [fault for fault in found.warnings if fault.kind == "answers-do-not-fit"]
    assert len(unanswered) == 18


@pytest.mark.parametrize("name", REFUSED)
def test_public_files_that_are_no_set_are_refused_with_their_reason(shared: Path, name: str) -> None:
    found = check(shared / "data" / name).of("error")
    assert {fault.kind for fault in found} == {REFUSED[name]}
    for language in messages.LANGUAGES:
        for part in ("", "-mend"):
            assert messages.t(f"dataset.fault.{found[0].kind}{part}", language, **dict(found[0].values))
