"""Files read by columns are what the readers of lines make of them, fault for fault."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragtui.dataset.faults import Faults
from ragtui.dataset.model import Direction, RankedLists, RunCard
from ragtui.dataset.readers import gold, growing_ids, runs, trec, trec_columns, watched
from ragtui.dataset.readers.gold import read_gold
from ragtui.dataset.readers.gold_columns import GoldColumns, together
from ragtui.dataset.readers.rows import GoldRow
from ragtui.dataset.readers.runs import read_run
from ragtui.dataset.readers.watched import Doubt

IDS = st.text("abAB019#é日.-", min_size=1, max_size=12).filter(lambda one: not one.startswith("#"))
SCORES = st.sampled_from(["0", "1", "1.0", "-2.5", "1e3", "3.14159265358979", "7", "1e-400", ".5", "5."])
BOM = b"\xef\xbb\xbf"


@pytest.fixture
def small_parts() -> Iterator[None]:
    """Files of a few lines have several parts, and their ids are coded."""
    with (
        mock.patch.object(watched, "_FIRST_PART", 40),
        mock.patch.object(watched, "_PART", 25),
        mock.patch.object(growing_ids, "_FEW", 30),
        mock.patch.object(growing_ids, "_PART", 20),
    ):
        yield


def written(folder: Path, lines: list[str], draw: st.DataObject) -> Path:
    """The lines with one of the line ends, marks and packings that files have."""
    end = draw.draw(st.sampled_from(["\n", "\r\n"]))
    content = (end.join(lines) + draw.draw(st.sampled_from(["", end]))).encode()
    content = draw.draw(st.sampled_from([b"", BOM])) + content
    path = folder / "file.trec"
    path.write_bytes(gzip.compress(content) if draw.draw(st.booleans()) else content)
    return path


def content_of(lists: RankedLists) -> list[tuple[str, list[str], list[str]]]:
    """Everything that the lists say; scores as text, so that NaN is equal to itself."""
    found = {query_id: lists.list_of(query_id) for query_id in lists.query_ids}
    return [(query_id, ids, list(map(repr, scores.tolist()))) for query_id, (ids, scores) in found.items()]


def read_by_lines(path: Path, card: RunCard | None = None) -> tuple[RankedLists, Faults]:
    faults = Faults()
    with mock.patch.object(runs, "run_lists", side_effect=Doubt):
        return read_run("r", path, card, faults).run.lists, faults


@st.composite
def run_lines(draw: st.DrawFn) -> list[str]:
    """Lines of a run of any layout, with repeats, ties, and queries and ranks in any order."""
    delimiter = draw(st.sampled_from([" ", "\t"]))
    width = draw(st.integers(3, 6))
    rows = draw(st.lists(st.tuples(IDS, IDS, st.integers(0, 4), SCORES), min_size=1, max_size=12))
    if draw(st.booleans()):
        rows.sort()
    layouts = {
        3: lambda q, d, r, s: [q, d, s],
        4: lambda q, d, r, s: [q, "Q0", d, s],
        5: lambda q, d, r, s: [q, "Q0", d, str(r), s],
        6: lambda q, d, r, s: [q, "Q0", d, str(r), s, "tag"],
    }
    return [delimiter.join(layouts[width](*row)) for row in rows]


@settings(max_examples=150, deadline=None)
@given(lines=run_lines(), data=st.data(), direction=st.sampled_from(["higher", "lower"]))
def test_a_run_by_columns_is_the_run_by_lines(lines: list[str], data: Any, direction: Direction) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), lines, data)
        by_lines, faults = read_by_lines(path, RunCard({"score_direction": direction}))
        by_columns = trec_columns.run_lists(path, trec.run_columns(path), direction)
        assert not faults.found
        assert content_of(by_columns) == content_of(by_lines)


@settings(max_examples=150, deadline=None)
@given(lines=run_lines(), data=st.data())
def test_so_it_is_part_by_part(lines: list[str], data: Any) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(watched, "_FIRST_PART", data.draw(st.integers(1, 60))),
        mock.patch.object(watched, "_PART", data.draw(st.integers(1, 60))),
        mock.patch.object(growing_ids, "_FEW", data.draw(st.integers(0, 60))),
        mock.patch.object(growing_ids, "_PART", data.draw(st.integers(0, 60))),
    ):
        path = written(Path(folder), lines, data)
        by_columns = trec_columns.run_lists(path, trec.run_columns(path), "higher")
        assert content_of(by_columns) == content_of(read_by_lines(path)[0])


def test_ranks_that_decide_late_are_read_again(tmp_path: Path, small_parts: None) -> None:
    path = tmp_path / "late.trec"
    rows = [f"q{i} Q0 d{i} 1 5 x" for i in range(9)]
    path.write_text("\n".join([*rows, "q9 Q0 second 2 1 x", "q9 Q0 first 1 1 x"]))
    lists = trec_columns.run_lists(path, trec.run_columns(path), "higher")
    assert lists.list_of("q9")[0] == ["first", "second"]


@settings(max_examples=100, deadline=None)
@given(
    rows=st.lists(st.tuples(IDS, IDS, SCORES), min_size=1, max_size=12),
    width=st.sampled_from([3, 4, 5]),
    data=st.data(),
)
def test_qrels_by_columns_are_the_qrels_by_lines(rows: Any, width: int, data: Any) -> None:
    lines = [
        " ".join([q, *(["0"] if width > 3 else []), d, g, *(["x"] if width > 4 else [])]) for q, d, g in rows
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), lines, data)
        assert list(trec_columns.judgments(path, "test")) == trec.read_qrels(path, "test", Faults())


@settings(max_examples=100, deadline=None)
@given(
    rows=st.lists(st.tuples(IDS, IDS | st.just("two words"), SCORES), min_size=1, max_size=12), data=st.data()
)
def test_tabbed_gold_by_columns_is_that_by_records(rows: Any, data: Any) -> None:
    header = data.draw(st.sampled_from(["query-id\tcorpus-id\tscore", "query_id\tdocid\tlabel"]))
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), [header, *("\t".join(row) for row in rows)], data)
        by_columns = trec_columns.tabbed_judgments(path, "test")
        with mock.patch.object(gold, "_quickly", return_value=None):
            by_records = read_gold(path, "test", Faults())
        assert list(by_columns) == list(by_records)


CELLS = st.sampled_from(
    [
        "q1",
        "q2",
        "d1",
        "Q0",
        "0",
        "1",
        "2.5",
        "1,5",
        "nan",
        "inf",
        "1_0",
        "+1",
        "１",
        "0x1",
        "#",
        "#x",
        "",
        " ",
        "é",
    ]
)
BETWEEN = st.sampled_from([" ", " ", " ", "\t", "  ", "\v", "\x1c", "\u3000", "\xa0", "\r"])
ENDS = st.sampled_from(["\n", "\n", "\r\n", "\n\n", " \n"])


@st.composite
def broken_files(draw: st.DrawFn) -> bytes:
    """Mostly sound lines among others with odd cells, white space and bytes."""
    sound = st.just("q1 Q0 d1 1 2.5 x\n")
    odd = st.lists(st.tuples(CELLS, BETWEEN), min_size=1, max_size=7).map(
        lambda pairs: "".join(map("".join, pairs))
    )
    lines = draw(st.lists(sound | st.tuples(odd, ENDS).map("".join), min_size=1, max_size=6))
    content = "".join(lines).encode()
    if draw(st.booleans()):
        return content
    place = draw(st.integers(0, len(content)))
    return (
        content[:place] + draw(st.sampled_from([b"\xff", b"\0", b"\xe3\x80\x80", b"\xc2"])) + content[place:]
    )


@settings(max_examples=300, deadline=None)
@given(content=broken_files())
def test_faults_of_a_run_are_those_of_its_lines(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.trec"
        path.write_bytes(content)
        by_lines, expected = read_by_lines(path)
        faults = Faults()
        found = read_run("r", path, None, faults).run.lists
        assert (faults.found, faults.counts) == (expected.found, expected.counts)
        assert content_of(found) == content_of(by_lines)


@settings(max_examples=200, deadline=None)
@given(content=broken_files(), header=st.sampled_from([b"", b"query-id\tcorpus-id\tscore\n"]))
def test_faults_of_gold_are_those_of_its_lines(content: bytes, header: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "qrels"
        path.write_bytes(header + content)
        expected, faults = Faults(), Faults()
        with mock.patch.object(gold, "_quickly", return_value=None):
            by_lines = read_gold(path, "test", expected)
        assert list(read_gold(path, "test", faults)) == list(by_lines)
        assert (faults.found, faults.counts) == (expected.found, expected.counts)


SOUND = "q1 Q0 d1 1 2 x\nq1 Q0 d2 2 1 x\n"


@pytest.mark.parametrize(
    "text",
    [
        "# a comment\n" + SOUND,
        SOUND + "#q Q0 d 1 1 x\n",
        SOUND + "\n",
        SOUND + "q2 Q0 d1 1 0,5 x\n",
        SOUND + "q2 Q0 d1 1 nan x\n",
        SOUND + "q2 Q0 d1 1.5 1 x\n",
        SOUND + "q2\tQ0 d1 1 1 x\n",
        SOUND + "q2  d1 1 1 x\n",
        SOUND + " q2 Q0 d1 1 1\n",
        SOUND + "q2 Q0 d\u30001 1 1 x\n",
        SOUND + "q2 Q0 d1 1 1 x y\n",
        SOUND + "q2 Q0 d\r1 1 1 x\n",
        SOUND + "q2 Q0 d\x1c1 1 1 x\n",
        "query_id Q0 chunk_id rank score tag\n" + SOUND,
    ],
)
def test_what_arrow_reads_differently_is_doubted(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.trec"
    path.write_text(text, newline="")
    with pytest.raises(Doubt):
        trec_columns.run_lists(path, trec.run_columns(path), "higher")


@pytest.mark.parametrize("packed", [False, True])
def test_a_byte_that_is_no_text_is_doubted_in_any_column(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "run.trec"
    content = SOUND.encode() + b"q2 Q0 d1 1 1 \xff\n"
    path.write_bytes(gzip.compress(content) if packed else content)
    with pytest.raises(Doubt):
        trec_columns.run_lists(path, trec.run_columns(path), "higher")


def test_a_packed_file_that_breaks_off_is_doubted(tmp_path: Path) -> None:
    path = tmp_path / "run.trec.gz"
    path.write_bytes(gzip.compress((SOUND * 2000).encode())[:-20])
    with pytest.raises(Doubt):
        trec_columns.run_lists(path, trec.run_columns(path), "higher")
    faults = Faults()
    read_run("r", path, None, faults)
    assert [fault.kind for fault in faults] == ["damaged-gzip"]


def test_a_short_line_does_not_speak_for_the_others(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text(SOUND + "q2 Q0 d1\n" + SOUND.replace("q1", "q3"))
    faults = Faults()
    read_run("r", path, None, faults)
    assert [(fault.kind, fault.line) for fault in faults] == [("too-few-columns", 3)]


def test_gold_of_several_files_keeps_file_line_and_split(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("q1 0 x 1\nq2 0 y 2\n")
    second.write_text("q2 0 z 0\nq3 0 x 1\n")
    read = trec_columns.judgments(first, "dev"), trec_columns.judgments(second, "test")
    assert list(together(*read)) == [
        GoldRow("q1", "x", 1.0, split="dev", file=first, line=1),
        GoldRow("q2", "y", 2.0, split="dev", file=first, line=2),
        GoldRow("q2", "z", 0.0, split="test", file=second, line=1),
        GoldRow("q3", "x", 1.0, split="test", file=second, line=2),
    ]


def test_gold_columns_are_their_rows() -> None:
    rows = [
        GoldRow("q1", "a", 1.0, "because", "ann", "g1", None, "dev", Path("f"), 3),
        GoldRow("q2", "b", 0.5, role="distractor"),
        GoldRow("q1", "c", -1.0, group="g2", split="test", file=Path("g")),
    ]
    columns = GoldColumns.of(rows)
    assert list(columns) == rows
    kept = columns.where(np.array([False, True, True]))
    assert list(kept) == rows[1:]
    assert kept.query_ids == ["q2", "q1"]
    assert [row.split for row in columns.in_splits({"q1": "train", "q2": None})] == ["train", "all", "train"]
