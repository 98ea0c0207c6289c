"""The causes there are: ours, and those a set adds in `[causes]` of `set.toml`."""

from __future__ import annotations

import difflib
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ragtui.analysis.columns import fold
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import LANGUAGES, Language, t


@dataclass(frozen=True, slots=True)
class Cause:
    """A reason why a query fails.

    Attributes:
        name: as journals, filters and exports write it.
        letter: the key that chooses it in a dialog; `""` where all are taken.
        own_title: what the set calls it; `""` for the causes of ours, whose titles are in the catalogue.
    """

    name: str
    letter: str = ""
    own_title: str = ""

    def title(self, language: Language | None = None) -> str:
        """Short name, in the language now in use unless told."""
        return self.own_title or t(f"causes.{self.name}.title", language)

    @property
    def meaning(self) -> str:
        """What it stands for, in a sentence; `""` for a cause of the set."""
        return "" if self.own_title else t(f"causes.{self.name}.meaning")


CAUSES: tuple[Cause, ...] = (
    Cause("query-wording", "w"),
    Cause("chunk-boundary", "b"),
    Cause("embedding-mismatch", "e"),
    Cause("lexical-mismatch", "l"),
    Cause("metadata-filter", "m"),
    Cause("stale-version", "s"),
    Cause("permission-role", "p"),
    Cause("ranking", "r"),
    Cause("partial-evidence", "t"),
    Cause("noise", "n"),
    Cause("evidence-conflict", "c"),
    Cause("gold-wrong", "g"),
    Cause("gold-missing", "i"),
    Cause("no-evidence", "o"),
    Cause("generation", "x"),
)
"""Ours. What of a query's way from its words to the answer went wrong comes in that order."""


def causes_with(own: Mapping[str, str]) -> tuple[Cause, ...]:
    """All causes of a set: ours, then its own (title by name), with the letters that are left.

    A name of ours only gets another title.
    """
    ours = tuple(Cause(cause.name, cause.letter, own.get(cause.name, "")) for cause in CAUSES)
    known = {cause.name for cause in CAUSES}
    left = [letter for letter in string.ascii_lowercase if letter not in {cause.letter for cause in CAUSES}]
    added = []
    for name, title in own.items():
        if name not in known:
            letter = next((one for one in [*name.lower(), *left] if one in left), "")
            if letter:
                left.remove(letter)
            added.append(Cause(name, letter, title or name))
    return (*ours, *added)


class UnknownCause(RagtuiError):
    """There is no such cause; `nearest` names those that look like it, else all."""

    def __init__(self, name: str, nearest: str) -> None:
        self.nearest = nearest
        super().__init__("causes.unknown", name=inert(name), nearest=nearest)


def cause_named(text: str, causes: Iterable[Cause]) -> Cause:
    """The cause that a person means: its name, or its title in either language.

    Raises:
        UnknownCause: there is none of that name.
    """
    wanted, known = fold(text), list(causes)
    for cause in known:
        if wanted in {fold(cause.name), *(fold(cause.title(language)) for language in LANGUAGES)}:
            return cause
    names = [cause.name for cause in known]
    near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.6) or names
    raise UnknownCause(text, ", ".join(near))
