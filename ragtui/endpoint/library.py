"""The one file that imports litellm, told to be quiet. It takes seconds, so the first request does it."""

from __future__ import annotations

import logging
import os
import re
import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any

_OF_ITS_TYPES = re.compile(
    ".*(`ReadOnly` qualifier|attribute on the instance is deprecated|conflict with protected namespace)", re.I
)
"""Warnings of pydantic over types of litellm, some of which it builds with the first request of a kind."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What litellm's own table says of a model; None where it says nothing, and never 0 for unknown.

    Attributes:
        window: tokens of a request that the model reads.
        price_in, price_out: US dollars for one token.
        takes_schema: whether it can be held to a JSON Schema.
    """

    window: int | None = None
    price_in: float | None = None
    price_out: float | None = None
    takes_schema: bool | None = None


def facts_of(model: str) -> ModelFacts:
    """Facts of a model by its litellm name; all None for one that litellm does not know."""
    try:
        known = litellm().get_model_info(model)
    except Exception:  # noqa: BLE001 - it says of unknown models what it likes
        return ModelFacts()
    return ModelFacts(
        window=_positive(known.get("max_input_tokens")),
        price_in=_positive(known.get("input_cost_per_token")),
        price_out=_positive(known.get("output_cost_per_token")),
        takes_schema=known.get("supports_response_schema"),
    )


def _positive(value: Any) -> Any:
    return value if isinstance(value, int | float) and value > 0 else None


@cache
def know(model: str) -> None:
    """Tell litellm of a model that it does not know, without a price.

    Otherwise it searches its tables for one anew with every reply, which takes a third of its time.
    """
    provider, slash, _ = model.partition("/")
    if not slash:
        return  # litellm finds out the provider by its tables, and says so where it cannot
    try:
        litellm().get_model_info(model)
    except Exception:  # noqa: BLE001 - it says of unknown models what it likes
        unpriced = {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0}
        litellm().register_model({model: {"litellm_provider": provider, "mode": "chat", **unpriced}})


def missing_keys(model: str) -> tuple[str, ...]:
    """Environment variables that litellm looks for with this model and does not find."""
    return tuple(litellm().validate_environment(model=model).get("missing_keys", ()))


async def close_connections() -> None:
    """Close what litellm keeps open in the running loop."""
    await litellm().close_litellm_async_clients()
    litellm().in_memory_llm_clients_cache.flush_cache()


def litellm() -> Any:
    """litellm, told to be quiet.

    It ignores warnings over its own types from its import on. Where that happened in a block that gives the
    filters back, such as a test's, they would come with later requests, and as errors fail them.
    """
    library = _imported()
    first = warnings.filters[0] if warnings.filters else None
    if first is None or first[0] != "ignore" or first[1] != _OF_ITS_TYPES:
        warnings.filterwarnings("ignore", _OF_ITS_TYPES.pattern)
    return library


@cache
def _imported() -> Any:
    """No banner, no look-up of prices, no telemetry, no log of requests."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"  # otherwise it loads the .env file of whatever folder this is
    os.environ["LITELLM_LOG"] = "CRITICAL"  # its log goes to stdout, and holds what is sent
    import litellm as library

    library.suppress_debug_info = True
    library.telemetry = False
    # `aembedding` takes max_retries=0 for unsaid and then asks three times in silence.
    setattr(library, "DEFAULT_MAX_RETRIES", 0)  # noqa: B010 - a constant as far as its types know
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return library
