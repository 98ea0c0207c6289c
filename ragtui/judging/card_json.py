"""A card as plain values, for JSON and for files, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ragtui.analysis.export import plain
from ragtui.judging.card import Card, Group
from ragtui.stats.agreement import Agreement
from ragtui.stats.estimate import Estimate

_KAPPAS = {"kappa": "kappa", "linear": "kappa_linear", "quadratic": "kappa_quadratic"}


def card_as_json(card: Card) -> dict[str, Any]:
    """All of a card but the name of who was measured, without NaN."""
    return {
        "labelled": card.labelled,
        "unlabelled": card.unlabelled,
        "unjudged": card.unjudged,
        "failures": dict(card.failures),
        "held_to": estimate_as_json(card.kappa),
        "better_than_chance": card.better_than_chance,
        "agreement": _agreement(card.agreement),
        "levels": {f"{level:g}": _agreement(found) for level, found in card.levels.items()},
        "correlation": plain(card.correlation),
        "flips": None if card.flips is None else estimate_as_json(card.flips),
        "followed": None if card.followed is None else estimate_as_json(card.followed),
        "groups": [
            {"key": group.key, "value": group.value, **_agreement(group.agreement)} for group in card.groups
        ],
    }


def card_from_json(found: Mapping[str, Any], *, judge: str, version: str, model: str) -> Card:
    """The card that `card_as_json` was given.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: it is no such card.
    """
    return Card(
        judge=judge,
        version=version,
        model=model,
        labelled=int(found["labelled"]),
        unlabelled=int(found["unlabelled"]),
        agreement=_agreement_of(found["agreement"]),
        levels={float(level): _agreement_of(given) for level, given in found["levels"].items()},
        correlation=found["correlation"],
        flips=_estimate_of(found["flips"]) if found["flips"] else None,
        failures={str(status): int(n) for status, n in found["failures"].items()},
        unjudged=int(found["unjudged"]),
        followed=_estimate_of(found["followed"]) if found["followed"] else None,
        groups=tuple(
            Group(str(given["key"]), str(given["value"]), _agreement_of(given)) for given in found["groups"]
        ),
    )


def estimate_as_json(found: Estimate) -> dict[str, Any]:
    """An estimate without NaN; null where there is no method or no reason."""
    values = {name: plain(getattr(found, name)) for name in ("mean", "low", "high")}
    return {**values, "n": found.n, "method": found.method or None, "reason": found.reason or None}


def _agreement(found: Agreement) -> dict[str, Any]:
    people, judge = found.base_rates
    return {
        "n": found.n,
        "left_out": found.left_out,
        "agreement": plain(found.agreement),
        **{name: estimate_as_json(getattr(found, field)) for field, name in _KAPPAS.items()},
        "categories": list(found.categories),
        "confusion": found.confusion.tolist(),
        "base_rates": {"people": list(people), "judge": list(judge)},
    }


def _agreement_of(found: Mapping[str, Any]) -> Agreement:
    confusion = np.array(found["confusion"], dtype=np.int64)
    categories = tuple(float(category) for category in found["categories"])
    if confusion.shape != (len(categories), len(categories)) or int(confusion.sum()) != found["n"]:
        raise ValueError("a confusion table that does not fit its categories")
    return Agreement(
        n=int(found["n"]),
        left_out=int(found["left_out"]),
        agreement=found["agreement"],
        **{field: _estimate_of(found[name]) for field, name in _KAPPAS.items()},
        categories=categories,
        confusion=confusion,
    )


def _estimate_of(found: Mapping[str, Any]) -> Estimate:
    mean, low, high = (
        None if found[name] is None else float(found[name]) for name in ("mean", "low", "high")
    )
    return Estimate(mean, low, high, int(found["n"]), found["method"] or "", found["reason"] or "")
