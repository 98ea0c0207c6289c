"""What an embedder is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a model.

    Attributes:
        model: its name.
        version: what pins its weights, as far as anyone can say; vectors are cached per model and version.
        normalised: whether its vectors come with length 1; None where it is not promised.
        query_prefix, passage_prefix: what the embedder itself puts in front of each text.
        window: how many tokens it reads at once, None where only its server knows.
        long_texts: what becomes of a longer text.
        api_base: server that answers, without credentials; None in this process and for a provider's own.
        packages: distributions whose versions can change a vector.
    """

    model: str
    version: str
    normalised: bool | None
    query_prefix: str
    passage_prefix: str
    window: int | None
    long_texts: Literal["cut", "windows averaged", "as the server does"]
    packages: tuple[str, ...]
    api_base: str | None = None


class Embedder(Protocol):
    """Turns texts into vectors, (n, d) float32. Each text holds a character that is no white space."""

    @property
    def facts(self) -> ModelFacts:
        """What is known of the model; of a hosted one the version comes with the first reply."""

    @property
    def block(self) -> int:
        """How many texts are best given at once."""

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found."""

    def tokens(self, text: str) -> int | None:
        """Tokens the model has to read for `text` as a passage; None where nobody here knows."""

    def close(self) -> None:
        """Give back what it holds open."""


def encodable(text: str) -> str:
    """`text` as an engine written in C takes it: no NUL, which would end it, no half of a surrogate pair."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
