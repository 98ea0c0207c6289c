"""Names of all formats and what their files are called; help, docs and README read this list.

It imports nothing that reads files, so that help can show it at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from ragtui.messages import t


@dataclass(frozen=True, slots=True)
class FormatName:
    """One format as people are told of it.

    Attributes:
        name: as errors, help and docs call it.
        examples: names that its files or folders may have.
    """

    name: str
    examples: tuple[str, ...]

    @property
    def words(self) -> str:
        """What it is, in the language in use."""
        return t(f"dataset.format.{self.name}")


FORMAT_NAMES: tuple[FormatName, ...] = (
    FormatName("folder", ("my-set/", "queries.jsonl", "qrels/test.tsv", "corpus.parquet", "run.bm25.trec")),
    FormatName("file", ("gold.jsonl", "qrels.trec", "qrels.parquet")),
    FormatName("ragas", ("dataset.jsonl", "dataset.csv", "dataset.parquet")),
    FormatName("llamaindex", ("rag_dataset.json", "predictions.json")),
    FormatName("id-tables", ("qa_dataset.json",)),
    FormatName("autorag", ("qa.parquet", "corpus.parquet", "result_bm25.parquet")),
    FormatName("open-rag-eval", ("answers.csv",)),
    FormatName("labelled-pairs", ("pairs.csv",)),
    FormatName("questions", ("questions.csv",)),
    FormatName("crud", ("quest.json",)),
)
