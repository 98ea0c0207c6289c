"""Judging as a whole: what is asked, what is kept, and what happens when something goes wrong."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragtui.endpoint import EndpointBusy, EndpointUnusable, ModelFacts, RequestFailed
from ragtui.errors import RagtuiError
from ragtui.judging import runner, table
from ragtui.judging.cache import ReplyCache, open_cache
from ragtui.judging.folder import with_digest
from ragtui.judging.model import Judge
from ragtui.judging.plan import Asker, Plan, make_plan
from ragtui.judging.progress import Progress
from ragtui.judging.runner import Judging
from ragtui.judging.selection import Selected
from tests.unit.judging.scripted import JUDGE, ScriptedModel, completion, queries, useful

MODEL = "openai/m"
PRICED = ModelFacts(window=1000, price_in=0.0001, price_out=0.0001)


class Bench:
    """One folder of verdicts and one cache, judged over and over."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "verdicts"
        self.cache: ReplyCache = open_cache(folder / "replies")
        self.model = ScriptedModel()
        self.seen: list[Progress] = []

    def plan(
        self, selected: Sequence[Selected], judge: Judge = JUDGE, name: str = MODEL, **options: Any
    ) -> Plan:
        facts = options.pop("facts", ModelFacts())
        known = table.read([self.folder], judge, name).frame
        return make_plan(
            Asker(judge, name), selected, table=known, cache=self.cache, facts=lambda: facts, **options
        )

    def judging(self, plan: Plan, **options: Any) -> Judging:
        watch = options.pop("watch", self.seen.append)
        return Judging(plan, self.folder, model=self.model, cache=self.cache, watch=watch, **options)

    def judge(
        self, selected: Sequence[Selected], judge: Judge = JUDGE, name: str = MODEL, **options: Any
    ) -> Progress:
        return self.judging(self.plan(selected, judge, name, **options)).run()

    def calls(self, *arguments: Any, **options: Any) -> int:
        before = len(self.model.asked)
        self.judge(*arguments, **options)
        return len(self.model.asked) - before

    def verdicts(self, judge: Judge = JUDGE, name: str = MODEL) -> list[dict[str, Any]]:
        return table.read([self.folder], judge, name).frame.to_dict("records")  # type: ignore[return-value]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.cache.close()


def changed(query: Selected, place: int, context: str) -> Selected:
    items = list(query.items)
    items[place] = replace(items[place], context=context)
    return replace(query, items=tuple(items))


def test_calls_of_a_run_and_of_what_comes_after(bench: Bench) -> None:
    """A second run asks nothing; another model, prompt, text or repeat does."""
    (query,) = queries(1)
    bench.model.answer = lambda text: useful("text 0 0" in text)
    other_prompt = with_digest(replace(JUDGE, prompts={"en": "[user]\n{query}?\n{context}\n"}))
    counts = [
        bench.calls([query]),
        bench.calls([query]),
        bench.calls([query], name="openai/n"),
        bench.calls([query], other_prompt),
        bench.calls([changed(query, 1, "text 0 1.")]),
        bench.calls([query], repeats=(1, 2)),
        bench.calls([query], repeats=(1, 2)),
    ]
    assert counts == [3, 0, 3, 3, 1, 6, 0]
    assert [row["value"] for row in bench.verdicts()[:3]] == [1, 0, 0]


def test_without_its_table_a_second_run_is_served_by_the_cache(bench: Bench, tmp_path: Path) -> None:
    bench.judge(queries(2))
    bench.folder = tmp_path / "elsewhere"
    progress = bench.judge(queries(2))
    assert len(bench.model.asked) == 6
    assert (progress.calls, progress.cached, progress.done, progress.cost) == (0, 6, 6, 0.0)
    assert {row["cached"] for row in bench.verdicts()} == {True}
    assert {row["value"] for row in bench.verdicts()} == {1.0}
    assert bench.judge(queries(2)).cached == 6


def test_a_verdict_holds_what_the_reply_cost(bench: Bench) -> None:
    progress = bench.judge(queries(1, 1))
    (row,) = bench.verdicts()
    assert (row["status"], row["reason"], row["judge"], row["model"]) == (
        "ok",
        "because",
        "usefulness",
        MODEL,
    )
    assert (row["tokens_in"], row["tokens_out"], row["cost"], row["latency_ms"]) == (100, 20, 0.01, 250)
    assert (progress.state, progress.calls, progress.tokens_in, progress.tokens_out) == ("done", 1, 100, 20)
    assert progress.cost == pytest.approx(0.01)


def test_a_call_without_a_price_makes_the_sum_unknown(bench: Bench) -> None:
    bench.model.script = [completion(useful(), cost=None)]
    assert bench.judge(queries(1)).cost is None


def test_what_got_no_answer_may_cost_something_all_the_same(bench: Bench) -> None:
    bench.model.answer = lambda _: RequestFailed("endpoint.timeout", model="m", n=2)
    progress = bench.judge(queries(1))
    assert (progress.calls, progress.failed, progress.cost) == (0, progress.total, None)


