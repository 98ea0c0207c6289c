"""A model that does as it is told, and a judge to ask it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ragtui.endpoint import Completion, EndpointError
from ragtui.judging.folder import with_digest
from ragtui.judging.model import Item, Judge
from ragtui.judging.selection import Selected

JUDGE = with_digest(
    Judge(
        name="usefulness",
        version="1",
        unit="context",
        engine="rubric",
        scale=(0.0, 1.0),
        languages=("en",),
        prompts={"en": "[user]\n{query}\n{context}\n"},
        schema={
            "type": "object",
            "properties": {"reason": {"type": "string"}, "verdict": {"type": "integer", "enum": [0, 1]}},
        },
        defaults={"temperature": 0, "max_tokens": 100},
    )
)

Said = str | Completion | EndpointError


def useful(value: float = 1) -> str:
    return f'{{"reason": "because", "verdict": {value:g}}}'


def completion(text: str, finish: str = "stop", cost: float | None = 0.01) -> Completion:
    return Completion(text, finish, tokens_in=100, tokens_out=20, cost=cost, latency_ms=250.0)


@dataclass
class ScriptedModel:
    """Says what `script` holds, then what `answer` gives for the last message.

    While `holds` is set, nobody is answered before `release` is called or `together` are asking at once.
    """

    answer: Callable[[str], Said] = lambda _: useful()
    script: list[Said] = field(default_factory=list)
    together: int = 1
    asked: list[dict[str, Any]] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0
    closed: int = 0

    async def complete(
        self,
        messages: Sequence[tuple[str, str]],
        *,
        sampling: Mapping[str, Any],
        schema: Mapping[str, Any] | None = None,
        tokens: int = 0,
    ) -> Completion:
        self.asked.append({"text": messages[-1][1], "sampling": dict(sampling), "tokens": tokens})
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        while self.most_in_flight < self.together:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.in_flight -= 1
        said = self.script.pop(0) if self.script else self.answer(messages[-1][1])
        if isinstance(said, EndpointError):
            raise said
        return completion(said) if isinstance(said, str) else said

    async def close(self) -> None:
        self.closed += 1


def queries(count: int, contexts: int = 3) -> tuple[Selected, ...]:
    """`count` judged queries with so many contexts each, all texts different."""
    found = []
    for number in range(count):
        query = f"q{number}"
        items = tuple(
            Item(query, f"question {number}", f"c{place}", f"text {number} {place}", "the answer")
            for place in range(contexts)
        )
        found.append(Selected(query, "judged", tuple(item.chunk_id for item in items), items))
    return tuple(found)
