"""What people decide about a set: the journal, the causes they gave, what rules suggest."""

from __future__ import annotations

import getpass
import secrets
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from ragtui import settings
from ragtui.analysis.causes.catalogue import Cause, cause_named, causes_with
from ragtui.analysis.causes.model import Suggestion
from ragtui.analysis.query_table import MISS, PARTIAL
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.review.adjudication import Disputed, disputed, ratings_of_pair, said_of_pair
from ragtui.review.blind import Item, graded_pairs, pool, sample
from ragtui.review.events import Decision, Event, Grade, Guard, Note, Opened, Rating, Tag, as_kept
from ragtui.review.given import GivenCauses
from ragtui.review.gold import GoldVersion, gold_versions
from ragtui.review.journal import Journal
from ragtui.review.sessions import HitRate, Session, begun, hit_rate, session, sessions
from ragtui.stats.bootstrap import SEED
from ragtui.workspace.review_rules import LookedAt, RulesOfCauses, wrong_answers

if TYPE_CHECKING:
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

    def __init__(
        self, workspace: Workspace, reviewer: str | None = None, journal: Journal | None = None
    ) -> None:
        self._workspace = workspace
        self.reviewer = reviewer or reviewer_name()
        if journal is not None:
            self.__dict__["journal"] = journal
        self._causes: GivenCauses | None = None
        self._rules = RulesOfCauses(workspace)

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
        if self._causes is None or not self._causes.follow(state):
            self._causes = GivenCauses(state)
        return self._causes.by_query

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
        return self.looked_at(run, query_id, k, stage).suggestions

    def looked_at(self, run: str, query_id: str, k: int, stage: str | None = None) -> LookedAt:
        """The same with what they were made from."""
        return self._rules.look(run, query_id, k, stage)

    def missed(self, run: str, query_id: str, k: int, stage: str | None = None) -> tuple[str, ...]:
        """Chunks of the evidence groups of which nothing is in the first K; found with the suggestions."""
        return self.looked_at(run, query_id, k, stage).missed

    def forget_suggestions(self) -> None:
        """Suggest anew when next asked, such as after judging."""
        self._rules.forget()

    def failing(self, run: str, k: int, stage: str | None = None) -> list[str]:
        """Ids of queries that fail under a run: evidence missing in the first K, or a wrong answer."""
        is_failing = self.is_failing(run, k, stage)
        found: list[str] = self._workspace.table(run, k, stage).query_ids[is_failing].tolist()
        return found

    def is_failing(self, run: str, k: int, stage: str | None = None) -> npt.NDArray[np.bool_]:
        """(n,) the same for every row of the table of the run."""
        table = self._workspace.table(run, k, stage)
        wrong = wrong_answers(self._workspace.run(run))
        marks = table.frame["mark"].to_numpy(dtype=object)
        is_failing = (marks == MISS) | (marks == PARTIAL)
        if wrong:
            is_failing |= pd.Index(table.query_ids).isin(wrong)
        return np.asarray(is_failing, dtype=bool)

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

    def grade(
        self,
        query_id: str,
        chunk_id: str,
        grade: float | None,
        reason: str = "",
        *,
        group: str = "",
        in_sight: Sequence[str] | None = None,
        blind: bool = False,
        session: str = "",
    ) -> Event:
        """Correct the grade of a chunk for a query, which makes a new version of gold.

        Args:
            query_id: a query of the set.
            chunk_id: any chunk that a run returned or gold names.
            grade: on the scale of the set; None takes one's own correction back.
            reason: why.
            group: of the evidence; `""` leaves it as it is.
            in_sight: runs whose results were seen; None for all of the set.
            blind: whether judges, runs and order were hidden.
            session: id of the session it belongs to.

        Raises:
            RagtuiError: the grade is not on the scale, or the journal cannot be written.
        """
        self.check(query_id, grade)
        seen = tuple(self._workspace.runs if in_sight is None else in_sight)
        was = self.grades_of_gold(query_id).get(chunk_id)
        what = Grade(query_id, chunk_id, grade, was, as_kept(reason), group, seen, blind, session)
        return self.journal.append(what)[0]

    def rate(
        self, query_id: str, chunk_id: str, grade: float | None, reason: str = "", *, session: str = ""
    ) -> Event:
        """Give a blind grade that shows how far people agree, and changes no gold; None takes it back."""
        self.check(query_id, grade)
        return self.journal.append(Rating(query_id, chunk_id, grade, as_kept(reason), True, session))[0]

    def decide(self, query_id: str, chunk_id: str, grade: float | None, reason: str = "") -> Event:
        """Settle on a grade where raters differ; it stands in gold from then on. None takes it back."""
        self.check(query_id, grade)
        pair = Item(query_id, chunk_id)
        heard = tuple(ratings_of_pair(self._workspace.set, self.journal.state, pair).items())
        seen = tuple(self._workspace.runs)
        what = Decision(query_id, chunk_id, grade, as_kept(reason), heard, seen)
        return self.journal.append(what)[0]

    def grades(self, query_id: str) -> Mapping[str, Mapping[str, Grade]]:
        """Corrections that stand for a query: by chunk, then by reviewer."""
        found: dict[str, dict[str, Grade]] = {}
        for place, event, grade in self.journal.state.all_standing(Grade, query_id):
            if grade.grade is not None:
                found.setdefault(place.chunk_id, {})[event.reviewer] = grade
        return found

    def grades_of_gold(self, query_id: str) -> Mapping[str, float]:
        """Grade of each labelled chunk of a query, as metrics take it from the gold at hand."""
        gold = self._workspace.gold
        code = int(gold.query_index.get_indexer(pd.Index([query_id], dtype=object))[0])
        if code < 0:
            return {}
        first, last = np.searchsorted(gold.query, [code, code + 1])
        ids = gold.chunk_ids[gold.chunk[first:last]].tolist()
        return dict(zip(ids, gold.grade[first:last].tolist(), strict=True))

    @cached_property
    def scale(self) -> tuple[float, ...]:
        """Grades to choose from: the scale of the set, else what stands in its gold, 0 and the level."""
        settings, gold = self._workspace.set.settings, self._workspace.set.gold
        if settings.grade_scale:
            return settings.grade_scale
        return tuple(sorted({0.0, settings.level, *(float(grade) for grade in gold["grade"].unique())}))

    @cached_property
    def guide(self) -> str:
        """What each grade means, from `guide.md` of the set; `""` where there is none that can be read."""
        try:
            return (self._workspace.set.path / "guide.md").read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError):
            return ""

    @property
    def gold_version(self) -> int:
        """Number of the newest gold; 0 where it is that of the files."""
        return self.journal.state.gold_version

    def gold_versions(self) -> tuple[GoldVersion, ...]:
        """What made each version after that of the files, in order."""
        return gold_versions(self.journal.state)

    def begin(self, query_ids: Sequence[str], *, run: str = "", k: int = 0, where: str = "") -> Session:
        """Begin a session over queries, in this order."""
        return self._begin("review", [Item(query_id) for query_id in query_ids], run=run, k=k, where=where)

    def begin_pool(self, query_ids: Sequence[str], k: int, seed: int = SEED) -> Session:
        """Begin to grade what `pool` offers."""
        return self._begin("pool", self.pool(query_ids, k, seed), k=k, seed=seed)

    def begin_pilot(self, n: int = 50, seed: int = SEED) -> Session:
        """Begin to rate the sample of `pilot`; the one that somebody has begun already goes on."""
        self.journal.refresh()
        earlier = next((one for one in self.sessions() if one.purpose == "pilot"), None)
        return earlier or self._begin("pilot", self.pilot(n, seed), k=self._k, seed=seed)

    def sessions(self) -> tuple[Session, ...]:
        """All sessions, newest first, with what this reviewer has done in each."""
        return sessions(self.journal.state, self.reviewer)

    def session(self, session_id: str) -> Session | None:
        """A session as it stands now."""
        return session(self.journal.state, self.reviewer, session_id)

    def hit_rate(self) -> HitRate:
        """How often rules were right, on suggestions that were withheld."""
        return hit_rate(self.journal.state)

    def pool(self, query_ids: Sequence[str], k: int, seed: int = SEED) -> tuple[Item, ...]:
        """Chunks without a grade among the first K of all runs, blind and shuffled."""
        evaluation = self._workspace.set
        corrected = {
            Item(place.query_id, place.chunk_id)
            for place, _, grade in self.journal.state.all_standing(Grade)
            if grade.grade is not None
        }
        return pool(evaluation, query_ids, k, without=graded_pairs(evaluation.gold) | corrected, seed=seed)

    def pilot(self, n: int = 50, seed: int = SEED) -> tuple[Item, ...]:
        """Pairs that everybody rates blind: of gold, and of the first K of all runs; drawn at random."""
        workspace = self._workspace
        ids = workspace.query_ids.tolist()
        labelled = [item for item in graded_pairs(workspace.set.gold) if item.query_id in set(ids)]
        items = {*labelled, *pool(workspace.set, ids, self._k, seed=seed)}
        return sample(sorted(items), n, seed)

    def disagreements(self) -> tuple[Disputed, ...]:
        """Pairs that raters grade differently, undecided ones first, the farthest apart first."""
        return disputed(self._workspace.set, self.journal.state)

    def disagreement(self, query_id: str, chunk_id: str) -> Disputed | None:
        """What raters say of one pair; None where they do not differ."""
        return said_of_pair(self._workspace.set, self.journal.state, Item(query_id, chunk_id))

    def undo(self) -> tuple[Event, ...]:
        """Undo the reviewer's last act; gives its events, the last first, none where there is none."""
        return self.journal.undo()

    def redo(self) -> tuple[Event, ...]:
        """Do again what was undone last; gives its events, none where there is none."""
        return self.journal.redo()

    @property
    def _k(self) -> int:
        return self._workspace.set.settings.start_k

    def check(self, query_id: str, grade: float | None) -> None:
        """Refuse a query or a grade that the set does not have.

        Raises:
            RagtuiError: it does not.
        """
        if query_id not in self._workspace.set.queries.index:
            raise RagtuiError("review.unknown-query", query=inert(query_id))
        if grade is not None and grade not in self.scale:
            scale = ", ".join(f"{one:g}" for one in self.scale)
            raise RagtuiError("review.off-scale", grade=f"{grade:g}", scale=scale)

    def _begin(
        self,
        purpose: str,
        items: Sequence[Item],
        *,
        run: str = "",
        k: int = 0,
        where: str = "",
        seed: int = 0,
    ) -> Session:
        queries = tuple(item.query_id for item in items)
        chunks = () if purpose == "review" else tuple(item.chunk_id for item in items)
        opened = Opened(secrets.token_hex(4), purpose, queries, chunks, run, k, where, seed)
        (event,) = self.journal.append(opened)
        return begun(event, opened)
