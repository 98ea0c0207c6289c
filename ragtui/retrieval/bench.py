"""Runs a retriever over every query of a set: lists, latency, and the card that reproduces them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pandas as pd

from ragtui.dataset.model import EvaluationSet, RankedLists, Run, RunCard
from ragtui.dataset.names import is_file_name
from ragtui.endpoint import EndpointUnusable
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.retrieval.bm25 import Bm25
from ragtui.retrieval.dense import Dense, Distance
from ragtui.retrieval.embedders import embedder_named
from ragtui.retrieval.provenance import provenance
from ragtui.retrieval.retriever import Retriever
from ragtui.settings import Settings

TEMPLATE = "{title}\n{text}"

Progress = Callable[[int, int], None]
"""Told how many texts (passages, then queries) of how many are done."""


def bench(
    evaluation_set: EvaluationSet,
    retriever: Literal["bm25", "dense"],
    *,
    model: str | None = None,
    name: str | None = None,
    depth: int = 50,
    prompt: int = 5,
    distance: Distance = "cosine",
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> Run:
    """A run of a set's queries over its corpus.

    Args:
        evaluation_set: needs chunks and query texts; its retired queries are left out already.
        retriever: `bm25`, or `dense` for exact search over the vectors of an embedder.
        model: embedder of `dense`: `multilingual-e5-small`, `all-MiniLM-L6-v2`, else a litellm model name;
            without it the one of the settings.
        name: of the run; without it `bm25` or the name of the model.
        depth: how many results to ask for.
        prompt: how many of the first results a model would be given (stage `prompt`).
        distance: of `dense`; `dot` is for models whose vectors carry meaning in their length.
        settings: where the model is served and how patiently to ask.
        progress: told how far it is.

    Returns:
        The run with its card; a query that failed has an empty list and is in `errors`. Nothing is written.

    Raises:
        RagtuiError: the set has no corpus or no query texts, an option makes no sense, a model is not there,
            or every query failed.
    """
    settings = settings or Settings()
    model = (model or settings.embedding_model) if retriever == "dense" else None
    name = run_name(retriever, model) if name is None else name
    order = _Order(retriever, model, name, depth, prompt, distance)
    order.check(evaluation_set)
    engine: Retriever = Bm25() if model is None else Dense(embedder_named(model, settings), distance)
    try:
        record = _answer_all(engine, evaluation_set, depth, progress or _ignore)
        made = engine.card()
        fields = {
            "name": order.name,
            "retriever": retriever,
            **made,
            "depth": depth,
            "prompt": prompt,
            "template": TEMPLATE,
            "documents": int(evaluation_set.chunks["doc_id"].nunique()),
            "chunks": len(evaluation_set.chunks),
            "queries": len(evaluation_set.queries),
            "corpus_hash": evaluation_set.hashes.corpus,
            "queries_hash": evaluation_set.hashes.queries,
            "command": order.command(evaluation_set, made.get("api_base")),
            **provenance(engine.packages),
        }
    finally:
        engine.close()
    return record.as_run(order, RunCard(fields))


def passages_of(chunks: pd.DataFrame) -> list[str]:
    """Texts that are indexed, in the order of the corpus: title, a line break, text; either may be absent."""
    pairs = zip(chunks["title"], chunks["text"], strict=True)
    return ["\n".join(part for part in (title.strip(), text.strip()) if part) for title, text in pairs]


@dataclass(frozen=True, slots=True)
class _Order:
    """What was asked for."""

    retriever: str
    model: str | None
    name: str
    depth: int
    prompt: int
    distance: str

    def check(self, evaluation_set: EvaluationSet) -> None:
        """Raise `RagtuiError` where this cannot be run over the set."""
        where = str(evaluation_set.path)
        if self.retriever not in ("bm25", "dense"):
            raise RagtuiError("retrieval.unknown-retriever", where="--retriever", name=self.retriever)
        if self.retriever == "dense" and self.model is None:
            raise RagtuiError("retrieval.no-model", where="--model")
        if not is_file_name(self.name):
            raise RagtuiError("dataset.bad-run-name", where="--name", name=inert(self.name))
        if self.depth < 1:
            raise RagtuiError("retrieval.bad-depth", where="--depth", depth=self.depth)
        if not 0 <= self.prompt <= self.depth:
            raise RagtuiError("retrieval.bad-prompt", where="--prompt", prompt=self.prompt, depth=self.depth)
        if evaluation_set.chunks.empty:
            raise RagtuiError("retrieval.no-corpus", where=where)
        if not any(text.strip() for text in evaluation_set.queries["text"]):
            raise RagtuiError("retrieval.no-queries", where=where)

    def command(self, evaluation_set: EvaluationSet, api_base: str | None) -> str:
        """What to type to make this run again, with the path as it was given."""
        words = [
            *("ragtui", "bench", evaluation_set.path, "--retriever", self.retriever),
            *(() if self.model is None else ("--model", self.model, "--distance", self.distance)),
            *("--name", self.name, "--depth", self.depth, "--prompt", self.prompt, "--replace"),
        ]
        server = f"RAGTUI_API_BASE={shlex.quote(api_base)} " if api_base else ""
        return server + shlex.join(map(str, words))


@dataclass
class _Record:
    """What came back so far."""

    lists: dict[str, list[str]] = field(default_factory=dict)
    scores: dict[str, list[float]] = field(default_factory=dict)
    latency_ms: dict[str, Mapping[str, float]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    def as_run(self, order: _Order, card: RunCard) -> Run:
        prompts = {query: ranked[: order.prompt] for query, ranked in self.lists.items()}
        latency = pd.DataFrame.from_dict(self.latency_ms, orient="index", dtype=np.float64)
        return Run(
            name=order.name,
            lists=RankedLists.from_lists(self.lists, self.scores),
            stages={"prompt": RankedLists.from_lists(prompts)},
            card=card,
            direction=card.direction,
            latency_ms=latency.rename_axis("query_id"),
            errors=self.errors,
        )


def _answer_all(engine: Retriever, of_set: EvaluationSet, depth: int, progress: Progress) -> _Record:
    chunk_ids = of_set.chunks.index.to_numpy(dtype=object)
    total = len(chunk_ids) + len(of_set.queries)
    engine.index(passages_of(of_set.chunks), lambda done: progress(done, total))
    record = _Record()
    failure: RagtuiError | None = None
    for done, (query_id, text) in enumerate(of_set.queries["text"].items(), start=1):
        query = str(query_id)
        record.lists[query], record.scores[query] = [], []
        try:
            hits = engine.search(text, depth)
        except EndpointUnusable:
            raise
        except RagtuiError as error:
            failure = error
            record.errors[query] = error.what
        else:
            record.lists[query] = list(chunk_ids[hits.positions])
            record.scores[query] = hits.scores.tolist()
            if hits.latency_ms:
                record.latency_ms[query] = hits.latency_ms
        progress(len(chunk_ids) + done, total)
    if failure is not None and not any(record.lists.values()):
        raise failure
    return record


def run_name(retriever: str, model: str | None) -> str:
    """Name of a run that was given none: that of its model, else of its retriever, as a file name."""
    last = (model or retriever).rsplit("/", 1)[-1]
    readable = "".join(c if c.isalnum() or c in "-_." else "-" for c in last)
    return readable.strip("-.") or "run"


def _ignore(_done: int, _total: int) -> None:
    """Progress that nobody watches."""
