"""Which file holds which part of a set, and the reading of them all."""

from __future__ import annotations

from collections.abc import Container, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from ragtui.dataset.faults import Faults
from ragtui.dataset.model import RunCard, SetSettings
from ragtui.dataset.names import is_file_name
from ragtui.dataset.readers.chunks import read_chunks
from ragtui.dataset.readers.gold import holds_queries, read_gold
from ragtui.dataset.readers.gold_columns import GoldColumns, together
from ragtui.dataset.readers.queries import read_queries
from ragtui.dataset.readers.rows import GoldRow, Parts
from ragtui.dataset.readers.runs import read_run
from ragtui.dataset.readers.splits import read_splits
from ragtui.dataset.readers.toml_files import read_card, read_settings
from ragtui.dataset.readers.values import shown

ONLY_SPLIT = "all"
"""What the split of a set with one nameless source of gold is called."""


@dataclass(frozen=True, slots=True)
class GoldFile:
    """A file of judgments and the split they belong to."""

    path: Path
    split: str = ONLY_SPLIT


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of one set.

    Attributes:
        path: what was opened.
        format: name of the format.
        cards: run name to the TOML file of its card.
    """

    path: Path
    format: str
    settings: Path | None = None
    corpus: Path | None = None
    queries: Path | None = None
    gold: tuple[GoldFile, ...] = ()
    splits: Path | None = None
    runs: Mapping[str, Path] = field(default_factory=dict)
    cards: Mapping[str, Path] = field(default_factory=dict)
    snapshot: Path | None = None

    def with_named(self, named: NamedFiles) -> Sources:
        """The same sources with the files that a person named in place of those that were found."""
        queries, gold = named.queries or self.queries, self.gold
        if named.gold is not None:
            gold = (GoldFile(named.gold),)
            if queries is None and holds_queries(named.gold):
                queries, gold = named.gold, ()
        cards = {name: card for name, run in named.runs.items() if (card := _card_beside(run)) is not None}
        return replace(
            self,
            corpus=named.corpus or self.corpus,
            queries=queries,
            gold=gold,
            runs={**self.runs, **named.runs},
            cards={**self.cards, **cards},
        )


@dataclass(frozen=True, slots=True)
class NamedFiles:
    """Files that a person named: what no pattern finds, or what is to be read instead."""

    corpus: Path | None = None
    queries: Path | None = None
    gold: Path | None = None
    runs: Mapping[str, Path] = field(default_factory=dict)

    def without_runs(self, names: Container[str]) -> NamedFiles:
        """The same files without some of the runs."""
        return replace(self, runs={name: run for name, run in self.runs.items() if name not in names})


def read_named(path: Path, name: str, named: NamedFiles, faults: Faults) -> Parts:
    """What was read of the files that a person named beside a set of the foreign format `name`."""
    return read_sources(Sources(path, name).with_named(named), faults)


def read_sources(sources: Sources, faults: Faults) -> Parts:
    """Read every file of a set, the cards before their runs and the queries before the gold."""
    parts = Parts(sources.path, sources.format, snapshot=sources.snapshot)
    if sources.settings is not None:
        parts.settings = read_settings(sources.settings, faults)
    else:
        parts.settings = SetSettings()
    if sources.queries is not None:
        parts.queries, parts.queries_file = read_queries(sources.queries, faults), sources.queries
    if sources.corpus is not None:
        parts.chunks, parts.chunks_file = read_chunks(sources.corpus, faults), sources.corpus
    of_gold, of_splits, of_runs = Faults(), Faults(), Faults()
    # most of the time Arrow reads, and two files at once keep two cores busy
    with ThreadPoolExecutor(1) as worker:
        gold = worker.submit(_read_gold, sources, of_gold)
        if sources.splits is not None:
            splits = read_splits(sources.splits, of_splits)
            parts.split_of, parts.split_lines = splits.of, splits.lines
            sealed = dict.fromkeys((*parts.settings.sealed, *splits.sealed))
            parts.settings = replace(parts.settings, sealed=tuple(sealed))
            parts.splits_file = sources.splits
        _read_runs(sources, parts, of_runs)
        parts.gold = gold.result()
    for found in (of_gold, of_splits, of_runs):
        faults.absorb(found)
    return parts


def _read_gold(sources: Sources, faults: Faults) -> GoldColumns | list[GoldRow] | None:
    gold: GoldColumns | list[GoldRow] | None = None
    for file in sources.gold:
        if not is_file_name(file.split):
            faults.error("bad-split-name", file.path, name=shown(file.split))
        gold = together(gold, read_gold(file.path, file.split, faults))
    if isinstance(gold, GoldColumns):
        gold.codes.prepare()  # here: while a run is read there is time for it
    return gold


def _read_runs(sources: Sources, parts: Parts, faults: Faults) -> None:
    for name in sources.cards:
        if name not in sources.runs:
            faults.warning("card-without-run", sources.cards[name], name=name)
    for name, path in sources.runs.items():
        if not is_file_name(name):
            faults.error("bad-run-name", path, name=shown(name))
            continue
        card: RunCard | None = None
        if name in sources.cards:
            card = read_card(sources.cards[name], faults)
        content = read_run(name, path, card, faults)
        parts.runs[name] = content.run
        parts.run_queries = {**content.queries, **parts.run_queries}
        known = parts.run_chunks
        differing = sum(
            chunk_id in known and known[chunk_id].text != chunk.text
            for chunk_id, chunk in content.chunks.items()
        )
        if differing and parts.chunks is None:
            faults.warning("run-chunk-with-two-texts", path, n=differing)
        parts.run_chunks = {**content.chunks, **known}


def _card_beside(run: Path) -> Path | None:
    name = run.name.removesuffix(".gz")
    card = run.with_name(name.rpartition(".")[0] + ".toml")
    return card if card.name != ".toml" and card.is_file() else None
