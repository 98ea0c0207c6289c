"""Contexts as frameworks write them: texts, LangChain documents, LlamaIndex nodes, objects, scored pairs.

One list holds one kind. What is of no known kind, or mixed, is refused and never taken for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ragtui.dataset.fields import RESULT, layout, plain
from ragtui.dataset.readers.list_cells import listed
from ragtui.dataset.readers.values import BadValue, id_text, number, shown, text

# under which names the metadata of a document holds the id of the chunk, rather than that of its document
_METADATA_IDS = ("id", "_id", "chunk_id", "node_id")
_PARENT = "1"
"""Under which key a LlamaIndex node names the document it was cut from."""


@dataclass(frozen=True, slots=True)
class Context:
    """One context: `chunk_id` is None where it came without, `score` NaN."""

    chunk_id: str | None
    text: str
    title: str = ""
    score: float = float("nan")
    metadata: Mapping[str, Any] = field(default_factory=dict)


def contexts_of(value: object, name: str) -> list[Context] | None:
    """The contexts of one list column called `name`; None where nothing is said.

    Raises:
        BadValue: no list, an element of no known kind, or elements of several kinds.
        InexactId: see `id_text`.
    """
    items = listed(value, name)
    if items is None:
        return None
    kinds = [_kind(item, name) for item in items]
    for place, kind in enumerate(kinds, start=1):
        if kind != kinds[0]:
            raise BadValue("mixed-contexts", field=name, place=place, value=shown(items[place - 1]))
    return [_context(item, name) for item in items]


def ids_of(value: object, name: str) -> list[str] | None:
    """The ids of one list column; None where nothing is said."""
    items = listed(value, name)
    return None if items is None else [id_text(item, name) for item in items]


def with_ids(contexts: list[Context] | None, ids: Sequence[str] | None, name: str) -> list[Context] | None:
    """Contexts with the ids that stand in a column of their own; ids alone are contexts without text.

    Raises:
        BadValue: not as many ids as contexts.
    """
    if ids is None:
        return contexts
    if contexts is None:
        return [Context(one, "") for one in ids]
    if len(ids) != len(contexts):
        raise BadValue("ids-do-not-fit", field=name, ids=len(ids), n=len(contexts))
    return [replace(context, chunk_id=one) for context, one in zip(contexts, ids, strict=True)]


def with_scores(contexts: list[Context] | None, value: object, name: str) -> list[Context] | None:
    """Contexts with the scores of a column of their own.

    Raises:
        BadValue: not one number for each context.
    """
    scores = listed(value, name)
    if contexts is None or scores is None:
        return contexts
    if len(scores) != len(contexts):
        raise BadValue("scores-do-not-fit", field=name, n=len(contexts))
    return [
        context if score is None else replace(context, score=number(score, name))
        for context, score in zip(contexts, scores, strict=True)
    ]


def _kind(item: object, name: str) -> str:
    if isinstance(item, str):
        return "text"
    if isinstance(item, Mapping):
        return "object"
    if isinstance(item, list) and len(item) == 2 and isinstance(item[0], Mapping):
        return "pair"
    raise BadValue("unknown-context", field=name, value=shown(item))


def _context(item: Any, name: str) -> Context:
    if isinstance(item, str):
        return Context(None, item)
    if isinstance(item, Mapping):
        return _of_object(item, name)
    found = _of_object(item[0], name)
    return found if item[1] is None else replace(found, score=number(item[1], "score"))


def _of_object(item: Mapping[str, Any], name: str) -> Context:
    body = _unwrapped(item)
    words = layout("chunk", tuple(body))
    metadata = body[words["metadata"]] if "metadata" in words else None
    if not isinstance(metadata, Mapping):
        metadata = {}
    chunk_id = _id_of(body, words, metadata)
    if chunk_id is None and "text" not in words:
        raise BadValue("unknown-context", field=name, value=shown(item))
    score_key = next((key for key in (*body, *item) if plain(key) in RESULT["score"]), None)
    score = body.get(score_key, item.get(score_key)) if score_key is not None else None
    document = _document_of(body, words)
    return Context(
        chunk_id,
        text(body[words["text"]], words["text"]) if "text" in words else "",
        text(body[words["title"]], "title") if "title" in words else "",
        float("nan") if score is None else number(score, "score"),
        {**metadata, "doc_id": document} if document is not None and "doc_id" not in metadata else metadata,
    )


def _unwrapped(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object that holds id and text, out of the wrappers that frameworks put around it."""
    for wrapper in ("node", "__data__", "kwargs"):
        inner = item.get(wrapper)
        if isinstance(inner, Mapping):
            item = inner
    resource = item.get("text_resource")
    if isinstance(resource, Mapping) and "text" not in item:
        item = {**item, "text": resource.get("text")}
    return item


def _id_of(body: Mapping[str, Any], words: Mapping[str, str], metadata: Mapping[str, Any]) -> str | None:
    """The id of the object itself, else that in its metadata; `source` names a document and is none."""
    candidates = [body[words["chunk_id"]]] if "chunk_id" in words else []
    candidates += [metadata[key] for key in _METADATA_IDS if key in metadata]
    value = next((one for one in candidates if one not in (None, "")), None)
    return None if value is None else id_text(value, "id")


def _document_of(body: Mapping[str, Any], words: Mapping[str, str]) -> object:
    """The document a node says it was cut from."""
    if "doc_id" in words:
        return body[words["doc_id"]]
    if body.get("ref_doc_id"):
        return body["ref_doc_id"]
    relationships = body.get("relationships")
    parent = relationships.get(_PARENT) if isinstance(relationships, Mapping) else None
    return parent.get("node_id") if isinstance(parent, Mapping) else None
