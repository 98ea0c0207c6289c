"""The JSON of `agree`; its shape is `schemas/agree.json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragtui.cli.agreed import Compared
from ragtui.review.rated import Rated
from ragtui.review.raters import BAR, Agreed, Disagreement, PairOfRaters
from ragtui.stats.agreement import Agreement
from ragtui.stats.estimate import Estimate


def as_json(compared: Compared) -> dict[str, Any]:
    """All that `agree` found."""
    return {
        "names": list(compared.names),
        "bar": BAR,
        "pairs": [_pair(table, pair) for table, found in compared.found for pair in found.pairs],
        "all_agree": [
            {"of": table.of or None, "raters": list(found.raters), **_share(found.all_agree)}
            for table, found in compared.found
        ],
        "disagreements": [_disagreements(table, found, compared.limit) for table, found in compared.found],
    }


def _pair(table: Rated, pair: PairOfRaters) -> dict[str, Any]:
    return {
        "of": table.of or None,
        "a": pair.a,
        "b": pair.b,
        **_agreement(table, pair.agreement),
        "weighting": "plain" if table.words else pair.weighting,
        "below": _below(table, pair),
        "by_type": {name: _agreement(table, found) for name, found in pair.by_type.items()},
    }


def _below(table: Rated, pair: PairOfRaters) -> bool | None:
    if not table.words:
        return pair.is_below
    mean = pair.agreement.kappa.mean
    return None if mean is None else mean < BAR


def _agreement(table: Rated, found: Agreement) -> dict[str, Any]:
    """Of ratings in words only plain kappa means anything: their order is that of the alphabet."""
    whole: dict[str, Any] = {
        "n": found.n,
        "left_out": found.left_out,
        "agreement": found.agreement,
        "kappa": _kappa(found.kappa),
    }
    unordered = {"value": None, "low": None, "high": None, "reason": "unordered"}
    for name, kappa in (("kappa_linear", found.linear), ("kappa_quadratic", found.quadratic)):
        whole[name] = unordered if table.words else _kappa(kappa)
    return whole


def _kappa(kappa: Estimate) -> dict[str, Any]:
    return {"value": kappa.mean, "low": kappa.low, "high": kappa.high, "reason": kappa.reason or None}


def _share(share: Estimate) -> dict[str, Any]:
    return {
        "share": share.mean,
        "low": share.low,
        "high": share.high,
        "n": share.n,
        "reason": share.reason or None,
    }


def _disagreements(table: Rated, found: Agreed, limit: int) -> dict[str, Any]:
    return {
        "of": table.of or None,
        "n": len(found.disagreements),
        "shown": [_disagreement(table, one) for one in found.disagreements[:limit]],
    }


def _disagreement(table: Rated, one: Disagreement) -> dict[str, Any]:
    return {
        "item": dict(zip(table.ids, table.items[one.place], strict=True)),
        "ratings": _ratings(table, one.ratings),
        "difference": None if table.words else one.difference,
    }


def _ratings(table: Rated, ratings: Mapping[str, float]) -> dict[str, Any]:
    return {rater: table.words[int(value)] if table.words else value for rater, value in ratings.items()}
