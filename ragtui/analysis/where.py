"""Filters: which queries satisfy `type:vague hit@5:0 -is:marked`. The grammar stands in `where_parser`."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ragtui.analysis import conditions
from ragtui.analysis.causes.catalogue import UnknownCause, cause_named, causes_with
from ragtui.analysis.columns import fold
from ragtui.analysis.facts import FLAGS, Facts, Rows
from ragtui.analysis.fields import Field, NoField, field_of, flag_of, judge_value_of, nearest
from ragtui.analysis.where_parser import Piece, Term, WhereError, Wrong, read_terms
from ragtui.errors import RagtuiError
from ragtui.inert import inert


@dataclass(frozen=True, slots=True)
class Condition:
    """One term bound to facts: the rows for which it holds, and whether it asks about an outcome of a run."""

    term: Term
    outcome: bool
    rows: Callable[[], Rows]


@dataclass(frozen=True, eq=False)
class Where:
    """A filter that is right, bound to the facts it was read with.

    Attributes:
        text: as written.
        facts: what it asks.
        conditions: all must hold; none means every query.
    """

    text: str
    facts: Facts
    conditions: tuple[Condition, ...]

    def mask(self) -> Rows:
        """(n,) which rows of the table satisfy the filter."""
        return self._mask

    @cached_property
    def _mask(self) -> Rows:
        return _all(self.conditions, len(self.facts.table))


@dataclass(frozen=True, slots=True)
class Nearest:
    """A smaller filter that does match: its text, what was left out, how many queries it matches."""

    text: str
    dropped: str
    count: int


class BadFilter(RagtuiError):
    """A filter of the command line that is wrong; `error` says where."""

    def __init__(self, error: WhereError, text: str) -> None:
        self.error = error
        self.text = text
        super().__init__(error.key, where="--where", **dict(error.values))

    def __str__(self) -> str:
        """The filter with the wrong part underlined, what is wrong with it, how to mend it."""
        start, end = self.error.position, self.error.position + self.error.length
        before, wrong = (_cells(inert(part)) for part in (self.text[:start], self.text[start:end]))
        underline = " " * before + "^" * max(wrong, 1)
        return f"{self.where}: {self.what}\n  {inert(self.text)}\n  {underline}\n{self.mend}"


def parse(text: str, facts: Facts) -> Where | WhereError:
    """Read a filter. Any text gives a `Where` or the first thing that is wrong with it; nothing is raised."""
    try:
        return Where(text, facts, tuple(_bound(term, facts) for term in read_terms(text)))
    except Wrong as wrong:
        return wrong.error


def require(text: str, facts: Facts) -> Where:
    """Read a filter that must be right.

    Raises:
        BadFilter: it is not.
    """
    where = parse(text, facts)
    if isinstance(where, WhereError):
        raise BadFilter(where, text)
    return where


def is_outcome(where: Where) -> bool:
    """Whether the filter selects on what a run returned or a person decided: a mean would mislead."""
    return any(condition.outcome for condition in where.conditions)


def nearest_matching(where: Where) -> Nearest | None:
    """The filter with one term fewer that matches most narrowly; None where none matches anything."""
    found: list[Nearest] = []
    for dropped in where.conditions:
        kept = tuple(condition for condition in where.conditions if condition is not dropped)
        count = int(_all(kept, len(where.facts.table)).sum())
        if kept and count:
            smaller = " ".join(_source(where.text, condition.term) for condition in kept)
            found.append(Nearest(smaller, _source(where.text, dropped.term), count))
    return min(found, key=lambda nearby: nearby.count, default=None)


def _cells(text: str) -> int:
    """Width in a terminal."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _source(text: str, term: Term) -> str:
    return text[term.start : term.end]


def _all(wanted: tuple[Condition, ...], n: int) -> Rows:
    mask = np.ones(n, dtype=bool)
    for condition in wanted:
        rows = condition.rows()
        mask &= ~rows if condition.term.negated else rows
    return mask


def _bound(term: Term, facts: Facts) -> Condition:
    if term.field is None:
        words = fold(term.values[0].text)
        return Condition(term, False, lambda: conditions.words(facts.columns, ("text", "query_id"), [words]))
    if term.of_run:
        return _bound_to_run(term, term.field, facts)
    field = _resolved(term.field, term.field.text, facts)
    if field.kind == "flag":
        return _bound_flags(term, facts)
    return Condition(term, field.outcome, _rows_of(term, field, facts))


