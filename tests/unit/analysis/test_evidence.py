"""What is said of one query: a hand-made set, so that every fact can be read off the tables below."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ragtui.analysis.chunk_facts import chunk_facts
from ragtui.analysis.evidence import Place, QueryEvidence, query_evidence
from ragtui.dataset.model import (
    CHUNK_COLUMNS,
    GOLD_COLUMNS,
    QUERY_COLUMNS,
    EvaluationSet,
    Hashes,
    RankedLists,
    Run,
    RunCard,
    SetSettings,
)

CHUNKS: dict[str, dict[str, str]] = {
    "hotel-2024#1": {"title": "Hotels", "text": "Tier 1 cities: 500 a night.", "valid_from": "2024-01-01"},
    "hotel-2024#2": {"title": "Hotels", "text": "Tier 2 cities: 400 a night.", "valid_from": "2024-01-01"},
    "hotel-2021#1": {"title": "Hotels", "text": "Tier 1 cities: 450 a night.", "valid_from": "2021-07-01"},
    "hotel-2021#2": {"title": "Hotels", "text": "Tier 2 cities: 350 a night.", "valid_from": "2021-07-01"},
    "rail#1": {"title": "Trains", "text": "Second class is paid for."},
    "rail#2": {"title": "Trains", "text": "First class needs approval."},
    "a": {"title": "", "text": "first of a document", "doc_id": "plain"},
    "b": {"title": "", "text": "second of a document", "doc_id": "plain"},
    "c": {"title": "", "text": "of another one", "doc_id": "other"},
}
RUN = {"q": [("hotel-2021#1", 0.91), ("rail#2", 0.88), ("c", 0.80), ("hotel-2024#1", 0.796), ("b", 0.5)]}

Gold = Sequence[tuple[str, float] | tuple[str, float, str | None] | tuple[str, float, str | None, str | None]]


def made(
    gold: Gold,
    runs: Mapping[str, Mapping[str, list[tuple[str, float]]]] | None = None,
    query: Mapping[str, Any] | None = None,
    **run: Any,
) -> EvaluationSet:
    """A set with the query `q`, gold as (chunk, grade, group, role), and runs by name."""
    asked = {"text": "What is the hotel cap in tier 1 cities?", "core": False, **(query or {})}
    judged = [(*row, None, None)[:4] for row in gold]
    return EvaluationSet(
        path=Path("made"),
        settings=SetSettings(),
        queries=pd.DataFrame(
            [dict.fromkeys(QUERY_COLUMNS) | asked], index=pd.Index(["q"], name="query_id"), dtype=object
        ),
        chunks=pd.DataFrame(
            [
                dict.fromkeys(CHUNK_COLUMNS) | {"doc_id": chunk.split("#")[0]} | facts
                for chunk, facts in CHUNKS.items()
            ],
            index=pd.Index(list(CHUNKS), name="chunk_id"),
        ),
        gold=pd.DataFrame(
            [
                ("q", chunk, grade, f"why {chunk}", f"annotator {n}", group, role, "dev")
                for n, (chunk, grade, group, role) in enumerate(judged)
            ],
            columns=list(GOLD_COLUMNS),
        ),
        query_split=pd.Series(["dev"], index=["q"], dtype=object),
        runs={
            name: Run(
                name,
                RankedLists.from_lists(
                    {query: [chunk for chunk, _ in ranked] for query, ranked in lists.items()},
                    {query: [score for _, score in ranked] for query, ranked in lists.items()},
                ),
                **run,
            )
            for name, lists in (runs if runs is not None else {"run": RUN}).items()
        },
        given_hashes=Hashes("", "", ""),
    )


def told(evaluation: EvaluationSet, k: int = 3, **options: Any) -> QueryEvidence:
    return query_evidence(evaluation, "run", "q", k, **({"level": 1.0} | options))


def test_missed_gold_comes_first_and_knows_its_rank_in_every_run() -> None:
    other = {"q": [("hotel-2024#1", 3.0), ("rail#1", 2.0)]}
    evidence = told(made([("rail#2", 2), ("hotel-2024#1", 3), ("rail#1", 2)], {"run": RUN, "other": other}))
    assert [need.chunk_id for need in evidence.needs] == ["hotel-2024#1", "rail#1", "rail#2"]
    assert [need.ranks for need in evidence.needs] == [
        {"run": 4, "other": 1},
        {"run": None, "other": 2},
        {"run": 2, "other": None},
    ]
    assert [need.is_found for need in evidence.needs] == [False, False, True]
    assert (evidence.groups_found, evidence.groups) == (1, 3)
    assert [need.chunk_id for need in evidence.missed] == ["hotel-2024#1", "rail#1"]


def test_the_gap_below_rank_k_is_that_of_the_scores() -> None:
    (need,) = told(made([("hotel-2024#1", 3)])).needs
    assert need.under_k == pytest.approx(0.80 - 0.796)
    (found,) = told(made([("hotel-2024#1", 3)]), k=4).needs
    assert found.under_k is None


def test_a_distance_has_a_gap_too() -> None:
    lists = {"q": [("c", 0.1), ("rail#1", 0.4)]}
    (need,) = told(made([("rail#1", 3)], {"run": lists}, direction="lower"), k=1).needs
    assert need.under_k == pytest.approx(0.3)


def test_no_gap_without_scores_or_below_a_short_list() -> None:
    unscored = {"q": [("c", math.nan), ("rail#1", math.nan)]}
    assert told(made([("rail#1", 3)], {"run": unscored}), k=1).needs[0].under_k is None
    assert told(made([("rail#1", 3)], {"run": {"q": [("c", 1.0)]}}), k=3).needs[0].under_k is None


def test_a_neighbour_by_number() -> None:
    # rail#2 is at rank 2 while rail#1 is nowhere
    (need,) = told(made([("rail#1", 3)])).needs
    assert need.neighbour == Place("rail#2", 2)
    (found,) = told(made([("rail#2", 3)])).needs
    assert found.neighbour is None
    # a neighbour that stands lower explains nothing
    lower = {"q": [("c", 1.0), ("rail#1", 0.9), ("rail#2", 0.8)]}
    assert told(made([("rail#1", 3)], {"run": lower}), k=1).needs[0].neighbour is None


def test_a_neighbour_by_the_order_of_the_corpus_only_within_a_document() -> None:
    assert told(made([("a", 3)])).needs[0].neighbour == Place("b", 5)
    # what stands after b is c, of another document, at rank 3
    lists = {"q": [("c", 1.0)]}
    assert told(made([("b", 3)], {"run": lists})).needs[0].neighbour is None


def test_an_older_version_above() -> None:
    (need,) = told(made([("hotel-2024#1", 3)])).needs
    assert need.older_above == Place("hotel-2021#1", 1)
    # the newer one is above the older one, which is no harm
    newer = {"q": [("hotel-2024#1", 1.0), ("hotel-2021#1", 0.9)]}
    assert told(made([("hotel-2021#1", 3)], {"run": newer})).needs[0].older_above is None
    # nor is one below rank K
    below = {"q": [("c", 1.0), ("hotel-2021#1", 0.9)]}
    assert told(made([("hotel-2024#1", 3)], {"run": below}), k=1).needs[0].older_above is None


def test_of_older_versions_the_labelled_distractor_is_named() -> None:
    lists = {"q": [("hotel-2021#1", 1.0), ("hotel-2021#2", 0.9)]}
    gold: Gold = [("hotel-2024#1", 3), ("hotel-2021#2", 0, None, "distractor")]
    assert told(made(gold, {"run": lists})).needs[0].older_above == Place("hotel-2021#2", 2)


@pytest.mark.parametrize(
    ("old", "new", "is_older"),
    [
        # one document but for its version, by date and by version
        (
            {"doc_id": "a-2021", "valid_from": "2021-07-01"},
            {"doc_id": "a-2024", "valid_from": "2024-01-01"},
            True,
        ),
        ({"doc_id": "a_v1", "version": "1.9"}, {"doc_id": "a_v2", "version": "1.10"}, True),
        (
            {"doc_id": "a-2024", "valid_from": "2024-01-01"},
            {"doc_id": "a-2021", "valid_from": "2021-07-01"},
            False,
        ),
        # one title
        ({"title": "Hotels", "version": "2021"}, {"title": "Hotels", "version": "2024"}, True),
        # other documents, and nothing to go by
        ({"doc_id": "a-2021", "version": "2021"}, {"doc_id": "b-2024", "version": "2024"}, False),
        ({"doc_id": "a-2021"}, {"doc_id": "a-2024"}, False),
        ({"doc_id": "1", "version": "2021"}, {"doc_id": "2", "version": "2024"}, False),
    ],
)
def test_which_version_is_older(old: dict[str, str], new: dict[str, str], is_older: bool) -> None:
    corpus = pd.DataFrame(
        [dict.fromkeys(CHUNK_COLUMNS) | {"title": "", "text": ""} | facts for facts in (old, new)],
        index=pd.Index(["old", "new"]),
    )
    facts = chunk_facts(corpus, ["old", "new", "unknown"])
    assert facts["old"].is_older_than(facts["new"]) == is_older
    assert "unknown" not in facts


def test_a_distractor_above_is_named_and_no_need() -> None:
    evidence = told(made([("hotel-2024#1", 3), ("rail#2", 0, None, "distractor")]))
    (need,) = evidence.needs
    assert need.distractors_above == (Place("rail#2", 2),)
    assert [(gold.chunk_id, gold.label.is_distractor) for gold in evidence.others] == [("rail#2", True)]
    # below rank K it takes nobody's place
    assert (
        told(made([("b", 3), ("hotel-2024#1", 0, None, "distractor")]), k=3).needs[0].distractors_above == ()
    )


def test_one_member_of_a_group_is_enough() -> None:
    gold: Gold = [("hotel-2024#1", 3, "cap"), ("rail#2", 2, "cap"), ("rail#1", 3, "rail")]
    evidence = told(made(gold))
    assert [(need.chunk_id, need.is_found, need.is_covered) for need in evidence.needs] == [
        ("rail#1", False, False),
        ("rail#2", True, True),
        ("hotel-2024#1", False, True),
    ]
    assert evidence.needs[1].alternatives == ("hotel-2024#1",)
    assert (evidence.groups_found, evidence.groups) == (1, 2)


def test_a_chunk_without_a_group_is_not_of_the_group_called_like_it() -> None:
    evidence = told(made([("rail#1", 3), ("rail#2", 3, "rail#1")]))
    assert (evidence.groups_found, evidence.groups) == (1, 2)


def test_the_level_decides_what_is_needed() -> None:
    evidence = told(made([("rail#1", 1), ("rail#2", 2)]), level=2.0)
    assert [need.chunk_id for need in evidence.needs] == ["rail#2"]
    assert [gold.chunk_id for gold in evidence.others] == ["rail#1"]
    below = told(made([("rail#1", 1)]), level=2.0)
    assert (below.state, below.needs) == ("no-gold", ())


def test_annotators_are_merged_by_majority_and_a_tie_takes_the_lower_grade() -> None:
    # 3, 3, 0 is 3; 3 against 1 is 1
    (majority,) = told(made([("rail#2", 3), ("rail#2", 0), ("rail#2", 3)])).needs
    assert majority.label.grade == 3
    evidence = told(made([("rail#2", 3), ("rail#2", 1)]), level=2.0)
    assert evidence.state == "no-gold"
    assert evidence.others[0].label.grade == 1


def test_cards_are_the_list_with_its_labels() -> None:
    evidence = told(made([("hotel-2024#1", 3), ("rail#2", 0), ("c", 0, None, "distractor")]))
    assert [(card.rank, card.chunk_id, card.score) for card in evidence.retrieved[:2]] == [
        (1, "hotel-2021#1", 0.91),
        (2, "rail#2", 0.88),
    ]
    labels = [None if card.label is None else card.label.grade for card in evidence.retrieved]
    assert labels == [None, 0, 0, 3, None]
    assert [card.is_relevant for card in evidence.retrieved] == [False, False, False, True, False]
    assert evidence.retrieved[0].text == "Tier 1 cities: 450 a night."


def test_ranks_close_up_over_repeats() -> None:
    lists = {"q": [("c", 0.9), ("c", 0.8), ("rail#1", 0.7), ("c", 0.6)]}
    evidence = told(made([("rail#1", 3)], {"run": lists}), k=2)
    assert [(card.rank, card.position, card.repeat_of) for card in evidence.retrieved] == [
        (1, 1, None),
        (None, 2, 1),
        (2, 3, None),
        (None, 4, 1),
    ]
    assert evidence.needs[0].is_found
    assert evidence.returned == 2


def test_a_chunk_that_the_corpus_does_not_have() -> None:
    evidence = told(made([("gone#1", 3)], {"run": {"q": [("lost#1", 1.0)]}}))
    assert evidence.needs[0].text is None
    assert evidence.retrieved[0].text is None


def test_the_prompt_is_a_stage_of_the_run() -> None:
    stages = {"prompt": RankedLists.from_lists({"q": ["rail#2", "hotel-2021#1"]})}
    evidence = told(made([("rail#1", 3)], stages=stages))
    assert [card.in_prompt for card in evidence.retrieved] == [True, True, False, False, False]
    assert all(card.in_prompt is None for card in told(made([])).retrieved)


def test_a_stage_is_read_in_every_run_that_has_it() -> None:
    stages = {"prompt": RankedLists.from_lists({"q": ["rail#2", "hotel-2021#1"]})}
    (need,) = told(
        made([("rail#2", 3)], {"run": RUN, "other": {"q": []}}, stages=stages), stage="prompt"
    ).needs
    assert need.ranks == {"run": 1, "other": 1}


def test_a_run_that_lacks_the_query_or_failed_on_it() -> None:
    lacking = told(made([("rail#1", 3)], {"run": {"other": [("rail#1", 1.0)]}}))
    assert (lacking.run_state, lacking.retrieved, lacking.needs[0].rank) == ("lacks", (), None)
    failed = told(made([("rail#1", 3)], errors={"q": "timed out"}))
    assert (failed.run_state, failed.error, failed.retrieved) == ("failed", "timed out", ())
    empty = told(made([("rail#1", 3)], {"run": {"q": []}}))
    assert (empty.run_state, empty.retrieved) == ("ok", ())


def test_a_no_answer_query_needs_nothing() -> None:
    evidence = told(made([("rail#1", 0)], query={"answerable": False}))
    assert (evidence.state, evidence.needs) == ("no-answer", ())
    assert evidence.top is not None
    assert (evidence.top.chunk_id, evidence.top.score) == ("hotel-2021#1", 0.91)


def test_what_is_known_of_the_query() -> None:
    query = {"type": "table", "reference": "500 a night", "difficulty": None, "answerable": True}
    evidence = told(made([("rail#1", 3)], query=query, card=RunCard({"depth": 50})))
    assert evidence.metadata == {"type": "table"}
    assert evidence.reference == "500 a night"
    assert evidence.depth == 50


def test_only_gold_of_the_split_counts() -> None:
    evaluation = made([("rail#1", 3)])
    assert told(evaluation, split="dev").groups == 1
    assert told(evaluation, split="test").groups == 0


def test_cards_end_at_the_limit_and_ranks_do_not() -> None:
    evidence = told(made([("b", 3)]), limit=2)
    assert len(evidence.retrieved) == 2
    assert evidence.returned == 5
    assert evidence.needs[0].rank == 5


def test_an_unknown_query_or_run() -> None:
    with pytest.raises(KeyError):
        query_evidence(made([]), "run", "nobody asked", 3, level=1.0)
    with pytest.raises(KeyError):
        query_evidence(made([]), "no run", "q", 3, level=1.0)
