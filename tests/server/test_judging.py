"""`ragtui judge` end to end: the real command line, the real litellm, a scripted server."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.server.chat_server import Answer, Asked, ChatServer
from tests.server.shell import DATASET, KEY, Shell, many, verdict, write_dataset

pytestmark = pytest.mark.server


def opened_1998(asked: Asked) -> Answer:
    """1 for the context that tells the year, 0 for others; of the last question and not of an example."""
    text = asked["messages"][-1]["content"]
    return verdict(int("The library opened in 1998" in text[-600:]))


def test_calls_of_every_step(chat: ChatServer, shell: Shell, dataset: Path, tmp_path: Path) -> None:
    """Same again asks nothing; another model, prompt, text or repeat does."""

    def calls(*options: object, file: Path = dataset) -> tuple[int, Any]:
        before = len(chat.requests)
        found, _ = shell.judge(file, "--judge", "context-precision", *options)
        assert found["calls"] == len(chat.requests) - before
        return found["calls"], found["scores"]["context_precision@5"]["mean"]

    chat.answer = opened_1998
    assert calls("--model", "openai/stub-a") == (3, 1.0)
    assert calls("--model", "openai/stub-a") == (0, 1.0)
    chat.answer = lambda _: verdict(0)
    assert calls("--model", "openai/stub-b") == (3, 0.0)
    chat.answer = opened_1998
    changed = {**DATASET, "retrieved_contexts": [*DATASET["retrieved_contexts"]]}
    changed["retrieved_contexts"][1] += "!"
    assert calls("--model", "openai/stub-a", file=write_dataset(tmp_path / "changed.jsonl", changed)) == (
        1,
        1.0,
    )
    assert calls("--model", "openai/stub-a", "--repeats", 2) == (6, 1.0)
    assert {asked["model"] for asked in chat.requests} == {"stub-a", "stub-b"}


def test_a_prompt_changed_by_one_word_is_asked_anew(chat: ChatServer, shell: Shell, tmp_path: Path) -> None:
    made = tmp_path / "set"
    folder = made / "judges" / "mine"
    folder.mkdir(parents=True)
    write_dataset(made / "queries.jsonl", {"_id": "q1", "text": "library", "metadata": {"reference": "1998"}})
    write_dataset(made / "corpus.jsonl", *({"_id": f"c{n}", "text": f"text {n}"} for n in range(3)))
    (made / "runs").mkdir()
    results = [{"chunk_id": f"c{n}", "score": 1 - n / 10} for n in range(3)]
    write_dataset(made / "runs" / "one.jsonl", {"query_id": "q1", "results": results})
    (made / "qrels").mkdir()
    (made / "qrels" / "dev.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tc0\t1\n", encoding="utf-8")
    (folder / "judge.toml").write_text(
        'schema = 1\nname = "mine"\nversion = "1"\nunit = "context"\nengine = "rubric"\nscale = [0, 1]\n'
        'languages = ["en"]\n[defaults]\ntemperature = 0\n',
        encoding="utf-8",
    )
    properties = {"reason": {"type": "string"}, "verdict": {"type": "integer", "enum": [0, 1]}}
    (folder / "schema.json").write_text(json.dumps({"type": "object", "properties": properties}), "utf-8")
    chat.answer = lambda _: verdict(1)
    for word, calls in (("useful", 3), ("useful", 0), ("helpful", 3), ("useful", 0)):
        (folder / "prompt.en.md").write_text(f"[user]\nIs it {word}?\n{{query}}\n{{context}}\n", "utf-8")
        found, _ = shell.judge(made, "--judge", "mine", "--model", "openai/stub")
        assert (found["calls"], found["scores"]["context_useful@5"]["mean"]) == (calls, 1.0)


def test_all_contexts_of_a_query_are_asked_at_once(chat: ChatServer, shell: Shell, dataset: Path) -> None:
    chat.together = 3
    chat.answer = lambda _: verdict(1)
    found, _ = shell.judge(dataset, "--judge", "context-precision", "--model", "openai/stub")
    assert (found["calls"], chat.most_in_flight) == (3, 3)


def test_failures_of_every_kind_leave_the_mean_and_are_counted(
    chat: ChatServer, shell: Shell, tmp_path: Path
) -> None:
    answers: dict[str, Callable[[], Answer]] = {
        "library 0 ": lambda: verdict(1),
        "library 1 ": lambda: Answer("I'm sorry, but I can't help with that."),
        "library 2 ": lambda: Answer("8/10"),
        "library 3 ": lambda: Answer("no such field", 400),
    }

    def answer(asked: Asked) -> Answer:
        text = asked["messages"][-1]["content"]
        return next(make() for name, make in answers.items() if name in text)

    chat.answer = answer
    data = many(tmp_path / "many.jsonl", 4)
    found, _ = shell.judge(data, "--judge", "relevance-grade", "--model", "openai/stub")
    assert found["counts"] == {"scored": 1, "failed": 3}
    assert found["failures"]["refused"] == 3
    assert found["failures"]["error"] == 3
    score = found["scores"]["mean_grade@5"]
    assert (score["mean"], score["n"], score["of"]) == (1, 1, 4)
    assert (score["lowest"], score["highest"]) == (0.25, 2.5)
    answers.update(dict.fromkeys(answers, lambda: verdict(1)))
    before = len(chat.requests)
    again, _ = shell.judge(data, "--judge", "relevance-grade", "--model", "openai/stub", "--retry-failed")
    assert len(chat.requests) - before == 9
    assert again["scores"]["mean_grade@5"]["n"] == 4


def test_a_server_that_asks_for_a_long_wait_ends_the_run_and_what_is_there_is_kept(
    chat: ChatServer, shell: Shell, dataset: Path
) -> None:
    chat.script = [verdict(1), Answer("slow down", 429, {"retry-after": "3600"})]
    options = (dataset, "--judge", "context-precision", "--model", "openai/stub", "--concurrency", 1)
    found, err = shell.judge(*options, code=2)
    assert "3600 s" in err
    assert "1 of 3" in err
    assert [v["status"] for v in found["per_query"][0]["verdicts"]] == ["ok"]
    chat.answer = lambda _: verdict(1)
    found, _ = shell.judge(*options)
    assert (found["calls"], found["state"]) == (2, "done")


def test_ctrl_c_keeps_everything_and_says_how_to_go_on(
    chat: ChatServer, shell: Shell, tmp_path: Path
) -> None:
    data = many(tmp_path / "many.jsonl", 4)
    chat.script = [verdict(1)] * 5
    chat.answer = lambda _: Answer(does="hang")
    options = (data, "--judge", "relevance-grade", "--model", "openai/stub", "--concurrency", 2)
    process = shell.start(*options)
    chat.wait_for(7)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "5 of 12 are done and kept" in err
    chat.answer = lambda _: verdict(1)
    found, _ = shell.judge(*options)
    assert (found["calls"], found["cached"]) == (7, 5)


def test_killed_in_the_middle_only_the_calls_under_way_are_lost(
    chat: ChatServer, shell: Shell, tmp_path: Path
) -> None:
    data = many(tmp_path / "many.jsonl", 8)
    concurrency = 4
    options = (data, "--judge", "relevance-grade", "--model", "openai/stub", "--concurrency", concurrency)
    chat.answer = lambda _: verdict(1)
    process = shell.start(*options)
    chat.wait_for(15)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    answered = len(chat.requests)
    found, _ = shell.judge(*options)
    assert found["state"] == "done"
    assert found["calls"] <= 24 - (answered - concurrency)
    assert found["counts"] == {"scored": 8}


def test_two_processes_judge_the_same_set_at_once(chat: ChatServer, shell: Shell, tmp_path: Path) -> None:
    data = many(tmp_path / "many.jsonl", 6)
    chat.answer = lambda _: verdict(2)
    options = (data, "--judge", "relevance-grade", "--model", "openai/stub")
    processes = [shell.start(*options) for _ in range(2)]
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert json.loads(out)["scores"]["mean_grade@5"]["mean"] == 2
    found, _ = shell.judge(data, "--judge", "relevance-grade", "--model", "openai/stub")
    assert (found["calls"], found["cached"], found["counts"]) == (0, 18, {"scored": 6})


def test_the_key_is_written_nowhere(chat: ChatServer, shell: Shell, dataset: Path, tmp_path: Path) -> None:
    chat.answer = lambda _: verdict(1)
    chat.script = [Answer(f"Incorrect API key provided: {KEY}", 400), Answer(f"your key is {KEY}", 500)]
    base = re.sub("//", f"//user:{KEY}@", chat.url, count=1)
    shell.judge(dataset, "--judge", "relevance-grade", "--model", "openai/stub", "--repeats", 1)
    Shell(base, shell.capsys).judge(dataset, "--judge", "claim-coverage", "--model", "openai/stub")
    assert set(chat.keys) >= {f"Bearer {KEY}"}
    places = [tmp_path, *(Path(os.environ[f"RAGTUI_{kind}_DIR"]) for kind in ("DATA", "CACHE"))]
    files = [file for place in places for file in place.rglob("*") if file.is_file()]
    assert any(file.name == "cache.db" for file in files)
    assert [file for file in files if KEY.encode() in file.read_bytes()] == []


NO_RAGAS = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "ragas":
            raise ImportError("ragas is blocked")
sys.meta_path.insert(0, Blocked())
"""


def test_without_ragas_its_judges_say_so_and_all_others_work(
    chat: ChatServer, shell: Shell, dataset: Path
) -> None:
    chat.answer = lambda _: verdict(1)
    for judge in ("relevance-grade", "claim-coverage", "id-overlap", "string-similarity"):
        shell.judge_apart(dataset, "--judge", judge, "--model", "openai/stub", prelude=NO_RAGAS)
    for judge in ("context-precision", "context-recall"):
        options = (dataset, "--judge", judge, "--model", "openai/stub")
        _, err = shell.judge_apart(*options, code=2, prelude=NO_RAGAS)
        assert "ragas is blocked" in err
        assert "pip install" in err


def test_what_cannot_work_is_told_at_once(chat: ChatServer, shell: Shell, dataset: Path) -> None:
    options = (dataset, "--judge", "relevance-grade", "--model", "openai/stub")
    chat.answer = lambda _: Answer("The model does not exist", 404)
    found, err = shell.judge(*options, code=2)
    assert "does not know the model" in err
    assert (found["state"], found["calls"]) == ("stopped", 0)
    chat.answer = lambda _: Answer("You exceeded your current quota (insufficient_quota)", 429)
    _, err = shell.judge(*options, code=2)
    assert "quota" in err
