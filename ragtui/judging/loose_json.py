"""JSON as language models write it: single or Chinese quotes, trailing commas, bare words, raw line breaks.

Objects keep every member in order, so that a repeated key can be seen. What cannot be read for sure is an
error; nothing is guessed at the end of a text that was cut off.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

_DEEPEST = 12
_CLOSING = {'"': '"”', "'": "'", "“": '”"', "‘": "’", "「": "」", "＂": "＂"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_SPACE = re.compile(r"[\s\u3000]*")
_ENDS_STRING = re.compile(
    r"[\s\u3000]*(?:[,，:：}\]]|$)|[ \t]*\n\s*[\"'“‘「＂]\w{1,30}[\"'”’」＂][\s\u3000]*[:：]"
)
"""What follows the quote at the end of a string: structure, or a new line with the next member's name."""
_BARE = re.compile(r'[^,，:：{}\[\]\n"“”「」]+')
_CONSTANTS = {"true": True, "false": False, "null": None, "none": None}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class Record:
    """An object as it was written: members in order, repeated keys included."""

    members: tuple[tuple[str, Any], ...]


class Unreadable(ValueError):
    """No object can be read at this place."""


_STRICT = json.JSONDecoder(object_pairs_hook=lambda pairs: Record(tuple(pairs)), strict=False)


def read_object(text: str, start: int) -> tuple[Record, int]:
    """The object that begins at `text[start]`, and the place after its end.

    Raises:
        Unreadable: it is not closed, nested too deep, or no JSON by any reading.
    """
    try:
        record, end = _STRICT.raw_decode(text, start)
        return record, end
    except (ValueError, RecursionError):  # JSONDecodeError, or a number of more digits than Python takes
        reader = _Reader(text, start)
        return reader.object(0), reader.at


class _Reader:
    """Reads from `at` onwards."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def object(self, depth: int) -> Record:
        self._deeper(depth)
        members: list[tuple[str, Any]] = []
        self.at += 1
        while self._next() != "}":
            key = self._string() if self._next() in _CLOSING else self._bare()
            if self._next() not in (":", "："):
                raise Unreadable
            self.at += 1
            members.append((str(key), self._value(depth)))
            self._between("}")
        self.at += 1
        return Record(tuple(members))

    def _array(self, depth: int) -> list[Any]:
        self._deeper(depth)
        values: list[Any] = []
        self.at += 1
        while self._next() != "]":
            values.append(self._value(depth))
            self._between("]")
        self.at += 1
        return values

    def _value(self, depth: int) -> Any:
        first = self._next()
        if first == "{":
            return self.object(depth + 1)
        if first == "[":
            return self._array(depth + 1)
        return self._string() if first in _CLOSING else _constant(self._bare())

    def _between(self, closing: str) -> None:
        """Pass a comma; one may be missing where a quote begins the next member."""
        if self._next() in (",", "，"):
            self.at += 1
        elif self._next() != closing and self._next() not in _CLOSING:
            raise Unreadable

    def _string(self) -> str:
        """Up to the quote that something of the structure follows; one within the text does not end it."""
        ends = re.compile(rf"\\|[{_CLOSING[self.text[self.at]]}]")
        parts: list[str] = []
        start = self.at + 1
        look = start
        while (found := ends.search(self.text, look)) is not None:
            if found[0] == "\\":
                parts += [self.text[start : found.start()], self._escaped(found.end())]
                start = look = self.at
            elif _ENDS_STRING.match(self.text, found.end()):
                self.at = found.end()
                return "".join([*parts, self.text[start : found.start()]])
            else:
                look = found.end()
        raise Unreadable

    def _escaped(self, place: int) -> str:
        """What the escape whose letter stands at `place` means; `at` moves behind it."""
        letter = self.text[place : place + 1]
        digits = self.text[place + 1 : place + 5]
        if letter == "u" and re.fullmatch(r"[0-9A-Fa-f]{4}", digits):
            self.at = place + 5
            return chr(int(digits, 16))
        self.at = place + 1
        return _ESCAPES.get(letter, letter)

    def _bare(self) -> str:
        found = _BARE.match(self.text, self.at)
        if found is None or not found[0].strip():
            raise Unreadable
        self.at = found.end()
        return found[0].strip()

    def _next(self) -> str:
        """The next character that is no white space, which is passed."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        if self.at >= len(self.text):
            raise Unreadable
        return self.text[self.at]

    def _deeper(self, depth: int) -> None:
        if depth > _DEEPEST:
            raise Unreadable


def _constant(word: str) -> Any:
    plain = unicodedata.normalize("NFKC", word)
    if plain.casefold() in _CONSTANTS:
        return _CONSTANTS[plain.casefold()]
    return float(plain) if _NUMBER.fullmatch(plain) else plain
