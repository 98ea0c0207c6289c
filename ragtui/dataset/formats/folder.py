"""A folder: the native set, any BEIR folder, and the loose folders people have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ragtui.dataset.faults import Faults
from ragtui.dataset.formats.sources import ONLY_SPLIT, GoldFile, NamedFiles, Sources
from ragtui.dataset.readers.gold import holds_queries

_CORPUS = ("corpus", "chunks", "documents", "passages")
_QUERIES = ("queries", "questions", "topics")
_RUN = re.compile(r"run(?:[._-](?P<name>.+)|\d+)?")
_DATA = frozenset({"jsonl", "ndjson", "json", "csv", "tsv", "trec", "txt", "run", "res", "qrels", "parquet"})
# what may be called run.* or gold.* without being data
_NO_DATA = frozenset(
    {
        "toml",
        "py",
        "sh",
        "bat",
        "md",
        "log",
        "yaml",
        "yml",
        "ipynb",
        "html",
        "png",
        "svg",
        "pdf",
        "tmp",
        "lock",
    }
)


def locate(folder: Path, named: NamedFiles, faults: Faults) -> Sources:
    """Find the files of a set in a folder.

    Two candidates for one part are a fault that asks which it is, unless that part is named.
    """
    entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    files = [entry for entry in entries if entry.is_file() and _extension(entry) not in _NO_DATA]
    corpus = named.corpus or _one_of(_CORPUS, files, "several-corpora", folder, faults)
    queries = named.queries or _one_of(_QUERIES, files, "several-queries", folder, faults)
    gold, inside = ((), None) if named.gold is not None else _gold(folder, files, faults)
    if inside is not None and queries is not None and not gold:
        gold = (GoldFile(inside),)
    queries = queries or inside
    if queries is None and not gold and named.gold is None and not faults.has_errors:
        names = ", ".join(entry.name for entry in entries[:12])
        faults.error("not-a-set" if names else "empty-folder", folder, found=names)
    runs = _runs(folder, files, faults)
    return Sources(
        path=folder,
        format="native" if _is_native(folder, corpus, queries, gold, runs.values()) else "loose",
        settings=_existing(folder / "set.toml"),
        corpus=corpus,
        queries=queries,
        gold=gold,
        splits=_existing(folder / "splits.jsonl"),
        runs=runs,
        cards=_cards(folder, entries),
        snapshot=_existing(folder / "snapshot.json"),
    )


def is_set(folder: Path) -> bool:
    """Whether a folder holds queries or gold, or several files that could be."""
    faults = Faults()
    sources = locate(folder, NamedFiles(), faults)
    return sources.queries is not None or bool(sources.gold) or faults.counts["error", "several-gold"] > 0


def run_name(path: Path) -> str | None:
    """What the run in a file of this name is called: NAME of `run.NAME.trec`, `run_NAME.jsonl`, `NAME.run`.

    None for others.
    """
    stem, extension = _stem(path), _extension(path)
    if extension == "run" and not stem.startswith("run"):
        return stem
    matched = _RUN.fullmatch(stem)
    if matched is None or extension in _NO_DATA:
        return None
    return matched["name"] or stem


def stem_name(path: Path) -> str:
    """A file's name without what says how it is written."""
    return _stem(path)


def _runs(folder: Path, files: list[Path], faults: Faults) -> dict[str, Path]:
    """Runs by name: those of `runs/`, then those beside the queries.

    Two of one name are called by their file names.
    """
    found: list[tuple[str, Path]] = [(_stem(file), file) for file in _files_of(folder / "runs")]
    found += [(name, file) for file in files if (name := run_name(file)) is not None]
    names = [name for name, _ in found]
    runs: dict[str, Path] = {}
    for name, file in found:
        if runs.setdefault(name if names.count(name) == 1 else file.name, file) is not file:
            faults.error("run-name-twice", file, name=file.name)
    return runs


def _cards(folder: Path, entries: list[Path]) -> dict[str, Path]:
    inside = [file for file in _listing(folder / "runs") if file.suffix == ".toml"]
    cards = {file.stem: file for file in inside}
    for file in entries:
        matched = _RUN.fullmatch(file.stem)
        if file.suffix == ".toml" and matched is not None:
            cards[matched["name"] or file.stem] = file
    return cards


def _gold(folder: Path, files: list[Path], faults: Faults) -> tuple[tuple[GoldFile, ...], Path | None]:
    """Files of judgments, and the file that holds queries with gold inside where there is one."""
    inside = None
    candidates = []
    for file in files:
        stem = _stem(file)
        if stem.split(".")[0] == "gold" and holds_queries(file):
            inside = inside or file
        elif re.match(r"(qrels|gold)(\.|$)", stem) or _extension(file) == "qrels":
            candidates.append(file)
    in_folder = _files_of(folder / "qrels")
    if in_folder:
        return tuple(GoldFile(file, _stem(file)) for file in in_folder), inside
    if len(candidates) <= 1:
        return tuple(GoldFile(file, _split_of(file) or ONLY_SPLIT) for file in candidates), inside
    splits = [_split_of(file) for file in candidates]
    if None not in splits and len(set(splits)) == len(splits):
        return tuple(
            GoldFile(file, split or ONLY_SPLIT) for file, split in zip(candidates, splits, strict=True)
        ), inside
    faults.error("several-gold", folder, names=", ".join(file.name for file in candidates))
    return (), inside


def _split_of(file: Path) -> str | None:
    """NAME of `qrels.NAME.tsv`; None where the name says no split."""
    name = _stem(file).partition(".")[2]
    return name if name and _extension(file) in _DATA else None


def _one_of(
    stems: tuple[str, ...], files: list[Path], kind: str, folder: Path, faults: Faults
) -> Path | None:
    """The one file of the first stem that any file has."""
    for stem in stems:
        found = [file for file in files if _stem(file) == stem]
        if len(found) > 1:
            faults.error(kind, folder, names=", ".join(file.name for file in found))
        if found:
            return found[0]
    return None


def _is_native(
    folder: Path, corpus: Path | None, queries: Path | None, gold: tuple[GoldFile, ...], runs: Iterable[Path]
) -> bool:
    """Whether every file lies where the native layout has it."""
    return (
        corpus in (None, folder / "corpus.jsonl")
        and queries == folder / "queries.jsonl"
        and all(file.path.parent == folder / "qrels" for file in gold)
        and all(run.parent == folder / "runs" for run in runs)
    )


def _files_of(folder: Path) -> list[Path]:
    return [file for file in _listing(folder) if _extension(file) in _DATA]


def _listing(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))


def _extension(file: Path) -> str:
    return Path(file.name.removesuffix(".gz")).suffix.removeprefix(".").lower()


def _stem(file: Path) -> str:
    name = file.name.removesuffix(".gz")
    return name.rpartition(".")[0] if _extension(file) in _DATA else name


def _existing(file: Path) -> Path | None:
    return file if file.is_file() else None
