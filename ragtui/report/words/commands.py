"""Commands that a report names, ready for a shell."""

from __future__ import annotations

from shlex import quote

from ragtui.report.model import Report


def command(report: Report, verb: str, *options: str) -> str:
    """A verb of ours on the set and the run of a report."""
    return set_command(report, verb, "--run", report.basis.run, *options)


def set_command(report: Report, verb: str, *options: str) -> str:
    """A verb of ours on the set of a report, whatever the run."""
    return " ".join(map(quote, ("ragtui", verb, report.basis.path, *options)))
