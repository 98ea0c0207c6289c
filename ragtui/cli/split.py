"""`ragtui split`: dev to choose on, and a sealed test to report on."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ragtui.cli.options import JsonOption, PathArgument
from ragtui.cli.output import say, say_faults, show, show_json
from ragtui.dataset.split import SEED
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t


def split(
    path: PathArgument = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help=t("split.seed"))] = SEED,
    force: Annotated[bool, typer.Option("--force", help=t("split.force"))] = False,
    json: JsonOption = False,
) -> None:
    """Write `splits.jsonl` into the folder of a set."""
    from ragtui.dataset.reading import open_set
    from ragtui.dataset.split import DEV, LEAST, TEST, divide
    from ragtui.dataset.split_file import splits_file, write_division

    if path is None:
        raise RagtuiError("split.no-path")
    evaluation = open_set(path)
    say_faults(fault for fault in evaluation.warnings if fault.severity == "warning")
    splits_file(evaluation, replace=force)
    if len(evaluation.queries) < 2:
        raise RagtuiError("split.too-small", where=inert(str(path)), n=len(evaluation.queries))
    division = divide(evaluation, seed)
    file = write_division(evaluation, division, replace=force)
    test = division.size(TEST)
    if test < LEAST:
        say(f"{t('cli.severity.warning')}: {t('split.small-test', n=test, least=LEAST)}")
    if json:
        strata: list[dict[str, Any]] = [
            {"type": part.type, "answerable": part.answerable, DEV: part.dev, TEST: part.test}
            for part in division.strata
        ]
        show_json(
            {
                "file": str(file),
                "seed": seed,
                "sealed": [TEST],
                "clusters": division.clusters,
                "splits": {DEV: division.size(DEV), TEST: test},
                "strata": strata,
            }
        )
        return
    show(t("split.done", file=file, dev=division.size(DEV), test=test, seed=seed))
    for part in division.strata:
        name = part.type or t("split.no-type")
        show(f"  {inert(name)}, {t(f'split.{part.answerable}')}: {part.dev} + {part.test}")
    if division.clusters:
        show(t("split.clusters", n=division.clusters))
    show(t("split.sealed"))
