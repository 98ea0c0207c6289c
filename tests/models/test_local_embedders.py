"""The two models that run in this process, with their real weights."""

from __future__ import annotations

import numpy as np
import pytest

from ragtui.retrieval.embedders import LOCAL, Embedder, embedder_named
from ragtui.settings import Settings

pytestmark = pytest.mark.model


@pytest.fixture(scope="module", params=list(LOCAL))
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return embedder_named(request.param, Settings())


def cosine(embedder: Embedder, query: str, passage: str) -> float:
    return float(embedder.queries([query])[0] @ embedder.passages([passage])[0])


def test_vectors_have_384_numbers_and_length_one(embedder: Embedder) -> None:
    for vectors in (embedder.queries(["one", "二"]), embedder.passages(["three", "四"])):
        assert vectors.dtype == np.float32
        assert vectors.shape == (2, 384)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_paraphrase_is_nearer_than_another_topic(embedder: Embedder) -> None:
    question = "How many vacation days do employees get?"
    same = cosine(embedder, question, "Staff are entitled to 15 days of annual leave.")
    other = cosine(embedder, question, "The train to Berlin leaves from platform nine.")
    assert same > other + 0.02


def test_a_vector_depends_on_its_text_alone(embedder: Embedder) -> None:
    texts = ["a short one", "员工出差住宿标准", "a much longer one " * 40, "!"]
    together = embedder.passages(texts)
    np.testing.assert_array_equal(together, embedder.passages(texts))
    np.testing.assert_array_equal(together, np.concatenate([embedder.passages([text]) for text in texts]))


@pytest.mark.parametrize(
    "text",
    ["a\0b", "\ud800", "!", "\u200b", "𝔘𝔫𝔦", "x" * 5_000],
    ids=["nul", "half", "mark", "none", "odd", "long"],
)
def test_any_text_has_a_vector(embedder: Embedder, text: str) -> None:
    assert np.isfinite(embedder.passages([text])).all()


def test_text_after_a_nul_counts(embedder: Embedder) -> None:
    (whole,), (first,) = embedder.passages(["hotel\0train"]), embedder.passages(["hotel"])
    assert not np.array_equal(whole, first)


def test_tokens_tell_long_texts(embedder: Embedder) -> None:
    window, short, long = embedder.facts.window, embedder.tokens("hello"), embedder.tokens("hello " * 600)
    assert window is not None
    assert short is not None
    assert long is not None
    assert 3 <= short < 10
    assert long > 600 > window


def test_only_the_end_that_does_not_fit_is_cut() -> None:
    embedder = embedder_named("all-MiniLM-L6-v2", Settings())
    fits, cut, other = embedder.passages(["hello " * 254, "hello " * 600, "hello " * 253])
    np.testing.assert_array_equal(fits, cut)
    assert not np.array_equal(fits, other)


def test_e5_knows_a_question_from_a_passage_and_reads_chinese() -> None:
    embedder = embedder_named("multilingual-e5-small", Settings())
    assert not np.array_equal(embedder.queries(["hotel"]), embedder.passages(["hotel"]))
    question = "出差住酒店每晚最多可以报多少钱？"
    same = cosine(embedder, question, "住宿费标准：一线城市每晚不超过五百元。")
    other = cosine(embedder, question, "周末羽毛球活动报名截止到周四中午。")
    assert same > other + 0.02
