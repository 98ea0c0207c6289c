"""A BEIR folder: corpus, queries and qrels by split, with runs as `{query: {chunk: score}}`."""

from __future__ import annotations

from pathlib import Path

from ragtui import atomic
from ragtui.dataset.export.scored_lists import scored_lists
from ragtui.dataset.export.simple_gold import by_split
from ragtui.dataset.model import EvaluationSet, Run
from ragtui.dataset.native_records import chunk_records, plain, query_records
from ragtui.dataset.writing import CannotWrite, new_folder, write_lines, write_splits

_BREAKS = frozenset("\0\t\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def write_beir(evaluation: EvaluationSet, folder: Path) -> None:
    """Write `corpus.jsonl`, `queries.jsonl`, `qrels/<split>.tsv` and `runs/<name>.json`.

    Raises:
        CannotWrite: an id cannot stand in a table, `folder` is taken, or the place cannot be written.
    """
    for one in (*evaluation.gold["query_id"], *evaluation.gold["chunk_id"]):
        if _BREAKS & set(one):
            raise CannotWrite("dataset.not-a-table-id", id=one)
    with new_folder(folder) as aside:
        if len(evaluation.chunks):
            write_lines(aside / "corpus.jsonl", chunk_records(evaluation.chunks))
        write_lines(aside / "queries.jsonl", query_records(evaluation.queries))
        (aside / "qrels").mkdir()
        for split, rows in by_split(evaluation):
            pairs = zip(rows["query_id"], rows["chunk_id"], rows["grade"], strict=True)
            lines = "".join(f"{q}\t{c}\t{plain(grade)}\n" for q, c, grade in pairs)
            atomic.write_text(aside / "qrels" / f"{split}.tsv", f"query-id\tcorpus-id\tscore\n{lines}")
        if evaluation.runs:
            (aside / "runs").mkdir()
        for run in evaluation.runs.values():
            _write_run(run, aside / "runs" / f"{run.name}.json")
        write_splits(evaluation, aside)


def _write_run(run: Run, path: Path) -> None:
    """One query a line, so that a person can look into it."""
    import orjson

    lists = scored_lists(run).lists
    with atomic.replacing(path) as file:
        file.write(b"{")
        for row, query_id in enumerate(lists.query_ids):
            chunks, scores = lists.list_of(query_id)
            scored = dict(zip(chunks, scores.tolist(), strict=True))
            file.write(b",\n" if row else b"\n")
            file.write(orjson.dumps(query_id) + b": " + orjson.dumps(scored))
        file.write(b"\n}\n")
