"""Answers of a dialog, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: what choosing it means, its words, more about it, and a word at the right end."""

    value: str
    label: str
    note: str = ""
    is_dim: bool = False
    about: str = ""
