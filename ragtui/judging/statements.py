"""A reference answer as statements, split once and by rule: no call, and the same for every model."""

from __future__ import annotations

import re

# Where a sentence ends: Chinese marks anywhere, semicolons, line breaks; Latin marks before white space only,
# so that 3.5, v1.2 and a.b stay whole. Closing quotes and brackets belong to the sentence they close.
_END = re.compile(r"(?:[。！？；…]+|[;!?]+(?=\s|$)|\.+(?=\s|$))[”’」』）)\"']*|\n+")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(（])(?:[A-Za-z]|e\.g|i\.e|etc|vs|cf|Mr|Mrs|Ms|Dr|Prof|No|Fig|approx|St|Jr|Sr|Inc|Ltd|Co)\.$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^(?:[-*•·]|\(?\d{1,2}[.)、）](?!\d)|（\d{1,2}）)\s*")
_SOMETHING = re.compile(r"\w")


def statements_of(reference: str) -> tuple[str, ...]:
    """Statements of a reference in order, each once; empty where there is no word in it.

    Marks at the end stay; numbers and bullets at the beginning of a line do not.
    """
    parts: list[str] = []
    start = 0
    for end in _END.finditer(reference):
        so_far = reference[start : end.end()]
        if end[0].startswith(".") and len(end[0]) == 1 and _ABBREVIATION.search(so_far.rstrip()):
            continue
        parts.append(so_far)
        start = end.end()
    parts.append(reference[start:])
    plain = (_BULLET.sub("", part.strip()).strip() for part in parts)
    return tuple(dict.fromkeys(part for part in plain if _SOMETHING.search(part)))
