"""All formats that open as a set; `convert`, `check`, help and docs read this one list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ragtui.dataset.faults import Faults
from ragtui.dataset.formats import folder, foreign, single
from ragtui.dataset.formats.sources import NamedFiles, Sources, read_sources
from ragtui.dataset.readers.rows import Parts


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of input.

    Attributes:
        name: as errors, help and docs call it; its words are `dataset.format.<name>` of the message
            catalogue.
        detect: whether a path is of this kind; the first format that says yes reads it.
        read: reads it with the files a person named in place of those it finds.
    """

    name: str
    detect: Callable[[Path], bool]
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
    Format("foreign", foreign.detect, foreign.refuse),
    Format("folder", Path.is_dir, _by_location(folder.locate)),
    Format("file", Path.is_file, _by_location(single.locate)),
)


def format_of(path: Path) -> Format | None:
    """The format of a path that exists; None for what is neither file nor folder."""
    return next((candidate for candidate in FORMATS if candidate.detect(path)), None)
