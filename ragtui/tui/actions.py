"""The one catalogue of what can be done and with which key.

Bindings, footer, help page, palette and the README's key table are made from it.

An action's words are `tui.action.<id>.name` (footer, palette) and `tui.action.<id>.what` (help, README).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ragtui.messages import Language, t
from ragtui.tui.glyphs import UNICODE, glyphs

Place = Literal[
    "queries",
    "detail",
    "no_answer",
    "wrong_side",
    "judges",
    "failures",
    "filter",
    "presets",
    "columns",
    "start",
]
Need = Literal[
    "run",
    "runs",
    "stages",
    "rows",
    "text",
    "saved",
    "idle",
    "job",
    "failed",
    "judge",
    "filter",
    "moved",
    "goes",
    "failing",
    "chunk",
    "corrected",
    "turns",
]
"""What has to be there for an action to do something: a run, several, stages, rows in the list, something to
copy, a filter that was saved; no judging under way, or some; verdicts that failed; a judge that can be asked;
a filter on the list of queries; a cursor that was moved; something that enter does; a query that fails;
a chunk; corrected gold; room for the figures or the curve, but not for both."""

PLACES: tuple[Place, ...] = ("queries", "detail", "no_answer", "wrong_side", "judges", "failures")
"""The screens. The filter's field has keys of its own, for there a letter is text."""

OF_QUERIES: tuple[Place, ...] = ("queries", "detail", "wrong_side", "failures")
"""The screens on which a query is looked at."""

OF_REVIEW: tuple[Place, ...] = ("queries", "detail", "failures")
"""The screens on which people decide about a query."""

OF_RUNS: tuple[Place, ...] = ("queries", "detail", "no_answer", "judges", "failures")
"""The screens that can be seen under another run or cut-off."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something a key does.

    Attributes:
        id: its name; the method is `action_<id>`.
        keys: as Textual names them, the one to show first.
        twins: the same for people whose hands or input methods are elsewhere: keys that are no letter.
        places: where it works.
        priority: place in the footer, 1 first; 0 is never shown there.
        of_app: the app does it, whatever the screen.
        needs: without it the action does nothing, and is not offered.
    """

    id: str
    keys: tuple[str, ...]
    twins: tuple[str, ...] = ()
    places: tuple[Place, ...] = PLACES
    priority: int = 0
    of_app: bool = False
    needs: Need | None = None

    @property
    def name(self) -> str:
        """One or two words, for footer and palette."""
        return t(f"tui.action.{self.id}.name")

    @property
    def what(self) -> str:
        """A line, for the help page and the README."""
        return t(f"tui.action.{self.id}.what")


EVERYWHERE: tuple[Place, ...] = (*PLACES, "start")

