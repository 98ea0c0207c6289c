"""Agreement of several raters, checked against scikit-learn and the public data's own figures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score

from ragtui.review.raters import agreed

NAN = np.nan


def test_figures_of_two_raters_are_those_of_trec_rag(shared: Path) -> None:
    folder = shared / "data" / "trec_rag_judges"
    table = pd.read_csv(folder / "paired_human_vs_umbrela2.tsv", sep="\t")
    expected = json.loads((folder / "EXPECTED_agreement.json").read_text())
    found = agreed(table[["human", "umbrela2"]].astype(float))
    (pair,) = found.pairs
    assert pair.agreement.n == expected["n"]
    kappas = (pair.agreement.kappa, pair.agreement.linear, pair.agreement.quadratic)
    names = ("kappa_5grade", "kappa_linear", "kappa_quadratic")
    assert [round(one.mean or 0, 4) for one in kappas] == [expected[name] for name in names]
    assert found.all_agree.mean == pytest.approx(expected["exact_agreement"], abs=5e-5)
    assert (pair.weighting, pair.is_below) == ("quadratic", True)
    assert found.disagreements[0].difference == 4


def test_three_raters_are_three_pairs_and_agree_on_what_all_rated() -> None:
    ratings = pd.DataFrame(
        {"a": [0, 1, 2, 2, NAN, 1], "b": [0, 1, 1, 2, 2, NAN], "c": [0, 2, 1, NAN, 2, NAN]}, dtype=float
    )
    found = agreed(ratings)
    assert [(pair.a, pair.b, pair.agreement.n, pair.agreement.left_out) for pair in found.pairs] == [
        ("a", "b", 4, 2),
        ("a", "c", 3, 3),
        ("b", "c", 4, 2),
    ]
    expected = cohen_kappa_score([0, 1, 2, 2], [0, 1, 1, 2], weights="quadratic")
    assert found.pairs[0].agreement.quadratic.mean == pytest.approx(expected)
    # all three rated rows 0, 1 and 2, and agree on row 0
    assert found.all_agree.n == 3
    assert found.all_agree.mean == pytest.approx(1 / 3)
    assert [one.place for one in found.disagreements] == [1, 2]
    assert found.disagreements[0].ratings == {"a": 1, "b": 1, "c": 2}


def test_types_are_told_apart_where_there_are_several() -> None:
    ratings = pd.DataFrame({"a": [0.0, 1, 0, 1], "b": [0.0, 1, 1, 0]})
    (pair,) = agreed(ratings, types=["direct", "direct", "vague", "vague"]).pairs
    assert {name: one.agreement for name, one in pair.by_type.items()} == {"direct": 1.0, "vague": 0.0}
    assert pair.by_type["vague"].kappa.mean == -1.0
    assert agreed(ratings, types=["direct"] * 4).pairs[0].by_type == {}
    assert agreed(ratings).pairs[0].by_type == {}


def test_undefined_says_so() -> None:
    found = agreed(pd.DataFrame({"a": [1.0, 1.0], "b": [1.0, 1.0]}))
    assert (found.pairs[0].is_below, found.pairs[0].kappa.reason) == (None, "one-category")
    nothing = agreed(pd.DataFrame({"a": [1.0, NAN], "b": [NAN, 1.0]}))
    assert (nothing.pairs[0].agreement.n, nothing.all_agree.reason) == (0, "no-pairs")
    assert agreed(pd.DataFrame({"a": [1.0]})).pairs == ()
    assert agreed(pd.DataFrame({"a": [], "b": []}, dtype=float)).disagreements == ()


def test_two_categories_are_held_to_plain_kappa() -> None:
    (pair,) = agreed(pd.DataFrame({"a": [0.0, 1, 1], "b": [0.0, 1, 0]})).pairs
    assert pair.weighting == "plain"
