from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ragtui
from ragtui.dataset.model import EvaluationSet, Run
from ragtui.endpoint import EndpointUnusable, RequestFailed
from ragtui.errors import RagtuiError
from ragtui.retrieval import bench as module
from ragtui.retrieval.bench import bench, passages_of
from ragtui.retrieval.retriever import Retriever
from ragtui.settings import Settings
from tests.unit.retrieval.conftest import LetterEmbedder, MakeSet

CHUNKS = {"d1#1": "aab", "d1#2": "b", "d2#1": "ccc", "d2#2": "aaaaab", "d3#1": "bb"}
QUERIES = {"q1": "ab", "q2": "c", "q3": " ", "007": "zz"}


@pytest.fixture
def letters(make_set: MakeSet) -> EvaluationSet:
    return make_set(CHUNKS, QUERIES)


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> LetterEmbedder:
    made = LetterEmbedder()
    monkeypatch.setattr(module, "embedder_named", lambda _name, _settings: made)
    return made


def lists(run: Run) -> dict[str, tuple[list[str], list[float]]]:
    return {query: (run.lists.list_of(query)[0], run.lists.list_of(query)[1].tolist()) for query in QUERIES}


def test_bm25_run(make_set: MakeSet) -> None:
    evaluation_set = make_set(
        {"x": "住宿标准", "y": "高铁 标准", "z": "请假"}, {"q1": "住宿标准", "q2": "飞机"}
    )
    run = bench(evaluation_set, "bm25", depth=2, prompt=1)
    assert run.name == "bm25"
    assert run.lists.list_of("q1")[0] == ["x", "y"]
    assert run.lists.list_of("q2")[0] == []
    assert run.stages["prompt"].list_of("q1")[0] == ["x"]
    assert np.isnan(run.stages["prompt"].scores).all()
    assert run.latency_ms is not None
    assert run.latency_ms.index.tolist() == ["q1", "q2"]
    assert run.latency_ms.columns.tolist() == ["search"]
    assert (run.depth, run.direction, dict(run.errors)) == (2, "higher", {})


def test_dense_run(letters: EvaluationSet, embedder: LetterEmbedder) -> None:
    run = bench(letters, "dense", model="org/letters", depth=3, prompt=2)
    assert run.name == "letters"
    assert run.lists.list_of("q1")[0] == ["d1#1", "d2#2", "d1#2"]
    assert run.lists.list_of("q2")[0][0] == "d2#1"
    assert run.lists.list_of("q3")[0] == []
    assert run.stages["prompt"].lengths.tolist() == [2, 2, 0, 2]
    assert run.latency_ms is not None
    assert run.latency_ms.columns.tolist() == ["embed", "search"]
    assert run.latency_ms.index.tolist() == ["q1", "q2", "007"]
    assert embedder.closed


@pytest.mark.parametrize("retriever", ["bm25", "dense"])
def test_twice_the_same_but_for_time(
    letters: EvaluationSet, embedder: LetterEmbedder, retriever: Any
) -> None:
    first, second = (bench(letters, retriever, model="org/letters", name="r") for _ in range(2))
    assert lists(first) == lists(second)
    assert first.card is not None
    assert second.card is not None
    differing = {k for k in first.card.fields if first.card.fields[k] != second.card.fields.get(k)}
    assert differing <= {"time"}


def test_card(letters: EvaluationSet, embedder: LetterEmbedder) -> None:
    run = bench(letters, "dense", model="org/letters", name="mine", distance="dot")
    assert run.card is not None
    fields = run.card.fields
    expected = {
        "name": "mine",
        "retriever": "dense",
        "model": "org/letters",
        "model_version": "1",
        "dimension": 3,
        "distance": "dot",
        "score_direction": "higher",
        "exact": True,
        "depth": 50,
        "prompt": 5,
        "template": "{title}\n{text}",
        "documents": 3,
        "chunks": 5,
        "queries": 4,
        "corpus_hash": "c" * 64,
        "queries_hash": "q" * 64,
        "ragtui": ragtui.__version__,
    }
    assert {key: fields[key] for key in expected} == expected
    assert fields["packages"] == {"numpy": np.__version__}
    assert fields["time"].endswith("+00:00")


def test_the_command_on_the_card_says_it_all(letters: EvaluationSet, embedder: LetterEmbedder) -> None:
    run = bench(letters, "dense", model="org/letters", name="my run", depth=7, prompt=0)
    assert run.card is not None
    assert shlex.split(run.card.fields["command"]) == [
        *("ragtui", "bench", "some folder/set", "--retriever", "dense"),
        *("--model", "org/letters", "--distance", "cosine"),
        *("--name", "my run", "--depth", "7", "--prompt", "0", "--replace"),
    ]


def test_bm25_takes_no_model_from_the_settings(letters: EvaluationSet) -> None:
    run = bench(letters, "bm25", settings=Settings(embedding_model="org/letters"))
    assert run.card is not None
    assert "model" not in run.card.fields
    assert "--model" not in run.card.fields["command"]


def test_dense_takes_the_model_of_the_settings(letters: EvaluationSet, embedder: LetterEmbedder) -> None:
    assert bench(letters, "dense", settings=Settings(embedding_model="org/letters")).name == "letters"


