"""How many tokens a chunk costs, estimated without the tokeniser of any model."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

# Ideographs, kana, Hangul, and the punctuation and full-width forms that go with them.
_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)

_CHARACTERS_PER_TOKEN = 4


def count_tokens(text: str) -> int:
    """Estimated tokens: one for each CJK character, one for every four others that are no white space."""
    text = "".join(text.split())
    others = len(text) if text.isascii() else len(_CJK.sub("", text))
    return len(text) - others + -(-others // _CHARACTERS_PER_TOKEN)


def tokens_of(texts: pd.Series[Any], vocabulary: npt.NDArray[np.object_]) -> npt.NDArray[np.float64]:
    """(v,) tokens of each chunk of a vocabulary, NaN where its text is not there.

    Args:
        texts: index chunk_id, the text of each chunk.
        vocabulary: (v,) object array of chunk ids.
    """
    place = pd.Index(texts.index, dtype=object).get_indexer(pd.Index(vocabulary, dtype=object))
    known = place >= 0
    tokens = np.full(len(vocabulary), np.nan)
    tokens[known] = [count_tokens(str(text)) for text in texts.to_numpy(dtype=object)[place[known]]]
    return tokens
