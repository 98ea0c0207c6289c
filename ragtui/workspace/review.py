"""What people decide about a set: the journal, the causes they gave, what rules suggest."""

from __future__ import annotations

import getpass
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ragtui import settings
from ragtui.analysis.causes.cases import case_of, run_kind
from ragtui.analysis.causes.catalogue import Cause, cause_named, causes_with
from ragtui.analysis.causes.model import RunKind, Suggestion
from ragtui.analysis.causes.rules import suggestions
from ragtui.analysis.query_table import MISS, PARTIAL
from ragtui.dataset.model import Run
from ragtui.review.events import Event, Guard, Note, Tag
from ragtui.review.journal import Journal

if TYPE_CHECKING:
    from ragtui.analysis.judged import JudgedQuery
    from ragtui.workspace.workspace import Workspace

NOBODY = "reviewer"


def reviewer_name() -> str:
    """In whose name decisions are written: that of the settings, else of the account."""
    chosen = settings.load()[0].reviewer
    if chosen:
        return chosen
    try:
        return getpass.getuser() or NOBODY
    except (OSError, KeyError, ImportError):
        return NOBODY


class Review:
    """Decisions about one set, by one reviewer; those of others are seen.

    Nothing is created on disk before the first decision. Every decision is on disk when its method returns;
    where it cannot be written the method raises `RagtuiError` and nothing has changed.
    """

    def __init__(self, workspace: Workspace, reviewer: str | None = None) -> None:
        self._workspace = workspace
        self.reviewer = reviewer or reviewer_name()
        self._causes_at: tuple[int, Mapping[str, tuple[str, ...]]] | None = None
        self._seen: dict[
            tuple[str, int, str | None, str], tuple[tuple[Suggestion, ...], tuple[str, ...]]
        ] = {}

    @cached_property
    def journal(self) -> Journal:
        """The journal, read when it is first asked for.

        Raises:
            RagtuiError: it is there and cannot be read.
        """
        return Journal.open(self._workspace.state_folder, self.reviewer)

    @property
    def read_only(self) -> str:
        """Why nothing can be decided here, for people; `""` where it can."""
        return self.journal.read_only

    @cached_property
    def causes(self) -> tuple[Cause, ...]:
        """Causes to choose from: ours and those of the set."""
        return causes_with(self._workspace.set.settings.causes)

    @property
    def causes_by_query(self) -> Mapping[str, tuple[str, ...]]:
        """Causes that people gave, by query: those of all reviewers, each once."""
        state = self.journal.state
        if self._causes_at is None or self._causes_at[0] != state.revision:
            found: dict[str, dict[str, None]] = {}
            for place, _, tag in state.all_standing(Tag):
                if tag.causes:
                    found.setdefault(place.query_id, {}).update(dict.fromkeys(tag.causes))
            self._causes_at = state.revision, {query: tuple(causes) for query, causes in found.items()}
        return self._causes_at[1]

    @property
    def guarded(self) -> frozenset[str]:
        """Ids of guarded queries, whoever guards them."""
        standing = self.journal.state.all_standing(Guard)
        return frozenset(place.query_id for place, _, guard in standing if guard.on)

    def tags(self, query_id: str) -> Mapping[str, Tag]:
        """What each reviewer says of a query, by name; taken-back tags have no causes."""
        return self.journal.state.standing(Tag, query_id)

    def notes(self, query_id: str, chunk_id: str = "") -> Mapping[str, str]:
        """Notes on a query, or on a chunk for it, by reviewer."""
        standing = self.journal.state.standing(Note, query_id, chunk_id)
        return {reviewer: note.text for reviewer, note in standing.items() if note.text}

    def suggestions(
        self, run: str, query_id: str, k: int, stage: str | None = None
    ) -> tuple[Suggestion, ...]:
        """What the rules suggest for a query, the one to show first; computed once.

        Takes some milliseconds a query, so ask for what is looked at.
        """
        return self._looked_at(run, query_id, k, stage)[0]

    def missed(self, run: str, query_id: str, k: int, stage: str | None = None) -> tuple[str, ...]:
        """Chunks of the evidence groups of which nothing is in the first K; found with the suggestions."""
        return self._looked_at(run, query_id, k, stage)[1]

    def forget_suggestions(self) -> None:
        """Suggest anew when next asked, such as after judging."""
        self._seen.clear()

    def failing(self, run: str, k: int, stage: str | None = None) -> list[str]:
        """Ids of queries that fail under a run: evidence missing in the first K, or a wrong answer."""
        table = self._workspace.table(run, k, stage)
        wrong = wrong_answers(self._workspace.run(run))
        marks = table.frame["mark"].tolist()
        return [
            query_id
            for query_id, mark in zip(table.query_ids.tolist(), marks, strict=True)
            if mark in (MISS, PARTIAL) or query_id in wrong
        ]

    def tag(
        self,
        query_ids: str | Iterable[str],
        causes: Sequence[str],
        note: str = "",
        *,
        run: str = "",
        k: int = 0,
        suggested: str = "",
        shown: bool = True,
        session: str = "",
    ) -> tuple[Event, ...]:
        """Give causes to a query, or to several in one act; no causes takes one's own back.

        Args:
            query_ids: a query, or several.
            causes: names or titles, the main one first.
            note: in the reviewer's words.
            run: what was looked at.
            k: with which cut-off.
            suggested: the cause a rule suggested, `""` where none did.
            shown: whether the reviewer saw it.
            session: id of the session it belongs to.

        Raises:
            RagtuiError: an unknown cause, or the journal cannot be written.
        """
        names = tuple(dict.fromkeys(cause_named(cause, self.causes).name for cause in causes))
        said = as_kept(note)
        several = (query_ids,) if isinstance(query_ids, str) else tuple(dict.fromkeys(query_ids))
        return self.journal.append(
            *(Tag(query_id, names, said, run, k, suggested, shown, session) for query_id in several)
        )

    def note(self, query_id: str, text: str, chunk_id: str = "") -> Event:
        """Keep a note on a query, or on a chunk for it; `""` takes one's own back."""
        return self.journal.append(Note(query_id, as_kept(text), chunk_id))[0]

    def guard(
        self, query_ids: Iterable[str], *, on: bool = True, run: str = "", k: int = 0
    ) -> tuple[Event, ...]:
        """Guard queries, or guard them no longer; one act."""
        in_sight = tuple(self._workspace.runs)
        return self.journal.append(*(Guard(query_id, on, run, k, in_sight) for query_id in query_ids))

    def undo(self) -> tuple[Event, ...]:
        """Undo the reviewer's last act; gives its events, the last first, none where there is none."""
        return self.journal.undo()

    def redo(self) -> tuple[Event, ...]:
        """Do again what was undone last; gives its events, none where there is none."""
        return self.journal.redo()

    def _looked_at(
        self, run: str, query_id: str, k: int, stage: str | None
    ) -> tuple[tuple[Suggestion, ...], tuple[str, ...]]:
        key = (run, k, stage, query_id)
        if key not in self._seen:
            workspace = self._workspace
            evidence = workspace.evidence(run, query_id, k, stage)
            judged = self._judged(run, query_id, k, stage)
            case = case_of(workspace.set, evidence, kinds=self._kinds, judged=judged)
            self._seen[key] = suggestions(case), tuple(need.chunk_id for need in evidence.missed)
        return self._seen[key]

    @cached_property
    def _kinds(self) -> Mapping[str, RunKind]:
        return {name: run_kind(run) for name, run in self._workspace.set.runs.items()}

    def _judged(self, run: str, query_id: str, k: int, stage: str | None) -> JudgedQuery | None:
        judged = self._workspace.judged_table(run, k, stage).judged
        return None if judged is None else judged.about(query_id)


def as_kept(note: str) -> str:
    """A note as it is kept: line breaks of one kind, nothing around it. So files give it back unchanged."""
    return note.replace("\r\n", "\n").replace("\r", "\n").strip()


def wrong_answers(run: Run) -> frozenset[str]:
    """Queries whose answer is said to be wrong."""
    if run.answers is None or "answer_correct" not in run.answers:
        return frozenset()
    correct = run.answers["answer_correct"]
    return frozenset(
        str(query_id) for query_id in correct.index[correct.eq(False).fillna(False).to_numpy(bool)]
    )
