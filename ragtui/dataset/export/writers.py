"""Which function writes which form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ragtui.dataset.export.beir import write_beir
from ragtui.dataset.export.parquet import write_parquet
from ragtui.dataset.export.ragas import write_ragas
from ragtui.dataset.export.trec import write_trec
from ragtui.dataset.model import EvaluationSet
from ragtui.dataset.writing import write_native

WRITERS: Mapping[str, Callable[[EvaluationSet, Path], None]] = {
    "native": write_native,
    "trec": write_trec,
    "beir": write_beir,
    "ragas": write_ragas,
    "parquet": write_parquet,
}
"""By the names of `EXPORT_NAMES`; each writes a new folder, whole or not at all, and raises `CannotWrite`."""
