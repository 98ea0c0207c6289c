"""In no run at any rank."""

from __future__ import annotations

import pytest

from ragtui.analysis.causes.in_no_run import in_no_run
from tests.unit.analysis.causes.making import case


@pytest.mark.parametrize(
    ("runs", "cause"),
    [
        (["bm25", "e5-small"], "query-wording"),
        (["bm25", "tfidf"], "lexical-mismatch"),
        (["e5-small", "minilm"], "embedding-mismatch"),
        (["mine"], "query-wording"),
    ],
    ids=["both-kinds", "lexical", "dense", "unknown"],
)
def test_no_run_has_it(runs: list[str], cause: str) -> None:
    found = in_no_run(case(["meal#1"], {run: ["taxi#1"] for run in runs}))
    assert found is not None
    assert (found.cause, found.rule) == (cause, "in-no-run")
    assert ("nor in another run" in found.evidence("en")) == (len(runs) > 1)


def test_shared_words_make_it_the_more_curious() -> None:
    found = in_no_run(case(["rail#1"], {"mine": ["taxi#1"]}))
    assert found is not None
    assert found.rule == "in-no-run-sharing"
    assert "“paid”" in found.evidence("en")


def test_not_where_some_run_has_it_or_the_list_ends_at_k() -> None:
    assert in_no_run(case(["meal#1"], {"one": ["taxi#1"], "two": ["meal#1"]})) is None
    assert in_no_run(case(["meal#1"], {"one": ["taxi#1"]}, depth=3)) is None
    # without a card a list as long as K may have been cut there
    assert in_no_run(case(["meal#1"], {"one": ["taxi#1", "rail#1", "rail#3"]}, depth=None)) is None
