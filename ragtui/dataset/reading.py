"""The door of this package: opens evaluation sets, strictly and with all faults at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ragtui.dataset.assemble import assemble
from ragtui.dataset.faults import BadInput, Faults
from ragtui.dataset.formats import folder
from ragtui.dataset.formats.registry import format_of
from ragtui.dataset.formats.sources import NamedFiles
from ragtui.dataset.model import EvaluationSet


def open_set(
    path: Path,
    *,
    corpus: Path | None = None,
    queries: Path | None = None,
    gold: Path | None = None,
    runs: Mapping[str, Path] | None = None,
    level_document: bool = False,
) -> EvaluationSet:
    """Open what lies at `path`: a folder or a file of any format of `formats.registry`.

    Args:
        path: folder or file.
        corpus: file to read in place of the one that is found; so for the next two.
        queries: see corpus.
        gold: see corpus.
        runs: further runs by name; a name that was found is replaced.
        level_document: compare documents in place of chunks.

    Raises:
        BadInput: something is wrong; it holds every fault that was found.
    """
    named = NamedFiles(corpus, queries, gold, runs or {})
    evaluation, faults = _read(path, named, level_document)
    if evaluation is None or faults.has_errors:
        raise BadInput(faults)
    return evaluation


def open_pair(qrels: Path, runs: Mapping[str, Path]) -> EvaluationSet:
    """Open a file of gold with runs, which together are a set.

    Raises:
        BadInput: something is wrong; it holds every fault that was found.
    """
    return open_set(qrels, gold=qrels, runs=runs)


def check(
    path: Path,
    *,
    corpus: Path | None = None,
    queries: Path | None = None,
    gold: Path | None = None,
    runs: Mapping[str, Path] | None = None,
    level_document: bool = False,
) -> Faults:
    """All faults, warnings and notes of what `open_set` would read; never raises for bad content."""
    evaluation, faults = _read(path, NamedFiles(corpus, queries, gold, runs or {}), level_document)
    if evaluation is not None:
        faults.extend(evaluation.said_later(evaluation))
    return faults


def is_set(path: Path) -> bool:
    """Whether a folder holds something that `open_set` would take for a set, right or wrong."""
    try:
        if not path.is_dir():
            return False
        chosen = format_of(path)
        return folder.is_set(path) if chosen is None or chosen.name == "folder" else True
    except OSError:
        return False


def _read(path: Path, named: NamedFiles, level_document: bool) -> tuple[EvaluationSet | None, Faults]:
    faults = Faults()
    try:
        if not path.exists():
            faults.error("missing-file", path)
            return None, faults
        chosen = format_of(path)
        if chosen is None:
            faults.error("not-a-file", path)
            return None, faults
        parts = chosen.read(path, named, faults)
    except PermissionError as error:
        faults.error("no-permission", error.filename or path)
        return None, faults
    except OSError as error:
        faults.error("unreadable", error.filename or path, reason=error.strerror or type(error).__name__)
        return None, faults
    return assemble(parts, faults, level_document=level_document), faults
