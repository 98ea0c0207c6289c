"""What judging is about, as plain frozen data: judges, what is asked of them, and the verdicts they gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Engine = Literal["ragas", "rubric", "rule"]
Unit = Literal["context", "reference", "statement-context"]
Status = Literal[
    "ok", "parse-error", "truncated", "timeout", "refused", "skipped", "contradiction", "off-scale", "error"
]

VERDICT_COLUMNS = (
    "query_id",
    "chunk_id",
    "claim",
    "value",
    "reason",
    "status",
    "judge",
    "version",
    "model",
    "repeat",
    "text_hash",
    "latency_ms",
    "tokens_in",
    "tokens_out",
    "cost",
    "cached",
    "raw",
)
"""Columns of the one verdict table, in this order; see `Verdict`."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge as its folder describes it.

    Attributes:
        name, version: how it is always named, together with the model.
        unit: what one verdict is about: a context, the reference (a list of statements), or a statement and a
            context.
        engine: `ragas` and `rubric` ask a model, `rule` computes.
        scale: values a verdict may have, ascending; (0, 1) for yes and no.
        languages: of its prompts.
        prompts: text of the prompt by language; empty for rules and for ragas, whose prompts are ragas's own.
        schema: JSON Schema of a reply; None where there is no reply.
        defaults: sampling (temperature, max_tokens, …) and thresholds of rules.
        folder: where it lies; None for a judge from the entry-point group `ragtui.judges`.
        digest: hex SHA-256 over everything above that can change a verdict.
    """

    name: str
    version: str
    unit: Unit
    engine: Engine
    scale: tuple[float, ...]
    languages: tuple[str, ...] = ()
    prompts: Mapping[str, str] = field(default_factory=dict)
    schema: Mapping[str, Any] | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)
    folder: Path | None = None
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to be judged.

    Attributes:
        query_id, query: the query and its text.
        chunk_id, context: the chunk and its text; `""` where the unit is the reference.
        reference: reference answer of the query, `""` without.
        contexts: for the unit `reference`: ids and texts of all judged contexts, in rank order.
        claim: for the unit `statement-context`: the statement.
        gold: ids and texts of the relevant gold chunks of the query, which the rules compare with.
    """

    query_id: str
    query: str
    chunk_id: str = ""
    context: str = ""
    reference: str = ""
    contexts: tuple[tuple[str, str], ...] = ()
    claim: str = ""
    gold: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent to a model: everything that can change the reply is in here, and so in the cache key.

    Attributes:
        model: as litellm names it, provider in front.
        endpoint: label of the server (its address without user, password and query), `""` for the provider's
            own.
        messages: role and content, in order.
        sampling: temperature, max_tokens, seed …
        schema: JSON Schema the reply must have, None for free text.
        repeat: 0 for the first asking; repeat r is never answered from another.
    """

    model: str
    endpoint: str
    messages: tuple[tuple[str, str], ...]
    sampling: Mapping[str, Any] = field(default_factory=dict)
    schema: Mapping[str, Any] | None = None
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered, raw.

    Attributes:
        text: the reply; `""` beside reasoning counts as a failure of its kind.
        finish: `stop`, `length` (cut off), `content_filter`, or what the provider says.
        tokens_in, tokens_out, cost: None where the provider does not say.
    """

    text: str
    finish: str = "stop"
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    latency_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of one item, or that it could not say. A failure has no value and is never a number.

    Attributes:
        chunk_id: None for a verdict on the reference.
        claim: the statement, None where the judge knows none.
        value: on the scale of the judge; None unless the status is `ok`.
        text_hash: of the texts that were judged, so that a verdict is not believed of a text that has
            changed.
        raw: the raw reply of a failure, `""` else.
    """

    query_id: str
    chunk_id: str | None
    claim: str | None
    value: float | None
    reason: str
    status: Status
    judge: str
    version: str
    model: str
    repeat: int = 0
    text_hash: str = ""
    latency_ms: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    cached: bool = False
    raw: str = ""
