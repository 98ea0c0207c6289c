"""`ragtui convert`: any set that can be read, written as a native folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragtui.cli.options import (
    DOCUMENT,
    CorpusOption,
    DocumentOption,
    GoldOption,
    JsonOption,
    QueriesOption,
    RunFilesOption,
    named_files,
    run_files,
)
from ragtui.cli.output import say_faults, show, show_json
from ragtui.messages import t


def convert(
    path: Annotated[Path, typer.Argument(help=t("cli.option.path"))],
    out: Annotated[Path, typer.Argument(help=t("cli.convert.out"))],
    corpus: CorpusOption = None,
    queries: QueriesOption = None,
    gold: GoldOption = None,
    run: RunFilesOption = None,
    level: DocumentOption = None,
    json: JsonOption = False,
) -> None:
    """Write a set as a native folder."""
    from ragtui.dataset.reading import open_set
    from ragtui.dataset.writing import write_native

    files = named_files(corpus, queries, gold, run_files(run))
    evaluation = open_set(path, **files, level_document=level == DOCUMENT)
    say_faults(evaluation.warnings)
    write_native(evaluation, out)
    written = {
        "out": str(out),
        "format": evaluation.format,
        "queries": len(evaluation.queries),
        "chunks": len(evaluation.chunks),
        "gold": len(evaluation.gold),
        "runs": len(evaluation.runs),
    }
    if json:
        show_json(written)
    else:
        show(t("cli.convert.done", **written))
