"""`ragtui check`: every fault of a set with file, line and mend."""

from __future__ import annotations

from collections import defaultdict

import typer

from ragtui.cli.options import (
    DOCUMENT,
    CorpusOption,
    DocumentOption,
    GoldOption,
    JsonOption,
    PathArgument,
    QueriesOption,
    RunFilesOption,
    chosen_set,
    named_files,
    run_files,
)
from ragtui.cli.output import fault_lines, show, show_json
from ragtui.dataset.faults import Fault, Faults, Severity
from ragtui.messages import t

SHOWN = 20
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


def check(
    path: PathArgument = None,
    corpus: CorpusOption = None,
    queries: QueriesOption = None,
    gold: GoldOption = None,
    run: RunFilesOption = None,
    level: DocumentOption = None,
    json: JsonOption = False,
) -> None:
    """List every fault; exits with 2 where one of them is an error."""
    from ragtui.dataset.reading import check as faults_of

    files = named_files(corpus, queries, gold if path is not None else None, run_files(run))
    faults = faults_of(chosen_set(path, gold), **files, level_document=level == DOCUMENT)
    if json:
        show_json({"faults": [fault.as_json() for fault in faults], "counts": _counts(faults)})
    else:
        show("\n".join(_lines(faults)))
    if faults.has_errors:
        raise typer.Exit(2)


def _counts(faults: Faults) -> dict[str, int]:
    return {s: sum(n for (severity, _), n in faults.counts.items() if severity == s) for s in SEVERITIES}


def _lines(faults: Faults) -> list[str]:
    """Errors first; of each kind the first ones, then how many more there are."""
    lines: list[str] = []
    for severity in SEVERITIES:
        kinds: dict[str, list[Fault]] = defaultdict(list)
        for fault in faults.of(severity):
            kinds[fault.kind].append(fault)
        for kind, found in kinds.items():
            lines += [line for fault in found[:SHOWN] for line in fault_lines(fault)]
            more = faults.counts[severity, kind] - len(found[:SHOWN])
            if more:
                lines.append("  " + t("cli.check.more", n=more))
    counts = _counts(faults)
    return [*lines, t("cli.check.fine") if not lines else t("cli.check.counts", **counts)]
