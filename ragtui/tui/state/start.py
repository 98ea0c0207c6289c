"""What the start page offers: sets that were opened before, the bundled examples, how to open one's own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from ragtui import locations
from ragtui.dataset.reading import is_set
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown
from ragtui.tui.state.choices import Choice
from ragtui.tui.state.pieces import Fact, Piece
from ragtui.workspace.recent import RecentSet

NAME_CELLS = 28
_COMMANDS = ("open", "check", "convert")


def example_sets() -> list[Path]:
    """The sets that come with ragtui, first the one that verbs take when they are given none."""
    found = [path for path in locations.bundled("datasets").iterdir() if is_set(path)]
    return sorted(found, key=lambda path: (path != locations.example_set(), path))


def start_choices(recent: Sequence[RecentSet], examples: Sequence[Path]) -> list[Choice]:
    """A line for each set; those that are gone are dim. The value is the path."""
    names = {path: shown(path.name or str(path)) for path in (*(one.path for one in recent), *examples)}
    wide = min(max(map(cells.width, names.values()), default=0), NAME_CELLS)
    return [
        *(
            Choice(
                str(one.path),
                cells.pad(names[one.path], wide),
                t("tui.start.opened", date=_date(one.opened)) if one.exists else t("tui.start.gone"),
                is_dim=not one.exists,
                about=_short(one.path),
            )
            for one in recent
        ),
        *(
            Choice(
                str(path), cells.pad(names[path], wide), t("tui.start.example"), about=t("tui.start.bundled")
            )
            for path in examples
        ),
    ]


def own_set(width: int) -> Iterator[Fact]:
    """How a set of one's own is opened."""
    yield ()
    yield (Piece(t("tui.start.own"), bold=True),)
    for line in cells.wrap(t("tui.start.own-files"), width):
        yield (Piece(line, "dim"),)
    yield ()
    commands = {t(f"tui.start.command-{name}"): t(f"tui.start.own-{name}") for name in _COMMANDS}
    wide = max(map(cells.width, commands))
    for command, words in commands.items():
        for index, line in enumerate(cells.wrap(words, max(width - wide - 4, 12))):
            left = cells.pad("" if index else command, wide)
            yield (Piece(f"  {left}", "accent"), Piece(f"  {line}", "dim"))


def _short(path: Path) -> str:
    """The path with the home folder as `~`."""
    home = Path.home()
    inside = path.is_relative_to(home) and path != home
    return shown(f"~/{path.relative_to(home).as_posix()}" if inside else str(path))


def _date(opened: str) -> str:
    """The day in the zone of this machine; nothing of a time that cannot be read."""
    try:
        return datetime.fromisoformat(opened).astimezone().date().isoformat()
    except ValueError:
        return ""
