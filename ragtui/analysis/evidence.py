"""Everything there is to say about one query of one run: what it needs, what was missed and why, what came.

Pure facts, in the order in which they are shown: missed evidence first. Lists are cleaned as for metrics, so
a rank here is the rank a metric sees; repeats stay in the list of cards, without a rank of their own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ragtui.analysis.chunk_facts import ChunkFacts, adjacent_chunks, chunk_facts
from ragtui.analysis.evidence_model import (
    Card,
    GoldEvidence,
    Label,
    Place,
    QueryEvidence,
    QueryState,
    RunState,
)
from ragtui.analysis.shared_words import shared_words
from ragtui.dataset.model import EvaluationSet, Run

__all__ = [
    "Card",
    "GoldEvidence",
    "Label",
    "Place",
    "QueryEvidence",
    "QueryState",
    "RunState",
    "query_evidence",
]


def query_evidence(
    evaluation: EvaluationSet,
    run: str,
    query_id: str,
    k: int,
    *,
    level: float,
    split: str | None = None,
    stage: str | None = None,
    limit: int = 100,
) -> QueryEvidence:
    """Facts about `query_id` in `run`, with the cut-off `k`.

    Args:
        evaluation: the set with all its runs; each gives a rank in `GoldEvidence.ranks`.
        run: name of the run.
        query_id: a query of the set.
        k: cut-off, at least 1.
        level: grade from which gold is relevant.
        split: whose gold counts; None for all gold of the query.
        stage: read this stage instead of the final list; other runs are read there too where they have it.
        limit: how many positions of the list become cards.

    Raises:
        KeyError: the set has no such query or run.
    """
    row = int(evaluation.queries.index.get_indexer(pd.Index([query_id]))[0])
    if row < 0:
        raise KeyError(query_id)
    query = evaluation.queries.iloc[row]
    this = evaluation.runs[run]
    labels = _labels(evaluation.gold, query_id, split)
    listed = _Listed.of(this, query_id, stage)
    teller = _Teller(
        corpus=evaluation.chunks,
        facts=chunk_facts(evaluation.chunks, [*listed.chunks[:limit], *labels]),
        query=str(query["text"]),
        labels=labels,
        listed=listed,
        ranks={
            name: _Listed.of(other, query_id, stage if stage in other.stages else None).ranks
            for name, other in evaluation.runs.items()
        },
        k=k,
        level=level,
    )
    is_no_answer = query["answerable"] is False
    needs = [] if is_no_answer else teller.needs()
    covered = {_group_key(need.chunk_id, need.label): need.is_covered for need in needs}
    return QueryEvidence(
        query_id=query_id,
        text=str(query["text"]),
        reference=_said(query["reference"]),
        state="no-answer" if is_no_answer else "scored" if needs else "no-gold",
        run=run,
        run_state="failed" if query_id in this.errors else "ok" if listed.is_there else "lacks",
        error=this.errors.get(query_id, ""),
        k=k,
        level=level,
        stage=stage,
        direction=this.direction,
        depth=this.depth,
        needs=tuple(needs),
        others=tuple(teller.others({need.chunk_id for need in needs})),
        retrieved=tuple(teller.cards(_prompt_of(this, query_id), limit)),
        returned=len(listed.ranks),
        groups=len(covered),
        groups_found=sum(covered.values()),
        metadata=_metadata(query),
    )


@dataclass(frozen=True, slots=True)
class _Listed:
    """One list, with the rank of every chunk once repeats are closed up."""

    chunks: Sequence[str]
    scores: Sequence[float]
    ranks: Mapping[str, int]
    is_there: bool

    @classmethod
    def of(cls, run: Run, query_id: str, stage: str | None) -> _Listed:
        lists = run.stage(stage)
        if lists is None or query_id in run.errors:
            return cls((), (), {}, False)
        chunks, scores = lists.list_of(query_id)
        ranks: dict[str, int] = {}
        for chunk in chunks:
            ranks.setdefault(chunk, len(ranks) + 1)
        return cls(chunks, [float(score) for score in scores], ranks, lists.row_of(query_id) is not None)

    def score_of(self, chunk_id: str) -> float:
        return self.scores[self.chunks.index(chunk_id)]

    def score_at(self, rank: int) -> float:
        """Score of the chunk at a rank; NaN where the list is shorter."""
        chunk = next((chunk for chunk, at in self.ranks.items() if at == rank), None)
        return self.score_of(chunk) if chunk is not None else math.nan


@dataclass(frozen=True, slots=True)
class _Teller:
    """Says what there is to say of each chunk of one query."""

    corpus: pd.DataFrame
    facts: Mapping[str, ChunkFacts]
    query: str
    labels: Mapping[str, Label]
    listed: _Listed
    ranks: Mapping[str, Mapping[str, int]]
    k: int
    level: float

    def needs(self) -> list[GoldEvidence]:
        """Relevant chunks, missed groups first, the members of a group together."""
        groups: dict[tuple[str, str], list[str]] = {}
        for chunk, label in self.labels.items():
            if self._is_relevant(label):
                groups.setdefault(_group_key(chunk, label), []).append(chunk)
        ordered = [
            sorted(members, key=lambda chunk: (not self._is_found(chunk), -self.labels[chunk].grade))
            for members in groups.values()
        ]
        ordered.sort(key=lambda members: (self._is_found(members[0]), -self.labels[members[0]].grade))
        return [
            self._tell(
                chunk, [other for other in members if other != chunk], covered=self._is_found(members[0])
            )
            for members in ordered
            for chunk in members
        ]

    def others(self, told: Set[str]) -> list[GoldEvidence]:
        """Labelled chunks that are not among the needs, those in the list first."""
        chunks = sorted(
            (chunk for chunk in self.labels if chunk not in told),
            key=lambda chunk: (self.listed.ranks.get(chunk, math.inf), -self.labels[chunk].grade),
        )
        return [self._tell(chunk, [], covered=True) for chunk in chunks]

    def cards(self, prompt: frozenset[str] | None, limit: int) -> Iterator[Card]:
        """The first `limit` positions of the list, repeats among them."""
        seen: set[str] = set()
        for position, chunk in enumerate(self.listed.chunks[:limit]):
            facts, label, score = self.facts.get(chunk), self.labels.get(chunk), self.listed.scores[position]
            rank, is_repeat = self.listed.ranks[chunk], chunk in seen
            seen.add(chunk)
            yield Card(
                rank=None if is_repeat else rank,
                position=position + 1,
                chunk_id=chunk,
                title=facts.title if facts else "",
                text=facts.text if facts else None,
                score=None if math.isnan(score) else score,
                label=label,
                is_relevant=label is not None and self._is_relevant(label),
                in_prompt=None if prompt is None else chunk in prompt,
                repeat_of=rank if is_repeat else None,
            )

    def _tell(self, chunk_id: str, alternatives: Sequence[str], *, covered: bool) -> GoldEvidence:
        facts, rank = self.facts.get(chunk_id), self.listed.ranks.get(chunk_id)
        above = [chunk for chunk, at in self.listed.ranks.items() if rank is None or at < rank]
        is_found = self._is_found(chunk_id)
        return GoldEvidence(
            chunk_id=chunk_id,
            label=self.labels[chunk_id],
            title=facts.title if facts else "",
            text=facts.text if facts else None,
            alternatives=tuple(alternatives),
            rank=rank,
            ranks={run: ranks.get(chunk_id) for run, ranks in self.ranks.items()},
            is_found=is_found,
            is_covered=covered,
            neighbour=None if is_found else self._neighbour(chunk_id),
            under_k=self._under_k(chunk_id, rank),
            shared_words=shared_words(self.query, f"{facts.title}\n{facts.text}") if facts else (),
            older_above=self._older(facts, above) if facts else None,
            distractors_above=() if is_found else tuple(self._distractors(above)),
        )

    def _is_relevant(self, label: Label) -> bool:
        return label.grade >= self.level and not label.is_distractor

    def _is_found(self, chunk_id: str) -> bool:
        return self.listed.ranks.get(chunk_id, math.inf) <= self.k

    def _neighbour(self, chunk_id: str) -> Place | None:
        ranks = self.listed.ranks
        own = ranks.get(chunk_id, math.inf)
        near = [chunk for chunk in adjacent_chunks(self.corpus, chunk_id) if ranks.get(chunk, math.inf) < own]
        places = [Place(chunk, ranks[chunk]) for chunk in near]
        return min(places, key=lambda place: place.rank, default=None)

    def _under_k(self, chunk_id: str, rank: int | None) -> float | None:
        if rank is None or rank <= self.k:
            return None
        gap = abs(self.listed.score_at(self.k) - self.listed.score_of(chunk_id))
        return None if math.isnan(gap) else gap

    def _older(self, facts: ChunkFacts, above: Iterable[str]) -> Place | None:
        older = [
            chunk
            for chunk in above
            if self._is_found(chunk) and chunk in self.facts and self.facts[chunk].is_older_than(facts)
        ]
        # of several the one that people called misleading
        older.sort(key=lambda chunk: not (chunk in self.labels and self.labels[chunk].is_distractor))
        return Place(older[0], self.listed.ranks[older[0]]) if older else None

    def _distractors(self, above: Iterable[str]) -> Iterator[Place]:
        for chunk in above:
            label = self.labels.get(chunk)
            if label is not None and label.is_distractor and self._is_found(chunk):
                yield Place(chunk, self.listed.ranks[chunk])


def _labels(gold: pd.DataFrame, query_id: str, split: str | None) -> dict[str, Label]:
    """Gold of one query by chunk, in the order of the file, annotators merged."""
    rows = gold[gold["query_id"] == query_id]
    if split is not None:
        rows = rows[rows["split"] == split]
    columns = ("chunk_id", "grade", "reason", "group", "role")
    judged: dict[str, list[tuple[Any, ...]]] = {}
    for chunk, *judgment in zip(*(rows[column].tolist() for column in columns), strict=True):
        judged.setdefault(str(chunk), []).append(tuple(judgment))
    return {chunk: _merged(judgments) for chunk, judgments in judged.items()}


def _merged(judgments: Sequence[tuple[Any, ...]]) -> Label:
    """What annotators say of one chunk, each as grade, reason, group, role."""
    grade = _majority(grade for grade, *_ in judgments)
    reasons = (_said(reason) for its_grade, reason, *_ in judgments if its_grade == grade)
    groups = (_said(group) for _, _, group, _ in judgments)
    return Label(
        grade=grade,
        reason=next((reason for reason in reasons if reason), ""),
        group=next((group for group in groups if group), None),
        is_distractor=any(role == "distractor" for *_, role in judgments),
    )


def _majority(grades: Iterable[float]) -> float:
    counts = Counter(float(grade) for grade in grades)
    return min(counts, key=lambda grade: (-counts[grade], grade))


def _group_key(chunk_id: str, label: Label) -> tuple[str, str]:
    """A chunk without a group is one of its own, and may be called as some group is."""
    return ("chunk", chunk_id) if label.group is None else ("group", label.group)


def _prompt_of(run: Run, query_id: str) -> frozenset[str] | None:
    lists = run.stages.get("prompt")
    if lists is None or lists.row_of(query_id) is None:
        return None
    return frozenset(lists.list_of(query_id)[0])


_SHOWN_ELSEWHERE = frozenset({"text", "reference", "answerable", "core", "cluster"})


def _metadata(query: pd.Series[Any]) -> dict[str, str]:
    """What is known of the query besides its text, unsaid things left out."""
    told = {str(name): _said(value) for name, value in query.items() if name not in _SHOWN_ELSEWHERE}
    return {name: value for name, value in told.items() if value}


def _said(value: Any) -> str:
    """Text of a cell of a table, `""` where nothing was said."""
    if value is None or (isinstance(value, float) and math.isnan(value)) or value is pd.NA:
        return ""
    return str(value)
