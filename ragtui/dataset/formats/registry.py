"""All formats that open as a set, each with the module that reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ragtui.dataset.faults import Faults
from ragtui.dataset.formats import (
    autorag,
    crud,
    folder,
    id_tables,
    labelled_pairs,
    llamaindex,
    open_rag_eval,
    questions,
    ragas,
    refused,
    single,
)
from ragtui.dataset.formats.glance import Glance, glance_at
from ragtui.dataset.formats.sources import NamedFiles, Sources, read_sources
from ragtui.dataset.readers.rows import Parts


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of input.

    Attributes:
        name: one of `FORMAT_NAMES`, or `refused` for files that are known and hold no set.
        detect: whether a path is of this kind; the first format that says yes reads it.
        read: reads it with the files a person named in place of those it finds.
    """

    name: str
    detect: Callable[[Glance], bool]
    read: Callable[[Path, NamedFiles, Faults], Parts]


def _by_location(
    locate: Callable[[Path, NamedFiles, Faults], Sources],
) -> Callable[[Path, NamedFiles, Faults], Parts]:
    def read(path: Path, named: NamedFiles, faults: Faults) -> Parts:
        sources = locate(path, named, faults).with_named(named)
        if faults.has_errors and sources.queries is None and not sources.gold:
            return Parts(path, sources.format)  # what there is to read is not known, so nothing is
        return read_sources(sources, faults)

    return read


FORMATS: tuple[Format, ...] = (
    Format(llamaindex.NAME, llamaindex.detect, llamaindex.read),
    Format(id_tables.NAME, id_tables.detect, id_tables.read),
    Format(autorag.NAME, autorag.detect, autorag.read),
    Format(refused.NAME, refused.detect, refused.read),
    Format(ragas.NAME, ragas.detect, ragas.read),
    Format(open_rag_eval.NAME, open_rag_eval.detect, open_rag_eval.read),
    Format(labelled_pairs.NAME, labelled_pairs.detect, labelled_pairs.read),
    Format(crud.NAME, crud.detect, crud.read),
    Format(questions.NAME, questions.detect, questions.read),
    Format("folder", lambda seen: seen.path.is_dir(), _by_location(folder.locate)),
    Format("file", lambda seen: seen.path.is_file(), _by_location(single.locate)),
)


def format_of(path: Path) -> Format | None:
    """The format of a path that exists; None for what is neither file nor folder."""
    seen = glance_at(path)
    return next((candidate for candidate in FORMATS if candidate.detect(seen)), None)
