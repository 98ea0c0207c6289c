"""Writes `splits.jsonl`, once: numbers that were reported on a split mean nothing after it was drawn anew."""

from __future__ import annotations

from pathlib import Path

from ragtui.dataset.model import EvaluationSet
from ragtui.dataset.split import TEST, Division
from ragtui.dataset.writing import CannotWrite, write_lines


def splits_file(evaluation: EvaluationSet, *, replace: bool = False) -> Path:
    """Where the splits of a set stand.

    Raises:
        CannotWrite: the set is no folder, or has several splits already and they are not to be replaced.
    """
    folder = evaluation.path
    if not folder.is_dir():
        raise CannotWrite("split.needs-folder", where=str(folder))
    file = folder / "splits.jsonl"
    if not replace and (file.exists() or len(evaluation.splits) > 1):
        known = ", ".join(evaluation.splits) or "-"
        raise CannotWrite("split.has-splits", where=str(file if file.exists() else folder), known=known)
    return file


def write_division(evaluation: EvaluationSet, division: Division, *, replace: bool = False) -> Path:
    """Write the splits of a set, the test split sealed, whole or not at all; returns the file.

    Raises:
        CannotWrite: as for `splits_file`, or the folder cannot be written.
    """
    file = splits_file(evaluation, replace=replace)
    records = (
        {"query_id": query_id, "split": split} | ({"sealed": True} if split == TEST else {})
        for query_id, split in division.split_of.items()
    )
    try:
        write_lines(file, records)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CannotWrite("dataset.cannot-write", path=file, reason=reason) from error
    return file
