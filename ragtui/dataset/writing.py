"""Writes the native folder and runs: whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

from ragtui import atomic
from ragtui.dataset.model import EvaluationSet, Run
from ragtui.dataset.names import is_file_name
from ragtui.dataset.native_records import (
    chunk_records,
    gold_records,
    plain,
    query_records,
    run_records,
    settings_table,
)
from ragtui.dataset.snapshot import freeze
from ragtui.errors import RagtuiError

NO_SPLIT = "unassigned"
"""What the file of gold is called whose queries are in no split."""


class CannotWrite(RagtuiError):
    """A folder or file that cannot be written: taken already, no permission, no space."""


def write_native(evaluation: EvaluationSet, folder: Path) -> None:
    """Write a set as a native folder, built aside and then renamed: it is there whole or not at all.

    Raises:
        CannotWrite: `folder` is a file or not empty, or the place cannot be written.
    """
    with new_folder(folder) as aside:
        _write_tables(evaluation, aside)
        for run in evaluation.runs.values():
            _write_run_files(run, aside / "runs")


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into that becomes `folder` when the block ends well; else nothing is left.

    Raises:
        CannotWrite: `folder` is a file or not empty, or the place cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise CannotWrite("dataset.not-a-folder", folder=folder)
    if folder.is_dir() and any(folder.iterdir()):
        raise CannotWrite("dataset.folder-not-empty", folder=folder)
    with _writing(folder), _built_aside(folder) as aside:
        yield aside


def write_run(run: Run, folder: Path, *, replace: bool = False) -> Path:
    """Write `<name>.jsonl` and, where the run has a card, `<name>.toml` into `folder`; returns the former.

    Raises:
        CannotWrite: the name cannot be a file name, the run is there and not to be replaced, or the place
            cannot be written.
    """
    path = run_file(folder, run.name, replace=replace)
    with _writing(path):
        _write_run_files(run, folder)
    return path


def run_file(folder: Path, name: str, *, replace: bool = False) -> Path:
    """Where `write_run` would write, so that a long run need not be made to learn that it cannot be kept.

    Raises:
        CannotWrite: the name cannot be a file name, or the run is there and not to be replaced.
    """
    if not is_file_name(name):
        raise CannotWrite("dataset.bad-run-name", name=name)
    path = folder / f"{name}.jsonl"
    if path.exists() and not replace:
        raise CannotWrite("dataset.run-exists", where=str(path), name=name)
    return path


def write_snapshot(evaluation: EvaluationSet, parameters: Mapping[str, Any] | None = None) -> Path:
    """Write `snapshot.json` into the folder of a set; returns the file.

    Raises:
        CannotWrite: the set is no folder, or the folder cannot be written.
    """
    import orjson

    if not evaluation.path.is_dir():
        raise CannotWrite("dataset.freeze-needs-folder", where=str(evaluation.path))
    path = evaluation.path / "snapshot.json"
    content = orjson.dumps(
        freeze(evaluation, parameters), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    )
    with _writing(path):
        atomic.write_bytes(path, content)
    return path


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Errors of the operating system as errors a user can mend."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CannotWrite("dataset.cannot-write", path=path, reason=reason) from error
    except TypeError as error:  # what JSON and TOML writers raise for a value they have no form for
        raise CannotWrite("dataset.cannot-write", path=path, reason=str(error)) from error


@contextmanager
def _built_aside(folder: Path) -> Iterator[Path]:
    """A new folder beside `folder` that takes its place when the block ends well; else nothing is left."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        yield aside
        mask = os.umask(0)
        os.umask(mask)
        aside.chmod(0o777 & ~mask)
        aside.replace(folder)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


def _write_tables(evaluation: EvaluationSet, folder: Path) -> None:
    settings = settings_table(evaluation)
    if settings:
        atomic.write_bytes(folder / "set.toml", _toml(settings))
    if len(evaluation.chunks):
        write_lines(folder / "corpus.jsonl", chunk_records(evaluation.chunks))
    write_lines(folder / "queries.jsonl", query_records(evaluation.queries))
    (folder / "qrels").mkdir()
    for split, rows in evaluation.gold.groupby("split", sort=False, dropna=False):
        name = split if isinstance(split, str) else NO_SPLIT
        _write_gold(folder / "qrels", name, rows)
    write_splits(evaluation, folder)


def write_splits(evaluation: EvaluationSet, folder: Path) -> None:
    """Write `splits.jsonl` where the splits cannot be told from the gold files alone."""
    if not _needs_splits(evaluation):
        return
    records = (
        {"query_id": query_id, "split": split}
        for query_id, split in evaluation.query_split.items()
        if isinstance(split, str)
    )
    write_lines(folder / "splits.jsonl", records)


def _needs_splits(evaluation: EvaluationSet) -> bool:
    """Whether the splits cannot be told from the gold files alone."""
    of_gold = dict(zip(evaluation.gold["query_id"], evaluation.gold["split"], strict=True))
    names = list(dict.fromkeys(of_gold.values())) or ["all"]
    only = names[0] if len(names) == 1 else None
    return any(of_gold.get(query_id, only) != split for query_id, split in evaluation.query_split.items())


def _write_gold(folder: Path, split: str, rows: pd.DataFrame) -> None:
    """BEIR's table of three columns where it can say everything, else one JSON object a line."""
    ids = [*rows["query_id"], *rows["chunk_id"]]
    bare = (
        not any(rows["reason"])
        and not any(rows["annotator"])
        and rows[["group", "role"]].isna().all(axis=None)
    )
    if bare and not any(set(one) & set("\0\t\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029") for one in ids):
        lines = ["query-id\tcorpus-id\tscore\n"]
        for row in rows.itertuples():
            lines.append(f"{row.query_id}\t{row.chunk_id}\t{plain(row.grade)}\n")
        atomic.write_text(folder / f"{split}.tsv", "".join(lines))
        return
    write_lines(folder / f"{split}.jsonl", gold_records(rows))


def _write_run_files(run: Run, folder: Path) -> None:
    """The card first: a run is never there without it."""
    folder.mkdir(parents=True, exist_ok=True)
    if run.card is not None:
        fields = {name: value for name, value in run.card.fields.items() if value is not None}
        atomic.write_bytes(folder / f"{run.name}.toml", _toml(fields))
    write_lines(folder / f"{run.name}.jsonl", run_records(run))


def write_lines(path: Path, records: Iterable[dict[str, Any]]) -> None:
    """Write records as JSON Lines, at once or not at all."""
    import orjson

    with atomic.replacing(path) as file:
        for record in records:
            file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_SERIALIZE_NUMPY))


def _toml(table: Mapping[str, Any]) -> bytes:
    import tomli_w

    return tomli_w.dumps(table).encode()
