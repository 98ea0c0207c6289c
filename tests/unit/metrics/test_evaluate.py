"""Which queries count, what is computed, what is counted and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ragtui.dataset.model import RankedLists
from ragtui.errors import RagtuiError
from ragtui.metrics.evaluate import RunResult, evaluate
from ragtui.metrics.gold import GoldTable
from ragtui.metrics.listed import Listed

Judgment = tuple[Any, ...]


def gold_of(*judgments: Judgment) -> GoldTable:
    """Judgments of query, chunk, grade and optionally group and role."""
    rows = [(*judgment, *(None,) * (5 - len(judgment))) for judgment in judgments]
    return GoldTable.from_frame(
        pd.DataFrame(rows, columns=["query_id", "chunk_id", "grade", "group", "role"])
    )


def result_of(
    judgments: Sequence[Judgment], lists: Mapping[str, list[str]], queries: Sequence[str] = (), **how: Any
) -> RunResult:
    gold = gold_of(*judgments)
    ids = np.array(list(queries) or [*dict.fromkeys([*gold.query_ids, *lists])], dtype=object)
    return evaluate(ids, Listed(RankedLists.from_lists(dict(lists)), gold), **how)


def column(result: RunResult, name: str) -> list[float]:
    return result.table[name].to_list()


class TestEvidenceGroups:
    # a1 and a2 are alternatives, b is needed as well: two groups
    GOLD = (("q", "a1", 3, "g1"), ("q", "a2", 2, "g1"), ("q", "b", 3))

    @pytest.mark.parametrize(
        ("listed", "coverage", "complete"),
        [
            (["a1", "a2", "x"], [1 / 2, 1 / 2, 1 / 2], [0, 0, 0]),
            (["a2", "b", "a1"], [1 / 2, 1, 1], [0, 1, 1]),
            (["x", "a1", "b"], [0, 1 / 2, 1], [0, 0, 1]),
            (["x", "y", "z"], [0, 0, 0], [0, 0, 0]),
            ([], [0, 0, 0], [0, 0, 0]),
        ],
    )
    def test_one_member_of_each_group_is_enough(
        self, listed: list[str], coverage: list[float], complete: list[float]
    ) -> None:
        row = result_of(self.GOLD, {"q": listed}, ks=(1, 2, 3)).table.to_dict("records")[0]
        assert [row[f"coverage@{k}"] for k in (1, 2, 3)] == coverage
        assert [row[f"complete@{k}"] for k in (1, 2, 3)] == complete
        assert row["groups"] == 2
        assert [row[f"got@{k}"] for k in (1, 2, 3)] == [2 * share for share in coverage]

    def test_recall_counts_chunks_and_coverage_groups(self) -> None:
        result = result_of(self.GOLD, {"q": ["a1", "b"]}, ks=(5,))
        assert column(result, "recall@5") == [pytest.approx(2 / 3)]
        assert column(result, "coverage@5") == [1.0]

    def test_a_group_without_a_relevant_chunk_is_not_needed(self) -> None:
        # at level 2 the group g2 has only a chunk of grade 1
        gold = (("q", "a", 3, "g1"), ("q", "b", 1, "g2"))
        result = result_of(gold, {"q": ["a"]}, ks=(1,), level=2)
        assert (column(result, "groups"), column(result, "complete@1")) == ([1], [1.0])

    def test_a_background_chunk_of_a_group_does_not_stand_in_for_it(self) -> None:
        gold = (("q", "a", 3, "g1"), ("q", "b", 1, "g1"))
        assert column(result_of(gold, {"q": ["b"]}, ks=(1,), level=2), "coverage@1") == [0.0]

    def test_groups_of_different_queries_may_share_a_name(self) -> None:
        gold = (("q1", "a", 1, "g"), ("q2", "b", 1, "g"), ("q2", "c", 1, "h"))
        result = result_of(gold, {"q1": ["a"], "q2": ["b"]}, ks=(1,))
        assert column(result, "coverage@1") == [1.0, 0.5]
        assert column(result, "groups") == [1, 2]


class TestDistractors:
    GOLD = (("q", "new", 3), ("q", "old", 0, None, "distractor"), ("q", "older", 2, None, "distractor"))

    def test_share_and_best_rank(self) -> None:
        result = result_of(self.GOLD, {"q": ["x", "older", "new", "old"]}, ks=(1, 2, 4))
        assert [column(result, f"stale@{k}") for k in (1, 2, 4)] == [[0.0], [1 / 2], [2 / 4]]
        assert column(result, "stale_rank") == [2.0]

    def test_a_distractor_is_never_relevant_whatever_its_grade(self) -> None:
        result = result_of(self.GOLD, {"q": ["older"]}, ks=(1,), level=1)
        assert [column(result, f"{m}@1") for m in ("hit", "ndcg", "coverage")] == [[0.0]] * 3
        assert column(result, "groups") == [1]

    def test_trec_eval_knows_no_roles(self) -> None:
        result = result_of(self.GOLD, {"q": ["older"]}, ks=(1,), convention="trec")
        assert column(result, "hit@1") == [1.0]

    def test_distractors_alone_are_no_relevant_gold(self) -> None:
        result = result_of([("q", "old", 2, None, "distractor")], {"q": ["old"]})
        assert (result.counts.scored, result.counts.no_relevant_gold) == (0, 1)


class TestJudged:
    def test_share_of_what_came_back(self) -> None:
        gold = (("q", "a", 1), ("q", "b", 0))
        result = result_of(gold, {"q": ["a", "x", "b"]}, ks=(1, 2, 3, 5))
        assert [column(result, f"judged@{k}") for k in (1, 2, 3, 5)] == [[1.0], [1 / 2], [2 / 3], [2 / 3]]

    def test_nothing_returned_has_no_share(self) -> None:
        result = result_of([("q", "a", 1)], {"q": []}, ks=(5,))
        assert np.isnan([column(result, "judged@5"), column(result, "stale@5")]).all()


class TestTokens:
    def test_tokens_of_the_first_k(self) -> None:
        gold = [("q1", "a", 1), ("q2", "a", 1), ("q3", "a", 1)]
        lists = RankedLists.from_lists({"q1": ["a", "a", "b"], "q2": ["c", "a"], "q3": []})
        tokens = np.array([10.0, 5.0, np.nan])  # of a, b and c, whose text is unknown
        ids = np.array(["q1", "q2", "q3"], dtype=object)
        result = evaluate(ids, Listed(lists, gold_of(*gold)), ks=(1, 2, 5), tokens=tokens)
        np.testing.assert_array_equal(
            result.table[["tokens@1", "tokens@2", "tokens@5"]].to_numpy(),
            [[10, 15, 15], [np.nan, np.nan, np.nan], [0, 0, 0]],
        )

    def test_without_texts_they_cannot_be_had(self) -> None:
        result = result_of([("q", "a", 1)], {"q": ["a"]}, ks=(1,))
        assert result.unavailable == {"tokens@1": "no-texts"}
        assert "tokens@1" not in result.table


class TestDepth:
    GOLD = (("q", "a", 1), ("q", "b", 1))

    def test_a_metric_beyond_the_depth_of_the_card_is_not_computed(self) -> None:
        result = result_of(self.GOLD, {"q": ["a", "x", "y"]}, ks=(1, 3, 10), depth=3)
        assert "recall@3" in result.table
        assert "recall@10" not in result.table
        assert result.unavailable["recall@10"] == result.unavailable["hit_strict@10"] == "beyond-depth"
        assert [name for name in map(str, result.table) if name.startswith("got@")] == ["got@1", "got@3"]

    def test_whole_list_metrics_are_as_deep_as_the_list(self) -> None:
        result = result_of(self.GOLD, {"q": ["a"]}, metrics=["recall", "ndcg@10"], convention="trec", depth=5)
        assert column(result, "recall") == [0.5]
        assert result.unavailable == {"ndcg@10": "beyond-depth"}

    def test_without_a_card_everything_is_computed_and_the_longest_list_named(self) -> None:
        result = result_of(self.GOLD, {"q": ["a", "x", "y"]}, ks=(1, 10))
        assert column(result, "recall@10") == [0.5]
        [note] = result.notes
        assert (note.kind, note.severity, dict(note.values)) == ("no-card", "warning", {"longest": 3})
        assert "3" in note.text

    def test_lists_longer_than_every_k_are_only_mentioned(self) -> None:
        [note] = result_of(self.GOLD, {"q": ["a", "x", "y"]}, ks=(1, 2)).notes
        assert (note.kind, note.severity) == ("no-card", "note")

    def test_first_rank_is_that_of_the_whole_list(self) -> None:
        result = result_of(self.GOLD, {"q": [*map(str, range(30)), "a"]}, ks=(1, 5))
        assert column(result, "first_rank") == [31.0]
        assert result.matrix.width == 5


class TestWhichQueriesCount:
    GOLD = (("q1", "a", 1), ("q2", "b", 1), ("q3", "c", 0), ("n1", "d", 0, None, "distractor"))
    QUERIES = ("q1", "q2", "q3", "q4", "n1", "n2")

    def result(self, **how: Any) -> RunResult:
        lists = {"q1": ["a"], "q3": ["c"], "q4": ["a"], "n1": ["d"], "stranger": ["a"]}
        return result_of(self.GOLD, lists, self.QUERIES, no_answer=frozenset({"n1", "n2"}), ks=(1,), **how)

    def test_every_query_is_counted_once(self) -> None:
        result = self.result()
        assert list(result.table.index) == ["q1", "q2"]
        counts = result.counts
        assert (counts.queries, counts.scored) == (6, 2)
        assert (counts.no_answer, counts.no_relevant_gold, counts.unjudged) == (2, 1, 1)
        assert (counts.missing, counts.failed, counts.outside) == (1, 0, 1)
        assert list(result.missing_ids) == ["q2"]

    def test_a_failed_query_counts_as_nothing_retrieved_even_with_a_list(self) -> None:
        result = self.result(failed=frozenset({"q1", "n1"}))
        assert column(result, "hit@1") == [0.0, 0.0]
        assert (result.counts.failed, result.counts.missing) == (1, 1)
        assert result.counts.nothing_returned == 0
        assert column(result, "returned") == [0, 0]

    def test_an_intersection_drops_missing_and_failed(self) -> None:
        result = self.result(missing="intersection", failed=frozenset({"q1"}))
        assert len(result.table) == 0
        assert (result.counts.scored, result.counts.missing, result.counts.failed) == (0, 1, 1)
        assert list(result.missing_ids) == ["q2"]

    def test_a_no_answer_query_with_relevant_gold_stays_out(self) -> None:
        result = result_of([("q", "a", 1)], {"q": ["a"]}, no_answer=frozenset({"q"}))
        assert (result.counts.scored, result.counts.no_answer) == (0, 1)

    def test_trec_eval_counts_every_query_with_gold(self) -> None:
        result = self.result(convention="trec")
        # labels that are all distractors are none that a qrels file could hold
        assert list(result.table.index) == ["q1", "q2", "q3"]
        assert column(result, "recall@1") == [1.0, 0.0, 0.0]
        # q3 needs nothing, and nothing is no evidence complete
        assert column(result, "complete@1") == [1.0, 0.0, 0.0]
        assert (result.counts.no_answer, result.counts.no_relevant_gold) == (2, 0)

    def test_trec_eval_counts_a_no_answer_query_with_grades_of_0(self) -> None:
        how: dict[str, Any] = {"no_answer": frozenset({"n"}), "convention": "trec"}
        result = result_of([("n", "a", 0), ("q", "b", 1)], {"n": ["a"], "q": ["b"]}, **how)
        assert result.table["recall@1"].to_dict() == {"n": 0.0, "q": 1.0}
        assert result.counts.no_answer == 0

    def test_rows_come_in_the_order_of_the_set(self) -> None:
        result = result_of([("q1", "a", 1), ("q2", "b", 1)], {"q1": ["a"], "q2": ["x"]}, ["q2", "q1"])
        assert column(result, "hit@1") == [0.0, 1.0]
        assert result.matrix.row_of("q1") == 1
        assert result.matrix.row_of("q9") is None

    def test_nothing_to_score(self) -> None:
        for convention in ("ragtui", "trec"):
            result = result_of([("q", "a", 0)], {"p": ["a"]}, ["p"], convention=convention)
            assert len(result.table) == 0
            assert "ndcg@5" in result.table

    def test_an_empty_run_scores_0(self) -> None:
        result = result_of([("q", "a", 1)], {}, ks=(5,))
        assert column(result, "ndcg@5") == [0.0]
        assert result.counts.missing == 1

    def test_no_gold_at_all(self) -> None:
        gold = GoldTable.from_frame(pd.DataFrame({"query_id": [], "chunk_id": [], "grade": []}))
        result = evaluate(np.array(["q"], dtype=object), Listed(RankedLists.from_lists({"q": ["a"]}), gold))
        assert (result.counts.scored, result.counts.unjudged) == (0, 1)


class TestConventions:
    def test_trec_names_without_k_use_the_whole_list_and_ours_every_k(self) -> None:
        gold, lists = [("q", "a", 1)], {"q": ["x", "y", "a"]}
        trec = result_of(gold, lists, metrics=["mrr", "precision"], ks=(1, 2), convention="trec")
        assert trec.metrics == ["precision@1", "precision@2", "mrr"]
        assert column(trec, "mrr") == [pytest.approx(1 / 3)]
        ours = result_of(gold, lists, metrics=["mrr"], ks=(1, 2))
        assert ours.metrics == ["mrr@1", "mrr@2"]

    def test_by_default_every_metric_at_every_k(self) -> None:
        result = result_of([("q", "a", 1)], {"q": ["a"]}, ks=(1, 2))
        stems = [
            "hit",
            "hit_strict",
            "hit_lenient",
            "recall",
            "precision",
            "mrr",
            "map",
            "ndcg",
            "coverage",
            "complete",
            "judged",
            "stale",
        ]
        assert result.metrics == [f"{stem}@{k}" for stem in stems for k in (1, 2)]

    def test_a_k_in_a_name_needs_no_k_beside(self) -> None:
        result = result_of([("q", "a", 1)], {"q": ["x", "a"]}, metrics=["recall@2"], ks=(1,))
        assert column(result, "recall@2") == [1.0]
        assert result.ks == (1, 2)

    def test_a_list_without_scores_keeps_its_order_in_the_trec_convention(self) -> None:
        result = result_of([("q", "a", 1)], {"q": ["a", "z"]}, metrics=["mrr"], convention="trec")
        assert column(result, "mrr") == [1.0]

    @pytest.mark.parametrize(
        ("how", "key"),
        [
            ({"ks": (0,)}, "metrics.bad-k"),
            ({"ks": ()}, "metrics.bad-k"),
            ({"ks": (1.5,)}, "metrics.bad-k"),
            ({"level": 0}, "metrics.bad-level"),
            ({"level": float("nan")}, "metrics.bad-level"),
            ({"convention": "ms-marco"}, "metrics.unknown-convention"),
            ({"metrics": ["ngcd@10"]}, "metrics.unknown-metric"),
            ({"metrics": ["ndcg@0"]}, "metrics.unknown-metric"),
            ({"metrics": ["ndcg@ten"]}, "metrics.unknown-metric"),
        ],
    )
    def test_what_cannot_be_meant_is_refused(self, how: dict[str, Any], key: str) -> None:
        with pytest.raises(RagtuiError) as caught:
            result_of([("q", "a", 1)], {"q": ["a"]}, **how)
        assert caught.value.key == key
        assert caught.value.mend

    def test_a_misspelt_metric_gets_the_nearest(self) -> None:
        with pytest.raises(RagtuiError) as caught:
            result_of([("q", "a", 1)], {"q": ["a"]}, metrics=["ngcd@10"])
        assert "ndcg" in caught.value.mend


class TestNotes:
    def test_what_was_met_is_said_in_plain_words(self) -> None:
        gold = pd.DataFrame(
            [("q1", "a", 1, "x"), ("q1", "a", 2, "y"), ("q1", "b", -1, "x"), ("q2", "c", 1, "x")],
            columns=["query_id", "chunk_id", "grade", "annotator"],
        )
        lists = RankedLists.from_lists({"q1": ["a", "b", "a", "d", "e"]}, {"q1": [0.5, 0.5, 0.1, 0.7, 0.2]})
        ids = np.array(["q1", "q2"], dtype=object)
        result = evaluate(
            ids, Listed(lists, GoldTable.from_frame(gold)), ks=(1,), depth=10, failed=frozenset({"q3"})
        )
        said = {note.kind: dict(note.values) for note in result.notes}
        assert said == {
            "missing": {"n": 1, "first": "q2"},
            "order-disagreements": {"n": 1},
            "duplicates": {"n": 1},
            "ties": {"n": 1},
            "conflicts": {"n": 1},
            "negatives": {"n": 1},
        }
        assert all(note.text for note in result.notes)
