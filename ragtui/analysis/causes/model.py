"""What rules of causes are given, and what they answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ragtui.analysis.evidence_model import GoldEvidence, QueryEvidence
from ragtui.analysis.judged import JudgedQuery
from ragtui.messages import Language, t

RunKind = Literal["lexical", "dense", "other"]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A cause that a rule suggests; a person confirms it or chooses another.

    Attributes:
        cause: name of the cause.
        rule: key of its words below `causes.rule`.
        values: what the words name.
    """

    cause: str
    rule: str
    values: tuple[tuple[str, Any], ...] = ()

    def evidence(self, language: Language | None = None) -> str:
        """What speaks for it, in a sentence."""
        return t(f"causes.rule.{self.rule}.evidence", language, **dict(self.values))

    def remedy(self, language: Language | None = None) -> str:
        """What to try first."""
        return t(f"causes.rule.{self.rule}.remedy", language, **dict(self.values))


@dataclass(frozen=True, slots=True)
class Case:
    """One query of one run, with what rules look at.

    Attributes:
        evidence: what it needs, what was missed, what came.
        kinds: what sort of retriever each run of the set is, by name.
        documents: document of each chunk that is needed or among the first results, as far as the corpus
            knows it.
        asks: metadata of the query under keys that chunks have too.
        tells: the same keys of each chunk, by chunk; only what is said.
        judged: verdicts on the query; None where nobody judged it.
        answer_correct: whether the system's answer is right; None where that is not known.
        prompt: chunks that the model was given; None where that is not known.
        versions_in_prompt: an older and a newer chunk of one thing, both in the prompt; None without.
    """

    evidence: QueryEvidence
    kinds: Mapping[str, RunKind] = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)
    asks: Mapping[str, str] = field(default_factory=dict)
    tells: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    judged: JudgedQuery | None = None
    answer_correct: bool | None = None
    prompt: tuple[str, ...] | None = None
    versions_in_prompt: tuple[str, str] | None = None

    @property
    def missed(self) -> tuple[GoldEvidence, ...]:
        """Evidence of which nothing is in the first K."""
        return self.evidence.missed

    @property
    def kind(self) -> RunKind:
        """What sort of retriever the run is."""
        return self.kinds.get(self.evidence.run, "other")

    @property
    def down_to(self) -> int:
        """How deep the run was looked at: the depth of its card, else the length of the list."""
        return self.evidence.depth or self.evidence.returned

    @property
    def is_deeper_than_k(self) -> bool:
        """Whether the run shows what stands below K, so that a chunk's absence says something."""
        return self.down_to > self.evidence.k


Rule = Callable[[Case], Suggestion | None]
"""Suggests a cause where its evidence is there."""


def first_k(evidence: QueryEvidence) -> list[str]:
    """Chunks at the first K ranks, in order."""
    return [card.chunk_id for card in evidence.retrieved if card.rank is not None and card.rank <= evidence.k]


def mismatch_of(kind: RunKind) -> str:
    """The cause where a retriever of this kind passes over what others find."""
    return "lexical-mismatch" if kind == "lexical" else "embedding-mismatch"
