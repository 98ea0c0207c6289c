from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from ragtui.errors import RagtuiError
from ragtui.retrieval.embedders.embedder import Vectors
from ragtui.retrieval.embedding_cache import EmbeddingCache

IDENTITY = ("org/model", "v1", "", "passage: ")


class Recorder:
    """Embeds a text as [its length, 1] and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return np.asarray([[len(text), 1] for text in texts], dtype=np.float32)


@pytest.fixture
def cache(tmp_path: Path) -> EmbeddingCache:
    return EmbeddingCache(IDENTITY, 2, tmp_path)


def ignore(_done: int) -> None:
    """Nobody watches."""


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_a_text_is_embedded_once(cache: EmbeddingCache, tmp_path: Path) -> None:
    embed, progress = Recorder(), list[int]()
    first = cache.vectors(["a", "bb", "a", "ccc"], embed, 2, progress.append)
    np.testing.assert_array_equal(first, [[1, 1], [2, 1], [1, 1], [3, 1]])
    assert first.dtype == np.float32
    assert embed.asked == [["a", "bb"], ["ccc"]]
    assert progress == [1, 3, 4]

    again = EmbeddingCache(IDENTITY, 2, tmp_path).vectors(["ccc", "new", "a"], embed, 2, ignore)
    np.testing.assert_array_equal(again, [[3, 1], [3, 1], [1, 1]])
    assert embed.asked[2:] == [["new"]]


@pytest.mark.parametrize(
    ("identity", "dimension"),
    [
        (("org/model", "v2", "", "passage: "), 2),
        (("org/model", "v1", "http://h", "passage: "), 2),
        (("org/model", "v1", "", ""), 2),
        (("other/model", "v1", "", "passage: "), 2),
        (IDENTITY, 3),
    ],
)
def test_another_model_has_other_vectors(
    cache: EmbeddingCache, tmp_path: Path, identity: tuple[str, ...], dimension: int
) -> None:
    cache.vectors(["a"], Recorder(), 8, ignore)
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> Vectors:
        asked.extend(texts)
        return np.zeros((len(texts), dimension), dtype=np.float32)

    EmbeddingCache(identity, dimension, tmp_path).vectors(["a"], embed, 8, ignore)
    assert asked == ["a"]


def test_what_was_embedded_survives_an_interruption(cache: EmbeddingCache) -> None:
    def interrupted(texts: Sequence[str]) -> Vectors:
        if "ccc" in texts:
            raise KeyboardInterrupt
        return Recorder()(texts)

    with pytest.raises(KeyboardInterrupt):
        cache.vectors(["a", "bb", "ccc", "dddd"], interrupted, 2, ignore)
    embed = Recorder()
    cache.vectors(["a", "bb", "ccc", "dddd"], embed, 2, ignore)
    assert embed.asked == [["ccc", "dddd"]]


@pytest.mark.parametrize("damage", [b"", b"\x93NUMPY", b"junk" * 100, None])
def test_a_damaged_file_is_as_good_as_absent(
    cache: EmbeddingCache, tmp_path: Path, damage: bytes | None
) -> None:
    cache.vectors(["a", "bb"], Recorder(), 8, ignore)
    (file,) = files(tmp_path)
    file.write_bytes(file.read_bytes()[:-5] if damage is None else damage)
    embed = Recorder()
    np.testing.assert_array_equal(cache.vectors(["bb"], embed, 8, ignore), [[2, 1]])
    assert embed.asked == [["bb"]]


def test_a_pickle_is_never_loaded(cache: EmbeddingCache, tmp_path: Path) -> None:
    cache.vectors(["a"], Recorder(), 8, ignore)
    (file,) = files(tmp_path)
    with file.open("wb") as out:
        np.save(out, np.asarray([{"key": "a"}], dtype=object), allow_pickle=True)
    embed = Recorder()
    cache.vectors(["a"], embed, 8, ignore)
    assert embed.asked == [["a"]]


def test_many_texts_go_into_files_that_are_whole(cache: EmbeddingCache, tmp_path: Path) -> None:
    texts = [str(n) for n in range(1200)]
    expected = cache.vectors(texts, Recorder(), 100, ignore)
    assert len(files(tmp_path)) == 2
    assert {file.suffix for file in files(tmp_path)} == {".npy"}
    embed = Recorder()
    np.testing.assert_array_equal(cache.vectors(texts[::-1], embed, 100, ignore), expected[::-1])
    assert embed.asked == []


def test_writers_at_the_same_time_agree(tmp_path: Path) -> None:
    texts = [f"text {n}" for n in range(300)]

    def write(_worker: int) -> Vectors:
        return EmbeddingCache(IDENTITY, 2, tmp_path).vectors(texts, Recorder(), 50, ignore)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(write, range(4)))
    for result in results:
        np.testing.assert_array_equal(result, results[0])
    assert len(files(tmp_path)) == 1


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RagtuiError) as caught:
        EmbeddingCache(IDENTITY, 2, tmp_path / "file")
    assert caught.value.key == "retrieval.cache-unwritable"


def test_a_model_name_never_leaves_the_folder(tmp_path: Path) -> None:
    EmbeddingCache(("a/../../..", "v"), 2, tmp_path / "inside").vectors(["a"], Recorder(), 8, ignore)
    assert all(file.is_relative_to(tmp_path / "inside") for file in files(tmp_path))
    assert files(tmp_path)


def test_it_lies_in_the_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGTUI_CACHE_DIR", str(tmp_path / "cache"))
    EmbeddingCache(IDENTITY, 2).vectors(["a"], Recorder(), 8, ignore)
    (file,) = files(tmp_path)
    assert file.parent.parent == tmp_path / "cache" / "embeddings"


def test_half_a_surrogate_pair_has_a_key(cache: EmbeddingCache) -> None:
    embed: Callable[[Sequence[str]], Vectors] = Recorder()
    assert cache.vectors(["\ud800"], embed, 8, ignore).shape == (1, 2)
