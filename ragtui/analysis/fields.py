"""The fields that filters and sorting know: facts, metrics, metadata, each under its name and headers."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ragtui.analysis.columns import fold
from ragtui.analysis.facts import FLAGS, Facts
from ragtui.analysis.judged import JUDGE, JUDGE_VALUES, JUDGED_COLUMNS
from ragtui.messages import LANGUAGES, Language, t
from ragtui.metrics.catalogue import METRICS

Kind = Literal["words", "number", "category", "flag", "needs", "chunk", "judge", "cause"]

_METRIC = re.compile(r"(?P<metric>.+?)@(?P<k>\d+)")


@dataclass(frozen=True, slots=True)
class Field:
    """Something a filter can ask for.

    Attributes:
        name: as filters write it; metrics with their cut-off.
        kind: what its values are.
        column: column of the query table; `""` for flags and chunks.
        outcome: whether it depends on what the run returned.
    """

    name: str
    kind: Kind
    column: str = ""
    outcome: bool = False


FIXED: dict[str, Field] = {
    field.name: field
    for field in (
        Field("is", "flag"),
        Field("rank", "number", "first_rank", outcome=True),
        Field("stale_rank", "number", "stale_rank", outcome=True),
        Field("got", "number", "got", outcome=True),
        Field("groups", "number", "groups"),
        Field("top1", "number", "top1", outcome=True),
        Field("returned", "number", "returned", outcome=True),
        Field("needs", "needs"),
        Field("chunk", "chunk", outcome=True),
        Field("id", "category", "query_id"),
        Field("query", "words", "text"),
    )
}
_OTHER_NAMES = {"first_rank": "rank", "query_id": "id", "text": "query"}

CAUSE = Field("cause", "cause", outcome=True)

ABSENT = {
    "cause": "no-causes",
    "judge": "no-judge",
    "ctxp": "no-judge",
    "ctxr": "no-judge",
    "context_precision": "no-judge",
    "context_recall": "no-judge",
    "context_useful": "no-judge",
    "claim_coverage": "no-judge",
}
"""Fields of things that do not exist for this set, by the message that says so."""

WITH_HEADERS = (
    "type",
    "difficulty",
    "answerable",
    "reference",
    "origin",
    "core",
    "created",
    "cluster",
    *FIXED,
    CAUSE.name,
    JUDGE,
    *JUDGED_COLUMNS,
)
"""Names that have a header of their own below `analysis.field` in the message catalogue."""


class NoField(Exception):
    """There is no such field; `key` and `values` say why, in words of the message catalogue."""

    def __init__(self, key: str, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(key)


def header(name: str, language: Language | None = None) -> str:
    """Header of a column, in the language now in use unless told; the name itself where it has none."""
    return t(f"analysis.field.{name}", language) if name in WITH_HEADERS else name


def flag_word(flag: str, language: Language | None = None) -> str:
    """Name of a flag, in the language now in use unless told."""
    return t(f"analysis.flag.{flag}", language)


def field_of(name: str, facts: Facts) -> Field:
    """The field called `name`, whatever case, width or language it is written in.

    A metric without `@K` is meant at the cut-off of the table.

    Raises:
        NoField: unknown, not computed, or about something that does not exist for this set.
    """
    wanted = fold(name)
    for spelling in (wanted, _headers().get(wanted)):
        found = _known(spelling, facts) if spelling else None
        if found is not None:
            return found
    absent = ABSENT.get(wanted.split("@")[0])
    if absent is not None:
        raise NoField(absent, field=name)
    near = nearest(wanted, field_names(facts))
    if near:
        raise NoField("unknown-field", field=name, nearest=", ".join(near))
    raise NoField("unknown-field-alone", field=name)


def field_names(facts: Facts) -> list[str]:
    """Names of all fields there are now: fixed ones, those of judges, metadata, metrics."""
    judged = facts.table.judged
    of_judges = [JUDGE, *judged.scores] if judged is not None else []
    of_people = [CAUSE.name] if facts.causes is not None else []
    return [*FIXED, *of_people, *of_judges, *facts.table.metadata_names, *facts.table.metric_names]


def nearest(wanted: str, names: Iterable[str]) -> list[str]:
    """Up to three of `names` that look like `wanted`."""
    return difflib.get_close_matches(wanted, list(names), n=3, cutoff=0.6)


def flag_of(name: str) -> str:
    """The flag called `name` in either language.

    Raises:
        NoField: there is none.
    """
    wanted = fold(name)
    for flag in FLAGS:
        if wanted in {flag, *(fold(flag_word(flag, language)) for language in LANGUAGES)}:
            return flag
    near = nearest(wanted, FLAGS) or list(FLAGS)
    raise NoField("unknown-flag", flag=name, nearest=", ".join(near))


def judge_value_of(name: str) -> str:
    """The one of `JUDGE_VALUES` called `name` in either language.

    Raises:
        NoField: there is none.
    """
    wanted = fold(name)
    for value in JUDGE_VALUES:
        if wanted in {value, *(fold(judge_word(value, language)) for language in LANGUAGES)}:
            return value
    raise NoField("unknown-judge-value", value=name, known=", ".join(JUDGE_VALUES))


def judge_word(value: str, language: Language | None = None) -> str:
    """Name of one of `JUDGE_VALUES`, in the language now in use unless told."""
    return t(f"analysis.judged.{value}", language)


def _known(name: str, facts: Facts) -> Field | None:
    name = _OTHER_NAMES.get(name, name)
    if name in FIXED:
        return FIXED[name]
    if name == CAUSE.name and facts.causes is not None:
        return CAUSE
    metric = _of_judges(name, facts) or _metric(name, facts)
    if metric is not None:
        return metric
    columns = (column for column in facts.table.metadata_names if fold(column) == name)
    column = next(columns, None)
    return Field(column, "category", column) if column is not None else None


def _of_judges(wanted: str, facts: Facts) -> Field | None:
    """The field of judges called `wanted`, with or without the cut-off in use; None without verdicts."""
    judged = facts.table.judged
    if judged is None:
        return None
    if wanted == JUDGE:
        return Field(JUDGE, "judge", outcome=True)
    base = wanted.removesuffix(f"@{facts.table.k}")
    name = _headers().get(base, base)
    return Field(name, "number", name, outcome=True) if name in judged.scores else None


def _metric(wanted: str, facts: Facts) -> Field | None:
    """The metric called `wanted`; None where no metric has that name.

    Raises:
        NoField: the metric exists and its cut-off was not computed.
    """
    match = _METRIC.fullmatch(wanted)
    base, at = (match["metric"], int(match["k"])) if match else (wanted, None)
    base = _headers().get(base, base)
    table = facts.table
    candidates = [f"{base}@{at}"] if at is not None else [f"{base}@{table.k}", base]
    for name in candidates:
        if name in table.metric_names:
            return Field(name, "number", name, outcome=True)
    if base not in METRICS:
        return None
    name = candidates[0]
    beyond = name in table.result.unavailable
    raise NoField("beyond-depth" if beyond else "not-computed", field=name, depth=table.run.depth)


@cache
def _headers() -> dict[str, str]:
    """Folded headers in both languages, and titles of metrics, with the name they stand for."""
    found: dict[str, str] = {}
    for language in LANGUAGES:
        found |= {fold(header(name, language)): name for name in WITH_HEADERS}
        found |= {fold(t(f"metrics.{name}.title", language)): name for name in METRICS}
    return found
