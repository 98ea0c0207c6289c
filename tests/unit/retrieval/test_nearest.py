from __future__ import annotations

from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from ragtui.retrieval import nearest as module
from ragtui.retrieval.nearest import ExactIndex, unit
from ragtui.retrieval.ranking import ranked

Floats = npt.NDArray[np.float32]

# Multiples of 1/8 have exact products, so that ties are ties in every precision.
eighths = st.integers(-24, 24).map(lambda n: n / 8)


def vectors(rows: st.SearchStrategy[int]) -> st.SearchStrategy[Floats]:
    return npst.arrays(np.float32, st.tuples(rows, st.just(3)), elements=eighths)


def brute_force(query: Floats, passages: Floats, depth: int) -> tuple[list[int], list[float]]:
    """Every product in float64, Python's own sort."""
    scores = [
        round(sum(float(a) * float(b) for a, b in zip(query, passage, strict=True)), 6)
        for passage in passages
    ]
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:depth]
    return order, [scores[i] for i in order]


@given(queries=vectors(st.integers(0, 5)), passages=vectors(st.integers(1, 30)), depth=st.integers(1, 40))
def test_equals_brute_force_with_ties(queries: Floats, passages: Floats, depth: int) -> None:
    with patch.object(module, "_BLOCK_SCORES", 40):
        found = ExactIndex(passages).nearest(queries, depth)
    assert len(found) == len(queries)
    for query, (positions, scores) in zip(queries, found, strict=True):
        assert (positions.tolist(), scores.tolist()) == brute_force(query, passages, depth)


def test_equals_brute_force_on_long_vectors() -> None:
    random = np.random.default_rng(7)
    passages = unit(random.standard_normal((300, 384)).astype(np.float32))
    passages[200:] = passages[:100]  # every one of the first hundred twice
    queries = unit(random.standard_normal((4, 384)).astype(np.float32))
    for query, (positions, scores) in zip(queries, ExactIndex(passages).nearest(queries, 50), strict=True):
        order, exact = brute_force(query, passages, 50)
        assert positions.tolist() == order
        np.testing.assert_allclose(scores, exact, atol=1e-6)


def test_scores_too_close_for_float32_are_ordered_by_the_corpus() -> None:
    # The first is smaller in the seventh decimal, which no machine need agree on.
    passages = np.asarray([[0.5], [0.50000006], [0.4]], dtype=np.float32)
    ((positions, scores),) = ExactIndex(passages).nearest(np.asarray([[1.0]], dtype=np.float32), 2)
    assert positions.tolist() == [0, 1]
    assert scores.tolist() == [0.5, 0.5]


def test_unit() -> None:
    rows = unit(np.asarray([[3, 4], [0, 0], [0, -2]], dtype=np.float32))
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows.ravel(), [0.6, 0.8, 0.0, 0.0, 0.0, -1.0], atol=1e-7)


def test_ranked_cuts_after_ordering_and_has_no_negative_zero() -> None:
    positions, scores = ranked(np.asarray([4, 1, 3]), np.asarray([-0.0000001, 0.2, 0.2]), 3)
    assert positions.tolist() == [1, 3, 4]
    assert scores.tolist() == [0.2, 0.2, 0.0]
    assert not np.signbit(scores).any()
    assert ranked(np.asarray([4, 1, 3]), np.asarray([0.1, 0.2, 0.3]), 2)[0].tolist() == [3, 1]
