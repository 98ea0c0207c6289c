"""The last line: what can be done here, as many entries as there is room for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual.events import Click
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.actions import BY_ID, Action, Need, Place, footer_entries, key_name
from ragtui.tui.look import palette_of
from ragtui.tui.palette import Palette
from ragtui.tui.strips import Painted, two_sided

ENTRIES_AT_80 = 6
JOB_CELLS = 30
_ALWAYS: Mapping[Place, Sequence[str]] = {
    "queries": ("keys", "back"),
    "detail": ("keys", "back"),
    "no_answer": ("keys", "back"),
    "wrong_side": ("keys", "back"),
    "judges": ("keys", "back"),
    "failures": ("keys", "back"),
    "start": ("keys", "leave"),
}


Meets = Callable[[Need | None], bool]
"""Whether what an action needs is there."""


class KeyFooter(Widget):
    """Keys by the catalogue's priority; the way out and `?` always; the job that is running at the right end.

    Args:
        place: where the keys go; may change, as when a filter is typed.
        meets: actions that need what is not there are left out.
    """

    DEFAULT_CSS = "KeyFooter { height: 1; dock: bottom; }"

    place: reactive[Place] = reactive("queries")
    job: reactive[str] = reactive("")
    """What this screen is busy with, said in at most 30 cells; "" for nothing."""

    words: reactive[Mapping[str, str]] = reactive({})
    """What an action is called at the moment, by its id, where that is not its name."""

    beside: reactive[Mapping[str, str]] = reactive({})
    """An action whose key stands beside that of another one, by the id of that one: one entry for both."""

    judging: reactive[str] = reactive("")
    """The judging under way, whatever the screen; gives way to `job`."""

    def __init__(self, place: Place, meets: Meets) -> None:
        super().__init__()
        self.set_reactive(KeyFooter.place, place)
        self._meets = meets

    def render_line(self, y: int) -> Strip:
        """The line, as wide as the screen."""
        palette = palette_of(self)
        filler = palette.style("text", "raised")
        left: list[Painted] = [(" ", filler)]
        for action in self.entries:
            left += self._entry(action, palette)
        job = [(self._job, palette.style("accent", "raised"))] if self._job else []
        return two_sided(left, job, self.size.width, filler).apply_offsets(0, y)

    def on_click(self, event: Click) -> None:
        """A click on an entry does what its key does."""
        at = 1
        for action in self.entries:
            wide = self._width(action)
            if at <= event.x < at + wide:
                self.app.simulate_key(action.keys[0])
                return
            at += wide

    @property
    def _job(self) -> str:
        job = self.job or self.judging
        return f"{cells.crop(job, min(JOB_CELLS, self.size.width // 2))} " if job else ""

    @property
    def entries(self) -> list[Action]:
        """What there is room for: those that always stay, and before them the most important ones."""
        room = self.size.width - cells.width(self._job) - 2
        always = [BY_ID[name] for name in _ALWAYS.get(self.place, ())]
        used = 1 + sum(self._width(action) for action in always)
        wanted = [action for action in footer_entries(self.place) if self._meets(action.needs)]
        most = ENTRIES_AT_80 - len(always) if room <= 80 else len(wanted)
        chosen: list[Action] = []
        for action in wanted[:most]:
            used += self._width(action)
            if used > room:
                break
            chosen.append(action)
        return [*chosen, *always]

    def _entry(self, action: Action, palette: Palette) -> Sequence[Painted]:
        return (
            (f"{self._keys(action)} ", palette.style("accent", "raised", bold=True)),
            (f"{self._word(action)}   ", palette.style("text", "raised")),
        )

    def _width(self, action: Action) -> int:
        return cells.width(f"{self._keys(action)} {self._word(action)}   ")

    def _keys(self, action: Action) -> str:
        keys = [action.keys[0]]
        if action.id in self.beside:
            keys.append(BY_ID[self.beside[action.id]].keys[0])
        return " ".join(map(key_name, keys))

    def _word(self, action: Action) -> str:
        return self.words.get(action.id) or t(f"tui.action.{action.id}.name")
