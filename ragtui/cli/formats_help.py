"""What help says about formats, from the same lists as the README."""

from __future__ import annotations

from collections.abc import Sequence

from ragtui.dataset.export.catalogue import EXPORT_NAMES, ExportName
from ragtui.dataset.formats.catalogue import FORMAT_NAMES, FormatName
from ragtui.messages import t


def formats_read() -> str:
    """Every format that opens as a set, a paragraph each."""
    return _paragraphs(t("cli.convert.reads"), FORMAT_NAMES)


def formats_written() -> str:
    """Every form that `convert` writes, a paragraph each."""
    return _paragraphs(t("cli.convert.writes"), EXPORT_NAMES)


def _paragraphs(title: str, names: Sequence[FormatName | ExportName]) -> str:
    told = [f"{one.name}: {one.words} ({', '.join(one.examples)})" for one in names]
    return "\n\n".join([title, *told])
