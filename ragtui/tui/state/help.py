"""The help page: keys, columns, signs, the filter language; all of it from the catalogues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragtui.analysis.fields import header
from ragtui.analysis.judged import CTX_P, CTX_R
from ragtui.messages import t
from ragtui.metrics.catalogue import METRICS
from ragtui.tui import cells
from ragtui.tui.actions import Place, actions_of, keys_shown
from ragtui.tui.state.columns import CAUSE
from ragtui.tui.state.pieces import Fact, Piece

FILTERS = (
    ("type:direct,table", "value"),
    ("-type:direct", "not"),
    ("hit@5:0   ndcg<.5   recall@10>=50%", "metric"),
    ("rank:6..10   rank:none", "rank"),
    ("needs:CHUNK", "needs"),
    ("chunk:CHUNK", "chunk"),
    ("is:miss", "is"),
    ("cause:ranking,noise   cause:none", "cause"),
    ("judge:failed   judge:differs", "judge"),
    ("run:NAME.hit@5:1", "run"),
    ('"two words"', "text"),
)
SIGNS = (("3", "grade"), (".", "zero"), ("?", "unjudged"), ("+", "other"), ("|", "cut"))


def help_page(place: Place, width: int) -> list[Fact]:
    """Lines for `width` cells."""
    keys = [
        (f"{keys_shown(action.keys)}   {keys_shown(action.twins)}".rstrip(), action.what)
        for action in actions_of(place)
    ]
    keys.append(("ctrl+c", t("tui.help.quit")))
    if place == "start":
        return [*_section(t("tui.help.title-keys"), keys, width)]
    columns = [
        ("x ~ * +", t("tui.help.column-mark")),
        (t("tui.column.strip"), t("tui.help.column-strip")),
        (header("got"), t("tui.help.column-got")),
        (header(CTX_P), t("tui.help.column-judged")),
        (header(CTX_R), t("tui.help.column-recall")),
        (header(CAUSE), t("tui.help.column-cause")),
    ]
    signs = [(sign, t(f"tui.help.sign-{name}")) for sign, name in SIGNS]
    filters = [(text, t(f"tui.help.filter-{name}")) for text, name in FILTERS]
    metrics = [(f"{metric.name}@K", metric.formula) for metric in METRICS.values()]
    return [
        line
        for title, rows in (
            ("keys", keys),
            ("columns", columns),
            ("signs", signs),
            ("filter", filters),
            ("metrics", metrics),
        )
        for line in (*_section(t(f"tui.help.title-{title}"), rows, width), ())
    ]


def _section(title: str, rows: Sequence[tuple[str, str]], width: int) -> Iterator[Fact]:
    yield (Piece(title, "accent", bold=True),)
    first = min(max(cells.width(left) for left, _ in rows), width // 2)
    for left, right in rows:
        words = cells.wrap(right, max(width - first - 4, 12))
        yield (Piece("  "), Piece(cells.pad(left, first), bold=True), Piece("  "), Piece(words[0], "dim"))
        for line in words[1:]:
            yield (Piece(" " * (first + 4)), Piece(line, "dim"))
