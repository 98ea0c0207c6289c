"""The command line of judging with a key and folders of its own, against a scripted server."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ragtui.cli.main import main
from tests.server.chat_server import Answer

KEY = "sk-loopback-0123456789abcdef"
DATASET: dict[str, Any] = {
    "query_id": "q1",
    "query": "When was the library opened?",
    "reference": "It opened in 1998.",
    "retrieved_contexts": [
        "The library opened in 1998.",
        "The museum opened in 2004.",
        "Opening hours are 9 to 17.",
    ],
}


@dataclass(frozen=True)
class Shell:
    """The command line with a key and folders of its own, in this process or in another."""

    url: str
    capsys: pytest.CaptureFixture[str]
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    def judge(self, *arguments: object, code: int = 0) -> tuple[Any, str]:
        """What it printed as JSON, None where nothing, and what it said."""
        with pytest.raises(SystemExit) as ended:
            main(["judge", *map(str, arguments), "--api-base", self.url, "--json"])
        said = self.capsys.readouterr()
        return self.checked(said.out, said.err, ended.value.code or 0, code)

    def judge_apart(self, *arguments: object, code: int = 0, prelude: str = "") -> tuple[Any, str]:
        """The same in a process of its own."""
        process = self.start(*arguments, prelude=prelude)
        out, err = process.communicate(timeout=120)
        return self.checked(out, err, process.returncode, code)

    def start(self, *arguments: object, prelude: str = "") -> subprocess.Popen[str]:
        """A process, which ends with the test at the latest."""
        script = f"{prelude}\nfrom ragtui.cli.main import main\nmain()"
        process = subprocess.Popen(
            [sys.executable, "-c", script, "judge", *map(str, arguments), "--api-base", self.url, "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.started.append(process)
        return process

    def checked(self, out: str, err: str, code: object, wanted: int) -> tuple[Any, str]:
        assert code == wanted, err
        assert "Traceback" not in err
        assert KEY not in out + err
        return json.loads(out) if out.strip() else None, err


def write_dataset(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def many(path: Path, count: int) -> Path:
    rows = [{**DATASET, "query_id": f"q{n}", "query": f"When was library {n} opened?"} for n in range(count)]
    return write_dataset(path, *rows)


def verdict(value: int) -> Answer:
    return Answer(json.dumps({"reason": "because", "verdict": value}))
