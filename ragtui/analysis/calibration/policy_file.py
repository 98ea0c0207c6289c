"""Policies as files: `thresholds.toml` and JSON, written for production, read again for new runs."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragtui import __version__
from ragtui.analysis.calibration.calibrate import Calibration
from ragtui.analysis.calibration.rates import NAMES, Rates
from ragtui.analysis.calibration.sample import FOUND, MISSED, NO_ANSWER
from ragtui.analysis.calibration.score_names import ScoreName, score_name
from ragtui.dataset.model import Direction
from ragtui.errors import RagtuiError
from ragtui.messages import t

SCHEMA = 1
MOST_K = 1_000_000
"""No list is so long."""


@dataclass(frozen=True)
class Policy:
    """A threshold as it stands in a file.

    Attributes:
        name: the run it was fitted on.
        table: all that the file says of it.
    """

    name: str
    table: Mapping[str, Any]

    @property
    def model(self) -> str:
        return str(self.table["model"])

    @property
    def score(self) -> ScoreName:
        return score_name(self.table["score"])

    @property
    def direction(self) -> Direction:
        return "lower" if self.table["direction"] == "lower" else "higher"

    @property
    def threshold(self) -> float:
        return float(self.table["threshold"])

    @property
    def k(self) -> int:
        return int(self.table["k"])

    @property
    def card(self) -> Mapping[str, Any]:
        """Fields of the run card that its scores depend on."""
        found = self.table.get("card")
        return found if isinstance(found, Mapping) else {}


def policy_of(calibration: Calibration, *, corpus: str, queries: str) -> dict[str, Any]:
    """All that is shipped of a threshold: what decides, and what it stands on.

    Args:
        calibration: with a usable threshold.
        corpus: hash of the corpus that was searched.
        queries: hash of the queries.

    Raises:
        RagtuiError: no threshold is usable, or nothing says what model made the scores.
    """
    threshold = calibration.threshold
    if threshold is None:
        raise RagtuiError("calibration.nothing-to-export", where=calibration.run, why=calibration.why)
    if calibration.model is None:
        raise RagtuiError("calibration.no-model", where=calibration.run, run=calibration.run)
    fit, aim, auroc = calibration.fit, calibration.aim, calibration.auroc
    table: dict[str, Any] = {
        "model": calibration.model,
        "score": str(aim.score),
        "direction": fit.run_direction,
        "threshold": threshold.value,
        "low": threshold.interval.low,
        "high": threshold.interval.high,
        "rule": threshold.rule,
        "alpha": aim.rule.alpha,
        "costs": getattr(aim.rule, "costs", None),
        "prior": aim.prior,
        "k": fit.k,
        "corpus_hash": corpus,
        "queries_hash": queries,
        "auroc": {"value": auroc.value, "low": auroc.low, "high": auroc.high},
        "fitted_on": {
            "split": fit.split,
            "found": fit.n_of(FOUND),
            "missed": fit.n_of(MISSED),
            "no_answer": fit.n_of(NO_ANSWER),
        },
        "rates": None if calibration.rates is None else rates_table(calibration.rates),
        "card": dict(calibration.facts),
    }
    return _without_none(table)


def rates_table(rates: Rates) -> dict[str, Any]:
    """Rates as JSON and TOML hold them."""
    table: dict[str, Any] = {"split": rates.split, "method": rates.method}
    for name in NAMES:
        rate = getattr(rates, name)
        table[name] = {
            "value": rate.value,
            "count": rate.count,
            "n": rate.n,
            "low": rate.low,
            "high": rate.high,
        }
    table["false_answer"]["at_most"] = rates.at_most
    return table


def policies_file(set_name: str, policies: Mapping[str, Mapping[str, Any]], *, as_json: bool) -> bytes:
    """The whole file: policies by run."""
    whole = {"schema": SCHEMA, "ragtui": __version__, "set": set_name, "thresholds": dict(policies)}
    if as_json:
        return json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=1).encode() + b"\n"
    import tomli_w

    return tomli_w.dumps(whole).encode()


def read_policies(path: Path) -> tuple[Policy, ...]:
    """Policies of a file of ours, TOML or JSON.

    Raises:
        RagtuiError: it cannot be read, or holds no policies.
    """
    place = str(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise RagtuiError("calibration.unreadable", where=place, why=why) from error
    except UnicodeDecodeError as error:
        raise RagtuiError("calibration.not-policies", where=place, why=t("calibration.no-utf8")) from error
    try:
        whole = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RagtuiError("calibration.not-policies", where=place, why=str(error)) from error
    tables = whole.get("thresholds")
    if not isinstance(tables, dict) or not tables:
        raise RagtuiError("calibration.not-policies", where=place, why=t("calibration.no-table"))
    if whole.get("schema") != SCHEMA:
        raise RagtuiError("calibration.other-schema", where=place, schema=whole.get("schema"))
    policies = tuple(Policy(name, table) for name, table in tables.items())
    for policy in policies:
        _refuse_broken(policy, place)
    return policies


def chosen_policy(
    policies: Sequence[Policy], *, place: str, run: str, model: str | None, score: ScoreName | None
) -> Policy:
    """The policy that a run may be reported against: of its model, and of the score that is asked for.

    Raises:
        RagtuiError: it is not known what made the run; no policy is of that model or score; or several are.
    """
    if model is None:
        raise RagtuiError("calibration.no-model", where=run, run=run)
    of_model = [policy for policy in policies if policy.model == model]
    if not of_model:
        known = ", ".join(sorted({policy.model for policy in policies}))
        raise RagtuiError("calibration.other-models", where=place, run=run, model=model, known=known)
    fitting = [policy for policy in of_model if score is None or policy.score == score]
    known = ", ".join(sorted({str(policy.score) for policy in of_model}))
    if not fitting:
        raise RagtuiError("calibration.other-score", where=place, score=score, model=model, known=known)
    if len(fitting) > 1:
        names = ", ".join(policy.name for policy in fitting)
        raise RagtuiError("calibration.several-policies", where=place, model=model, names=names)
    return fitting[0]


def _refuse_broken(policy: Policy, place: str) -> None:
    table = policy.table
    try:
        good = (
            isinstance(table["model"], str)
            and table["direction"] in ("higher", "lower")
            and _is_number(table["threshold"])
            and type(table["k"]) is int
            and 0 < table["k"] < MOST_K
            and all(_is_number(table.get(end, 0)) for end in ("low", "high"))
        )
        score_name(table["score"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RagtuiError):
        good = False
    if not good:
        raise RagtuiError("calibration.broken-policy", where=place, name=policy.name)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _without_none(table: Mapping[str, Any]) -> dict[str, Any]:
    """What is not known is left out: TOML has no null."""
    return {
        name: _without_none(value) if isinstance(value, Mapping) else value
        for name, value in table.items()
        if value is not None
    }
