"""What a judge gets to see of an item: which texts, whether they are there, and the hash that names them."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ragtui.judging.model import Item, Judge
from ragtui.judging.template import fields_of

_encoded = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode


def texts_seen(judge: Judge) -> frozenset[str]:
    """Names of the fields of `Item` that can change a verdict of this judge.

    For a rule these are all but the texts of a query that no rule reads; which of them it takes is its own
    business, and a change of any makes its verdict a new one.
    """
    if judge.engine == "rule":
        return frozenset({"query", "chunk_id", "context", "reference", "gold"})
    if judge.engine == "ragas":
        return frozenset({"query", "reference", "contexts" if judge.unit == "reference" else "context"})
    return frozenset().union(*(fields_of(template) for template in judge.prompts.values()))


def asks_together(judge: Judge) -> bool:
    """Whether one request asks about all contexts of a query and wants a verdict on each.

    Items of such a judge hold `contexts`, and neither chunk nor context.
    """
    return judge.unit == "context" and judge.engine == "rubric" and "contexts" in texts_seen(judge)


def lacking(judge: Judge, item: Item) -> str:
    """Why nothing can be judged, `""` where every text that the judge sees is there.

    The reasons are `no-query`, `no-reference`, `no-claim` and `no-context`, keys below `judging.reason` in
    the message catalogue.
    """
    if judge.engine == "rule":
        return ""
    present = {
        "query": item.query.strip(),
        "context": item.context.strip(),
        "contexts": any(text.strip() for _, text in item.contexts),
        "reference": item.reference.strip(),
        "claim": item.claim.strip(),
    }
    for name in ("query", "reference", "claim", "context", "contexts"):
        if name in texts_seen(judge) and not present[name]:
            return f"no-{name.removesuffix('s')}"
    return ""


def text_hash(judge: Judge, item: Item) -> str:
    """Hex SHA-256 of the judge's digest and of every text that it sees of the item.

    A verdict with another hash was given on other texts, or by another prompt, and is not to be believed
    here.
    """
    return TextHasher(judge).of(item)


class TextHasher:
    """`text_hash` of many items of one judge; a text that several of them have is encoded once."""

    def __init__(self, judge: Judge) -> None:
        self._parts = [(f"{_encoded(name)}:", name) for name in sorted(texts_seen(judge))]
        self._head = f"[{_encoded(judge.digest)},"
        self._texts: dict[str, str] = {}

    def of(self, item: Item) -> str:
        """The hash of one item."""
        seen = ",".join([key + self._value(getattr(item, name), name) for key, name in self._parts])
        return hashlib.sha256(f"{self._head}{{{seen}}}]".encode("ascii")).hexdigest()

    def _value(self, value: Any, name: str) -> str:
        if not isinstance(value, str):
            return _encoded([text for _, text in value] if name == "contexts" else value)
        found = self._texts.get(value)
        if found is None:
            found = self._texts[value] = _encoded(value)
        return found
