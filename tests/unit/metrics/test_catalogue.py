"""The catalogue says of every metric what it is, in both languages."""

from __future__ import annotations

import pytest

from ragtui import messages
from ragtui.errors import RagtuiError
from ragtui.metrics.catalogue import METRICS, metric_name, metric_of
from ragtui.metrics.names import MetricName, parse_name


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_every_metric_has_its_words(
    name: str, language: messages.Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGTUI_LANGUAGE", language)
    metric = METRICS[name]
    assert metric.title
    assert len(metric.title) <= 8
    for text in (metric.formula, metric.misleads):
        assert text.endswith((".", "。"))
        assert any("\u4e00" <= character <= "\u9fff" for character in text) == (language == "zh")
    assert metric.source


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ndcg@10", MetricName("ndcg", 10)),
        ("nDCG@10", MetricName("ndcg", 10)),
        (" hit-strict@5 ", MetricName("hit_strict", 5)),
        ("mrr", MetricName("mrr")),
    ],
)
def test_names_are_read_kindly_and_written_one_way(text: str, name: MetricName) -> None:
    assert metric_name(text) == name
    assert parse_name(str(name)) == name


@pytest.mark.parametrize(
    "text", ["", "@5", "ndcg@", "ndcg@0", "ndcg@-1", "ndcg@1.5", "ndcg@5@6", "ndcg 5", "ndcg@05"]
)
def test_other_text_is_no_name(text: str) -> None:
    assert parse_name(text) is None


def test_columns_that_are_no_metrics_are_told_apart() -> None:
    assert metric_of("complete@5") is METRICS["complete"]
    assert [metric_of(column) for column in ("first_rank", "got@5", "groups", "returned")] == [None] * 4


def test_metrics_of_0_and_1_are_marked() -> None:
    at_1 = {name for name, metric in METRICS.items() if metric.is_binary_at(1)}
    at_5 = {name for name, metric in METRICS.items() if metric.is_binary_at(5)}
    assert at_5 == {"hit", "hit_strict", "hit_lenient", "complete"}
    assert at_1 == at_5 | {"precision", "mrr", "judged", "stale"}


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("P@10", "precision"),
        ("AP", "map"),
        ("RR", "mrr"),
        ("success@5", "hit"),
        ("recip_rank", "mrr"),
        ("P_10", "precision"),
        ("ndcg_cut_10", "ndcg"),
    ],
)
def test_the_names_of_peers_are_known(theirs: str, ours: str) -> None:
    with pytest.raises(RagtuiError) as raised:
        metric_name(theirs)
    assert f"nearest ones: {ours}." in raised.value.mend
