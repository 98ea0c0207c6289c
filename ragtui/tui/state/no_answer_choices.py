"""Rules and scores to choose from on screen 4."""

from __future__ import annotations

from ragtui.analysis.calibration.rules import RULES
from ragtui.messages import t
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.no_answer import rule_from, without_zero
from ragtui.tui.state.no_answer_words import rule_words

MIN_AUROC = "min-auroc"
ANOTHER = ".."
"""Ends a choice that asks for a number."""

READY = (
    "youden",
    "f1",
    "max-false-answers 0.01",
    "max-false-answers 0.05",
    "max-false-answers 0.1",
    "max-false-answers 0.2",
    "cost 1:1",
    "cost 5:1",
    "cost 10:1",
)
"""Rules with the numbers that are asked for most."""

SCORES = ("top1", "margin", "mean@3", "mean@5", "mean@10")


def rule_choices(min_auroc: float) -> list[Choice]:
    """Rules with usual numbers, those for which a number is asked, and from which AUROC on one is usable."""
    ready = [Choice(text, rule_words(rule_from(text)), about=_about(text)) for text in READY]
    asked = [
        Choice(f"{name} {ANOTHER}", t(f"no_answer.another.{name}"), is_dim=True)
        for name in RULES
        if name in {"max-false-answers", "cost"}
    ]
    least = t("no_answer.another.min-auroc", least=without_zero(f"{min_auroc:g}"))
    return [*ready, *asked, Choice(f"{MIN_AUROC} {ANOTHER}", least, is_dim=True)]


def _about(text: str) -> str:
    """More words where the name of a rule says little."""
    return t("no_answer.about-youden") if text == "youden" else ""


def score_choices(k: int) -> list[Choice]:
    """Scores, that over the first K among them."""
    names = dict.fromkeys((*SCORES, f"mean@{k}"))
    return [
        *(Choice(name, _score_words(name)) for name in names),
        Choice(ANOTHER, t("no_answer.another.score"), is_dim=True),
    ]


def _score_words(name: str) -> str:
    kind, _, k = name.partition("@")
    return f"{name}  {t(f'no_answer.score.{kind}', k=k)}"
