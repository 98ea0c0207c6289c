"""The field names that people use, in one table: which name in a file means which word of ours.

Names are compared without case, and `-`, space and `.` count as `_`. Where a record has several names of one
word, the first of the list is taken and the others are further metadata.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

_QUERY_ID = ("query_id", "qid", "question_id", "topic_id")
_CHUNK_ID = (
    "chunk_id",
    "corpus_id",
    "doc_id",
    "docid",
    "document_id",
    "passage_id",
    "pid",
    "docno",
    "node_id",
)
_OWN_ID = ("_id", "id", "id_")

QUERY: Mapping[str, tuple[str, ...]] = {
    "query_id": (*_QUERY_ID, *_OWN_ID),
    "text": ("text", "query", "question", "user_input", "query_text", "input"),
    "metadata": ("metadata", "meta"),
    "type": ("type", "query_type", "question_type"),
    "difficulty": ("difficulty",),
    "answerable": ("answerable", "is_answerable", "has_answer"),
    "unanswerable": ("unanswerable", "is_impossible", "no_answer"),
    "reference": (
        "reference",
        "reference_answer",
        "answer",
        "ground_truth",
        "expected_answer",
        "answers",
        "references",
    ),
    "origin": ("origin",),
    "core": ("core",),
    "created": ("created", "created_at"),
    "status": ("status",),
    "cluster": ("cluster",),
    "groups": ("gold_evidence_sets", "gold_groups", "evidence_groups", "evidence_sets"),
    "relevant": (
        "relevant",
        "gold",
        "qrels",
        "gold_chunk_ids",
        "gold_doc_ids",
        "gold_ids",
        "relevant_chunk_ids",
        "relevant_doc_ids",
        "relevant_docs",
        "relevant_ids",
        "positive_ids",
        "positive_doc_ids",
        "positive_chunk_ids",
        "positive_passages",
        "expected_ids",
    ),
    "distractors": ("distractor_doc_ids", "distractor_chunk_ids", "distractor_ids", "distractors"),
}

CHUNK: Mapping[str, tuple[str, ...]] = {
    "chunk_id": (
        "chunk_id",
        *_OWN_ID,
        "passage_id",
        "pid",
        "corpus_id",
        "docid",
        "doc_id",
        "document_id",
        "docno",
    ),
    "text": ("text", "contents", "content", "passage", "body", "page_content"),
    "title": ("title",),
    "metadata": ("metadata", "meta"),
    "doc_id": ("doc_id", "document_id", "docid", "doc"),
    "source": ("source",),
    "version": ("version",),
    "valid_from": ("valid_from",),
}

GOLD: Mapping[str, tuple[str, ...]] = {
    "query_id": _QUERY_ID,
    "chunk_id": (*_CHUNK_ID, *_OWN_ID),
    "grade": ("grade", "relevance", "rel", "relevance_grade", "score", "label"),
    "reason": ("reason", "note"),
    "annotator": ("annotator", "assessor", "rater"),
    "group": ("group", "evidence_group"),
    "role": ("role",),
}

RUN: Mapping[str, tuple[str, ...]] = {
    "query_id": (*_QUERY_ID, *_OWN_ID),
    "text": ("query", "question", "query_text", "user_input"),
    "results": (
        "results",
        "retrieved",
        "hits",
        "retrieved_documents",
        "documents",
        "docs",
        "contexts",
        "retrieved_contexts",
    ),
    "ids": (
        "retrieved_ids",
        "retrieved_chunk_ids",
        "retrieved_doc_ids",
        "retrieved_context_ids",
        "context_ids",
        "chunk_ids",
        "doc_ids",
    ),
    "scores": ("scores", "retrieve_scores", "retrieved_scores"),
    "stages": ("stages",),
    "latency_ms": ("latency_ms",),
    "error": ("error",),
    "answer": ("answer", "response"),
    "answer_correct": ("answer_correct",),
}

RESULT: Mapping[str, tuple[str, ...]] = {
    "chunk_id": (*_CHUNK_ID, *_OWN_ID),
    "score": ("score", "similarity", "relevance_score", "distance"),
    "rank": ("rank", "position"),
    "grade": ("grade", "relevance", "rel", "label"),
    "reason": ("reason", "note"),
    "group": ("group",),
    "role": ("role",),
    "title": ("title",),
    "text": ("text", "contents", "content", "passage", "page_content"),
    "routes": ("routes",),
}

FLAT_RUN: Mapping[str, tuple[str, ...]] = {
    "query_id": _QUERY_ID,
    **{word: RESULT[word] for word in ("chunk_id", "score", "rank", "title", "text")},
}
"""A run as a table of one result a row."""

_QUESTION = ("user_input", "question", "query", "query_text")

SAMPLE: Mapping[str, tuple[str, ...]] = {
    "query_id": (*_QUERY_ID, *_OWN_ID),
    "text": _QUESTION,
    "retrieved": ("retrieved_contexts", "contexts", "retrieved_context"),
    "retrieved_ids": ("retrieved_context_ids", "context_ids", "retrieved_ids", "contexts_ids"),
    "scores": RUN["scores"],
    "needed": ("reference_contexts", "ground_truth_contexts"),
    "needed_ids": ("reference_context_ids", "ground_truth_context_ids"),
    "answer": ("response", "answer"),
    "reference": ("reference", "ground_truth", "ground_truths", "reference_answer", "expected_answer"),
}
"""A question with what was retrieved for it and what should have been, as judges of answers take it."""

PAIR: Mapping[str, tuple[str, ...]] = {
    "text": _QUESTION,
    "passage": ("passage", "context", "document", "chunk", "expected_response", "text"),
    "grade": ("score", "label", "relevance", "grade", "expected_score", "human_score"),
    "annotator": GOLD["annotator"],
}
"""A question, a passage and whether the passage answers it, all of them without ids."""

QUESTION: Mapping[str, tuple[str, ...]] = {
    "text": _QUESTION,
    "reference": (
        "reference",
        "reference_answer",
        "ground_truth",
        "ground_truths",
        "expected_answer",
        "expected_response",
        "answer",
        "answers",
    ),
}
"""A question with its reference answer and nothing that was or should be retrieved."""

QUERY_METADATA = {
    word: QUERY[word]
    for word in (
        "type",
        "difficulty",
        "answerable",
        "unanswerable",
        "reference",
        "origin",
        "core",
        "created",
        "status",
        "cluster",
    )
}
"""What the metadata of a query may say in our words; its id, text and gold stand beside it."""

CHUNK_METADATA = {word: CHUNK[word] for word in ("doc_id", "source", "version", "valid_from")}

TABLES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "query": QUERY,
    "chunk": CHUNK,
    "gold": GOLD,
    "run": RUN,
    "result": RESULT,
    "flat_run": FLAT_RUN,
    "sample": SAMPLE,
    "pair": PAIR,
    "question": QUESTION,
    "query_metadata": QUERY_METADATA,
    "chunk_metadata": CHUNK_METADATA,
}

# A plain string in a list of these names is the text of a context and not an id.
TEXT_LISTS = frozenset({"contexts", "retrieved_contexts", "documents", "retrieved_documents"})


def plain(name: str) -> str:
    """A field name as it is compared: lower case, with `_` for `-`, blank and `.`."""
    return name.strip().lower().replace("-", "_").replace(" ", "_").replace(".", "_")


@lru_cache(maxsize=1024)
def layout(table: str, keys: tuple[str, ...]) -> Mapping[str, str]:
    """Which key of a record holds which word of `TABLES[table]`; a key serves one word only."""
    found = {plain(key): key for key in reversed(keys)}
    taken: dict[str, str] = {}
    for word, names in TABLES[table].items():
        for name in names:
            if name in found:
                taken[word] = found.pop(name)
                break
    return taken


def known_names() -> frozenset[str]:
    """All names of all tables, as `plain` writes them: what makes a first line a header."""
    return frozenset(name for words in TABLES.values() for names in words.values() for name in names)
