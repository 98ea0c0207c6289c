"""A shipped threshold on a new run: what it does there, and what no longer is as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ragtui.analysis.calibration.fit import Reason
from ragtui.analysis.calibration.policy_file import Policy
from ragtui.analysis.calibration.rates import Rates, rates_at
from ragtui.analysis.calibration.risk_coverage import RiskCoverage, risk_coverage
from ragtui.analysis.calibration.sample import Sample
from ragtui.errors import RagtuiError
from ragtui.stats.auroc import Auroc, auroc

SAME_QUERIES = "same-queries"


@dataclass(frozen=True, eq=False)
class Applied:
    """A policy on the queries of a run that it was not fitted on.

    Attributes:
        run: name of the run.
        model: what made its scores, the same as that of the policy.
        policy: as it was shipped.
        report: the queries.
        warnings: what differs from what it was fitted on, and what the figures mean then.
    """

    run: str
    model: str
    policy: Policy
    report: Sample
    warnings: tuple[Reason, ...]

    @cached_property
    def rates(self) -> Rates:
        """Held out, unless the queries are those that the threshold was fitted on."""
        same = any(warning.kind == SAME_QUERIES for warning in self.warnings)
        return rates_at(self.report, self.policy.threshold, "fitted" if same else "held-out")

    @cached_property
    def auroc(self) -> Auroc:
        """On `report`."""
        return auroc(self.report.answerable, self.report.no_answer)

    @cached_property
    def risk_coverage(self) -> RiskCoverage:
        return risk_coverage(self.report)


def apply_policy(
    policy: Policy,
    run: str,
    report: Sample,
    facts: Mapping[str, Any],
    *,
    model: str,
    corpus: str,
    queries: str,
) -> Applied:
    """Report a run against a policy.

    Args:
        policy: of the model of the run.
        run: its name.
        report: its queries, scored as the policy wants.
        facts: fields of its card that scores depend on.
        model: what made its scores.
        corpus: hash of the corpus that was searched.
        queries: hash of the queries.

    Raises:
        RagtuiError: its scores are of another kind: another direction or distance.
    """
    if policy.direction != report.run_direction:
        values = {"was": policy.direction, "now": report.run_direction}
        raise RagtuiError("calibration.other-direction", where=run, **values)
    was, now = policy.card.get("distance"), facts.get("distance")
    if was is not None and now is not None and was != now:
        raise RagtuiError("calibration.other-distance", where=run, was=was, now=now)
    warnings: list[Reason] = []
    if policy.table.get("corpus_hash") != corpus:
        warnings.append(Reason("other-corpus"))
    fitted_on = policy.table.get("fitted_on")
    fitted_split = fitted_on.get("split") if isinstance(fitted_on, Mapping) else None
    if policy.table.get("queries_hash") == queries and fitted_split == report.split:
        warnings.append(Reason(SAME_QUERIES, (("split", report.split or "-"),)))
    differing = [name for name in policy.card if name in facts and facts[name] != policy.card[name]]
    if differing:
        warnings.append(Reason("other-card", (("fields", ", ".join(differing)),)))
    return Applied(run, model, policy, report, tuple(warnings))
