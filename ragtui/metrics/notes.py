"""What is worth saying beside the numbers of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ragtui.messages import t


@dataclass(frozen=True, slots=True)
class Note:
    """One remark: `kind` is a key below `metrics.note`, `values` fill its text.

    A `warning` changes what the numbers mean, a `note` is only said.
    """

    kind: str
    severity: Literal["warning", "note"] = "note"
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def text(self) -> str:
        return t(f"metrics.note.{self.kind}", **dict(self.values))


def note(kind: str, **values: Any) -> Note:
    """A remark."""
    return Note(kind, "note", tuple(values.items()))


def warning(kind: str, **values: Any) -> Note:
    """A remark without which the numbers would be misread."""
    return Note(kind, "warning", tuple(values.items()))
