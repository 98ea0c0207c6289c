"""What judges say of the queries of a table, next to what gold says: filled by `ragtui.workspace`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ragtui.messages import t
from ragtui.stats.estimate import Estimate

Rows = npt.NDArray[np.bool_]

CTX_P, CTX_R = "context_precision", "context_recall"
"""Columns of a query table that come from judges."""

JUDGED_COLUMNS = (CTX_P, CTX_R)
JUDGE = "judge"
"""The field that asks how judging went."""

FAILED, DIFFERS = "failed", "differs"
JUDGE_VALUES = (FAILED, DIFFERS)
"""What `judge:` can ask: a verdict failed; judge and gold disagree about a chunk."""


BELIEVED_FROM = 0.4
"""Lower end of kappa from which a judge's word is shown as loud as a person's: above it agreement is at least
moderate (Landis and Koch 1977)."""


@dataclass(frozen=True, slots=True)
class JudgeName:
    """A judge in full, with how far it can be believed.

    Attributes:
        model: as litellm names it, `""` for a rule.
        kappa: of its card, on its own labelled pairs; None where nobody has measured it.
    """

    name: str
    version: str
    model: str
    kappa: Estimate | None = None

    @property
    def text(self) -> str:
        """Name, version and model."""
        return " ".join(part for part in (self.name, self.version, self.model) if part)

    @property
    def is_believed(self) -> bool:
        """A rule does as it says; a model has to have been measured, and found to agree with people."""
        if not self.model:
            return True
        return self.kappa is not None and self.kappa.low is not None and self.kappa.low >= BELIEVED_FROM

    @property
    def standing(self) -> str:
        """What its card says in a word: `kappa .62 [.51, .72] n=148`, or `unmeasured`; `""` for a rule."""
        return "" if not self.model else standing_text(self.kappa)


def standing_text(kappa: Estimate | None) -> str:
    """Kappa with interval and n, why there is none, or `unmeasured`."""
    if kappa is None:
        return t("analysis.standing.unmeasured")
    if kappa.mean is None:
        return t("analysis.standing.no-kappa", why=t(f"stats.reason.{kappa.reason}", n=kappa.n))
    value = _short(kappa.mean)
    if kappa.low is not None and kappa.high is not None:
        value += f" [{_short(kappa.low)}, {_short(kappa.high)}]"
    return t("analysis.standing.kappa", value=value, n=kappa.n)


def _short(value: float) -> str:
    """Two decimals without the zero in front: `.62`, `-.10`, `1.00`."""
    text = f"{round(value, 2) + 0.0:.2f}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


@dataclass(frozen=True, slots=True)
class ChunkVerdict:
    """What the judge of `chunks_from` says of one chunk for one query.

    Attributes:
        is_useful: None where the judge could not say.
        reason: in words, the judge's own or why there is no verdict.
        raw: the raw reply of a failure.
        differs: gold says the opposite.
        grade: what a judge of grades gives; None for yes and no, and where it could not say.
    """

    is_useful: bool | None
    reason: str
    raw: str = ""
    differs: bool = False
    grade: float | None = None


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
        chunks_from: who judged the chunks; None where nobody did.
    """

    judges: Mapping[str, JudgeName]
    scores: Mapping[str, npt.NDArray[np.float64]]
    failed: Mapping[str, Rows]
    differs: Rows
    about: Callable[[str], JudgedQuery]
    claims_from: JudgeName | None = None
    chunks_from: JudgeName | None = None

    def rows(self, value: str) -> Rows:
        """(n,) rows of which one of `JUDGE_VALUES` holds."""
        if value == DIFFERS:
            return self.differs
        failed = np.zeros(len(self.differs), dtype=bool)
        for rows in self.failed.values():
            failed |= rows
        return failed
