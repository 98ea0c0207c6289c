"""Why ids of two files do not meet: compares both sides and guesses the cause."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ragtui.messages import t

_LOOKED_AT = 2000
_SHOWN = 3
_ENOUGH = 0.5
_MOST = 0.95
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
    """Which simple change of ids makes most of `left` meet `right`, and what share of them, in words.

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
    if shares[cause] >= _ENOUGH:
        return Phrase(f"dataset.id-cause.{cause}", (("share", _percent(shares[cause])),))
    counted = sample and other and all(map(str.isdecimal, sample)) and all(map(str.isdecimal, other))
    return Phrase(f"dataset.id-cause.{'renumbered' if counted else 'unknown'}")


def explain(
    left: Collection[str],
    right: Collection[str],
    described: Iterable[Mapping[str, Any]] = (),
    otherwise: str = "unknown",
) -> Phrase:
    """Why some ids of `left` are not among those of `right`.

    Args:
        left: all ids of one side.
        right: all ids of the other side.
        described: metadata of what has the ids of `right`; one of its fields may hold the ids of `left`.
        otherwise: the cause that is named where nothing explains it and some ids do meet.
    """
    known = set(right)
    unknown = [one for one in dict.fromkeys(left) if one not in known]
    met = 1 - len(unknown) / max(len(set(left)), 1)
    named = _field_with(list(dict.fromkeys(left)), described)
    if named is not None and named[1] > met:
        share = ("share", _percent(named[1]))
        if named[0] == "doc_id":
            return Phrase("dataset.id-cause.document-gold", (share,))
        return Phrase("dataset.id-cause.other-field", (("field", named[0]), share))
    if len(unknown) == len(set(left)):
        return guess(left, right)
    if _counts_anew(set(left), known):
        return Phrase("dataset.id-cause.renumbered-partly")
    found = guess(unknown, known.difference(left))
    guessed = found.key not in ("dataset.id-cause.unknown", "dataset.id-cause.renumbered")
    return found if guessed else Phrase(f"dataset.id-cause.{otherwise}")


def _field_with(ids: Sequence[str], described: Iterable[Mapping[str, Any]]) -> tuple[str, float] | None:
    """The metadata field that holds most of the ids, and what share of them; None where none holds most."""
    wanted = set(ids)
    met: dict[str, set[str]] = {}
    for metadata in described:
        for key, value in metadata.items():
            if isinstance(value, str | int) and not isinstance(value, bool) and str(value) in wanted:
                met.setdefault(key, set()).add(str(value))
    name = max(met, key=lambda key: len(met[key]), default=None)
    if name is None or len(met[name]) < _MOST * len(wanted):
        return None
    return name, len(met[name]) / len(wanted)


def _counts_anew(left: set[str], right: set[str]) -> bool:
    """Whether both sides are numbers, and one of them counts on while the other leaves gaps.

    Then ids that meet need not mean the same.
    """
    if left <= right or right <= left or not all(one.isdecimal() and one.isascii() for one in left | right):
        return False
    return _counts_on(left) != _counts_on(right)


def _counts_on(ids: set[str]) -> bool:
    numbers = {int(one) for one in ids}
    return len(numbers) == len(ids) and min(numbers) in (0, 1) and max(numbers) - min(numbers) == len(ids) - 1


def _percent(share: float) -> str:
    """A share rounded down, so that only all of them are 100 %."""
    return f"{int(100 * share + 1e-9)} %"


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
