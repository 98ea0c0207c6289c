"""What judges say as columns of the query table: filters, presets, completion, sorting, export."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from ragtui import messages
from ragtui.analysis.completion import complete
from ragtui.analysis.export import export
from ragtui.analysis.facts import Facts
from ragtui.analysis.fields import NoField, field_names, field_of
from ragtui.analysis.judged import CTX_P, CTX_R, Judged, JudgedQuery, JudgeName
from ragtui.analysis.order import by_column
from ragtui.analysis.presets import Preset, presets
from ragtui.analysis.query_table import QueryTable
from ragtui.analysis.where import Where, is_outcome, parse
from ragtui.analysis.where_parser import WhereError
from ragtui.stats.estimate import Estimate
from tests.unit.analysis.conftest import made_set, table_of

NAN = float("nan")
PRECISION = [0.5, 0.25, NAN, 1.0, NAN, NAN, NAN, 0.0]
FAILED = [False, False, True, False, False, False, False, False]
DIFFERS = [False, True, False, True, False, False, False, False]


def judged_table(scores: Sequence[str] = (CTX_P,)) -> QueryTable:
    """Eight queries, of which half have a score and the third has a verdict that failed."""
    table = table_of(made_set())
    assert len(table) == len(PRECISION)
    return table.with_verdicts(
        Judged(
            judges={name: JudgeName("context-precision", "1", "lab/small") for name in scores},
            scores={name: np.array(PRECISION) for name in scores},
            failed={name: np.array(FAILED) for name in scores},
            differs=np.array(DIFFERS),
            about=lambda _: JudgedQuery(),
        )
    )


@pytest.fixture
def judged() -> Facts:
    return Facts(judged_table(), {})


def rows(text: str, facts: Facts) -> list[int]:
    where = parse(text, facts)
    assert isinstance(where, Where), where
    return np.flatnonzero(where.mask()).tolist()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("ctxP<.5", [1, 7]),
        ("ctxp>=50%", [0, 3]),
        ("context_precision:.25..1", [0, 1, 3]),
        ("ctxP@3:0", [7]),
        ("ctxP:none", [2, 4, 5, 6]),
        ("judge:failed", [2]),
        ("judge:differs", [1, 3]),
        ("judge:failed,differs", [1, 2, 3]),
        ("-judge:differs ctxP<1", [0, 7]),
        ("评审：有分歧", [1, 3]),
        ("judge:失败", [2]),
    ],
)
def test_filters(text: str, wanted: list[int], judged: Facts) -> None:
    assert rows(text, judged) == wanted


@pytest.mark.parametrize("text", ["ctxP<.5", "judge:failed", "-judge:differs"])
def test_what_judges_say_is_an_outcome(text: str, judged: Facts) -> None:
    where = parse(text, judged)
    assert isinstance(where, Where)
    assert is_outcome(where)


@pytest.mark.parametrize(
    ("text", "key", "wrong"),
    [
        ("judge:wrong", "unknown-judge-value", "wrong"),
        ("judge<1", "no-comparison", "judge<1"),
        ("ctxP:often", "no-number", "often"),
        # of recall nobody has judged anything, and K is 3
        ("ctxR<.5", "no-judge", "ctxR"),
        ("ctxP@5<.5", "no-judge", "ctxP@5"),
    ],
)
def test_errors_say_where(text: str, key: str, wrong: str, judged: Facts) -> None:
    error = parse(text, judged)
    assert isinstance(error, WhereError)
    assert error.key.endswith(key)
    assert text[error.position : error.position + error.length] == wrong
    assert error.message
    assert error.mend


def test_without_verdicts_there_is_no_such_field(table: QueryTable) -> None:
    facts = Facts(table, {})
    assert not {"judge", CTX_P, CTX_R} & set(field_names(facts))
    with pytest.raises(NoField) as missing:
        field_of("judge", facts)
    assert missing.value.key == "no-judge"
    assert [preset.name for preset in presets(facts)][-1] == "marked"


def test_presets_count_them(judged: Facts) -> None:
    assert presets(judged)[-2:] == (
        Preset("judge-differs", "judge:differs", 2),
        Preset("judge-failed", "judge:failed", 1),
    )


def test_completion_counts_them(judged: Facts) -> None:
    found = [(one.insert, one.label, one.count) for one in complete("judge:", 6, judged)]
    assert found == [("failed", "failed", 1), ("differs", "differs", 2)]
    assert [one.insert for one in complete("ctxp", 4, judged)] == ["context_precision:"]
    messages.use("zh")
    try:
        assert [one.insert for one in complete("评审:有", 4, judged)] == ["differs"]
    finally:
        messages.use(None)


def test_sorting_leaves_what_has_no_score_to_the_end() -> None:
    table = judged_table()
    assert by_column(table, CTX_P).tolist() == [7, 1, 0, 3, 2, 4, 5, 6]
    assert by_column(table, CTX_P, reverse=True).tolist() == [3, 0, 1, 7, 2, 4, 5, 6]


def test_another_cut_off_knows_no_verdicts_of_this_one() -> None:
    other = judged_table().at(5)
    assert other.judged is None
    assert CTX_P not in other.frame.columns


def test_a_metadata_key_of_the_same_name_stays() -> None:
    queries = {f"q{n}": {"text": "", CTX_P: f"mine {n}"} for n in range(2)}
    table = table_of(made_set(queries, [("q0", "a", 1.0, None, None)], {"first": {"q0": [("a", 1.0)]}}))
    assert table.frame[f"metadata.{CTX_P}"].tolist() == ["mine 0", "mine 1"]


def test_exports_hold_the_scores() -> None:
    table = judged_table((CTX_P, CTX_R))
    first, third = map(json.loads, export(table, np.array([0, 2]), "jsonl").splitlines())
    assert (first[CTX_P], first[CTX_R]) == (0.5, 0.5)
    assert third[CTX_P] is None


def test_a_judge_is_named_in_full() -> None:
    name = JudgeName("context-precision", "2", "lab/small")
    assert name.text == "context-precision 2 lab/small"
    assert replace(name, model="").text == "context-precision 2"


@pytest.mark.parametrize(
    ("kappa", "standing", "is_believed"),
    [
        (None, "unmeasured", False),
        (Estimate(0.034, -0.1, 0.2, 148), "kappa .03 [-.10, .20] n=148", False),
        (Estimate(0.6, 0.39, 0.8, 148), "kappa .60 [.39, .80] n=148", False),
        (Estimate(0.6, 0.4, 1.0, 148), "kappa .60 [.40, 1.00] n=148", True),
        (Estimate(-0.001, None, None, 5, reason="all-equal"), "kappa .00 n=5", False),
        (Estimate(None, None, None, 0, reason="no-pairs"), "kappa -: nothing was rated by both", False),
    ],
)
def test_a_model_is_believed_from_what_its_card_says(
    kappa: Estimate | None, standing: str, is_believed: bool
) -> None:
    name = JudgeName("context-precision", "2", "lab/small", kappa)
    assert (name.standing, name.is_believed) == (standing, is_believed)
    rule = replace(name, model="")
    assert (rule.standing, rule.is_believed) == ("", True)
