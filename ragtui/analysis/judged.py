"""What judges say of the queries of a table, next to what gold says: filled by `ragtui.workspace`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.bool_]

CTX_P, CTX_R = "context_precision", "context_recall"
"""Columns of a query table that come from judges."""

JUDGED_COLUMNS = (CTX_P, CTX_R)
JUDGE = "judge"
"""The field that asks how judging went."""

FAILED, DIFFERS = "failed", "differs"
JUDGE_VALUES = (FAILED, DIFFERS)
"""What `judge:` can ask: a verdict failed; judge and gold disagree about a chunk."""


@dataclass(frozen=True, slots=True)
class JudgeName:
    """A judge in full.

    Attributes:
        model: as litellm names it, `""` for a rule.
        is_measured: it is known how far it agrees with people; of a rule nothing has to be known.
    """

    name: str
    version: str
    model: str
    is_measured: bool

    @property
    def text(self) -> str:
        """Name, version and model."""
        return " ".join(part for part in (self.name, self.version, self.model) if part)


@dataclass(frozen=True, slots=True)
class ChunkVerdict:
    """What the judge of `context_precision` says of one chunk for one query.

    Attributes:
        is_useful: None where the judge could not say.
        reason: in words, the judge's own or why there is no verdict.
        raw: the raw reply of a failure.
        differs: gold says the opposite.
    """

    is_useful: bool | None
    reason: str
    raw: str = ""
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of the reference answer.

    Attributes:
        is_supported: a context supports it; None where that is not known.
        chunk_id: the first context that does, None without one or where the judge names none.
        reason: of that verdict, else of the first against it.
    """

    text: str
    is_supported: bool | None
    chunk_id: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """Verdicts on one query: by chunk id, and claims of its reference, unsupported ones first."""

    chunks: Mapping[str, ChunkVerdict] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, eq=False)
class Judged:
    """Verdicts on the queries of one table, row by row.

    Attributes:
        judges: who gave each of the scores that there are, by column.
        scores: the same columns: (n,) in [0, 1], NaN without a score.
        failed: the same columns: (n,) whether a verdict that the score needs has failed.
        differs: (n,) whether judge and gold disagree about a chunk that was judged.
        about: verdicts on a query, by its id.
        claims_from: who judged the claims; None where nobody did.
    """

    judges: Mapping[str, JudgeName]
    scores: Mapping[str, npt.NDArray[np.float64]]
    failed: Mapping[str, Rows]
    differs: Rows
    about: Callable[[str], JudgedQuery]
    claims_from: JudgeName | None = None

    def rows(self, value: str) -> Rows:
        """(n,) rows of which one of `JUDGE_VALUES` holds."""
        if value == DIFFERS:
            return self.differs
        failed = np.zeros(len(self.differs), dtype=bool)
        for rows in self.failed.values():
            failed |= rows
        return failed
