"""The verdict table on disk: appended whole, read tolerantly, the last verdict wins."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from ragtui.errors import RagtuiError
from ragtui.judging import table
from ragtui.judging.lines import frame_of
from ragtui.judging.model import VERDICT_COLUMNS, Judge, Verdict

JUDGE = Judge("usefulness", "1", "context", "rubric", (0.0, 1.0))
RECALL = replace(JUDGE, unit="reference")
MODEL = "openai/m"
YES = Verdict(
    "q1", "c1", None, 1.0, "it says so", "ok", "usefulness", "1", MODEL, text_hash="h1", tokens_in=100
)
NO = replace(YES, value=0.0, reason="it does not")
FAILED = replace(YES, value=None, status="parse-error", reason="no-verdict", raw="8/10 [/b] \x1b[31m 很好")


def written(folder: Path, *verdicts: Verdict, judge: Judge = JUDGE) -> Path:
    for verdict in verdicts:
        table.append(folder, judge, MODEL, [("key", [verdict])])
    return folder / table.file_name(judge.name, judge.version, MODEL)


def test_a_verdict_comes_back_as_it_was(tmp_path: Path) -> None:
    file = written(tmp_path, YES, replace(FAILED, chunk_id="c2", claim="一句", repeat=2, cached=True))
    assert file.name == "usefulness@1+openai_m.jsonl"
    found = table.read([tmp_path], JUDGE, MODEL)
    assert list(found.frame.columns) == [*VERDICT_COLUMNS, "request", "time"]
    first, second = found.frame.to_dict("records")
    wanted = {"value": 1.0, "reason": "it says so", "status": "ok", "chunk_id": "c1", "claim": None}
    wanted |= {"repeat": 0, "cached": False, "raw": "", "request": "key", "tokens_in": 100.0}
    assert {name: first[name] for name in wanted} == wanted
    assert math.isnan(first["tokens_out"])
    wanted = {"raw": FAILED.raw, "claim": "一句", "repeat": 2, "cached": True}
    assert {name: second[name] for name in wanted} == wanted
    assert math.isnan(second["value"])
    assert found.set_aside == 0


def test_a_rule_has_no_model_in_its_name() -> None:
    assert table.file_name("id-overlap", "1", "") == "id-overlap@1.jsonl"
    assert table.file_name("j", "1", "../../etc/passwd") == "j@1+.._.._etc_passwd.jsonl"


def test_of_two_verdicts_on_the_same_texts_the_later_one_counts(tmp_path: Path) -> None:
    others = [
        replace(NO, text_hash="h2"),
        replace(NO, chunk_id="c2"),
        replace(NO, claim="x"),
        replace(NO, repeat=1),
    ]
    written(tmp_path, YES, *others, FAILED, NO)
    frame = table.read([tmp_path], JUDGE, MODEL).frame
    assert len(frame) == 5
    assert frame.iloc[-1][["text_hash", "chunk_id", "repeat", "value"]].tolist() == ["h1", "c1", 0, 0.0]


def test_of_a_reference_the_whole_last_reply_counts(tmp_path: Path) -> None:
    one = replace(YES, chunk_id=None)
    for claims in (["a", "b", "c"], ["a", "d"]):
        table.append(tmp_path, RECALL, MODEL, [("key", [replace(one, claim=claim) for claim in claims])])
    other = replace(one, query_id="q2", claim="a")
    table.append(tmp_path, RECALL, MODEL, [("key", [other])])
    assert table.read([tmp_path], RECALL, MODEL).frame["claim"].tolist() == ["a", "d", "a"]
    table.append(tmp_path, RECALL, MODEL, [("key", [replace(one, claim=None, value=None, status="timeout")])])
    frame = table.read([tmp_path], RECALL, MODEL).frame
    assert frame["status"].tolist() == ["ok", "timeout"]


def test_verdicts_of_the_state_win_over_those_that_came_with_the_set(tmp_path: Path) -> None:
    written(tmp_path / "set", YES, replace(YES, query_id="q2"))
    written(tmp_path / "state", NO)
    folders = [tmp_path / "set", tmp_path / "state", tmp_path / "absent"]
    frame = table.read(folders, JUDGE, MODEL).frame
    assert frame["value"].tolist() == [1.0, 0.0]
    assert table.judges_in(folders) == [("usefulness", "1", MODEL)]


def test_models_whose_names_look_alike_are_kept_apart(tmp_path: Path) -> None:
    for model in ("a/b", "a:b"):
        table.append(tmp_path, JUDGE, model, [("key", [replace(YES, model=model)])])
    assert len(list(tmp_path.glob("*.jsonl"))) == 1
    assert table.read([tmp_path], JUDGE, "a:b").frame["model"].tolist() == ["a:b"]


@pytest.mark.parametrize("cut", [1, 10, 60])
def test_a_torn_last_line_is_set_aside_and_the_next_verdict_is_whole(tmp_path: Path, cut: int) -> None:
    file = written(tmp_path, YES, replace(YES, query_id="q2"))
    file.write_bytes(file.read_bytes()[:-cut])
    found = table.read([tmp_path], JUDGE, MODEL)
    assert found.set_aside == 1
    assert found.frame["query_id"].tolist() == ["q1"]
    written(tmp_path, replace(YES, query_id="q3"))
    found = table.read([tmp_path], JUDGE, MODEL)
    # a line that lacks only its end is whole once it is closed
    assert found.frame["query_id"].tolist() == (["q1", "q2", "q3"] if cut == 1 else ["q1", "q3"])


@pytest.mark.parametrize(
    "line",
    [
        b"\x00\x00\x00",
        b"[]",
        b"{}",
        b'{"schema": 2, "query_id": "q9", "status": "ok", "judge": "j", "version": "1", "model": "openai/m"}',
        b'{"schema": 1, "query_id": 9, "status": "ok", "judge": "j", "version": "1", "model": "openai/m"}',
        b'{"schema": 1, "query_id": "q9"}',
        b"\xff\xfe",
    ],
)
def test_a_damaged_line_spoils_only_itself(tmp_path: Path, line: bytes) -> None:
    file = written(tmp_path, YES)
    with file.open("ab") as stream:
        stream.write(line + b"\n")
    written(tmp_path, replace(YES, query_id="q2"))
    found = table.read([tmp_path], JUDGE, MODEL)
    assert found.frame["query_id"].tolist() == ["q1", "q2"]
    assert found.set_aside == 1


def test_text_of_any_kind_is_kept(tmp_path: Path) -> None:
    nasty = "half \ud800 a pair, \x00, \u2028, " + "长" * 100_000
    written(tmp_path, replace(YES, reason=nasty))
    assert table.read([tmp_path], JUDGE, MODEL).frame["reason"].tolist() == [nasty.replace("\ud800", "?")]


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="ascii")
    with pytest.raises(RagtuiError) as caught:
        written(tmp_path / "file" / "verdicts", YES)
    assert caught.value.key == "judging.verdicts-unwritable"
    (tmp_path / table.file_name("usefulness", "1", MODEL)).mkdir()
    with pytest.raises(RagtuiError) as caught:
        table.read([tmp_path], JUDGE, MODEL)
    assert caught.value.key == "judging.verdicts-unreadable"


def test_verdicts_in_hand_make_the_same_table(tmp_path: Path) -> None:
    written(tmp_path, YES, replace(NO, query_id="q2"))
    read = table.read([tmp_path], JUDGE, MODEL).frame.drop(columns="time")
    made = frame_of([("key", [YES]), ("key", [replace(NO, query_id="q2")])]).drop(columns="time")
    assert read.equals(made)
    assert read.dtypes.tolist() == made.dtypes.tolist()
