"""Which rule is believed first, and what all of them have in common."""

from __future__ import annotations

import string

import pytest

from ragtui.analysis.causes import rules
from ragtui.analysis.causes.catalogue import CAUSES, UnknownCause, cause_named, causes_with
from ragtui.analysis.causes.rules import RULES, suggestions
from ragtui.messages import catalogue
from tests.unit.analysis.causes.making import case


def test_each_cause_is_suggested_once_and_the_best_evidence_first() -> None:
    # hotel-2021#1 is older and above, hotel-2024#2 is the neighbour, and rank 4 is just below K
    hits = ["hotel-2021#1", "hotel-2024#2", "taxi#1", "hotel-2024#1"]
    found = suggestions(case(["hotel-2024#1"], {"dense": hits}))
    assert [one.cause for one in found] == ["stale-version", "chunk-boundary", "ranking"]


def test_nothing_is_suggested_where_there_is_nothing_to_explain_by() -> None:
    assert suggestions(case(["meal#1"], {"dense": ["meal#1"]})) == ()
    assert suggestions(case({"meal#1": 0.0}, {"dense": ["taxi#1"]})) == ()


def test_every_rule_has_evidence_and_remedy_in_both_languages() -> None:
    keys = {key.removeprefix("causes.rule.") for key in catalogue("en", "causes") if ".rule." in key}
    names = {key.rsplit(".", 1)[0] for key in keys}
    for name in names:
        assert {f"{name}.evidence", f"{name}.remedy"} <= keys
    assert len(RULES) == len({rule.__name__ for rule in RULES}) == 13
    assert all(hasattr(rules, rule.__name__) for rule in RULES)


def test_every_cause_has_a_letter_of_its_own_a_title_and_a_meaning() -> None:
    assert len(CAUSES) == 15
    assert len({cause.letter for cause in CAUSES} - {""}) == 15
    for language in ("en", "zh"):
        titles = {cause.title(language) for cause in CAUSES}
        assert len(titles) == 15
    assert all(cause.meaning for cause in CAUSES)


def test_a_set_adds_causes_and_renames_ours() -> None:
    causes = causes_with({"ocr": "Scan unreadable", "noise": "clutter", "other": ""})
    assert [cause.name for cause in causes[15:]] == ["ocr", "other"]
    # of `ocr` every letter is taken, so it gets the first that is left; of `other` the h is free
    assert [cause.letter for cause in causes[15:]] == ["a", "h"]
    assert cause_named("clutter", causes).name == "noise"
    assert cause_named("OTHER", causes).title() == "other"
    many = causes_with({f"own-{n}": "" for n in range(30)})
    letters = [cause.letter for cause in many if cause.letter]
    assert sorted(letters) == list(string.ascii_lowercase)


@pytest.mark.parametrize("said", ["stale-version", "旧版干扰", "Stale Version", " stale version "])
def test_a_cause_is_known_by_name_and_by_its_title_in_either_language(said: str) -> None:
    assert cause_named(said, CAUSES).name == "stale-version"


def test_an_unknown_cause_names_the_nearest() -> None:
    with pytest.raises(UnknownCause) as unknown:
        cause_named("rankin", CAUSES)
    assert unknown.value.nearest == "ranking"
