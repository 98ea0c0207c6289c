"""Pools and samples that favour no run."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ragtui.review.blind import Item, blind_order, graded_pairs, pool, sample
from tests.unit.analysis.conftest import made_set

IDS = st.lists(st.text(min_size=1), unique=True, max_size=20)


@given(IDS, st.randoms(use_true_random=False))
def test_the_order_depends_on_the_ids_alone(ids: list[str], random: object) -> None:
    order = blind_order("q", ids)
    assert sorted(order) == sorted(ids)
    shuffled = list(ids)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert blind_order("q", shuffled) == order
    # what comes or goes does not move the others
    assert [one for one in blind_order("q", [*ids, "one more"]) if one in ids] == [
        one for one in order if one != "one more" or "one more" in ids
    ]


def test_another_query_or_seed_is_another_order() -> None:
    ids = [f"c{n}" for n in range(20)]
    orders = {tuple(blind_order(query, ids, seed)) for query in ("q", "p") for seed in (1, 2)}
    assert len(orders) == 4
    assert tuple(ids) not in orders


def test_a_pool_holds_the_top_of_all_runs_once() -> None:
    # first: q1 → a1 b1 c1 …, q2 → c1 c2 c3 …; run.2: q1 → a2 a1, q2 → b1
    evaluation = made_set()
    items = pool(evaluation, ["q2", "q1"], 2)
    assert [item.query_id for item in items] == ["q2", "q2", "q2", "q1", "q1", "q1"]
    assert {item.chunk_id for item in items[:3]} == {"c1", "c2", "b1"}
    assert {item.chunk_id for item in items[3:]} == {"a1", "b1", "a2"}
    assert pool(evaluation, ["q2", "q1"], 2) == items
    ungraded = pool(evaluation, ["q2", "q1"], 2, without=graded_pairs(evaluation.gold))
    assert set(items) - set(ungraded) == {Item("q2", "b1"), Item("q1", "a1"), Item("q1", "a2")}


def test_repeats_do_not_use_up_the_top() -> None:
    repeated = made_set(runs={"r": {"q1": [("a1", 3.0), ("a1", 2.0), ("a2", 1.0)]}})
    assert {item.chunk_id for item in pool(repeated, ["q1", "q9"], 2)} == {"a1", "a2"}


def test_a_sample_is_the_same_for_everybody() -> None:
    items = [Item("q", f"c{n}") for n in range(100)]
    drawn = sample(items, 50)
    assert len(set(drawn)) == 50
    assert drawn == sample(items, 50)
    assert list(drawn) != sorted(drawn)
    assert sorted(sample(items, 500)) == sorted(items)
