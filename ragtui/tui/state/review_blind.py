"""Chunks of a query as one sees them blind: without run, rank, score and judge, in an order of no meaning."""

from __future__ import annotations

from ragtui.analysis.evidence_model import QueryEvidence
from ragtui.dataset.model import EvaluationSet
from ragtui.messages import t
from ragtui.review.blind import blind_order, pool
from ragtui.tui.state.cards import Between, Card, Entry, Pane
from ragtui.tui.state.figures import grade_text
from ragtui.tui.state.pieces import Piece, Row


def blind_pane(evaluation: EvaluationSet, evidence: QueryEvidence) -> Pane:
    """The first K of all runs and everything that has a grade, shuffled the same for everybody."""
    labels = {gold.chunk_id: gold.label for gold in (*evidence.needs, *evidence.others)}
    pooled = (item.chunk_id for item in pool(evaluation, [evidence.query_id], evidence.k))
    order = blind_order(evidence.query_id, [*labels, *pooled])
    entries: list[Entry] = []
    for chunk_id in order:
        label = labels.get(chunk_id)
        grade = "?" if label is None else grade_text(label.grade)
        right = (Piece(t("detail.gold", grade=grade), "dim" if label is None else "text"),)
        title, text = _texts(evaluation, chunk_id)
        entries.append(
            Card(
                chunk_id,
                Piece(""),
                title,
                chunk_id,
                right,
                text,
                reason=label.reason if label is not None else "",
                lines=3,
            )
        )
    if evidence.reference:
        entries.append(Card("reference", Piece(""), t("detail.reference"), "", text=evidence.reference))
    if not order:
        entries.append(Between(sentence=(Piece(t("tagging.blind.nothing"), "dim"),)))
    return Pane(t("tagging.blind.title", n=len(order)), tuple(entries), order[0] if order else None)


def _texts(evaluation: EvaluationSet, chunk_id: str) -> tuple[str, str | None]:
    """Title and text of a chunk; no text where the corpus has none of that id."""
    if chunk_id not in evaluation.chunks.index:
        return "", None
    row = evaluation.chunks.loc[chunk_id]
    return str(row["title"] or ""), str(row["text"] or "")


def hidden_row() -> Row:
    """What stands in the place of the figures."""
    return Row((Piece(t("tagging.blind.hidden"), "accent"),))
