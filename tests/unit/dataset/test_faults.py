"""Bad input: every kind of fault with its file, its line and how to mend it, all of them at once."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import ragtui.dataset
from ragtui import messages
from ragtui.dataset import reading
from ragtui.dataset.faults import BadInput, Fault
from ragtui.dataset.readers import content

Check = Callable[[Mapping[str, Any]], list[Fault]]

QUERY = '{"_id": "q1", "text": "first?"}\n'
OTHER = '{"_id": "q2", "text": "second?"}\n'
RUN = '{"query_id": "q1", "results": [{"chunk_id": "a#1", "score": 1.0}]}\n'
HEADER = "query-id\tcorpus-id\tscore\n"

ONE_FILE: list[tuple[str, str, str | bytes, int | None]] = [
    ("empty-file", "queries.jsonl", "", None),
    ("empty-file", "runs/bm25.jsonl", "\n \n", None),
    ("binary-file", "corpus.jsonl", b"\x7fELF\0\0\0", None),
    ("bad-parquet", "corpus.jsonl", b"PAR1 and so on", None),
    ("utf16", "queries.jsonl", QUERY.encode("utf-16"), None),
    ("not-utf8", "queries.jsonl", QUERY.encode() + b'{"_id": "q2", "text": "caf\xe9"}\n', 2),
    ("not-utf8", "qrels/test.tsv", HEADER.encode() + b"q1\ta#1\t1\nq2\tb\xff\t1\n", 3),
    ("not-utf8", "set.toml", b'name = "a"\nlanguage = "\xff"\n', 2),
    (
        "damaged-gzip",
        "corpus.jsonl",
        gzip.compress(b'{"_id": "a#1", "text": "alpha"}\n' * 500, mtime=0)[:-20],
        None,
    ),
    ("truncated-json", "queries.jsonl", QUERY + '{"_id": "q2", "te', 2),
    ("bad-json", "queries.jsonl", QUERY + "{_id: q2}\n", 2),
    ("bad-json", "queries.jsonl", '{"_id": "q1", "text": "first?"} {"_id": "q2"}\n' + OTHER, 1),
    ("not-an-object", "queries.jsonl", QUERY + '["q2", "second?"]\n', 2),
    ("not-an-object", "queries.jsonl", QUERY + "null\n", 2),
    ("not-an-object-at", "queries.jsonl", '[{"_id": "q1", "text": "first?"}, 7]', None),
    ("missing-field", "queries.jsonl", QUERY + '{"text": "second?"}\n', 2),
    ("missing-field", "corpus.jsonl", '{"_id": "a#1", "text": "alpha"}\n{"_id": "b#1"}\n', 2),
    ("empty-id", "queries.jsonl", QUERY + '{"_id": " ", "text": "second?"}\n', 2),
    ("empty-id", "queries.jsonl", QUERY + '{"_id": null, "text": "second?"}\n', 2),
    ("not-an-id", "queries.jsonl", QUERY + '{"_id": ["q2"], "text": "second?"}\n', 2),
    ("not-a-text", "queries.jsonl", QUERY + '{"_id": "q2", "text": {"en": "second?"}}\n', 2),
    ("not-an-object-in", "queries.jsonl", QUERY + '{"_id": "q2", "text": "b", "metadata": "direct"}\n', 2),
    ("not-yes-or-no", "queries.jsonl", QUERY + '{"_id": "q2", "text": "b", "answerable": "perhaps"}\n', 2),
    (
        "unknown-gold-shape",
        "queries.jsonl",
        QUERY + '{"_id": "q2", "text": "b", "relevant": [["a", 1]]}\n',
        2,
    ),
    ("query-with-two-texts", "queries.jsonl", QUERY + OTHER + '{"_id": "q1", "text": "other?"}\n', 3),
    ("chunk-with-two-texts", "corpus.jsonl", '{"_id": "a#1", "text": "a"}\n{"_id": "a#1", "text": "b"}\n', 2),
    ("grades-conflict", "qrels/test.tsv", HEADER + "q1\ta#1\t1\nq2\tb#1\t1\nq1\ta#1\t2\n", 4),
    ("not-a-number", "qrels/test.tsv", HEADER + "q1\ta#1\thigh\n", 2),
    ("not-a-number", "qrels/test.jsonl", '{"query_id": "q1", "chunk_id": "a#1", "grade": "1_0"}\n', 1),
    ("not-finite", "qrels/test.tsv", HEADER + "q1\ta#1\tnan\n", 2),
    ("decimal-comma", "qrels/test.tsv", HEADER + "q1\ta#1\t0,5\n", 2),
    ("missing-field", "qrels/test.jsonl", '{"query_id": "q1", "chunk_id": "a#1"}\n', 1),
    ("too-few-columns", "qrels/test.tsv", "q1 0 a#1 1\nq2 b#1\n", 2),
    ("run-without-rows", "runs/bm25.jsonl", "[]", None),
    ("not-a-run", "runs/bm25.jsonl", RUN + '{"query_id": "q2", "answer": "beta"}\n', 2),
    ("missing-field", "runs/bm25.jsonl", RUN + '{"query_id": "q2", "results": null}\n', 2),
    ("unknown-list-shape", "runs/bm25.jsonl", RUN + '{"query_id": "q2", "results": "b#1"}\n', 2),
    ("unknown-list-shape", "runs/bm25.jsonl", RUN + '{"query_id": "q2", "results": [{"node": {}}]}\n', 2),
    ("unknown-list-shape", "runs/bm25.jsonl", RUN + '{"query_id": "q2", "results": [["b#1", 1, 2]]}\n', 2),
    ("texts-without-ids", "runs/bm25.jsonl", RUN + '{"query_id": "q2", "contexts": ["beta is"]}\n', 2),
    (
        "scores-do-not-fit",
        "runs/bm25.jsonl",
        '{"query_id": "q1", "results": ["a#1"], "scores": []}\n',
        1,
    ),
    ("query-twice-in-run", "runs/bm25.jsonl", RUN + RUN, 2),
    (
        "not-finite",
        "runs/bm25.jsonl",
        '{"query_id": "q1", "results": [{"chunk_id": "a#1", "score": NaN}]}\n',
        1,
    ),
    ("not-finite", "runs/bm25.jsonl", '{"query_id": "q1", "results": [["a#1", -Infinity]]}\n', 1),
    ("not-a-number", "runs/bm25.jsonl", '{"query_id": "q1", "results": [{"id": "a#1", "score": "hi"}]}\n', 1),
    (
        "decimal-comma",
        "runs/bm25.jsonl",
        '{"query_id": "q1", "results": [{"id": "a#1", "score": "0,85"}]}\n',
        1,
    ),
    ("not-an-object-in", "runs/bm25.jsonl", '{"query_id": "q1", "results": [], "stages": ["a#1"]}\n', 1),
    ("not-a-number", "runs/bm25.jsonl", '{"query_id": "q1", "results": [], "latency_ms": "fast"}\n', 1),
    ("not-finite", "runs/bm25.trec", "q1 Q0 a#1 1 0.5 x\nq1 Q0 b#1 2 nan x\n", 2),
    ("not-finite", "runs/bm25.trec", "q1 Q0 a#1 1 0.5 x\nq1 Q0 b#1 2 1e999 x\n", 2),
    ("decimal-comma", "runs/bm25.trec", "q1 Q0 a#1 1 0.5 x\nq1 Q0 b#1 2 0,4 x\n", 2),
    ("too-few-columns", "runs/bm25.trec", "q1 Q0 a#1 1 0.5 x\nq1 Q0\n" + "q1 Q0 b#1 2 0.4 x\n", 2),
    ("no-header", "corpus.csv", "a#1,alpha\nb#1,beta\n", 1),
    ("ragged-row", "corpus.csv", "id,text\na#1,alpha\nb#1,beta,gamma\n", 3),
    ("bad-csv", "corpus.csv", 'id,text\na#1,"alpha\nb#1,beta\n', 2),
    ("bad-toml", "set.toml", 'name = "mine"\nk = [1,\n', None),
    ("bad-toml", "set.toml", 'name = "mine"\nk == 3\n', 2),
    ("unknown-setting", "set.toml", "# mine\nzzz = 1\n", 2),
    ("unknown-setting-near", "set.toml", "relevant_form = 1\n", 1),
    ("setting-not-text", "set.toml", "name = 7\n", 1),
    ("setting-not-a-number", "set.toml", 'relevant_from = "2"\n', 1),
    ("setting-not-true-or-false", "set.toml", 'gold_complete = "yes"\n', 1),
    ("setting-not-a-count", "set.toml", "k = [0, 5]\n", 1),
    ("setting-not-a-count", "set.toml", "k = 0\n", 1),
    ("setting-not-cutoffs", "set.toml", "k = []\n", 1),
    ("setting-not-a-scale", "set.toml", "grade_scale = [0, 3, 2]\n", 1),
    ("setting-not-texts", "set.toml", 'sealed = "test"\n', 1),
    ("setting-not-a-table", "set.toml", 'name = "x"\ntargets = 1\n', 2),
    ("scale-without-zero", "set.toml", "grade_scale = [1, 2, 3]\n", 1),
    ("grade-off-scale", "set.toml", "grade_scale = [0, 0.5]\n", 2),
    ("card-depth", "runs/bm25.toml", 'model = "m"\ndepth = "50"\n', 2),
    ("card-direction", "runs/bm25.toml", 'score_direction = "up"\n', 1),
    ("card-without-run", "runs/other.toml", "depth = 5\n", None),
    ("bad-split-name", "splits.jsonl", '{"query_id": "q1", "split": "../dev"}\n', 1),
    ("bad-seal", "splits.jsonl", '{"query_id": "q1", "split": "dev", "sealed": "yes"}\n', 1),
    ("missing-field", "splits.jsonl", '{"query_id": "q1"}\n', 1),
    (
        "query-in-two-splits",
        "splits.jsonl",
        '{"query_id":"q1","split":"a"}\n{"query_id":"q1","split":"b"}\n',
        2,
    ),
    (
        "split-of-unknown-query",
        "splits.jsonl",
        '{"query_id":"q1","split":"a"}\n{"query_id":"q9","split":"a"}\n',
        2,
    ),
    ("queries-without-split", "splits.jsonl", '{"query_id":"q1","split":"a"}\n', None),
    ("empty-query-text", "queries.jsonl", QUERY + '{"_id": "q2", "text": " "}\n', 2),
    ("empty-chunk-text", "corpus.jsonl", '{"_id": "a#1", "text": "a"}\n{"_id": "b#1", "text": ""}\n', 2),
    ("gold-of-unknown-queries", "qrels/test.tsv", HEADER + "q1\ta#1\t1\nq9\tb#1\t1\n", 3),
    ("gold-chunk-missing", "qrels/test.tsv", HEADER + "q1\ta#1\t1\nq2\tz#1\t1\n", 3),
    ("no-shared-queries-gold", "qrels/test.tsv", HEADER + "Q1\ta#1\t1\n", None),
    ("no-shared-chunks-gold", "qrels/test.tsv", HEADER + "q1\ta\t1\n", None),
    ("no-shared-queries", "runs/bm25.trec", "1 Q0 a#1 1 0.5 x\n", None),
    ("no-shared-chunks", "runs/bm25.trec", "q1 Q0 A#1 1 0.5 x\n", None),
    ("run-of-unknown-queries", "runs/bm25.trec", "q1 Q0 a#1 1 0.5 x\nq7 Q0 a#1 1 0.5 x\n", None),
    ("run-chunks-unknown", "runs/bm25.trec", "q1 Q0 a#1 1 0.5 x\nq1 Q0 z#1 1 0.5 x\n", None),
    (
        "answerable-contradicts-gold",
        "queries.jsonl",
        OTHER + '{"_id": "q1", "text": "first?", "metadata": {"answerable": false}}\n',
        2,
    ),
    (
        "chunk-in-two-groups",
        "qrels/test.jsonl",
        '{"query_id":"q1","chunk_id":"a#1","grade":1,"group":"x"}\n'
        '{"query_id":"q1","chunk_id":"a#1","grade":1,"group":"y"}\n',
        2,
    ),
    ("bad-snapshot", "snapshot.json", '{"schema": 1}', None),
    ("changed-gold", "snapshot.json", '{"hashes": {"corpus": "", "queries": "", "gold": "abc"}}', None),
]


@pytest.mark.parametrize(("kind", "file", "text", "line"), ONE_FILE)
def test_each_kind_is_found_with_its_file_and_line(
    faults_of: Check, good: dict[str, Any], kind: str, file: str, text: str | bytes, line: int | None
) -> None:
    changed: dict[str, Any] = {file: text}
    fault = next((fault for fault in faults_of(changed) if fault.kind == kind), None)
    assert fault is not None
    if kind == "grade-off-scale":
        file = "qrels/test.tsv"
    assert fault.file.endswith(f"set/{file}")
    assert fault.line == line
    assert fault.what
    assert fault.mend
    assert re.search(r"\{[a-z_]+\}", fault.what + fault.mend) is None


def test_the_set_that_is_changed_has_no_fault(faults_of: Check) -> None:
    assert faults_of({}) == []


def test_all_faults_come_at_once(folder: Any, good: dict[str, Any]) -> None:
    good["queries.jsonl"] = QUERY + '{"_id": "q2"\n{"text": "second?"}\n'
    good["corpus.jsonl"] = '{"_id": "a#1", "text": "alpha"}\n{"_id": "a#1", "text": "beta"}\n'
    good["runs/bm25.jsonl"] = '{"query_id": "q1", "results": [{"chunk_id": "a#1", "score": NaN}]}\n'
    here = folder(good)
    with pytest.raises(BadInput) as raised:
        reading.open_set(here)
    assert {fault.kind for fault in raised.value.faults.of("error")} == {
        "truncated-json",
        "missing-field",
        "chunk-with-two-texts",
        "not-finite",
    }
    assert raised.value.exit_code == 2
    assert str(raised.value).count("\n") == 1


def test_errors_show_both_lines_and_ids_of_both_sides(faults_of: Check) -> None:
    conflict = next(f for f in faults_of({"qrels/test.tsv": HEADER + "q1\ta#1\t1\nq1\ta#1\t0\n"}))
    assert "line 2" in conflict.what
    foreign = faults_of({"qrels/test.tsv": HEADER + "q1\ta#1\t1\n", "runs/bm25.trec": "q1 Q0 DOC-9 1 1 x\n"})
    fault = next(f for f in foreign if f.kind == "no-shared-chunks")
    assert "DOC-9" in fault.what
    assert "a#1" in fault.what


def test_the_guess_follows_the_language(faults_of: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    fault = next(
        f for f in faults_of({"runs/bm25.trec": "Q1 Q0 a#1 1 1 x\n"}) if f.kind == "no-shared-queries"
    )
    assert "case" in fault.mend
    monkeypatch.setenv("RAGTUI_LANGUAGE", "zh")
    assert "大小写" in fault.mend


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"notes.txt": "hello"}, "not-a-set"),
        ({"qrels.a": "q1 0 A 1\n", "qrels.b": "q1 0 A 1\n"}, "several-gold"),
        ({"corpus.jsonl": "{}", "corpus.csv": "id,text\n", "qrels.trec": "q1 0 A 1\n"}, "several-corpora"),
        ({"queries.jsonl": "{}", "queries.csv": "id,text\n"}, "several-queries"),
        ({"qrels.trec": "q1 0 A 1\n", "run.trec": "q1 Q0 A 1 1 x\n", "runs/run.trec": ""}, "run-name-twice"),
        ({"rag_dataset.json": "{}"}, "no-list-of"),
        ({"qa.parquet": b"PAR1"}, "not-a-set"),
    ],
)
def test_folders_that_are_no_set(folder: Any, files: dict[str, Any], kind: str) -> None:
    found = reading.check(folder(files))
    assert kind in {fault.kind for fault in found.of("error")}


def test_an_empty_folder_and_no_folder_at_all(tmp_path: Path) -> None:
    assert [fault.kind for fault in reading.check(tmp_path)] == ["empty-folder"]
    assert [fault.kind for fault in reading.check(tmp_path / "nowhere")] == ["missing-file"]


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("x.jsonl", '{"metric_input": {}, "metric_output": 1, "prompts": {}}\n', "judge-outputs"),
        ("x.json", '{"examples": [{"query": "a", "reference_score": 1}]}', "judged-examples"),
        ("x.json", '{"results": [{"query": "a", "gt_answer": "b", "response": "c"}]}', "checked-answers"),
        ("x.jsonl", '{"query": "a", "model1": {}, "model2": {}}\n', "preferences"),
        ("x.csv", "filename,module_name,module_params\na,b,c\n", "tool-summary"),
        ("x.json", '{"predictions": [{"response": "a", "contexts": []}]}', "predictions-alone"),
        ("x.jsonl", '{"retrieved_ids": ["a"], "retrieve_scores": [1.0]}\n', "results-without-queries"),
        ("x.jsonl", '{"_id": "a", "title": "b", "text": "c"}\n', "only-a-corpus"),
        ("x.parquet", "PAR1 and so on", "bad-parquet"),
        ("x.jsonl", '{"query_id": "q1", "results": []}\n', "only-a-run"),
        ("x.trec", "q1 Q0 A 1 0.5 x\n", "only-a-run"),
        ("x.jsonl", '{"name": "a", "size": 3}\n', "unknown-format"),
        ("x.txt", "some words of prose in a file\n", "unknown-table"),
        ("x.txt", "hello\n", "unknown-table"),
        ("x.jsonl", "", "empty-file"),
        ("x.json", '{"a": {"b": "c"}}', "unknown-format"),
        ("x.json", '{"a": []}', "no-queries"),
    ],
)
def test_files_that_are_no_set(folder: Any, name: str, text: str, kind: str) -> None:
    found = reading.check(folder({name: text}) / name)
    assert [fault.kind for fault in found.of("error")] == [kind]


def test_a_named_file_that_is_not_there(folder: Any, good: dict[str, Any]) -> None:
    found = reading.check(folder(good), runs={"x": Path("nowhere.trec")})
    assert [(fault.kind, fault.file) for fault in found.of("error")] == [("missing-file", "nowhere.trec")]


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "a\nb", "a\udcffb", "x" * 101])
def test_names_of_runs_never_become_paths(folder: Any, good: dict[str, Any], name: str) -> None:
    here = folder(good)
    found = reading.check(here, runs={name: here / "runs" / "bm25.jsonl"})
    assert [fault.kind for fault in found.of("error")] == ["bad-run-name"]


def test_no_permission_is_said(folder: Any, good: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    here = folder(good)
    opened = Path.open

    # the system refuses root nothing, so the refusal is played
    def refuse(path: Path, *args: Any, **options: Any) -> Any:
        if path.name == "corpus.jsonl":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *args, **options)

    monkeypatch.setattr(Path, "open", refuse)
    found = reading.check(here)
    assert [(fault.kind, Path(fault.file).name) for fault in found.of("error")] == [
        ("no-permission", "corpus.jsonl")
    ]


def test_a_folder_that_may_not_be_listed(
    folder: Any, good: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = folder(good)

    def refuse(path: Path) -> Any:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert [fault.kind for fault in reading.check(here).of("error")] == ["no-permission"]


def test_a_pipe_is_refused_because_it_can_be_read_only_once(
    folder: Any, good: dict[str, Any], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert [fault.kind for fault in reading.check(tmp_path / "pipe")] == ["not-a-file"]
    found = reading.check(folder(good), runs={"x": tmp_path / "pipe"})
    assert [fault.kind for fault in found.of("error")] == ["no-plain-file"]


def test_file_names_that_are_no_text(folder: Any, good: dict[str, Any]) -> None:
    here = folder(good)
    (here / "runs" / "a\udcff.jsonl").write_bytes((here / "runs/bm25.jsonl").read_bytes())
    found = reading.check(here)
    assert [fault.kind for fault in found.of("error")] == ["bad-run-name"]
    assert json.dumps([fault.as_json() for fault in found], ensure_ascii=False).encode()


@pytest.mark.parametrize("compressed", [False, True])
def test_an_endless_line_is_refused_before_it_fills_the_memory(
    folder: Any, good: dict[str, Any], monkeypatch: pytest.MonkeyPatch, compressed: bool
) -> None:
    monkeypatch.setattr(content, "LINE_LIMIT", 1000)
    endless = QUERY.encode() + b'{"_id": "q2", "text": "' + b"x" * 5000 + b'"}\n'
    good["queries.jsonl"] = gzip.compress(endless) if compressed else endless
    fault = reading.check(folder(good)).of("error")[0]
    assert (fault.kind, fault.line) == ("line-too-long", 2)


def test_a_json_value_over_many_lines_is_bounded_as_well(
    folder: Any, good: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "DOCUMENT_LIMIT", 1000)
    good["queries.jsonl"] = "[\n" + ",\n".join([QUERY.strip()] * 100) + "\n]\n"
    assert "document-too-large" in {fault.kind for fault in reading.check(folder(good)).of("error")}


def test_many_faults_are_counted_and_the_first_kept(folder: Any, good: dict[str, Any]) -> None:
    good["runs/bm25.trec"] = "q1 Q0 a#1 1 0.5 x\n" + "q1 Q0 b#1 2 nan x\n" * 1000
    del good["runs/bm25.jsonl"]
    found = reading.check(folder(good))
    assert found.counts["error", "not-finite"] == 1000
    assert len(found.of("error")) == 200
    assert found.of("error")[0].line == 2


def test_repeats_are_merged_and_counted(folder: Any, good: dict[str, Any]) -> None:
    good["queries.jsonl"] = QUERY + OTHER + QUERY
    good["corpus.jsonl"] = (
        '{"_id": "a#1", "text": "a"}\n{"_id": "a#1", "text": "a"}\n{"_id": "b#1", "text": "b"}\n'
    )
    good["qrels/test.tsv"] = HEADER + "q1\ta#1\t1\nq1\ta#1\t1.0\nq2\tb#1\t1\n"
    found = reading.open_set(folder(good))
    assert {"queries-merged", "chunks-merged", "gold-merged"} <= {fault.kind for fault in found.warnings}
    assert len(found.queries) == len(found.gold) == 2


def test_two_annotators_may_differ(folder: Any, good: dict[str, Any]) -> None:
    del good["qrels/test.tsv"]
    good["qrels/test.jsonl"] = [
        {"query_id": "q1", "chunk_id": "a#1", "grade": 1, "annotator": "x"},
        {"query_id": "q1", "chunk_id": "a#1", "grade": 2, "annotator": "y"},
    ]
    assert reading.open_set(folder(good)).gold["grade"].to_list() == [1.0, 2.0]


def test_the_share_of_known_chunks_is_always_said(folder: Any, good: dict[str, Any]) -> None:
    said = [fault for fault in reading.open_set(folder(good)).warnings if fault.kind == "known-chunks"]
    assert said[0].what == "3 of 3 chunks of the run are known"


def test_every_kind_has_its_words_in_both_languages() -> None:
    source = "\n".join(path.read_text() for path in Path(ragtui.dataset.__path__[0]).rglob("*.py"))
    named = set(re.findall(r'(?:\.(?:error|warning|note)|BadValue)\(\s*"([a-z0-9-]+)"', source))
    assert len(named) > 80
    for language in messages.LANGUAGES:
        texts = messages.catalogue(language, "dataset")
        assert {kind for kind in named if f"dataset.fault.{kind}" not in texts} == set()


def test_a_fault_as_json() -> None:
    fault = Fault(
        "decimal-comma", "error", "run.csv", 3, (("field", "score"), ("value", "0,85"), ("mended", "0.85"))
    )
    assert fault.as_json() == {
        "file": "run.csv",
        "line": 3,
        "what": "score has a decimal comma: 0,85",
        "mend": "Write 0.85.",
        "severity": "error",
        "kind": "decimal-comma",
    }