def test_one_query_that_fails_does_not_stop_the_run(letters: EvaluationSet, embedder: LetterEmbedder) -> None:
    embedder.bad = {"c": RequestFailed("endpoint.refused", model="m", detail="too long")}
    run = bench(letters, "dense", model="org/letters")
    assert "too long" in run.errors["q2"]
    assert list(run.errors) == ["q2"]
    assert run.lists.list_of("q2")[0] == []
    assert run.lists.list_of("q1")[0] != []
    assert run.latency_ms is not None
    assert "q2" not in run.latency_ms.index


def test_an_endpoint_that_cannot_be_used_stops_the_run(
    letters: EvaluationSet, embedder: LetterEmbedder
) -> None:
    embedder.bad = {"c": EndpointUnusable("endpoint.quota", model="m", detail="")}
    with pytest.raises(EndpointUnusable):
        bench(letters, "dense", model="org/letters")
    assert embedder.closed


def test_a_run_in_which_every_query_failed_is_none(letters: EvaluationSet, embedder: LetterEmbedder) -> None:
    failure = RequestFailed("endpoint.timeout", model="m", n=5)
    embedder.bad = dict.fromkeys(QUERIES.values(), failure)
    with pytest.raises(RequestFailed):
        bench(letters, "dense", model="org/letters")


def test_an_interruption_closes_the_model(
    letters: EvaluationSet, embedder: LetterEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(done: int, _total: int) -> None:
        if done > len(CHUNKS):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bench(letters, "dense", model="org/letters", progress=interrupted)
    assert embedder.closed


@pytest.mark.parametrize("retriever", ["bm25", "dense"])
def test_progress_runs_to_the_end(letters: EvaluationSet, embedder: LetterEmbedder, retriever: Any) -> None:
    seen: list[tuple[int, int]] = []
    bench(letters, retriever, model="org/letters", progress=lambda done, total: seen.append((done, total)))
    counts = [done for done, _ in seen]
    assert counts == sorted(counts)
    assert seen[-1] == (9, 9)
    assert {total for _, total in seen} == {9}


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"retriever": "magic"}, "retrieval.unknown-retriever"),
        ({"retriever": "dense"}, "retrieval.no-model"),
        ({"name": "../outside"}, "dataset.bad-run-name"),
        ({"name": ""}, "dataset.bad-run-name"),
        ({"depth": 0}, "retrieval.bad-depth"),
        ({"prompt": -1}, "retrieval.bad-prompt"),
        ({"depth": 3, "prompt": 4}, "retrieval.bad-prompt"),
    ],
)
def test_what_makes_no_sense_is_an_error(letters: EvaluationSet, options: dict[str, Any], key: str) -> None:
    with pytest.raises(RagtuiError) as caught:
        bench(letters, **{"retriever": "bm25", **options})
    assert caught.value.key == key


def test_a_set_without_corpus_or_query_texts_is_an_error(make_set: MakeSet) -> None:
    with pytest.raises(RagtuiError) as caught:
        bench(make_set({}, QUERIES), "bm25")
    assert caught.value.key == "retrieval.no-corpus"
    with pytest.raises(RagtuiError) as caught:
        bench(make_set(CHUNKS, {"q1": "", "q2": " "}), "bm25")
    assert caught.value.key == "retrieval.no-queries"
    with pytest.raises(RagtuiError) as caught:
        bench(make_set(CHUNKS, {}), "bm25")
    assert caught.value.key == "retrieval.no-queries"


def test_titles_stand_before_texts(make_set: MakeSet) -> None:
    titles = ["T", "", " "]
    chunks = make_set({"x": "text\n", "y": "text", "z": ""}, QUERIES, titles).chunks
    assert passages_of(chunks) == ["T\ntext", "text", ""]


@pytest.mark.parametrize(
    ("model", "name"), [("openai/text:emb 3", "text-emb-3"), ("a/..", "run"), ("中文/模型", "模型")]
)
def test_a_run_is_named_after_its_model_and_makes_a_file_name(
    letters: EvaluationSet, embedder: LetterEmbedder, model: str, name: str
) -> None:
    assert bench(letters, "dense", model=model).name == name


def commit(folder: Path) -> str:
    """A repository with one commit; its hash."""
    run = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    (folder / "file").write_text("one")
    subprocess.run([*run, "init", "-q"], cwd=folder, check=True)
    subprocess.run([*run, "add", "file"], cwd=folder, check=True)
    subprocess.run([*run, "commit", "-qm", "one"], cwd=folder, check=True)
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_card_names_commit_and_whether_it_is_dirty(
    letters: EvaluationSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    before = bench(letters, "bm25").card
    expected = commit(tmp_path)
    clean = bench(letters, "bm25").card
    (tmp_path / "file").write_text("two")
    dirty = bench(letters, "bm25").card
    assert before is not None
    assert "git_commit" not in before.fields
    assert clean is not None
    assert (clean.fields["git_commit"], clean.fields["git_dirty"]) == (expected, False)
    assert dirty is not None
    assert (dirty.fields["git_commit"], dirty.fields["git_dirty"]) == (expected, True)


def test_without_git_the_card_has_no_commit(letters: EvaluationSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    card = bench(letters, "bm25").card
    assert card is not None
    assert "git_commit" not in card.fields


def test_both_retrievers_are_retrievers() -> None:
    from ragtui.retrieval.bm25 import Bm25
    from ragtui.retrieval.dense import Dense

    engines: list[Retriever] = [Bm25(), Dense(LetterEmbedder(), "cosine")]
    for engine in engines:
        engine.index(["aa"], lambda _done: None)
        assert engine.search("aa", 1).positions.tolist() == [0]
        engine.close()
