"""Choosing the model that judges ask: that of the settings, one that has verdicts here, or another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from textual.app import App

from ragtui.endpoint.local import PREFIX
from ragtui.messages import t
from ragtui.tui.desk import Desk
from ragtui.tui.desk_facts import Line
from ragtui.tui.glyphs import shown
from ragtui.tui.screens.ask import AskDialog
from ragtui.tui.screens.choose import ChooseDialog
from ragtui.tui.state.choices import Choice

_HOSTED, _SERVER, _LOCAL = "\0hosted", "\0server", "\0local"


def choose_model(app: App[Any], desk: Desk, lines: Sequence[Line], chosen: Callable[[], object]) -> None:
    """Ask for a model, and tell `chosen` once there is another."""

    def take(model: str | None, api_base: str | None = None) -> None:
        if model:
            desk.choose_model(model, api_base)
            chosen()

    def on_server(api_base: str | None) -> None:
        if api_base:
            dialog = AskDialog(t("judges.model.ask-server-model"), "openai/")
            app.push_screen(dialog, lambda model: take(model, api_base))

    def answered(value: str | None) -> None:
        if value == _HOSTED:
            app.push_screen(AskDialog(t("judges.model.ask-hosted")), take)
        elif value == _SERVER:
            app.push_screen(AskDialog(t("judges.model.ask-base"), "http://127.0.0.1:"), on_server)
        elif value == _LOCAL:
            app.push_screen(AskDialog(t("judges.model.ask-local"), PREFIX), take)
        elif value is not None:
            base = desk.settings.api_base if value == desk.settings.judge_model else None
            take(value, base)

    app.push_screen(ChooseDialog(t("judges.model.title"), model_choices(desk, lines), desk.model), answered)


def model_choices(desk: Desk, lines: Sequence[Line]) -> list[Choice]:
    """Models that are known here, then the ways to name another."""
    wished = desk.settings.judge_model
    known: dict[str, str] = {} if wished is None else {wished: t("judges.model.from-settings")}
    if desk.model is not None:
        known.setdefault(desk.model, "")
    for line in lines:
        if line.wish is not None and line.is_recorded:
            known.setdefault(line.wish, t("judges.model.recorded"))
    others = {_HOSTED: "hosted", _SERVER: "server", _LOCAL: "local"}
    return [
        *(Choice(model, shown(model), note) for model, note in known.items()),
        *(
            Choice(value, t(f"judges.model.{name}"), t(f"judges.model.{name}-about"))
            for value, name in others.items()
        ),
    ]
