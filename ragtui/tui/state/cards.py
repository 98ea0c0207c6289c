"""What a pane of cards is made of, in rows of cells: cards that can be selected, and lines between them.

A card has a head, text from the corpus, and facts. Only as much text is wrapped as is shown, so a chunk of
100,000 characters costs no more than a short one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragtui.analysis.shared_words import spans_of
from ragtui.messages import t
from ragtui.tui import cells
from ragtui.tui.glyphs import shown, shown_lines
from ragtui.tui.palette import Ink
from ragtui.tui.state.pieces import Fact, Piece, Row, flow, total

_TITLE_LEAST = 8


@dataclass(frozen=True, slots=True)
class Card:
    """One selectable entry of a pane.

    Attributes:
        key: what the selection and its twin in the other pane go by: the chunk id, or `reference`, `query`.
        lead: rank or mark in front of the head.
        title, name: of the chunk, foreign text; `name` is its id.
        right: at the right end of the head.
        text: foreign text under the head; None for none.
        words: which are underlined in it.
        reason: why the gold has it; foreign text.
        facts: what is known of it, in paragraphs.
        lines: lines of text while it is not opened.
        is_quiet: repeats, labels that ask for nothing: dim, and no more than the head while not opened.
        in_group: it is one of several that would do, so a bracket runs down its left.
        is_distractor: gold says that it misleads; `reason` then says how.
        reason_ink: how loud the reason is.
        judged: why the judge says what it says; foreign text.
        is_disputed: that is shown while the card is closed, too: judge and gold differ, or the judge failed.
        raw: the reply of a judge that failed; foreign text.
        is_near: it is worth scrolling to when its twin is selected.
        indent: cells in front of the text, which hold the lead in the first line.
    """

    key: str
    lead: Piece
    title: str
    name: str
    right: Fact = ()
    text: str | None = None
    words: tuple[str, ...] = ()
    reason: str = ""
    facts: tuple[tuple[Fact, ...], ...] = ()
    lines: int = 2
    is_quiet: bool = False
    in_group: bool = False
    is_distractor: bool = False
    reason_ink: Ink = "dim"
    judged: str = ""
    is_disputed: bool = False
    raw: str = ""
    is_near: bool = True
    indent: int = 2

    def rows(self, width: int, opened: int = 0) -> list[Row]:
        """Its lines at a width in cells.

        Args:
            width: of the pane.
            opened: how many lines of text it may open to, 0 while it is closed.
        """
        inner = width - self.indent
        is_folded = self.is_quiet and not opened
        rows = [self._head(width, "dim" if is_folded else "text")]
        if is_folded:
            return rows
        if self.text is not None:
            lines = (
                _opened(self.text, self.words, inner, opened) if opened else self._closed(self.text, inner)
            )
            rows += [self._indented(fact) for fact in lines]
        why = self.why(inner * 8)
        if why.text:
            lines_of_it = cells.wrap(why.text, inner, opened or 2)
            rows += [self._indented((why._replace(text=line),)) for line in lines_of_it]
        if self.judged and (opened or self.is_disputed):
            said = t("detail.judge-says", reason=shown(self.judged[: inner * 8]))
            rows += [self._indented((Piece(line, "dim"),)) for line in cells.wrap(said, inner, opened or 2)]
        for paragraph in self.facts:
            rows += [self._indented(fact) for fact in flow(paragraph, inner)]
        return rows

    def why(self, most: int) -> Piece:
        """Why gold has the chunk; of a long reason the first `most` characters."""
        reason = shown(self.reason[:most])
        if self.is_distractor:
            key = "detail.distractor-because" if reason else "detail.distractor"
            return Piece(t(key, reason=reason), self.reason_ink)
        return Piece(t("detail.reason", reason=reason) if reason else "", self.reason_ink)

    def _head(self, width: int, ink: Ink) -> Row:
        room = width - self.indent - total(self.right) - 2
        title, name = shown(self.title[: 2 * width]), shown(self.name[: 2 * width])
        lead = Piece(cells.pad(self.lead.text, self.indent), self.lead.ink, self.lead.bold)
        if not title:
            return Row((lead, Piece(cells.crop(name, room), ink, bold=ink == "text")), self.right)
        # the id is what a person looks for in files, so the title gives way first
        name = cells.crop(name, max(room - _TITLE_LEAST - 2, room // 2))
        title = cells.crop(title, room - cells.width(name) - 2)
        return Row((lead, Piece(title, ink, bold=ink == "text"), Piece("  "), Piece(name, "dim")), self.right)

    def _closed(self, text: str, width: int) -> Iterator[Fact]:
        """The beginning of the text on a few lines, its own line breaks ignored."""
        most = (self.lines + 1) * width * 2
        beginning = " ".join(shown_lines(text[:most]).split())
        # were the rest all blanks this would be wrong, and no harm
        beginning += " .." if len(text) > most else ""
        return marked(cells.wrap(beginning, width, self.lines), beginning, self.words)

    def _indented(self, fact: Fact) -> Row:
        return Row((Piece(cells.pad("|" if self.in_group else "", self.indent), "dim"), *fact))


@dataclass(frozen=True, slots=True)
class Between:
    """Lines that cannot be selected: a cut, a heading, a sentence."""

    rows_at: tuple[Row, ...] = ()
    sentence: Fact = ()

    def rows(self, width: int, opened: int = 0) -> list[Row]:
        """Its lines at a width in cells."""
        return [*self.rows_at, *(Row(fact) for fact in flow([self.sentence] if self.sentence else [], width))]


Entry = Card | Between


@dataclass(frozen=True, slots=True)
class Pane:
    """A title and what stands below it.

    Attributes:
        start: key of the card that is selected at first; None where there is no card.
    """

    title: str
    entries: tuple[Entry, ...]
    start: str | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """What can be selected, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, Card))

    def twin_of(self, name: str) -> str | None:
        """Key of the first card of the chunk called `name`."""
        return next((card.key for card in self.cards if name and card.name == name), None)


