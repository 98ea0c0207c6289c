"""What is said of numbers over a split that was sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragtui.cli.output import say
from ragtui.inert import inert
from ragtui.messages import t

if TYPE_CHECKING:
    from ragtui.dataset.model import EvaluationSet


def say_sealed(evaluation: EvaluationSet, split: str | None) -> None:
    """Say to stderr that a split is sealed, and what looking at it costs."""
    if split is not None and split in evaluation.settings.sealed:
        say(f"{t('cli.severity.warning')}: {t('split.looked-at', split=inert(split))}")
