"""The one error base: what is wrong, where, and how to mend it."""

from __future__ import annotations

from typing import Any

from ragtui.messages import t


class RagtuiError(Exception):
    """Something a user can mend. Its text is `area.name` of the message catalogue, the mend `area.name-mend`.

    Args:
        key: key of the message, such as `dataset.not-a-set`.
        where: file, line or option the error is about; may be empty.
        values: what the templates of the message and of its mend name.
    """

    exit_code = 2

    def __init__(self, key: str, *, where: str = "", **values: Any) -> None:
        self.key = key
        self.where = where
        self.what = t(key, **values)
        try:
            self.mend = t(f"{key}-mend", **values)
        except KeyError:
            self.mend = ""
        super().__init__(self.what)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        mend = f"\n{self.mend}" if self.mend else ""
        return f"{place}{self.what}{mend}"
