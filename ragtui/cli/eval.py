"""`ragtui eval`: rank metrics of runs, with their uncertainty, over a split or a part of it."""

from __future__ import annotations

import errno
import json as json_text
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ragtui import atomic
from ragtui.cli.chosen_runs import chosen_runs
from ragtui.cli.options import (
    DOCUMENT,
    CorpusOption,
    GoldOption,
    JsonOption,
    LevelOption,
    PathArgument,
    QueriesOption,
    SplitOption,
    StateOption,
    chosen_set,
    listed,
    named_files,
    runs_and_files,
)
from ragtui.cli.output import say, say_faults, show, show_json, with_schema
from ragtui.cli.sealed import say_sealed
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t
from ragtui.metrics.catalogue import METRICS

if TYPE_CHECKING:
    from ragtui.cli.evaluated import EvaluatedRun, Question
    from ragtui.workspace import Workspace
    from ragtui.workspace.review_gold import GoldComparison

K_DIGITS = 9
"""Longest cut-off that is taken: no list is longer, and the kernels count in machine integers."""


def evaluate(
    path: PathArgument = None,
    corpus: CorpusOption = None,
    queries: QueriesOption = None,
    gold: GoldOption = None,
    run: Annotated[list[str] | None, typer.Option("--run", metavar="NAME", help=t("cli.eval.run"))] = None,
    split: SplitOption = None,
    level: LevelOption = None,
    convention: Annotated[
        Literal["ragtui", "trec"], typer.Option("--convention", help=t("cli.eval.convention"))
    ] = "ragtui",
    intersection: Annotated[bool, typer.Option("--intersection", help=t("cli.eval.intersection"))] = False,
    stage: Annotated[
        str | None, typer.Option("--stage", metavar="STAGE", help=t("cli.eval.stage-option"))
    ] = None,
    k: Annotated[list[str] | None, typer.Option("--k", metavar="1,5,10", help=t("cli.eval.k"))] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metrics", metavar="ndcg@10,recall", help=t("cli.eval.metrics", names=", ".join(METRICS))
        ),
    ] = None,
    by: Annotated[list[str] | None, typer.Option("--by", metavar="KEY", help=t("cli.eval.by"))] = None,
    where: Annotated[
        list[str] | None, typer.Option("--where", metavar="FILTER", help=t("cli.eval.where-option"))
    ] = None,
    per_query: Annotated[bool, typer.Option("--per-query", help=t("cli.eval.per-query"))] = False,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="FILE", help=t("cli.eval.records"))
    ] = None,
    save: Annotated[bool, typer.Option("--save", help=t("cli.eval.save"))] = False,
    gold_version: Annotated[
        list[str] | None, typer.Option("--gold-version", metavar="N|latest", help=t("cli.eval.gold-version"))
    ] = None,
    state: StateOption = None,
    json: JsonOption = False,
) -> None:
    """Rank metrics of the runs of a set."""
    from ragtui.cli.eval_gold import comparisons, with_gold
    from ragtui.cli.evaluated import Question, evaluate_run
    from ragtui.workspace import Workspace
    from ragtui.workspace.workspace import Lens

    names, files = runs_and_files(run)
    workspace = Workspace.open(
        chosen_set(path, gold),
        split=split,
        state=state,
        **named_files(corpus, queries, gold if path is not None else None, files),
        level_document=level == DOCUMENT,
    )
    workspace, before = with_gold(workspace, gold_version or [], of_documents=level == DOCUMENT)
    chosen = chosen_runs(workspace, [*names, *files])
    chosen_metrics = listed("--metrics", metrics)
    lens = Lens(
        convention=convention,
        missing="intersection" if intersection else "zero",
        stage=stage,
        level=_level(level),
        ks=_cutoffs(k),
        metrics=None if chosen_metrics is None else tuple(chosen_metrics),
    )
    question = Question(
        lens,
        _k(workspace, lens.ks),
        by=tuple(dict.fromkeys(by or ())),
        where=" ".join(where or ()),
        unit="document" if level == DOCUMENT else "chunk",
    )
    found = {name: evaluate_run(workspace, name, question) for name in chosen}
    _warn(workspace, found)
    _say_what_matches(found)
    if records is not None:
        _write_records(records, workspace, found)
    compared = {} if before is None else comparisons(before, workspace, chosen, lens)
    _answer(workspace, question, found, compared, per_query=per_query, save=save, json=json)


