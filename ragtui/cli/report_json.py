"""A report for programs: what the pages say, without their words."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ragtui.analysis.export import plain
from ragtui.report.model import Report


def report_json(report: Report) -> dict[str, Any]:
    """The report as it was built, field by field as `Report` names them; what could not be had is null."""
    return {name: plain(value) for name, value in asdict(report).items()}
