"""Samples made up for these tests."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from ragtui.analysis.calibration.sample import Sample
from ragtui.analysis.calibration.score_names import Direction, ScoreName

Pair = tuple[float | None, int]

pairs = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(-4, 4).map(lambda n: n / 4)), st.integers(0, 2)),
    min_size=1,
    max_size=40,
)
"""Scores, None for none, with the kind of the query; few values, so that many tie."""


def sample_of(
    drawn: Sequence[Pair], direction: Direction = "higher", clusters: list[int] | None = None
) -> Sample:
    return Sample(
        split="dev",
        score=ScoreName(),
        run_direction=direction,
        k=5,
        query_ids=np.array([f"q{i}" for i in range(len(drawn))], dtype=object),
        kind=np.array([kind for _, kind in drawn], dtype=np.int8),
        values=np.array([np.nan if score is None else score for score, _ in drawn]),
        clusters=None if clusters is None else np.array(clusters, dtype=np.intp),
    )


def normal_sample(found: int, missed: int, no_answer: int, *, apart: float = 2.0, seed: int = 0) -> Sample:
    """Answerable scores are `apart` higher than no-answer ones."""
    kind = np.repeat([0, 1, 2], [found, missed, no_answer])
    scores = np.random.default_rng(seed).normal(np.where(kind == 2, 0.0, apart), 1)
    return sample_of(list(zip(scores.tolist(), kind.tolist(), strict=True)))
