"""Real sets in two languages against the means that pytrec_eval gave for the same files."""

from __future__ import annotations

from pathlib import Path

import pytest

import ragtui
from tests.oracle.trec_files import json_of, means, our_name, qrels_of, run_of

SETS = ("cranfield", "squad2_cs224n", "rgb", "drcd", "cmrc2018")


@pytest.mark.parametrize("name", SETS)
def test_trec_convention_equals_the_expected_file(shared: Path, name: str) -> None:
    folder = shared / "data" / name
    gold = qrels_of(folder / "qrels.trec")
    expected = json_of(folder / "EXPECTED_pytrec_eval.json")
    assert expected
    for run, values in expected.items():
        n = values.pop("n_queries_with_gold")
        names = {measure: our_name(measure) or "" for measure in values}
        table = ragtui.evaluate(
            gold, run_of(folder / f"run.{run}.trec"), list(names.values()), convention="trec"
        )
        assert table.attrs["counts"]["run"]["scored"] == n
        ours = means(table)
        for measure, name_of_ours in names.items():
            assert ours[name_of_ours] == pytest.approx(values[measure], abs=5e-7), (run, measure)


@pytest.mark.parametrize("name", SETS)
def test_conventions_agree_where_they_define_the_same(shared: Path, name: str) -> None:
    folder = shared / "data" / name
    gold = qrels_of(folder / "qrels.trec")
    run = next(iter(sorted(folder.glob("run.*.trec"))))
    # ties are ordered otherwise, so scores are made distinct in the order of trec_eval
    ranked = {
        query: [c for c, _ in sorted(scores.items(), key=lambda item: (item[1], item[0]), reverse=True)]
        for query, scores in run_of(run).items()
    }
    lists = {query: {c: float(-i) for i, c in enumerate(chunks)} for query, chunks in ranked.items()}
    same = ["hit@5", "recall@10", "precision@5", "mrr@10"]
    with_relevant = {query: grades for query, grades in gold.items() if max(grades.values()) > 0}
    plain = ragtui.evaluate(with_relevant, lists, same)
    trec = ragtui.evaluate(with_relevant, lists, same, convention="trec")
    assert means(plain) == means(trec)
