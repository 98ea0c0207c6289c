"""Contexts as texts, LangChain documents, LlamaIndex nodes and objects."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ragtui.dataset.readers.contexts import Context, contexts_of, with_ids, with_scores
from ragtui.dataset.readers.values import BadValue


def one(item: object) -> Context:
    found = contexts_of([item], "contexts")
    assert found is not None
    return found[0]


def test_a_text_has_no_id() -> None:
    found = one("alpha")
    assert (found.chunk_id, found.text) == (None, "alpha")
    assert math.isnan(found.score)


def test_langchain_documents() -> None:
    found = one({"page_content": "alpha", "metadata": {"id": "d1", "source": "a.txt"}, "type": "Document"})
    assert (found.chunk_id, found.text, found.metadata["source"]) == ("d1", "alpha", "a.txt")
    # the id of the document object itself comes first; a source alone names no chunk
    assert one({"id": "c1", "page_content": "alpha", "metadata": {"id": "d1"}}).chunk_id == "c1"
    assert one({"id": None, "page_content": "alpha", "metadata": {"source": "a.txt"}}).chunk_id is None
    dumped = {"lc": 1, "type": "constructor", "id": ["langchain", "Document"]}
    assert one({**dumped, "kwargs": {"page_content": "alpha", "metadata": {"id": 7}}}).chunk_id == "7"
    scored = one([{"page_content": "alpha", "metadata": {}}, 0.25])
    assert (scored.text, scored.score) == ("alpha", 0.25)


def test_llamaindex_nodes() -> None:
    node = {
        "id_": "n1",
        "text": "alpha",
        "metadata": {"file": "a.txt"},
        "relationships": {"1": {"node_id": "doc-1"}},
    }
    found = one({"node": node, "score": 0.9, "class_name": "NodeWithScore"})
    assert (found.chunk_id, found.text, found.score) == ("n1", "alpha", 0.9)
    assert found.metadata == {"file": "a.txt", "doc_id": "doc-1"}
    assert one({"__data__": node, "__type__": "1"}).chunk_id == "n1"
    assert one({"id_": "n1", "text_resource": {"text": "alpha"}}).text == "alpha"


def test_objects_and_lists_beside_them() -> None:
    assert one({"doc_id": "a", "text": "alpha", "score": 1}) == Context("a", "alpha", score=1.0)
    assert with_ids(None, ["a"], "ids") == [Context("a", "")]
    assert with_ids([Context(None, "x")], ["a"], "ids") == [Context("a", "x")]
    scored = with_scores([Context("a", ""), Context("b", "")], "[0.5, null]", "scores")
    assert scored is not None
    assert scored[0].score == 0.5
    assert math.isnan(scored[1].score)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (["a", {"text": "b"}], "mixed-contexts"),
        ([{"text": "b"}, "a"], "mixed-contexts"),
        ([["a", "b"]], "unknown-context"),
        ([7], "unknown-context"),
        ([None], "unknown-context"),
        ([{"body_html": "b"}], "unknown-context"),
        ([{}], "unknown-context"),
        ([{"text": ["b"]}], "not-a-text"),
        ([{"text": "b", "score": "high"}], "not-a-number"),
        ({"a": "b"}, "not-a-list"),
    ],
)
def test_what_is_not_known_is_refused(value: Any, kind: str) -> None:
    with pytest.raises(BadValue) as raised:
        contexts_of(value, "contexts")
    assert raised.value.kind == kind


def test_ids_and_scores_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BadValue, match="ids-do-not-fit"):
        with_ids([Context(None, "x")], ["a", "b"], "ids")
    with pytest.raises(BadValue, match="scores-do-not-fit"):
        with_scores([Context(None, "x")], [1, 2], "scores")
