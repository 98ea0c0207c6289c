"""What is selected of a run, and what judging it would take."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ragtui.endpoint import ModelFacts
from ragtui.errors import RagtuiError
from ragtui.judging.cache import ReplyCache, key_of, open_cache
from ragtui.judging.folder import load_judges, with_digest
from ragtui.judging.lines import frame_of
from ragtui.judging.model import Judge, Reply
from ragtui.judging.plan import Asker, Plan, make_plan, with_more_room
from ragtui.judging.selection import Selected
from ragtui.metrics.tokens import count_tokens
from ragtui.workspace import Workspace
from tests.unit.judging.scripted import JUDGE, queries, useful

MODEL = "openai/m"
ASKER = Asker(JUDGE, MODEL)
EMPTY = frame_of([])

QUERIES = """\
{"_id": "q1", "text": "hotel", "metadata": {"reference": "500. In Shanghai."}}
{"_id": "q2", "text": "meals"}
{"_id": "q3", "text": "moon", "metadata": {"answerable": false}}
{"_id": "q4", "text": "taxi", "metadata": {"reference": "with receipt"}}
{"_id": "q5", "text": "train", "metadata": {"reference": "second class"}}
"""
CORPUS = "".join(f'{{"_id": "c{n}", "text": "text {n}"}}\n' for n in range(6))
GOLD = "query-id\tcorpus-id\tscore\nq1\tc1\t1\nq1\tc9\t1\nq2\tc2\t1\n"
LISTS = {
    "q1": (["c0", "c1", "c0", "c2"], ["c1", "c3"]),
    "q2": (["c0", "gone"], ["c2"]),
    "q3": (["c0"], ["c0"]),
}


def run_lines() -> str:
    lines = [
        {
            "query_id": query_id,
            "results": [{"chunk_id": chunk_id} for chunk_id in final],
            "stages": {"prompt": prompt},
        }
        for query_id, (final, prompt) in LISTS.items()
    ]
    lines.append({"query_id": "q5", "results": [], "error": "timeout"})
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    folder = tmp_path / "set"
    (folder / "qrels").mkdir(parents=True)
    (folder / "runs").mkdir()
    (folder / "queries.jsonl").write_text(QUERIES, encoding="utf-8")
    (folder / "corpus.jsonl").write_text(CORPUS, encoding="utf-8")
    (folder / "qrels" / "dev.tsv").write_text(GOLD, encoding="utf-8")
    (folder / "splits.jsonl").write_text(
        "".join(f'{{"query_id": "q{n}", "split": "dev"}}\n' for n in range(1, 6)), encoding="utf-8"
    )
    (folder / "runs" / "one.jsonl").write_text(run_lines(), encoding="utf-8")
    return Workspace.open(folder)


def selected(workspace: Workspace, name: str, k: int = 5, stage: str | None = None) -> dict[str, Selected]:
    asker = workspace.judgments.asker(name, MODEL)
    return {query.query_id: query for query in workspace.judgments.selected("one", asker, k, stage)}


def test_every_query_of_the_split_is_selected_or_says_why_not(workspace: Workspace) -> None:
    found = selected(workspace, "context-precision")
    states = {query_id: query.state for query_id, query in found.items()}
    assert states == {
        "q1": "judged",
        "q2": "no-reference",
        "q3": "no-answer",
        "q4": "nothing-retrieved",
        "q5": "nothing-retrieved",
    }
    assert {state for query, state in states.items() if found[query].items} == {"judged"}


def test_the_stage_prompt_is_judged_before_the_final_list(workspace: Workspace) -> None:
    assert selected(workspace, "relevance-grade")["q1"].chunk_ids == ("c1", "c3")
    assert selected(workspace, "relevance-grade", k=1)["q1"].chunk_ids == ("c1",)
    with pytest.raises(RagtuiError):
        selected(workspace, "relevance-grade", stage="reranked")


def test_a_list_is_judged_from_the_top_each_chunk_once(workspace: Workspace) -> None:
    run = workspace.run("one")
    final = replace(run, stages={})
    workspace = Workspace(replace(workspace.set, runs={"one": final}))
    assert selected(workspace, "relevance-grade")["q1"].chunk_ids == ("c0", "c1", "c2")
    assert selected(workspace, "relevance-grade", k=2)["q1"].chunk_ids == ("c0", "c1")
    (_, gone) = selected(workspace, "relevance-grade")["q2"].items
    assert (gone.chunk_id, gone.context) == ("gone", "")


def test_items_hold_what_the_judge_needs(workspace: Workspace) -> None:
    (first, _) = selected(workspace, "context-precision")["q1"].items
    assert (first.query, first.context, first.reference) == ("hotel", "text 1", "500. In Shanghai.")
    (whole,) = selected(workspace, "context-recall")["q1"].items
    assert (whole.chunk_id, whole.contexts) == ("", (("c1", "text 1"), ("c3", "text 3")))
    claims = [(item.claim, item.chunk_id) for item in selected(workspace, "claim-coverage")["q1"].items]
    assert claims == [("500.", "c1"), ("500.", "c3"), ("In Shanghai.", "c1"), ("In Shanghai.", "c3")]
    (rule, _) = selected(workspace, "id-overlap")["q1"].items
    assert rule.gold == (("c1", "text 1"), ("c9", ""))


def test_no_more_queries_than_the_limit(workspace: Workspace) -> None:
    asker = workspace.judgments.asker("relevance-grade", MODEL)
    limited = workspace.judgments.selected("one", asker, 5, limit=1)
    assert [query.query_id for query in limited] == ["q1"]
    assert len(workspace.judgments.selected("one", asker, 5, limit=99)) == 5


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ReplyCache]:
    opened = open_cache(tmp_path / "replies")
    yield opened
    opened.close()


def plan(selected: tuple[Selected, ...], cache: ReplyCache | None = None, **facts: float) -> Plan:
    known = ModelFacts(**facts)  # type: ignore[arg-type]
    return make_plan(ASKER, selected, table=EMPTY, cache=cache, facts=lambda: known)


def test_calls_tokens_and_cost(cache: ReplyCache) -> None:
    two = queries(2)
    found = plan(two, cache, price_in=0.001, price_out=0.01)
    assert (found.calls, found.known, len(found.cached)) == (6, 0, 0)
    request = ASKER.request(two[0].items[0], 0)
    assert request is not None
    one = sum(count_tokens(text) for _, text in request.messages)
    assert found.tokens_in == 6 * one
    assert found.cost == pytest.approx(found.tokens_in * 0.001 + found.tokens_out * 0.01)
    assert found.cost_of_a_call == pytest.approx((found.cost or 0) / 6)


def test_an_unknown_price_is_never_zero_and_no_calls_cost_nothing(cache: ReplyCache) -> None:
    assert plan(queries(1), cache, price_in=0.001).cost is None
    assert plan((), cache).cost == 0


def test_what_the_cache_holds_is_not_asked_and_facts_are_not_looked_up_for_it(cache: ReplyCache) -> None:
    (query,) = queries(1)
    keys = [key_of(request) for item in query.items if (request := ASKER.request(item, 0)) is not None]
    cache.put_many({key: (MODEL, Reply(useful())) for key in keys[:2]})
    found = plan((query,), cache)
    assert ([work.key for work in found.cached], [work.key for work in found.to_ask]) == (keys[:2], keys[2:])
    cache.put_many({key: (MODEL, Reply(useful())) for key in keys})

    def unavailable() -> ModelFacts:
        raise AssertionError("nobody needs them")

    assert make_plan(ASKER, (query,), table=EMPTY, cache=cache, facts=unavailable).calls == 0


def test_identical_questions_are_one_call(cache: ReplyCache) -> None:
    (query,) = queries(1, 1)
    twin = replace(query.items[0], chunk_id="copy")
    found = plan((replace(query, items=(query.items[0], twin)),), cache)
    assert (found.calls, len(found.to_ask)) == (1, 2)


def test_what_is_longer_than_the_window_is_not_asked(cache: ReplyCache) -> None:
    (query,) = queries(1, 2)
    long = replace(query.items[1], context="长" * 500)
    found = plan((replace(query, items=(query.items[0], long)),), cache, window=400)
    assert [work.item for work in found.too_long] == [long]
    assert (found.calls, found.window) == (1, 400)


def test_more_room_for_a_reply() -> None:
    request = ASKER.request(queries(1)[0].items[0], 0)
    assert request is not None
    assert with_more_room(request).sampling["max_tokens"] == 400
    unlimited = replace(request, sampling={"temperature": 0})
    assert with_more_room(unlimited).sampling == {"temperature": 0, "max_tokens": 4096}


def test_a_judge_of_many_contexts_at_once_asks_once() -> None:
    together = with_digest(replace(JUDGE, prompts={"en": "[user]\n{query}\n{contexts}\n"}))
    (query,) = queries(1)
    item = replace(query.items[0], chunk_id="", context="", contexts=(("c0", "a"), ("c1", "b")))
    found = make_plan(
        Asker(together, MODEL), [replace(query, items=(item,))], table=EMPTY, cache=None, facts=ModelFacts
    )
    assert found.calls == 1


@pytest.mark.parametrize("name", ["id-overlap", "string-similarity"])
def test_rules_are_free(workspace: Workspace, name: str) -> None:
    judge: Judge = load_judges()[name]
    asker = workspace.judgments.asker(name)
    assert (asker.judge, asker.model) == (judge, "")
    found = workspace.judgments.plan(workspace.judgments.selected("one", asker, 5), asker)
    assert (found.calls, len(found.free), found.cost) == (0, 3, 0)
