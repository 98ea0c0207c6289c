"""How a widget learns the colours of the theme in use."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.dom import DOMNode

from ragtui.tui.palette import Palette, palette_of_theme


def palette_of(node: DOMNode) -> Palette:
    """The palette of the theme that `node`'s app wears."""
    app: App[Any] = node.app
    theme = app.current_theme
    return palette_of_theme(app.theme_variables, native=theme.ansi, colourless=app.no_color)
