"""Screen 5: choosing a judge, its model and its plan."""

from __future__ import annotations

from ragtui.endpoint import ModelFacts
from ragtui.tui.app import RagtuiApp
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.screens.plan import PlanDialog
from ragtui.tui.screens.queries import QueriesScreen
from ragtui.workspace import Workspace
from tests.tui.asked import GRADES, MODEL, Lab, at, judged

# without model or key
from tests.tui.driving import lines, opened, page, press, row_of, said, search
from tests.tui.verdicts import record_rule


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
