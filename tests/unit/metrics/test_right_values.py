"""Right values worked out by hand, for every way of counting wrong that evaluation tools are known for."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import pytest

import ragtui
from ragtui.metrics.found import CONVENTIONS, Convention


def values(gold: Any, run: Any, *metrics: str, **how: Any) -> dict[str, list[float]]:
    """Per query values of each metric, in the order of the gold."""
    table = ragtui.per_query(gold, run, list(metrics), **how)
    return {metric: table[metric].to_list() for metric in metrics}


def means(gold: Any, run: Any, *metrics: str, **how: Any) -> dict[str, float]:
    [row] = ragtui.evaluate(gold, run, list(metrics), **how).to_dict("records")
    return {metric: float(row[metric]) for metric in metrics}


class TestRepeatedChunks:
    """A chunk counts once, at its first place; the ranks below close up."""

    # A and B are needed; cleaned to A, X, Y by hand
    @pytest.mark.parametrize(
        ("listed", "surplus"),
        [
            (["A", "A", "A", "X", "Y"], 2),
            (["A", "X", "A", "Y", "A"], 2),
            (["A", "X", "X", "X", "Y"], 2),
            (["A", "X", "Y", "Y", "X", "A"], 3),
        ],
    )
    def test_every_copy_but_the_first_is_dropped(self, listed: list[str], surplus: int) -> None:
        gold = {"q1": ["A", "B"], "q2": ["C"]}
        found = ragtui.per_query(
            gold, {"q1": listed, "q2": ["C"]}, ["recall", "precision", "map", "ndcg", "mrr"], k=3
        )
        q1 = found.to_dict("index")[("run", "q1")]
        assert q1["recall@3"] == 1 / 2
        assert q1["precision@3"] == 1 / 3
        assert q1["map@3"] == (1 / 1) / min(2, 3)
        assert q1["mrr@3"] == 1.0
        # 1 ÷ (1 + 1/log2(3)) = 1 ÷ 1.6309 = 0.6131
        assert q1["ndcg@3"] == pytest.approx(0.6131, abs=5e-5)
        assert q1["returned"] == 3
        assert found.attrs["counts"]["run"]["duplicates"] == surplus
        assert any("repeated" in text for text in found.attrs["notes"]["run"])

    def test_ranks_below_a_repeat_close_up(self) -> None:
        assert values({"q": ["A"]}, {"q": ["X", "X", "A"]}, "mrr@3") == {"mrr@3": [1 / 2]}

    def test_a_repeat_keeps_its_first_place_when_scores_disagree(self) -> None:
        run = {"q": ["X", "A", "X"]}
        assert values({"q": ["A"]}, run, "mrr@3", "ndcg@3")["mrr@3"] == [1 / 2]


class TestAveragePrecision:
    def test_missed_gold_stays_in_the_denominator(self) -> None:
        # one of two found, at rank 1: (1/1) ÷ min(2, 3) = 0.5, not 1
        found = values({"q": ["A", "B"]}, {"q": ["A", "X", "Y"]}, "map@3", "recall@3")
        assert found == {"map@3": [0.5], "recall@3": [0.5]}

    def test_more_gold_than_k_can_still_be_perfect(self) -> None:
        # five relevant, two asked for, both right: (1/1 + 2/2) ÷ min(5, 2) = 1; trec_eval divides by 5
        gold, run = {"q": ["A", "B", "C", "D", "E"]}, {"q": ["A", "B"]}
        assert values(gold, run, "map@2") == {"map@2": [1.0]}
        assert values(gold, run, "map@2", convention="trec") == {"map@2": [0.4]}

    def test_several_hits(self) -> None:
        # relevant at 2 and 3 of 3 needed: (1/2 + 2/3) ÷ 3 = 7/18
        found = values({"q": ["A", "B", "C"]}, {"q": ["X", "A", "B", "Y"]}, "map@5")
        assert found["map@5"] == [pytest.approx(7 / 18)]


class TestNdcg:
    GOLD: ClassVar = {"q": {"A": 3, "B": 1, "C": 2}}

    def test_gain_is_exponential_and_the_trec_convention_linear(self) -> None:
        # B, C, A: (1/1 + 3/log2(3) + 7/2) ÷ (7/1 + 3/log2(3) + 1/2) = 6.3928 ÷ 9.3928 = 0.6806
        # linear:  (1/1 + 2/log2(3) + 3/2) ÷ (3/1 + 2/log2(3) + 1/2) = 3.7619 ÷ 4.7619 = 0.7900
        run = {"q": ["B", "C", "A"]}
        assert values(self.GOLD, run, "ndcg@3")["ndcg@3"] == [pytest.approx(0.6806, abs=5e-5)]
        trec = values(self.GOLD, run, "ndcg@3", convention="trec")
        assert trec["ndcg@3"] == [pytest.approx(0.7900, abs=5e-5)]

    def test_the_convention_is_said_with_the_numbers(self) -> None:
        for convention in CONVENTIONS:
            table = ragtui.evaluate(self.GOLD, {"q": ["B"]}, ["ndcg@3"], convention=convention)
            assert table.attrs["convention"] == convention

    def test_the_ideal_order_is_that_of_all_gold(self) -> None:
        # one of four found at rank 1: 1 ÷ (1 + 0.6309 + 0.5 + 0.4307) = 0.3904, not 1
        found = values({"q": ["A", "B", "C", "D"]}, {"q": ["A", "X", "Y"]}, "ndcg@5", "recall@5", "map@5")
        assert found["ndcg@5"] == [pytest.approx(0.3904, abs=5e-5)]
        assert found["recall@5"] == [0.25]
        assert found["map@5"] == [0.25]

    def test_the_ideal_order_is_cut_at_k(self) -> None:
        # the better of two at rank 1 is all that rank 1 can give
        assert values({"q": {"A": 3, "B": 2}}, {"q": ["A"]}, "ndcg@1") == {"ndcg@1": [1.0]}

    def test_negative_and_unjudged_gain_nothing(self) -> None:
        run = {"q": ["N", "U", "A"]}
        # A, grade 1, at rank 3 of an ideal of one: (1/log2(4)) ÷ 1 = 0.5
        assert values({"q": {"A": 1, "N": -2}}, run, "ndcg@3") == {"ndcg@3": [0.5]}
        assert values({"q": {"A": 1, "N": -2}}, run, "ndcg@3", convention="trec") == {"ndcg@3": [0.5]}

    def test_fractional_grades_keep_their_value(self) -> None:
        # 2^0.5 − 1 = 0.4142 at rank 1 and 1 at rank 2, against the other order:
        # (0.4142 + 0.6309) ÷ (1 + 0.4142·0.6309) = 0.8286
        found = values({"q": {"A": 1.0, "B": 0.5}}, {"q": ["B", "A"]}, "ndcg@2", "hit@1", level=0.5)
        assert found["ndcg@2"] == [pytest.approx(0.8286, abs=5e-5)]
        assert found["hit@1"] == [1.0]

    def test_the_level_plays_no_part(self) -> None:
        gold, run = {"q": {"A": 3, "B": 1}}, {"q": ["B", "A"]}
        assert values(gold, run, "ndcg@5", level=2) == values(gold, run, "ndcg@5", level=1)

    def test_grades_up_to_20_and_no_further(self) -> None:
        assert values({"q": {"A": 20}}, {"q": ["A"]}, "ndcg@1") == {"ndcg@1": [1.0]}
        with pytest.raises(ragtui.RagtuiError, match="21"):
            values({"q": {"A": 21}}, {"q": ["A"]}, "ndcg@1")
        assert values({"q": {"A": 21}}, {"q": ["A"]}, "recall@1") == {"recall@1": [1.0]}
        assert values({"q": {"A": 21}}, {"q": ["A"]}, "ndcg@1", convention="trec") == {"ndcg@1": [1.0]}


class TestReciprocalRank:
    def test_only_the_first_relevant_chunk_counts(self) -> None:
        gold = {"q1": ["A", "B"], "q2": ["C", "D"]}
        run = {"q1": ["X", "Y", "A", "Z", "B"], "q2": ["X", "C", "D", "Y", "Z"]}
        found = values(gold, run, "mrr@5", "map@5")
        assert found["mrr@5"] == [pytest.approx(1 / 3), 1 / 2]
        # q1: (1/3 + 2/5) ÷ 2 = 0.3667; q2: (1/2 + 2/3) ÷ 2 = 0.5833
        assert found["map@5"] == [pytest.approx(0.36667, abs=5e-5), pytest.approx(0.58333, abs=5e-5)]
        assert means(gold, run, "mrr@5")["mrr@5"] == pytest.approx(0.41667, abs=5e-5)

    def test_beyond_k_it_is_0(self) -> None:
        assert values({"q": ["A"]}, {"q": ["X", "Y", "A"]}, "mrr@2", "mrr@3")["mrr@2"] == [0.0]


class TestShortLists:
    def test_precision_divides_by_k_however_little_came_back(self) -> None:
        gold = {"q1": ["A", "B"], "q2": ["C"]}
        found = ragtui.per_query(gold, {"q1": ["A", "B"], "q2": ["C", "X", "Y", "Z", "W"]}, ["precision@5"])
        assert found["precision@5"].to_list() == [2 / 5, 1 / 5]
        assert found["returned"].to_list() == [2, 5]

    def test_a_k_far_beyond_the_list_is_fine(self) -> None:
        found = values(
            {"q": ["A"]}, {"q": ["A"]}, "precision@1000", "recall@1000", "ndcg@1000", "judged@1000"
        )
        assert found == {
            "precision@1000": [0.001],
            "recall@1000": [1.0],
            "ndcg@1000": [1.0],
            "judged@1000": [1.0],
        }

    @pytest.mark.parametrize("convention", CONVENTIONS)
    def test_an_empty_list_scores_0_and_stays_in_the_mean(self, convention: Convention) -> None:
        gold = {"q1": ["A"], "q2": ["B"]}
        table = ragtui.evaluate(
            gold, {"q1": ["A"], "q2": []}, ["mrr@5", "hit@1", "recall@5"], convention=convention
        )
        assert table.to_numpy().ravel().tolist() == [0.5, 0.5, 0.5]
        assert table.attrs["counts"]["run"]["scored"] == 2
        assert table.attrs["counts"]["run"]["nothing_returned"] == 1
        assert table.attrs["counts"]["run"]["missing"] == 0

    def test_nothing_but_empty_lists(self) -> None:
        assert means({"q": ["A"]}, {"q": []}, "ndcg@5", "complete@5") == {"ndcg@5": 0.0, "complete@5": 0.0}

    def test_a_run_without_a_query_is_refused(self) -> None:
        with pytest.raises(ragtui.RagtuiError, match="no query at all"):
            ragtui.evaluate({"q": ["A"]}, {})


class TestStrictAndLenient:
    GOLD: ClassVar = {"q1": {"A": 1, "B": 2}, "q2": {"C": 2, "D": 1}, "q3": {"E": 1, "F": 2}}
    RUN: ClassVar = {"q1": ["A", "X", "B"], "q2": ["C", "D", "X"], "q3": ["E", "X", "Y"]}

    def test_strict_asks_for_the_top_grade(self) -> None:
        found = values(self.GOLD, self.RUN, "hit_strict@1", "hit@1", "hit_strict@3", "hit@3")
        assert found["hit_strict@1"] == [0.0, 1.0, 0.0]
        assert found["hit@1"] == [1.0, 1.0, 1.0]
        assert found["hit_strict@3"] == [1.0, 1.0, 0.0]
        assert found["hit@3"] == [1.0, 1.0, 1.0]

    def test_queries_without_top_grade_gold_are_left_out_of_both(self) -> None:
        gold = {**self.GOLD, "q4": {"G": 1}}
        run = {**self.RUN, "q4": ["G"]}
        found = means(gold, run, "hit_strict@1", "hit_lenient@1", "hit@1")
        assert found == {"hit_strict@1": pytest.approx(1 / 3), "hit_lenient@1": 1.0, "hit@1": 1.0}
        per_query = values(gold, run, "hit_strict@1", "hit_lenient@1")
        assert math.isnan(per_query["hit_strict@1"][3])
        assert math.isnan(per_query["hit_lenient@1"][3])

    def test_lenient_comes_along_unasked(self) -> None:
        assert list(ragtui.evaluate(self.GOLD, self.RUN, ["hit_strict@3"])) == [
            "hit_strict@3",
            "hit_lenient@3",
        ]

    @pytest.mark.parametrize(("level", "hits"), [(1, [1.0, 1.0, 1.0]), (2, [0.0, 1.0, 0.0])])
    def test_the_level_says_what_is_relevant_and_stands_beside(self, level: float, hits: list[float]) -> None:
        table = ragtui.per_query(self.GOLD, self.RUN, ["hit@1"], level=level)
        assert table["hit@1"].to_list() == hits
        assert table.attrs["level"] == level


class TestQueriesWithoutRelevantGold:
    GOLD: ClassVar = {"q1": {"A": 1}, "q2": {}, "q3": {"C": 0, "D": 0}, "q4": {"E": 1, "F": 1}}
    RUN: ClassVar = {"q1": ["A", "X"], "q2": ["X"], "q3": ["C", "D"], "q4": ["E", "X", "Y"]}

    def test_they_are_left_out_and_counted(self) -> None:
        table = ragtui.evaluate(self.GOLD, self.RUN, ["recall@3", "ndcg@3", "map@3", "mrr@3"])
        [row] = table.to_dict("records")
        # over q1 (all 1) and q4: recall 1/2, NDCG 1 ÷ 1.6309 = 0.6131, AP 1/2
        assert row == {
            "recall@3": 0.75,
            "mrr@3": 1.0,
            "map@3": 0.75,
            "ndcg@3": pytest.approx(0.8066, abs=5e-5),
        }
        counts = table.attrs["counts"]["run"]
        assert (counts["queries"], counts["scored"]) == (4, 2)
        assert (counts["no_relevant_gold"], counts["unjudged"]) == (1, 1)

    def test_trec_eval_counts_gold_of_0_as_0(self) -> None:
        table = ragtui.evaluate(self.GOLD, self.RUN, ["recall"], convention="trec")
        assert table["recall"].to_list() == [pytest.approx((1 + 0 + 0.5) / 3)]
        assert table.attrs["counts"]["run"]["scored"] == 3

    def test_gold_below_the_level_alone_is_no_relevant_gold(self) -> None:
        table = ragtui.per_query({"q1": {"A": 1}, "q2": {"B": 2}}, {"q1": ["A"], "q2": ["B"]}, level=2)
        assert list(table.index) == [("run", "q2")]
        assert table.attrs["counts"]["run"]["no_relevant_gold"] == 1


class TestQueriesMissingFromTheRun:
    GOLD: ClassVar = {"q1": ["A"], "q2": ["B"], "q3": ["C"], "q4": ["D"]}
    RUN: ClassVar = {"q1": ["A"], "q2": ["B"]}

    @pytest.mark.parametrize("convention", CONVENTIONS)
    def test_they_score_0_and_are_named(self, convention: Convention) -> None:
        table = ragtui.evaluate(self.GOLD, self.RUN, ["hit@1", "mrr@5", "recall@5"], convention=convention)
        assert table.to_numpy().ravel().tolist() == [0.5, 0.5, 0.5]
        assert table.attrs["counts"]["run"]["missing"] == 2
        assert any("q3, q4" in text for text in table.attrs["notes"]["run"])

    def test_the_mean_over_the_rest_has_a_name_of_its_own(self) -> None:
        table = ragtui.evaluate(self.GOLD, self.RUN, ["hit@1"], missing="intersection")
        assert table["hit@1"].to_list() == [1.0]
        assert table.attrs["counts"]["run"]["scored"] == 2
        assert table.attrs["counts"]["run"]["missing"] == 2


class TestTies:
    """All scores equal, one of two relevant: the order of the list counts, or trec_eval's if asked for."""

    GOLD: ClassVar = {"q": ["d1"]}
    ALIKE = ("mrr@5", "map@5")

    @pytest.mark.parametrize("names", [("d1", "d2"), ("d1", "d0")])
    def test_the_order_of_the_list_counts(self, names: tuple[str, str]) -> None:
        found = values(self.GOLD, {"q": dict.fromkeys(names, 0.5)}, *self.ALIKE, "ndcg@5")
        assert found == {"mrr@5": [1.0], "map@5": [1.0], "ndcg@5": [1.0]}

    def test_trec_eval_puts_the_higher_id_first(self) -> None:
        behind = values(self.GOLD, {"q": {"d1": 0.5, "d2": 0.5}}, *self.ALIKE, "ndcg@5", convention="trec")
        assert behind == {"mrr@5": [0.5], "map@5": [0.5], "ndcg@5": [pytest.approx(0.6309, abs=5e-5)]}
        ahead = values(self.GOLD, {"q": {"d0": 0.5, "d1": 0.5}}, *self.ALIKE, "ndcg@5", convention="trec")
        assert ahead == {"mrr@5": [1.0], "map@5": [1.0], "ndcg@5": [1.0]}

    def test_ids_are_compared_by_bytes(self) -> None:
        # é is C3 A9 in UTF-8 and z is 7A, so é is the higher id
        found = values({"q": ["é"]}, {"q": {"z": 0.5, "é": 0.5}}, "mrr@5", convention="trec")
        assert found == {"mrr@5": [1.0]}

    def test_scores_are_compared_as_float32(self) -> None:
        # 0.5 + 1e-9 is 0.5 in float32, so b and a tie and b comes first
        found = values({"q": ["a"]}, {"q": {"a": 0.5 + 1e-9, "b": 0.5}}, "mrr@5", convention="trec")
        assert found == {"mrr@5": [0.5]}

    def test_ties_at_a_cut_are_counted(self) -> None:
        gold = {"q1": ["A"], "q2": ["A"]}
        run = {"q1": {"A": 0.9, "B": 0.5, "C": 0.5, "D": 0.1}, "q2": {"A": 0.9, "B": 0.5}}
        counted = {
            k: ragtui.evaluate(gold, run, ["hit"], k=k).attrs["counts"]["run"]["ties"] for k in (1, 2, 3, 4)
        }
        assert counted == {1: 0, 2: 1, 3: 0, 4: 0}


