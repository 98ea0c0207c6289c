"""The sheets that `agree` gives out to be filled in."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragtui.analysis.export import as_csv, as_excel_csv, as_jsonl
from ragtui.cli.judged import Aim, narrowed
from ragtui.cli.output import say
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t
from ragtui.review.blind import Item
from ragtui.workspace import Workspace
from ragtui.workspace.review_agreement import rated_grades
from ragtui.workspace.review_sheets import disputes_sheet, pilot_sheet, pool_sheet, sheet


@dataclass(frozen=True)
class Wishes:
    """What of a set was asked for beside the figures.

    Attributes:
        pilot: so many pairs that everybody rates.
        pool: pairs that nobody has graded, among the first so many of every run.
        disputes: pairs that raters grade differently.
        form: of a sheet, `csv` or `jsonl`; alone it asks for a sheet of all ratings.
        where: a filter, `""` for none.
    """

    pilot: int | None
    pool: int | None
    disputes: bool
    form: str | None
    where: str

    def __post_init__(self) -> None:
        asked = [name for name, wish in self._sheets.items() if wish]
        if len(asked) > 1:
            raise RagtuiError("agree.one-sheet", given=", ".join(asked))

    @property
    def _sheets(self) -> dict[str, object]:
        return {"--pilot": self.pilot, "--pool": self.pool, "--disputes": self.disputes}

    @property
    def is_for_a_sheet(self) -> bool:
        """Whether a sheet is asked for, and no figures."""
        return any(self._sheets.values()) or self.form is not None

    def refuse_for_files(self, take: Path | None) -> None:
        """Refuse what only a set can give.

        Raises:
            RagtuiError: there is such a wish.
        """
        others = {"--export": self.form, "--where": self.where, "--import": take}
        asked = next((name for name, wish in (self._sheets | others).items() if wish), None)
        if asked is not None:
            raise RagtuiError("agree.needs-a-set", option=asked)


def narrowed_to(workspace: Workspace, where: str) -> Workspace:
    """The workspace with the queries that satisfy a filter, under its first run.

    Raises:
        BadFilter: the filter is wrong.
        RagtuiError: there is no run, or no query satisfies it.
    """
    if not workspace.runs:
        raise RagtuiError("cli.eval.no-runs-to-make", where=inert(str(workspace.set.path)))
    run = workspace.runs[0]
    found, _ = narrowed(workspace, Aim(run, workspace.set.settings.start_k, where=where))
    if not len(found.query_ids):
        raise RagtuiError("report.no-match", where="--where", given=inert(where))
    return found


def say_how_to_settle(workspace: Workspace) -> None:
    """Say to stderr how raters settle what they grade differently, where anything is left to settle."""
    ids = set(workspace.query_ids.tolist())
    undecided = [
        one for one in workspace.review.disagreements() if one.decided is None and one.query_id in ids
    ]
    if undecided:
        say(t("agree.settle", n=len(undecided)))


def write_sheet(workspace: Workspace, wishes: Wishes, *, bom: bool) -> None:
    """Print the sheet to stdout, and what it holds to stderr."""
    rows = _rows(workspace, wishes)
    if not rows:
        key = "pool" if wishes.pool else "disputes" if wishes.disputes else "ratings"
        say(t(f"agree.nothing-{key}", k=wishes.pool or 0))
    else:
        say(t("agree.sheet", n=len(rows)))
    if wishes.form == "jsonl":
        sys.stdout.write(as_jsonl(rows))
    else:
        sys.stdout.write(as_excel_csv(rows) if bom else as_csv(rows))


def _rows(workspace: Workspace, wishes: Wishes) -> list[dict[str, Any]]:
    if wishes.pilot is not None:
        return pilot_sheet(workspace, wishes.pilot)
    if wishes.pool is not None:
        if not workspace.runs:
            raise RagtuiError("cli.eval.no-runs-to-make", where=inert(str(workspace.set.path)))
        return pool_sheet(workspace, wishes.pool)
    if wishes.disputes:
        return disputes_sheet(workspace)
    rated = rated_grades(workspace)
    raters = list(dict.fromkeys([*rated.raters, workspace.review.reviewer]))
    return sheet(workspace, [Item(*item) for item in rated.items], raters)
