"""Tables that a script draws anew and that stand in a page between two marks of their name."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "no-answer.md"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Heads and rows as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def with_table(page: str, name: str, table: str) -> str:
    """The page with the table between its marks."""
    return re.sub(
        rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)",
        lambda found: f"{found[1]}{table}\n{found[2]}",
        page,
        flags=re.DOTALL,
    )


def show(name: str, table: str) -> None:
    """Print a table, or with `--write` put it into the page."""
    if "--write" in sys.argv:
        PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), name, table), encoding="utf-8")
    else:
        print(table)