ACTIONS: tuple[Action, ...] = (
    Action("open", ("enter",), places=("queries", "wrong_side", "failures"), priority=1, needs="rows"),
    Action("filter", ("slash",), ("f4", "／", "、"), places=("queries",), priority=2, needs="run"),
    Action("presets", ("f",), ("f6",), places=("queries",), priority=3, needs="run"),
    Action("sort", ("s",), places=("queries", "failures"), priority=4, needs="rows"),
    Action("reverse", ("S",), places=("queries", "failures"), needs="rows"),
    Action("accept_cause", ("a",), places=OF_REVIEW, needs="failing"),
    Action("tag", ("t",), ("f2",), places=OF_REVIEW, needs="failing"),
    Action("tag_several", ("T",), places=OF_REVIEW, needs="failing"),
    Action("grade", ("e",), ("f3",), places=("detail",), priority=5, needs="chunk"),
    Action("note", ("i",), places=("detail",), priority=8),
    Action("blind", ("v",), places=("detail",), priority=9),
    Action("gold", ("E",), places=OF_REVIEW, needs="corrected"),
    Action("undo", ("u",), ("ctrl+z",), places=OF_REVIEW),
    Action("redo", ("ctrl+r",), ("ctrl+y",), places=OF_REVIEW),
    Action("mark_all", ("A",), ("ctrl+a",), places=("failures",), priority=8, needs="rows"),
    Action("guard", ("W",), places=OF_REVIEW, priority=12, needs="rows"),
    Action("sample", ("percent_sign",), ("％",), places=("failures",), priority=9, needs="rows"),
    Action("slice_by", ("L",), places=("failures",), priority=10, needs="rows"),
    Action("mark", ("space",), places=OF_QUERIES, priority=7, needs="rows"),
    Action("next", ("n",), ("right",), places=("queries", "detail"), priority=5, needs="rows"),
    Action("previous", ("N",), ("left",), places=("queries", "detail"), needs="rows"),
    Action("down", ("j", "down")),
    Action("up", ("k", "up")),
    Action("top", ("g", "home")),
    Action("bottom", ("G", "end")),
    Action("half_down", ("ctrl+d",)),
    Action("half_up", ("ctrl+u",)),
    Action("page_down", ("pagedown",)),
    Action("page_up", ("pageup",)),
    Action("whole", ("enter",), places=("detail",), priority=2),
    Action("wrong_side", ("enter",), places=("no_answer",), priority=1, needs="rows"),
    Action("lower", ("left",), places=("no_answer",), priority=2, needs="rows"),
    Action("higher", ("right",), places=("no_answer",), needs="rows"),
    Action("lower_finely", ("shift+left",), ("comma", "，"), places=("no_answer",), priority=6, needs="rows"),
    Action("higher_finely", ("shift+right",), ("full_stop", "。"), places=("no_answer",), needs="rows"),
    Action("rule", ("r",), ("f11",), places=("no_answer",), priority=3, needs="run"),
    Action("score", ("b",), places=("no_answer",), priority=5, needs="run"),
    Action("start", ("enter",), places=("judges",), priority=1, needs="goes"),
    Action("pause", ("p",), ("f9",), places=("judges",), priority=2, needs="job"),
    Action("cancel", ("c",), ("f10",), places=("judges",), priority=3, needs="job"),
    Action("model", ("m",), ("f8",), places=("judges",), priority=2, needs="idle"),
    Action("retry", ("exclamation_mark",), ("！",), places=("judges",), priority=4, needs="failed"),
    Action("measure", ("M",), ("f12",), places=("judges",), priority=7, needs="judge"),
    Action("scope", ("F",), places=("judges",), priority=8, needs="filter"),
    Action("judge", ("R",), ("f7",), places=("detail", "judges"), priority=4, needs="judge"),
    Action("other_pane", ("tab",), places=("detail", "judges", "failures"), priority=3),
    Action("curve", ("tab",), places=("no_answer",), priority=3, needs="turns"),
    Action("to_cause", ("shift+tab",), places=("detail",), needs="failing"),
    Action("other_run", ("d",), places=("detail",), priority=6, needs="runs"),
    Action("less_k", ("left_square_bracket",), ("【", "［"), places=OF_RUNS, needs="run"),
    Action("more_k", ("right_square_bracket",), ("】", "］"), places=OF_RUNS, priority=8, needs="run"),
    Action("previous_run", ("left_curly_bracket",), ("｛", "「"), places=OF_RUNS, needs="runs"),
    Action("next_run", ("right_curly_bracket",), ("｝", "」"), places=OF_RUNS, priority=9, needs="runs"),
    Action("stage", ("l",), places=("queries", "detail", "judges", "failures"), needs="stages"),
    Action("zoom", ("z",), places=OF_RUNS, priority=11, needs="rows"),
    Action("copy", ("y",), priority=10, needs="text"),
    Action("copy_json", ("Y",), needs="rows"),
    Action("export", ("x",), priority=12, needs="rows"),
    Action("columns", ("C",), places=("queries",), priority=13, needs="run"),
    Action("remarks", ("w",), of_app=True),
    Action("queries", ("1",), of_app=True),
    Action("no_answer", ("4",), of_app=True, needs="run"),
    Action("judges", ("5",), of_app=True, needs="run"),
    Action("failures", ("6",), of_app=True, needs="run"),
    Action("open_set", ("enter",), places=("start",), priority=1),
    Action("open_path", ("o",), ("f5",), places=("start",), priority=2),
    Action("palette", ("ctrl+p", "colon"), ("：",), places=EVERYWHERE, of_app=True),
    Action("keys", ("question_mark",), ("f1", "？"), places=EVERYWHERE, of_app=True),
    Action("back", ("escape",)),
    Action("leave", ("q",), places=EVERYWHERE, of_app=True),
    Action("accept", ("enter",), places=("filter",), priority=1),
    Action("complete", ("tab",), places=("filter",), priority=2),
    Action("choose_next", ("down",), places=("filter",), priority=4),
    Action("choose_previous", ("up",), places=("filter",)),
    Action("save_filter", ("ctrl+s",), places=("filter",), priority=3),
    Action("close", ("escape",), places=("filter",), priority=5),
    Action("choose", ("enter",), ("space", "right"), places=("presets",), priority=1),
    Action("rename", ("e",), ("f3",), places=("presets",), priority=2, needs="saved"),
    Action("forget", ("delete",), ("backspace",), places=("presets", "start"), priority=3, needs="saved"),
    Action("choose_column", ("space",), ("enter", "right"), places=("columns",), priority=1),
    Action("earlier", ("K",), ("shift+up",), places=("columns",), priority=2),
    Action("later", ("J",), ("shift+down",), places=("columns",), priority=3),
    Action("usual", ("0",), places=("no_answer", "columns"), priority=4, needs="moved"),
    Action("done", ("escape",), ("left",), places=("presets", "columns"), priority=5),
)
# beside these, ctrl+c quits on its second press within two seconds, and ctrl+q at once

