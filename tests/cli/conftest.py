"""The command line, called in this process, and a small set on disk."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ragtui.cli.main import main


@dataclass(frozen=True)
class Said:
    """What a call left behind: exit code, stdout, stderr."""

    code: int
    out: str
    err: str

    def json(self, schema: str) -> dict[str, Any]:
        """The one JSON object on stdout, which must have the shape of its schema."""
        content: dict[str, Any] = json.loads(self.out, parse_constant=_no_constant)
        matches_schema(content, schema)
        return content


Call = Callable[..., Said]


def matches_schema(content: Mapping[str, Any], schema: str) -> None:
    text = (resources.files("ragtui.cli") / "schemas" / f"{schema}.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator(json.loads(text)).validate(content)


def _no_constant(name: str) -> None:
    raise AssertionError(f"JSON holds {name}")


@pytest.fixture
def ragtui(capsys: pytest.CaptureFixture[str]) -> Call:
    """Call the console script; gives what it said and how it ended."""

    def call(*arguments: object) -> Said:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        assert "Traceback" not in said.err + said.out
        code = ended.value.code
        return Said(code if isinstance(code, int) else 0, said.out, said.err)

    return call


QUERIES = """\
{"_id": "q1", "text": "hotel in Shanghai", "metadata": {"type": "direct", "reference": "500"}}
{"_id": "q2", "text": "旧版餐补", "metadata": {"type": "time/version"}}
{"_id": "q3", "text": "taxi", "metadata": {"type": "direct"}}
{"_id": "q4", "text": "on the moon", "metadata": {"answerable": false}}
"""
CORPUS = """\
{"_id": "a#1", "title": "hotel", "text": "500 a night", "metadata": {}}
{"_id": "a#2", "title": "meals", "text": "100 a day", "metadata": {}}
{"_id": "b#1", "title": "meals, old", "text": "60 a day", "metadata": {}}
{"_id": "c#1", "title": "taxi", "text": "with receipt", "metadata": {}}
"""
GOLD = "query-id\tcorpus-id\tscore\nq1\ta#1\t1\nq2\ta#2\t1\nq2\tb#1\t1\nq3\tc#1\t1\n"
RUN = """\
{"query_id": "q1", "results": [{"chunk_id": "a#1", "score": 0.9}, {"chunk_id": "b#1", "score": 0.5}]}
{"query_id": "q2", "results": [{"chunk_id": "c#1", "score": 0.8}, {"chunk_id": "b#1", "score": 0.7}]}
{"query_id": "q4", "results": [{"chunk_id": "a#1", "score": 0.6}]}
"""


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Three scored queries and a no-answer one. The run `one` lacks q3."""
    folder = tmp_path / "made"
    (folder / "qrels").mkdir(parents=True)
    (folder / "runs").mkdir()
    (folder / "queries.jsonl").write_text(QUERIES, encoding="utf-8")
    (folder / "corpus.jsonl").write_text(CORPUS, encoding="utf-8")
    (folder / "qrels" / "dev.tsv").write_text(GOLD, encoding="utf-8")
    (folder / "runs" / "one.jsonl").write_text(RUN, encoding="utf-8")
    return folder
