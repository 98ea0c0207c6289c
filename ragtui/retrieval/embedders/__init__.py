"""Embedders by name: two small models that run in this process, and every model that litellm reaches."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ragtui.retrieval.embedders.embedder import Embedder
from ragtui.settings import Settings

__all__ = ["LOCAL", "Embedder", "embedder_named"]


def embedder_named(name: str, settings: Settings) -> Embedder:
    """The embedder called `name`; a name that is no local model's is a litellm model name.

    Raises:
        RagtuiError: the package of a local model is not installed; says which.
    """
    local = LOCAL.get(name)
    if local is not None:
        return local()
    from ragtui.retrieval.embedders.hosted import HostedEmbedder

    return HostedEmbedder(name, settings)


def _e5_small() -> Embedder:
    from ragtui.retrieval.embedders.e5_small import E5Small

    return E5Small()


def _minilm() -> Embedder:
    from ragtui.retrieval.embedders.minilm import MiniLm

    return MiniLm()


LOCAL: Mapping[str, Callable[[], Embedder]] = {
    "multilingual-e5-small": _e5_small,
    "all-MiniLM-L6-v2": _minilm,
}
"""Models that run in this process, without a network or a key."""
