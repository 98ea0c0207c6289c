"""Files of a bundled set as plain records, and what is asked of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def records(path: Path) -> list[Record]:
    """Lines of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def is_answerable(query: Record) -> bool:
    """As the file says."""
    return bool(query["metadata"]["answerable"])


def numbers(text: str) -> set[float]:
    """Figures that a text states; "1,200" is one, while the comma of "3,1" parts two."""
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return {float(figure) for figure in re.findall(r"\d+(?:\.\d+)?", text)}
