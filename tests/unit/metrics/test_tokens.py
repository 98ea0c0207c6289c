"""Tokens are estimated by a rule that can be said in a sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ragtui.metrics.tokens import count_tokens, tokens_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("   \n\t", 0),
        ("差旅", 2),
        ("差旅。", 3),
        ("word", 1),
        ("words", 2),
        ("two words", 2),  # 8 letters
        ("报销单 RE-21", 3 + 2),  # 3 ideographs, 5 other characters
        ("한국어 カナ", 5),
        ("𠮷", 1),
    ],
)
def test_a_cjk_character_is_one_and_four_others_are_one(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


def test_a_chunk_without_text_is_unknown() -> None:
    texts = pd.Series({"a": "差旅", "b": "word"})
    vocabulary = np.array(["b", "x", "a"], dtype=object)
    np.testing.assert_array_equal(tokens_of(texts, vocabulary), [1, np.nan, 2])
