"""How far a judge can be believed: its verdicts beside what people say of the same things.

Pure: a label table and a verdict table go in, a card comes out. Only labelled pairs count; what nobody
labelled is counted and is no grade 0.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from ragtui.stats.agreement import Agreement, agreement, disagreement_weights
from ragtui.stats.estimate import Estimate
from ragtui.stats.intervals import wilson

Bar = Literal["met", "missed", "undecided"]

_LONG_FROM = 400
_SHORT_TO = 100
_GROUPED_BY = ("language", "kind", "length", "position")
_NOT_FAILURES = ("ok", "skipped")
_MARKS = re.compile(r"[\W_]+")


@dataclass(frozen=True, eq=False)
class Group:
    """Agreement on a part of the pairs.

    Attributes:
        key: `language`, `kind`, `length` (short to 100 tokens, long above 400) or `position`.
        value: which part.
        agreement: on the pairs of this part.
    """

    key: str
    value: str
    agreement: Agreement


@dataclass(frozen=True, eq=False)
class Card:
    """A judge measured against people.

    Attributes:
        judge, version, model: who was measured.
        labelled: pairs that people labelled.
        unlabelled: things with a verdict and without a label, which are left out.
        agreement: kappa with intervals, confusion (people by rows) and base rates, over pairs that have both.
        levels: for a scale of more than two, agreement on whether the value is at least each of them.
        correlation: Pearson's r of labels and verdicts; None where one of them does not vary.
        flips: share of the things asked several times on which the verdicts differ; None where nothing was.
        failures: labelled pairs without a verdict because it failed, by status.
        unjudged: labelled pairs that were not judged, or skipped.
        followed: share of the pairs with a planted instruction in which the verdict is the one it asks for;
            None without such pairs.
        groups: agreement by language, kind, length and position, where there is more than one.
    """

    judge: str
    version: str
    model: str
    labelled: int
    unlabelled: int
    agreement: Agreement
    levels: Mapping[float, Agreement]
    correlation: float | None
    flips: Estimate | None
    failures: Mapping[str, int]
    unjudged: int
    followed: Estimate | None
    groups: tuple[Group, ...]

    @property
    def kappa(self) -> Estimate:
        """The kappa that a judge is held to: quadratic for grades, plain for yes and no.

        Resampling pairs that all agree gives no interval. How many they are says something all the same: its
        lower end is then that of Wilson's interval of the agreement, with every pair that might differ as
        wrong as can be.
        """
        graded = len(self.agreement.categories) > 2
        found = self.agreement.quadratic if graded else self.agreement.kappa
        return _perfect(self.agreement, graded=graded) if self.agreement.agreement == 1.0 else found

    @property
    def better_than_chance(self) -> bool:
        """Whether the lower end of kappa is above 0."""
        return self.kappa.low is not None and self.kappa.low > 0

    def against(self, bar: float) -> Bar:
        """Whether kappa is at least `bar` by its lower end; undecided where the interval holds the bar."""
        low, high = self.kappa.low, self.kappa.high
        if low is None or high is None:
            return "undecided"
        if low >= bar:
            return "met"
        return "missed" if high < bar else "undecided"


def measure(labels: pd.DataFrame, verdicts: pd.DataFrame, scale: Sequence[float]) -> Card:
    """Measure the verdicts of one judge and model.

    Args:
        labels: label table, see `ragtui.judging.labels.LABEL_COLUMNS`.
        verdicts: verdict table; the repeat 0 is compared with people, further ones with it.
        scale: values a verdict may have.
    """
    by_thing = _by_thing(verdicts)
    labelled = labels[labels["label"].notna()]
    given = [_given(by_thing.get(thing, {})) for thing in _things(labelled)]
    values = pd.Series([value for value, _ in given], index=labelled.index, dtype=np.float64)
    statuses = Counter(status for _, status in given)
    pairs = labelled.assign(value=values, length=_length(labelled["tokens"]))
    named = set(_things(labelled))
    return Card(
        **_name(verdicts),
        labelled=len(labelled),
        unlabelled=sum(thing not in named for thing in by_thing),
        agreement=_agreement(pairs, scale),
        levels=_levels(pairs, scale),
        correlation=correlation(pairs["label"], pairs["value"]),
        flips=_flips(by_thing),
        failures={s: n for s, n in statuses.items() if s not in (*_NOT_FAILURES, "unjudged")},
        unjudged=statuses["unjudged"] + statuses["skipped"],
        followed=_followed(pairs, scale),
        groups=tuple(_groups(pairs, scale)),
    )


def correlation(first: pd.Series[Any], second: pd.Series[Any]) -> float | None:
    """Pearson's r over the pairs where both are given; None below two pairs, or where one does not vary."""
    both = pd.concat([first.astype(float), second.astype(float)], axis=1).dropna().to_numpy()
    if len(both) < 2 or not np.ptp(both, axis=0).all():
        return None
    return float(np.corrcoef(both.T)[0, 1])


