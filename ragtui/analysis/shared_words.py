"""Which words a query and a chunk have in common, without a tokenizer: quick enough to ask for every card.

Text in scripts that put blanks between words is compared by lower-case word. Chinese, Japanese and Thai text
is compared by runs: every stretch of the query, two characters or longer, that stands in the chunk as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_SPACED = rf"[^\W_{_UNSPACED}]"
_RUN = re.compile(f"[{_UNSPACED}]+")
_WORD = re.compile(rf"{_SPACED}+(?:['’]{_SPACED}+)?")
# Characters that are compared: a longer query is a pasted document, and its start is enough.
_LONGEST_QUERY = 500

_FREQUENT = frozenset(
    """
    a about after all also an and any are as at be been but by can could did do does for from had has have
    how i if in into is it its many may me much my no not of on or our should so some than that the their them
    then there these they this to up us was we were what when where which who whom whose why will with would
    you your
    """.split()  # noqa: SIM905 -- a list of quoted words is three times as long and harder to read
)
# what a run may begin or end with and not mean: question words, pronouns, particles
_FREQUENT_RUN = (
    "可不可以|有没有|能不能|是不是|为什么|為什麼|什么|什麼|怎么样|怎么|怎樣|怎样|多少|如何|哪个|哪些|哪里|是否|能否"
    "|可以|需要|如果|或者|还是|以及|一个|一下|我们|你们|他们|它们|这个|这些|那个|那些"
    "|[的了吗嗎呢吧和与與或及是在就都也而之其这這那把被对對从從到为為]"
)
_EMPTY_ENDS = re.compile(f"^(?:{_FREQUENT_RUN})+|(?:{_FREQUENT_RUN})+$")


def shared_words(query: str, text: str) -> tuple[str, ...]:
    """Words and runs of `query` that also stand in `text`, in the order of the query, each once.

    Frequent function words of English and Chinese are left out. Words are compared in lower case and returned
    as the query writes them.
    """
    query = query[:_LONGEST_QUERY]
    words = _words_of(text)
    found = [
        (match.start(), match.group())
        for match in _WORD.finditer(query)
        if match.group().lower() in words and match.group().lower() not in _FREQUENT
    ]
    for match in _RUN.finditer(query):
        found += [(match.start() + start, run) for start, run in _common_runs(match.group(), text)]
    each_once: dict[str, str] = {}
    for _, word in sorted(found):
        each_once.setdefault(word.lower(), word)
    return tuple(each_once.values())


def spans_of(words: Iterable[str], text: str) -> list[tuple[int, int]]:
    """Where `words` stand in `text`: (start, end) in order, not overlapping; only whole words."""
    pattern = _pattern_of(tuple(words))
    return [match.span() for match in pattern.finditer(text)] if pattern else []


@lru_cache(maxsize=512)
def _pattern_of(words: tuple[str, ...]) -> re.Pattern[str] | None:
    parts = [
        re.escape(word) if _RUN.match(word) else rf"(?<!{_SPACED}){re.escape(word)}(?!{_SPACED})"
        for word in sorted(words, key=len, reverse=True)
    ]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


@lru_cache(maxsize=64)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(match.group().lower() for match in _WORD.finditer(text))


def _common_runs(run: str, text: str) -> list[tuple[int, str]]:
    """Longest stretches of `run`, left to right, that stand in `text`, without empty words at their ends."""
    stretches: list[tuple[int, str]] = []
    start = 0
    while start < len(run) - 1:
        end = start + 2
        if run[start:end] not in text:
            start += 1
            continue
        while end < len(run) and run[start : end + 1] in text:
            end += 1
        stretch = _EMPTY_ENDS.sub("", run[start:end])
        if len(stretch) > 1:
            stretches.append((start, stretch))
        start = end
    return stretches
