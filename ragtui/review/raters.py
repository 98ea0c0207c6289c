"""What several people, or models, say of the same things: how far they agree, and where they do not.

A table of ratings has one row for each thing and one column for each rater, NaN where a rater said nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from ragtui.stats.agreement import Agreement, agreement
from ragtui.stats.estimate import Estimate
from ragtui.stats.intervals import wilson

BAR = 0.7
"""A kappa below this says that the guide leaves room for different readings."""


@dataclass(frozen=True, eq=False)
class PairOfRaters:
    """How far two raters agree.

    Attributes:
        a, b: their names.
        agreement: on what both rated.
        by_type: the same by type of the query, where there are several.
    """

    a: str
    b: str
    agreement: Agreement
    by_type: Mapping[str, Agreement]

    @property
    def kappa(self) -> Estimate:
        """What is held against the bar: quadratic kappa for grades, plain for two categories."""
        found = self.agreement
        return found.quadratic if len(found.categories) > 2 else found.kappa

    @property
    def weighting(self) -> str:
        """Which kappa that is: `quadratic` or `plain`."""
        return "quadratic" if len(self.agreement.categories) > 2 else "plain"

    @property
    def is_below(self) -> bool | None:
        """Whether kappa is below the bar; None where it is undefined."""
        return None if self.kappa.mean is None else self.kappa.mean < BAR


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One thing that raters see differently.

    Attributes:
        place: row of the table.
        ratings: by rater.
        difference: of the highest and the lowest.
    """

    place: int
    ratings: Mapping[str, float]
    difference: float


@dataclass(frozen=True, eq=False)
class Agreed:
    """How far raters agree.

    Attributes:
        raters: in order of the table.
        pairs: every two of them who rated something in common.
        all_agree: share of the things that all rated on which all say the same, with Wilson's interval.
        disagreements: things on which two differ, the farthest apart first, then in order of the table.
    """

    raters: tuple[str, ...]
    pairs: tuple[PairOfRaters, ...]
    all_agree: Estimate
    disagreements: tuple[Disagreement, ...]


def agreed(
    ratings: pd.DataFrame, *, types: Sequence[str] | None = None, scale: Sequence[float] = ()
) -> Agreed:
    """Compare all raters of a table.

    Args:
        ratings: float columns, one for each rater.
        types: type of each row, `""` where unsaid; None where there are none.
        scale: categories that could have been given.
    """
    raters = tuple(map(str, ratings.columns))
    pairs = [
        PairOfRaters(a, b, found, _by_type(ratings, a, b, types, scale))
        for a, b in combinations(raters, 2)
        if (found := _agreement(ratings, a, b, scale)).n or len(raters) == 2
    ]
    return Agreed(raters, tuple(pairs), _all_agree(ratings), _disagreements(ratings))


def _agreement(ratings: pd.DataFrame, a: str, b: str, scale: Sequence[float]) -> Agreement:
    return agreement(ratings[a].to_numpy(np.float64), ratings[b].to_numpy(np.float64), scale=scale)


def _by_type(
    ratings: pd.DataFrame, a: str, b: str, types: Sequence[str] | None, scale: Sequence[float]
) -> dict[str, Agreement]:
    names = [] if types is None else sorted(set(types) - {""})
    if len(names) < 2:
        return {}
    kinds = np.asarray(types, dtype=object)
    found = {name: _agreement(ratings.loc[kinds == name], a, b, scale) for name in names}
    return {name: one for name, one in found.items() if one.n}


def _all_agree(ratings: pd.DataFrame) -> Estimate:
    """Over the things that every rater rated."""
    whole = ratings.dropna().to_numpy(np.float64)
    n = len(whole)
    if not n or whole.shape[1] < 2:
        return Estimate(None, None, None, 0, reason="no-pairs")
    same = int((whole == whole[:, :1]).all(axis=1).sum())
    return Estimate(same / n, *wilson(same, n), n, "wilson")


def _disagreements(ratings: pd.DataFrame) -> tuple[Disagreement, ...]:
    values = ratings.to_numpy(np.float64)
    if not values.size:
        return ()
    rated = ~np.isnan(values)
    highest = np.where(rated, values, -np.inf).max(axis=1)
    lowest = np.where(rated, values, np.inf).min(axis=1)
    differing = np.flatnonzero(highest > lowest)
    order = differing[np.argsort(lowest[differing] - highest[differing], kind="stable")]
    names = list(map(str, ratings.columns))
    return tuple(
        Disagreement(
            place,
            {names[rater]: float(values[place, rater]) for rater in np.flatnonzero(rated[place])},
            float(highest[place] - lowest[place]),
        )
        for place in order.tolist()
    )
