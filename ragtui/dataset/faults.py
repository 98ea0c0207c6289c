"""Faults of input files: every one with its file, its line, what is wrong and how to mend it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ragtui.errors import RagtuiError
from ragtui.messages import t

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, or worth saying, about an input file.

    `kind` is a key below `dataset.fault` in the message catalogue; `values` fill its template and that of its
    mend. An `error` makes the input unreadable, a `warning` changes what numbers mean, a `note` is said once
    and is harmless.
    """

    kind: str
    severity: Severity = "error"
    file: str = ""
    line: int | None = None
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def what(self) -> str:
        return t(f"dataset.fault.{self.kind}", **dict(self.values))

    @property
    def mend(self) -> str:
        try:
            return t(f"dataset.fault.{self.kind}-mend", **dict(self.values))
        except KeyError:
            return ""

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}" if self.line is not None else self.file

    def as_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "line": self.line,
            "what": self.what,
            "mend": self.mend,
            "severity": self.severity,
            "kind": self.kind,
        }


@dataclass
class Faults:
    """Collects faults while files are read; keeps the first `keep` of each kind and counts all."""

    keep: int = 200
    found: list[Fault] = field(default_factory=list)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def error(self, kind: str, file: Path | str = "", line: int | None = None, **values: Any) -> None:
        self._add(Fault(kind, "error", _printable(file), line, tuple(values.items())))

    def warning(self, kind: str, file: Path | str = "", line: int | None = None, **values: Any) -> None:
        self._add(Fault(kind, "warning", _printable(file), line, tuple(values.items())))

    def note(self, kind: str, file: Path | str = "", line: int | None = None, **values: Any) -> None:
        self._add(Fault(kind, "note", _printable(file), line, tuple(values.items())))

    def extend(self, faults: Iterable[Fault]) -> None:
        for fault in faults:
            self._add(fault)

    def absorb(self, others: Faults) -> None:
        """Take in what was found elsewhere, and the number of what was only counted there."""
        self.extend(others.found)
        self.counts += others.counts - Counter((fault.severity, fault.kind) for fault in others.found)

    def _add(self, fault: Fault) -> None:
        self.counts[fault.severity, fault.kind] += 1
        if self.counts[fault.severity, fault.kind] <= self.keep:
            self.found.append(fault)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self.found)

    @property
    def error_count(self) -> int:
        """How many errors were found, those that were not kept included."""
        return sum(n for (severity, _), n in self.counts.items() if severity == "error")

    @property
    def has_errors(self) -> bool:
        return self.error_count > 0

    def of(self, severity: Severity) -> tuple[Fault, ...]:
        return tuple(fault for fault in self.found if fault.severity == severity)

    def raise_errors(self) -> None:
        """Raise `BadInput` with all errors, if there is one."""
        if self.has_errors:
            raise BadInput(self)


class BadInput(RagtuiError):
    """Input that cannot be used; `faults` holds every fault that was found, not only the first."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        errors = faults.error_count
        first = faults.of("error")[0]
        super().__init__("dataset.bad-input", where=first.where, n=errors, first=first.what)
        self.mend = first.mend


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Faults as they are shown: errors, then warnings, then notes, each in order of discovery."""
    return tuple(sorted(faults, key=lambda fault: SEVERITIES.index(fault.severity)))


def _printable(file: Path | str) -> str:
    """A path as text that can be encoded: names of files may hold bytes that are no UTF-8."""
    return str(file).encode("utf-8", "backslashreplace").decode()