def test_all_contexts_are_asked_at_once_and_never_more_than_allowed(bench: Bench) -> None:
    bench.model.together = 5
    bench.judging(bench.plan(queries(4, 5)), concurrency=5).run()
    assert bench.model.most_in_flight == 5


def test_identical_questions_under_way_are_asked_once(bench: Bench) -> None:
    (query,) = queries(1, 1)
    twins = [replace(query.items[0], chunk_id=f"copy{n}") for n in range(4)]
    bench.model.together = 1
    progress = bench.judge([replace(query, items=tuple(twins))])
    assert len(bench.model.asked) == 1
    assert [row["chunk_id"] for row in bench.verdicts()] == ["copy0", "copy1", "copy2", "copy3"]
    assert (progress.calls, progress.cached, progress.done) == (1, 3, 4)


@pytest.mark.parametrize("first", ["Hard to tell.", '{"verdict": 7}', "", '{"verdict": 1, "verdict": 0}'])
def test_what_was_not_understood_is_asked_once_more(bench: Bench, first: str) -> None:
    bench.model.script = [first]
    progress = bench.judge(queries(1, 1))
    (row,) = bench.verdicts()
    assert (row["status"], row["value"], row["tokens_in"], row["cost"]) == ("ok", 1.0, 200, 0.02)
    assert (progress.calls, progress.failed) == (2, 0)


def test_what_is_not_understood_twice_is_a_failure_and_is_asked_anew(
    bench: Bench,
) -> None:
    bench.model.answer = lambda _: "8/10"
    progress = bench.judge(queries(1, 2))
    assert progress.failed == 2
    assert [(row["status"] != "ok", row["raw"]) for row in bench.verdicts()] == [(True, "8/10")] * 2
    assert bench.cache.keys() == []
    bench.model.answer = lambda _: useful()
    assert bench.calls(queries(1, 2)) == 2
    assert {row["status"] for row in bench.verdicts()} == {"ok"}


def test_a_reply_that_went_round_in_a_circle_gets_no_more_room(bench: Bench) -> None:
    bench.model.script = [completion('{"reason": "' + "not above 300, " * 30, "length")]
    progress = bench.judge(queries(1, 1))
    assert (progress.calls, dict(progress.failures)) == (1, {"truncated": 1})


def test_a_reply_that_was_cut_off_gets_more_room_once(bench: Bench) -> None:
    bench.model.script = [completion('{"reason": "it goes on', "length")]
    bench.judge(queries(1, 1))
    assert [asked["sampling"]["max_tokens"] for asked in bench.model.asked] == [100, 400]
    assert bench.verdicts()[0]["status"] == "ok"
    assert bench.calls(queries(1, 1)) == 0


def test_a_refusal_is_not_asked_again(bench: Bench) -> None:
    bench.model.answer = lambda _: "I'm sorry, but I can't help with that."
    bench.judge(queries(1, 1))
    assert len(bench.model.asked) == 1
    assert bench.verdicts()[0]["status"] == "refused"


@pytest.mark.parametrize(
    ("kind", "status"),
    [("timeout", "timeout"), ("server-error", "error"), ("content-policy", "refused"), ("too-long", "error")],
)
def test_a_request_that_failed_is_a_failure_of_its_kind_and_the_rest_goes_on(
    bench: Bench, kind: str, status: str
) -> None:
    bench.model.script = [RequestFailed(f"endpoint.{kind}", model="m", detail="because", n=2, wait=0)]
    progress = bench.judging(bench.plan(queries(1, 3)), concurrency=1).run()
    assert (progress.state, progress.failures, progress.done) == ("done", {status: 1}, 3)
    failed, *rest = bench.verdicts()
    assert (failed["status"], failed["value"] != failed["value"]) == (status, True)
    assert [row["status"] for row in rest] == ["ok", "ok"]


def test_only_what_failed_is_asked_on_request(bench: Bench) -> None:
    bench.model.answer = lambda text: "?" if "text 0 1" in text else useful()
    bench.judge(queries(1))
    plan = bench.plan(queries(3), only_failed=True)
    assert [work.item.context for work in plan.to_ask] == ["text 0 1"]


def test_an_endpoint_that_is_of_no_use_stops_the_run_and_what_is_there_is_kept(bench: Bench) -> None:
    bench.model.script = [useful(), useful(), EndpointUnusable("endpoint.quota", model="m", detail="empty")]
    progress = bench.judging(bench.plan(queries(4)), concurrency=1).run()
    assert (progress.state, progress.done, len(bench.model.asked)) == ("stopped", 2, 3)
    assert "quota" in progress.why
    assert bench.calls(queries(4)) == 10


def test_a_server_that_asks_for_a_long_wait_pauses_the_run(bench: Bench) -> None:
    busy = EndpointBusy("endpoint.rate-limited", model="m", detail="", n=1, wait=3600)
    bench.model.script = [useful(), busy]
    paused: list[Progress] = []

    def watch(progress: Progress) -> None:
        if progress.state == "paused":
            paused.append(progress)
            judging.resume()

    judging = bench.judging(bench.plan(queries(2)), watch=watch, concurrency=1)
    progress = judging.run()
    assert "3600" in paused[0].why
    assert (progress.state, progress.done, len(bench.model.asked)) == ("done", 6, 7)


