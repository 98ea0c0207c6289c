"""What there is to say about one query of one run, as frozen data: `ragtui.analysis.evidence` fills it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ragtui.dataset.model import Direction

QueryState = Literal["scored", "no-answer", "no-gold"]
RunState = Literal["ok", "lacks", "failed"]


@dataclass(frozen=True, slots=True)
class Place:
    """A chunk that was retrieved, and its rank from 1."""

    chunk_id: str
    rank: int


@dataclass(frozen=True, slots=True)
class Label:
    """What the gold says of one chunk for this query; annotators are merged.

    Attributes:
        grade: what most annotators say, the lower grade where that is a tie.
        group: name of the evidence group; None where the chunk is a group of its own.
    """

    grade: float
    reason: str = ""
    group: str | None = None
    is_distractor: bool = False


@dataclass(frozen=True, slots=True)
class GoldEvidence:
    """One labelled chunk of the query, and why it is or is not in the first K.

    Attributes:
        title, text: text is None where the corpus does not hold the chunk.
        alternatives: the other chunks of its group, any of which would do.
        rank: in the run at hand, from 1; None where it was not retrieved.
        ranks: the same for every run of the set, by name, the run at hand too.
        is_found: this chunk is in the first K.
        is_covered: its group has a member in the first K.
        neighbour: the chunk right before or after it in its document that was placed better, of two the best.
            Only for a chunk not found.
        under_k: how far its score is from that at rank K, never negative; None where either is unknown.
        shared_words: words the query and its text have in common.
        older_above: a chunk of an older version of its document that stands above it in the first K.
        distractors_above: chunks labelled misleading that stand above it in the first K, best first; for a
            chunk not found.
    """

    chunk_id: str
    label: Label
    title: str
    text: str | None
    alternatives: tuple[str, ...]
    rank: int | None
    ranks: Mapping[str, int | None]
    is_found: bool
    is_covered: bool
    neighbour: Place | None = None
    under_k: float | None = None
    shared_words: tuple[str, ...] = ()
    older_above: Place | None = None
    distractors_above: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """One line of the retrieved list.

    Attributes:
        rank: from 1, repeats not counted; None for a repeat.
        position: from 1, as the system returned it.
        repeat_of: rank of the first place of a repeated chunk.
        text: None where the corpus does not hold the chunk.
        score: None where the run gives none.
        label: None where nobody judged the chunk for this query.
        is_relevant: its grade reaches the level.
        in_prompt: it is in the run's stage `prompt`; None where the run has no such stage for the query.
    """

    rank: int | None
    position: int
    chunk_id: str
    title: str
    text: str | None
    score: float | None
    label: Label | None
    is_relevant: bool
    in_prompt: bool | None
    repeat_of: int | None = None


@dataclass(frozen=True, slots=True)
class QueryEvidence:
    """All facts about one query of one run.

    Attributes:
        state: `no-answer` where nothing should be found, `no-gold` where no label reaches the level.
        run_state: `lacks` where the run has no list for the query, `failed` where the system failed on it.
        error: what the system said when it failed.
        stage: name of the stage the list is of; None for the final list.
        needs: relevant gold, by group: missed groups first, then found ones; in a group the best grade first.
        others: gold below the level and distractors, those in the list first.
        retrieved: the first `limit` positions of the list.
        returned: length of the whole list without repeats.
        groups, groups_found: how many evidence groups the query needs, how many have a member in the first K.
    """

    query_id: str
    text: str
    reference: str
    state: QueryState
    run: str
    run_state: RunState
    error: str
    k: int
    level: float
    stage: str | None
    direction: Direction
    depth: int | None
    needs: tuple[GoldEvidence, ...]
    others: tuple[GoldEvidence, ...]
    retrieved: tuple[Card, ...]
    returned: int
    groups: int
    groups_found: int
    metadata: Mapping[str, str] = field(default_factory=dict)

    @property
    def missed(self) -> tuple[GoldEvidence, ...]:
        """Relevant gold of the groups of which nothing is in the first K."""
        return tuple(need for need in self.needs if not need.is_covered)

    @property
    def top(self) -> Card | None:
        """What stands at rank 1."""
        return self.retrieved[0] if self.retrieved else None