class TestDistances:
    """Scores that rise down the list: the order given counts, and the question is asked."""

    GOLD: ClassVar = {"q1": ["A"], "q2": ["D"]}

    def rows(self, scores: list[float]) -> Any:
        import pandas as pd

        return pd.DataFrame(
            {
                "query_id": ["q1"] * 3 + ["q2"] * 3,
                "chunk_id": ["A", "B", "C", "D", "E", "F"],
                "rank": [1, 2, 3] * 2,
                "score": scores,
            }
        )

    def test_the_order_given_counts_and_it_is_said(self) -> None:
        table = ragtui.evaluate(self.GOLD, self.rows([0.1, 0.4, 0.9, 0.2, 0.2, 0.3]), ["mrr@3"])
        assert table["mrr@3"].to_list() == [1.0]
        assert table.attrs["counts"]["run"]["all_rising"]
        assert any("distances" in text for text in table.attrs["notes"]["run"])

    def test_said_to_be_distances_they_are_no_question(self) -> None:
        table = ragtui.evaluate(
            self.GOLD, self.rows([0.1, 0.4, 0.9, 0.2, 0.2, 0.3]), ["mrr@3"], direction="lower"
        )
        assert table["mrr@3"].to_list() == [1.0]
        assert not table.attrs["counts"]["run"]["all_rising"]
        assert table.attrs["counts"]["run"]["order_disagreements"] == 0

    def test_the_trec_convention_sorts_by_them_and_needs_the_direction(self) -> None:
        rows = self.rows([0.1, 0.4, 0.9, 0.2, 0.25, 0.3])
        assert means(self.GOLD, rows, "mrr@3", convention="trec")["mrr@3"] == pytest.approx(1 / 3)
        assert means(self.GOLD, rows, "mrr@3", convention="trec", direction="lower")["mrr@3"] == 1.0

    def test_one_list_that_rises_is_a_disagreement(self) -> None:
        table = ragtui.evaluate(self.GOLD, self.rows([0.9, 0.5, 0.1, 0.1, 0.2, 0.3]), ["mrr@3"])
        assert not table.attrs["counts"]["run"]["all_rising"]
        assert table.attrs["counts"]["run"]["order_disagreements"] == 1

    def test_equal_scores_are_no_distances(self) -> None:
        table = ragtui.evaluate(self.GOLD, self.rows([0.5] * 6), ["mrr@3"])
        assert not table.attrs["counts"]["run"]["all_rising"]
        assert table.attrs["counts"]["run"]["order_disagreements"] == 0
