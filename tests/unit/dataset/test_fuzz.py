"""Whatever the bytes are, a reader ends with a set or with faults, and never with a traceback."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragtui import messages
from ragtui.dataset import reading
from ragtui.dataset.faults import BadInput
from ragtui.dataset.writing import write_native

FILES = (
    "corpus.jsonl",
    "queries.jsonl",
    "qrels/test.tsv",
    "qrels/test.jsonl",
    "runs/x.jsonl",
    "runs/x.trec",
    "runs/x.toml",
    "set.toml",
    "splits.jsonl",
    "snapshot.json",
    "gold.csv",
    "run.y.csv",
    "run.z.json",
)
VALID = {
    "corpus.jsonl": b'{"_id": "a#1", "title": "A", "text": "alpha", "metadata": {"doc_id": "a"}}\n'
    b'{"_id": 7, "text": "b"}\n',
    "queries.jsonl": b'{"_id": "q1", "text": "one?", "relevant": {"a#1": 1}, "distractors": ["7"], '
    b'"answerable": true}\n',
    "qrels/test.tsv": b"query-id\tcorpus-id\tscore\nq1\ta#1\t1\n",
    "qrels/test.jsonl": b'{"query_id": "q1", "chunk_id": "a#1", "grade": 1, "reason": "r", "group": "g"}\n',
    "runs/x.jsonl": b'{"query_id": "q1", "results": [{"chunk_id": "a#1", "score": 0.5, "routes": {"r": 1}}], '
    b'"stages": {"prompt": ["a#1"]}, "latency_ms": {"a": 1}, "answer": "x", "answer_correct": true}\n',
    "runs/x.trec": b"q1 Q0 a#1 1 0.5 tag\nq1 Q0 7 2 0.25 tag\n",
    "runs/x.toml": b'depth = 5\nscore_direction = "higher"\n',
    "set.toml": b'name = "x"\nk = [1, 5]\n[targets]\n"ndcg@10" = 0.5\n',
    "splits.jsonl": b'{"query_id": "q1", "split": "test"}\n',
    "snapshot.json": b'{"hashes": {"corpus": "a", "queries": "b", "gold": "c"}}',
    "gold.csv": b"query_id,doc_id,relevance\nq1,a#1,1\n",
    "run.y.csv": b"query_id,doc_id,rank,score\nq1,a#1,1,0.5\n",
    "run.z.json": b'{"q1": {"a#1": 0.5, "7": 0.25}}',
}

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.sampled_from(["q1", "a#1"])
)
NAMES = (
    "_id query_id chunk_id text title metadata relevant grade role group answerable split hashes "
    "results ids scores score routes stages latency_ms error answer"
)
names = st.one_of(st.sampled_from(NAMES.split()), st.text(max_size=5))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=4)),
    max_leaves=8,
)


def opens_or_says_why(files: dict[str, bytes], only: str | None = None) -> None:
    """Open the files as a folder (or one of them): a set whose tables agree, or faults that have words."""
    with tempfile.TemporaryDirectory() as temporary:
        here = Path(temporary) / "set"
        for name, content in files.items():
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            (here / name).write_bytes(content)
        try:
            found = reading.open_set(here / only if only else here)
        except BadInput as bad:
            for fault in bad.faults:
                for language in messages.LANGUAGES:
                    assert messages.t(f"dataset.fault.{fault.kind}", language, **dict(fault.values))
            return
        assert found.query_split.index.equals(found.queries.index)
        assert set(found.gold["query_id"]) <= set(found.queries.index)
        for run in found.runs.values():
            assert run.lists.offsets[-1] == len(run.lists.codes) == len(run.lists.scores)
        write_native(found, Path(temporary) / "copy")
        assert reading.open_set(Path(temporary) / "copy").hashes == found.hashes


@settings(max_examples=40)
@given(name=st.sampled_from(FILES), content=st.binary(max_size=200))
def test_random_bytes(name: str, content: bytes) -> None:
    opens_or_says_why({**VALID, name: content})


@settings(max_examples=40)
@given(data=st.data(), name=st.sampled_from(FILES))
def test_a_valid_file_that_was_damaged(data: st.DataObject, name: str) -> None:
    content = bytearray(VALID[name])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        upto = data.draw(st.integers(at, min(len(content), at + 6)))
        content[at:upto] = data.draw(
            st.one_of(st.binary(max_size=3), st.sampled_from([b'"', b"{", b"[", b"\n", b"\t"]))
        )
    opens_or_says_why({**{n: c for n, c in VALID.items() if n != "snapshot.json"}, name: bytes(content)})


@settings(max_examples=40)
@given(
    name=st.sampled_from([name for name in FILES if name.endswith((".jsonl", ".json"))]),
    records=st.lists(st.dictionaries(names, values, max_size=5), max_size=4),
)
def test_json_of_every_shape(name: str, records: list[dict[str, Any]]) -> None:
    content = "\n".join(json.dumps(record) for record in records).encode()
    opens_or_says_why({**VALID, name: content})
    opens_or_says_why({"alone.jsonl": content}, only="alone.jsonl")


@settings(max_examples=40)
@given(
    rows=st.lists(
        st.lists(st.sampled_from(["q1", "a#1", "Q0", "0", "1", "0.5", "x", "-1", ""]), max_size=7), max_size=5
    )
)
def test_tables_of_every_width(rows: list[list[str]]) -> None:
    for name, delimiter in (
        ("qrels/test.tsv", "\t"),
        ("runs/x.trec", " "),
        ("gold.csv", ","),
        ("run.y.csv", ";"),
    ):
        opens_or_says_why({**VALID, name: "\n".join(delimiter.join(row) for row in rows).encode()})


@pytest.mark.parametrize("depth", [300, 990, 1020, 5000])
@pytest.mark.parametrize(
    "name", ["queries.jsonl", "runs/x.jsonl", "qrels/test.jsonl", "run.z.json", "set.toml"]
)
def test_nesting_of_every_depth(depth: int, name: str) -> None:
    nested = b"[" * depth + b"1.5" + b"]" * depth
    contents = {
        "queries.jsonl": b'{"_id": 1.5, "text": ' + nested + b"}",
        "runs/x.jsonl": b'{"query_id": 1.5, "results": ' + nested + b"}",
        "qrels/test.jsonl": b'{"query_id": 1.5, "chunk_id": ' + nested + b"}",
        "run.z.json": b'{"q1": ' + nested + b"}",
        "set.toml": b"k = " + nested,
    }
    opens_or_says_why({**VALID, name: contents[name]})
