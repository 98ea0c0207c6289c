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
_LAST_WORD = re.compile(r"[^\W_]+")
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
    """Which simple change of ids makes most of `left` meet `right`, in words.

    The cause is `unknown` where none makes half of them meet.
    """
    sample, other = list(islice(left, _LOOKED_AT)), list(islice(right, _LOOKED_AT))
    shares = {
        cause: _share(map(change, sample), {change(one) for one in right})
        for cause, change in _CHANGES.items()
    }
    shares["document"] = _share(map(_document, sample), set(right))
    shares["document-gold"] = _share(map(_document, other), set(left))
    # of equal shares the first cause, which is the simplest, is named
    cause = max(shares, key=lambda name: shares[name])
    if shares[cause] < 0.5:
        counted = sample and other and all(map(str.isdigit, sample)) and all(map(str.isdigit, other))
        cause = "renumbered" if counted else "unknown"
    return Phrase(f"dataset.id-cause.{cause}")


def _share(changed: Iterable[str], others: set[str]) -> float:
    met = [one in others for one in changed]
    return sum(met) / max(len(met), 1)


def _document(one: str) -> str:
    return _AFTER_CHUNK.sub("", one)


def _without_prefix(one: str) -> str:
    """The last run of letters and digits, without letters in front of digits: `doc_7` and `q7` are `7`."""
    last = _LAST_WORD.findall(one)
    return re.sub(r"^[A-Za-z]+(?=\d)", "", last[-1]) if last else one


def _number(one: str) -> str:
    return re.sub(r"\.0+$", "", one).lstrip("0") or "0"


_CHANGES: dict[str, Callable[[str], str]] = {
    "space": lambda one: "".join(one.split()),
    "case": str.casefold,
    "number": _number,
    "prefix": _without_prefix,
    "extension": lambda one: re.sub(r"\.[A-Za-z]{2,5}$", "", one.rpartition("/")[2]),
}
