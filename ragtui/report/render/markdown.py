"""A report as Markdown: every foreign text is escaped, so none of it is markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ragtui.inert import inert
from ragtui.messages import t
from ragtui.report.page import (
    Bar,
    Block,
    Bullets,
    Card,
    Cell,
    Chart,
    Code,
    Command,
    Item,
    Listed,
    Page,
    Paragraph,
    Quiet,
    Said,
    Section,
    Table,
    Text,
    Toned,
)
from ragtui.report.words.said import between, filled, shortened

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$^&])")
# what begins a list, a rule or a heading where it begins a line; in the middle of one it stands as it is
_AT_START = re.compile(r"^(\d+)([.)])(?=\s|$)|^([-+=])(?=[\s=-]|$)")
_FULL_WIDTH = ("。", "：", "，", "；", "？", "！", "）")
_ADDRESS = re.compile(r"(?i)(https?|ftp)://|www\.")


def markdown(page: Page) -> str:
    """The whole page as Markdown with the tables of GitHub."""
    return _Markdown(page).text()


class _Markdown:
    def __init__(self, page: Page) -> None:
        self._page = page
        self._language = page.language

    def text(self) -> str:
        page = self._page
        lines = [f"# {self._inline(page.title)}", "", " · ".join(map(self._inline, page.facts)), ""]
        for paragraph in page.lead:
            lines += [f"**{self._inline(paragraph.text)}**", ""]
        lines += [*self._cards(page.cards), ""]
        for section in page.owner:
            lines += self._section(section, "##")
        lines += [f"## {t('report.title.engineers', self._language)}", ""]
        for section in page.engineers:
            lines += self._section(section, "###")
        lines += ["---", "", self._inline(page.foot)]
        return "\n".join(lines).rstrip() + "\n"

    def _cards(self, cards: Iterable[Card]) -> Iterator[str]:
        titles = [
            t(f"report.column.{name}", self._language) for name in ("figure", "value", "interval", "over")
        ]
        yield from _table_head([*titles, t("report.column.metric", self._language)], "lrrll")
        for card in cards:
            note = f" – {self._inline(card.note)}" if card.note is not None else ""
            cells = [
                self._inline(card.title) + note,
                f"**{self._inline(card.value)}**",
                card.interval or "",
                self._inline(card.basis),
                self._inline(card.name),
            ]
            yield _row(cells)

    def _section(self, section: Section, mark: str) -> Iterator[str]:
        yield f"{mark} {self._inline(section.title)}"
        yield ""
        for block in section.blocks:
            yield from self._block(block)
            yield ""

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Paragraph():
                yield self._inline(block.text)
            case Bullets():
                for place, item in enumerate(block.items, start=1):
                    yield from self._item(item, f"{place}." if block.numbered else "-")
            case Table():
                yield from self._table(block)
            case Command():
                yield from _fenced(block.text)
            case Chart():
                yield self._inline(block.caption)

    def _item(self, item: Item, mark: str) -> Iterator[str]:
        text = self._inline(item.text)
        if item.detail is not None:
            # full-width punctuation brings its own space
            text += f"{'' if text.endswith(_FULL_WIDTH) else ' '}{self._inline(item.detail)}"
        yield f"{mark} {text}"
        if item.command is not None:
            yield f"{' ' * (len(mark) + 1)}{_code(item.command)}"

    def _table(self, table: Table) -> Iterator[str]:
        shown = [place for place, column in enumerate(table.columns) if column.kind != "bar"]
        kinds = "".join("r" if table.columns[place].kind == "number" else "l" for place in shown)
        yield from _table_head([self._inline(table.columns[place].title) for place in shown], kinds)
        for row in table.rows:
            yield _row([self._cell(row[place]) for place in shown])

    def _cell(self, cell: Cell) -> str:
        if cell is None or isinstance(cell, Bar):
            return ""
        return self._inline(cell.text if isinstance(cell, Toned) else cell)

    def _inline(self, text: Text) -> str:
        match text:
            case Code():
                return _code(text.text)
            case Said():
                return filled(text, self._language, _marks_escaped, self._inline)
            case Listed():
                return between(self._language).join(map(self._inline, text.texts))
            case Quiet():
                return self._inline(text.text)
            case str():
                return escaped(text)


def escaped(text: str) -> str:
    """Foreign text on one line that Markdown shows as it is, cut off where it is very long."""
    return _marks_escaped(inert(shortened(text)).strip(" "))


def _marks_escaped(text: str) -> str:
    shown = _MARKS.sub(r"\\\1", text)
    shown = _ADDRESS.sub(lambda match: match[0].replace(":", r"\:").replace(".", r"\."), shown)
    return _AT_START.sub(lambda match: f"{match[1]}\\{match[2]}" if match[1] else f"\\{match[3]}", shown)


def _code(text: str) -> str:
    """In a fixed width: between more backticks than stand in it."""
    shown = inert(shortened(text))
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{pad}{shown}{pad}{fence}".replace("|", r"\|")


def _fenced(text: str) -> Iterator[str]:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    yield f"{fence}sh"
    yield inert(text)
    yield fence


def _table_head(titles: list[str], kinds: str) -> Iterator[str]:
    yield _row(titles)
    yield "|" + "|".join("---:" if kind == "r" else "---" for kind in kinds) + "|"


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
