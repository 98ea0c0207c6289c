"""`ragtui convert`: any set that can be read, written as a native folder or for another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ragtui.cli.options import (
    DOCUMENT,
    CorpusOption,
    DocumentOption,
    GoldOption,
    JsonOption,
    QueriesOption,
    RunFilesOption,
    StateOption,
    named_files,
    run_files,
)
from ragtui.cli.output import say_faults, show, show_json
from ragtui.dataset.export.catalogue import EXPORT_NAMES
from ragtui.messages import t

Form = Literal["native", "trec", "beir", "ragas", "parquet"]

FORM_NAMES = ", ".join(form.name for form in EXPORT_NAMES)


def convert(
    path: Annotated[Path, typer.Argument(metavar="PATH", help=t("cli.convert.path"))],
    out: Annotated[Path, typer.Argument(metavar="OUT", help=t("cli.convert.out"))],
    corpus: CorpusOption = None,
    queries: QueriesOption = None,
    gold: GoldOption = None,
    run: RunFilesOption = None,
    level: DocumentOption = None,
    to: Annotated[Form, typer.Option("--to", help=t("cli.convert.to", names=FORM_NAMES))] = "native",
    gold_version: Annotated[
        str | None, typer.Option("--gold-version", metavar="N|latest", help=t("cli.convert.gold-version"))
    ] = None,
    state: StateOption = None,
    json: JsonOption = False,
) -> None:
    """Write a set as a new folder of one of the forms."""
    from ragtui.dataset.export.losses import losses
    from ragtui.dataset.export.writers import WRITERS
    from ragtui.dataset.reading import open_set

    files = named_files(corpus, queries, gold, run_files(run))
    evaluation = open_set(path, **files, level_document=level == DOCUMENT)
    say_faults(evaluation.warnings)
    number = 0
    if gold_version is not None:
        from ragtui.cli.eval_gold import set_with_gold

        evaluation, number = set_with_gold(evaluation, gold_version, state, of_documents=level == DOCUMENT)
    WRITERS[to](evaluation, out)
    say_faults(losses(evaluation, to))
    written = {
        "out": str(out),
        "format": evaluation.format,
        "to": to,
        "queries": len(evaluation.queries),
        "chunks": len(evaluation.chunks),
        "gold": len(evaluation.gold),
        "gold_version": number,
        "runs": len(evaluation.runs),
    }
    if json:
        show_json(written)
    else:
        show(t("cli.convert.done", **written))
