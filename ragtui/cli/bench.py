"""`ragtui bench`: runs a retriever over a set and keeps the lists with their card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ragtui.cli.options import JsonOption, PathArgument, chosen_set
from ragtui.cli.output import progress_bar, say, say_faults, show, show_json
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t


def bench(
    path: PathArgument = None,
    retriever: Annotated[
        Literal["bm25", "dense"], typer.Option("--retriever", help=t("cli.bench.retriever"))
    ] = "bm25",
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help=t("cli.bench.model"))] = None,
    distance: Annotated[
        Literal["cosine", "dot"], typer.Option("--distance", help=t("cli.bench.distance"))
    ] = "cosine",
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help=t("cli.bench.name"))] = None,
    depth: Annotated[int, typer.Option("--depth", metavar="N", help=t("cli.bench.depth"))] = 50,
    prompt: Annotated[int, typer.Option("--prompt", metavar="N", help=t("cli.bench.prompt"))] = 5,
    out: Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help=t("cli.bench.out"))] = None,
    replace: Annotated[bool, typer.Option("--replace", help=t("cli.bench.replace"))] = False,
    json: JsonOption = False,
) -> None:
    """Run a retriever over a set and keep the run with its card."""
    if path is None and out is None:
        raise RagtuiError("cli.bench.no-path")
    from ragtui.analysis.export import plain
    from ragtui.dataset.reading import open_set
    from ragtui.dataset.writing import run_file, write_run
    from ragtui.retrieval.bench import bench as make_run
    from ragtui.retrieval.bench import run_name
    from ragtui.settings import load

    evaluation = open_set(chosen_set(path))
    say_faults(fault for fault in evaluation.warnings if fault.severity == "warning")
    folder = out or evaluation.path / "runs"
    if not folder.parent.is_dir():
        if out is not None:
            raise RagtuiError("cli.bench.no-parent", where="--out", folder=inert(str(out.parent)))
        raise RagtuiError("cli.bench.no-folder", where=inert(str(evaluation.path)))
    settings, warnings = load()
    for warning in warnings:
        say(warning)
    of_model = (model or settings.embedding_model) if retriever == "dense" else None
    run_file(folder, name or run_name(retriever, of_model), replace=replace)
    with progress_bar() as progress:
        run = make_run(
            evaluation,
            retriever,
            model=model,
            name=name,
            depth=depth,
            prompt=prompt,
            distance=distance,
            settings=settings,
            progress=progress,
        )
    file = write_run(run, folder, replace=replace)
    if run.errors:
        say(t("cli.bench.errors", n=len(run.errors), first=next(iter(run.errors.values()))))
    queries = len(run.lists.query_ids)
    if json:
        card = plain(run.card.fields) if run.card is not None else None
        show_json(
            {"run": run.name, "file": str(file), "queries": queries, "errors": run.errors, "card": card}
        )
    else:
        show(t("cli.bench.done", n=queries, file=file, name=run.name))
