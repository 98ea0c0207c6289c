"""Scores of found, missed and no-answer queries in bins of one axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ragtui.analysis.calibration.sample import KINDS, Sample


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts in bins of equal width on the run's own axis.

    Attributes:
        edges: (b + 1,) in the units of the run, rising; the last bin holds its right edge too.
        found, missed, no_answer: (b,) counts.
        without: how many found, missed and no-answer queries have no score, and stand in no bin.
    """

    edges: npt.NDArray[np.float64]
    found: npt.NDArray[np.int64]
    missed: npt.NDArray[np.int64]
    no_answer: npt.NDArray[np.int64]
    without: tuple[int, int, int]

    @property
    def highest(self) -> int:
        """Largest count of a bin on either side of the axis: answerable, or no-answer."""
        return int(max((self.found + self.missed).max(initial=0), self.no_answer.max(initial=0)))

    def bin_of(self, score: float) -> int:
        """Which bin a score falls into; the first or the last for one outside."""
        return int(np.clip(np.searchsorted(self.edges, score, "right") - 1, 0, len(self.found) - 1))


def histogram(sample: Sample, bins: int) -> Histogram:
    """Count a sample in so many bins, at least one, from its lowest to its highest score."""
    values = sample.values[~np.isnan(sample.values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    if low == high:
        # one value: an axis around it that is wide enough to tell its ends apart
        half = max(abs(low) * 1e-3, 1e-9)
        low, high = low - half, high + half
    edges = np.linspace(low, high, bins + 1)
    counts, without = [], []
    for kind in range(len(KINDS)):
        of_kind = sample.values[sample.kind == kind]
        missing = np.isnan(of_kind)
        counts.append(np.histogram(of_kind[~missing], edges)[0].astype(np.int64))
        without.append(int(missing.sum()))
    return Histogram(edges, counts[0], counts[1], counts[2], (without[0], without[1], without[2]))
