"""Divides the queries of a set into `dev`, to choose on, and `test`, to report on once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from ragtui.dataset.model import EvaluationSet

DEV, TEST = "dev", "test"
SEED = 20_240_229

SHARE = 0.3
"""Share of the queries that go to `test`, of all and of each stratum."""

LEAST = 50
"""Queries that `test` has at least, as far as half of the set reaches."""

Answerability = Literal["answerable", "no-answer", "unjudged"]


@dataclass(frozen=True, slots=True)
class Stratum:
    """Queries of one type that are alike answerable, and how many went where; `type` is None where unsaid."""

    type: str | None
    answerable: Answerability
    dev: int
    test: int


@dataclass(frozen=True)
class Division:
    """Where every query goes.

    Attributes:
        split_of: `dev` or `test` by query id, in order of the set.
        strata: in order of first appearance.
        seed: of the draw.
        clusters: how many clusters of several queries were kept together.
    """

    split_of: Mapping[str, str]
    strata: tuple[Stratum, ...]
    seed: int
    clusters: int

    def size(self, split: str) -> int:
        """Queries of a split."""
        return sum(part.test if split == TEST else part.dev for part in self.strata)


def size_of_test(queries: int) -> int:
    """How many of so many queries `test` gets: three tenths, at least 50, and never more than half."""
    return min(max(round(SHARE * queries), LEAST), queries // 2)


def divide(evaluation: EvaluationSet, seed: int = SEED) -> Division:
    """Draw `test` from the queries of a set, evenly from every stratum of type and answerability.

    Every stratum gives its share of the test split, rounded so that the shares add up (largest remainder);
    which of its queries is drawn by the seed alone. Queries of one cluster go together, so that none in
    `test` is a reworded one of `dev`; a cluster counts in the stratum that most of its queries are in.
    """
    ids = [str(query_id) for query_id in evaluation.queries.index]
    strata = _strata(evaluation, ids)
    units = _units(evaluation, ids)
    chosen = _drawn(units, [_main(unit, strata) for unit in units], seed)
    is_test = np.zeros(len(ids), dtype=bool)
    for unit, taken in zip(units, chosen, strict=True):
        is_test[unit] = taken
    counts: dict[tuple[str | None, Answerability], list[int]] = defaultdict(lambda: [0, 0])
    for stratum, in_test in zip(strata, is_test.tolist(), strict=True):
        counts[stratum][in_test] += 1
    return Division(
        {query_id: TEST if in_test else DEV for query_id, in_test in zip(ids, is_test.tolist(), strict=True)},
        tuple(Stratum(*stratum, *sizes) for stratum, sizes in counts.items()),
        seed,
        sum(len(unit) > 1 for unit in units),
    )


_Stratum = tuple[str | None, Answerability]


def _strata(evaluation: EvaluationSet, ids: Sequence[str]) -> list[_Stratum]:
    """Type and answerability of every query."""
    gold = evaluation.gold
    relevant = (gold["grade"] >= evaluation.settings.level) & (gold["role"] != "distractor")
    with_gold = set(gold.loc[relevant, "query_id"])
    found: list[_Stratum] = []
    queries = evaluation.queries
    for query_id, kind, answerable in zip(ids, queries["type"], queries["answerable"], strict=True):
        said = answerable is True or query_id in with_gold
        how: Answerability = "no-answer" if answerable is False else "answerable" if said else "unjudged"
        found.append((None if kind is None else str(kind), how))
    return found


def _units(evaluation: EvaluationSet, ids: Sequence[str]) -> list[list[int]]:
    """Rows of the queries that go together: those of a cluster, or one alone."""
    of_cluster: dict[str, list[int]] = {}
    units: list[list[int]] = []
    for row, cluster in enumerate(evaluation.queries["cluster"]):
        if cluster is None:
            units.append([row])
        elif str(cluster) in of_cluster:
            of_cluster[str(cluster)].append(row)
        else:
            of_cluster[str(cluster)] = [row]
            units.append(of_cluster[str(cluster)])
    return units if ids else []


def _main(unit: Sequence[int], strata: Sequence[_Stratum]) -> _Stratum:
    """The stratum that most of a unit's queries are in; of equals the first."""
    return Counter(strata[row] for row in unit).most_common(1)[0][0]


def _drawn(units: Sequence[Sequence[int]], stratum_of: Sequence[_Stratum], seed: int) -> list[bool]:
    """Which units go to `test`."""
    members: dict[_Stratum, list[int]] = {}
    for number, stratum in enumerate(stratum_of):
        members.setdefault(stratum, []).append(number)
    total = sum(map(len, units))
    wanted = size_of_test(total)
    sizes = [sum(len(units[number]) for number in numbers) for numbers in members.values()]
    quotas = _quotas(sizes, wanted)
    rng = np.random.default_rng(seed)
    chosen = [False] * len(units)
    room = wanted
    waiting: list[int] = []
    for quota, numbers in zip(quotas, members.values(), strict=True):
        left = quota
        for place in rng.permutation(len(numbers)).tolist():
            number = numbers[place]
            if len(units[number]) <= min(left, room):
                chosen[number] = True
                left -= len(units[number])
                room -= len(units[number])
            else:
                waiting.append(number)
    # clusters may not fit their quota; what is short of the test split then comes from wherever it fits
    for number in waiting:
        if len(units[number]) <= room:
            chosen[number] = True
            room -= len(units[number])
    return chosen


def _quotas(sizes: Sequence[int], wanted: int) -> list[int]:
    """How many each stratum gives: its share of `wanted`, by largest remainder; of equals the first."""
    total = sum(sizes)
    if not total:
        return []
    exact = [size * wanted / total for size in sizes]
    quotas = [int(share) for share in exact]
    order = sorted(range(len(sizes)), key=lambda i: exact[i] - quotas[i], reverse=True)
    for i in order[: wanted - sum(quotas)]:
        quotas[i] += 1
    return quotas
