"""What a report is made of before it is Markdown or HTML: texts, tables and charts, none of them markup.

A text is one of three things. `Said` is a template of ours from the catalogue with values; `Code` is shown
in a fixed width; a plain `str` is foreign (an id, a query, a reply). Renderers escape the last two, and each
value of the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ragtui.messages import Language

Tone = Literal["plain", "good", "bad", "unsure", "quiet"]


@dataclass(frozen=True, slots=True)
class Code:
    """A command, a name of a metric, a hash."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the catalogue, below `report`, filled in when it is rendered."""

    key: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Listed:
    """Texts that stand in one sentence, one after another."""

    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Quiet:
    """A part of a text that stands back, such as an interval beside its value."""

    text: Text


Text = str | Code | Said | Listed | Quiet
Value = Text | int


@dataclass(frozen=True, slots=True)
class Toned:
    """A text with its tone; renderers that have no colours show the text alone."""

    text: Text
    tone: Tone


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval on an axis, without words: what it shows stands in the cells beside it.

    Attributes:
        low, value, high: low and high None without an interval.
        start, end: of the axis.
        mark: a value that is compared with, such as the overall mean or a target; None without.
        tone: of the value.
    """

    value: float
    low: float | None
    high: float | None
    start: float = 0.0
    end: float = 1.0
    mark: float | None = None
    tone: Tone = "plain"


Cell = Text | Toned | Bar | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: `long` for sentences. One of bars is left out where nothing can be drawn."""

    title: Text
    kind: Literal["text", "long", "number", "bar"] = "text"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, one for each column; `wide` ones may scroll sideways on a narrow screen."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A sentence or a few."""

    text: Text
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Item:
    """A point of a list, with what it rests on, and a command that helps."""

    text: Text
    detail: Text | None = None
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Bullets:
    """Points, in order of weight where `numbered`."""

    items: tuple[Item, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """A line for a shell."""

    text: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """Scores of queries of two or three kinds, above and below a line.

    Attributes:
        edges: (b + 1,) of the bins.
        found, missed, no_answer: (b,) queries in each bin.
        threshold: None without one.
        names: of the three kinds, and of the axis.
    """

    edges: tuple[float, ...]
    found: tuple[int, ...]
    missed: tuple[int, ...]
    no_answer: tuple[int, ...]
    threshold: float | None
    names: tuple[Text, Text, Text, Text]


@dataclass(frozen=True, slots=True)
class Curve:
    """Values over cut-offs, each with its interval: (cut-off, low, value, high); low, high None without."""

    name: Text
    points: tuple[tuple[int, float | None, float, float | None], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture with a sentence that says what it shows, which stands alone where nothing can be drawn."""

    content: Histogram | tuple[Curve, ...]
    caption: Text


Block = Paragraph | Bullets | Table | Command | Chart


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands below it; `anchor` is its name within the page."""

    anchor: str
    title: Text
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """One figure of the owner's page.

    Attributes:
        title: what it says, in plain words.
        value: the figure.
        interval: how sure it is; None where there is no interval.
        basis: what it is over.
        name: of the metric.
        bar: None without a value.
        tone: how it stands to its target.
        note: what has to be known to read it.
    """

    title: Text
    value: Text
    interval: str | None
    basis: Text
    name: Code
    bar: Bar | None
    tone: Tone = "plain"
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A whole report.

    Attributes:
        language: of the texts.
        title, facts: name of the set; run, split, queries, time.
        lead: the sentence, with its tone.
        cards: the figures.
        owner: sections of the owner's page: targets where there are any, what is weak, what to do next, what
            all this does not show.
        engineers: sections of the other part.
        foot: what made it.
    """

    language: Language
    title: str
    facts: tuple[Text, ...]
    lead: tuple[Paragraph, ...]
    cards: tuple[Card, ...]
    owner: tuple[Section, ...]
    engineers: tuple[Section, ...]
    foot: Text
