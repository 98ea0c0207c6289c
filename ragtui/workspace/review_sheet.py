"""Failures as rows for other programs, and what people wrote into them on the way back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragtui.analysis.export import as_csv, as_excel_csv, as_jsonl, as_markdown
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t
from ragtui.review.tables import Line, read_table
from ragtui.workspace.review_failures import Failure

if TYPE_CHECKING:
    from ragtui.workspace.workspace import Workspace

_COLUMN = re.compile(r"(causes|note): (.+)", re.DOTALL)
_BETWEEN = "; "


@dataclass(frozen=True, slots=True)
class Written:
    """What one reviewer says of one query in a file: names of causes, and a note."""

    query_id: str
    reviewer: str
    causes: tuple[str, ...]
    note: str


def failure_rows(
    found: Sequence[Failure], run: str, k: int, reviewers: Sequence[str]
) -> list[dict[str, Any]]:
    """One row for each failure, with two columns for each reviewer, untagged ones too.

    A list stands in one cell, separated by semicolons.
    """
    rows = []
    for failure in found:
        row = _facts(failure, run, k)
        for reviewer in reviewers:
            tag = failure.tags.get(reviewer)
            row[f"causes: {reviewer}"] = _BETWEEN.join(tag.causes) if tag else ""
            row[f"note: {reviewer}"] = tag.note if tag else ""
        rows.append(row)
    return rows


def failure_records(
    found: Sequence[Failure], run: str, k: int, reviewers: Sequence[str]
) -> list[dict[str, Any]]:
    """The same as nested records: `tags` holds causes and note by reviewer."""
    return [
        {
            **_facts(failure, run, k),
            "missed": list(failure.missed),
            "tags": {
                reviewer: {
                    "causes": list(tag.causes) if (tag := failure.tags.get(reviewer)) else [],
                    "note": tag.note if tag else "",
                }
                for reviewer in reviewers
            },
        }
        for failure in found
    ]


def exported(found: Sequence[Failure], file_format: str, run: str, k: int, reviewers: Sequence[str]) -> str:
    """Failures as `csv`, `excel` (CSV with a byte order mark), `jsonl` or `md`."""
    if file_format == "jsonl":
        return as_jsonl(failure_records(found, run, k, reviewers))
    rows = failure_rows(found, run, k, reviewers)
    if file_format == "md":
        heading = t("review.export.heading", n=len(found), run=inert(run), k=k)
        return f"# {heading}\n\n{as_markdown(rows)}"
    return as_excel_csv(rows) if file_format == "excel" else as_csv(rows)


def read_written(path: Path) -> list[Written]:
    """What reviewers wrote into an export.

    Raises:
        BadInput: the file cannot be read as a table.
        RagtuiError: it has no column `query_id`, or none of a reviewer.
    """
    lines = read_table(path)
    if lines and not any("query_id" in line.cells for line in lines):
        raise RagtuiError("review.no-query-column", where=str(path))
    found = [written for line in lines for written in _of_line(line)]
    if lines and not found:
        raise RagtuiError("review.no-reviewer-column", where=str(path))
    return found


def take_in(workspace: Workspace, written: Sequence[Written]) -> int:
    """Keep what differs from what holds, each in the name of its reviewer; gives how many.

    Raises:
        RagtuiError: an unknown cause or query, or the journal cannot be written. Nothing is kept then.
    """
    from ragtui.analysis.causes.catalogue import cause_named
    from ragtui.review.events import Tag, as_kept
    from ragtui.workspace.review import Review

    review = workspace.review
    known = set(workspace.set.queries.index)
    changed: dict[str, list[Tag]] = {}
    for one in written:
        if one.query_id not in known:
            raise RagtuiError("review.unknown-query", query=inert(one.query_id))
        causes = tuple(dict.fromkeys(cause_named(cause, review.causes).name for cause in one.causes))
        stands = review.tags(one.query_id).get(one.reviewer)
        note = as_kept(one.note)
        if (causes, note) != ((stands.causes, stands.note) if stands else ((), "")):
            changed.setdefault(one.reviewer, []).append(Tag(one.query_id, causes, note))
    for reviewer, tags in changed.items():
        Review(workspace, reviewer).journal.append(*tags)
    review.journal.refresh()
    return sum(map(len, changed.values()))


def _facts(failure: Failure, run: str, k: int) -> dict[str, Any]:
    suggested = failure.suggested
    return {
        "query_id": failure.query_id,
        "run": run,
        "k": k,
        "text": failure.text,
        "type": failure.type or None,
        "mark": failure.mark,
        "got": failure.got,
        "groups": failure.groups,
        "first_rank": failure.first_rank,
        "missed": _BETWEEN.join(failure.missed),
        "run_state": failure.run_state,
        "guarded": failure.guarded.text if failure.guarded else None,
        "suggested": suggested.cause if suggested else None,
        "evidence": suggested.evidence() if suggested else None,
        "remedy": suggested.remedy() if suggested else None,
    }


def _of_line(line: Line) -> list[Written]:
    query_id = line.cells.get("query_id", "")
    tags = line.nested.get("tags")
    if isinstance(tags, dict):
        return [
            Written(
                query_id,
                str(reviewer),
                tuple(map(str, said.get("causes") or ())),
                str(said.get("note") or ""),
            )
            for reviewer, said in tags.items()
            if isinstance(said, dict)
        ]
    found: dict[str, dict[str, str]] = {}
    for name, text in line.cells.items():
        match = _COLUMN.fullmatch(name)
        if match:
            found.setdefault(match[2], {})[match[1]] = text
    return [
        Written(
            query_id,
            reviewer,
            tuple(part.strip() for part in said.get("causes", "").split(";") if part.strip()),
            said.get("note", ""),
        )
        for reviewer, said in found.items()
    ]
