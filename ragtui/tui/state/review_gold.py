"""Versions of corrected gold to choose from, and what one does to the numbers of a run."""

from __future__ import annotations

from collections.abc import Sequence

from ragtui.analysis.fields import header
from ragtui.messages import t
from ragtui.review.gold import GoldVersion
from ragtui.stats.estimate import Estimate
from ragtui.tui import cells
from ragtui.tui.glyphs import shown
from ragtui.tui.session import Session
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.figures import grade_text, share_text
from ragtui.tui.state.pieces import Fact, Piece
from ragtui.workspace.review_gold import GoldComparison, compare_gold
from ragtui.workspace.workspace import Lens

METRICS = ("ndcg", "recall", "mrr", "hit", "complete", "precision")
FIGURE = 6
"""Cells of a mean."""


def gold_choices(session: Session) -> list[Choice]:
    """Versions, the newest first, at last the gold of the files."""
    versions = session.sitting.review.gold_versions()
    return [
        *(
            Choice(
                str(version.number),
                t("tagging.gold.version", n=version.number),
                t("tagging.gold.by", who=shown(version.reviewer), date=version.time[:10]),
                about=_what(version),
            )
            for version in reversed(versions)
        ),
        Choice("0", t("tagging.gold.files")),
    ]


def _what(version: GoldVersion) -> str:
    query, chunk = shown(version.query_id), shown(version.chunk_id)
    if version.act in ("grade", "decision") and version.grade is not None:
        said = t("tagging.gold.graded", chunk=chunk, grade=grade_text(version.grade))
    else:
        act = "back" if version.act in ("grade", "decision") else version.act
        said = t(f"tagging.gold.{act}", chunk=chunk)
    return t("tagging.gold.about", query=query, what=said)


def compared(session: Session, version: int) -> GoldComparison:
    """Numbers of the run in use with a version of gold, against those with the gold of the files.

    For the gold of the files itself against the newest. Takes as long as two evaluations.

    Raises:
        RagtuiError: it cannot be computed.
    """
    primary = session.workspace.set.settings.primary.split("@")[0]
    lens = Lens(stage=session.stage, ks=(session.k,), metrics=tuple(dict.fromkeys((primary, *METRICS))))
    return compare_gold(session.opened, session.run or "", 0, version or None, lens)


def comparison_lines(found: GoldComparison, width: int) -> list[Fact]:
    """A line for each metric: both means, their difference with its interval, and over how many queries."""
    names = list(found.metrics)
    first = max(map(cells.width, map(header, names))) + 2
    heads = [t("tagging.gold.of-files"), t("tagging.gold.of-version", n=found.after)]
    wide = [max(FIGURE, cells.width(head)) + 2 for head in heads]
    lines: list[Fact] = [
        (
            Piece(cells.pad("", first), "dim"),
            *(Piece(cells.pad(head, size, "right"), "dim") for head, size in zip(heads, wide, strict=True)),
            Piece(f"   {t('tagging.gold.change')}", "dim"),
        )
    ]
    for name in names:
        change = found.metrics[name]
        lines.append(
            (
                Piece(cells.pad(header(name), first)),
                Piece(cells.pad(_mean(change.before), wide[0], "right")),
                Piece(cells.pad(_mean(change.after), wide[1], "right"), bold=True),
                *_change(change.difference),
            )
        )
    pairs = t("tagging.gold.pairs", n=found.pairs)
    scored = next(iter(found.metrics.values()), None)
    over = "" if scored is None else t("tagging.gold.over", before=scored.before.n, after=scored.after.n)
    return [*lines, (), *_wrapped([pairs, over], width)]


def _wrapped(said: Sequence[str], width: int) -> list[Fact]:
    return [(Piece(line, "dim"),) for text in said if text for line in cells.wrap(text, width)]


def _mean(estimate: Estimate) -> str:
    return "-" if estimate.mean is None else _three(estimate.mean)


def _change(difference: Estimate) -> Fact:
    if difference.mean is None:
        return (Piece("   -", "dim"),)
    if difference.mean == 0 and difference.low is None:
        return (Piece(f"   {t('tagging.gold.same')}", "dim"),)
    value = Piece(f"   {difference.mean:+.3f}".replace("0.", ".", 1), bold=True)
    if difference.low is None or difference.high is None:
        return (value,)
    return (value, Piece(f"  [{difference.low:+.3f}, {difference.high:+.3f}]".replace("0.", "."), "dim"))


def _three(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1) if value < 1 else share_text(value)
