"""Sheets on which people grade, and what they wrote on the way back.

Three columns take a grade, and what becomes of it differs: `grade` (or `grade: NAME`) is a blind rating that
shows how far people agree and changes no gold; `gold` labels a pair that had no label; `decision` settles
what raters grade differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragtui.analysis.columns import as_number
from ragtui.dataset.native_records import plain
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.review.adjudication import ratings_of
from ragtui.review.blind import Item
from ragtui.review.events import Decision, Grade, Rating, as_kept
from ragtui.review.tables import Line, read_table

if TYPE_CHECKING:
    from ragtui.workspace.review import Review
    from ragtui.workspace.workspace import Workspace

UNNAMED = "gold"
"""What annotators without a name are called."""
GRADE, LABEL, DECISION, REASON = "grade", "gold", "decision", "reason"

Row = dict[str, Any]
Act = Rating | Grade | Decision


def sheet(workspace: Workspace, items: Sequence[Item], raters: Sequence[str]) -> list[Row]:
    """Pairs to rate with what has to be read, and a column for each rater, unrated ones empty."""
    given = ratings_of(workspace.set, workspace.review.journal.state)
    queries, chunks = workspace.set.queries["text"], workspace.set.chunks
    rows = []
    for item in items:
        known = item.chunk_id in chunks.index
        row: Row = {
            "query_id": item.query_id,
            "chunk_id": item.chunk_id,
            "query": str(queries.get(item.query_id, "")),
            "title": str(chunks["title"].at[item.chunk_id]) if known else "",
            "text": str(chunks["text"].at[item.chunk_id]) if known else "",
        }
        grades = given.get(item, {})
        for rater in raters:
            said = grades.get("" if rater == UNNAMED else rater)
            row[f"{GRADE}: {rater}"] = None if said is None else plain(float(said))
        rows.append(row)
    return rows


def pilot_sheet(workspace: Workspace, n: int) -> list[Row]:
    """The sample that everybody rates, blind: an empty column `grade`, and nothing of what others say."""
    return [{**row, GRADE: None} for row in sheet(workspace, workspace.review.pilot(n), [])]


def pool_sheet(workspace: Workspace, k: int) -> list[Row]:
    """Pairs without a grade among the first K of all runs, blind and shuffled: empty columns for a label."""
    items = workspace.review.pool(workspace.query_ids.tolist(), k)
    return [{**row, LABEL: None, REASON: None} for row in sheet(workspace, items, [])]


def disputes_sheet(workspace: Workspace) -> list[Row]:
    """Pairs that raters grade differently, with what each says, and columns for what they settle on."""
    ids = set(workspace.query_ids.tolist())
    found = [one for one in workspace.review.disagreements() if one.query_id in ids]
    raters = list(dict.fromkeys(rater or UNNAMED for one in found for rater in one.grades))
    rows = sheet(workspace, [Item(one.query_id, one.chunk_id) for one in found], raters)
    reasons = _reasons(workspace.review)
    return [
        {
            **row,
            DECISION: None if one.decided is None else plain(one.decided),
            REASON: reasons.get(Item(one.query_id, one.chunk_id)),
        }
        for row, one in zip(rows, found, strict=True)
    ]


def take_in_grades(workspace: Workspace, path: Path) -> int:
    """Keep the grades of a filled-in sheet; gives how many are new.

    Columns are `grade: NAME`, each a blind rating in that name, and in the name of the reviewer at hand
    `grade`, `gold` (blind, no run was in sight) and `decision`, these two with their `reason`. What the files
    of gold say in a rater's name is no news, and the column of unnamed annotators is passed over. An emptied
    cell takes one's rating or decision back; an empty cell of `gold` says nothing.

    Raises:
        BadInput: the file cannot be read.
        RagtuiError: a column is missing, or a query, chunk or grade is not one of the set's. Nothing is kept
            then.
    """
    from ragtui.workspace.review import Review

    lines = read_table(path)
    review = workspace.review
    columns = _columns(lines, review.reviewer, path)
    reading = _Reading(workspace, path, ratings_of(workspace.set, review.journal.state))
    news: dict[str, list[Act]] = {}
    for line in lines:
        for column, rater in columns.items():
            act = reading.news(line, column, rater)
            if act is not None:
                review.check(act.query_id, act.grade)
                news.setdefault(rater, []).append(act)
    for rater, acts in news.items():
        Review(workspace, rater).journal.append(*acts)
    review.journal.refresh()
    return sum(map(len, news.values()))


@dataclass(frozen=True)
class _Reading:
    """Finds what a line says that does not hold yet."""

    workspace: Workspace
    path: Path
    given: Mapping[Item, Mapping[str, float]]

    def news(self, line: Line, column: str, rater: str) -> Act | None:
        """What a cell says that is new."""
        item = Item(line.cells.get("query_id", ""), line.cells.get("chunk_id", ""))
        grade = self._grade(line, column)
        reason = as_kept(line.cells.get(REASON, ""))
        if column == LABEL:
            return self._label(item, grade, reason, rater)
        if column == DECISION:
            return self._decision(item, grade, reason, rater)
        return self._rating(item, grade, rater)

    def _rating(self, item: Item, grade: float | None, rater: str) -> Rating | None:
        stands = self.given.get(item, {}).get("" if rater == UNNAMED else rater)
        rated = self.workspace.review.journal.state.standing(Rating, *item).get(rater)
        can_be_taken_back = rated is not None and rated.grade is not None
        if grade == stands or rater == UNNAMED or (grade is None and not can_be_taken_back):
            return None
        return Rating(*item, grade)

    def _label(self, item: Item, grade: float | None, reason: str, rater: str) -> Grade | None:
        if grade is None:
            return None
        evaluation = self.workspace.set
        if item not in self.given and len(evaluation.chunks) and item.chunk_id not in evaluation.chunks.index:
            raise RagtuiError("agree.unknown-chunk", where=str(self.path), chunk=inert(item.chunk_id))
        own = self.workspace.review.journal.state.standing(Grade, *item).get(rater)
        if own is not None and (own.grade, own.reason) == (grade, reason):
            return None
        was = self.workspace.review.grades_of_gold(item.query_id).get(item.chunk_id)
        return Grade(*item, grade, was, reason, blind=True)

    def _decision(self, item: Item, grade: float | None, reason: str, rater: str) -> Decision | None:
        standing = self.workspace.review.journal.state.standing(Decision, *item)
        last = max(standing.items(), key=lambda one: one[0] == rater, default=("", None))[1]
        holds = (None, "") if last is None or last.grade is None else (last.grade, last.reason)
        if (grade, reason if grade is not None else "") == holds:
            return None
        heard = self.given.get(item, {})
        if grade is not None and len(heard) < 2:
            raise RagtuiError("agree.nothing-to-settle", where=str(self.path), chunk=inert(item.chunk_id))
        return Decision(*item, grade, reason, tuple(heard.items()), tuple(self.workspace.runs))

    def _grade(self, line: Line, column: str) -> float | None:
        text = line.cells.get(column, "").strip()
        if not text:
            return None
        grade = as_number(text)
        if grade is None:
            place = f"{self.path}:{line.number}" if line.number is not None else str(self.path)
            raise RagtuiError("agree.no-grade", where=place, given=inert(text))
        return grade


def _columns(lines: Sequence[Line], reviewer: str, path: Path) -> dict[str, str]:
    """Columns of grades, with the rater of each."""
    names = list(dict.fromkeys(name for line in lines for name in line.cells))
    if DECISION in names:  # what raters say stands beside it to be read
        found = {DECISION: reviewer}
    else:
        found = {name: name.partition(": ")[2] for name in names if name.startswith(f"{GRADE}: ")}
        found |= {name: reviewer for name in (GRADE, LABEL) if name in names}
    missing = next((name for name in ("query_id", "chunk_id") if name not in names), None)
    if lines and (missing or not found):
        raise RagtuiError("agree.no-sheet", where=str(path))
    return found


def _reasons(review: Review) -> dict[Item, str]:
    """Reasons of the decisions that stand."""
    standing = review.journal.state.all_standing(Decision)
    return {
        Item(place.query_id, place.chunk_id): decision.reason
        for place, _, decision in standing
        if decision.grade is not None and decision.reason
    }
