"""Rules: ids, and the likeness of texts against the textbook's table of distances."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.errors import RagtuiError
from ragtui.judging.folder import load_judges, read_judge
from ragtui.judging.interpret import reason_text, verdicts_from
from ragtui.judging.model import Item
from ragtui.judging.rules import edit_distance, most_similarity, similarity, string_similarity
from tests.unit.judging.judges import LIBRARY, write_judge

JUDGES = load_judges()


def distance_by_table(first: str, second: str) -> int:
    """Wagner and Fischer (1974), one row at a time."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(second, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


@given(st.text("ab中文", max_size=40), st.text("ab中文", max_size=40))
def test_edit_distance_is_that_of_the_table(first: str, second: str) -> None:
    assert edit_distance(first, second) == distance_by_table(first, second)


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [("kitten", "sitting", 3), ("flaw", "lawn", 2), ("", "abc", 3), ("abc", "", 3), ("", "", 0)],
)
def test_known_distances(first: str, second: str, distance: int) -> None:
    assert edit_distance(first, second) == distance


def test_similarity_is_between_0_and_1() -> None:
    assert similarity("kitten", "sitting") == pytest.approx(1 - 3 / 7)
    assert similarity("", "") == 1.0
    assert similarity("abc", "") == 0.0


@pytest.mark.parametrize(("chunk", "value"), [("c1", 1.0), ("c2", 0.0)])
def test_id_overlap_asks_the_gold(chunk: str, value: float) -> None:
    (verdict,) = verdicts_from(JUDGES["id-overlap"], replace(LIBRARY, chunk_id=chunk), None)
    assert (verdict.value, verdict.status, verdict.model) == (value, "ok", "")


@pytest.mark.parametrize(
    ("context", "value"),
    [
        ("The library opened in 1998.", 1.0),
        ("the library opened in 1999", 1.0),
        ("Opening hours are nine to five.", 0.0),
        # half of the longer text has to be alike, and exactly half is enough
        ("ab", 1.0),
    ],
)
def test_string_similarity_takes_the_likest_gold(context: str, value: float) -> None:
    gold = (("far", "zzzzzzzz"), ("c1", "The library opened in 1998."), ("half", "abcd"))
    (verdict,) = verdicts_from(
        JUDGES["string-similarity"], replace(LIBRARY, context=context, gold=gold), None
    )
    assert verdict.value == value


TEXTS = st.text("ab中文", max_size=12)


@given(TEXTS, st.lists(st.tuples(st.sampled_from(["c1", "c2", "c3", "c4"]), TEXTS), max_size=6))
def test_string_similarity_is_its_plain_definition(context: str, gold: list[tuple[str, str]]) -> None:
    item = replace(LIBRARY, context=context, gold=tuple(gold))
    likest = max(
        (
            (1.0 - distance_by_table(context, text) / max(len(context), len(text)), name)
            for name, text in gold
            if text
        ),
        default=None,
    )
    wanted = None if likest is None else (float(likest[0] >= 0.5), f"similarity {likest[0]:.2f} {likest[1]}")
    assert string_similarity(item, {}) == wanted


@given(st.text("ab中文", max_size=40), st.text("ab中文", max_size=40))
def test_the_bound_of_similarity_holds(first: str, second: str) -> None:
    assert similarity(first, second) <= most_similarity(first, second) <= 1.0


def test_the_reason_names_likeness_and_chunk() -> None:
    (verdict,) = verdicts_from(JUDGES["string-similarity"], replace(LIBRARY, context="abc"), None)
    assert reason_text(verdict.status, verdict.reason, "en").startswith("similarity 0.")
    assert reason_text(verdict.status, verdict.reason, "en").endswith(" to c1")


@pytest.mark.parametrize("name", ["id-overlap", "string-similarity"])
def test_without_gold_a_rule_is_skipped(name: str) -> None:
    (verdict,) = verdicts_from(JUDGES[name], replace(LIBRARY, gold=()), None)
    assert (verdict.value, verdict.status, verdict.reason) == (None, "skipped", "no-gold")


def test_the_threshold_is_the_judges(tmp_path: Path) -> None:
    folder = write_judge(
        tmp_path / "strict",
        engine='"rule"',
        languages="",
        toml='[defaults]\nrule = "string-similarity"\nthreshold = 0.99\n',
    )
    (verdict,) = verdicts_from(
        read_judge(folder), replace(LIBRARY, context="the library opened in 1998"), None
    )
    assert verdict.value == 0.0


def test_an_unknown_rule_is_said(tmp_path: Path) -> None:
    folder = write_judge(tmp_path / "odd", engine='"rule"', languages="", toml='[defaults]\nrule = "dice"\n')
    with pytest.raises(RagtuiError, match="there is no rule dice"):
        verdicts_from(read_judge(folder), LIBRARY, None)


def test_long_texts_are_compared_soon() -> None:
    item = Item("q", "?", "c", "中" * 20_000, gold=(("g", "文" * 20_000),))
    (verdict,) = verdicts_from(JUDGES["string-similarity"], item, None)
    assert verdict.value == 0.0
