"""Answers of a dialog, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: what choosing it means, its words, and a word at the right end, such as a count."""

    value: str
    label: str
    note: str = ""
    is_dim: bool = False
