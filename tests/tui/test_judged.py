"""Verdicts of judges in the list and in the detail."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from ragtui.analysis.judged import CTX_P, CTX_R
from ragtui.analysis.query_table import QueryTable as Table
from ragtui.cli.evaluated import Question, evaluate_run
from ragtui.tui.app import RagtuiApp
from ragtui.tui.screens.card import CardScreen
from ragtui.tui.screens.presets import PresetsDialog
from ragtui.tui.widgets.query_table import QueryTable
from ragtui.workspace import ViewState, Workspace
from ragtui.workspace.workspace import Lens
from tests.tui.driving import lines, opened, page, press, row_of, said, search, settled
from tests.tui.test_detail import opened as opened_detail
from tests.tui.verdicts import (
    COVERAGE,
    MODEL,
    RAW,
    USEFUL,
    record_coverage,
    record_precision,
    record_recall,
    record_rule,
)


def header(page_of_list: str) -> str:
    return page_of_list.splitlines()[4]


def scores(workspace: Workspace, name: str = CTX_P) -> dict[str, float]:
    column = workspace.judged_table("e5-small", 3).frame[name]
    return {str(query): value for query, value in column.items() if not math.isnan(value)}


# what is joined to the table


def test_scores_are_average_precision_and_share_of_statements(judged: Workspace) -> None:
    # by hand: + + is 1; - - is 0; - + is (1/2) / 1; of q05 a verdict failed
    assert scores(judged) == {"q01": 1.0, "q02": 0.0, "q04": 0.5, "q06": 0.5}
    assert scores(judged, CTX_R) == {"q01": 0.5}


def test_judge_and_gold_differ_only_where_there_is_a_label(judged: Workspace) -> None:
    table = judged.judged_table("e5-small", 3)
    assert table.judged is not None
    # q01: a distractor found useful; q04: the chunk that says who approves is not; no label, no difference
    assert table.query_ids[table.judged.rows("differs")].tolist() == ["q01", "q04"]
    assert table.query_ids[table.judged.rows("failed")].tolist() == ["q05"]


def test_verdicts_on_the_same_texts_count_for_another_run(judged: Workspace) -> None:
    bm25 = judged.judged_table("bm25", 3)
    assert bm25.judged is not None
    # it shares the chunk of which the verdict failed, and no list of which all is judged, nor any reference
    assert bm25.query_ids[bm25.judged.rows("failed")].tolist() == ["q05"]
    assert set(bm25.judged.scores) == {CTX_P}
    assert bm25.frame[CTX_P].isna().all()
    assert judged.table("e5-small", 3).judged is None


def test_without_files_nothing_is_read(unjudged: Workspace) -> None:
    assert unjudged.judged_table("e5-small", 3) is unjudged.table("e5-small", 3)


def test_a_rule_speaks_only_where_it_was_recorded_and_needs_no_measure(unjudged: Workspace) -> None:
    record_rule(unjudged)
    judged = unjudged.judged_table("e5-small", 3).judged
    assert judged is not None
    assert judged.judges[CTX_P].text == "id-overlap 1"
    assert judged.judges[CTX_P].is_believed
    # the rule is gold itself, so it never differs from it
    assert not judged.differs.any()
    # gold of the first two of the list: q04 and q05, q07, q08 at rank 1, q06 at rank 2
    assert scores(unjudged)["q06"] == 0.5
    assert scores(unjudged)["q05"] == 1.0


def test_of_two_judges_the_one_with_more_verdicts_speaks(judged: Workspace) -> None:
    record_rule(judged)
    table = judged.judged_table("e5-small", 3).judged
    assert table is not None
    assert table.judges[CTX_P].name == "id-overlap"
    assert table.judges[CTX_R].model == MODEL


def test_changed_text_is_not_believed(judged: Workspace) -> None:
    judged.set.chunks.loc["general#1", "text"] = "something else"
    assert "q02" not in scores(Workspace(judged.set, state=judged.state_folder))


def test_claims_supported_by_any_chunk_are_supported(unjudged: Workspace) -> None:
    first, second = "住宿上限每晚 500 元。", "可坐高铁二等座。"
    record_coverage(
        unjudged,
        {
            (first, "general#1"): (0, "no"),
            (first, "hotel_old#1"): (1, "names it"),
            (second, "general#1"): (0, "not here"),
            (second, "hotel_old#1"): (0, "nor here"),
        },
    )
    judged = unjudged.judged_table("e5-small", 3).judged
    assert judged is not None
    assert judged.claims_from is not None
    assert judged.claims_from.name == COVERAGE
    claims = judged.about("q01").claims
    assert [(claim.text, claim.is_supported, claim.chunk_id, claim.reason) for claim in claims] == [
        (second, False, None, "not here"),
        (first, True, "hotel_old#1", "names it"),
    ]


def test_a_claim_with_a_failure_and_no_support_is_unknown(unjudged: Workspace) -> None:
    second = "可坐高铁二等座。"
    record_coverage(unjudged, {(second, "general#1"): (0, "no"), (second, "hotel_old#1"): (None, "timeout")})
    judged = unjudged.judged_table("e5-small", 3).judged
    assert judged is not None
    assert [claim.is_supported for claim in judged.about("q01").claims] == [None]


def test_filters_of_the_command_line_know_verdicts(judged: Workspace) -> None:
    found = evaluate_run(judged, "e5-small", Question(Lens(), 3, where="judge:differs"))
    assert found.table.query_ids.tolist() == ["q01", "q04"]
    # a mean over queries that were chosen by an outcome says nothing
    assert found.means["ndcg@3"].mean is None


# the list


async def test_columns_come_with_verdicts(judged: Workspace) -> None:
    async with opened(judged) as (pilot, _):
        assert header(page(pilot)).endswith("ndcg@3  ctxP  ctxR  cause")
        assert "1.00   .50  " in row_of(pilot, "q01")
        assert " .00     -  " in row_of(pilot, "q02")
        assert row_of(pilot, "q05").endswith("   !     -")
        assert row_of(pilot, "q07").endswith("   -     -")


async def test_columns_are_hidden_without_verdicts(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, _):
        assert header(page(pilot)).endswith("ndcg@3  cause")
        assert "no judge yet · 5" in lines(pilot)[1]
        await press(pilot, "f")
        assert "judge differs" not in page(pilot)


async def test_a_broken_judge_hides_verdicts_and_says_why(judged: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "travel" / "judges" / "mine"
    folder.mkdir(parents=True)
    (folder / "judge.toml").write_text("name = ", encoding="utf-8")
    again = Workspace(judged.set, state=judged.state_folder)
    async with opened(again) as (pilot, _):
        assert header(page(pilot)).endswith("ndcg@3  cause")
        await press(pilot, "right_square_bracket")
        notices = said(pilot)
        assert len(notices) == 1
        assert "judge.toml" in notices[0]


async def test_they_are_the_first_to_leave_a_narrow_screen(judged: Workspace) -> None:
    async with opened(judged, (80, 24)) as (pilot, _):
        narrow = header(page(pilot))
        assert "ctxP" not in narrow
        assert "gold by rank" in narrow


async def test_filters_and_sorting(judged: Workspace) -> None:
    async with opened(judged) as (pilot, screen):
        await search(pilot, screen, "ctxP<.6")
        assert screen.listed is not None
        assert {screen.listed.query_id(at) for at in range(3)} == {"q02", "q04", "q06"}
        await search(pilot, screen, "judge:differs")
        assert len(screen.listed) == 2
        await search(pilot, screen, "")
        await pilot.click("QueryTable", offset=(header(page(pilot)).index("ctxP") + 1, 0))
        await press(pilot)
        assert "sorted by ctxP" in page(pilot)
        assert [screen.listed.query_id(at) for at in range(4)] == ["q02", "q04", "q06", "q01"]


async def test_presets(judged: Workspace) -> None:
    async with opened(judged) as (pilot, screen):
        await press(pilot, "f")
        assert isinstance(pilot.app.screen, PresetsDialog)
        counted = {choice.label: choice.note for choice in pilot.app.screen.menu.choices}
        assert (counted["judge differs"], counted["judge failed"]) == ("2", "1")
        await press(pilot, *["down"] * 7, "enter")
        assert screen.field.value == "judge:failed"
        assert screen.selected == "q05"


async def test_an_unmeasured_judge_is_dim(judged: Workspace) -> None:
    async with opened(judged) as (_, screen):
        assert screen.listed is not None
        at = screen.listed.position_of("q01")
        assert at is not None
        assert screen.listed.cells(at)[CTX_P][0].ink == "dim"
    record_rule(judged)
    async with opened(judged) as (_, screen):
        assert screen.listed is not None
        at = screen.listed.position_of("q06")
        assert at is not None
        assert screen.listed.cells(at)[CTX_P][0].ink == "text"


async def test_a_wide_screen_names_the_judge(judged: Workspace) -> None:
    async with opened(judged, (200, 50)) as (pilot, _):
        assert f"by context-precision ragas-0.4.3 {MODEL} unmeasured" in page(pilot)


# the detail


async def test_verdicts_stand_beside_the_gold(judged: Workspace) -> None:
    async with opened_detail(judged) as (pilot, _):
        shown = page(pilot)
        general = next(line for line in shown.splitlines() if "general#1" in line)
        assert "gold ?  judge +  " in general
        old = next(line for line in shown.splitlines() if "hotel_old#1" in line)
        assert "gold 0  judge + DIFFER" in old
        # rank 3 was not in the prompt, and so not judged
        third = next(line for line in shown.splitlines() if line.startswith("   3 "))
        assert "judge" not in third


async def test_the_reason_is_told_where_it_matters(judged: Workspace) -> None:
    async with opened_detail(judged) as (pilot, detail):
        # markup in a model's words is text
        assert "judge: names a cap [/b] for the night" in page(pilot)
        assert "judge: gives the scope" not in page(pilot)
        await press(pilot, "tab", "home")
        assert detail.retrieved.selected == "general#1"
        assert "judge: gives the scope" in page(pilot)


async def test_judges_are_named_in_full(judged: Workspace) -> None:
    async with opened_detail(judged) as (pilot, _):
        shown = page(pilot)
        assert f"ctxP 1.00 by context-precision ragas-0.4.3 {MODEL} unmeasured" in shown
        assert f"ctxR .50 by context-recall ragas-0.4.3 {MODEL} unmeasured" in shown


async def test_claims_come_unsupported_first(judged: Workspace) -> None:
    async with opened_detail(judged) as (pilot, _):
        shown = page(pilot)
        assert "claims of the reference: 1 of 2 unsupported" in shown
        assert "x 可坐高铁二等座。  judge: no chunk says so" in shown
        assert shown.index("x 可坐高铁二等座。") < shown.index("+ 住宿上限每晚 500 元。")


async def test_a_failure_shows_its_raw_reply(judged: Workspace) -> None:
    async with opened_detail(judged, "q05") as (pilot, detail):
        assert "judge !" in page(pilot)
        assert "judge: the reply holds JSON that cannot be read" in page(pilot)
        assert RAW not in page(pilot)
        detail.use(detail.retrieved)
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, CardScreen)
        assert RAW in page(pilot)


async def test_a_query_without_verdicts_is_as_ever(judged: Workspace) -> None:
    async with opened_detail(judged, "q03") as (pilot, _):
        assert "judge" not in "\n".join(page(pilot).splitlines()[5:-1])


async def test_copied_facts_hold_the_verdicts(judged: Workspace) -> None:
    async with opened_detail(judged) as (pilot, _):
        await press(pilot, "Y")
        verdicts = json.loads(pilot.app.clipboard)["verdicts"]
        assert verdicts["chunks"]["hotel_old#1"]["differs"] is True
        assert len(verdicts["claims"]) == 2


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36), (200, 50)])
async def test_nasty_reasons_stay_in_their_cells(unjudged: Workspace, size: tuple[int, int]) -> None:
    nasty = "[/b] \x1b[31mred\x1b[0m NUL \x00 tab\t" + "很长" * 50_000
    record_precision(unjudged, {**USEFUL, "q01": {"general#1": (1, nasty), "hotel_old#1": (1, nasty)}})
    record_recall(unjudged)
    async with opened_detail(unjudged, size=size) as (pilot, detail):
        detail.use(detail.retrieved)
        await press(pilot)
        assert all("\x1b" not in line and "\x00" not in line for line in lines(pilot))
        await press(pilot, "enter")
        assert "[/b]" in page(pilot)


# verdicts take a while to read


async def test_the_list_does_not_wait_for_verdicts(
    judged: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_be_read = Event()
    read = judged.judged_table

    def slow(*wanted: Any) -> Table:
        may_be_read.wait(60)
        return read(*wanted)

    monkeypatch.setattr(judged, "judged_table", slow)
    app = RagtuiApp(judged)
    async with app.run_test(size=(120, 36)) as pilot:
        async with asyncio.timeout(60):
            while " q01 " not in page(pilot):
                await pilot.pause()
        assert header(page(pilot)).endswith("ndcg@3  cause")
        assert "no judge yet" not in page(pilot)
        await pilot.press("j")
        chosen = app.screen.query_one(QueryTable).cursor
        may_be_read.set()
        await settled(pilot)
        assert header(page(pilot)).endswith("ndcg@3  ctxP  ctxR  cause")
        assert (chosen, app.screen.query_one(QueryTable).cursor) == (1, 1)


@pytest.mark.parametrize(
    ("left", "rows"),
    [
        (ViewState(run="e5-small", filter="ctxP<.6"), ["q02", "q06", "q04"]),
        (ViewState(run="e5-small", sort=CTX_P), ["q02", "q04", "q06", "q01"]),
    ],
    ids=["filter", "order"],
)
async def test_what_asks_for_verdicts_is_restored_with_them(
    judged: Workspace, left: ViewState, rows: list[str]
) -> None:
    judged.save_view(left)
    async with opened(judged) as (_, screen):
        assert screen.listed is not None
        assert screen.listed.error is None
        assert screen.listed.query_ids()[: len(rows)] == rows
