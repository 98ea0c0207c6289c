"""Whatever a file of another tool holds: a whole set or faults, never a traceback and never part of a set."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragtui import messages
from ragtui.dataset import reading
from ragtui.dataset.faults import BadInput
from ragtui.dataset.writing import write_native

LIMITED = settings(max_examples=60)

VALID: Mapping[str, Any] = {
    "ragas.jsonl": [
        {
            "user_input": "a?",
            "retrieved_contexts": ["x", "y"],
            "reference_contexts": ["x"],
            "retrieved_context_ids": ["1", "2"],
            "response": "b",
            "reference": "c",
        },
        {
            "user_input": "d?",
            "retrieved_contexts": [{"node": {"id_": "1", "text": "x"}, "score": 0.5}],
            "reference_contexts": [{"page_content": "x", "metadata": {"id": "1", "source": "s"}}],
        },
    ],
    "llamaindex.json": {"examples": [{"query": "a?", "reference_contexts": ["x"], "reference_answer": "b"}]},
    "tables.json": {
        "queries": {"q": "a?"},
        "corpus": {"d": "x"},
        "relevant_docs": {"q": ["d"]},
        "mode": "text",
    },
    "open.csv": [{"query_id": "q", "query": "a?", "query_run": "1", "passage_id": "[1]", "passage": "x"}],
    "pairs.csv": [{"query": "a?", "passage": "x", "score": "1"}],
    "questions.csv": [{"question": "a?", "expected_answer": "b"}],
    "crud.json": {"n": {"key_info": ["k"], "question": ["a?"], "answers": ["无法推断"]}},
    "refused.json": {"metric": [{"metric_input": {}, "metric_output": 1}]},
}

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10**20),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(["[1, 2]", "['a' 'b']", "[{'id': 1.5}]", "[Document(x)]", "[[", "a?", "1"]),
)
NAMES = (
    "user_input question query contexts retrieved_contexts reference_contexts retrieved_context_ids scores "
    "reference_context_ids response reference answer ground_truth id query_id text page_content metadata "
    "node id_ score examples predictions reference_answer queries corpus relevant_docs passage passage_id "
    "query_run label question answers key_info retrieval_gt generation_gt qid retrieved_ids retrieve_scores "
    "doc_id contents lc kwargs"
)
names = st.one_of(st.sampled_from(NAMES.split()), st.text(max_size=4), st.just(""))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=4)),
    max_leaves=8,
)


def as_bytes(name: str, value: Any) -> bytes:
    if name.endswith(".json"):
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    if name.endswith(".jsonl"):
        return "".join(json.dumps(row) + "\n" for row in value).encode()
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(key for row in value for key in row)))
    writer.writeheader()
    writer.writerows(value)
    return text.getvalue().encode("utf-8", "replace")


def opens_or_says_why(content: Mapping[str, bytes], only: str) -> None:
    """Open a file: a set that is written and read back as the same, or faults that have words."""
    with tempfile.TemporaryDirectory() as temporary:
        here = Path(temporary)
        for name, written in content.items():
            (here / name).write_bytes(written)
        try:
            found = reading.open_set(here / only)
        except BadInput as bad:
            for fault in bad.faults:
                for language in messages.LANGUAGES:
                    assert messages.t(f"dataset.fault.{fault.kind}", language, **dict(fault.values))
            return
        assert len(found.queries) > 0
        assert set(found.gold["query_id"]) <= set(found.queries.index)
        for run in found.runs.values():
            assert run.lists.offsets[-1] == len(run.lists.codes) == len(run.lists.scores)
        write_native(found, here / "copy")
        copy = reading.open_set(here / "copy")
        assert copy.hashes == found.hashes
        assert set(copy.runs) == set(found.runs)


@pytest.mark.parametrize("name", VALID)
def test_the_valid_files_are_what_they_should_be(name: str) -> None:
    opens_or_says_why({name: as_bytes(name, VALID[name])}, name)


@LIMITED
@given(data=st.data(), name=st.sampled_from(sorted(VALID)))
def test_a_valid_file_that_was_damaged(data: st.DataObject, name: str) -> None:
    content = bytearray(as_bytes(name, VALID[name]))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        upto = data.draw(st.integers(at, min(len(content), at + 6)))
        content[at:upto] = data.draw(
            st.one_of(st.binary(max_size=3), st.sampled_from([b'"', b"{", b"[", b"\n", b"null", b","]))
        )
    opens_or_says_why({name: bytes(content)}, name)


def changed(value: Any, place: int, new: Any) -> Any:
    """`value` with its `place`-th inner value replaced, counted in the order they stand there."""
    count = -1

    def walk(one: Any) -> Any:
        nonlocal count
        count += 1
        if count == place:
            return new
        if isinstance(one, dict):
            return {key: walk(held) for key, held in one.items()}
        return [walk(item) for item in one] if isinstance(one, list) else one

    return walk(value)


@LIMITED
@given(name=st.sampled_from(sorted(VALID)), place=st.integers(1, 20), new=values)
@example(name="ragas.jsonl", place=4, new=[1.5])
@example(name="tables.json", place=5, new={"a": 1.5})
def test_one_value_of_another_shape(name: str, place: int, new: Any) -> None:
    value = changed(VALID[name], place, new)
    if name.endswith((".csv", ".jsonl")):
        value = _objects(value)
    if value:
        opens_or_says_why({name: as_bytes(name, value)}, name)


@LIMITED
@given(records=st.lists(st.dictionaries(names, values, max_size=6), min_size=1, max_size=3))
@example(records=[{"user_input": "a?", "contexts": None}, {"": 1}])
def test_records_of_every_shape(records: list[dict[str, Any]]) -> None:
    opens_or_says_why({"x.jsonl": as_bytes("x.jsonl", records)}, "x.jsonl")
    opens_or_says_why({"x.json": as_bytes("x.json", records[0])}, "x.json")
    opens_or_says_why({"x.csv": as_bytes("x.csv", records)}, "x.csv")


def _objects(rows: list[Any]) -> list[dict[str, Any]]:
    return [row for row in rows if isinstance(row, dict)]


def parquet(rows: list[dict[str, Any]]) -> bytes | None:
    """The rows as Parquet; None where Arrow has no type for a column."""
    out = io.BytesIO()
    try:
        pq.write_table(pa.Table.from_pylist(rows), out)
    except (pa.ArrowException, OverflowError, TypeError, UnicodeEncodeError):
        return None
    return out.getvalue()


QUESTIONS: list[dict[str, Any]] = [
    {"qid": "q1", "query": "a?", "retrieval_gt": [["d1"], ["d2", "d3"]], "generation_gt": ["x"]},
    {"qid": "q2", "query": "b?", "retrieval_gt": [["d1"]], "generation_gt": ["y"]},
]
RESULT: list[dict[str, Any]] = [
    {"retrieved_ids": ["d1", "d1"], "retrieve_scores": [1.0, 1.0]},
    {"retrieved_ids": [], "retrieve_scores": []},
]


@LIMITED
@given(place=st.integers(1, 12), new=values, which=st.sampled_from(["qa.parquet", "result_x.parquet"]))
def test_autorag_with_one_value_of_another_shape(place: int, new: Any, which: str) -> None:
    rows = {"qa.parquet": QUESTIONS, "result_x.parquet": RESULT}
    rows[which] = changed(rows[which], place, new)
    content = {name: parquet(_objects(held)) for name, held in rows.items()}
    if None not in content.values():
        opens_or_says_why({name: held for name, held in content.items() if held}, ".")


@LIMITED
@given(data=st.data())
def test_damaged_parquet(data: st.DataObject) -> None:
    content = bytearray(parquet(QUESTIONS) or b"")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(4, len(content) - 1))
        content[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.one_of(st.just(len(content)), st.integers(4, len(content))))
    opens_or_says_why({"qa.parquet": bytes(content[:cut])}, "qa.parquet")
