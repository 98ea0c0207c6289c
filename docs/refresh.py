"""Writes anew what the README states as fact: tables from their catalogues, and screenshots.

Run it as `make docs`. A test compares the tables, so that the README cannot say something else than the
product.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.cells import cell_len

from ragtui import locations
from ragtui.dataset.export.catalogue import EXPORT_NAMES, ExportName
from ragtui.dataset.formats.catalogue import FORMAT_NAMES, FormatName
from ragtui.messages import use
from ragtui.metrics.catalogue import METRICS
from ragtui.tui.actions import key_table

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
SCREENS = ROOT / "docs" / "screens"
SIZE = (120, 36)
PICTURES = (
    ("queries", "travel-policy-zh", ()),
    ("detail", "travel-policy-zh", ("enter",)),
    ("no-answer", "tech-notes", ("4",)),
    ("judges", "travel-policy-zh", ("5",)),
    ("failures", "travel-policy-zh", ("6",)),
)
"""Name of the picture, set, and the keys that lead to it."""
REPORT_SIZE = (1200, 1120)
"""Pixels: the width of a desk, and as high as the first figures and steps need."""


def tables() -> dict[str, str]:
    """Markdown tables by the name of their place in the README."""
    use("en")
    keys = [("key", "or", "what", "where"), *key_table("en")]
    metrics = [("metric", "definition", "misleads when", "source")]
    metrics += [(f"`{m.name}@K`", m.formula, m.misleads, m.source) for m in METRICS.values()]
    return {
        "keys": _table(keys, code=(0, 1)),
        "metrics": _table(metrics),
        "formats": _table(_named("format", FORMAT_NAMES)),
        "exports": _table(_named("form", EXPORT_NAMES)),
    }


def _named(title: str, names: Sequence[FormatName | ExportName]) -> list[tuple[str, ...]]:
    rows = [(f"`{one.name}`", one.words, " ".join(f"`{file}`" for file in one.examples)) for one in names]
    return [(title, "what it is", "files such as"), *rows]


def with_tables(text: str) -> str:
    """`text` with every `<!-- name -->…<!-- /name -->` filled with its table."""
    for name, table in tables().items():
        start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        before, _, rest = text.partition(start)
        text = f"{before}{start}\n{table}\n{end}{rest.partition(end)[2]}"
    return text


async def take_screenshots() -> None:
    """Every screen of `PICTURES`, as SVG that asks no server for fonts."""
    from ragtui.tui.app import RagtuiApp
    from ragtui.workspace import Workspace

    for name, dataset, keys in PICTURES:
        with tempfile.TemporaryDirectory() as state:
            workspace = Workspace.open(locations.bundled("datasets") / dataset, state=Path(state))
            app = RagtuiApp(workspace, run="e5-small")
            async with app.run_test(size=SIZE) as pilot:
                for key in (None, *keys):
                    if key is not None:
                        await pilot.press(key)
                    await pilot.pause()
                    await app.workers.wait_for_complete()
                    await pilot.pause()
                svg = _without_web_fonts(app.export_screenshot(title="ragtui"))
                (SCREENS / f"{name}.svg").write_text(svg, encoding="utf-8")


def take_picture_of_report() -> None:
    """The top of the HTML report of the bundled set; left as it is where no Chromium is installed."""
    from ragtui.report.build import build_report
    from ragtui.report.render.html import html as rendered
    from ragtui.report.words.page_of import compose
    from ragtui.workspace import Workspace

    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        sys.stderr.write("No Chromium: docs/screens/report.png stays as it is.\n")
        return
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace.open(locations.example_set(), state=Path(folder) / "state")
        report = build_report(workspace, run="e5-small", baseline="bm25", time="2026-11-30")
        page = Path(folder) / "report.html"
        page.write_text(rendered(compose(report, "en")), encoding="utf-8")
        plain = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        plain.append(f"--user-data-dir={folder}/browser")
        size = f"--window-size={REPORT_SIZE[0]},{REPORT_SIZE[1]}"
        picture = f"--screenshot={SCREENS / 'report.png'}"
        subprocess.run([program, *plain, size, picture, page.as_uri()], check=True, stderr=subprocess.DEVNULL)


def _table(rows: Sequence[tuple[str, ...]], code: tuple[int, ...] = ()) -> str:
    head, *body = rows
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in body:
        cells = [_code(cell) if column in code else cell for column, cell in enumerate(row)]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def _code(cell: str) -> str:
    return " ".join(f"`{key}`" for key in cell.split())


def _without_web_fonts(svg: str) -> str:
    svg = re.sub(r"@font-face\s*{.*?}", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas, Noto Sans Mono CJK SC")
    svg = re.sub(r'textLength="([^"]*)"([^>]*)>([^<]*)<', _in_cells, svg)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def _in_cells(text: re.Match[str]) -> str:
    """A text as wide as its cells: rich counts characters, and would squeeze Chinese into half its room."""
    length, attributes, escaped = text.groups()
    said = html.unescape(escaped)
    width = float(length) / len(said) * cell_len(said) if said else float(length)
    return f'textLength="{width:g}"{attributes}>{escaped}<'


if __name__ == "__main__":
    # pictures are the same wherever they are taken
    os.environ |= {"RAGTUI_LANGUAGE": "en", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    README.write_text(with_tables(README.read_text(encoding="utf-8")), encoding="utf-8")
    SCREENS.mkdir(parents=True, exist_ok=True)
    asyncio.run(take_screenshots())
    take_picture_of_report()
