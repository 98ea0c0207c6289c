"""Public sets and reported cases open with the right counts; skipped where they are absent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ragtui.dataset.faults import BadInput
from ragtui.dataset.model import EvaluationSet
from ragtui.dataset.reading import check, open_pair, open_set
from ragtui.dataset.writing import write_native


def sizes(found: EvaluationSet) -> tuple[int, int, int, dict[str, int]]:
    """Queries, chunks, judgments, and results of each run."""
    runs = {name: len(run.lists.codes) for name, run in found.runs.items()}
    return len(found.queries), len(found.chunks), len(found.gold), runs


SETS = {
    "negconstraint": (366, 3946, 198, {}),
    "cranfield": (225, 1400, 1837, {"bm25": 4500, "tfidf_chargram": 4500, "tfidf_cosine": 4500}),
    # 1931 judgments of the qrels and the distractors inside the queries, each once
    "rgb": (210, 3448, 1931 + 1987, {"bm25": 4200, "tfidf_cosine": 4200}),
    "squad2_cs224n": (600, 480, 271, {"bm25": 12000, "tfidf_chargram": 12000, "tfidf_cosine": 12000}),
    "drcd": (600, 1000, 600, {"bm25": 12000, "tfidf_cosine": 12000}),
    "cmrc2018": (1002, 256, 1002, {"bm25": 20000, "tfidf_cosine": 20000}),
}


@pytest.mark.parametrize("name", SETS)
def test_sets_open_and_read_back_after_they_were_written(shared: Path, tmp_path: Path, name: str) -> None:
    found = open_set(shared / "data" / name)
    assert sizes(found) == SETS[name]
    write_native(found, tmp_path / "copy")
    copy = open_set(tmp_path / "copy")
    assert sizes(copy) == SETS[name]
    assert copy.hashes == found.hashes


def test_answerable_groups_and_distractors(shared: Path) -> None:
    squad = open_set(shared / "data/squad2_cs224n")
    assert squad.queries["answerable"].value_counts().to_dict() == {False: 329, True: 271}
    assert (squad.query_split == "all").all()
    rgb = open_set(shared / "data/rgb")
    grouped = rgb.gold.dropna(subset="group").groupby("query_id")["group"].nunique()
    assert (len(grouped), set(grouped)) == (60, {2})
    assert rgb.queries["answerable"].value_counts().to_dict() == {True: 180, False: 30}
    assert (rgb.gold[rgb.gold["role"] == "distractor"]["grade"] == 0).all()


@pytest.mark.parametrize(
    ("folder", "qrels", "run", "queries", "judged", "lengths"),
    [
        ("trec_eval", "qrels.test", "results.test", 3, 3681, [500, 500, 500]),
        ("trec_eval", "qrels.test.with-comments", "results.trunc", 3, 3681, [500, 84]),
        ("trec_eval", "qrels.rel_level", "results.test", 3, 3681, [500, 500, 500]),
        ("ir_measures_compat", "compat.qrels", "compat.run", 2, 311, [980, 947]),
        ("ir_measures_compat", "cwl.qrels", "cwl.run", 3, 23, [10, 10, 10]),
    ],
)
def test_bare_pairs(
    shared: Path, folder: str, qrels: str, run: str, queries: int, judged: int, lengths: list[int]
) -> None:
    here = shared / "data" / folder
    found = open_pair(here / qrels, {"x": here / run})
    assert sizes(found) == (queries, 0, judged, {"x": sum(lengths)})
    assert found.runs["x"].lists.lengths.tolist() == lengths


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("trec_eval", "several-gold"),
        ("ir_measures_compat", "several-gold"),
        ("trec_eval/prefs.test", "unknown-table"),
        ("trec_eval/results.test", "only-a-run"),
    ],
)
def test_what_is_no_set_is_refused_with_one_reason(shared: Path, name: str, kind: str) -> None:
    assert [fault.kind for fault in check(shared / "data" / name).of("error")] == [kind]


def test_cases_of_files_that_read_right(shared: Path) -> None:
    cases = shared / "cases"
    assert sizes(open_set(cases / "13-empty-gold-and-all-zero"))[:3] == (4, 0, 5)
    missing = open_set(cases / "14-queries-missing-from-run").runs["run.trec"]
    assert missing.lists.query_ids.tolist() == ["q1", "q2"]
    ties = open_set(cases / "19-tied-scores").runs
    assert ties["run2.trec"].lists.list_of("1")[0] == ties["run2.jsonl"].lists.list_of("1")[0] == ["b", "c"]
    distances = open_set(cases / "21-distances-instead-of-similarities").runs
    assert (distances["run"].direction, distances["distance_field"].direction) == ("higher", "lower")
    zeros = open_set(cases / "22-leading-zero-ids")
    assert zeros.runs["run"].lists.list_of("q1")[0] == ["12", "012", "0012"]
    assert zeros.gold["chunk_id"].to_list() == ["0012", "12"]
    assert open_set(cases / "24-utf8-bom-first-line").queries.index.to_list() == ["q1", "q2"]
    mixed = open_set(cases / "25-mixed-whitespace-trec-files")
    assert (len(mixed.gold), mixed.runs["run"].lists.list_of("q2")[1].tolist()) == (3, [0.95, 0.5])


def test_case_of_an_empty_list_and_of_an_empty_file(shared: Path) -> None:
    case = shared / "cases/16-retriever-returned-nothing"
    found = open_set(case / "gold.jsonl", runs={"run": case / "run.jsonl"})
    assert found.runs["run"].lists.lengths.tolist() == [2, 0]
    with pytest.raises(BadInput, match=r"run_empty\.jsonl"):
        open_set(case)


def test_case_of_brackets_and_control_characters(shared: Path) -> None:
    found = open_set(shared / "cases/40-square-brackets-in-text")
    assert len(found.queries) == 7
    assert [fault.kind for fault in found.warnings if fault.severity == "warning"] == ["empty-query-text"]
    assert found.queries["text"].iloc[2] == "[#888888]grey?[/#888888] closing [/] tag"


def test_original_topic_numbers_are_recognised_though_many_of_them_meet(shared: Path, tmp_path: Path) -> None:
    here = shared / "data/cranfield"
    queries = [json.loads(line) for line in (here / "queries.jsonl").read_text().splitlines()]
    numbers = {query["_id"]: str(query["orig_num"]) for query in queries}
    rows = [line.split(maxsplit=1) for line in (here / "run.bm25.trec").read_text().splitlines()]
    run = tmp_path / "run.trec"
    run.write_text("".join(f"{numbers[query_id]} {rest}\n" for query_id, rest in rows))
    found = next(f for f in check(here, runs={"x": run}) if f.kind == "run-of-unknown-queries")
    known = len(set(numbers.values()) & set(numbers))
    values = dict(found.values)
    assert (values["n"], values["of"]) == (225 - known, 225)
    assert "orig_num" in found.mend
    # without the field the gaps in the numbers give it away
    bare = tmp_path / "queries.jsonl"
    bare.write_text("".join(json.dumps({"_id": q["_id"], "text": q["text"]}) + "\n" for q in queries))
    found = next(f for f in check(here, queries=bare, runs={"x": run}) if f.kind == "run-of-unknown-queries")
    assert "anew" in found.mend
