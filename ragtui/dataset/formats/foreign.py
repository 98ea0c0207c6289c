"""Sets of other tools that are not read: recognised, named and refused, never taken for an empty result."""

from __future__ import annotations

from pathlib import Path

from ragtui.dataset.faults import Faults
from ragtui.dataset.fields import plain
from ragtui.dataset.formats.sources import NamedFiles
from ragtui.dataset.readers.content import head
from ragtui.dataset.readers.rows import Parts

# names of fields that only one tool writes
_SIGNS = (
    ("ragas", frozenset({"user_input", "retrieved_contexts"})),
    ("ragas", frozenset({"user_input", "reference_contexts"})),
    ("ragas", frozenset({"retrieved_contexts", "reference_contexts"})),
    ("ragas", frozenset({"question", "contexts", "ground_truth"})),
    ("ragas", frozenset({"question", "contexts", "ground_truths"})),
    ("LlamaIndex", frozenset({"examples"})),
    ("AutoRAG", frozenset({"retrieval_gt", "generation_gt"})),
)


def detect(path: Path) -> bool:
    """Whether a path is a set of a tool that is known by name."""
    return _tool(path) is not None


def refuse(path: Path, named: NamedFiles, faults: Faults) -> Parts:
    """Say whose file it is and what can be done with it."""
    del named
    faults.error("foreign-format", path, tool=_tool(path) or "")
    return Parts(path, "foreign")


def _tool(path: Path) -> str | None:
    if path.is_dir():
        if (path / "rag_dataset.json").is_file():
            return "LlamaIndex"
        names = {file.name.lower() for file in path.iterdir()}
        return "AutoRAG" if any("qa" in n and n.endswith(".parquet") for n in names) else None
    lines = head(path, 1) if path.is_file() else []
    return _tool_of_line(lines[0]) if lines else None


def _tool_of_line(line: bytes) -> str | None:
    import orjson

    fields: set[str]
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        fields = {plain(cell.strip('"')) for cell in line.decode("utf-8", "replace").split(",")}
    else:
        record = record[0] if isinstance(record, list) and record else record
        fields = {plain(key) for key in record} if isinstance(record, dict) else set()
    return next((tool for tool, sign in _SIGNS if sign <= fields), None)
