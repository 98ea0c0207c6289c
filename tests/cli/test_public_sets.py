"""The command line over public data gives the numbers that pytrec_eval gave."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Call

COUNT = "n_queries_with_gold"
NAMES = {"map": "map", "recip_rank": "mrr"}
PATTERNS = {
    r"P_(\d+)": "precision@",
    r"recall_(\d+)": "recall@",
    r"success_(\d+)": "hit@",
    r"map_cut_(\d+)": "map@",
    r"ndcg_cut_(\d+)": "ndcg@",
}


def our_name(measure: str) -> str:
    for pattern, name in PATTERNS.items():
        match = re.fullmatch(pattern, measure)
        if match:
            return name + match[1]
    return NAMES[measure]


@pytest.mark.parametrize("name", ["cranfield", "squad2_cs224n", "rgb", "drcd", "cmrc2018"])
def test_trec_means_equal_those_of_pytrec_eval(ragtui: Call, shared: Path, name: str) -> None:
    folder = shared / "data" / name
    expected = json.loads((folder / "EXPECTED_pytrec_eval.json").read_text(encoding="utf-8"))
    names = {
        measure: our_name(measure) for of_run in expected.values() for measure in of_run if measure != COUNT
    }
    metrics = ",".join(sorted(set(names.values())))
    runs = ragtui("eval", folder, "--convention", "trec", "--metrics", metrics, "--json").json("eval")["runs"]
    assert set(expected) == set(runs)
    for run, measures in expected.items():
        found = runs[run]["metrics"]
        assert found["map"]["n"] == measures[COUNT]
        for measure, name_of_ours in names.items():
            # the file holds six digits
            assert found[name_of_ours]["mean"] == pytest.approx(measures[measure], abs=1e-6), measure
