"""A number with its uncertainty, as every screen, table and JSON shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """Mean over `n` queries with its 95 % interval.

    Attributes:
        mean: None where nothing was measured (`reason` says why), never NaN.
        low, high: None where no interval can be given (`reason` says why: `all-equal`, `no-queries`,
            `beyond-depth`).
        n: how many queries the mean is over.
        method: `wilson`, or `bootstrap` or `cluster-bootstrap` with resamples and seed; `""` without
            interval.
        reason: key of the reason below `stats.reason`, or `metrics.reason` for a metric that could not be
            computed; `""` where all is there.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    method: str = ""
    reason: str = ""
