"""Judges written in Python, which installed packages offer in the entry-point group `ragtui.judges`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, cast

from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.judging.model import Item, Judge

GROUP = "ragtui.judges"


class PythonJudge(Protocol):
    """What an entry point has to lead to.

    Its name is the judge's. A judge of the engine `rule` is asked for verdicts; one of another engine only
    brings its prompts and schema.
    """

    judge: Judge

    def verdict(self, item: Item) -> tuple[float, str]:
        """Value on the scale of the judge, and the reason for it."""


@cache
def python_judges() -> Mapping[str, PythonJudge]:
    """The judges of all installed packages, by name.

    Raises:
        RagtuiError: one of them cannot be loaded, or is no judge; it names the package.
    """
    return {point.name: _load(point) for point in sorted(entry_points(group=GROUP), key=lambda p: p.name)}


def _load(point: EntryPoint) -> PythonJudge:
    package = point.dist.name if point.dist is not None else point.value
    try:
        loaded = point.load()
    except Exception as error:
        reason = inert(f"{type(error).__name__}: {error}")
        raise RagtuiError("judging.plugin-broken", where=package, name=point.name, reason=reason) from error
    judge = getattr(loaded, "judge", None)
    asked = isinstance(judge, Judge) and (
        judge.engine != "rule" or callable(getattr(loaded, "verdict", None))
    )
    if not isinstance(judge, Judge) or judge.name != point.name or not asked:
        raise RagtuiError("judging.plugin-not-a-judge", where=package, name=point.name)
    return cast(PythonJudge, loaded)
