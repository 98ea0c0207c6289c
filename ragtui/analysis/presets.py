"""Ready filters: what a reviewer asks for every day, with how many queries each has."""

from __future__ import annotations

from dataclasses import dataclass

from ragtui.analysis.facts import Facts
from ragtui.analysis.judged import DIFFERS, FAILED
from ragtui.analysis.where import Where, parse


@dataclass(frozen=True, slots=True)
class Preset:
    """A filter with a name: `where` is its text, `count` how many queries satisfy it."""

    name: str
    where: str
    count: int


def presets(facts: Facts, answered: str | None = None) -> tuple[Preset, ...]:
    """The presets there are for a run at the cut-off of its table.

    Args:
        facts: what filters ask.
        answered: the filter of what would be answered by the threshold of the run; None without one.
    """
    k = facts.table.k
    texts = {
        "to-review": "is:to-review",
        "misses": "is:miss",
        "just-below-k": f"rank:{k + 1}..{2 * k}",
        "partial": "is:partial",
        "marked": "is:marked",
    }
    if facts.table.judged is not None:
        texts |= {f"judge-{value}": f"judge:{value}" for value in (DIFFERS, FAILED)}
    if answered is not None:
        texts["over-threshold"] = f"is:no-answer {answered}"
    return tuple(Preset(name, text, _count(text, facts)) for name, text in texts.items())


def _count(text: str, facts: Facts) -> int:
    where = parse(text, facts)
    return int(where.mask().sum()) if isinstance(where, Where) else 0
