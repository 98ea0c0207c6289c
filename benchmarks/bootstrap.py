"""Percentile bootstrap of the means of 12 metrics, beside `scipy.stats.bootstrap`.

Run it as `python benchmarks/bootstrap.py`. Both get the same table of queries × 12 values in [0, 1] and give
95 % intervals of all columns from as many resamples. CPU time with one thread each, since scipy uses no more.
scipy gets the batch size with which it was fastest of those that were tried (from one to all resamples at
once); its default, all at once, is several times slower, or asks for more memory than there is. The script
stops with an error if an end differs from scipy's by more than chance explains.
"""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt
from measuring import in_turn
from scipy import stats
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from ragtui.stats.bootstrap import bootstrap_means, resamples_for

METRICS = 12

Table = npt.NDArray[np.float64]


def made_up(queries: int) -> Table:
    """Values as metrics have them: between 0 and 1, many near both ends."""
    return np.random.default_rng(1).beta(0.5, 0.5, (queries, METRICS)).round(3)


def of_scipy(values: Table, batch: int) -> tuple[Table, Table]:
    """Ends of the interval of every column's mean."""
    interval = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=resamples_for(len(values)),
        method="percentile",
        axis=0,
        vectorized=True,
        batch=batch,
        rng=np.random.default_rng(2),
    ).confidence_interval
    return interval.low, interval.high


def furthest(values: Table, batch: int) -> float:
    """Largest difference between an end of ours and of scipy's, in standard errors of that difference.

    An end is the 2.5 % quantile of as many means as there are resamples. Means are near enough normal, so its
    standard error is √(.025 · .975 ÷ resamples) ÷ .05845 standard deviations of a mean; .05845 is the density
    of the normal distribution there.
    """
    in_deviations = np.sqrt(0.025 * 0.975 / resamples_for(len(values))) / 0.05845
    error = in_deviations * values.std(axis=0) / np.sqrt(len(values))
    pairs = zip(bootstrap_means(values), of_scipy(values, batch), strict=True)
    return max(float((np.abs(ours - theirs) / (np.sqrt(2) * error)).max()) for ours, theirs in pairs)


def compare(queries: int, batch: int, bar: int) -> None:
    """Print both sides for one size of table; `bar` says how many times as fast ours has to be."""
    values = made_up(queries)
    apart = furthest(values, batch)
    if apart > 5:  # the chance that any of 24 ends is so far off is about 1 in 70,000
        sys.exit(f"the intervals differ by {apart:.1f} standard errors, which chance does not explain")
    sides = in_turn(lambda: bootstrap_means(values), lambda: of_scipy(values, batch))
    print(
        f"{METRICS} metrics, {queries:,} queries x {resamples_for(queries):,} resamples: "
        f"ours {sides.ours:.3f} s, scipy {sides.peer:.3f} s, {1 / sides.ratio:.1f} times as fast, "
        f"bar {bar} times; ends at most {apart:.1f} standard errors apart",
        flush=True,
    )


def main() -> None:
    """Print one line for each size."""
    with threadpool_limits(1):
        compare(1_000, batch=50, bar=4)
        compare(100_000, batch=1, bar=8)


if __name__ == "__main__":
    main()
