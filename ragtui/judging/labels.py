"""What people say of the things that a judge judges: calibration pairs of a judge, and the gold of a set.

A label table has the columns `LABEL_COLUMNS`; a judge is measured on it by `ragtui.judging.card`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd

from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.judging.items import asks_together, text_hash
from ragtui.judging.model import VERDICT_COLUMNS, Item, Judge
from ragtui.judging.selection import Selected, hashes_of
from ragtui.metrics.tokens import count_tokens

LABEL_COLUMNS = (
    "query_id",
    "chunk_id",
    "claim",
    "text_hash",
    "label",
    "language",
    "kind",
    "tokens",
    "position",
    "planted",
)
"""Columns of a label table. The first four name what is labelled, as in the verdict table. `label` is on the
scale of the judge, NaN where people gave none; `kind` is `plain`, `planted-instruction`, `long` …; `tokens`
are those of what is judged, estimated; `position` is the rank, or the place of the evidence in a long text,
`""` where unsaid; `planted` says what a planted instruction asks for: `up` the highest value, `down` the
lowest."""

FILE = "calibration.jsonl"


@dataclass(frozen=True, eq=False)
class Calibration:
    """Labelled pairs of a judge.

    Attributes:
        labels: `LABEL_COLUMNS`.
        by_language: what has to be judged, by the language in which it should be asked about.
    """

    labels: pd.DataFrame
    by_language: Mapping[str, tuple[Selected, ...]]


def calibration_of(judge: Judge) -> Calibration:
    """The labelled pairs in the folder of a judge.

    Raises:
        RagtuiError: there are none, or a line of them cannot be used; it names file, line and fault.
    """
    file = judge.folder / FILE if judge.folder is not None else None
    if file is None or not file.is_file():
        raise RagtuiError("judging.no-calibration", where=str(judge.folder or ""), name=judge.name)
    labels: list[dict[str, Any]] = []
    by_language: dict[str, list[Selected]] = {}
    for line, record in _records(file):
        try:
            item, found = _pair(judge, record)
        except (KeyError, TypeError, ValueError) as error:
            _refuse(file, line, f"{type(error).__name__}: {error}")
        labels += found
        chunk_ids = (item.chunk_id,) if item.chunk_id else tuple(chunk_id for chunk_id, _ in item.contexts)
        selected = Selected(item.query_id, "judged", chunk_ids, (item,))
        by_language.setdefault(str(record["language"]), []).append(selected)
    return Calibration(
        _table(labels), {language: tuple(selected) for language, selected in by_language.items()}
    )


def labels_of_gold(
    judge: Judge,
    selected: Sequence[Selected],
    gold: Mapping[str, Mapping[str, float]],
    *,
    level: float,
    complete: bool = False,
) -> pd.DataFrame:
    """Gold as labels of the contexts that were judged, for judges of contexts.

    Args:
        judge: of 0 and 1, for which a label says whether the grade is relevant; or of grades.
        selected: what was judged.
        gold: grades by query and chunk.
        level: grade from which a chunk is relevant.
        complete: whether a chunk without gold is known to be irrelevant; else it has no label.
    """
    rows = []
    for query in selected:
        grades = gold.get(query.query_id, {})
        for rank, (item, digest, chunk_id) in enumerate(_contexts(judge, query), 1):
            grade = grades.get(chunk_id, 0.0 if complete else math.nan)
            binary = judge.scale == (0.0, 1.0) and not math.isnan(grade)
            text = item.context or dict(item.contexts).get(chunk_id, "")
            rows.append(
                {
                    "query_id": query.query_id,
                    "chunk_id": chunk_id,
                    "text_hash": digest,
                    "label": float(grade >= level) if binary else grade,
                    "tokens": count_tokens(text),
                    "position": str(rank),
                }
            )
    return _table(rows)


def labels_of_grades(grades: pd.DataFrame) -> pd.DataFrame:
    """Grades of people as labels.

    Args:
        grades: columns query_id, chunk_id, grade, such as the gold of a set.
    """
    named = grades[["query_id", "chunk_id", "grade"]].rename(columns={"grade": "label"})
    return _table(named.to_dict("records"))


def verdicts_of_labels(judge: Judge, labels: pd.DataFrame, *, by: str) -> pd.DataFrame:
    """A label table as verdicts, so that scores can be made of what people say, or of what a model said.

    Args:
        judge: in whose place they stand.
        labels: `LABEL_COLUMNS`; rows without a label are left out.
        by: who gave them, in place of the model.
    """
    given = labels[labels["label"].notna()]
    columns: dict[str, Any] = {name: given[name].tolist() for name in LABEL_COLUMNS[:4]}
    columns |= {"value": given["label"].tolist(), "status": "ok", "judge": judge.name}
    columns |= {"version": judge.version, "model": by, "repeat": 0, "reason": "", "raw": "", "cached": False}
    return pd.DataFrame({name: columns.get(name) for name in VERDICT_COLUMNS}, index=range(len(given)))


def _contexts(judge: Judge, query: Selected) -> Iterator[tuple[Item, str, str]]:
    """Each context of a query once, with the item that it was judged in and the hash of that."""
    pairs = zip(query.items, hashes_of(judge, query), strict=True)
    if asks_together(judge):
        yield from ((item, digest, chunk_id) for item, digest in pairs for chunk_id in query.chunk_ids)
    else:
        yield from ((item, digest, item.chunk_id) for item, digest in pairs)


def _records(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        _refuse(file, 1, "UTF-8")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            _refuse(file, number, str(error))
        if not isinstance(record, dict):
            _refuse(file, number, type(record).__name__)
        yield number, record


def _pair(judge: Judge, record: Mapping[str, Any]) -> tuple[Item, list[dict[str, Any]]]:
    """What a line asks about, and its labels: one, or one for each statement of a reference."""
    whole = judge.unit == "reference"
    contexts = [str(text) for text in record["contexts"]] if whole else []
    item = Item(
        query_id=str(record["query_id"]),
        query=str(record["query"]),
        chunk_id="" if whole else str(record["chunk_id"]),
        context="" if whole else str(record["context"]),
        reference=str(record["reference"]),
        contexts=tuple((f"c{place}", text) for place, text in enumerate(contexts, 1)),
        claim=str(record["claim"]) if judge.unit == "statement-context" else "",
        gold=tuple((str(chunk_id), str(text)) for chunk_id, text in record.get("gold", ())),
    )
    common = {
        "query_id": item.query_id,
        "chunk_id": item.chunk_id or None,
        "text_hash": text_hash(judge, item),
        "language": str(record["language"]),
        "kind": str(record["kind"]),
        "tokens": count_tokens(item.context + "".join(contexts)),
        "position": str(record.get("position", "")),
        "planted": str(record.get("planted", "")),
    }
    said = (
        [(s["statement"], s["label"]) for s in record["statements"]] if whole else [(None, record["label"])]
    )
    labels = []
    for claim, label in said:
        if label not in judge.scale:
            raise ValueError(f"label {label}")
        labels.append({**common, "claim": claim if whole else item.claim or None, "label": float(label)})
    return item, labels


def _table(rows: Sequence[Mapping[Any, Any]]) -> pd.DataFrame:
    unsaid = {"chunk_id": None, "claim": None, "tokens": math.nan, "label": math.nan}
    columns = {name: [row.get(name, unsaid.get(name, "")) for row in rows] for name in LABEL_COLUMNS}
    table = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})
    return table.astype({"label": float, "tokens": float})


def _refuse(file: Path, line: int, reason: str) -> NoReturn:
    raise RagtuiError("judging.bad-calibration", where=f"{file}:{line}", reason=inert(reason))
