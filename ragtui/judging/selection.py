"""What is judged of a run: the stage `prompt`, else the first K, query by query, with its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

import pandas as pd

from ragtui.dataset.model import EvaluationSet, Run
from ragtui.errors import RagtuiError
from ragtui.judging.items import TextHasher, asks_together, text_hash, texts_seen
from ragtui.judging.model import Item, Judge
from ragtui.judging.statements import statements_of
from ragtui.metrics.gold import GoldTable

State = Literal["judged", "nothing-retrieved", "no-answer", "no-reference"]

PROMPT = "prompt"


@dataclass(frozen=True, slots=True)
class Selected:
    """One query as it is judged.

    Attributes:
        query_id: which one.
        state: `judged`; or why it is not: nothing was retrieved, which is 0 without a call; it has no answer,
            and is left out; it has no reference although the judge needs one, and is skipped.
        chunk_ids: what is judged, in rank order, each once.
        items: what the judge is asked about; empty unless the state is `judged`.
        hashes: `text_hash` of each item; empty where they were not made, see `hashes_of`.
    """

    query_id: str
    state: State
    chunk_ids: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    hashes: tuple[str, ...] = ()


def hashes_of(judge: Judge, query: Selected) -> tuple[str, ...]:
    """`text_hash` of each item of a query."""
    return query.hashes or tuple(text_hash(judge, item) for item in query.items)


def select(
    evaluation: EvaluationSet,
    run: Run,
    judge: Judge,
    query_ids: Iterable[str],
    *,
    k: int,
    gold: GoldTable,
    level: float,
    stage: str | None = None,
) -> tuple[Selected, ...]:
    """What a judge is asked about a run, in order of `query_ids`.

    Args:
        evaluation: the set, for its texts.
        run: whose lists are judged.
        judge: decides which texts are needed.
        query_ids: the queries.
        k: chunks of each query, from the top.
        gold: of the split; rules compare with its relevant chunks.
        level: grade from which a chunk is relevant.
        stage: a stage of the run; None takes `prompt` where the run has it, else the final list.

    Raises:
        RagtuiError: the run has no such stage.
    """
    texts = _Texts(evaluation, relevant_gold(gold, level) if judge.engine == "rule" else {})
    lists = run.stage(stage or (PROMPT if PROMPT in run.stages else None))
    if lists is None:
        known = ", ".join(run.stages) or "-"
        raise RagtuiError("workspace.no-such-stage", run=run.name, stage=stage, known=known)
    hasher = TextHasher(judge)
    needs_reference = judge.engine != "rule" and (
        judge.unit == "statement-context" or "reference" in texts_seen(judge)
    )
    found = []
    for query_id in query_ids:
        ranked = () if query_id in run.errors else tuple(_first(lists.list_of(query_id)[0], k))
        state = _state(texts, query_id, ranked, needs_reference=needs_reference)
        items = tuple(_items(judge, texts, query_id, ranked)) if state == "judged" else ()
        found.append(Selected(query_id, state, ranked, items, tuple(map(hasher.of, items))))
    return tuple(found)


def relevant_gold(gold: GoldTable, level: float) -> Mapping[str, tuple[str, ...]]:
    """Ids of the relevant gold chunks of every query that has any; distractors are none."""
    found: dict[str, list[str]] = {}
    relevant = (gold.grade >= level) & (gold.grade > 0) & ~gold.distractor
    chunk_ids = gold.chunk_ids
    for query, chunk in zip(gold.query[relevant].tolist(), gold.chunk[relevant].tolist(), strict=True):
        found.setdefault(gold.query_ids[query], []).append(chunk_ids[chunk])
    return {query_id: tuple(chunk_ids) for query_id, chunk_ids in found.items()}


class _Texts:
    """Texts of a set by id, `""` where there is none."""

    def __init__(self, evaluation: EvaluationSet, relevant: Mapping[str, tuple[str, ...]]) -> None:
        queries = evaluation.queries
        self._queries = _by_id(queries["text"])
        self._references = _by_id(queries["reference"])
        self._no_answer = {
            query_id for query_id, answerable in _by_id(queries["answerable"]).items() if answerable is False
        }
        self._chunks = _by_id(evaluation.chunks["text"])
        self._relevant = relevant

    def has_answer(self, query_id: str) -> bool:
        return query_id not in self._no_answer

    def query(self, query_id: str) -> str:
        return self._queries.get(query_id) or ""

    def reference(self, query_id: str) -> str:
        return self._references.get(query_id) or ""

    def pair(self, chunk_id: str) -> tuple[str, str]:
        return chunk_id, self._chunks.get(chunk_id) or ""

    def gold(self, query_id: str) -> tuple[tuple[str, str], ...]:
        return tuple(map(self.pair, self._relevant.get(query_id, ())))


def _by_id(column: pd.Series[Any]) -> dict[str, Any]:
    """Values by id; as arrays of objects, for columns of Arrow give theirs one by one slowly."""
    return dict(zip(column.index.to_numpy(object), column.to_numpy(object), strict=True))


def _first(ranked: list[str], k: int) -> Iterator[str]:
    return islice(dict.fromkeys(ranked), k)


def _state(texts: _Texts, query_id: str, ranked: tuple[str, ...], *, needs_reference: bool) -> State:
    if not texts.has_answer(query_id):
        return "no-answer"
    if not ranked:
        return "nothing-retrieved"
    return "no-reference" if needs_reference and not texts.reference(query_id).strip() else "judged"


def _items(judge: Judge, texts: _Texts, query_id: str, ranked: tuple[str, ...]) -> Iterator[Item]:
    """Items in rank order; of statements and contexts each with each."""
    query, reference = texts.query(query_id), texts.reference(query_id)
    pairs = tuple(map(texts.pair, ranked))
    if judge.unit == "reference" or asks_together(judge):
        yield Item(query_id, query, reference=reference, contexts=pairs)
        return
    claims = statements_of(reference) if judge.unit == "statement-context" else ("",)
    gold = texts.gold(query_id)
    for claim in claims:
        for chunk_id, context in pairs:
            yield Item(query_id, query, chunk_id, context, reference, claim=claim, gold=gold)
