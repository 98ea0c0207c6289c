"""What can be typed next in a filter: fields, then the values of a field with how many queries have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import methodcaller

import numpy as np
import numpy.typing as npt

from ragtui.analysis.causes.catalogue import causes_with
from ragtui.analysis.columns import Column, fold
from ragtui.analysis.facts import FLAGS, Facts, Rows
from ragtui.analysis.fields import Field, NoField, field_names, field_of, flag_word, header, judge_word
from ragtui.analysis.judged import JUDGE_VALUES
from ragtui.analysis.where import Where, parse
from ragtui.analysis.where_parser import RUN_FIELDS, TWINS, quoted, spans
from ragtui.messages import LANGUAGES

MOST = 50
"""More suggestions than anybody reads are not made."""


@dataclass(frozen=True, slots=True)
class Completion:
    """One suggestion: `insert` replaces `text[start:end]` of the filter.

    Attributes:
        insert: what to put there.
        label: what to show: the header of a field, or the value.
        count: how many queries have the value under the rest of the filter; None for fields.
        start, end: the part of the filter that it replaces.
    """

    insert: str
    label: str
    count: int | None
    start: int
    end: int


def complete(text: str, cursor: int, facts: Facts) -> list[Completion]:
    """Suggestions for the term at `cursor`; never raises, whatever the text."""
    start, end = next(((start, end) for start, end in spans(text) if start < cursor <= end), (cursor, cursor))
    typed = text[start:cursor].translate(TWINS)
    begin = start + (typed.startswith("-") and len(typed) > 1)
    head, sign, tail = text[begin:cursor].translate(TWINS).partition(":")
    if not sign:
        return _fields(head, begin, end, facts)
    others = _under_the_rest(text, start, end, facts)
    if fold(head) in RUN_FIELDS:
        return _of_run(tail, cursor - len(tail), end, facts, others)
    last = tail.rpartition(",")[2]
    return _values(head, last, cursor - len(last), end, facts=facts, others=others)


def _fields(typed: str, start: int, end: int, facts: Facts) -> list[Completion]:
    names = [*(["run"] if facts.others else []), *field_names(facts)]
    matching = _begins_then_holds(typed, names, _headers)
    return [Completion(f"{quoted(name)}:", header(name), None, start, end) for name in matching[:MOST]]


def _of_run(typed: str, start: int, end: int, facts: Facts, others: Rows) -> list[Completion]:
    for run in sorted(facts.others, key=len, reverse=True):
        if fold(typed).startswith(fold(run) + "."):
            rest = typed[len(run) + 1 :]
            theirs, at = facts.of_run(run), start + len(run) + 1
            head, sign, tail = rest.partition(":")
            if not sign:
                return _fields(head, at, end, theirs)
            last = tail.rpartition(",")[2]
            return _values(head, last, start + len(typed) - len(last), end, facts=theirs, others=others)
    matching = _begins_then_holds(typed, list(facts.others), _itself)
    return [Completion(f"{quoted(run)}.", run, None, start, end) for run in matching[:MOST]]


def _values(name: str, typed: str, start: int, end: int, *, facts: Facts, others: Rows) -> list[Completion]:
    try:
        field = field_of(name.strip('"'), facts)
    except NoField:
        return []
    counted = [
        (value, label, count)
        for value, label, count in _counted(field, typed.strip('"'), facts, others)
        if count
    ]
    return [Completion(value, label, count, start, end) for value, label, count in counted[:MOST]]


def _counted(field: Field, typed: str, facts: Facts, others: Rows) -> Iterator[tuple[str, str, int]]:
    """Values of a field that `typed` may become: what to insert, what to show, how many queries."""
    if field.kind == "flag":
        for name in _begins_then_holds(typed, list(FLAGS), _flag_words):
            yield name, flag_word(name), int((FLAGS[name].rows(facts) & others).sum())
    elif field.kind == "judge" and facts.table.judged is not None:
        for name in _begins_then_holds(typed, JUDGE_VALUES, _judge_words):
            yield name, judge_word(name), int((facts.table.judged.rows(name) & others).sum())
    elif field.kind == "category":
        yield from _texts(facts.columns[field.column], typed, others)
    elif field.kind in ("needs", "chunk"):
        pairs = facts.table.needed if field.kind == "needs" else facts.table.retrieved
        yield from _commonest(pairs.chunks, pairs.counts_in(others), fold(typed))
    elif field.kind == "cause":
        yield from _causes(typed, facts, others)
    elif field.kind == "number":
        for value in ("0", "1", "none"):
            if value.startswith(typed):
                yield value, value, _count(f"{quoted(field.name)}:{value}", facts, others)


def _causes(typed: str, facts: Facts, others: Rows) -> Iterator[tuple[str, str, int]]:
    """Causes that were given, in order of the catalogue, then `none` for what is untagged."""
    column = facts.cause_column
    causes = {cause.name: cause for cause in causes_with(facts.table.evaluation.settings.causes)}
    words = {name: (name, *map(cause.title, LANGUAGES)) for name, cause in causes.items()}
    for name in _begins_then_holds(typed, list(causes), words.__getitem__):
        given = column.rows(np.array([name in items for items in column.items], dtype=bool))
        yield quoted(name), causes[name].title(), int((given & others).sum())
    if "none".startswith(fold(typed)):
        yield "none", "none", int((others & column.is_empty).sum())


def _texts(column: Column, typed: str, others: Rows) -> Iterator[tuple[str, str, int]]:
    """Values of a column that begin with what was typed, then those that hold it, frequent ones first."""
    wanted = fold(typed)
    yield from _commonest(column, column.counts_in(others), wanted)
    if "none".startswith(wanted):
        yield "none", "none", int((others & column.is_empty).sum())


def _commonest(column: Column, counts: npt.NDArray[np.int64], wanted: str) -> Iterator[tuple[str, str, int]]:
    """Values with a count that begin with `wanted`, then those that hold it, most frequent first."""
    found = _most(counts, column.holding(methodcaller("startswith", wanted)))
    if len(wanted) > 1 and len(found) < MOST:
        found += _most(counts, column.holding(methodcaller("__contains__", wanted)))
    for i in dict.fromkeys(found):
        yield quoted(column.texts[i]), column.texts[i], int(counts[i])


def _most(counts: npt.NDArray[np.int64], matching: Rows) -> list[int]:
    there = np.flatnonzero(matching & (counts > 0))
    if len(there) > MOST:  # sorting all of them is what a person would wait for
        least = np.partition(counts[there], len(there) - MOST)[len(there) - MOST]
        there = there[counts[there] >= least]
    return [int(i) for i in there[np.argsort(-counts[there], kind="stable")[:MOST]]]


def _count(term: str, facts: Facts, others: Rows) -> int:
    where = parse(term, facts)
    return int((where.mask() & others).sum()) if isinstance(where, Where) else 0


def _under_the_rest(text: str, start: int, end: int, facts: Facts) -> Rows:
    """Rows that satisfy the filter without the term being typed; all where the rest is not right yet."""
    where = parse(f"{text[:start]} {text[end:]}", facts)
    return where.mask() if isinstance(where, Where) else np.ones(len(facts.table), dtype=bool)


def _begins_then_holds(typed: str, names: Sequence[str], words: Callable[[str], Sequence[str]]) -> list[str]:
    """Those of `names` with a word that begins with what was typed, then those with one that holds it."""
    wanted = fold(typed.strip('"'))
    folded = {name: [fold(word) for word in words(name)] for name in names}
    begins = [name for name in names if any(word.startswith(wanted) for word in folded[name])]
    holds = (
        [name for name in names if any(wanted in word for word in folded[name])] if len(wanted) > 1 else []
    )
    return list(dict.fromkeys(begins + holds))


def _itself(name: str) -> Sequence[str]:
    return (name,)


def _headers(name: str) -> Sequence[str]:
    return (name, *(header(name, language) for language in LANGUAGES))


def _flag_words(name: str) -> Sequence[str]:
    return (name, *(flag_word(name, language) for language in LANGUAGES))


def _judge_words(value: str) -> Sequence[str]:
    return (value, *(judge_word(value, language) for language in LANGUAGES))
