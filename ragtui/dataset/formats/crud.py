"""Lists of questions as CRUD-RAG writes them: `{item: {"question": [...], "answers": [...], "key_info"}}`.

There are no documents in it, so no gold: each question has its reference answer and the claims of its item,
and one whose answer is that nothing can be inferred has no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.formats.glance import Glance
from ragtui.dataset.formats.sources import NamedFiles, read_named
from ragtui.dataset.readers.records import Record, each, json_value
from ragtui.dataset.readers.rows import Parts, QueryRow
from ragtui.dataset.readers.values import BadValue, id_text, shown, text

NAME = "crud"
NOT_INFERABLE = "无法推断"


def detect(seen: Glance) -> bool:
    """Whether a file is one object of items, each with lists of questions and answers."""
    return bool(seen.first) and _is_item(next(iter(seen.first.values())))


def read(path: Path, named: NamedFiles, faults: Faults) -> Parts:
    """One query for every question; its id is that of the item and its number there."""
    parts = read_named(path, NAME, named, faults)
    value = json_value(path, faults)
    if not isinstance(value, Mapping) or parts.queries is not None:
        return parts
    items = (Record(None, {"id": one, "item": item}) for one, item in value.items())
    rows = each(items, lambda record: _questions(record, path, faults), path, faults)
    parts.queries = [row for found in rows for row in found]
    parts.queries_file = path
    return parts


def _is_item(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(value.get(key), list) for key in ("question", "answers")
    )


def _questions(record: Record, path: Path, faults: Faults) -> list[QueryRow]:
    item = record.data["item"]
    one = id_text(record.data["id"], "id")
    if not _is_item(item):
        raise BadValue("unknown-item", id=one, value=shown(item))
    asked, answers = item["question"], item["answers"]
    if len(asked) != len(answers):
        # which answer belongs to which question is not known any more
        faults.warning("answers-do-not-fit", path, None, id=one, answers=len(answers), n=len(asked))
        answers = [None] * len(asked)
    claims = {"key_info": item["key_info"]} if item.get("key_info") else {}
    return [
        QueryRow(
            f"{one}-{place}", text(question, "question"), {**_answer(answer), "cluster": one, **claims}, None
        )
        for place, (question, answer) in enumerate(zip(asked, answers, strict=True), start=1)
    ]


def _answer(answer: object) -> dict[str, Any]:
    if answer is None:
        return {}
    written = text(answer, "answers")
    if written.strip() == NOT_INFERABLE:
        return {"answerable": False, "reference": None}
    return {"answerable": True, "reference": written}
