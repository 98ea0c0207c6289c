"""Judging as reported by people who met the faults: cases of the shared data, with their expected values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ragtui.judging.folder import load_judges, read_judge
from ragtui.judging.interpret import reason_text, verdicts_from
from ragtui.judging.model import VERDICT_COLUMNS, Item, Judge, Reply, Verdict
from ragtui.judging.prompts import requests_for
from ragtui.judging.scores import HIGHEST, LOWEST, JudgedScores, aggregate, judged_scores
from ragtui.judging.selection import Selected
from ragtui.judging.statements import statements_of
from tests.unit.judging.judges import TOGETHER_PROMPT, TOGETHER_SCHEMA, write_judge

JUDGES = load_judges()


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def expected(case: Path) -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    return found


def items_of(row: Mapping[str, Any]) -> tuple[Item, ...]:
    """One item for each context of a record."""
    return tuple(
        Item(row["query_id"], row["query"], f"c{place}", context, row["reference"])
        for place, context in enumerate(row["retrieved_contexts"])
    )


def item_of(row: Mapping[str, Any]) -> Item:
    """One item for all contexts of a record."""
    contexts = tuple((f"c{place}", text) for place, text in enumerate(row["retrieved_contexts"]))
    return Item(row["query_id"], row["query"], reference=row["reference"], contexts=contexts)


def scores(judge: Judge, selected: list[Selected], verdicts: list[Verdict]) -> JudgedScores:
    rows = [[getattr(verdict, name) for name in VERDICT_COLUMNS] for verdict in verdicts]
    return judged_scores(judge, selected, pd.DataFrame(rows, columns=list(VERDICT_COLUMNS)), at="5")


def test_29_replies_in_fences_with_reasoning_and_loose_json(shared: Path) -> None:
    case = shared / "cases" / "29-judge-reply-in-markdown-fence"
    judge = JUDGES["context-precision"]
    (row,) = lines(case / "dataset.jsonl")
    items = items_of(row)
    replies = [Reply(line["reply"]) for line in lines(case / "judge_replies.jsonl")]
    verdicts = [
        found
        for item, reply in zip(items, replies, strict=True)
        for found in verdicts_from(judge, item, reply)
    ]
    assert [verdict.value for verdict in verdicts] == expected(case)["verdicts"]
    chunk_ids = tuple(item.chunk_id for item in items)
    found = scores(judge, [Selected("q1", "judged", chunk_ids, items)], verdicts)
    assert found.scores["context_precision@5"].estimate.mean == expected(case)["context_precision"]
    assert found.per_query.loc["q1", "judged"] == 3


def test_31_verdicts_that_are_too_few_or_too_many(shared: Path, tmp_path: Path) -> None:
    case = shared / "cases" / "31-verdict-count-differs"
    judge = read_judge(write_judge(tmp_path / "j", prompts={"en": TOGETHER_PROMPT}, of_reply=TOGETHER_SCHEMA))
    items = {row["query_id"]: item_of(row) for row in lines(case / "dataset.jsonl")}
    verdicts = {
        line["query_id"]: verdicts_from(judge, items[line["query_id"]], Reply(line["reply"]))
        for line in lines(case / "judge_replies.jsonl")
    }
    reasons = {query_id: reason_text(v[0].status, v[0].reason, "en") for query_id, v in verdicts.items()}
    assert reasons["q1"] == "verdict count 2, contexts 3"
    assert reasons["q2"] == "verdict count 4, contexts 3"
    selected = [Selected(q, "judged", ("c0", "c1", "c2"), (item,)) for q, item in items.items()]
    found = scores(judge, selected, [verdict for given in verdicts.values() for verdict in given])
    score = found.scores["context_precision@5"]
    assert score.estimate.mean == expected(case)["context_precision_mean"]
    assert score.estimate.n == expected(case)["n_scored"]
    assert found.counts == {"scored": 1, "failed": expected(case)["n_failed"]}


def test_33_failed_queries_leave_the_mean_and_are_counted(shared: Path) -> None:
    case = shared / "cases" / "33-failed-rows-leave-the-average"
    rows = lines(case / "judge_results.jsonl")
    value = pd.Series([row["context_precision"] for row in rows], dtype=np.float64)
    per_query = pd.DataFrame(
        {"score": value, "score" + LOWEST: value.fillna(0), "score" + HIGHEST: value.fillna(1)}
    )
    score = aggregate(per_query, ["score"])["score"]
    wanted = expected(case)
    assert score.estimate.mean == pytest.approx(wanted["mean"])
    assert (score.estimate.n, score.of - score.estimate.n) == (wanted["n_scored"], wanted["n_failed"])
    assert (score.lowest, score.highest) == pytest.approx((wanted["low"], wanted["high"]))
    assert not score.complete


def test_34_chinese_statements_and_prompts(shared: Path) -> None:
    case = shared / "cases" / "34-chinese-statements-and-escapes"
    (row,) = lines(case / "dataset.jsonl")
    assert len(statements_of(row["reference"])) == expected(case)["statements"]
    item = item_of(row)
    judge = JUDGES["context-recall"]
    (request,) = requests_for(judge, item, model="m", endpoint="", language="zh")
    assert "退货" in request.messages[0][1]
    assert "\\u9000" not in request.messages[0][1]
    (line,) = lines(case / "judge_replies.jsonl")
    verdicts = verdicts_from(judge, item, Reply(line["reply"]))
    assert [verdict.claim for verdict in verdicts] == list(statements_of(row["reference"]))
    found = scores(judge, [Selected("q1", "judged", ("c0", "c1"), (item,))], verdicts)
    assert found.scores["context_recall@5"].estimate.mean == pytest.approx(expected(case)["context_recall"])
