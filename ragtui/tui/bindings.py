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
