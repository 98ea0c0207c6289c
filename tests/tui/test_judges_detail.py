"""Judging one query from the detail, and verdicts beside what was retrieved."""

from __future__ import annotations

from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.plan import PlanDialog
from ragtui.workspace import Workspace
from tests.tui.asked import GRADES, MODEL, Lab, at, graded, judged, started

# the detail
from tests.tui.driving import opened, page, press, said, search


async def test_judging_one_query(unjudged: Workspace, lab: Lab) -> None:
    async with opened(unjudged) as (pilot, _):
        await at(pilot, GRADES)
        await press(pilot, "1")
        await press(pilot, "g", "enter")
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        await press(pilot, "R")
        assert isinstance(pilot.app.screen, PlanDialog)
        assert "2 calls" in page(pilot)
        assert "1 query of the filter" not in page(pilot)
        await press(pilot, "enter")
        await judged(pilot)
        assert len(lab.model.asked) == 2
        assert detail.is_current
        await press(pilot, "R")
        assert said(pilot)[-1] == "Everything is judged already."


async def test_verdicts_appear_beside_what_was_retrieved(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, screen):
        position = screen.listed.position_of("q01") if screen.listed is not None else None
        assert position is not None
        screen.table.move_to(position)
        await press(pilot, "enter")
        assert "judge -" not in page(pilot)
        await press(pilot, "f7", "enter")
        await judged(pilot)
        assert "judge -" in page(pilot)
        assert "by id-overlap 1" in page(pilot)
        # seen in the list, too
        await press(pilot, "escape")
        assert "ctxP" in page(pilot)


async def test_grades_appear_beside_gold_with_reasons(unjudged: Workspace, lab: Lab) -> None:
    # q01 in its prompt: general#1 without a label, hotel_old#1 with a 0
    lab.model.answer = lambda text: graded(3, "names a cap [/b]") if "450" in text[-200:] else graded(1)
    async with opened(unjudged) as (pilot, screen):
        await started(pilot)
        await judged(pilot)
        await press(pilot, "1")
        position = screen.listed.position_of("q01") if screen.listed is not None else None
        assert position is not None
        screen.table.move_to(position)
        await press(pilot, "enter")
        shown = page(pilot)
        assert f"grades by relevance-grade 1 {MODEL}" in shown
        assert "gold 0  judge 3 DIFFER" in shown
        assert "judge: names a cap [/b]" in shown
        assert "gold ?  judge 1" in shown
        await press(pilot, "escape")
        # filters of the list know them
        await search(pilot, screen, "judge:differs")
        assert "q01" in page(pilot)


async def test_verdicts_are_shared_by_the_run_beside(unjudged: Workspace) -> None:
    async with opened(unjudged, (200, 50)) as (pilot, screen):
        await press(pilot, "5", "enter")
        await judged(pilot)
        await press(pilot, "1")
        position = screen.listed.position_of("q05") if screen.listed is not None else None
        assert position is not None
        screen.table.move_to(position)
        await press(pilot, "enter", "d", "enter")
        # taxi#1 was judged for e5-small, and bm25 has it at its top
        assert page(pilot).count("judge +") == 2


async def test_a_query_without_answer_has_nothing_to_judge(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, screen):
        await search(pilot, screen, "is:no-answer")
        await press(pilot, "enter", "R")
        assert isinstance(pilot.app.screen, DetailScreen)
        assert said(pilot)[-1] == "Nothing to judge in this query: 1 has no answer and is left out"
