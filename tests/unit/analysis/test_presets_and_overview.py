from __future__ import annotations

import pytest

from ragtui import messages
from ragtui.analysis.facts import Facts
from ragtui.analysis.overview import composition, remarks, sentence
from ragtui.analysis.presets import Preset, presets
from ragtui.analysis.query_table import QueryTable
from tests.unit.analysis.conftest import made_set, table_of


def test_presets_have_their_counts(facts: Facts) -> None:
    assert presets(facts) == (
        Preset("to-review", "is:to-review", 4),
        Preset("misses", "is:miss", 3),
        Preset("just-below-k", "rank:4..6", 1),
        Preset("partial", "is:partial", 1),
        Preset("marked", "is:marked", 2),
    )


def test_composition_adds_up(table: QueryTable) -> None:
    assert composition(table) == {"scored": 5, "no-answer": 1, "no-gold": 1, "unjudged": 1}
    assert sentence(table) == "8 queries = 5 scored + 1 no-answer + 1 without relevant gold + 1 unjudged"


def test_composition_agrees_with_the_counts_of_the_metrics(table: QueryTable) -> None:
    counts = table.result.counts
    assert composition(table) == {
        "scored": counts.scored,
        "no-answer": counts.no_answer,
        "no-gold": counts.no_relevant_gold,
        "unjudged": counts.unjudged,
    }


def test_sentence_in_chinese(table: QueryTable) -> None:
    messages.use("zh")
    try:
        assert sentence(table).startswith("8 个查询 = 5 计分")
    finally:
        messages.use(None)


def kinds(table: QueryTable) -> list[str]:
    return [remark.kind for remark in remarks(table)]


def test_lists_without_anything_relevant_look_like_another_corpus() -> None:
    queries = {f"q{i}": {"text": ""} for i in range(10)}
    gold = [(query, "a", 1.0, None, None) for query in queries]
    strange = {query: [("x", 1.0), ("y", 0.5), ("z", 0.1)] for query in queries}
    assert {"nothing-found", "mostly-unjudged"} <= set(
        kinds(table_of(made_set(queries, gold, {"first": strange})))
    )
    right = {query: [("a", 1.0)] for query in queries}
    assert "nothing-found" not in kinds(table_of(made_set(queries, gold, {"first": right})))


def test_judged_lists_are_not_remarked_upon() -> None:
    queries = {"q1": {"text": ""}}
    gold = [("q1", chunk, 1.0, None, None) for chunk in "abc"]
    table = table_of(made_set(queries, gold, {"first": {"q1": [(chunk, 1.0) for chunk in "abc"]}}))
    assert "mostly-unjudged" not in kinds(table)


def test_lists_without_results_have_no_share_of_labels() -> None:
    table = table_of(made_set({"q1": {"text": ""}}, [("q1", "a", 1.0, None, None)], {"first": {"q1": []}}))
    assert "mostly-unjudged" not in kinds(table)


def test_warnings_come_first(table: QueryTable) -> None:
    severities = [remark.severity for remark in remarks(table)]
    assert severities == sorted(severities, key=["warning", "note"].index)
    assert "warning" in severities
    assert all(remark.text for remark in remarks(table))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_remarks_are_written_in_both_languages(language: messages.Language) -> None:
    text = messages.t("analysis.remark.mostly-unjudged", language, k=5, percent=60)
    assert "60 %" in text
