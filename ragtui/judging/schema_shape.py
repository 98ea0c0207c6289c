"""Where in a reply its verdict stands, read from the JSON Schema of the reply."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_CHINESE_KEYS = {
    **dict.fromkeys(("判定", "判断", "裁决", "结论", "等级", "评级"), "value"),
    **dict.fromkeys(("理由", "原因", "解释", "依据"), "reason"),
    **dict.fromkeys(("陈述", "语句", "编号"), "label"),
}
_LABELS = ("id", "statement", "claim")


class BadSchema(ValueError):
    """A schema without a place for exactly one verdict, or for one list of them."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Names of the members that matter; `""` where the schema has none.

    Attributes:
        value: the verdict, on the scale.
        reason: the text that explains it.
        several: the list that holds verdicts, where a reply gives several.
        label: what a verdict of the list is about: an id or a statement.
    """

    value: str
    reason: str = ""
    several: str = ""
    label: str = ""


def shape_of(schema: Any) -> Shape:
    """Shape of the replies that a schema describes.

    The verdict is the one member that is a number. Where the object has none, one of its members has to be a
    list of such objects, or of numbers.

    Raises:
        BadSchema: there is no verdict, or there are two.
    """
    if not isinstance(schema, Mapping):
        raise BadSchema
    members = _members(schema, schema)
    if any(_is_number(member) for member in members.values()):
        return _one(members)
    lists = {name: member for name, member in members.items() if member.get("type") == "array"}
    if len(lists) != 1:
        raise BadSchema
    ((name, member),) = lists.items()
    entry = _resolved(member.get("items"), schema)
    if _is_number(entry):
        return Shape("verdict", "reason", name, "id")
    entries = _members(entry, schema)
    one = _one(entries)
    texts = [key for key, kind in entries.items() if kind.get("type") == "string" and key != one.reason]
    label = next((key for key in _LABELS if key in texts), texts[0] if texts else "")
    return Shape(one.value, one.reason, name, label)


@lru_cache(maxsize=256)
def key_of(name: str) -> str:
    """A member's name as it is compared: without case and white space, the Chinese for our words as ours.

    A model that answers in Chinese may translate the names it was given.
    """
    plain = unicodedata.normalize("NFKC", name).strip().casefold()
    return _CHINESE_KEYS.get(plain, _OURS.get(plain, plain))


_OURS = {
    **dict.fromkeys(("verdict", "grade", "attributed", "supported"), "value"),
    "reason": "reason",
    **dict.fromkeys(_LABELS, "label"),
}


def _one(members: Mapping[str, Mapping[str, Any]]) -> Shape:
    numbers = [name for name, member in members.items() if _is_number(member)]
    texts = [name for name, member in members.items() if member.get("type") == "string"]
    if len(numbers) != 1:
        raise BadSchema
    return Shape(numbers[0], "reason" if "reason" in texts else "")


def _members(schema: Mapping[str, Any], root: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    members = schema.get("properties")
    if not isinstance(members, Mapping):
        raise BadSchema
    return {str(name): _resolved(member, root) for name, member in members.items()}


def _resolved(member: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """A member, or the definition in `$defs` that it refers to."""
    if not isinstance(member, Mapping):
        raise BadSchema
    reference = member.get("$ref")
    if reference is None:
        return member
    definition = (root.get("$defs") or {}).get(str(reference).removeprefix("#/$defs/"))
    if not isinstance(definition, Mapping):
        raise BadSchema
    return definition


def _is_number(member: Mapping[str, Any]) -> bool:
    choices = member.get("enum")
    if isinstance(choices, list) and choices:
        return all(isinstance(choice, int | float) for choice in choices)
    return member.get("type") in ("integer", "number", "boolean")
