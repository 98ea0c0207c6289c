"""Screen 5: choosing a judge, its plan, the run and what comes of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ragtui.endpoint import EndpointBusy, EndpointUnusable, ModelFacts, RequestFailed
from ragtui.tui.app import RagtuiApp
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.detail import DetailScreen
from ragtui.tui.screens.judges import JudgesScreen
from ragtui.tui.screens.plan import PlanDialog
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.tui.screens.quitting import QuitDialog
from ragtui.tui.screens.start import StartScreen
from ragtui.tui.widgets.footer import KeyFooter
from ragtui.workspace import Workspace
from tests.tui.asked import MODEL, Lab, graded, job_of, judged
from tests.tui.driving import lines, opened, page, press, row_of, said, search, settled
from tests.tui.verdicts import record_rule

GRADES = "relevance-grade"
CALLS = 16
"""Two chunks went into the prompt of each of the eight queries that have an answer."""


async def at(pilot: Pilot[None], judge: str) -> JudgesScreen:
    """Screen 5 with the cursor on a judge."""
    await press(pilot, "5")
    screen = pilot.app.screen
    assert isinstance(screen, JudgesScreen)
    place = next(n for n, line in enumerate(screen.lines) if line.judge.name == judge)
    await press(pilot, "g", *["j"] * place)
    assert screen.line is not None
    assert screen.line.judge.name == judge
    return screen


async def started(pilot: Pilot[None], judge: str = GRADES) -> JudgesScreen:
    """Judging is under way, after its plan."""
    screen = await at(pilot, judge)
    await press(pilot, "enter")
    assert isinstance(pilot.app.screen, PlanDialog)
    await pilot.press("enter")
    await pilot.pause()
    return screen


# without model or key


async def test_a_rule_judges_at_once_without_model_or_key(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, _):
        assert "no judge yet · 5" in lines(pilot)[1]
        await press(pilot, "5")
        assert "[5 Judges]" in lines(pilot)[1]
        assert "id-overlap 1" in page(pilot)
        assert "no calls   16 need no model   2 have no answer and are left out" in page(pilot)
        await press(pilot, "enter")
        job = await judged(pilot)
        assert (job.progress.state, job.progress.done, job.progress.calls) == ("done", 16, 0)
        assert said(pilot) == ["id-overlap 1: 16 of 16 judged, none failed."]
        assert "16 verdicts are there   everything is judged" in page(pilot)
        # gold at rank 1 of q04, q05, q07 and q08, at rank 2 of q06; the other three find nothing
        assert "context_precision@3     .56" in page(pilot)
        await press(pilot, "1")
        assert isinstance(pilot.app.screen, QueriesScreen)
        assert "no judge yet" not in page(pilot)
        assert row_of(pilot, "q06").endswith(".50")


async def test_a_second_time_nothing_is_left_to_do(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, _):
        await press(pilot, "5", "enter")
        await judged(pilot)
        await press(pilot, "enter")
        assert said(pilot)[-1] == "Everything is judged already."


async def test_a_judge_that_needs_a_model_says_what_was_looked_for(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, _):
        await at(pilot, GRADES)
        shown = page(pilot)
        assert "relevance-grade asks a language model, and none is chosen." in shown
        assert "RAGTUI_JUDGE_MODEL" in shown
        assert "settings.toml" in shown
        assert "Without one: id-overlap, string-similarity." in shown
        await press(pilot, "enter")
        assert said(pilot) == ["This judge asks a model, and none is chosen: m chooses one."]


async def test_a_model_is_chosen_and_remembered(unjudged: Workspace, lab: Lab) -> None:
    async with opened(unjudged) as (pilot, _):
        await press(pilot, "5", "m")
        assert isinstance(pilot.app.screen, ChooseDialog)
        assert [choice.label for choice in pilot.app.screen.menu.choices] == [
            MODEL,
            "another model ..",
            "a server of your own ..",
            "a local model ..",
        ]
        await press(pilot, "3", *"8000/v1", "enter", *"qwen", "enter")
        screen = await at(pilot, GRADES)
        assert screen.line is not None
        assert screen.line.model == "openai/qwen"
        assert (lab.opened[-1].model, lab.opened[-1].api_base) == ("openai/qwen", "http://127.0.0.1:8000/v1")
        await press(pilot, "q", "q")
    assert unjudged.load_view().judge_model == "openai/qwen"
    assert unjudged.load_view().judge_api_base == "http://127.0.0.1:8000/v1"


async def test_a_password_in_an_address_is_not_kept(unjudged: Workspace, lab: Lab) -> None:
    async with opened(unjudged) as (pilot, _):
        assert isinstance(pilot.app, RagtuiApp)
        pilot.app.session.desk.choose_model("openai/qwen", "http://me:secret-word@127.0.0.1:1/v1?key=k")
        await at(pilot, GRADES)
        assert lab.opened[-1].api_base == "http://me:secret-word@127.0.0.1:1/v1?key=k"
        assert "secret" not in page(pilot)
        await press(pilot, "q", "q")
    assert unjudged.load_view().judge_api_base == "http://127.0.0.1:1/v1"


async def test_a_missing_key_is_named_before_anything_is_asked(unjudged: Workspace, lab: Lab) -> None:
    lab.missing = ("LAB_API_KEY",)
    async with opened(unjudged) as (pilot, _):
        await at(pilot, GRADES)
        assert "No key: looked for LAB_API_KEY." in page(pilot)
        assert lab.model.asked == []


async def test_a_local_model_is_loaded_only_when_that_is_wished(unjudged: Workspace, lab: Lab) -> None:
    async with opened(unjudged) as (pilot, _):
        await press(pilot, "5", "m", "4", *"/m/tiny.gguf", "enter")
        screen = await at(pilot, GRADES)
        assert screen.line is not None
        assert screen.line.model == "local:tiny"
        assert "enter loads local:/m/tiny.gguf and makes the plan" in page(pilot)
        assert lab.opened == []
        await press(pilot, "enter")
        assert [wishes.model for wishes in lab.opened] == ["local:/m/tiny.gguf"]
        assert isinstance(pilot.app.screen, PlanDialog)


# the plan


async def test_the_plan_comes_first(unjudged: Workspace, lab: Lab) -> None:
    async with opened(unjudged) as (pilot, _):
        await at(pilot, GRADES)
        shown = page(pilot)
        assert "e5-small, first 3 of the stage prompt, 10 queries" in shown
        assert "16 calls" in shown
        assert "tokens in, 1,920 out" in shown  # 120 a reply, where none is there to learn from
        await press(pilot, "enter")
        dialog = page(pilot)
        assert "relevance-grade 1 lab/grader" in dialog
        assert "enter asks" in dialog
        await press(pilot, "escape")
        assert lab.model.asked == []


async def test_an_unknown_price_is_no_zero(unjudged: Workspace, lab: Lab) -> None:
    lab.facts = ModelFacts(window=8000)
    async with opened(unjudged) as (pilot, _):
        await at(pilot, GRADES)
        assert "cost unknown" in page(pilot)
        assert "$" not in page(pilot)


async def test_what_is_too_long_is_counted_and_not_asked(unjudged: Workspace, lab: Lab) -> None:
    lab.facts = ModelFacts(window=10)
    async with opened(unjudged) as (pilot, _):
        await at(pilot, GRADES)
        assert "16 too long for the window of 10 tokens, not asked" in page(pilot)
        await press(pilot, "enter")
        job = await judged(pilot)
        assert job.progress.failures == {"skipped": 16}
        assert lab.model.asked == []


async def test_only_the_queries_of_the_filter(unjudged: Workspace, lab: Lab) -> None:
    async with opened(unjudged) as (pilot, screen):
        await search(pilot, screen, "type:mixed-language")
        await at(pilot, GRADES)
        assert "16 calls" in page(pilot)
        await press(pilot, "F")
        assert said(pilot) == ["Judging the 2 queries of the filter."]
        assert "2 queries of the filter" in page(pilot)
        assert "4 calls" in page(pilot)
        await press(pilot, "F")
        assert "16 calls" in page(pilot)


async def test_no_mean_under_a_filter_on_an_outcome(unjudged: Workspace) -> None:
    record_rule(unjudged)
    async with opened(unjudged) as (pilot, screen):
        await search(pilot, screen, "hit@3:0")
        await press(pilot, "5", "F")
        assert "no mean under a filter on an outcome" in page(pilot)


async def test_without_a_filter_that_is_said(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, _):
        await press(pilot, "5", "F")
        assert said(pilot) == ["The list of queries has no filter; all are judged."]


# the run


async def test_progress_is_seen_on_every_screen(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 5
    async with opened(unjudged) as (pilot, queries):
        screen = await started(pilot)
        for _ in range(6):
            lab.model.arrived.acquire(timeout=10)
        await until(pilot, lambda: job_of(pilot).progress.done == 5)
        assert "judging" in page(pilot)
        assert "5/16" in page(pilot)
        assert "spent $0.05" in page(pilot)
        # leaving the screen does not stop it
        await press(pilot, "1", "enter")
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        assert "judging 5/16" in lines(pilot)[-1]
        assert len(detail.query_one(KeyFooter).judging) <= 30
        await press(pilot, "escape")
        assert "judging 5/16" in lines(pilot)[-1]
        assert not screen.is_current
        lab.model.gate.set()
        job = await judged(pilot)
        assert (job.progress.state, job.progress.done) == ("done", 16)
        assert queries.is_current
        assert said(pilot) == [f"relevance-grade 1 {MODEL}: 16 of 16 judged, none failed."]
        assert "judging" not in lines(pilot)[-1]
        await press(pilot, "5")
        assert "mean_grade@3" in page(pilot)


async def test_pause_and_go_on(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 5
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 5)
        await press(pilot, "p")
        assert job_of(pilot).is_paused
        assert "paused" in page(pilot)
        lab.model.gate.set()
        # what was under way is waited for, and nothing new is asked
        await until(pilot, lambda: job_of(pilot).progress.done == 7)
        assert len(lab.model.asked) == 7
        await press(pilot, "f9")
        job = await judged(pilot)
        assert (job.progress.state, job.progress.done) == ("done", 16)


async def test_cancel_keeps_what_is_done_and_enter_goes_on(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 5
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 5)
        await pilot.press("c")
        job = await judged(pilot)
        assert (job.progress.state, job.progress.done) == ("cancelled", 5)
        assert "5 of 16 are done and kept. enter goes on where it stopped." in page(pilot)
        assert "11 calls" in page(pilot)
        lab.model.gate.set()
        await press(pilot, "enter", "enter")
        job = await judged(pilot)
        assert (job.progress.state, job.progress.calls) == ("done", 11)
        assert len(lab.model.asked) == 16


async def test_cancelled_before_it_began(unjudged: Workspace, lab: Lab) -> None:
    async with opened(unjudged) as (pilot, _):
        await at(pilot, GRADES)
        await press(pilot, "enter")
        await pilot.press("enter")
        job_of(pilot).cancel()
        job = await judged(pilot)
        assert job.progress.state in {"cancelled", "done"}


async def test_one_job_at_a_time(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 0
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await pilot.press("enter")
        await press(pilot, "m")
        assert said(pilot)[-1] == "Judging is under way: one run at a time. 5 shows it."
        assert isinstance(pilot.app.screen, JudgesScreen)
        lab.model.gate.set()
        await judged(pilot)


async def test_failures_are_failures_and_are_asked_again(unjudged: Workspace, lab: Lab) -> None:
    broken = {"一类城市住宿上限每晚 450 元": "no json", "Receipts above": "I cannot help with that."}
    lab.model.answer = lambda text: next((s for part, s in broken.items() if part in text[-400:]), graded(3))
    async with opened(unjudged) as (pilot, _):
        screen = await started(pilot)
        await judged(pilot)
        shown = page(pilot)
        assert "failed:" in shown
        assert "not understood" in shown
        # the mean is over the queries that could be scored, and says where it could lie
        assert screen.standing is not None
        score = screen.standing.scores.scores["mean_grade@3"]
        assert score.lowest is not None
        assert score.highest is not None
        assert score.lowest < score.highest
        assert screen.disputes is not None
        first = screen.disputes.row(0)
        assert first["status"] == "parse-error"
        assert first["value"] != first["value"]
        assert first["raw"] == "no json"
        failed = screen.disputes.failed
        assert f"failed: {failed}" in shown
        await press(pilot, "tab")
        assert "no json" in page(pilot)
        # the raw reply is what is copied
        await press(pilot, "y")
        assert pilot.app.clipboard == "no json"
        broken.clear()
        before = len(lab.model.asked)
        await press(pilot, "escape", "!")
        assert f"{failed} calls" in page(pilot)
        await press(pilot, "enter")
        await judged(pilot)
        assert len(lab.model.asked) - before == failed
        assert screen.disputes.failed == 0


async def test_what_makes_every_call_fail_stops_and_says_so(unjudged: Workspace, lab: Lab) -> None:
    lab.model.answer = lambda _: EndpointUnusable("endpoint.unknown-model", model=MODEL, detail="404")
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        job = await judged(pilot)
        assert job.progress.state == "stopped"
        assert "does not know the model" in page(pilot)
        assert "does not know the model" in said(pilot)[-1]


async def test_a_server_that_asks_for_a_long_wait_pauses(unjudged: Workspace, lab: Lab) -> None:
    busy = EndpointBusy("endpoint.rate-limited", model=MODEL, detail="slow down", n=1, wait=3600)
    lab.model.script = [graded(3), busy, busy]
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.state == "paused")
        pilot.app.screen.refresh()
        await press(pilot)
        assert "paused" in page(pilot)
        lab.model.script = []
        await press(pilot, "p")
        job = await judged(pilot)
        assert job.progress.state == "done"


async def test_a_single_failed_request_leaves_the_others(unjudged: Workspace, lab: Lab) -> None:
    lab.model.script = [
        RequestFailed("endpoint.server-error", model=MODEL, detail="500 oops", n=3) for _ in "x"
    ]
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        job = await judged(pilot)
        assert job.progress.failures == {"error": 1}
        assert "endpoint failed 1" in page(pilot)


async def test_a_folder_that_cannot_be_written_is_said(
    unjudged: Workspace, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ragtui import atomic

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic, "append_lines", full)
    async with opened(unjudged) as (pilot, _):
        await press(pilot, "5", "enter")
        job = await judged(pilot)
        assert job.progress.state == "stopped"
        assert "No space left on device" in said(pilot)[-1]
        assert "stopped" in page(pilot)


# quitting


async def test_quitting_asks_and_keeps_all(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 5
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 5)
        await press(pilot, "1", "q")
        assert isinstance(pilot.app.screen, QuitDialog)
        assert "5 of 16 are done. Quitting stops the rest" in " ".join(page(pilot).split())
        await press(pilot, "escape")
        assert job_of(pilot).progress.state == "running"
        await press(pilot, "q", "enter")
        await settled(pilot)
        job = job_of(pilot)
        assert job.progress.state == "cancelled"
        assert not pilot.app.is_running or pilot.app._exit
    again = Workspace(unjudged.set, state=unjudged.state_folder)
    asker = again.judgments.asker(GRADES, MODEL)
    assert len(again.judgments.table(asker)) == 5


async def test_quitting_at_once_stops_cleanly(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 3
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 3)
        await pilot.press("ctrl+q")
        await settled(pilot)
        assert job_of(pilot).is_over


async def test_the_last_words_say_what_is_kept(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 3
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 3)
        await pilot.press("ctrl+q")
        await settled(pilot)
        shown = [str(line) for line in pilot.app._exit_renderables]
        assert shown == [
            "Judging stopped: 3 of 16 are done and kept. The same judging goes on where it stopped."
        ]


async def test_leaving_the_set_asks_too(unjudged: Workspace, lab: Lab) -> None:
    lab.model.free = 3
    app = RagtuiApp(None)
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot)
        app.enter(unjudged)
        await settled(pilot)
        await started(pilot)
        await until(pilot, lambda: job_of(pilot).progress.done == 3)
        job = job_of(pilot)
        await press(pilot, "1", "q")
        assert isinstance(app.screen, QuitDialog)
        await press(pilot, "enter")
        await settled(pilot)
        assert job.progress.state == "cancelled"
        assert isinstance(app.screen, StartScreen)


async def test_a_fault_of_ours_ends_the_job_and_not_the_app(unjudged: Workspace, lab: Lab) -> None:
    def broken(_: str) -> str:
        raise ZeroDivisionError("what nobody thought of")

    lab.model.answer = broken
    async with opened(unjudged) as (pilot, _):
        await started(pilot)
        job = await judged(pilot)
        assert job.progress.state == "stopped"
        assert "what nobody thought of" in page(pilot)


# the detail


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


# the card, and what needs a person


async def test_the_chosen_judge_speaks_in_list_and_detail(recorded: Workspace) -> None:
    async with opened(recorded) as (pilot, screen):
        assert screen.listed is not None
        table = screen.listed.facts.table.judged
        assert table is not None
        assert table.judges["context_precision"].name == "context-precision"
        await at(pilot, "id-overlap")
        await press(pilot, "enter")
        await judged(pilot)
        await press(pilot, "1")
        table = screen.listed.facts.table.judged
        assert table is not None
        assert table.judges["context_precision"].name == "id-overlap"
        # and back, by choosing the line of the other one
        await at(pilot, "context-precision")
        await press(pilot, "1")
        table = screen.listed.facts.table.judged
        assert table is not None
        assert table.judges["context_precision"].name == "context-precision"


async def test_measuring_a_rule(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, _):
        screen = await at(pilot, "string-similarity")
        assert "unmeasured" in page(pilot)
        assert "ragtui judge" in page(pilot)
        await press(pilot, "M")
        await judged(pilot)
        # as the command line says of its 168 pairs: kappa 0.667 [0.558, 0.773]
        assert said(pilot) == ["string-similarity 1: kappa .67 [.56, .77] n=168"]
        assert "kappa .67" in page(pilot)
        assert screen.line is not None
        assert screen.line.card is not None
        assert screen.line.card.agreement.confusion.tolist() == [[84, 0], [28, 56]]
        # measured for all sets, and remembered
        await press(pilot, "M")
        assert said(pilot)[-1] == "Everything is judged already."


async def test_a_disagreement_opens_the_detail_at_its_chunk(unjudged: Workspace, lab: Lab) -> None:
    async with opened(unjudged) as (pilot, _):
        screen = await started(pilot)
        await judged(pilot)
        # all get a 3; the furthest from it stand first
        assert screen.disputes is not None
        assert screen.disputes.differ > 0
        first = screen.disputes.row(0)
        assert abs(first["value"] - first["label"]) == 3
        await press(pilot, "tab", "enter")
        detail = pilot.app.screen
        assert isinstance(detail, DetailScreen)
        assert detail.query_id == first["query_id"]
        assert detail.pane.card is not None
        assert detail.pane.card.name == first["chunk_id"]
        await press(pilot, "escape", "Y")
        assert json.loads(pilot.app.clipboard)["chunk_id"] == first["chunk_id"]


async def test_disagreements_are_exported(
    unjudged: Workspace, lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(unjudged) as (pilot, _):
        screen = await started(pilot)
        await judged(pilot)
        await press(pilot, "x", "2")
        rows = (tmp_path / "travel-disputes.jsonl").read_text(encoding="utf-8").splitlines()
        assert screen.disputes is not None
        assert len(rows) == len(screen.disputes)


async def test_where_no_query_has_a_reference_that_is_counted(travel: Workspace, lab: Lab) -> None:
    async with opened(travel) as (pilot, _):
        await at(pilot, "claim-coverage")
        assert "8 have no reference and are skipped" in " ".join(page(pilot).split())
        assert "nothing to judge" in page(pilot)
        await press(pilot, "enter")
        assert "8 have no reference and are skipped" in said(pilot)[-1]


async def test_a_broken_judge_says_why(unjudged: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "travel" / "judges" / "mine"
    folder.mkdir(parents=True)
    (folder / "judge.toml").write_text("name = ", encoding="utf-8")
    async with opened(unjudged) as (pilot, _):
        await press(pilot, "5")
        assert "judge.toml" in page(pilot)
        await press(pilot, "enter", "M", "j", "tab", "R", "x", "y")
        assert isinstance(pilot.app.screen, JudgesScreen)


# getting about


async def test_the_ladder_of_esc(unjudged: Workspace) -> None:
    async with opened(unjudged, (80, 24)) as (pilot, queries):
        await press(pilot, "5", "z", "tab")
        screen = pilot.app.screen
        assert isinstance(screen, JudgesScreen)
        await press(pilot, "escape")
        assert not screen.is_zoomed
        assert screen.has_class("-use-card")
        await press(pilot, "escape")
        assert screen.has_class("-use-judges")
        await press(pilot, "escape")
        assert queries.is_current


async def test_digits_go_to_screens_from_anywhere(unjudged: Workspace) -> None:
    async with opened(unjudged) as (pilot, queries):
        await press(pilot, "enter", "5")
        assert isinstance(pilot.app.screen, JudgesScreen)
        await press(pilot, "5", "1")
        assert queries.is_current
        await press(pilot, "enter", "1")
        assert queries.is_current
        await pilot.click("TabLine", offset=(28, 0))
        await settled(pilot)
        assert isinstance(pilot.app.screen, JudgesScreen)
        await pilot.click("TabLine", offset=(3, 0))
        await settled(pilot)
        assert queries.is_current


async def test_without_letters(unjudged: Workspace, lab: Lab) -> None:
    """The whole loop for hands on an input method: model, plan, start, pause, stop, retry, look."""
    lab.model.free = 5
    async with opened(unjudged) as (pilot, _):
        await press(pilot, "5", "end", "f8", "enter", "enter", "enter")
        await until(pilot, lambda: job_of(pilot).progress.done == 5)
        await press(pilot, "f9", "f9")
        await pilot.press("f10")
        job = await judged(pilot)
        assert job.progress.state == "cancelled"
        lab.model.gate.set()
        await press(pilot, "f7", "enter")
        job = await judged(pilot)
        assert job.progress.state == "done"
        await press(pilot, "tab", "down", "enter")
        assert isinstance(pilot.app.screen, DetailScreen)


async def test_a_set_without_runs_has_nothing_to_judge(without_runs: Workspace) -> None:
    async with opened(without_runs) as (pilot, queries):
        await press(pilot, "5")
        assert queries.is_current
        assert said(pilot) == ["This set has no run yet, so there is nothing to judge."]


async def until(pilot: Pilot[None], holds: object) -> None:
    """Until something holds; looks on while the loops run."""
    assert callable(holds)
    for _ in range(2000):
        if holds():
            break
        await pilot.pause(0.005)
    assert holds()
    app = pilot.app
    assert isinstance(app, RagtuiApp)
    assert app._watch is not None
    app._watch.glance()
    await pilot.pause()
