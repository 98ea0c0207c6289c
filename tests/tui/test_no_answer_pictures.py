"""Pictures of screen 4 at three sizes in both languages, without colour, in ASCII; its colours; its width."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.theme import BUILTIN_THEMES

from ragtui import messages
from ragtui.messages import LANGUAGES, Language
from ragtui.tui import glyphs
from ragtui.tui.app import RagtuiApp
from ragtui.tui.palette import Ink
from ragtui.workspace import Workspace
from tests.tui.driving import lines, settled
from tests.tui.refusing import refusing_set, with_test_split
from tests.tui.test_palette import palette, ratio
from tests.tui.test_queries_pictures import SIZES, Snap, measured, size_name

INKS: tuple[Ink, ...] = ("found", "partial", "miss")


@pytest.fixture
def refusing(tmp_path: Path) -> Workspace:
    return Workspace(refusing_set(tmp_path / "refusing"), state=tmp_path / "state")


def on(*keys: str) -> object:
    """Opens screen 4 and presses keys."""

    async def look(pilot: Pilot[None]) -> None:
        await settled(pilot)
        for key in ("4", *keys):
            await pilot.press(key)
            await settled(pilot)

    return look


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=size_name)
def test_histograms(
    refusing: Workspace, snap_compare: Snap, size: tuple[int, int], language: Language
) -> None:
    """One panel per run, as many as there is room for; the cursor of the first a little moved."""
    messages.use(language)
    assert snap_compare(RagtuiApp(refusing), terminal_size=size, run_before=on("right", "right"))


def test_held_out(tmp_path: Path, snap_compare: Snap) -> None:
    """Fitted on dev, shown on test, with the bound of the false answers."""
    split = with_test_split(refusing_set(tmp_path / "split"))
    app = RagtuiApp(Workspace(split, state=tmp_path / "state"))
    assert snap_compare(app, terminal_size=(120, 36), run_before=on("z"))


def test_no_usable_threshold(refusing: Workspace, snap_compare: Snap) -> None:
    """The reason, and what the rule would pick."""
    assert snap_compare(RagtuiApp(refusing), terminal_size=(80, 24), run_before=on("j"))


def test_few_no_answer_queries(tmp_path: Path, snap_compare: Snap) -> None:
    """What so few can show."""
    few = refusing_set(tmp_path / "few", no_answer=12)
    app = RagtuiApp(Workspace(few, state=tmp_path / "state"))
    assert snap_compare(app, terminal_size=(80, 24), run_before=on())


def test_without_colour(refusing: Workspace, snap_compare: Snap, monkeypatch: pytest.MonkeyPatch) -> None:
    """Solid, hatched, below the line; the refused side is dim and named."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(RagtuiApp(refusing), terminal_size=(120, 36), run_before=on())


def test_in_ascii(refusing: Workspace, snap_compare: Snap, monkeypatch: pytest.MonkeyPatch) -> None:
    """No block, no braille, no reverse: three characters for three kinds."""
    monkeypatch.setenv("NO_COLOR", "1")
    glyphs.use("ascii")
    assert snap_compare(RagtuiApp(refusing), terminal_size=(120, 36), run_before=on("z"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules(refusing: Workspace, snap_compare: Snap, language: Language) -> None:
    """Rules with usual numbers, and others to be asked for."""
    messages.use(language)
    assert snap_compare(RagtuiApp(refusing), terminal_size=(80, 24), run_before=on("r"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_wrong_side(refusing: Workspace, snap_compare: Snap, language: Language) -> None:
    """False answers first, the farthest first, with what was found for the selected one."""
    messages.use(language)
    assert snap_compare(RagtuiApp(refusing), terminal_size=(120, 36), run_before=on("left", "enter", "j"))


@pytest.mark.parametrize(
    ("size", "language"),
    [((40, 8), "en"), ((57, 15), "zh"), ((80, 24), "zh"), ((120, 36), "en"), ((233, 60), "zh")],
)
async def test_no_line_is_wider_than_a_wide_terminal(
    refusing: Workspace, size: tuple[int, int], language: Language
) -> None:
    messages.use(language)
    glyphs.use("auto", ambiguous_is_wide=True)
    app = RagtuiApp(refusing)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        for keys in (["4"], ["tab"], ["G"], ["z"], ["r"], ["escape", "enter"]):
            await pilot.press(*keys)
            await settled(pilot)
            for line in lines(pilot):
                assert measured(line) == size[0], line


@pytest.mark.parametrize("name", [name for name, theme in BUILTIN_THEMES.items() if not theme.ansi])
def test_the_refused_side_is_fainter_and_still_seen(name: str) -> None:
    colours = palette(name)
    for ink in INKS:
        bright, faint = colours.style(ink).color, colours.faint(ink).color
        assert bright is not None
        assert faint is not None
        assert 1.25 < ratio(faint.name, colours.background) < ratio(bright.name, colours.background) / 1.4
