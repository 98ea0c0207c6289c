"""Names of the forms a set can be written in; help and docs read this list, and it imports no reader."""

from __future__ import annotations

from dataclasses import dataclass

from ragtui.messages import t


@dataclass(frozen=True, slots=True)
class ExportName:
    """One form as people are told of it; `examples` are names of the files it writes."""

    name: str
    examples: tuple[str, ...]

    @property
    def words(self) -> str:
        """What it is, in the language in use."""
        return t(f"dataset.export.{self.name}")


EXPORT_NAMES: tuple[ExportName, ...] = (
    ExportName("native", ("queries.jsonl", "qrels/test.tsv", "runs/bm25.jsonl")),
    ExportName("trec", ("queries.tsv", "qrels.test.trec", "run.bm25.trec")),
    ExportName("beir", ("queries.jsonl", "qrels/test.tsv", "runs/bm25.json")),
    ExportName("ragas", ("bm25.jsonl",)),
    ExportName("parquet", ("queries.parquet", "qrels/test.parquet", "runs/bm25.parquet")),
)
