"""What replies mean for each engine, and what is kept where there is no verdict."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ragtui.judging import interpret
from ragtui.judging.folder import load_judges, read_judge
from ragtui.judging.interpret import failed_verdicts, reason_text, verdicts_from
from ragtui.judging.items import text_hash
from ragtui.judging.model import Judge, Verdict
from ragtui.messages import catalogue
from tests.unit.judging.judges import LIBRARY, TOGETHER_PROMPT, TOGETHER_SCHEMA, reply, write_judge

JUDGES = load_judges()
PRECISION = JUDGES["context-precision"]
RECALL = JUDGES["context-recall"]


@pytest.fixture
def together(tmp_path: Path) -> Judge:
    return read_judge(
        write_judge(tmp_path / "together", prompts={"en": TOGETHER_PROMPT}, of_reply=TOGETHER_SCHEMA)
    )


def test_a_verdict_says_whose_it_is_and_on_what() -> None:
    (verdict,) = verdicts_from(
        PRECISION, LIBRARY, reply('{"reason": "the year", "verdict": 1}'), model="p/m", repeat=2
    )
    assert verdict == Verdict(
        query_id="q1",
        chunk_id="c1",
        claim=None,
        value=1.0,
        reason="the year",
        status="ok",
        judge="context-precision",
        version="ragas-0.4.3",
        model="p/m",
        repeat=2,
        text_hash=text_hash(PRECISION, LIBRARY),
        latency_ms=250.0,
        tokens_in=100,
        tokens_out=20,
        cost=0.01,
    )


@pytest.mark.parametrize(
    ("text", "finish", "status", "reason"),
    [
        ("", "stop", "parse-error", "empty-reply"),
        ('{"verdict": 7}', "stop", "off-scale", "off-scale"),
        ('{"reason": "so far', "length", "truncated", "truncated"),
        ("Yes, the con", "length", "truncated", "truncated"),
        ("", "length", "truncated", "truncated"),
        ("", "content_filter", "refused", "content-filter"),
        ('{"verdict": 1}', "content_filter", "refused", "content-filter"),
        ('{"verdict": 1} {"verdict": 0}', "stop", "contradiction", "two-verdicts"),
        ("I can't help with that.", "stop", "refused", "refused"),
    ],
)
def test_a_failure_has_a_status_the_raw_reply_and_no_value(
    text: str, finish: str, status: str, reason: str
) -> None:
    (verdict,) = verdicts_from(PRECISION, LIBRARY, reply(text, finish), model="m")
    assert (verdict.value, verdict.status, verdict.reason, verdict.raw) == (None, status, reason, text)
    assert verdict.cost == 0.01


def test_a_whole_object_is_believed_though_the_reply_was_cut_off_after_it() -> None:
    (verdict,) = verdicts_from(PRECISION, LIBRARY, reply('{"verdict": 1}\n```', "length"))
    assert verdict.value == 1.0


def test_a_reference_gets_a_verdict_for_each_statement_and_one_bill() -> None:
    text = (
        '{"classifications": [{"statement": "It opened.", "reason": "a", "attributed": 1},'
        ' {"statement": "In 1998.", "reason": "b", "attributed": 0}]}'
    )
    verdicts = verdicts_from(RECALL, LIBRARY, reply(text), model="m")
    assert [(v.chunk_id, v.claim, v.value, v.reason) for v in verdicts] == [
        (None, "It opened.", 1.0, "a"),
        (None, "In 1998.", 0.0, "b"),
    ]
    assert sum(v.tokens_in or 0 for v in verdicts) == 100
    assert sum(v.cost or 0 for v in verdicts) == pytest.approx(0.01)
    assert {v.latency_ms for v in verdicts} == {250.0}


def test_unknown_cost_stays_unknown() -> None:
    text = '{"classifications": [{"statement": "a", "attributed": 1}, {"statement": "b", "attributed": 0}]}'
    free = replace(reply(text), cost=None)
    assert [v.cost for v in verdicts_from(RECALL, LIBRARY, free)] == [None, None]


def test_a_failure_on_a_reference_is_one() -> None:
    (verdict,) = verdicts_from(RECALL, LIBRARY, reply("nothing"), model="m")
    assert (verdict.chunk_id, verdict.claim, verdict.status) == (None, None, "parse-error")


def test_a_statement_and_a_context_are_named() -> None:
    (verdict,) = verdicts_from(JUDGES["claim-coverage"], LIBRARY, reply('{"supported": 1}'))
    assert (verdict.chunk_id, verdict.claim, verdict.value) == ("c1", "The library opened in 1998.", 1.0)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"verdicts": [0, 1]}', [0.0, 1.0]),
        ('{"verdicts": [{"id": "c2", "verdict": 1}, {"id": "c1", "verdict": 0}]}', [0.0, 1.0]),
        ('{"verdicts": [{"id": "C1", "verdict": 1}, {"id": "C2", "verdict": 0}]}', [1.0, 0.0]),
    ],
)
def test_several_verdicts_go_to_their_contexts(together: Judge, text: str, values: list[float]) -> None:
    verdicts = verdicts_from(together, LIBRARY, reply(text))
    assert [(v.chunk_id, v.value) for v in verdicts] == list(zip(["c1", "c2"], values, strict=True))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"verdicts": [1]}', "verdict-count 1 2"),
        ('{"verdicts": [0, 1, 0]}', "verdict-count 3 2"),
        ('{"verdicts": [{"id": "c1", "verdict": 1}, {"id": "c3", "verdict": 1}]}', "unknown-id"),
        ('{"verdicts": [{"id": "c1", "verdict": 1}, {"verdict": 1}]}', "unknown-id"),
    ],
)
def test_verdicts_that_cannot_be_told_apart_are_failures_of_all(
    together: Judge, text: str, reason: str
) -> None:
    verdicts = verdicts_from(together, LIBRARY, reply(text))
    assert [(v.chunk_id, v.value, v.status, v.reason) for v in verdicts] == [
        ("c1", None, "parse-error", reason),
        ("c2", None, "parse-error", reason),
    ]


def test_what_was_not_asked_is_skipped() -> None:
    (verdict,) = verdicts_from(PRECISION, replace(LIBRARY, reference=""), None, model="m")
    assert (verdict.value, verdict.status, verdict.reason) == (None, "skipped", "no-reference")


def test_a_failure_of_the_network_is_kept_in_the_same_way() -> None:
    (verdict,) = failed_verdicts(PRECISION, LIBRARY, "timeout", "timeout", model="m", repeat=1)
    assert (verdict.status, verdict.chunk_id, verdict.repeat) == ("timeout", "c1", 1)


@pytest.mark.parametrize(
    ("status", "reason", "language", "expected"),
    [
        ("ok", "two-verdicts are fine with me", "en", "two-verdicts are fine with me"),
        ("parse-error", "verdict-count 2 3", "en", "verdict count 2, contexts 3"),
        ("parse-error", "verdict-count 2 3", "zh", "结论 2 个，上下文 3 个"),
        ("ok", "in-gold", "en", "the chunk is in the gold of the query"),
        ("error", "something else", "en", "something else"),
        ("ok", "similarity of the two is plain", "en", "similarity of the two is plain"),
        ("ok", "similarity 0.83 a b#1", "zh", "与 a b#1 的相似度为 0.83"),
        ("skipped", "no-reference", "zh", "没有参考答案"),
    ],
)
def test_reasons_in_both_languages(status: str, reason: str, language: str, expected: str) -> None:
    assert reason_text(status, reason, language) == expected  # type: ignore[arg-type]


def test_every_code_has_a_text_in_both_languages() -> None:
    code = re.compile(r"(?:Failure|Unread)\(\s*\"[a-z-]+\",\s*f?\"([a-z-]+)")
    package = Path(interpret.__file__).parent
    codes = {
        found for file in package.glob("*.py") for found in code.findall(file.read_text(encoding="utf-8"))
    }
    assert {"two-verdicts", "off-scale", "verdict-count", "truncated"} <= codes
    codes |= {"no-query", "no-context", "no-reference", "no-claim", "no-gold", "not-asked"}
    for language in ("en", "zh"):
        known = catalogue(language, "judging")
        assert {name for name in codes if f"judging.reason.{name}" not in known} == set()
