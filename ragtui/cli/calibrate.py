"""`ragtui calibrate`: from which score on each run should answer, measured, and written down to ship."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ragtui import atomic
from ragtui.cli.options import (
    CorpusOption,
    GoldOption,
    JsonOption,
    PathArgument,
    QueriesOption,
    SplitOption,
    StateOption,
    chosen_set,
    named_files,
    runs_and_files,
)
from ragtui.cli.output import say, say_faults, show_json
from ragtui.cli.sealed import say_sealed
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t

if TYPE_CHECKING:
    from ragtui.analysis.calibration.applied import Applied
    from ragtui.analysis.calibration.calibrate import Aim, Calibration
    from ragtui.analysis.calibration.score_names import ScoreName
    from ragtui.workspace import Workspace

PLOTS = (".svg", ".png")
POLICIES = (".toml", ".json")


def calibrate(
    path: PathArgument = None,
    corpus: CorpusOption = None,
    queries: QueriesOption = None,
    gold: GoldOption = None,
    run: Annotated[list[str] | None, typer.Option("--run", metavar="NAME", help=t("cli.eval.run"))] = None,
    score: Annotated[
        str | None, typer.Option("--score", metavar="top1|margin|mean@K", help=t("calibrate.score"))
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option("--rule", metavar="youden|f1|cost|max-false-answers", help=t("calibrate.rule")),
    ] = None,
    alpha: Annotated[str | None, typer.Option("--alpha", metavar="A", help=t("calibrate.alpha"))] = None,
    costs: Annotated[str | None, typer.Option("--costs", metavar="A:R", help=t("calibrate.costs"))] = None,
    prior: Annotated[float | None, typer.Option("--prior", metavar="P", help=t("calibrate.prior"))] = None,
    k: Annotated[int | None, typer.Option("--k", metavar="K", min=1, help=t("calibrate.k"))] = None,
    min_auroc: Annotated[
        float | None, typer.Option("--min-auroc", metavar="A", min=0, max=1, help=t("calibrate.min-auroc"))
    ] = None,
    split: SplitOption = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", metavar="FILTER", help=t("calibrate.where"))
    ] = None,
    apply: Annotated[Path | None, typer.Option("--apply", metavar="FILE", help=t("calibrate.apply"))] = None,
    export: Annotated[
        list[Path] | None, typer.Option("--export", metavar="FILE", help=t("calibrate.export"))
    ] = None,
    bins: Annotated[int, typer.Option("--bins", min=2, max=200, help=t("calibrate.bins"))] = 20,
    per_query: Annotated[bool, typer.Option("--per-query", help=t("calibrate.per-query"))] = False,
    state: StateOption = None,
    json: JsonOption = False,
) -> None:
    """Refusal thresholds of the runs of a set."""
    from ragtui.analysis.calibration.score_names import score_name
    from ragtui.cli.chosen_runs import chosen_runs
    from ragtui.workspace import Workspace

    exports = _exports(export or [])
    if apply is not None:
        _refuse_idle(rule=rule, alpha=alpha, costs=costs, prior=prior, k=k, min_auroc=min_auroc)
    names, files = runs_and_files(run)
    workspace = Workspace.open(
        chosen_set(path, gold),
        split=split,
        state=state,
        **named_files(corpus, queries, gold if path is not None else None, files),
    )
    chosen = chosen_runs(workspace, [*names, *files])
    aim = _aim(score, rule, alpha, costs, prior, k, min_auroc, split)
    if where:
        workspace = _narrowed(workspace, chosen, " ".join(where), aim)
    say_faults(fault for fault in workspace.set.warnings if fault.severity == "warning")
    say_sealed(workspace.set, workspace.calibrations.report_split(aim.report))
    found: Mapping[str, Calibration] | Mapping[str, Applied]
    if apply is None:
        found = {name: workspace.calibration(name, aim) for name in chosen}
    else:
        wanted = None if score is None else score_name(score)
        found = _applied(workspace, apply, chosen, aim, wanted, are_named=bool(run))
    _answer(workspace, aim, found, bins=bins, per_query=per_query, json=json)
    for file in exports:
        _export(workspace, file, found, bins)


def _refuse_idle(**given: object) -> None:
    """Refuse options that a threshold from a file leaves nothing to do.

    Raises:
        RagtuiError: one was given.
    """
    for name, value in given.items():
        if value is not None:
            raise RagtuiError("calibrate.idle", where=f"--{name.replace('_', '-')}")


def _applied(
    workspace: Workspace,
    file: Path,
    runs: Sequence[str],
    aim: Aim,
    score: ScoreName | None,
    *,
    are_named: bool,
) -> dict[str, Applied]:
    """Runs against the thresholds of their models; those of other models are left out unless they were named.

    Raises:
        RagtuiError: a run that was named has no threshold in the file, or none of them has.
    """
    found: dict[str, Applied] = {}
    without: dict[str, RagtuiError] = {}
    for run in runs:
        try:
            found[run] = workspace.calibrations.applied(file, run, aim, score)
        except RagtuiError as error:
            if are_named or error.key not in {"calibration.other-models", "calibration.no-model"}:
                raise
            without[run] = error
    if not found:
        raise next(iter(without.values()))
    if without:
        say(t("calibrate.without-threshold", runs=inert(", ".join(without)), file=inert(str(file))))
    return found


def _answer(
    workspace: Workspace,
    aim: Aim,
    found: Mapping[str, Calibration] | Mapping[str, Applied],
    *,
    bins: int,
    per_query: bool,
    json: bool,
) -> None:
    if json:
        from ragtui.cli.calibrate_json import as_json

        show_json(as_json(workspace, aim, found, bins=bins, per_query=per_query))
    else:
        from ragtui.cli.calibrate_text import show_calibrations

        show_calibrations(workspace, found, bins=bins, per_query=per_query)


def _aim(
    score: str | None,
    rule: str | None,
    alpha: str | None,
    costs: str | None,
    prior: float | None,
    k: int | None,
    min_auroc: float | None,
    split: str | None,
) -> Aim:
    from ragtui.analysis.calibration.calibrate import MIN_AUROC, Aim
    from ragtui.analysis.calibration.rules import rule_of, share_of
    from ragtui.analysis.calibration.score_names import ScoreName, score_name

    if prior is not None and not 0 < prior < 1:
        raise RagtuiError("calibrate.bad-prior", where="--prior", given=f"{prior:g}")
    return Aim(
        score=ScoreName() if score is None else score_name(score),
        rule=rule_of(
            rule,
            alpha=None if alpha is None else share_of(alpha),
            costs=None if costs is None else _costs(costs),
        ),
        k=k,
        min_auroc=MIN_AUROC if min_auroc is None else min_auroc,
        prior=prior,
        report=split,
    )


def _costs(given: str) -> tuple[float, float]:
    """`5:1`, the cost of a false answer and of a false refusal; `5` is `5:1`."""
    first, _, second = given.partition(":")
    try:
        return float(first), float(second or 1)
    except ValueError:
        raise RagtuiError("calibration.bad-costs", where="--costs", given=inert(given)) from None


def _exports(files: Sequence[Path]) -> list[Path]:
    """Files to write, refused before anything is computed where their form is not known."""
    for file in files:
        if file.suffix not in (*POLICIES, *PLOTS):
            known = ", ".join((*POLICIES, *PLOTS))
            raise RagtuiError("calibrate.bad-export", where="--export", given=inert(str(file)), known=known)
        if not file.parent.is_dir():
            raise RagtuiError("calibrate.no-folder", where="--export", folder=inert(str(file.parent)))
    return list(files)


def _narrowed(workspace: Workspace, runs: Sequence[str], where: str, aim: Aim) -> Workspace:
    """The workspace over the queries that satisfy a filter, in the splits that are fitted and reported.

    Raises:
        RagtuiError: the filter is wrong, or asks for an outcome: choosing queries by how they came out would
            choose the threshold.
    """
    from ragtui.analysis.where import is_outcome, require
    from ragtui.cli.evaluated import Question, facts_for
    from ragtui.workspace.workspace import PLAIN

    kept: set[str] = set()
    calibrations = workspace.calibrations
    for split in dict.fromkeys((calibrations.fit_split, calibrations.report_split(aim.report))):
        part = workspace.over(split)
        question = Question(PLAIN, workspace.set.settings.start_k, where=where)
        condition = require(where, facts_for(part, runs[0], question))
        if is_outcome(condition):
            raise RagtuiError("calibrate.outcome", where="--where")
        kept.update(map(str, part.query_ids[condition.mask()]))
    if not kept:
        raise RagtuiError("calibrate.no-match", where="--where")
    return workspace.only(kept)


def _export(
    workspace: Workspace,
    file: Path,
    found: Mapping[str, Any],
    bins: int,
) -> None:
    from ragtui.analysis.calibration.calibrate import Calibration

    if file.suffix in POLICIES:
        fitted = [one for one in found.values() if isinstance(one, Calibration)]
        if len(fitted) < len(found):
            raise RagtuiError("calibrate.export-of-applied", where="--export")
        names = workspace.calibrations.export(file, fitted)
        left_out = [one.run for one in fitted if one.run not in names]
        if left_out:
            say(t("calibrate.left-out", runs=inert(", ".join(left_out))))
    else:
        from ragtui.report.no_answer_picture import drawn

        content = drawn(workspace.set.name, list(found.values()), bins=bins, form=file.suffix)
        try:
            atomic.write_bytes(file, content)
        except OSError as error:
            why = error.strerror or str(error)
            raise RagtuiError("cli.cannot-write", where=inert(str(file)), why=why) from error
    say(t("calibrate.written", file=file))
