"""`ragtui judge`: asks a judge about what a run returned, and says what its verdicts come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

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
from ragtui.cli.output import say, say_faults, show, show_json
from ragtui.cli.sealed import say_sealed
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t

if TYPE_CHECKING:
    from ragtui.cli.judge_run import Asking
    from ragtui.cli.judged import Judged


def judge(
    path: PathArgument = None,
    judge: Annotated[str | None, typer.Option("--judge", metavar="NAME", help=t("cli.judge.judge"))] = None,
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help=t("cli.judge.model"))] = None,
    api_base: Annotated[
        str | None, typer.Option("--api-base", metavar="URL", help=t("cli.judge.api-base"))
    ] = None,
    run: Annotated[str | None, typer.Option("--run", metavar="NAME", help=t("cli.judge.run"))] = None,
    k: Annotated[int, typer.Option("--k", metavar="N", min=1, help=t("cli.judge.k"))] = 5,
    stage: Annotated[str | None, typer.Option("--stage", metavar="STAGE", help=t("cli.judge.stage"))] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", metavar="FILTER", help=t("cli.eval.where-option"))
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help=t("cli.judge.limit"))
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help=t("cli.judge.plan"))] = False,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", metavar="USD", min=0, help=t("cli.judge.max-cost"))
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", metavar="N", min=1, help=t("cli.judge.concurrency"))
    ] = None,
    rpm: Annotated[int | None, typer.Option("--rpm", metavar="N", min=1, help=t("cli.judge.rpm"))] = None,
    tpm: Annotated[int | None, typer.Option("--tpm", metavar="N", min=1, help=t("cli.judge.tpm"))] = None,
    max_wait: Annotated[
        float, typer.Option("--max-wait", metavar="SECONDS", min=0, help=t("cli.judge.max-wait"))
    ] = 60.0,
    repeats: Annotated[int, typer.Option("--repeats", metavar="N", min=0, help=t("cli.judge.repeats"))] = 0,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help=t("cli.judge.retry-failed"))] = False,
    export: Annotated[
        Path | None, typer.Option("--export", metavar="FILE", help=t("cli.judge.export"))
    ] = None,
    cache: Annotated[
        Literal["stats", "list", "verify", "prune", "merge"] | None,
        typer.Option("--cache", help=t("cli.judge.cache-option")),
    ] = None,
    days: Annotated[
        float | None, typer.Option("--days", metavar="N", min=0, help=t("cli.judge.days"))
    ] = None,
    source: Annotated[Path | None, typer.Option("--from", metavar="FOLDER", help=t("cli.judge.from"))] = None,
    corpus: CorpusOption = None,
    queries: QueriesOption = None,
    gold: GoldOption = None,
    split: SplitOption = None,
    state: StateOption = None,
    card: Annotated[bool, typer.Option("--card", help=t("cli.judge.card-option"))] = False,
    json: JsonOption = False,
) -> None:
    """Judge what a run returned."""
    from ragtui.judging.cache import caches_closed_after

    with caches_closed_after():
        if cache is not None:
            from ragtui.cli.judge_cache import tend_cache

            sound = tend_cache(cache, days=days, source=source, json=json)
            raise typer.Exit(0 if sound else 2)
        from ragtui.cli.judge_run import Asking, opened, wishes_of
        from ragtui.cli.judged import Aim, Judged, narrowed, the_run
        from ragtui.workspace import Workspace

        names, files = runs_and_files([run] if run else None)
        workspace = Workspace.open(
            chosen_set(path, gold),
            split=split,
            state=state,
            **named_files(corpus, queries, gold if path is not None else None, files),
        )
        warnings = [fault for fault in workspace.set.warnings if fault.severity == "warning"]
        # a model that is asked needs no gold
        say_faults(fault for fault in warnings if not (model and fault.kind == "no-gold"))
        say_sealed(workspace.set, workspace.split)
        wanted = the_run(workspace, next(iter([*names, *files]), None))
        aim = Aim(wanted, k, stage, " ".join(where or ()), limit)
        narrow, over_outcome = narrowed(workspace, aim)
        name, wishes = wishes_of(judge, model, api_base, concurrency, rpm, tpm, max_wait)
        with opened(narrow, name, wishes) as (asker, its_model):
            judged = Judged(narrow, asker, aim, over_outcome)
            asking = Asking(its_model, range(repeats + 1), retry_failed, max_cost)
            if card:
                _card(judged, asking, plan=plan, json=json)
            else:
                _scores(judged, asking, plan=plan, export=export, json=json)


def _scores(judged: Judged, asking: Asking, *, plan: bool, export: Path | None, json: bool) -> None:
    """Judge, or only say what it would take; exit code 2 where something came between."""
    from ragtui.cli.judge_json import plan_json, result_json
    from ragtui.cli.judge_run import carry_out, say_unfinished
    from ragtui.cli.judge_text import plan_lines, show_result

    todo = judged.workspace.judgments.plan(
        judged.selected,
        judged.asker,
        facts=asking.facts,
        repeats=asking.repeats,
        only_failed=asking.only_failed,
    )
    if plan:
        _print(plan_json(judged, todo), plan_lines(judged, todo), json=json)
        return
    progress = carry_out(judged, todo, asking)
    if export is not None:
        _export(judged, export)
    if json:
        show_json(result_json(judged, progress))
    elif progress.state != "stopped" or len(judged.verdicts):  # else why it stopped is all there is to say
        show_result(judged, progress)
    say_unfinished(progress)


def _card(judged: Judged, asking: Asking, *, plan: bool, json: bool) -> None:
    """Measure the judge, on its own pairs and on the gold of the set, or only say what it would take."""
    from ragtui.cli.judge_card import card_json, card_lines, cards_of, plans_json, plans_lines
    from ragtui.cli.judge_run import carry_out, say_unfinished
    from ragtui.workspace.cards import calibration_plans
    from ragtui.workspace.judgments import calibration_folder

    plans = calibration_plans(judged.asker, facts=asking.facts, repeats=asking.repeats)
    if plan:
        _print(plans_json(judged, plans), plans_lines(judged, plans), json=json)
        return
    ends = [carry_out(judged, each, asking, calibration_folder()) for each in plans]
    cards = cards_of(judged)
    if all(end.state == "done" for end in ends):
        judged.workspace.judgments.keep_card(judged.asker, cards.own)
    _print(card_json(judged, cards), card_lines(judged, cards), json=json)
    for end in ends:
        say_unfinished(end)


def _print(content: Mapping[str, Any], lines: Sequence[str], *, json: bool) -> None:
    if json:
        show_json(content)
    else:
        show("\n".join(lines))


def _export(judged: Judged, path: Path) -> None:
    """Write the verdicts as CSV or JSON Lines, as the ending of the name says."""
    from ragtui.analysis.export import FORMATS
    from ragtui.atomic import write_bytes
    from ragtui.cli.judge_json import verdict_rows

    kind = path.suffix.removeprefix(".")
    if kind not in {"csv", "jsonl"}:
        raise RagtuiError("cli.judge.export-what", where=inert(str(path)))
    text = FORMATS[kind](verdict_rows(judged.verdicts))
    try:
        write_bytes(path, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        why = error.strerror or str(error)
        raise RagtuiError("cli.cannot-write", where=inert(str(path)), why=why) from error
    say(t("cli.judge.exported", file=path))
