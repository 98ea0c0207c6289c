"""`ragtui freeze`: counts and three hashes of a set, so that a later change is seen."""

from __future__ import annotations

import json as json_text
from typing import Annotated

import typer

from ragtui.cli.options import JsonOption, PathArgument, chosen_set
from ragtui.cli.output import say_faults, show, show_json
from ragtui.errors import RagtuiError
from ragtui.messages import t


def freeze(
    path: PathArgument = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option("--parameter", "-p", metavar="NAME=VALUE", help=t("cli.freeze.parameter")),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write `snapshot.json` into the folder of a set."""
    from ragtui.dataset.reading import open_set
    from ragtui.dataset.writing import write_snapshot

    evaluation = open_set(chosen_set(path))
    say_faults(evaluation.warnings)
    file = write_snapshot(evaluation, _parameters(parameter or []))
    if json:
        show_json(json_text.loads(file.read_text(encoding="utf-8")))
        return
    hashes = evaluation.hashes
    corpus = t("cli.freeze.no-corpus") if evaluation.chunks.empty else hashes.corpus
    show(t("cli.freeze.done", file=file, corpus=corpus, queries=hashes.queries, gold=hashes.gold))


def _parameters(given: list[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for name, sign, _ in pairs:
        if not sign or not name:
            raise RagtuiError("cli.bad-pair", where="--parameter", given=name)
    return {name: value for name, _, value in pairs}
