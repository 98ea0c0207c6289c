"""`ragtui judge`: asks a judge about what a run returned, and says what its verdicts come to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

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
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t

if TYPE_CHECKING:
    from ragtui.cli.judged import Judged
    from ragtui.judging.models import ModelWishes, OpenModel
    from ragtui.judging.plan import Asker, Plan
    from ragtui.judging.progress import Progress
    from ragtui.workspace import Workspace

WITHOUT_A_MODEL = "id-overlap"
WITH_A_MODEL = "context-precision"


def judge(
    path: PathArgument = None,
    judge: Annotated[str | None, typer.Option("--judge", help=t("cli.judge.judge"))] = None,
    model: Annotated[str | None, typer.Option("--model", help=t("cli.judge.model"))] = None,
    api_base: Annotated[str | None, typer.Option("--api-base", help=t("cli.judge.api-base"))] = None,
    run: Annotated[str | None, typer.Option("--run", metavar="NAME", help=t("cli.judge.run"))] = None,
    k: Annotated[int, typer.Option("--k", min=1, help=t("cli.judge.k"))] = 5,
    stage: Annotated[str | None, typer.Option("--stage", help=t("cli.judge.stage"))] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", metavar="FILTER", help=t("cli.eval.where-option"))
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help=t("cli.judge.limit"))] = None,
    plan: Annotated[bool, typer.Option("--plan", help=t("cli.judge.plan"))] = False,
    max_cost: Annotated[float | None, typer.Option("--max-cost", min=0, help=t("cli.judge.max-cost"))] = None,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", min=1, help=t("cli.judge.concurrency"))
    ] = None,
    rpm: Annotated[int | None, typer.Option("--rpm", min=1, help=t("cli.judge.rpm"))] = None,
    tpm: Annotated[int | None, typer.Option("--tpm", min=1, help=t("cli.judge.tpm"))] = None,
    max_wait: Annotated[float, typer.Option("--max-wait", min=0, help=t("cli.judge.max-wait"))] = 60.0,
    repeats: Annotated[int, typer.Option("--repeats", min=0, help=t("cli.judge.repeats"))] = 0,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help=t("cli.judge.retry-failed"))] = False,
    export: Annotated[Path | None, typer.Option("--export", help=t("cli.judge.export"))] = None,
    cache: Annotated[
        Literal["stats", "list", "verify", "prune", "merge"] | None,
        typer.Option("--cache", help=t("cli.judge.cache-option")),
    ] = None,
    days: Annotated[float | None, typer.Option("--days", min=0, help=t("cli.judge.days"))] = None,
    source: Annotated[Path | None, typer.Option("--from", help=t("cli.judge.from"))] = None,
    corpus: CorpusOption = None,
    queries: QueriesOption = None,
    gold: GoldOption = None,
    split: SplitOption = None,
    state: StateOption = None,
    json: JsonOption = False,
) -> None:
    """Judge what a run returned."""
    if cache is not None:
        from ragtui.cli.judge_cache import tend_cache

        if not tend_cache(cache, days=days, source=source, json=json):
            raise typer.Exit(2)
        return
    from ragtui.cli.judged import Aim, Judged, narrowed, the_run
    from ragtui.workspace import Workspace

    names, files = runs_and_files([run] if run else None)
    workspace = Workspace.open(
        chosen_set(path, gold),
        split=split,
        state=state,
        **named_files(corpus, queries, gold if path is not None else None, files),
    )
    say_faults(fault for fault in workspace.set.warnings if fault.severity == "warning")
    aim = Aim(the_run(workspace, next(iter([*names, *files]), None)), k, stage, " ".join(where or ()), limit)
    narrow, over_outcome = narrowed(workspace, aim)
    name, wishes = _wishes(judge, model, api_base, concurrency, rpm, tpm, max_wait)
    with _opened(narrow, name, wishes) as (asker, opened):
        judged = Judged(narrow, asker, aim, over_outcome)
        facts = None if opened is None else opened.facts
        todo = narrow.judgments.plan(
            judged.selected, asker, facts=facts, repeats=range(repeats + 1), only_failed=retry_failed
        )
        if plan:
            _show_plan(judged, todo, json=json)
            return
        progress = _carry_out(judged, todo, opened, max_cost)
    _answer(judged, progress, export=export, json=json)


def _wishes(
    judge: str | None,
    model: str | None,
    api_base: str | None,
    concurrency: int | None,
    rpm: int | None,
    tpm: int | None,
    max_wait: float,
) -> tuple[str, ModelWishes | None]:
    """Which judge, and what is said of its model on the command line, else in the settings."""
    from ragtui.judging.models import ModelWishes
    from ragtui.settings import load

    settings, warnings = load()
    for warning in warnings:
        say(warning)
    chosen = model or settings.judge_model
    name = judge or (WITH_A_MODEL if chosen else WITHOUT_A_MODEL)
    if judge is None:
        say(t("cli.judge.using", judge=name))
    if chosen is None:
        return name, None
    wishes = ModelWishes(
        chosen,
        api_base=api_base or settings.api_base,
        concurrency=concurrency or settings.concurrency,
        timeout=settings.timeout,
        rpm=rpm,
        tpm=tpm,
        max_wait=max_wait,
    )
    return name, wishes


@contextmanager
def _opened(
    workspace: Workspace, judge: str, wishes: ModelWishes | None
) -> Iterator[tuple[Asker, OpenModel | None]]:
    """The judge in full, and its model; a rule opens none."""
    from ragtui.judging.models import open_model

    found = workspace.judgments.judges.get(judge)
    if wishes is None or found is None or found.engine == "rule":
        yield workspace.judgments.asker(judge, None if wishes is None else wishes.model), None
        return
    with open_model(wishes) as opened:
        yield workspace.judgments.asker(judge, opened.name, opened.label), opened


def _show_plan(judged: Judged, plan: Plan, *, json: bool) -> None:
    from ragtui.cli.judge_json import plan_json
    from ragtui.cli.judge_text import plan_lines

    if json:
        show_json(plan_json(judged, plan))
    else:
        show("\n".join(plan_lines(judged, plan)))


def _carry_out(judged: Judged, plan: Plan, opened: OpenModel | None, max_cost: float | None) -> Progress:
    """Judge, with a bar. Ctrl-C and a server that asks for a long wait end it, and what is there is kept."""
    from ragtui.cli.judge_bar import judging_bar

    with judging_bar() as bar:

        def watch(progress: Progress) -> None:
            bar(progress)
            if progress.state == "paused":
                judging.cancel()

        judging = judged.workspace.judgments.judging(
            plan,
            model=None if opened is None else opened.endpoint,
            concurrency=1 if opened is None else opened.concurrency,
            max_cost=max_cost,
            watch=watch,
        )
        try:
            progress = judging.run()
        except KeyboardInterrupt:
            say(t("cli.judge.interrupted", done=judging.progress.done, total=judging.progress.total))
            raise
    judged.workspace.judgments.forget()
    return progress


def _answer(judged: Judged, progress: Progress, *, export: Path | None, json: bool) -> None:
    """Print what was found; exit code 2 where it is not all there because something came between."""
    from ragtui.cli.judge_json import result_json
    from ragtui.cli.judge_text import show_result

    if export is not None:
        _export(judged, export)
    if json:
        show_json(result_json(judged, progress))
    else:
        show_result(judged, progress)
    if progress.state != "done":
        say(f"{progress.why}\n{t('cli.judge.unfinished', done=progress.done, total=progress.total)}")
        raise typer.Exit(2)


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
