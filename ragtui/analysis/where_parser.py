"""The grammar of filters: text in, terms with their places out. What a field means is decided in `where`.

    filter  = { term }                                        all terms must hold
    term    = [ "-" ] ( field operator value { "," value } | words )
    field   = a name, quoted where it holds blanks; `run:NAME.field` reads the field of another run
    operator = ":" | "=" | "<" | "<=" | ">" | ">="
    words   = anything else, searched for in the text and id of the query

Outside quotes the full-width `：＜＞＝，－“”` and U+3000 mean their ASCII twins, because input methods write
them. A value keeps blanks and operators inside quotes; `\\"` is a quote inside quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from ragtui.messages import t

Operator = Literal[":", "<", "<=", ">", ">="]

TWINS = str.maketrans("：＜＞＝，－“”\u3000", ':<>=,-"" ')
RUN_FIELDS = frozenset({"run", "运行"})
_CUTOFF = re.compile(r"\w@([1-9]\d{0,4})(?!\d)")
_ESCAPED = re.compile(r'\\(["\\])')
_QUOTES = {'"': '"', "“": '”“"', "”": '”“"'}


@dataclass(frozen=True, slots=True)
class WhereError:
    """What is wrong with a filter, in words of the catalogue: `length` characters from `position` on."""

    position: int
    length: int
    key: str
    values: tuple[tuple[str, Any], ...] = ()

    @property
    def message(self) -> str:
        return t(self.key, **dict(self.values))

    @property
    def mend(self) -> str:
        return t(f"{self.key}-mend", **dict(self.values))


class Wrong(Exception):
    """Carries a `WhereError` from the place that finds it to `parse`, which returns it."""

    def __init__(self, position: int, length: int, key: str, **values: Any) -> None:
        self.error = WhereError(position, max(length, 1), f"analysis.where.{key}", tuple(values.items()))
        super().__init__(key)


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a term: its text without quotes, whether any of it was quoted, and where it stands."""

    text: str
    quoted: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Term:
    """One condition.

    Attributes:
        negated: it began with `-`.
        field: None for words to search for, which are then the only value.
        of_run: the field belongs to another run, and its text is `NAME.field`.
        operator: `=` is read as `:`.
        values: at least one.
        start, end: where it stands in the filter.
    """

    negated: bool
    field: Piece | None
    of_run: bool
    operator: Operator
    values: tuple[Piece, ...]
    start: int
    end: int


def spans(text: str) -> list[tuple[int, int]]:
    """Where the terms of a filter stand. A quote that is never closed reaches to the end."""
    plain = text.translate(TWINS)
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        if plain[at].isspace():
            at += 1
            continue
        start = at
        while at < len(text) and not plain[at].isspace():
            at = _after_quotes(text, at) if text[at] in _QUOTES else at + 1
        found.append((start, at))
    return found


def read_terms(text: str) -> tuple[Term, ...]:
    """Terms of a filter, in order.

    Raises:
        Wrong: a quote is open, or a field or value is missing.
    """
    return tuple(_Reader(text, start, end).term() for start, end in spans(text))


def cutoffs(text: str) -> set[int]:
    """Cut-offs that a filter names, as in `hit@5:0`, so that they can be computed before it is read."""
    return {int(k) for k in _CUTOFF.findall(text)}


def quoted(value: str) -> str:
    """`value` as a filter writes it: quoted where it would otherwise be read as something else."""
    plain = value.translate(TWINS)
    harmless = plain == value and value and not any(c.isspace() or c in ':<>=,"' for c in value)
    if harmless and not value.startswith("-"):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _after_quotes(text: str, at: int) -> int:
    closing = _QUOTES[text[at]]
    at += 1
    while at < len(text):
        if text[at] == "\\" and text[at + 1 : at + 2] in ('"', "\\"):
            at += 2
        elif text[at] in closing:
            return at + 1
        else:
            at += 1
    return at


class _Reader:
    """Reads one term from `text[start:end]`."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.plain = text.translate(TWINS)
        self.start = self.at = start
        self.end = end

    def term(self) -> Term:
        negated = self.plain[self.at] == "-" and self.end - self.at > 1
        self.at += negated
        head = self._piece(":=<>")
        of_run = not head.quoted and head.text.casefold() in RUN_FIELDS and self.at < self.end
        if of_run:
            self._operator()
            head = self._piece(":=<>")
        if self.at == self.end:
            if of_run:
                raise Wrong(head.start, head.end - head.start, "run-without-field", name=head.text)
            return Term(negated, None, False, ":", (head,), self.start, self.end)
        if not head.text:
            raise Wrong(self.at, 1, "no-field", operator=self.plain[self.at])
        operator = self._operator()
        return Term(negated, head, of_run, operator, self._values(head), self.start, self.end)

    def _values(self, field: Piece) -> tuple[Piece, ...]:
        values = [self._piece(",")]
        while self.at < self.end:
            self.at += 1
            values.append(self._piece(","))
        for value in values:
            if not value.text and not value.quoted:
                raise Wrong(field.start, self.end - field.start, "no-value", field=field.text)
        return tuple(values)

    def _operator(self) -> Operator:
        """The operator here; `:<` and `=<` are read as `<`, `<` followed by `=` as `<=`."""
        sign = self.plain[self.at]
        self.at += 1
        following = self.plain[self.at : self.at + 1] if self.at < self.end else ""
        if sign in ":=":
            return self._operator() if following and following in "<>=" else ":"
        if following == "=":
            self.at += 1
            return "<=" if sign == "<" else ">="
        return "<" if sign == "<" else ">"

    def _piece(self, stops: str) -> Piece:
        start, parts, was_quoted = self.at, [], False
        while self.at < self.end and self.plain[self.at] not in stops:
            if self.text[self.at] in _QUOTES:
                parts.append(self._quoted_part())
                was_quoted = True
            else:
                parts.append(self.plain[self.at])
                self.at += 1
        return Piece("".join(parts), was_quoted, start, self.at)

    def _quoted_part(self) -> str:
        start = self.at
        self.at = _after_quotes(self.text, start)
        content = self.text[start + 1 : self.at - 1]
        if (
            self.at - start < 2
            or self.text[self.at - 1] not in _QUOTES[self.text[start]]
            or _ends_escaped(content)
        ):
            raise Wrong(start, self.at - start, "open-quote")
        return _ESCAPED.sub(r"\1", content)


def _ends_escaped(content: str) -> bool:
    """Whether the quote after `content` is itself escaped, so that it closes nothing."""
    return (len(content) - len(content.rstrip("\\"))) % 2 == 1
