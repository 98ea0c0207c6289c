"""The model that is asked, as a user wishes it: hosted, on a server of one's own, or in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from ragtui.endpoint import CompletionEndpoint, ModelFacts, Patience, label_of
from ragtui.endpoint.local import PREFIX, serving

SILENCES = 2
_LOCAL_TIMEOUT = 600.0
"""Seconds: a small machine may need minutes for one reply."""


@dataclass(frozen=True, slots=True)
class ModelWishes:
    """What a user says of the model.

    Attributes:
        model: a litellm name, or `local:` with a path of a GGUF file or a package that holds one.
        api_base: address of a compatible server, instead of the provider's own.
        concurrency: requests under way at once.
        timeout: seconds for one request.
        rpm, tpm: requests and tokens per minute; None for no limit.
        max_wait: seconds; a server that asks for more is not waited for.
    """

    model: str
    api_base: str | None = None
    concurrency: int = 8
    timeout: float = 60.0
    rpm: int | None = None
    tpm: int | None = None
    max_wait: float = 60.0


@dataclass(frozen=True, slots=True)
class OpenModel:
    """A model that can be asked.

    Attributes:
        name: how verdicts name it.
        label: of its server, `""` for the provider's own; part of every request's key.
        connect: opens what is asked, anew for each run of judging.
        facts: of the model, where they are not to be had by its name; else None.
        concurrency: requests under way at once.
    """

    name: str
    label: str
    connect: Callable[[], CompletionEndpoint]
    facts: ModelFacts | None
    concurrency: int


@contextmanager
def open_model(wishes: ModelWishes) -> Iterator[OpenModel]:
    """The model, for as long as the block runs.

    Raises:
        RagtuiError: a local model is not there or cannot be loaded.
    """
    if not wishes.model.startswith(PREFIX):
        label = label_of(wishes.api_base)
        yield OpenModel(wishes.model, label, partial(_endpoint, wishes), None, wishes.concurrency)
        return
    with serving(wishes.model) as local:
        inside = replace(
            wishes,
            model=local.litellm_model,
            api_base=local.api_base,
            concurrency=local.slots,
            timeout=max(wishes.timeout, _LOCAL_TIMEOUT),
        )
        facts = ModelFacts(window=local.window)
        label = f"{PREFIX}{local.digest}"
        yield OpenModel(local.name, label, partial(_endpoint, inside), facts, local.slots)


def _endpoint(wishes: ModelWishes) -> CompletionEndpoint:
    return CompletionEndpoint(
        wishes.model,
        api_base=wishes.api_base,
        concurrency=wishes.concurrency,
        timeout=wishes.timeout,
        rpm=wishes.rpm,
        tpm=wishes.tpm,
        patience=Patience(longest_wait=wishes.max_wait, silences=SILENCES),
    )