BY_ID = {action.id: action for action in ACTIONS}

TABS: tuple[Place, ...] = ("queries", "no_answer", "judges", "failures")
"""Screens in the order of their digits; each has an action of its own name."""


def actions_of(place: Place) -> tuple[Action, ...]:
    """What can be done on a screen, in the order of the catalogue."""
    return tuple(action for action in ACTIONS if place in action.places)


def call_of(action: Action) -> str:
    """The action as Textual runs it from a screen."""
    return f"app.{action.id}" if action.of_app else action.id


def footer_entries(place: Place) -> list[Action]:
    """Actions for the footer, the most important first."""
    return sorted(
        (action for action in actions_of(place) if action.priority), key=lambda action: action.priority
    )


def key_name(key: str) -> str:
    """A key as people call it: `slash` is `/`, `ctrl+p` stays, arrows are signs where they can be drawn."""
    before, plus, last = key.rpartition("+")
    return before + plus + str(getattr(glyphs(), last, None) or _plain(last))


def keys_shown(keys: Sequence[str]) -> str:
    """Keys in a row, without the full-width twins, which speak for themselves."""
    return " ".join(key_name(key) for key in keys if key.isascii())


def key_table(language: Language) -> list[tuple[str, str, str, str]]:
    """Rows of the README's key table: keys, twins, what, where."""
    return [
        (
            " ".join(_with_arrows(key) for key in action.keys),
            " ".join(_with_arrows(key) for key in action.twins),
            t(f"tui.action.{action.id}.what", language),
            _where(action, language),
        )
        for action in ACTIONS
    ]


def _where(action: Action, language: Language) -> str:
    named = tuple(place for place in action.places if place not in PLACES)
    places = ("all", *named) if set(PLACES) <= set(action.places) else action.places
    return ", ".join(t(f"tui.place.{place}", language) for place in places)


def _with_arrows(key: str) -> str:
    before, plus, last = key.rpartition("+")
    return before + plus + str(getattr(UNICODE, last, None) or _plain(last))


def _plain(key: str) -> str:
    return _SIGNS.get(key, key.upper() if key[0] == "f" and key[1:].isdigit() else key)


_SIGNS = {
    "comma": ",",
    "full_stop": ".",
    "slash": "/",
    "colon": ":",
    "percent_sign": "%",
    "question_mark": "?",
    "exclamation_mark": "!",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "escape": "esc",
    "delete": "del",
}
