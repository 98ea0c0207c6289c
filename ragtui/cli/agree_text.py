"""What `agree` prints for people."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ragtui.cli.agreed import Compared, rating_text
from ragtui.cli.eval_text import PIPED_WIDTH
from ragtui.inert import inert
from ragtui.messages import t
from ragtui.review.rated import Rated
from ragtui.review.raters import BAR, Agreed, PairOfRaters
from ragtui.stats.agreement import Agreement
from ragtui.stats.estimate import Estimate

OURS = ("grade", "cause")

_KAPPAS = ("kappa", "linear", "quadratic")


def show_agreement(compared: Compared) -> None:
    """Print to stdout."""
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False, width=PIPED_WIDTH)
    console.print(Text(inert("   ".join(compared.names))))
    for table, found in compared.found:
        if table.of:
            console.print()
            console.print(Text(_of(table), style="bold"))
        for line in _above(found):
            console.print(Text(inert(line)))
        if found.pairs:
            console.print()
            console.print(_pairs(table, found))
        for line in _said(table, found):
            console.print(Text(inert(line)))
        if found.disagreements and compared.limit:
            console.print()
            console.print(Text(t("agree.disagreements", n=len(found.disagreements)), style="bold"))
            console.print(_disagreements(table, found, compared.limit))


def _of(table: Rated) -> str:
    """What is rated, in words where it is one of ours."""
    return t(f"agree.of.{table.of}") if table.of in OURS else inert(table.of)


def _above(found: Agreed) -> Iterator[str]:
    yield t("agree.raters-are", n=len(found.raters), names=", ".join(found.raters) or "-")
    if len(found.raters) < 2:
        yield t("agree.nobody-to-compare")
        return
    share = found.all_agree
    if share.mean is None:
        yield t("agree.nothing-by-all")
    else:
        yield t("agree.all-agree", n=share.n, value=_with_interval(share))


def _pairs(table: Rated, found: Agreed) -> Table:
    shown = Table(box=None, pad_edge=False, show_edge=False)
    shown.add_column(t("agree.column.pair"))
    for name in ("n", "left-out", "agreement", *_KAPPAS):
        if name in _KAPPAS[1:] and table.words:
            continue
        shown.add_column(t(f"agree.column.{name}"), justify="right")
    for pair in found.pairs:
        shown.add_row(inert(f"{pair.a} - {pair.b}"), *_cells(table, pair.agreement))
        for name, of_type in pair.by_type.items():
            shown.add_row(inert(f"  {name}"), *_cells(table, of_type), style="dim" if of_type.n < 30 else "")
    return shown


def _cells(table: Rated, found: Agreement) -> list[str]:
    agreement = "-" if found.agreement is None else f"{found.agreement:.3f}"
    kappas = (found.kappa,) if table.words else (found.kappa, found.linear, found.quadratic)
    return [str(found.n), str(found.left_out), agreement, *map(_with_interval, kappas)]


def _with_interval(estimate: Estimate) -> str:
    if estimate.mean is None:
        return t(f"stats.reason.{estimate.reason}") if estimate.reason else "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:.3f}"
    return f"{estimate.mean:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def _said(table: Rated, found: Agreed) -> Iterator[str]:
    """What follows from kappa, pair by pair."""
    for pair in found.pairs:
        kappa = pair.agreement.kappa if table.words else pair.kappa
        if kappa.mean is None:
            continue
        names = {"a": pair.a, "b": pair.b, "kappa": _name(table, pair), "bar": f"{BAR:g}"}
        if kappa.mean < BAR:
            yield t("agree.below", value=f"{kappa.mean:.3f}", **names)
        elif kappa.low is not None and kappa.low < BAR:
            yield t("agree.not-sure", value=_with_interval(kappa), **names)


def _name(table: Rated, pair: PairOfRaters) -> str:
    return t(f"agree.column.{'kappa' if table.words or pair.weighting == 'plain' else 'quadratic'}")


def _disagreements(table: Rated, found: Agreed, limit: int) -> Table:
    shown = Table(box=None, pad_edge=False, show_edge=False)
    for name in table.ids:
        shown.add_column(inert(name), max_width=40, overflow="ellipsis", no_wrap=True)
    for rater in found.raters:
        shown.add_column(inert(rater), justify="right")
    for one in found.disagreements[:limit]:
        ratings = [
            rating_text(table, one.ratings[rater]) if rater in one.ratings else "" for rater in found.raters
        ]
        shown.add_row(*map(inert, table.items[one.place]), *map(inert, ratings))
    return shown
