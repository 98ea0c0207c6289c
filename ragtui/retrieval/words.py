"""Text cut into words for lexical search, Chinese and English alike."""

from __future__ import annotations

import re
import unicodedata

# Chinese characters with their extensions, the iteration mark and the zero of written-out numbers.
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_PIECE = re.compile(rf"(?P<han>[{_HAN}]+)|\d+(?:\.\d+)+|[^\W_{_HAN}]+")

WORDS_CARD = (
    "NFKC, case folded; Chinese: jieba words (rjieba, HMM on) and each character of a longer word; "
    "otherwise runs of letters and digits, decimal numbers whole; no stop words, no stemming"
)


def words(text: str) -> list[str]:
    """Words of `text` in order, repeats included: jieba's of Chinese runs, else runs of letters and digits.

    Full-width letters become their plain twins and case is folded, so `Ｐ７` and `p7` are one word.
    """
    import rjieba  # here: loading its dictionary takes longer than drawing the first screen

    found: list[str] = []
    for piece in _PIECE.finditer(unicodedata.normalize("NFKC", text).casefold()):
        if piece["han"]:
            found.extend(rjieba.cut(piece["han"]))
        else:
            found.append(piece[0])
    return found


def search_terms(text: str) -> list[str]:
    """What BM25 counts: `words`, and after each Chinese word of several characters those characters too.

    The dictionary knows simplified Chinese best. Where it cuts a word of a query otherwise than the same word
    of a passage, as it often does in traditional text, the characters still meet.
    """
    terms: list[str] = []
    for word in words(text):
        terms.append(word)
        if len(word) > 1 and _is_han(word):
            terms.extend(word)
    return terms


def _is_han(word: str) -> bool:
    piece = _PIECE.fullmatch(word)
    return piece is not None and piece["han"] is not None
