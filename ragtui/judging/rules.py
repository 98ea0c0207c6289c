"""Judges that need no model: rules over ids and texts, and those that packages bring in Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.judging.model import Item, Judge
from ragtui.judging.plugins import python_judges

Rule = Callable[[Item, Mapping[str, Any]], tuple[float, str] | None]
"""Value and reason for an item under the defaults of a judge; None where there is nothing to compare with."""


def rule_of(judge: Judge) -> Rule:
    """What computes the verdicts of a judge of the engine `rule`.

    Raises:
        RagtuiError: there is no such rule.
    """
    if judge.folder is None and judge.name in python_judges():
        in_python = python_judges()[judge.name]
        return lambda item, _: in_python.verdict(item)
    name = str(judge.defaults.get("rule"))
    if name not in _RULES:
        where = str(judge.folder or judge.name)
        raise RagtuiError("judging.no-such-rule", where=where, name=inert(name), names=", ".join(_RULES))
    return _RULES[name]


def reads_gold(judge: Judge) -> bool:
    """Whether a judge is one of these rules: they look at gold, so agreement with it shows nothing."""
    return judge.engine == "rule" and judge.folder is not None and str(judge.defaults.get("rule")) in _RULES


def id_overlap(item: Item, _defaults: Mapping[str, Any]) -> tuple[float, str] | None:
    """1 where the chunk is one of the relevant gold chunks, by id; None where the query has none."""
    if not item.gold:
        return None
    relevant = any(chunk_id == item.chunk_id for chunk_id, _ in item.gold)
    return (1.0, "in-gold") if relevant else (0.0, "not-in-gold")


def string_similarity(item: Item, defaults: Mapping[str, Any]) -> tuple[float, str] | None:
    """1 where the text is at least `threshold` like that of a relevant gold chunk; None without such a text.

    Likeness is 1 − edit distance (Levenshtein) ÷ length of the longer text, as in ragas's
    `NonLLMContextPrecisionWithReference`. The threshold is .5 unless the judge says otherwise.
    """
    texts = [(chunk_id, text) for chunk_id, text in item.gold if text]
    if not texts:
        return None
    # the most promising first, so that most of the others need no look
    hopes = sorted(
        ((most_similarity(item.context, text), chunk_id, text) for chunk_id, text in texts), reverse=True
    )
    likeness, chunk_id = -1.0, ""
    for hope, other, text in hopes:
        if hope < likeness:
            break
        likeness, chunk_id = max((likeness, chunk_id), (similarity(item.context, text), other))
    useful = likeness >= float(defaults.get("threshold", 0.5))
    return float(useful), f"similarity {likeness:.2f} {inert(chunk_id)}"


@lru_cache(maxsize=1 << 12)
def similarity(first: str, second: str) -> float:
    """1 − edit distance ÷ length of the longer text, in [0, 1]; 1 for two empty texts."""
    longest = max(len(first), len(second))
    return 1.0 - edit_distance(first, second) / longest if longest else 1.0


def most_similarity(first: str, second: str) -> float:
    """What `similarity` cannot exceed: at most the characters that both texts have can stay."""
    longest = max(len(first), len(second))
    common = (_characters(first) & _characters(second)).total()
    # as `similarity` computes it, so that equal figures are equal to the last bit
    return 1.0 - (longest - common) / longest if longest else 1.0


@lru_cache(maxsize=1 << 10)
def _characters(text: str) -> Counter[str]:
    return Counter(text)


def edit_distance(first: str, second: str) -> int:
    """Fewest characters to insert, delete or replace to get from one text to the other (Levenshtein 1966).

    A column of the table of distances is kept as the bits of two whole numbers, which say where it rises and
    falls by one (Hyyrö 2003), so a character of the shorter text costs one step whatever the length of the
    other. The last column begins at the length of the shorter text, and rises and falls from there.
    """
    if len(first) < len(second):
        first, second = second, first
    places: dict[str, int] = {}
    for place, character in enumerate(first):
        places[character] = places.get(character, 0) | 1 << place
    everywhere = (1 << len(first)) - 1
    rises, falls = everywhere, 0
    for character in second:
        same = places.get(character, 0)
        diagonal = (((same & rises) + rises) ^ rises) | same | falls
        up = ((falls | ~(diagonal | rises)) << 1) | 1
        down = (diagonal & rises) << 1
        rises = (down | ~(diagonal | up)) & everywhere
        falls = up & diagonal & everywhere
    return len(second) + rises.bit_count() - falls.bit_count()


_RULES: Mapping[str, Rule] = {"id-overlap": id_overlap, "string-similarity": string_similarity}