def _answer(
    workspace: Workspace,
    question: Question,
    found: Mapping[str, EvaluatedRun],
    compared: Mapping[str, GoldComparison],
    *,
    per_query: bool,
    save: bool,
    json: bool,
) -> None:
    from ragtui.cli.eval_gold import comparison_lines, comparisons_json
    from ragtui.cli.eval_json import as_json
    from ragtui.cli.eval_text import show_tables

    if save:
        from ragtui.workspace.results import append_result

        result = with_schema(as_json(workspace, question, found, per_query=False))
        file = append_result(workspace.state_folder, result)
        say(t("cli.eval.saved", file=file))
    if json:
        told = as_json(workspace, question, found, per_query=per_query)
        show_json(told | ({"gold_comparison": comparisons_json(compared)} if compared else {}))
    else:
        show_tables(workspace, question, found, per_query=per_query)
        lines = comparison_lines(compared, question.k, workspace.set.settings.primary)
        if lines:
            show("\n".join(["", *lines]))


def _level(given: str | None) -> float | None:
    if given is None or given == DOCUMENT:
        return None
    try:
        return float(given)
    except ValueError:
        raise RagtuiError("cli.bad-level", where="--level", given=inert(given)) from None


def _cutoffs(given: list[str] | None) -> tuple[int, ...] | None:
    parts = listed("--k", given)
    if parts is None:
        return None
    for part in parts:
        if not (part.isascii() and part.isdigit() and len(part) <= K_DIGITS and int(part)):
            raise RagtuiError("cli.bad-k", where="--k", given=inert(part))
    return tuple(sorted({int(part) for part in parts}))


def _k(workspace: Workspace, ks: tuple[int, ...] | None) -> int:
    """Cut-off of marks and filters: the one the set starts with, else the first of those asked for."""
    known = ks or workspace.set.settings.k
    start = workspace.set.settings.start_k
    return start if start in known else known[0]


def _warn(workspace: Workspace, found: Mapping[str, EvaluatedRun]) -> None:
    from ragtui.cli.evaluated import remarks_by_text

    say_faults(fault for fault in workspace.set.warnings if fault.severity == "warning")
    say_sealed(workspace.set, workspace.split)
    for text, names in remarks_by_text(found, "warning").items():
        say(f"{t('cli.severity.warning')}: {inert(', '.join(names))}: {inert(text)}")


def _say_what_matches(found: Mapping[str, EvaluatedRun]) -> None:
    """For a filter that leaves runs without queries: the smaller one that does not."""
    runs: dict[str, list[str]] = {}
    for name, evaluated in found.items():
        if len(evaluated.table):
            continue
        nearest = evaluated.nearest
        key = "cli.eval.no-match" if nearest is None else "cli.eval.nearest-match"
        values = {} if nearest is None else {"smaller": inert(nearest.text), "n": nearest.count}
        runs.setdefault(t(key, **values), []).append(name)
    for text, names in runs.items():
        say(f"{t('cli.severity.warning')}: {inert(', '.join(names))}: {text}")


def _write_records(path: Path, workspace: Workspace, found: Mapping[str, EvaluatedRun]) -> None:
    from ragtui.analysis.records import query_records

    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with atomic.replacing(path) as file:
            for evaluated in found.values():
                verdicts = workspace.verdict_records(evaluated.table)
                for record in query_records(evaluated.table, workspace.gold, verdicts):
                    line = json_text.dumps(record, ensure_ascii=False, allow_nan=False)
                    file.write(line.encode("utf-8", "surrogatepass") + b"\n")
    except OSError as error:
        why = error.strerror or str(error)
        raise RagtuiError("cli.cannot-write", where=inert(str(path)), why=why) from error
    say(t("cli.eval.records-written", file=path))
