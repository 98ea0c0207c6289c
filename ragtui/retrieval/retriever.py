"""What the bench asks of a retriever."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Indexed = Callable[[int], None]
"""Told how many passages are in."""


@dataclass(frozen=True, eq=False, slots=True)
class Hits:
    """The list of one query.

    Attributes:
        positions: (r,) places in the corpus, best first.
        scores: (r,) float64, higher is better.
        latency_ms: milliseconds by stage, such as `embed` and `search`.
    """

    positions: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]
    latency_ms: Mapping[str, float]


class Retriever(Protocol):
    """Indexes one corpus and then answers queries one at a time, so that latency is that of one query."""

    def index(self, passages: Sequence[str], indexed: Indexed) -> None:
        """Take in the corpus. Positions of `Hits` count from 0 in the order of `passages`."""

    def search(self, query: str, depth: int) -> Hits:
        """The best `depth` passages, fewer where fewer match.

        Raises:
            RagtuiError: this query failed; `endpoint.EndpointUnusable` means that every other would fail too.
        """

    @property
    def packages(self) -> Sequence[str]:
        """Distributions whose versions can change a list."""

    def card(self) -> Mapping[str, Any]:
        """Fields of the run card that only the retriever knows; complete once the last query is answered."""

    def close(self) -> None:
        """Give back what it holds open."""
