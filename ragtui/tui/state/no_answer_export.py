"""What leaves screen 4: thresholds as a file, and the run in use for the clipboard."""

from __future__ import annotations

import json
from typing import Any

from ragtui import __version__
from ragtui.analysis.calibration.calibrate import Calibration
from ragtui.analysis.calibration.policy_file import rates_table
from ragtui.analysis.calibration.sample import FOUND, MISSED, NO_ANSWER
from ragtui.messages import t
from ragtui.tui.state.choices import Choice

FILES = ("toml", "json")


def file_choices() -> list[Choice]:
    """Formats of a file of thresholds."""
    return [Choice(name, t(f"no_answer.export.{name}")) for name in FILES]


def calibration_json(calibration: Calibration, cursor: float) -> str:
    """What is known of a run and of the threshold at the cursor, one JSON object."""
    threshold, auroc = calibration.threshold, calibration.auroc
    sample = calibration.report
    found: dict[str, Any] = {
        "schema": 1,
        "ragtui": __version__,
        "run": calibration.run,
        "model": calibration.model,
        "score": str(calibration.aim.score),
        "direction": sample.direction,
        "k": sample.k,
        "n": {
            "found": sample.n_of(FOUND),
            "missed": sample.n_of(MISSED),
            "no_answer": sample.n_of(NO_ANSWER),
        },
        "auroc": {"value": auroc.value, "low": auroc.low, "high": auroc.high},
        "usable": calibration.usable,
        "reason": calibration.why or None,
        "threshold": threshold.value if threshold is not None else None,
        "cursor": cursor,
        "rates_at_cursor": rates_table(calibration.rates_live(cursor)),
    }
    return json.dumps(found, ensure_ascii=False, allow_nan=False)
