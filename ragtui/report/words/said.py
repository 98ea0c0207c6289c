"""Texts of the area `report` as values that a renderer fills in."""

from __future__ import annotations

import re
from collections.abc import Callable

from ragtui.analysis.fields import header
from ragtui.analysis.slices import GROUPS, LENGTH
from ragtui.messages import Language, t
from ragtui.report.page import Quiet, Said, Text, Value

# Private-use characters stand around the name of a value until the template itself has been escaped.
_OPEN, _CLOSE = "\ue000", "\ue001"
_PLACE = re.compile(f"{_OPEN}([a-z-]+){_CLOSE}")


LONGEST = 300
"""Characters of a foreign text that are shown."""


def shortened(text: str) -> str:
    """The text, cut off where it is very long."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def say(key: str, /, **values: Value) -> Said:
    """The text `report.<key>` with values, which renderers escape one by one."""
    return Said(f"report.{key}", values)


def slice_key(key: str) -> Text:
    """What slices are by, as a reader takes it who knows no metadata."""
    return say(f"key.{key}") if key in (GROUPS, LENGTH) else header(key)


def beside(value: str, interval: Text) -> Said:
    """A value with its interval, or with why it has none."""
    return say("cell.estimate", value=value, interval=Quiet(say("cell.interval", interval=interval)))


def between(language: Language) -> str:
    """What stands between texts of a list."""
    return t("report.between", language)


def filled(
    text: Said, language: Language, escape: Callable[[str], str], render: Callable[[Text], str]
) -> str:
    """The text with its template escaped, and each value as `render` makes it."""
    values = text.values
    names = {name: value if isinstance(value, int) else _place(name) for name, value in values.items()}
    template = escape(t(text.key, language, **names))
    return _PLACE.sub(lambda match: render(_text(values[match[1]])), template)


def _place(name: str) -> str:
    return f"{_OPEN}{name}{_CLOSE}"


def _text(value: Value) -> Text:
    return str(value) if isinstance(value, int) else value
