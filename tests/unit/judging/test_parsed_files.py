"""What is kept of large verdict files: as if every line had been read, whatever happens to the files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from ragtui import locations
from ragtui.judging import lines, parsed_files
from ragtui.judging.lines import lines_of, parse
from ragtui.judging.model import Verdict
from ragtui.judging.parsed_files import parsed_file

YES = Verdict("q1", "c1", None, 1.0, "很好", "ok", "j", "1", "m", text_hash="h", tokens_in=3)
FAILED = replace(YES, value=None, status="timeout", claim="一句", chunk_id=None, cached=True, repeat=2)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(parsed_files, "LARGE", 100)
    path = tmp_path / "verdicts.jsonl"
    path.write_bytes(b"".join(lines_of(f"key{n}", [YES, FAILED]) for n in range(5)))
    return path


@pytest.fixture
def parsed_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of what is parsed from here on."""
    sizes: list[int] = []

    def counted(content: bytes) -> lines.Parsed:
        sizes.append(len(content))
        return parse(content)

    monkeypatch.setattr(parsed_files, "parse", counted)
    return sizes


def kept() -> list[Path]:
    return list((locations.cache_folder() / "verdicts").glob("*.arrow"))


def test_the_second_reading_parses_nothing_and_gives_the_same(file: Path, parsed_bytes: list[int]) -> None:
    first = parsed_file(file)
    second = parsed_file(file)
    assert parsed_bytes == [file.stat().st_size]
    pd.testing.assert_frame_equal(first.frame, second.frame)
    pd.testing.assert_frame_equal(first.frame, parse(file.read_bytes()).frame)
    assert second.frame["claim"].tolist()[:2] == [None, "一句"]


def test_only_what_was_appended_since_is_parsed(file: Path, parsed_bytes: list[int]) -> None:
    parsed_file(file)
    before = file.stat().st_size
    added = lines_of("later", [replace(YES, query_id="q9")])
    with file.open("ab") as stream:
        stream.write(added + b"{damaged\n" + b"torn")
    found = parsed_file(file)
    assert parsed_bytes == [before, len(added) + len(b"{damaged\n")]
    assert found.frame["query_id"].tolist() == ["q1"] * 10 + ["q9"]
    assert found.set_aside == 2
    assert parsed_file(file).set_aside == 2


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(file.read_bytes().replace(b'"value":1.0', b'"value":0.0', 1)),
        lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
        lambda _: kept()[0].write_bytes(b"no arrow"),
        lambda _: kept()[0].write_bytes(kept()[0].read_bytes()[:-200]),
        lambda _: kept()[0].unlink(),
    ],
)
def test_what_does_not_belong_to_these_very_bytes_is_not_believed(
    file: Path, spoil: Callable[[Path], object]
) -> None:
    parsed_file(file)
    spoil(file)
    end = file.read_bytes().rfind(b"\n") + 1
    pd.testing.assert_frame_equal(parsed_file(file).frame, parse(file.read_bytes()[:end]).frame)


def test_another_layout_is_parsed_anew(
    file: Path, parsed_bytes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed_file(file)
    monkeypatch.setattr(parsed_files, "_LAYOUT", "newer")
    parsed_file(file)
    assert len(parsed_bytes) == 2


def test_where_nothing_can_be_kept_it_only_takes_longer(file: Path, parsed_bytes: list[int]) -> None:
    locations.cache_folder().mkdir(parents=True)
    (locations.cache_folder() / "verdicts").write_text("in the way", encoding="ascii")
    assert len(parsed_file(file).frame) == len(parsed_file(file).frame) == 10
    assert len(parsed_bytes) == 2


def test_small_files_leave_nothing_behind(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsed_files, "LARGE", 1 << 20)
    parsed_file(file)
    assert kept() == []
