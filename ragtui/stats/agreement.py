"""Agreement of two raters beyond chance: the kappa family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from ragtui.stats.bootstrap import SEED
from ragtui.stats.estimate import Estimate

Weighting = Literal["plain", "linear", "quadratic"]

_RESAMPLES = 10_000


@dataclass(frozen=True, eq=False)
class Agreement:
    """What two raters have in common on the pairs that both rated.

    Attributes:
        n: such pairs.
        left_out: pairs that only one of them, or none, rated.
        agreement: share of pairs with the same rating; None without pairs.
        kappa, linear, quadratic: Cohen's kappa (1960) and its weighted forms (1968) with percentile bootstrap
            intervals over pairs. Without a value `reason` is `no-pairs`, or `one-category` where both raters
            use one and the same category and agreement beyond chance is undefined.
        categories: (c,) the scale, ascending.
        confusion: (c, c) int64, pairs by category of the first (rows) and of the second rater (columns).
    """

    n: int
    left_out: int
    agreement: float | None
    kappa: Estimate
    linear: Estimate
    quadratic: Estimate
    categories: tuple[float, ...]
    confusion: npt.NDArray[np.int64]

    @property
    def base_rates(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Share of each category among the ratings of each of the two; empty without pairs."""
        if not self.n:
            return (), ()
        shares = self.confusion / self.n
        return tuple(shares.sum(axis=1).tolist()), tuple(shares.sum(axis=0).tolist())


def agreement(
    first: npt.NDArray[np.float64],
    second: npt.NDArray[np.float64],
    *,
    scale: Sequence[float] = (),
    seed: int = SEED,
) -> Agreement:
    """Compare two raters pair by pair.

    Args:
        first: (m,) ratings by one rater, NaN where there is none.
        second: (m,) ratings of the same things by the other.
        scale: categories that could have been given. Those that were given are added. Weights are by distance
            of the values, so for a scale in even steps they do not depend on which categories occur.
        seed: of the bootstrap.
    """
    both = ~(np.isnan(first) | np.isnan(second))
    a, b = first[both], second[both]
    categories = np.unique(np.concatenate([np.asarray(scale, dtype=np.float64), a, b]))
    c = len(categories)
    cells = np.searchsorted(categories, a) * c + np.searchsorted(categories, b)
    confusion = np.bincount(cells, minlength=c * c).reshape(c, c)
    n = len(a)
    return Agreement(
        n=n,
        left_out=len(first) - n,
        agreement=float(np.trace(confusion) / n) if n else None,
        kappa=_estimate(confusion, disagreement_weights(categories, "plain"), seed),
        linear=_estimate(confusion, disagreement_weights(categories, "linear"), seed),
        quadratic=_estimate(confusion, disagreement_weights(categories, "quadratic"), seed),
        categories=tuple(categories.tolist()),
        confusion=confusion,
    )


def disagreement_weights(
    categories: npt.NDArray[np.float64], weighting: Weighting
) -> npt.NDArray[np.float64]:
    """(c, c) how much each pair of ratings disagrees: 0 on the diagonal, 1 at most."""
    distance = np.abs(categories[:, None] - categories[None, :])
    if weighting == "plain":
        return (distance > 0).astype(np.float64)
    share = distance / (distance.max(initial=0.0) or 1.0)
    return share if weighting == "linear" else share**2


def _estimate(confusion: npt.NDArray[np.int64], weights: npt.NDArray[np.float64], seed: int) -> Estimate:
    n = int(confusion.sum())
    if not n:
        return Estimate(None, None, None, 0, reason="no-pairs")
    value = float(_kappa(confusion[None], weights)[0])
    if np.isnan(value):
        return Estimate(None, None, None, n, reason="one-category")
    # Kappa depends on the confusion table alone, so drawing pairs is drawing tables.
    drawn = np.random.default_rng(seed).multinomial(n, (confusion / n).ravel(), size=_RESAMPLES)
    kappas = _kappa(drawn.reshape(_RESAMPLES, *confusion.shape), weights)
    low, high = np.nanquantile(kappas, [0.025, 0.975])
    if low == high:
        return Estimate(value, None, None, n, reason="all-equal")
    return Estimate(value, float(low), float(high), n, f"bootstrap, {_RESAMPLES} resamples, seed {seed}")


def _kappa(tables: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(r,) 1 − observed ÷ expected disagreement of (r, c, c) tables; NaN where none is expected."""
    n = tables.sum(axis=(1, 2))
    observed = np.einsum("rij,ij->r", tables, weights) / n
    expected = np.einsum("ri,ij,rj->r", tables.sum(axis=2), weights, tables.sum(axis=1), optimize=True) / n**2
    share: npt.NDArray[np.float64] = np.full(len(tables), np.nan)
    np.divide(observed, expected, out=share, where=expected > 0)
    return 1 - share