def _opened(text: str, words: Sequence[str], width: int, lines: int) -> Iterator[Fact]:
    """The whole text; or as many lines as there may be, the last of them saying how much there is."""
    beginning = shown_lines(text[: (lines + 1) * width * 2]).strip("\n")
    wrapped = cells.wrap(beginning, width)
    if len(wrapped) <= lines:
        yield from marked(wrapped, beginning, words)
    else:
        yield from marked(wrapped[: max(lines - 1, 1)], beginning, words)
        yield (Piece(cells.crop(t("detail.more-text", n=len(text)), width), "dim"),)


def marked(lines: Sequence[str], text: str, words: Sequence[str]) -> Iterator[Fact]:
    """Lines that `text` was wrapped into, `words` underlined, also where one was broken over two lines."""
    spans = deque(spans_of([shown(word) for word in words], text) if words else [])
    at = 0
    for line in lines:
        start = max(text.find(line.removesuffix(cells.ELLIPSIS), at), at) if line else at
        at = start + len(line)
        here: list[tuple[int, int]] = []
        while spans and spans[0][0] < at:
            first, last = spans.popleft()
            if last > start:
                here.append((first - start, last - start))
            if last > at:
                # the word goes on in the next line
                spans.appendleft((at, last))
                break
        yield tuple(_cut(line, here))


def card_lines(card: Card, width: int) -> list[Fact]:
    """All there is on a card, in lines of at most `width` cells, what is said of it in front of its text."""
    lines: list[Fact] = [()]
    why = card.why(len(card.reason))
    if why.text:
        lines += [*((why._replace(text=line),) for line in cells.wrap(why.text, width)), ()]
    if card.judged:
        said = t("detail.judge-says", reason=shown(card.judged))
        lines += [*((Piece(line),) for line in cells.wrap(said, width)), ()]
    if card.text is None:
        lines.append((Piece(t("detail.not-in-corpus"), "miss"),))
    else:
        text = shown_lines(card.text)
        lines += marked(cells.wrap(text, width), text, card.words)
    lines.append(())
    if card.raw:
        lines.append((Piece(t("detail.raw-reply"), "dim"),))
        lines += [*((Piece(line),) for line in cells.wrap(shown_lines(card.raw), width)), ()]
    for paragraph in card.facts:
        lines += flow(paragraph, width)
    return [*lines, ()] if card.facts else lines


def _cut(line: str, spans: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    done = 0
    for start, end in spans:
        first, last = max(start, done), min(end, len(line))
        if first < last:
            yield Piece(line[done:first])
            yield Piece(line[first:last], underline=True)
            done = last
    if done < len(line) or not line:
        yield Piece(line[done:])
