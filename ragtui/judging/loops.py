"""Replies that go round in a circle, as small models write them until there is no room left."""

from __future__ import annotations

_LONGEST = 80
"""Characters of a phrase that is said again and again."""

_TIMES = 8
_AT_LEAST = 96


def goes_round(text: str) -> bool:
    """Whether a text ends with one phrase, of at most 80 characters, said at least 8 times in a row.

    Short phrases have to fill at least 96 characters, so that a row of dots or a table is no circle.
    """
    for length in range(1, _LONGEST + 1):
        times = max(_TIMES, -(-_AT_LEAST // length))
        if len(text) < length * times:
            continue
        end = text[-length:]
        if text.endswith(end * times):
            return True
    return False
