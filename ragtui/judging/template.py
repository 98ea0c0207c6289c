"""Prompt files: what they may say, and how the texts of an item get into them.

A prompt file is the messages of a conversation. A line that is `[system]`, `[user]` or `[assistant]` begins
one; the last is a user's. `{query}`, `{context}`, `{contexts}`, `{reference}` and `{claim}` stand for texts
of the item and may occur in the last message only, so what a text says never comes before the instructions.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

FIELDS = ("query", "context", "contexts", "reference", "claim")
ROLES = ("system", "user", "assistant")

_ROLE = re.compile(r"(?m)^\[(\w+)\][ \t]*$")
_FIELD = re.compile(r"\{([a-z_]+)\}")


class BadTemplate(ValueError):
    """A prompt file that cannot be used. `kind` is a key below `judging.prompt` in the message catalogue."""

    def __init__(self, kind: str, **values: str) -> None:
        self.kind = kind
        self.values = values
        super().__init__(kind)


@lru_cache(maxsize=64)
def messages(template: str) -> tuple[tuple[str, str], ...]:
    """Role and text of each message of a prompt file.

    Raises:
        BadTemplate: `no-role`, `unknown-role`, `last-not-user`, `unknown-field`, `field-too-early`.
    """
    before, *parts = _ROLE.split(template)
    if before.strip() or not parts:
        raise BadTemplate("no-role")
    turns = [(role, text.strip()) for role, text in zip(parts[::2], parts[1::2], strict=True)]
    for role, _ in turns:
        if role not in ROLES:
            raise BadTemplate("unknown-role", role=role, roles=", ".join(ROLES))
    if turns[-1][0] != "user":
        raise BadTemplate("last-not-user")
    for _, text in turns[:-1]:
        for name in _FIELD.findall(text):
            if name in FIELDS:
                raise BadTemplate("field-too-early", name=name)
    for name in _FIELD.findall(turns[-1][1]):
        if name not in FIELDS:
            raise BadTemplate("unknown-field", name=name, names=", ".join(FIELDS))
    return tuple(turns)


@lru_cache(maxsize=64)
def fields_of(template: str) -> frozenset[str]:
    """Names of the fields that a prompt file asks for."""
    return frozenset(_FIELD.findall(messages(template)[-1][1]))


def fill(template: str, texts: Mapping[str, str], contexts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Messages with the texts in place of the fields.

    Every text stands between two marks that carry a code made from all texts, so that no text can hold its
    own end. Fields inside a text stay as they are.

    Args:
        template: text of the prompt file.
        texts: by name, for all fields but `contexts`.
        contexts: for the field `contexts`; they are named c1, c2, … in this order.
    """
    *before, (role, last) = messages(template)
    # a text that is not asked for must not change what is sent
    asked = frozenset(_FIELD.findall(last))
    named = [(name, text) for name, text in texts.items() if name in asked]
    listed = [(label(place), text) for place, text in enumerate(contexts) if "contexts" in asked]
    code = _code([text for _, text in named + listed])
    fenced = {name: _fenced(name, code, text) for name, text in named}
    fenced["contexts"] = "\n\n".join(_fenced(name, code, text) for name, text in listed)
    return (*before, (role, _FIELD.sub(lambda field: fenced[field[1]], last)))


def label(place: int) -> str:
    """Name of the context at `place` (from 0) where several are asked about at once."""
    return f"c{place + 1}"


def _fenced(name: str, code: str, text: str) -> str:
    return f"<{name} {code}>\n{text}\n</{name} {code}>"


def _code(texts: Sequence[str]) -> str:
    """Eight hex digits that depend on every text: who writes a text cannot know them beforehand."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()[:8]
