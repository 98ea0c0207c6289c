"""Why a figure has no value or no interval, in words."""

from __future__ import annotations

from ragtui.messages import t
from ragtui.report.page import Text
from ragtui.report.words.said import say
from ragtui.stats.estimate import Estimate


def reason(estimate: Estimate) -> Text:
    """The reason that stands where a value or an interval should; `–` where there is none to give."""
    if not estimate.reason:
        return "–"
    if estimate.reason == "unknown":
        return say("reason.unknown")
    for area in ("stats", "metrics"):
        try:
            return t(f"{area}.reason.{estimate.reason}", n=estimate.n)
        except KeyError:
            continue
    return estimate.reason
