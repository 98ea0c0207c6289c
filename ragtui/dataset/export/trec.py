"""A folder of TREC files: qrels by split, runs, and the texts of the queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ragtui import atomic
from ragtui.dataset.export.scored_lists import scored_lists
from ragtui.dataset.export.simple_gold import by_split
from ragtui.dataset.model import EvaluationSet, Run
from ragtui.dataset.native_records import plain
from ragtui.dataset.writing import CannotWrite, new_folder, write_splits


def write_trec(evaluation: EvaluationSet, folder: Path) -> None:
    """Write `qrels.<split>.trec`, `run.<name>.trec`, `queries.tsv` and, where needed, `splits.jsonl`.

    Raises:
        CannotWrite: an id cannot stand in such a file, `folder` is taken, or the place cannot be written.
    """
    _refuse_ids(evaluation.queries.index)
    _refuse_ids(evaluation.gold["chunk_id"])
    with new_folder(folder) as aside:
        texts = (f"{one}\t{_one_line(text)}\n" for one, text in evaluation.queries["text"].items())
        _write(aside / "queries.tsv", (line for part in (["query_id\ttext\n"], texts) for line in part))
        for split, rows in by_split(evaluation):
            pairs = zip(rows["query_id"], rows["chunk_id"], rows["grade"], strict=True)
            _write(aside / f"qrels.{split}.trec", (f"{q} 0 {c} {plain(grade)}\n" for q, c, grade in pairs))
        for run in evaluation.runs.values():
            _refuse_ids([*run.lists.query_ids, *run.lists.vocabulary])
            _write(aside / f"run.{run.name}.trec", _run_lines(run))
        write_splits(evaluation, aside)


def _run_lines(run: Run) -> Iterator[str]:
    tag = "_".join(run.name.split())
    lists = scored_lists(run).lists
    for row, query_id in enumerate(lists.query_ids):
        start, end = int(lists.offsets[row]), int(lists.offsets[row + 1])
        chunks = lists.vocabulary[lists.codes[start:end]]
        for rank, (chunk, score) in enumerate(zip(chunks, lists.scores[start:end].tolist(), strict=True), 1):
            yield f"{query_id} Q0 {chunk} {rank} {plain(score)} {tag}\n"


def _refuse_ids(ids: Iterable[str]) -> None:
    """White space separates columns in these files, and `#` starts a comment."""
    for one in ids:
        if one.split() != [one] or one.startswith("#"):
            raise CannotWrite("dataset.not-a-trec-id", id=one)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _write(path: Path, lines: Iterable[str]) -> None:
    with atomic.replacing(path) as file:
        for line in lines:
            file.write(line.encode())
