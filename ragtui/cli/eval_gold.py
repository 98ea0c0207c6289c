"""Which version of gold `eval` and `convert` count with, and what one version changes against another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragtui.cli.output import say, say_error
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t
from ragtui.stats.estimate import Estimate

if TYPE_CHECKING:
    from ragtui.dataset.model import EvaluationSet
    from ragtui.workspace import Workspace
    from ragtui.workspace.review_gold import GoldComparison
    from ragtui.workspace.workspace import Lens

SHOWN = ("ndcg", "complete", "recall")


def with_gold(
    workspace: Workspace, wanted: Sequence[str], *, of_documents: bool
) -> tuple[Workspace, Workspace | None]:
    """The workspace with the gold that is asked for, and with that to compare it with, if two are.

    Where none is asked for it is that of the files, and it is said that there are corrections.

    Raises:
        RagtuiError: there is no such version, more than two are asked for, or documents are compared.
    """
    if len(wanted) > 2:
        raise RagtuiError("cli.eval.gold-versions", where="--gold-version")
    if wanted:
        _refuse_documents(of_documents=of_documents)
        first = workspace.at_gold(wanted[0])
        return (first, None) if len(wanted) == 1 else (workspace.at_gold(wanted[1]), first)
    try:
        newest = workspace.review.gold_version
    except RagtuiError as error:
        say_error(error)  # numbers need no journal
        newest = 0
    if newest:
        say(t("cli.eval.gold-newer", n=newest))
    return workspace, None


def set_with_gold(
    evaluation: EvaluationSet, wanted: str, state: Path | None, *, of_documents: bool
) -> tuple[EvaluationSet, int]:
    """The set with a version of its gold, from the journal of its state; gives the number too.

    Raises:
        RagtuiError: there is no such version, the journal cannot be read, or documents are compared.
    """
    _refuse_documents(of_documents=of_documents)
    from ragtui import locations
    from ragtui.review.journal import Journal
    from ragtui.workspace.review_gold import set_at, version_number

    journal = Journal.open(locations.state_folder(evaluation.path, state), "")
    number = version_number(journal.state, wanted)
    split = evaluation.splits[0] if len(evaluation.splits) == 1 else None
    return set_at(evaluation, journal.state, number, split), number


def comparisons(
    before: Workspace, after: Workspace, runs: Sequence[str], lens: Lens
) -> Mapping[str, GoldComparison]:
    """What the later gold changes, by run."""
    from ragtui.workspace.review_gold import compare_versions

    return {run: compare_versions(before, after, run, lens) for run in runs}


def comparisons_json(found: Mapping[str, GoldComparison]) -> dict[str, Any] | None:
    """The same without NaN; None where nothing is compared."""
    if not found:
        return None
    one = next(iter(found.values()))
    return {
        "before": one.before,
        "after": one.after,
        "gold_before": one.gold_before,
        "gold_after": one.gold_after,
        "pairs": one.pairs,
        "runs": {
            run: {
                name: {
                    "before": difference.before.mean,
                    "after": difference.after.mean,
                    "difference": difference.difference.mean,
                    "low": difference.difference.low,
                    "high": difference.difference.high,
                    "n": difference.difference.n,
                    "reason": difference.difference.reason or None,
                }
                for name, difference in comparison.metrics.items()
            }
            for run, comparison in found.items()
        },
    }


def comparison_lines(found: Mapping[str, GoldComparison], k: int, primary: str) -> list[str]:
    """The same for people: a few metrics of each run."""
    if not found:
        return []
    one = next(iter(found.values()))
    lines = [t("cli.eval.gold-compared", before=one.before, after=one.after, n=one.pairs)]
    for run, comparison in found.items():
        names = dict.fromkeys([primary, *(f"{metric}@{k}" for metric in SHOWN)])
        for name in (name for name in names if name in comparison.metrics):
            metric = comparison.metrics[name]
            means = f"{_number(metric.before)} -> {_number(metric.after)}"
            lines.append(f"{inert(run)}  {name}  {means}  {_difference(metric.difference)}")
    return lines


def _refuse_documents(*, of_documents: bool) -> None:
    """Corrections are of chunks, and gold of documents is made of what the files say."""
    if of_documents:
        raise RagtuiError("cli.eval.gold-of-documents", where="--gold-version")


def _number(estimate: Estimate) -> str:
    return "-" if estimate.mean is None else f"{estimate.mean:.3f}"


def _difference(estimate: Estimate) -> str:
    if estimate.mean is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        why = t(f"stats.reason.{estimate.reason}", n=estimate.n) if estimate.reason else ""
        return f"{estimate.mean:+.3f} ({why})" if why else f"{estimate.mean:+.3f}"
    return f"{estimate.mean:+.3f} [{estimate.low:+.3f}, {estimate.high:+.3f}]"
