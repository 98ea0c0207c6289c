"""How far annotators and reviewers of a set agree, and the sheets they rate on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ragtui.analysis.columns import as_number, shown
from ragtui.dataset.native_records import plain
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.review.adjudication import ratings_of
from ragtui.review.blind import Item
from ragtui.review.events import Rating, Tag
from ragtui.review.rated import Rated
from ragtui.review.tables import Line, read_table

if TYPE_CHECKING:
    from ragtui.workspace.workspace import Workspace

GOLD = "gold"
"""What annotators without a name are called."""
GRADE = "grade"


def rated_set(workspace: Workspace) -> tuple[Rated, ...]:
    """What raters of the split say: grades, and main causes where two reviewers gave any."""
    causes = rated_causes(workspace)
    return (rated_grades(workspace), *([causes] if len(causes.raters) > 1 else []))


def rated_causes(workspace: Workspace) -> Rated:
    """Every tagged query with the main cause that each reviewer gave."""
    ids = set(workspace.query_ids.tolist())
    found: dict[str, dict[str, str]] = {}
    for place, event, tag in workspace.review.journal.state.all_standing(Tag):
        if tag.causes and place.query_id in ids:
            found.setdefault(place.query_id, {})[event.reviewer] = tag.causes[0]
    words = tuple(sorted({cause for said in found.values() for cause in said.values()}))
    raters = list(dict.fromkeys(rater for said in found.values() for rater in said))
    columns = {
        rater: [float(words.index(said[rater])) if rater in said else np.nan for said in found.values()]
        for rater in raters
    }
    table = pd.DataFrame(columns, dtype=np.float64, index=range(len(found)))
    items = tuple((query_id,) for query_id in found)
    return Rated("cause", ("query_id",), items, table, _types(workspace, list(found)), words)


def rated_grades(workspace: Workspace) -> Rated:
    """Every graded pair of the split with the grade of every rater: annotators of gold, and reviewers."""
    ids = set(workspace.query_ids.tolist())
    found = {
        item: grades
        for item, grades in ratings_of(workspace.set, workspace.review.journal.state).items()
        if item.query_id in ids
    }
    raters = list(dict.fromkeys(rater for grades in found.values() for rater in grades))
    columns = {rater or GOLD: [grades.get(rater, np.nan) for grades in found.values()] for rater in raters}
    types = _types(workspace, [item.query_id for item in found])
    table = pd.DataFrame(columns, dtype=np.float64, index=range(len(found)))
    return Rated(GRADE, ("query_id", "chunk_id"), tuple(found), table, types)


def _types(workspace: Workspace, query_ids: Sequence[str]) -> tuple[str, ...] | None:
    """Type of each query; None where none has any."""
    kinds = workspace.set.queries["type"]
    types = tuple(shown(kinds.get(query_id)) for query_id in query_ids)
    return types if any(types) else None


def sheet(workspace: Workspace, items: Sequence[Item], raters: Sequence[str]) -> list[dict[str, Any]]:
    """Pairs to rate with what has to be read, and a column for each rater, unrated ones empty."""
    given = ratings_of(workspace.set, workspace.review.journal.state)
    queries, chunks = workspace.set.queries["text"], workspace.set.chunks
    rows = []
    for item in items:
        known = item.chunk_id in chunks.index
        row: dict[str, Any] = {
            "query_id": item.query_id,
            "chunk_id": item.chunk_id,
            "query": str(queries.get(item.query_id, "")),
            "title": str(chunks["title"].at[item.chunk_id]) if known else "",
            "text": str(chunks["text"].at[item.chunk_id]) if known else "",
        }
        grades = given.get(item, {})
        for rater in raters:
            said = grades.get("" if rater == GOLD else rater)
            row[f"{GRADE}: {rater}"] = None if said is None else plain(float(said))
        rows.append(row)
    return rows


def pilot_sheet(workspace: Workspace, n: int) -> list[dict[str, Any]]:
    """The sample that everybody rates, blind: an empty column `grade`, and nothing of what others say."""
    return [{**row, GRADE: None} for row in sheet(workspace, workspace.review.pilot(n), [])]


def take_in_grades(workspace: Workspace, path: Path) -> int:
    """Keep the grades of a filled-in sheet as blind ratings; gives how many are new.

    Columns are `grade: NAME`, each kept in that name, or `grade` for the reviewer at hand. What the files of
    gold say in a rater's name is no news, and the column of unnamed annotators is passed over. An emptied
    cell takes a rating back.

    Raises:
        BadInput: the file cannot be read.
        RagtuiError: a column is missing, or a query or grade is not one of the set's. Nothing is kept then.
    """
    from ragtui.workspace.review import Review

    lines = read_table(path)
    review = workspace.review
    given = ratings_of(workspace.set, review.journal.state)
    columns = _columns(lines, review.reviewer, path)
    news: dict[str, list[Rating]] = {}
    for line in lines:
        item = Item(line.cells.get("query_id", ""), line.cells.get("chunk_id", ""))
        for column, rater in columns.items():
            grade = _grade(line, column, path)
            stands = given.get(item, {}).get("" if rater == GOLD else rater)
            rated = review.journal.state.standing(Rating, *item).get(rater)
            can_be_taken_back = rated is not None and rated.grade is not None
            if grade != stands and rater != GOLD and (grade is not None or can_be_taken_back):
                review.check(item.query_id, grade)
                news.setdefault(rater, []).append(Rating(*item, grade))
    for rater, ratings in news.items():
        Review(workspace, rater).journal.append(*ratings)
    review.journal.refresh()
    return sum(map(len, news.values()))


def _columns(lines: Sequence[Line], reviewer: str, path: Path) -> dict[str, str]:
    """Columns of grades, with the rater of each."""
    names = list(dict.fromkeys(name for line in lines for name in line.cells))
    found = {name: name.partition(": ")[2] for name in names if name.startswith(f"{GRADE}: ")}
    if GRADE in names:
        found[GRADE] = reviewer
    missing = next((name for name in ("query_id", "chunk_id") if name not in names), None)
    if lines and (missing or not found):
        raise RagtuiError("agree.no-sheet", where=str(path))
    return found


def _grade(line: Line, column: str, path: Path) -> float | None:
    text = line.cells.get(column, "").strip()
    if not text:
        return None
    grade = as_number(text)
    if grade is None:
        place = f"{path}:{line.number}" if line.number is not None else str(path)
        raise RagtuiError("agree.no-grade", where=place, given=inert(text))
    return grade
