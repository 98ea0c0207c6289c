"""What is judged of a run: the stage `prompt`, else the first K, query by query, with its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

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
    found = []
    for query_id in query_ids:
        ranked = () if query_id in run.errors else tuple(_first(lists.list_of(query_id)[0], k))
        query = _selected(judge, texts, query_id, ranked)
        found.append(replace(query, hashes=tuple(map(hasher.of, query.items))))
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
        self._queries = dict(zip(queries.index, queries["text"], strict=True))
        self._references = dict(zip(queries.index, queries["reference"], strict=True))
        self._no_answer = {
            query_id
            for query_id, answerable in zip(queries.index, queries["answerable"], strict=True)
            if answerable is False
        }
        self._chunks = dict(zip(evaluation.chunks.index, evaluation.chunks["text"], strict=True))
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


def _first(ranked: list[str], k: int) -> Iterator[str]:
    return islice(dict.fromkeys(ranked), k)


def _selected(judge: Judge, texts: _Texts, query_id: str, ranked: tuple[str, ...]) -> Selected:
    if not texts.has_answer(query_id):
        return Selected(query_id, "no-answer", ranked)
    if not ranked:
        return Selected(query_id, "nothing-retrieved")
    needs_reference = judge.engine != "rule" and (
        judge.unit == "statement-context" or "reference" in texts_seen(judge)
    )
    if needs_reference and not texts.reference(query_id).strip():
        return Selected(query_id, "no-reference", ranked)
    return Selected(query_id, "judged", ranked, tuple(_items(judge, texts, query_id, ranked)))


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
