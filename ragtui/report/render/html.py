"""A report as one HTML file: nothing from outside, no script, every foreign text escaped.

Jinja2 escapes whatever is not marked as safe, and only what this file and `charts` make is marked. Besides, a
policy in the page forbids scripts, pictures and requests.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from ragtui.inert import inert
from ragtui.messages import Language
from ragtui.report.page import Bar, Block, Cell, Code, Listed, Page, Quiet, Said, Text, Toned
from ragtui.report.render.charts import bar_svg, chart_svg
from ragtui.report.words.said import between, filled, say, shortened

if TYPE_CHECKING:
    from jinja2 import Environment

ONE_LINE = 20
"""Characters of a cell that are kept on one line."""

TAGS: dict[Language, str] = {"en": "en", "zh": "zh-CN"}
_BEFORE_PERCENT = re.compile(r"(?<=\d) %")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def html(page: Page) -> str:
    """The whole page as one HTML file."""
    return _environment(page.language).get_template("report.html.jinja").render(page=page)


@cache
def _environment(language: Language) -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("ragtui.report.render"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )

    def inline(text: Text) -> Markup:
        return _inline(text, language)

    def cell(content: Cell, kind: str) -> Markup:
        return _cell(content, kind, language)

    environment.globals["style"] = Markup(_style())  # noqa: S704 – a file of ours
    environment.filters |= {
        "bar": bar_svg,
        "cell": cell,
        "chart": lambda chart: chart_svg(chart, inline),
        "foreign": foreign,
        "inline": inline,
        "kind": _kind,
        "tag": lambda named: TAGS[named],
        "word": lambda name, **values: inline(say(_WORDS[name], **values)),
    }
    return environment


_WORDS = {"interval": "card.interval", "engineers": "title.engineers"}


def foreign(text: str) -> Markup:
    """Foreign text, inert and escaped; apart from what stands around it where it runs from right to left."""
    shown = escape(inert(shortened(text)))
    return Markup("<bdi>{}</bdi>").format(shown) if _RIGHT_TO_LEFT.search(shown) else shown


def _inline(text: Text, language: Language) -> Markup:
    """A text as markup, with no line break between a number and its per cent."""
    return Markup(_BEFORE_PERCENT.sub("\u00a0%", _marked(text, language)))  # noqa: S704 – what is escaped stays so


def _marked(text: Text, language: Language) -> Markup:
    match text:
        case Code():
            return Markup("<code>{}</code>").format(foreign(text.text))
        case Said():
            # both what it is filled with and the template around it have been escaped
            return Markup(filled(text, language, escape, lambda value: _inline(value, language)))  # noqa: S704
        case Listed():
            return escape(between(language)).join(_inline(one, language) for one in text.texts)
        case Quiet():
            return Markup('<span class="quiet">{}</span>').format(_inline(text.text, language))
        case str():
            return foreign(text)


def _cell(content: Cell, kind: str, language: Language) -> Markup:
    if content is None:
        return Markup("<td></td>")
    if isinstance(content, Bar):
        return Markup('<td class="bar">{}</td>').format(bar_svg(content))
    tone, text = (content.tone, content.text) if isinstance(content, Toned) else ("plain", content)
    written = text.text if isinstance(text, Code) else text
    short = "short" if isinstance(written, str) and len(written) <= ONE_LINE else ""
    classes = " ".join(filter(None, (kind, tone, short)))
    return Markup('<td class="{}">{}</td>').format(classes, _inline(text, language))


def _kind(block: Block) -> str:
    return type(block).__name__


def _style() -> str:
    return (resources.files("ragtui.report.render") / "templates" / "report.css").read_text(encoding="utf-8")
