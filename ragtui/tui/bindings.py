"""The catalogue of actions as Textual wants it; the catalogue itself knows no Textual."""

from __future__ import annotations

from textual.binding import Binding

from ragtui.tui.actions import Place, actions_of, call_of


def bindings(place: Place) -> list[Binding]:
    """Textual bindings of a screen, one for every key."""
    return [
        Binding(key, call_of(action), action.id, show=False, id=f"{place}.{action.id}.{index}")
        for action in actions_of(place)
        for index, key in enumerate((*action.keys, *action.twins))
    ]


FAR = 1_000_000_000


def moving(action: str, page: int = 10) -> list[Binding]:
    """Keys that move by lines in dialogs and pages: `action(by)` is called with how many."""
    steps = {
        "down,j": 1,
        "up,k": -1,
        "pagedown,ctrl+d": page,
        "pageup,ctrl+u": -page,
        "home,g": -FAR,
        "end,G": FAR,
    }
    return [Binding(keys, f"{action}({by})", show=False) for keys, by in steps.items()]
