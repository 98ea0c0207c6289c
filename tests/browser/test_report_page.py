"""The HTML report in a real browser: it fits a phone and a desk, by day and by night, and on paper.

The page forbids scripts, so it is looked at through a frame of another page that measures it.
"""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from ragtui import locations, messages
from ragtui.messages import LANGUAGES, Language
from ragtui.report.build import build_report
from ragtui.report.render.html import html
from ragtui.report.words.page_of import compose
from ragtui.workspace import Workspace
from tests.unit.report.conftest import hostile

__all__ = ["hostile"]

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
WIDTHS = (320, 390, 768, 1200)
LIGHT, DARK = 1, 0
READABLE = 4.5
"""Contrast of text to its ground that WCAG 2.2 asks for (1.4.3, AA)."""

FRAME = """\
<!DOCTYPE html>
<style>body { margin: 0 } iframe { border: 0; display: block; height: 900px }</style>
<iframe id="page" src="report.html"></iframe><pre id="found"></pre>
<script>
const frame = document.getElementById("page");
function channels(colour) { return colour.match(/[0-9.]+/g).map(Number); }
function light(colour) {
  const [r, g, b] = channels(colour).slice(0, 3).map(c => c / 255).map(
    c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function ground(element) {
  for (let e = element; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    const [r, g, b, alpha = 1] = channels(colour);
    if (alpha > 0) return colour;
  }
}
frame.addEventListener("load", () => {
  const page = frame.contentDocument, found = {};
  for (const width of WIDTHS) {
    frame.style.width = width + "px";
    const beyond = [...page.querySelectorAll("body *")].filter(element =>
      element.getBoundingClientRect().right > width + 0.5 && !element.closest(".scroll, pre, svg"));
    found[width] = {wide: page.documentElement.scrollWidth,
                    beyond: beyond.map(element => element.tagName + "." + element.className)};
  }
  const texts = [...page.querySelectorAll("body *")].filter(element =>
    [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
    && !element.closest("svg"));
  found.contrast = Math.min(...texts.map(element => {
    const pair = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05);
  }));
  found.ground = getComputedStyle(page.body).backgroundColor;
  found.pictures = [...page.querySelectorAll("svg.chart")].map(svg => svg.getBoundingClientRect().height);
  document.getElementById("found").textContent = JSON.stringify(found);
});
</script>
"""


@dataclass(frozen=True)
class Browser:
    """A headless browser that keeps nothing."""

    program: str
    folder: Path

    def run(self, *arguments: str) -> str:
        """What it prints; it has a profile of its own."""
        plain = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"]
        done = subprocess.run(
            [self.program, *plain, f"--user-data-dir={self.folder / 'profile'}", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        refused = [line for line in done.stderr.splitlines() if "Refused to" in line]
        assert refused == []
        return done.stdout

    def measured(self, page: str, theme: int) -> dict[str, Any]:
        """What the frame finds in a page."""
        (self.folder / "report.html").write_text(page, encoding="utf-8")
        frame = self.folder / "frame.html"
        frame.write_text(FRAME.replace("WIDTHS", json.dumps(WIDTHS)), encoding="utf-8")
        dom = self.run(
            "--allow-file-access-from-files",
            f"--blink-settings=preferredColorScheme={theme}",
            "--virtual-time-budget=5000",
            "--dump-dom",
            frame.as_uri(),
        )
        found = re.search(r'<pre id="found">(.*?)</pre>', dom, flags=re.DOTALL)
        assert found is not None
        content: dict[str, Any] = json.loads(unescape(found[1]))
        return content


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    program = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"none of {', '.join(PROGRAMS)} is installed (Debian: apt-get install chromium)")
    folder = tmp_path / "browser"
    folder.mkdir()
    return Browser(program, folder)


def page_of(workspace: Workspace, language: Language = "en", baseline: str | None = "bm25") -> str:
    messages.use(language)
    try:
        report = build_report(workspace, baseline=baseline, time="2026-11-30T08:00:00+00:00")
        return html(compose(report, language))
    finally:
        messages.use(None)


@pytest.fixture
def example(tmp_path: Path) -> Workspace:
    return Workspace.open(locations.example_set(), state=tmp_path / "state")


def fits(found: dict[str, Any], widths: Sequence[int] = WIDTHS) -> None:
    for width in widths:
        assert found[str(width)]["beyond"] == [], width
        assert found[str(width)]["wide"] <= width


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("theme", "ground"), [(LIGHT, "rgb(255, 255, 255)"), (DARK, "rgb(20, 23, 28)")])
def test_it_fits_every_width_and_can_be_read_by_day_and_night(
    browser: Browser, example: Workspace, language: Language, theme: int, ground: str
) -> None:
    found = browser.measured(page_of(example, language), theme)
    fits(found)
    assert found["ground"] == ground
    assert found["contrast"] >= READABLE
    assert len(found["pictures"]) == 2
    assert min(found["pictures"]) > 100


def test_hostile_texts_widen_nothing_and_run_nothing(browser: Browser, hostile: Workspace) -> None:
    page = page_of(hostile, baseline=hostile.runs[1])
    fits(browser.measured(page, LIGHT))


@pytest.mark.parametrize(("width", "height"), [(600, 900), (1200, 1600)])
def test_it_has_its_picture_taken(browser: Browser, example: Workspace, width: int, height: int) -> None:
    page, picture = browser.folder / "report.html", browser.folder / "report.png"
    page.write_text(page_of(example), encoding="utf-8")
    browser.run(f"--window-size={width},{height}", f"--screenshot={picture}", page.as_uri())
    content = picture.read_bytes()
    assert struct.unpack(">II", content[16:24]) == (width, height)
    assert len(content) > 30_000  # an empty page of that size has less than a tenth of it


def test_it_prints_on_some_pages(browser: Browser, example: Workspace) -> None:
    page, paper = browser.folder / "report.html", browser.folder / "report.pdf"
    page.write_text(page_of(example), encoding="utf-8")
    browser.run("--no-pdf-header-footer", f"--print-to-pdf={paper}", page.as_uri())
    content = paper.read_bytes()
    assert content.startswith(b"%PDF")
    pages = len(re.findall(rb"/Type /Page\b", content))
    assert 3 <= pages <= 15
