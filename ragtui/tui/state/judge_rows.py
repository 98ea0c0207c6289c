"""The judges of screen 5 as rows: by whom, on what, how far it can be believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.desk_facts import Line
from ragtui.tui.glyphs import shown
from ragtui.tui.state.figures import share_text
from ragtui.tui.state.pieces import Piece
from ragtui.tui.state.rows import Cell, Column

_MODEL_MOST = 28


def judge_columns(lines: Sequence[Line]) -> tuple[Column, ...]:
    """Columns of the table of judges; that of models only where there is one."""
    models = [line.model for line in lines if line.model is not None]
    wide = min(max((cells.width(shown(model)) for model in models), default=0), _MODEL_MOST)
    return (
        Column("judge", t("judges.column.judge"), 24, is_flexible=True),
        *((Column("model", t("judges.column.model"), max(wide, 6), leaves=3),) if models else ()),
        Column("engine", t("judges.column.engine"), 8, leaves=2),
        Column("unit", t("judges.column.unit"), 9),
        Column("languages", t("judges.column.languages"), 5, leaves=1),
        Column("standing", t("judges.column.standing"), 10),
    )


@dataclass(frozen=True, slots=True)
class JudgeRows:
    """Judges in order, as rows of a table."""

    lines: Sequence[Line]

    def __len__(self) -> int:
        return len(self.lines)

    def cells(self, position: int) -> Mapping[str, Cell]:
        """Cells of a row by column."""
        line = self.lines[position]
        judge = line.judge
        return {
            "judge": [Piece(shown(judge.name)), Piece(f" {shown(judge.version)}", "dim")],
            "model": [Piece(shown(line.model or ""), "dim")],
            "engine": [Piece(t(f"judges.engine.{judge.engine}"), "dim")],
            "unit": [Piece(t(f"judges.unit.{judge.unit}"), "dim")],
            "languages": [Piece(shown(" ".join(judge.languages)), "dim")],
            "standing": [standing_piece(line)],
        }

    def is_dim(self, position: int) -> bool:
        """A judge that cannot be asked as things are."""
        return not self.lines[position].can_ask


def standing_piece(line: Line) -> Piece:
    """The card in a word: kappa, `unmeasured`, or that a model has to be chosen first."""
    if not line.can_ask:
        return Piece(t("judges.standing.choose-model"), "dim")
    kappa = None if line.card is None else line.card.kappa.mean
    if kappa is None:
        return Piece(t("judges.standing.unmeasured"), "dim")
    return Piece(t("judges.standing.kappa", value=share_text(kappa)))
