"""Labels: the pairs that come with each judge, and the gold of a set."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragtui.errors import RagtuiError
from ragtui.judging.folder import load_judges, read_judge
from ragtui.judging.interpret import verdicts_from
from ragtui.judging.items import lacking, text_hash
from ragtui.judging.labels import LABEL_COLUMNS, calibration_of, labels_of_gold, verdicts_of_labels
from ragtui.judging.model import VERDICT_COLUMNS, Item
from ragtui.judging.scores import judged_scores
from ragtui.judging.selection import Selected
from ragtui.judging.statements import statements_of
from tests.unit.judging.judges import TOGETHER_PROMPT, TOGETHER_SCHEMA, write_judge

JUDGES = load_judges()
PRECISION = JUDGES["context-precision"]


@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES.keys())
def test_bundled_pairs_are_many_balanced_and_in_both_languages(judge: Any) -> None:
    found = calibration_of(judge)
    labels = found.labels
    assert tuple(labels.columns) == LABEL_COLUMNS
    assert len(labels) >= 100
    shares = labels["label"].value_counts(normalize=True)
    assert set(shares.index) == set(judge.scale)
    assert shares.min() > 0.9 / len(judge.scale)
    assert Counter(labels["language"]).most_common()[0][1] == len(labels) / 2
    planted = labels[labels["kind"] == "planted-instruction"]
    assert len(planted) >= 20
    assert set(planted["language"]) == {"en", "zh"}
    assert set(planted["planted"]) <= {"up", "down"}
    # what an instruction asks for is never the right value, or following it would not show
    ordered = planted["planted"].map({"up": judge.scale[-1], "down": judge.scale[0]})
    assert (ordered != planted["label"]).all()


@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES.keys())
def test_every_bundled_pair_can_be_judged_and_named(judge: Any) -> None:
    found = calibration_of(judge)
    items = [item for selected in found.by_language.values() for query in selected for item in query.items]
    assert [lacking(judge, item) for item in items] == [""] * len(items)
    assert not found.labels[["query_id", "chunk_id", "claim"]].duplicated().any()
    assert set(found.labels["text_hash"]) == {text_hash(judge, item) for item in items}
    for language, selected in found.by_language.items():
        chinese = [any("\u4e00" <= c <= "\u9fff" for c in query.items[0].query) for query in selected]
        assert chinese == [language == "zh"] * len(selected)


@pytest.mark.parametrize("name", ["context-recall", "claim-coverage"])
def test_labelled_statements_are_those_of_the_reference(name: str) -> None:
    found = calibration_of(JUDGES[name])
    for selected in found.by_language.values():
        for query in selected:
            (item,) = query.items
            labelled = found.labels.loc[found.labels["query_id"] == query.query_id, "claim"]
            assert set(labelled) <= set(statements_of(item.reference))


def test_rules_are_measured_without_a_call() -> None:
    judge = JUDGES["string-similarity"]
    found = calibration_of(judge)
    right = Counter[tuple[str, bool]]()
    for selected in found.by_language.values():
        for query in selected:
            (verdict,) = verdicts_from(judge, query.items[0], None)
            label = found.labels.loc[found.labels["chunk_id"] == query.chunk_ids[0], "label"].item()
            right[query.chunk_ids[0][5:], verdict.value == label] += 1
    assert right["a-recut", True] == 28
    assert right["f", True] == 28
    # useful in other words: no rule over letters finds it
    assert right["b", False] > right["b", True]


def line(**change: Any) -> str:
    record = {
        "query_id": "q",
        "chunk_id": "c",
        "query": "?",
        "context": "x",
        "reference": "r",
        "label": 1,
        "language": "en",
        "kind": "plain",
    } | change
    return json.dumps({key: value for key, value in record.items() if value is not None})


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        (line() + "\n{", 2, "Expecting"),
        (line() + "\n[]", 2, "list"),
        (line() + "\n\n" + line(label=2), 3, "label 2"),
        (line(label=None), 1, "'label'"),
        (line(context=None), 1, "'context'"),
        (line(kind=None), 1, "'kind'"),
    ],
)
def test_faults_of_calibration_name_the_line(tmp_path: Path, text: str, place: int, says: str) -> None:
    folder = write_judge(tmp_path / "j")
    (folder / "calibration.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(RagtuiError) as raised:
        calibration_of(read_judge(folder))
    assert raised.value.where == f"{folder / 'calibration.jsonl'}:{place}"
    assert says in raised.value.what


def test_a_judge_without_pairs_says_so(tmp_path: Path) -> None:
    with pytest.raises(RagtuiError, match="no labelled pairs"):
        calibration_of(read_judge(write_judge(tmp_path / "j")))
    with pytest.raises(RagtuiError, match="no labelled pairs"):
        calibration_of(replace(PRECISION, folder=None))


def selected_of(*chunks: str) -> Selected:
    items = tuple(Item("q", "?", chunk, f"text of {chunk}", "r") for chunk in chunks)
    return Selected("q", "judged", chunks, items)


def test_gold_labels_contexts_and_knows_nothing_of_the_rest() -> None:
    gold = {"q": {"a": 3.0, "b": 1.0}}
    labels = labels_of_gold(PRECISION, [selected_of("a", "b", "c")], gold, level=2)
    np.testing.assert_array_equal(labels["label"], [1.0, 0.0, np.nan])
    assert labels["position"].tolist() == ["1", "2", "3"]
    complete = labels_of_gold(PRECISION, [selected_of("a", "b", "c")], gold, level=2, complete=True)
    assert complete["label"].tolist() == [1.0, 0.0, 0.0]
    grades = labels_of_gold(JUDGES["relevance-grade"], [selected_of("a", "b", "c")], gold, level=2)
    np.testing.assert_array_equal(grades["label"], [3.0, 1.0, np.nan])


def test_gold_labels_contexts_that_were_judged_together(tmp_path: Path) -> None:
    folder = write_judge(tmp_path / "j", prompts={"en": TOGETHER_PROMPT}, of_reply=TOGETHER_SCHEMA)
    item = Item("q", "?", contexts=(("a", "text"), ("b", "more text")))
    labels = labels_of_gold(
        read_judge(folder), [Selected("q", "judged", ("a", "b"), (item,))], {"q": {"b": 1.0}}, level=1
    )
    assert labels["chunk_id"].tolist() == ["a", "b"]
    np.testing.assert_array_equal(labels["label"], [np.nan, 1.0])
    assert (labels["tokens"] > 0).all()


def test_people_score_runs_as_a_judge_does() -> None:
    query = selected_of("a", "b", "c")
    labels = labels_of_gold(PRECISION, [query], {"q": {"a": 0.0, "b": 1.0, "c": 0.0}}, level=1)
    verdicts = verdicts_of_labels(PRECISION, labels, by="people")
    assert tuple(verdicts.columns) == VERDICT_COLUMNS
    scores = judged_scores(PRECISION, [query], verdicts, at="3")
    assert scores.per_query["context_precision@3"].tolist() == [0.5]
    partly = labels_of_gold(PRECISION, [query], {"q": {"b": 1.0}}, level=1)
    unknown = judged_scores(PRECISION, [query], verdicts_of_labels(PRECISION, partly, by="people"), at="3")
    assert unknown.per_query["context_precision@3"].isna().all()
