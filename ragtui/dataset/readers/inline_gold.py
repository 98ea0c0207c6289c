"""Gold that stands inside a query: ids, `{id: grade}`, objects, evidence sets, distractors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ragtui.dataset.fields import layout
from ragtui.dataset.readers.rows import DISTRACTOR, GoldRow
from ragtui.dataset.readers.values import BadValue, grade, id_text, shown, text

INLINE_GOLD = frozenset({"relevant", "groups", "distractors"})
"""Words of a query record that hold its gold."""


def has_inline_gold(keys: tuple[str, ...]) -> bool:
    """Whether a record with these keys holds gold of a query."""
    return not INLINE_GOLD.isdisjoint(layout("query", keys))


def gold_of(query_id: str, fields: Mapping[str, Any], path: Path, line: int | None) -> list[GoldRow]:
    """Judgments of one query from its fields `relevant`, `groups` and `distractors`, each chunk once.

    A list of ids means grade 1. `groups` is a list of evidence sets; the chunks of one set are alternatives.
    A chunk that is relevant as well is no distractor.

    Raises:
        BadValue: a shape that is none of these.
    """
    found: dict[str, GoldRow] = {}
    for item in _judgments(query_id, fields.get("relevant")):
        found.setdefault(item.chunk_id, item)
    for place, members in enumerate(_sets(fields.get("groups")), start=1):
        for chunk_id in members:
            known = found.get(chunk_id) or GoldRow(query_id, chunk_id, 1.0)
            found[chunk_id] = known if known.group is not None else known._replace(group=f"g{place}")
    for item in _judgments(query_id, fields.get("distractors"), 0.0):
        found.setdefault(item.chunk_id, item._replace(role=DISTRACTOR))
    return [row._replace(file=path, line=line) for row in found.values()]


def _judgments(query_id: str, value: object, of_id: float = 1.0) -> list[GoldRow]:
    if value is None:
        return []
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        value = _json_cell(value)
    if isinstance(value, Mapping):
        return [GoldRow(query_id, id_text(chunk, "relevant"), grade(g)) for chunk, g in value.items()]
    if isinstance(value, list):
        return [_judgment(query_id, item, of_id) for item in value]
    if isinstance(value, str | int | float) and value != "":
        return [_judgment(query_id, value, of_id)]
    raise BadValue("unknown-gold-shape", value=shown(value))


def _judgment(query_id: str, item: object, of_id: float) -> GoldRow:
    if not isinstance(item, Mapping):
        if isinstance(item, list):
            raise BadValue("unknown-gold-shape", value=shown(item))
        return GoldRow(query_id, id_text(item, "relevant"), of_id)
    words = layout("result", tuple(item))
    if "chunk_id" not in words:
        raise BadValue("unknown-gold-shape", value=shown(item))
    said = {word: item[words[word]] for word in ("reason", "group", "role") if word in words}
    return GoldRow(
        query_id,
        id_text(item[words["chunk_id"]], words["chunk_id"]),
        grade(item[words["grade"]]) if "grade" in words else of_id,
        reason=text(said.get("reason"), "reason"),
        group=text(said.get("group"), "group") or None,
        role=text(said.get("role"), "role") or None,
    )


def _sets(value: object) -> list[list[str]]:
    if value is None:
        return []
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        value = _json_cell(value)
    if isinstance(value, Mapping):
        value = list(value.values())
    if not isinstance(value, list):
        raise BadValue("unknown-gold-shape", value=shown(value))
    return [
        [id_text(chunk, "groups") for chunk in (members if isinstance(members, list) else [members])]
        for members in value
    ]


def _json_cell(value: str) -> Any:
    """A cell of a table that holds a list or an object in JSON."""
    import orjson

    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        raise BadValue("unknown-gold-shape", value=shown(value)) from None