def test_a_pause_asks_nothing_new(bench: Bench) -> None:
    rested = threading.Event()

    def watch(progress: Progress) -> None:
        if progress.state == "paused":
            rested.set()
        elif progress.done == 2 and not rested.is_set():
            judging.pause()

    judging = bench.judging(bench.plan(queries(10)), watch=watch, concurrency=1)
    thread = threading.Thread(target=judging.run)
    thread.start()
    assert rested.wait(10)
    asked = len(bench.model.asked)
    assert asked <= 4
    judging.resume()
    thread.join(10)
    assert judging.progress.done == 30


def test_cancelling_keeps_what_is_there(bench: Bench) -> None:
    def watch(progress: Progress) -> None:
        if progress.done >= 5:
            judging.cancel()

    judging = bench.judging(bench.plan(queries(10)), watch=watch)
    progress = judging.run()
    assert progress.state == "cancelled"
    assert 5 <= progress.done < 30
    assert len(bench.verdicts()) == progress.done
    assert bench.calls(queries(10)) == 30 - progress.done
    assert bench.model.closed == 2


def test_a_limit_of_cost_is_not_passed(bench: Bench) -> None:
    plan = bench.plan(queries(4), facts=PRICED)
    price = plan.cost_of_a_call
    assert price is not None
    assert plan.cost == pytest.approx(12 * price)
    bench.model.answer = lambda _: completion(useful(), cost=price)
    progress = bench.judging(plan, max_cost=5.5 * price).run()
    assert (progress.state, progress.calls) == ("stopped", 5)
    assert f"{5.5 * price:g}" in progress.why
    assert progress.cost == pytest.approx(5 * price)


def test_a_limit_of_cost_without_a_price_is_refused(bench: Bench) -> None:
    with pytest.raises(RagtuiError) as caught:
        bench.judging(bench.plan(queries(1)), max_cost=1.0)
    assert caught.value.key == "judging.no-price"


def test_a_disk_that_is_full_ends_the_run_and_says_so(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise RagtuiError("judging.verdicts-unwritable", where="disk", why="No space left on device")

    plan = bench.plan(queries(4))
    monkeypatch.setattr(table, "append", full)
    with pytest.raises(RagtuiError) as caught:
        bench.judging(plan).run()
    assert "No space left" in str(caught.value)
    assert bench.model.closed == 1
    monkeypatch.undo()
    # what was paid for is in the cache all the same
    assert len(bench.cache.keys()) == len(bench.model.asked)


def test_what_lacks_a_text_and_what_is_too_long_is_not_asked(bench: Bench) -> None:
    (query,) = queries(1)
    query = changed(changed(query, 0, "  "), 1, "long " * 2000)
    plan = bench.plan([query], facts=PRICED)
    assert [len(works) for works in (plan.free, plan.too_long, plan.to_ask)] == [1, 1, 1]
    progress = bench.judging(plan).run()
    assert (progress.failures, len(bench.model.asked), progress.done) == ({"skipped": 2}, 1, 3)
    too_long, asked = bench.verdicts()
    assert (too_long["status"], too_long["reason"].split()[0]) == ("skipped", "too-long")
    assert asked["status"] == "ok"


def test_rules_need_neither_model_nor_cache(bench: Bench) -> None:
    rule = with_digest(
        Judge("id-overlap", "1", "context", "rule", (0.0, 1.0), defaults={"rule": "id-overlap"})
    )
    (query,) = queries(1)
    items = tuple(replace(item, gold=(("c1", "x"),)) for item in query.items)
    selected = [replace(query, items=items)]
    known = table.read([bench.folder], rule, "").frame
    plan = make_plan(Asker(rule), selected, table=known, cache=None, facts=ModelFacts)
    assert Judging(plan, bench.folder).run().done == 3
    assert [row["value"] for row in bench.verdicts(rule, "")] == [0, 1, 0]
    known = table.read([bench.folder], rule, "").frame
    assert make_plan(Asker(rule), selected, table=known, cache=None, facts=ModelFacts).known == 3


def test_progress_is_told_from_the_start_to_the_end_and_never_goes_back(bench: Bench) -> None:
    bench.judge(queries(3))
    assert (bench.seen[0].done, bench.seen[0].total, bench.seen[0].state) == (0, 9, "running")
    assert (bench.seen[-1].done, bench.seen[-1].state) == (9, "done")
    assert [progress.done for progress in bench.seen] == sorted(progress.done for progress in bench.seen)


def test_many_verdicts_are_read_from_the_cache_in_blocks(bench: Bench, tmp_path: Path) -> None:
    many = queries(runner._BATCH // 4, 5)
    bench.judge(many)
    bench.folder = tmp_path / "elsewhere"
    progress = bench.judge(many)
    assert (progress.cached, progress.calls) == (len(many) * 5, 0)
    assert len(bench.verdicts()) == len(many) * 5
