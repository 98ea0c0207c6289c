"""Answers of a dialog, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer.

    Attributes:
        value: what choosing it means.
        label: its words.
        note: at the right end.
        is_dim: there is little behind it.
        about: more about it, behind its words.
        key: the character that chooses it in a `KeyMenu`.
    """

    value: str
    label: str
    note: str = ""
    is_dim: bool = False
    about: str = ""
    key: str = ""
