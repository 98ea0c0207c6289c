"""Ready filters and those that were saved, which can be renamed and removed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import ClassVar

from textual.binding import BindingType

from ragtui.messages import t
from ragtui.tui.actions import Need, Place
from ragtui.tui.bindings import bindings
from ragtui.tui.glyphs import shown
from ragtui.tui.screens.ask import AskDialog
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.state.query_choices import preset_choices
from ragtui.tui.state.query_list import QueryList

Keep = Callable[[Mapping[str, str]], None]


class PresetsDialog(ChooseDialog):
    """Gives the filter that was chosen.

    Args:
        listed: the list that is filtered.
        saved: filters by name.
        keep: keeps other saved filters in their place.
        answered: the filter of what would be answered by the threshold of the run; None without one.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("presets")]
    keys_of: ClassVar[Place | None] = "presets"

    def __init__(
        self, listed: QueryList, saved: Mapping[str, str], keep: Keep, answered: str | None = None
    ) -> None:
        choices = preset_choices(listed, saved, answered)
        super().__init__(t("tui.preset.title"), choices, listed.where.text)
        self._listed = listed
        self._saved = dict(saved)
        self._ready = len(choices) - len(saved)
        self._keep = keep
        self._answered = answered

    @property
    def saved_name(self) -> str | None:
        """Name of the saved filter under the cursor."""
        at = self.menu.cursor - self._ready
        return list(self._saved)[at] if at >= 0 else None

    def meets(self, need: Need | None) -> bool:
        """Only what was saved can be renamed and removed."""
        return need != "saved" or bool(self._saved)

    def action_rename(self) -> None:
        """Ask for another name of a saved filter."""
        name = self._name_or_say()
        if name is not None:
            self.app.push_screen(AskDialog(t("tui.ask.filter-name"), name), partial(self._rename, name))

    def _rename(self, before: str, after: str | None) -> None:
        if after is None or after == before:
            return
        if after in self._saved:
            self.notify(t("tui.notice.name-taken", name=shown(after)), markup=False)
        else:
            self._change({after if name == before else name: text for name, text in self._saved.items()})

    def action_forget(self) -> None:
        """Remove a saved filter; its text is said, so that it is not lost by a slip."""
        name = self._name_or_say()
        if name is not None:
            text = self._saved[name]
            self._change({other: kept for other, kept in self._saved.items() if other != name})
            said = t("tui.notice.filter-removed", name=shown(name), filter=shown(text))
            self.notify(said, markup=False)

    def action_done(self) -> None:
        """Back to the list as it was."""
        self.dismiss(None)

    def _name_or_say(self) -> str | None:
        if self.saved_name is None:
            self.notify(t("tui.notice.not-a-saved-filter"))
        return self.saved_name

    def _change(self, saved: dict[str, str]) -> None:
        self._saved = saved
        self.menu.show(preset_choices(self._listed, saved, self._answered), self.menu.cursor)
        self._keep(saved)
