"""Why ids of two files do not meet: compares both sides and guesses the cause."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ragtui.messages import t

_LOOKED_AT = 2000
_SHOWN = 3
_AFTER_CHUNK = re.compile(r"(?:#|::|/|[-_]c?(?=\d+$)).*$")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text of the catalogue that is looked up when it is shown, so that it follows the language."""

    key: str
    values: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return t(self.key, **dict(self.values))


def examples(ids: Iterable[str]) -> str:
    """The first ids of one side, as a fault shows them."""
    return ", ".join(f"{one[:40]!r}" for one in islice(ids, _SHOWN)) or "-"


def guess(left: Collection[str], right: Collection[str]) -> Phrase:
    """The change of ids that makes most of `left` meet `right`, in words.

    "no simple change" where none makes half of them.
    """
    sample = list(islice(left, _LOOKED_AT))
    best, share = "unknown", 0.5
    for cause, change in _CHANGES.items():
        others = {change(one) for one in right}
        met = sum(change(one) in others for one in sample) / max(len(sample), 1)
        if met >= share and met > (0.5 if best == "unknown" else share):
            best, share = cause, met
    for cause, one_sided in (("document", _document), ("document-gold", _document)):
        a, b = (sample, set(right)) if cause == "document" else (list(islice(right, _LOOKED_AT)), set(left))
        if best == "unknown" and a and sum(one_sided(one) in b for one in a) / len(a) > 0.5:
            best = cause
    if (
        best == "unknown"
        and sample
        and all(map(str.isdigit, sample))
        and all(map(str.isdigit, islice(right, _LOOKED_AT)))
    ):
        best = "renumbered"
    return Phrase(f"dataset.id-cause.{best}")


def _document(one: str) -> str:
    return _AFTER_CHUNK.sub("", one)


def _without_prefix(one: str) -> str:
    return (
        re.sub(r"^.*?[^0-9a-zA-Z]?(?=[0-9a-zA-Z]+$)", "", one)
        if not one.isalnum()
        else re.sub(r"^[A-Za-z]+", "", one)
    )


def _number(one: str) -> str:
    return re.sub(r"\.0+$", "", one).lstrip("0") or "0"


_CHANGES: dict[str, Callable[[str], str]] = {
    "space": lambda one: "".join(one.split()),
    "case": str.casefold,
    "number": _number,
    "prefix": _without_prefix,
    "extension": lambda one: re.sub(r"\.[A-Za-z]{2,5}$", "", one.rpartition("/")[2]),
}
