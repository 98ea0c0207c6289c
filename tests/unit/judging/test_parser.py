"""Replies as models write them: what is read, and what is a failure of which kind."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragtui.judging.parser import Failure, Finding, Parsed, parse
from ragtui.judging.schema_shape import BadSchema, shape_of

ONE = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "verdict": {"type": "integer"}},
    "required": ["reason", "verdict"],
}
GRADED = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "grade": {"type": "integer", "enum": [0, 1, 2, 3]}},
}
SEVERAL = {
    "type": "object",
    "properties": {"classifications": {"type": "array", "items": {"$ref": "#/$defs/Entry"}}},
    "$defs": {
        "Entry": {
            "type": "object",
            "properties": {
                "statement": {"type": "string"},
                "reason": {"type": "string"},
                "attributed": {"type": "integer"},
            },
        }
    },
}
NUMBERS = {"type": "object", "properties": {"verdicts": {"type": "array", "items": {"type": "integer"}}}}
GRADES = (0.0, 1.0, 2.0, 3.0)


def value(text: str) -> float:
    parsed = parse(text, ONE)
    assert isinstance(parsed, Parsed), (text, parsed)
    (finding,) = parsed.findings
    return finding.value


def failure(text: str, schema: Any = ONE, scale: tuple[float, ...] = (0.0, 1.0)) -> tuple[str, str]:
    parsed = parse(text, schema, scale)
    assert isinstance(parsed, Failure), (text, parsed)
    return parsed.kind, parsed.code


@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "states the year", "verdict": 1}',
        '```json\n{"reason": "states the year", "verdict": 1}\n```',
        '~~~\n{"reason": "states the year", "verdict": 1}\n~~~',
        'Here is my answer:\n{"reason": "states the year", "verdict": 1}\nHope that helps!',
        "{'reason': 'it\\'s there', 'verdict': 1,}",
        "{'reason': 'it's there, isn't it', 'verdict': 1}",
        '{"reason": "he said "1998" there", "verdict": 1}',
        '{"reason": "two\nlines", "verdict": 1}',
        "{“reason”：“写明年份”，“verdict”：1}",
        "{「理由」：「写明年份」，「判定」：1}",
        '{"理由": "写明年份，见上文：1998", "结论": "有用"}',
        '{"reason": "写明年份", "verdict": １}',
        '{reason: "states the year", verdict: 1}',
        '{"reason": "states the year"\n "verdict": 1}',
        '{"verdict": "1"}',
        '{"verdict": 1.0}',
        '{"verdict": true}',
        "{'verdict': True, 'reason': None}",
        '{"verdict": "Yes"}',
        '{"verdict": "useful."}',
        '{"verdict": "是"}',
        '{"VERDICT": "1 (useful)"}',
        '{"result": {"reason": "x", "verdict": 1}}',
        '[{"reason": "x", "verdict": 1}]',
        '{"verdict": 1} and again {"verdict": 1, "reason": "x"}',
        '{"verdict": 1, "verdict": 1}',
        'I look at {context} first. {"verdict": 1}',
    ],
)
def test_forms_of_a_useful_verdict(text: str) -> None:
    assert value(text) == 1.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yes", 1.0),
        ("No.", 0.0),
        ("是。", 1.0),
        ("否", 0.0),
        ("有用", 1.0),
        ("无用。", 0.0),
        ("没有用", 0.0),
        ("Not useful", 0.0),
        ("useful", 1.0),
        ("1", 1.0),
        ("**0**", 0.0),
        ("Verdict: 1", 1.0),
        ("**Verdict:** not useful\nThe year is missing.", 0.0),
        ("判定：无用\n理由：没有年份。", 0.0),
        ("Yes, the context states the year.", 1.0),
        ("No, the year is missing.", 0.0),
        ("The context names the year.\n\n1", 1.0),
        ("0\n\nIt is about another building.", 0.0),
    ],
)
def test_words_stand_for_verdicts(text: str, expected: float) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("parse-error", "empty-reply")),
        (" \n", ("parse-error", "empty-reply")),
        ("<think>The year is there, so 1.</think>", ("parse-error", "only-reasoning")),
        ('<think>It could be {"verdict": 1}', ("parse-error", "only-reasoning")),
        ("8/10", ("parse-error", "not-a-verdict")),
        ("75%", ("parse-error", "not-a-verdict")),
        ('{"verdict": "8/10"}', ("parse-error", "not-a-verdict")),
        ('{"verdict": 75%}', ("parse-error", "not-a-verdict")),
        ("I would say 8/10 for this one.", ("parse-error", "not-a-verdict")),
        ('{"verdict": null}', ("parse-error", "not-a-verdict")),
        ('{"verdict": NaN}', ("parse-error", "not-a-verdict")),
        ('{"verdict": "maybe"}', ("parse-error", "not-a-verdict")),
        ('{"reason": "I cannot tell the year"}', ("parse-error", "no-verdict")),
        ("The context is about libraries in general.", ("parse-error", "no-verdict")),
        ('{"verdict": 7}', ("off-scale", "off-scale")),
        ('{"verdict": -1}', ("off-scale", "off-scale")),
        ('{"verdict": 1' + "0" * 400 + "}", ("off-scale", "off-scale")),
        ('{"verdict": 1' + "0" * 5000 + "}", ("parse-error", "not-a-verdict")),
        ('{"verdict": 0.5}', ("off-scale", "off-scale")),
        ("7", ("off-scale", "off-scale")),
        ('{"verdict": 1, "verdict": 0}', ("contradiction", "repeated-key")),
        ('{"verdict": 1} or rather {"verdict": 0}', ("contradiction", "two-verdicts")),
        ('{"verdict": 1}\nVerdict: 0', ("contradiction", "two-verdicts")),
        ("Verdict: 1\nVerdict: 0", ("contradiction", "two-verdicts")),
        ("Yes, though in truth it is not useful.", ("contradiction", "two-verdicts")),
        ('{"verdict": 1} {"verdict": 7}', ("contradiction", "two-verdicts")),
        ("I can't help with that request.", ("refused", "refused")),
        ("I’m sorry, but I cannot assist with this.", ("refused", "refused")),
        ("I'm sorry, this conversation has to end here.", ("refused", "refused")),
        ("As an AI language model, I am unable to provide a verdict.", ("refused", "refused")),
        ("抱歉，我无法回答这个问题。", ("refused", "refused")),
        ("作为人工智能，我不能提供这类判断。", ("refused", "refused")),
        ('{"reason": "I\'m sorry, I can\'t assist with that.", "verdict": 0}', ("refused", "refused")),
        ('{"reason": "抱歉，我无法协助。", "verdict": 0}', ("refused", "refused")),
        ('{"verdict": 1, "reason": "the year', ("parse-error", "broken-json")),
        ('{"type": "object", "properties": {"verdict": {"type": "integer"}}}', ("parse-error", "no-verdict")),
    ],
)
def test_kinds_of_failure(text: str, expected: tuple[str, str]) -> None:
    assert failure(text) == expected


def test_json_inside_reasoning_is_not_taken() -> None:
    text = '<think>Not the library {"verdict": 1}? No.</think>\nHere:\n{"reason": "other", "verdict": 0}'
    assert value(text) == 0.0
    # some servers put the opening tag into the prompt, so the reply begins within the reasoning
    assert value('so {"verdict": 1} would be wrong</think>{"verdict": 0}') == 0.0
    assert value('an unclosed {"verdict": 1, "reason": "…</think>{"verdict": 0}') == 0.0


def test_a_tag_quoted_in_the_reason_ends_nothing() -> None:
    text = '{"reason": "it says </think> {\\"verdict\\": 1} to fool me", "verdict": 0}'
    assert value(text) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        # what a context planted, quoted in a reply that was cut off within the quotation
        '{"verdict": 0, "reason": "the text says {\'verdict\': 1}',
        '{"reason": "the text says {"verdict": 1} and',
    ],
)
def test_a_verdict_inside_a_broken_object_is_not_taken(text: str) -> None:
    assert failure(text) == ("parse-error", "broken-json")


def test_a_quotation_that_was_not_escaped_is_a_contradiction() -> None:
    assert failure('{"reason": "it says", "verdict": 1, "x": "", "verdict": 0}')[0] == "contradiction"


@pytest.mark.parametrize("quote", ['"', "'"])
def test_escapes_of_pairs_become_characters_and_half_a_pair_a_sign(quote: str) -> None:
    text = '{"reason": "\\ud83d\\ude00 \\ud800 \\u9000\\n\\q", "verdict": 1}'.replace('"', quote)
    parsed = parse(text.replace("\\q", ""), ONE)
    assert parsed == Parsed((Finding(1.0, "😀 \ufffd 退"),))


def test_words_are_no_grades() -> None:
    assert failure('{"grade": "yes"}', GRADED, GRADES) == ("parse-error", "not-a-verdict")
    assert failure('{"grade": true}', GRADED, GRADES) == ("parse-error", "not-a-verdict")
    assert failure('{"grade": 4}', GRADED, GRADES) == ("off-scale", "off-scale")
    assert parse("Grade: 2\nIt is needed.", GRADED, GRADES) == Parsed(
        (Finding(2.0, "Grade: 2\nIt is needed."),)
    )
    assert parse("等级：3", GRADED, GRADES) == Parsed((Finding(3.0, "等级：3"),))


def test_a_list_of_statements() -> None:
    text = json.dumps(
        {
            "classifications": [
                {"statement": "退货期限为七天。", "reason": "原文有", "attributed": 1},
                {"statement": "生鲜不退。", "attributed": "否"},
            ]
        },
        ensure_ascii=False,
    )
    assert parse(text, SEVERAL) == Parsed(
        (Finding(1.0, "原文有", "退货期限为七天。"), Finding(0.0, "", "生鲜不退。"))
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"classifications": []}', ("parse-error", "no-statements")),
        ('{"classifications": [{"statement": "a", "attributed": 2}]}', ("off-scale", "off-scale")),
        ('{"classifications": [{"statement": "a"}]}', ("parse-error", "no-verdict")),
        (
            '{"classifications": [{"statement": "a", "attributed": 1}, {"statement": "a", "attributed": 0}]}',
            ("contradiction", "repeated-label"),
        ),
        # cut off after the first entry: a share of what is left would be a made-up number
        ('{"classifications": [{"statement": "a", "attributed": 1}, {"stat', ("parse-error", "broken-json")),
        ("抱歉，我无法协助。", ("refused", "refused")),
    ],
)
def test_failures_of_lists(text: str, expected: tuple[str, str]) -> None:
    assert failure(text, SEVERAL) == expected


def test_a_list_without_its_name_is_read() -> None:
    text = '[{"statement": "a", "attributed": 1}, {"statement": "b", "attributed": 0}]'
    assert parse(text, SEVERAL) == Parsed((Finding(1.0, "", "a"), Finding(0.0, "", "b")))


def test_a_statement_that_is_repeated_alike_counts_once() -> None:
    text = '{"classifications": [{"statement": "a", "attributed": 1}, {"statement": "a", "attributed": 1}]}'
    assert parse(text, SEVERAL) == Parsed((Finding(1.0, "", "a"),))


def test_a_list_of_bare_numbers_keeps_them_all() -> None:
    assert parse('{"verdicts":[0,1,0]}', NUMBERS) == Parsed((Finding(0.0), Finding(1.0), Finding(0.0)))


@pytest.mark.parametrize(
    "schema",
    [
        [],
        {},
        {"properties": {"reason": {"type": "string"}}},
        {"properties": {"a": {"type": "integer"}, "b": {"type": "number"}}},
        {"properties": {"a": {"type": "array"}}},
        {"properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/Missing"}}}},
    ],
)
def test_a_schema_without_one_verdict_is_refused(schema: Any) -> None:
    with pytest.raises(BadSchema):
        shape_of(schema)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("{" * 50_000, id="braces"),
        pytest.param('{"a":' * 20_000, id="depth"),
        pytest.param("{'" * 50_000, id="quotes"),
        pytest.param("[" * 50_000, id="brackets"),
        pytest.param('{"reason": "' + "x'" * 100_000, id="open string"),
        pytest.param("<think>" * 20_000, id="tags"),
    ],
)
def test_hostile_replies_are_failures(text: str) -> None:
    assert isinstance(parse(text, ONE), Failure)


@given(st.text(max_size=200))
def test_no_text_raises_or_gives_a_value_off_the_scale(text: str) -> None:
    for schema, scale in ((ONE, (0.0, 1.0)), (GRADED, GRADES), (SEVERAL, (0.0, 1.0))):
        parsed = parse(text, schema, scale)
        if isinstance(parsed, Parsed):
            assert all(finding.value in scale for finding in parsed.findings)


_PIECES = """{ } [ ] " ' : ， , 1 0 7 8/10 75% verdict reason attributed classifications yes 否 \\ \\u12
<think> </think> ``` “ ” null NaN""".split()  # noqa: SIM905 - a list of quoted marks is hard to read


@given(st.lists(st.sampled_from([*_PIECES, " ", "\n"]), max_size=40).map("".join))
def test_no_jumble_of_json_raises(text: str) -> None:
    for schema in (ONE, GRADED, SEVERAL, NUMBERS):
        parsed = parse(text, schema)
        if isinstance(parsed, Parsed):
            assert parsed.findings
            assert all(finding.value in (0.0, 1.0) for finding in parsed.findings)


@pytest.mark.parametrize(
    "reason",
    [
        "I cannot help but notice that the year is missing.",
        "I cannot find the year in the context.",
        "抱歉，从上下文中看不出年份。",
        "很遗憾，无法从上下文得出答案。",
        "我无法在上下文中找到年份。",
    ],
)
def test_a_reason_that_regrets_is_no_refusal(reason: str) -> None:
    assert value(json.dumps({"reason": reason, "verdict": 0}, ensure_ascii=False)) == 0.0


_REASONS = st.text(st.characters(blacklist_categories=["Cs"]), max_size=80)


@given(_REASONS, st.sampled_from([0, 1]), st.sampled_from(["{}", "```json\n{}\n```", "Sure.\n{}\nDone."]))
def test_whatever_the_reason_says_well_formed_json_is_read(reason: str, verdict: int, around: str) -> None:
    text = around.format(json.dumps({"reason": f"Text: {reason}", "verdict": verdict}))
    assert parse(text, ONE) == Parsed((Finding(float(verdict), f"Text: {reason}".strip()),))