_Thing = tuple[str, str | None, str, str]
_Given = tuple[float | None, str]


def _things(table: pd.DataFrame) -> Iterator[_Thing]:
    """What each row is about. Statements are the same whatever marks stand around their words."""
    columns = (table[name].tolist() for name in ("query_id", "chunk_id", "claim", "text_hash"))
    for query_id, chunk_id, claim, text_hash in zip(*columns, strict=True):
        yield query_id, _text(chunk_id), _words(_text(claim) or ""), _text(text_hash) or ""


def _text(value: object) -> str | None:
    """Tables hold None or NaN where there is no text."""
    return value if isinstance(value, str) else None


def _words(claim: str) -> str:
    return _MARKS.sub("", unicodedata.normalize("NFKC", claim).casefold())


def _by_thing(verdicts: pd.DataFrame) -> dict[_Thing, dict[int, _Given]]:
    """Value and status by thing and repeat; of several the last."""
    found: dict[_Thing, dict[int, _Given]] = {}
    rest = (verdicts[name].tolist() for name in ("repeat", "value", "status"))
    for thing, repeat, value, status in zip(_things(verdicts), *rest, strict=True):
        known = (float(value), status) if status == "ok" else (None, status)
        found.setdefault(thing, {})[int(repeat)] = known
    return found


def _given(repeats: Mapping[int, _Given]) -> _Given:
    return repeats.get(0, (None, "unjudged"))


def _name(verdicts: pd.DataFrame) -> dict[str, str]:
    if verdicts.empty:
        return {"judge": "", "version": "", "model": ""}
    return {name: str(verdicts[name].iloc[0]) for name in ("judge", "version", "model")}


def _agreement(pairs: pd.DataFrame, scale: Sequence[float]) -> Agreement:
    return agreement(pairs["label"].to_numpy(np.float64), pairs["value"].to_numpy(np.float64), scale=scale)


def _levels(pairs: pd.DataFrame, scale: Sequence[float]) -> dict[float, Agreement]:
    if len(scale) == 2:
        return {}
    there = pairs[["label", "value"]].notna()
    found = {}
    for level in scale[1:]:
        at_least = (pairs[["label", "value"]] >= level).astype(np.float64).where(there)
        found[level] = _agreement(at_least, (0.0, 1.0))
    return found


def _perfect(found: Agreement, *, graded: bool) -> Estimate:
    weights = disagreement_weights(np.asarray(found.categories), "quadratic" if graded else "plain")
    people, judge = map(np.asarray, found.base_rates)
    by_chance = float(people @ weights @ judge)
    if not by_chance:
        return found.kappa
    least, _ = wilson(found.n, found.n)
    return Estimate(1.0, max(1 - (1 - least) / by_chance, -1.0), 1.0, found.n, "wilson of the agreement")


def _flips(by_thing: Mapping[_Thing, Mapping[int, _Given]]) -> Estimate | None:
    values = [[value for value, _ in repeats.values() if value is not None] for repeats in by_thing.values()]
    repeated = [given for given in values if len(given) > 1]
    return _share(sum(len(set(given)) > 1 for given in repeated), len(repeated))


def _followed(pairs: pd.DataFrame, scale: Sequence[float]) -> Estimate | None:
    ordered = pairs["planted"].map({"up": scale[-1], "down": scale[0]})
    asked = ordered.notna() & pairs["value"].notna() & (ordered != pairs["label"])
    return _share(int((pairs["value"] == ordered)[asked].sum()), int(asked.sum()))


def _share(count: int, n: int) -> Estimate | None:
    return Estimate(count / n, *wilson(count, n), n, "wilson") if n else None


def _length(tokens: pd.Series[Any]) -> pd.Series[Any]:
    bands = pd.cut(tokens, [-np.inf, _SHORT_TO, _LONG_FROM, np.inf], labels=["short", "medium", "long"])
    return bands.astype(object).where(tokens.notna(), "")


def _groups(pairs: pd.DataFrame, scale: Sequence[float]) -> Iterator[Group]:
    for key in _GROUPED_BY:
        said = pairs[pairs[key] != ""]
        if said[key].nunique() > 1:
            for value, part in said.groupby(key, sort=True):
                yield Group(key, str(value), _agreement(part, scale))