def _bound_to_run(term: Term, piece: Piece, facts: Facts) -> Condition:
    name = _run_in(piece.text, facts)
    if name is None:
        run = piece.text.split(".")[0]
        near = nearest(run, facts.others) or list(facts.others)
        raise Wrong(
            piece.start, piece.end - piece.start, "unknown-run", name=run, nearest=", ".join(near) or "-"
        )
    theirs = facts.of_run(name)
    field = _resolved(piece, piece.text[len(name) + 1 :], theirs)
    aligned = theirs.table.frame.index.get_indexer(facts.table.frame.index).astype(np.int64)
    rows = _bound_flags(term, theirs).rows if field.kind == "flag" else _rows_of(term, field, theirs)
    return Condition(term, True, lambda: np.append(rows(), False)[aligned])


def _run_in(text: str, facts: Facts) -> str | None:
    """The run whose name `text` begins with, before a dot; names may hold dots, so the longest wins."""
    names = [name for name in facts.others if fold(text).startswith(fold(name) + ".")]
    return max(names, key=len, default=None)


def _bound_flags(term: Term, facts: Facts) -> Condition:
    flags = []
    for value in term.values:
        try:
            flags.append(FLAGS[flag_of(value.text)])
        except NoField as missing:
            raise Wrong(value.start, value.end - value.start, missing.key, **missing.values) from None
    outcome = any(flag.outcome for flag in flags)
    return Condition(term, outcome, lambda: np.logical_or.reduce([flag.rows(facts) for flag in flags]))


def _resolved(piece: Piece, name: str, facts: Facts) -> Field:
    try:
        return field_of(name, facts)
    except NoField as missing:
        raise Wrong(piece.start, piece.end - piece.start, missing.key, **missing.values) from None


def _rows_of(term: Term, field: Field, facts: Facts) -> Callable[[], Rows]:
    """Rows for which a term holds of a field; whether its values make sense is found out here, not later."""
    if field.kind == "number":
        test = conditions.number_test(term, field.name)
        return lambda: test(_numbers(field, facts), _has_no_number(field, facts))
    if term.operator != ":" and field.kind != "category":
        operator = term.operator
        raise Wrong(term.start, term.end - term.start, "no-comparison", field=field.name, operator=operator)
    if field.kind == "words":
        wanted = [fold(value.text) for value in term.values]
        return lambda: conditions.words(facts.columns, (field.column,), wanted)
    if field.kind in ("needs", "chunk"):
        pairs = facts.table.needed if field.kind == "needs" else facts.table.retrieved
        return lambda: conditions.has_chunk(pairs, term.values, len(facts.table))
    if field.kind == "judge":
        return _rows_of_judge(term, facts)
    if field.kind == "cause":
        return _rows_of_cause(term, facts)
    matching = conditions.category_test(term, field.name, facts.columns[field.column])
    return lambda: matching


def _rows_of_judge(term: Term, facts: Facts) -> Callable[[], Rows]:
    judged = facts.table.judged
    if judged is None:
        raise RuntimeError("a field of judges is only found where there are verdicts")
    wanted = []
    for value in term.values:
        try:
            wanted.append(judge_value_of(value.text))
        except NoField as missing:
            raise Wrong(value.start, value.end - value.start, missing.key, **missing.values) from None
    return lambda: np.logical_or.reduce([judged.rows(value) for value in wanted])


def _rows_of_cause(term: Term, facts: Facts) -> Callable[[], Rows]:
    """Rows to which people gave one of the causes; `none` are those that nobody has tagged."""
    causes = causes_with(facts.table.evaluation.settings.causes)
    wanted, with_untagged = set(), False
    for value in term.values:
        if conditions.is_none(value):
            with_untagged = True
            continue
        try:
            wanted.add(cause_named(value.text, causes).name)
        except UnknownCause as unknown:
            place = value.start, value.end - value.start
            raise Wrong(*place, "unknown-cause", cause=value.text, nearest=unknown.nearest) from None

    def rows() -> Rows:
        column = facts.cause_column
        found = column.rows(np.array([not wanted.isdisjoint(items) for items in column.items], dtype=bool))
        return found | column.is_empty if with_untagged else found

    return rows


def _numbers(field: Field, facts: Facts) -> npt.NDArray[np.float64]:
    """Values of a numeric column; no evidence is counted where none is needed, or where it is unknown."""
    values = facts.table.frame[field.column].to_numpy(dtype=np.float64)
    if field.name in {"got", "groups"}:
        unknown = (facts.table.frame["groups"].to_numpy() == 0) | (values < 0)
        return np.where(unknown, np.nan, values)
    return values


def _has_no_number(field: Field, facts: Facts) -> Rows:
    """Rows that `field:none` means; for the rank only those where a relevant chunk could have been found."""
    empty = np.isnan(_numbers(field, facts))
    return empty & FLAGS["scored"].rows(facts) if field.name == "rank" else empty
