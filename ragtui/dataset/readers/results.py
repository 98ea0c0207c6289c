"""The elements of one ranked list: ids, `[id, score]` pairs or objects.

A shape that is not known is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ragtui.dataset.fields import layout, plain
from ragtui.dataset.readers.values import BadValue, id_text, number, shown

_NAN = float("nan")


@dataclass(slots=True)
class Results:
    """One list: ids and scores (NaN where unsaid) by rank, and what else its objects hold."""

    chunk_ids: list[str]
    scores: list[float]
    distances: bool = False
    texts: list[tuple[str, object, object]] = field(default_factory=list)
    routes: list[tuple[str, str, int]] = field(default_factory=list)


def results_of(listed: list[Any], name: str) -> Results:
    """One list in rank order; `name` is its field.

    Raises:
        BadValue: an element of no known shape, or a value that is not what its field holds.
        InexactId: see `id_text`.
    """
    if not listed:
        return Results([], [])
    first = listed[0]
    if isinstance(first, dict):
        return _objects(listed, name)
    if isinstance(first, list):
        return _pairs(listed, name)
    ids = [id_text(item, name) for item in listed]
    return Results(ids, [_NAN] * len(ids))


def _objects(listed: list[Any], name: str) -> Results:
    quick = _alike(listed)
    if quick is not None:
        return quick
    results = Results([], [])
    for item in listed:
        if not isinstance(item, dict):
            raise BadValue("unknown-list-shape", field=name, value=shown(item))
        _add_object(results, item, name)
    return results


def _alike(listed: list[dict[str, Any]]) -> Results | None:
    """The common case at speed: objects of an id as text and a finite score, and nothing else.

    None where it is not so.
    """
    keys = tuple(listed[0])
    words = layout("result", keys)
    if len(keys) != 2 or set(words) != {"chunk_id", "score"}:
        return None
    id_key, score_key = words["chunk_id"], words["score"]
    try:
        ids = [item[id_key] for item in listed]
        scores = [item[score_key] for item in listed]
    except (KeyError, TypeError):
        return None
    if set(map(type, ids)) != {str} or not set(map(type, scores)) <= {float, int} or "" in ids:
        return None
    if any(map(str.isspace, ids)) or set(map(len, listed)) != {2}:
        return None
    try:
        finite = bool(np.isfinite(np.asarray(scores, dtype=np.float64)).all())
    except OverflowError:
        return None
    if not finite:
        return None
    return Results(ids, scores, plain(score_key) == "distance")


def _add_object(results: Results, item: Mapping[str, Any], name: str) -> None:
    words = layout("result", tuple(item))
    if "chunk_id" not in words:
        raise BadValue("unknown-list-shape", field=name, value=shown(item))
    chunk_id = id_text(item[words["chunk_id"]], words["chunk_id"])
    score = item[words["score"]] if "score" in words else None
    results.chunk_ids.append(chunk_id)
    results.scores.append(_NAN if score is None else number(score, words["score"]))
    results.distances |= "score" in words and plain(words["score"]) == "distance"
    if "text" in words:
        results.texts.append((chunk_id, item.get(words.get("title", "")), item[words["text"]]))
    routes = item[words["routes"]] if "routes" in words else None
    if routes is not None:
        if not isinstance(routes, Mapping):
            raise BadValue("not-an-object-in", field="routes")
        results.routes += [
            (chunk_id, str(route), int(number(rank, "routes"))) for route, rank in routes.items()
        ]


def _pairs(listed: list[Any], name: str) -> Results:
    results = Results([], [])
    for item in listed:
        if not isinstance(item, list) or len(item) != 2:
            raise BadValue("unknown-list-shape", field=name, value=shown(item))
        results.chunk_ids.append(id_text(item[0], name))
        results.scores.append(_NAN if item[1] is None else number(item[1], name))
    return results
