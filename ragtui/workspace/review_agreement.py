"""What annotators and reviewers of a set say, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ragtui.analysis.columns import shown
from ragtui.review.adjudication import ratings_of
from ragtui.review.events import Tag
from ragtui.review.rated import Rated
from ragtui.workspace.review_sheets import GRADE, UNNAMED

if TYPE_CHECKING:
    from ragtui.workspace.workspace import Workspace


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
    columns = {rater or UNNAMED: [grades.get(rater, np.nan) for grades in found.values()] for rater in raters}
    types = _types(workspace, [item.query_id for item in found])
    table = pd.DataFrame(columns, dtype=np.float64, index=range(len(found)))
    return Rated(GRADE, ("query_id", "chunk_id"), tuple(found), table, types)


def _types(workspace: Workspace, query_ids: Sequence[str]) -> tuple[str, ...] | None:
    """Type of each query; None where none has any."""
    kinds = workspace.set.queries["type"]
    types = tuple(shown(kinds.get(query_id)) for query_id in query_ids)
    return types if any(types) else None
