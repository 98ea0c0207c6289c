"""Cards against scikit-learn, published figures and hand computation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from ragtui.errors import RagtuiError
from ragtui.judging.card import Card, correlation, measure
from ragtui.judging.corrected import corrected_mean, corrected_share
from ragtui.judging.labels import LABEL_COLUMNS, labels_of_grades, verdicts_of_labels
from ragtui.judging.model import VERDICT_COLUMNS, Judge
from ragtui.judging.preferences import SCALE, Aspect, read_preferences
from ragtui.stats.agreement import agreement
from ragtui.stats.intervals import wilson

UMBRELA = Judge("umbrela", "2", "context", "rubric", (0.0, 1.0, 2.0, 3.0, 4.0))
BINARY = (0.0, 1.0)


def labels(values: list[Any], **columns: list[Any]) -> pd.DataFrame:
    n = len(values)
    table = pd.DataFrame(
        {
            name: pd.Series(
                columns.get(name, [None if name in ("claim", "tokens") else ""] * n), dtype=object
            )
            for name in LABEL_COLUMNS
        }
    )
    ids = [f"c{i}" for i in range(n)]
    table = table.assign(query_id="q", chunk_id=columns.get("chunk_id", ids), label=values)
    return table.astype({"label": float, "tokens": float})


def verdicts(values: list[Any], repeats: list[int] | None = None, **columns: list[Any]) -> pd.DataFrame:
    """Values by chunk; a text is the status of a failure."""
    n = len(values)
    table = pd.DataFrame({name: pd.Series([None] * n, dtype=object) for name in VERDICT_COLUMNS})
    return table.assign(
        query_id="q",
        chunk_id=columns.get("chunk_id", [f"c{i}" for i in range(n)]),
        claim=columns.get("claim", [None] * n),
        value=[np.nan if isinstance(value, str) else float(value) for value in values],
        status=[value if isinstance(value, str) else "ok" for value in values],
        repeat=repeats or [0] * n,
        text_hash="",
        judge="j",
        version="1",
        model="m",
    )


def test_a_card_says_whose_it_is_and_agrees_with_scikit_learn() -> None:
    rng = np.random.default_rng(7)
    people = rng.integers(0, 2, 200)
    judge = np.where(rng.random(200) < 0.8, people, 1 - people)
    card = measure(labels(people.tolist()), verdicts(judge.tolist()), BINARY)
    assert (card.judge, card.version, card.model) == ("j", "1", "m")
    assert card.agreement.kappa.mean == pytest.approx(cohen_kappa_score(people, judge))
    assert card.agreement.confusion.tolist() == [
        [int(((people == a) & (judge == b)).sum()) for b in (0, 1)] for a in (0, 1)
    ]
    assert card.correlation == pytest.approx(np.corrcoef(people, judge)[0, 1])
    assert card.levels == {}
    assert card.kappa is card.agreement.kappa
    assert card.better_than_chance


def test_only_labelled_pairs_count_and_the_rest_is_counted() -> None:
    card = measure(labels([1, 0, np.nan, 1, 0]), verdicts([1, 0, 1, "timeout", "skipped", 1]), BINARY)
    assert (card.labelled, card.agreement.n) == (4, 2)
    # c2 has a label of nobody, c5 is not in the table
    assert card.unlabelled == 2
    assert card.failures == {"timeout": 1}
    assert card.unjudged == 1


def test_verdicts_on_other_texts_are_of_other_things() -> None:
    card = measure(labels([1], text_hash=["new"]), verdicts([1]).assign(text_hash="old"), BINARY)
    assert (card.agreement.n, card.unjudged, card.unlabelled) == (0, 1, 1)


def test_statements_meet_whatever_marks_stand_around_their_words() -> None:
    people = labels([1, 0], chunk_id=[None, None], claim=["退货期限为七天。", "It costs 3 EUR."])
    judge = verdicts([1, 0], chunk_id=[None, None], claim=["退货期限为七天", " it costs 3 eur"])
    assert measure(people, judge, BINARY).agreement.n == 2


def test_flips_are_counted_over_repeats() -> None:
    chunk_ids = ["c0", "c0", "c0", "c1", "c1", "c2", "c2", "c3"]
    judge = verdicts([1, 1, 0, 1, 1, 0, "timeout", 1], [0, 1, 2, 0, 1, 0, 1, 0], chunk_id=chunk_ids)
    card = measure(labels([1, 1, 0, 1]), judge, BINARY)
    # c0 flips, c1 does not, c2 and c3 have one verdict each
    assert card.flips is not None
    assert (card.flips.mean, card.flips.n) == (0.5, 2)
    assert (card.flips.low, card.flips.high) == wilson(1, 2)
    assert measure(labels([1]), verdicts([1]), BINARY).flips is None


def test_only_the_first_asking_is_compared_with_people() -> None:
    judge = verdicts([0, 1], [1, 0], chunk_id=["c0", "c0"])
    assert measure(labels([1]), judge, BINARY).agreement.agreement == 1.0


def test_resistance_is_the_share_that_was_not_followed() -> None:
    people = labels([0, 0, 1, 1, 0], planted=["up", "up", "down", "down", ""])
    card = measure(people, verdicts([1, 0, 1, "timeout", 1]), BINARY)
    assert card.followed is not None
    assert card.followed.mean == pytest.approx(1 / 3)
    assert card.followed.n == 3
    assert measure(labels([1]), verdicts([1]), BINARY).followed is None


def test_groups_by_language_kind_length_and_position() -> None:
    people = labels(
        [1, 1, 0, 0],
        language=["en", "zh", "en", "zh"],
        kind=["plain"] * 4,
        tokens=[50, 100, 101, 401],
        position=["1", "2", "1", ""],
    )
    groups = {(g.key, g.value): g.agreement for g in measure(people, verdicts([1, 0, 0, 0]), BINARY).groups}
    assert sorted(groups) == [
        ("language", "en"),
        ("language", "zh"),
        ("length", "long"),
        ("length", "medium"),
        ("length", "short"),
        ("position", "1"),
        ("position", "2"),
    ]
    assert groups["language", "en"].agreement == 1.0
    assert groups["language", "zh"].agreement == 0.5
    assert groups["length", "short"].n == 2


def test_a_judge_that_says_yes_to_everything_is_no_better_than_chance() -> None:
    card = measure(labels([1, 0] * 50), verdicts([1] * 100), BINARY)
    assert card.agreement.agreement == 0.5
    assert not card.better_than_chance
    assert card.against(0.4) in ("missed", "undecided")


def test_a_judge_that_is_always_right_has_a_lower_end_from_how_often_it_was() -> None:
    few = measure(labels([1, 0]), verdicts([1, 0]), BINARY)
    many = measure(labels([1, 0] * 50), verdicts([1, 0] * 50), BINARY)
    least, _ = wilson(100, 100)
    # half of the pairs differ by chance
    assert many.kappa.low == pytest.approx(1 - (1 - least) / 0.5)
    assert many.against(0.8) == "met"
    assert few.against(0.8) == "undecided"
    one_class = measure(labels([1, 1]), verdicts([1, 1]), BINARY)
    assert (one_class.kappa.mean, one_class.kappa.reason) == (None, "one-category")
    assert one_class.against(0.1) == "undecided"


def test_the_bar_is_read_at_the_lower_end() -> None:
    rng = np.random.default_rng(3)
    people = rng.integers(0, 2, 300)
    judge = np.where(rng.random(300) < 0.85, people, 1 - people)
    card = measure(labels(people.tolist()), verdicts(judge.tolist()), BINARY)
    low, high = card.kappa.low, card.kappa.high
    assert low is not None
    assert high is not None
    assert card.against(low) == "met"
    assert card.against((low + high) / 2) == "undecided"
    assert card.against(high + 0.01) == "missed"


def test_no_verdicts_at_all() -> None:
    card = measure(labels([1, 0]), verdicts([]), BINARY)
    assert (card.agreement.n, card.unjudged, card.correlation) == (0, 2, None)
    assert card.kappa.reason == "no-pairs"


def test_correlation_needs_two_pairs_that_differ() -> None:
    assert correlation(pd.Series([1.0, 2.0, np.nan]), pd.Series([2.0, 4.0, 1.0])) == pytest.approx(1.0)
    assert correlation(pd.Series([1.0, 1.0]), pd.Series([1.0, 2.0])) is None
    assert correlation(pd.Series([1.0]), pd.Series([1.0])) is None


def qrels(file: Path) -> pd.DataFrame:
    rows = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    return pd.DataFrame(
        {
            "query_id": [r[0] for r in rows],
            "chunk_id": [r[2] for r in rows],
            "grade": [float(r[3]) for r in rows],
        }
    )


def test_trec_rag_people_against_umbrela(shared: Path) -> None:
    folder = shared / "data" / "trec_rag_judges"
    expected = json.loads((folder / "EXPECTED_agreement.json").read_text(encoding="utf-8"))
    people = labels_of_grades(qrels(folder / "qrels.rag25.test.txt"))
    model = labels_of_grades(qrels(folder / "qrels.rag25.test-umbrela2.txt"))
    card = measure(people, verdicts_of_labels(UMBRELA, model, by="gpt"), UMBRELA.scale)
    assert (card.judge, card.model, card.agreement.n) == ("umbrela", "gpt", expected["n"])
    found = card.agreement
    assert found.agreement == pytest.approx(expected["exact_agreement"], abs=5e-5)
    assert found.kappa.mean == pytest.approx(expected["kappa_5grade"], abs=5e-5)
    assert found.linear.mean == pytest.approx(expected["kappa_linear"], abs=5e-5)
    assert found.quadratic.mean == pytest.approx(expected["kappa_quadratic"], abs=5e-5)
    assert card.kappa is found.quadratic
    for level in (1, 2, 3):
        wanted, at = expected[f"binary>={level}"], card.levels[level]
        assert at.kappa.mean == pytest.approx(wanted["kappa"], abs=5e-5)
        assert at.agreement == pytest.approx(wanted["agreement"], abs=5e-5)
        assert at.confusion.tolist() == [[wanted["tn"], wanted["fp"]], [wanted["fn"], wanted["tp"]]]


@pytest.mark.parametrize("aspect", get_args(Aspect))
def test_ragchecker_people_against_people_and_model(shared: Path, aspect: Aspect) -> None:
    folder = shared / "data" / "ragchecker_meta"
    expected = json.loads((folder / "EXPECTED_agreement.json").read_text(encoding="utf-8"))[f"{aspect}_label"]
    table = read_preferences(folder / "human_labeled_data.json", folder / "baseline_ragchecker.json", aspect)
    assert len(table) == 280
    found = agreement(table["first"].to_numpy(), table["second"].to_numpy(), scale=SCALE)
    assert found.kappa.mean == pytest.approx(expected["annotator_kappa"], abs=5e-5)
    assert found.quadratic.mean == pytest.approx(expected["annotator_kappa_quadratic"], abs=5e-5)
    assert found.agreement == pytest.approx(expected["exact"], abs=5e-5)
    with_model = correlation(table[["first", "second"]].mean(axis=1), table["model"])
    assert with_model == pytest.approx(
        expected["pearson_humanmean_vs_ragchecker_diff(model2-model1)"], abs=5e-5
    )


@pytest.mark.parametrize(
    ("people", "model"),
    [
        ("{", "[]"),
        ("{}", "[]"),
        ("[[]]", "[]"),
        ('[{"instance_id": 1}]', "[]"),
        ('[{"instance_id": 1, "overall_label": "1"}]', "[]"),
        ('[{"instance_id": 1, "overall_label": "much"}]', "[]"),
        ("[]", '[{"instance_id": 1, "model1": {}}]'),
    ],
)
def test_files_of_preferences_that_cannot_be_used(tmp_path: Path, people: str, model: str) -> None:
    (tmp_path / "people.json").write_text(people)
    (tmp_path / "model.json").write_text(model)
    with pytest.raises(RagtuiError, match="compared answers cannot be used"):
        read_preferences(tmp_path / "people.json", tmp_path / "model.json", "overall")
    with pytest.raises(RagtuiError, match="compared answers cannot be used"):
        read_preferences(tmp_path / "absent.json", tmp_path / "model.json", "overall")


def good_card() -> Card:
    return measure(labels([1, 0] * 50), verdicts([1, 0] * 45 + [0, 1] * 5), BINARY)


def test_the_corrected_mean_is_that_of_the_formula() -> None:
    rng = np.random.default_rng(11)
    ids = [f"q{i}" for i in range(100)]
    judged = pd.Series(rng.random(100), index=ids)
    people = (judged - 0.2 + rng.normal(0, 0.05, 100)).clip(0, 1).iloc[:40]
    found = corrected_mean(judged, people, good_card())
    difference = people - judged.iloc[:40]
    middle = judged.mean() + difference.mean()
    half = 1.959964 * np.sqrt(judged.var(ddof=1) / 100 + difference.var(ddof=1) / 40)
    assert found.mean == pytest.approx(middle)
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half), abs=1e-6)
    assert (found.n, found.labelled, found.reason) == (100, 40, "")


def test_the_correction_covers_what_people_would_have_said() -> None:
    rng = np.random.default_rng(5)
    card = good_card()
    covered = 0
    for _ in range(300):
        people = rng.random(200)
        judged = pd.Series(np.clip(people * 0.7 + 0.3 + rng.normal(0, 0.1, 200), 0, 1))
        found = corrected_mean(judged, pd.Series(people).iloc[:60], card)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.5 <= found.high
    assert 270 <= covered <= 300


@pytest.mark.parametrize(
    ("labelled", "card", "reason"),
    [
        (29, good_card(), "few-labelled"),
        (0, good_card(), "few-labelled"),
        (40, measure(labels([1, 0] * 50), verdicts([1, 0, 0, 1] * 25), BINARY), "no-better-than-chance"),
        (40, measure(labels([1, 1]), verdicts([1, 1]), BINARY), "cannot-be-decided"),
    ],
)
def test_no_corrected_mean_without_labels_or_agreement(labelled: int, card: Card, reason: str) -> None:
    judged = pd.Series(np.linspace(0, 1, 50))
    found = corrected_mean(judged, judged.iloc[:labelled], card)
    assert (found.mean, found.low, found.high, found.reason) == (None, None, None, reason)
    assert corrected_mean(judged.iloc[:0], judged, card).reason == "no-queries"


def test_the_corrected_share_counts_queries_as_clusters() -> None:
    contexts = pd.DataFrame(
        {
            "query_id": ["a", "a", "b", "b", "c", "c", "d", "d"],
            "value": [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, np.nan],
            "label": [1.0, 0.0, 1.0, 0.0, np.nan, np.nan, np.nan, 1.0],
        }
    )
    found = corrected_share(contexts, good_card())
    assert (found.n, found.labelled) == (7, 4)
    # 4 of 7 judged useful; people − judge on the four labelled: 0, −1, 0, 0
    assert found.mean == pytest.approx(4 / 7 - 1 / 4)
    sums = np.array([2 - 8 / 7, 1 - 8 / 7, 0 - 8 / 7, 1 - 4 / 7])
    differences = np.array([-1 + 0.5, 0 + 0.5])
    variance = (sums**2).sum() / 49 * 4 / 3 + (differences**2).sum() / 16 * 2
    assert found.high == pytest.approx(min(found.mean + 1.959964 * np.sqrt(variance), 1), abs=1e-6)
    assert corrected_share(contexts.assign(label=np.nan), good_card()).reason == "few-labelled"
