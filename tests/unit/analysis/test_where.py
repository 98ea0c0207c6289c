from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragtui.analysis.facts import FLAGS, Facts
from ragtui.analysis.where import BadFilter, Nearest, Where, is_outcome, nearest_matching, parse, require
from ragtui.analysis.where_parser import TWINS, WhereError, quoted
from ragtui.messages import t
from tests.unit.analysis.conftest import FIRST, made_run, made_set, table_of

FIELDS = [
    "type",
    "level",
    "created",
    "tags",
    "rank",
    "hit@5",
    "ndcg",
    "got",
    "needs",
    "chunk",
    "id",
    "query",
    "is",
]


def matches(text: str, facts: Facts) -> str:
    """Numbers of the matching queries: `124` for q1, q2 and q4."""
    where = parse(text, facts)
    assert isinstance(where, Where), where
    return "".join(query[1:] for query in facts.table.query_ids[where.mask()])


def wrong(text: str, facts: Facts) -> WhereError:
    error = parse(text, facts)
    assert isinstance(error, WhereError), f"{text!r} was read"
    return error


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "12345678"),
        ("  \u3000 ", "12345678"),
        # metadata: whole values, without case, any of several, empty ones, wildcard
        ("type:direct", "346"),
        ("type:DIRECT,vague", "3468"),
        ("-type:direct", "12578"),
        ("type:none", "7"),
        ('type:"none"', ""),
        ("type:dir*", "346"),
        ("type:*", "1234568"),
        ('type:"dir*"', ""),
        ("type:multi", ""),
        ("type=direct", "346"),
        ("tags:form", "5"),
        ("tags:role,form", "45"),
        ("core:true", "38"),
        ("answerable:false", "6"),
        ("difficulty:none", "1234678"),
        # metadata that are numbers or dates
        ("level:3", "2"),
        ("level:2..3", "24"),
        ("level>2", "23"),
        ("level>=2 level<10", "24"),
        ("level:..2", "4"),
        ("created:2024-01..2024-06", "12"),
        ("created>=2024-06-30", "23"),
        ("created>2024-06", "3"),
        ("created<=2024-06", "12"),
        ("created:2024-07", "3"),
        ("created:2024", "123"),
        ("created:2024-07-01", "3"),
        # metrics: at the K of the table, at their own, as percent, as shown, as ranges
        ("hit@5:1", "123"),
        ("hit@5:0", "45"),
        ("hit:0", "245"),
        ("hit@5:none", "678"),
        ("recall@5:.5", "3"),
        ("recall@5:50%", "3"),
        ("recall@5>=50%", "123"),
        ("recall@5:.1..0.9", "3"),
        ("recall@5:0,1", "1245"),
        ("mrr@5:.20", "2"),
        ("precision@3:.33", "13"),
        ("precision@3:.3", ""),
        ("ndcg@5<.5", "245"),
        # ranks and counts
        ("rank:1", "13"),
        ("rank:4..6", "2"),
        ("rank>1", "2"),
        ("rank:none", "45"),
        ("first_rank:none", "45"),
        ("got:0", "245"),
        ("groups>=2", "1"),
        ("returned:0", "5"),
        ("top1>=.9", "123"),
        ("top1>=.900", "123"),
        ("stale_rank:..3", "1"),
        # flags
        ("is:miss", "245"),
        ("is:partial", "1"),
        ("is:complete", "3"),
        ("is:to-review", "1245"),
        ("is:marked", "28"),
        ("is:core", "38"),
        ("is:no-answer", "6"),
        ("is:no-gold,unjudged", "78"),
        ("is:scored", "12345"),
        ("is:missing", "5"),
        ("is:failed", ""),
        ("-is:marked is:miss", "45"),
        # chunks
        ("needs:a1", "15"),
        ("needs:a*", "15"),
        ("needs:A2", "1"),
        ("needs:a2,b2", "13"),
        ("chunk:c1", "1236"),
        ("chunk:c4,nowhere", "2"),
        ("-chunk:c*", "578"),
        # other runs, whose names may hold dots
        ("run:run.2.hit@1:1", "125"),
        ("run:run.2.is:missing", "3678"),
        ("hit@3:0 run:run.2.hit@3:1", "25"),
        ("-run:first.rank:none", "123678"),
        ('run:"run.2".returned:2', "1"),
        ("RUN:FIRST.type:vague", "8"),
        # words, in query and id
        ("hotel", "16"),
        ("HOTEL moon", "6"),
        ('"on the moon"', "6"),
        ("-hotel", "234578"),
        ("q4", "4"),
        ("出租车", "3"),
        ('"[b]"', "4"),
        ("query:hotel,出租车", "136"),
        ("id:q4", "4"),
        ("id:q*", "12345678"),
        # names in either language, any case and width
        ("类型:direct", "346"),
        ("TYPE:direct", "346"),
        ("名次:1", "13"),
        ("is:未命中", "245"),
        ("Ｔype:direct", "346"),
    ],
)
def test_which_queries_match(facts: Facts, text: str, expected: str) -> None:
    assert matches(text, facts) == expected


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("typ:direct", "typ", "type"),
        ("hotel hit@4:1", "hit@4", "hit@4 is not computed"),
        ("type:", "type:", "type has no value"),
        ("type:a,", "type:a,", "type has no value"),
        (":a", ":", "no field before :"),
        ('type:"a', '"a', "never closed"),
        ("is:mised", "mised", "miss"),
        ("is:zzz", "zzz", "to-review"),
        ("rank:first", "first", "first is no number"),
        ("hit@5<x", "x", "x is no number"),
        ("rank:9..2", "9..2", "9..2 runs backwards"),
        ("created>soon", "soon", "soon is no date"),
        ("created:2024-06..2024-01", "2024-06..2024-01", "runs backwards"),
        ("type>direct", "direct", "multi-evidence"),
        ("level>a", "a", "a is no number"),
        ("needs>a1", "needs>a1", "cannot be compared with >"),
        ("run:third.hit@5:1", "third.hit@5", "first, run.2"),
        ("run:first", "first", "run:first says no field"),
        ("run:first.typo:1", "first.typo", "There is no field typo"),
        ("ctxP<.5", "ctxP", "No verdict of a judge"),
        ("judge:failed", "judge", "No verdict of a judge"),
        ("context_precision@5<.5", "context_precision@5", "No verdict of a judge"),
        ("cause:none", "cause", "No query has a cause yet"),
        ("http://example.org", "http", "no field http"),
    ],
)
def test_errors_say_where_and_what(facts: Facts, text: str, place: str, said: str) -> None:
    error = wrong(text, facts)
    assert text[error.position : error.position + error.length] == place
    assert said in f"{error.message} {error.mend}"


def test_a_metric_beyond_the_depth_says_so() -> None:
    run = made_run("first", FIRST, depth=5)
    shallow = Facts(table_of(replace(made_set(), runs={"first": run})))
    assert "depth of the run, which is 5" in wrong("hit@10:1", shallow).message


def test_metadata_hides_what_does_not_exist_but_no_metric() -> None:
    queries = {"q1": {"text": "a", "cause": "ranking", "hit": "own", "two words": "x"}}
    facts = Facts(table_of(made_set(queries, runs={"first": {"q1": [("a1", 1.0)]}})))
    assert matches("cause:ranking", facts) == "1"
    assert matches("hit@1:1", facts) == "1"
    assert matches('"two words":x', facts) == "1"


@pytest.mark.parametrize(
    ("text", "twin"),
    [
        ("type:direct,vague -is:marked", "type：direct，vague\u3000－is：marked"),
        ("hit@5<.5", "hit@5＜.5"),
        ("level>=3", "level＞＝3"),
        ('"on the moon" -hotel', "“on the moon” -hotel"),
        ('type:"code/API"', "type：“code/API”"),
        ('id:"q,1"', 'id：“q,1"'),
    ],
)
def test_full_width_twins_mean_the_same(facts: Facts, text: str, twin: str) -> None:
    assert matches(twin, facts) == matches(text, facts)
    assert require(twin, facts).conditions[0].term.values == require(text, facts).conditions[0].term.values


def test_characters_inside_quotes_are_left_alone() -> None:
    queries = {"q1": {"text": "", "own": "a：b“c"}, "q2": {"text": "", "own": "a，b"}}
    facts = Facts(table_of(made_set(queries, gold=[], runs={"first": {}})))
    assert matches('own:"a：b“c"', facts) == "1"
    assert matches("own:“a，b”", facts) == "2"


def test_an_empty_word_is_in_every_text_even_an_empty_one() -> None:
    facts = Facts(
        table_of(made_set({"q1": {"text": ""}, "q2": {"text": "hotel"}}, gold=[], runs={"first": {}}))
    )
    assert matches('query:""', facts) == "12"
    assert matches("query:hotel", facts) == "2"


TERMS = st.sampled_from(
    [
        "type:direct",
        "hit@5:0",
        "rank:none",
        "is:miss",
        "hotel",
        "needs:a1",
        "chunk:c1",
        "level>2",
        "run:run.2.hit@1:1",
        "created:2024-01..2024-06",
        '"the moon"',
    ]
)


@given(st.lists(TERMS, min_size=1, max_size=4), st.integers(0, 3))
def test_minus_is_the_complement_and_terms_are_joined_by_and(terms: list[str], which: int) -> None:
    facts = shared_facts()
    term = terms[which % len(terms)]
    positive, negative = parse(term, facts), parse(f"-{term}", facts)
    assert isinstance(positive, Where)
    assert isinstance(negative, Where)
    np.testing.assert_array_equal(negative.mask(), ~positive.mask())
    together = parse(" ".join(terms), facts)
    assert isinstance(together, Where)
    one_by_one = [where.mask() for where in (parse(t, facts) for t in terms) if isinstance(where, Where)]
    np.testing.assert_array_equal(together.mask(), np.logical_and.reduce(one_by_one))


NOISE = st.text(
    alphabet=st.sampled_from([*'ab5.@:<>=,-*" \\', "：", "＜", "“", "”", "，", "\u3000", "型", "\ud800"])
)


@given(st.one_of(NOISE, st.text(), st.tuples(st.sampled_from(FIELDS), NOISE).map("".join)))
def test_any_text_gives_a_filter_or_an_error_within_it(text: str) -> None:
    facts = shared_facts()
    where = parse(text, facts)
    if isinstance(where, Where):
        assert where.mask().shape == (8,)
    else:
        assert 0 <= where.position <= len(text)
        assert where.length >= 1
        assert where.message
        assert where.mend


@settings(max_examples=40)
@given(st.text(min_size=1).filter(lambda value: value.strip() == value))
def test_a_quoted_value_is_found_again(value: str) -> None:
    queries = {"q1": {"text": "", "own": value}, "q2": {"text": "", "own": "other value"}}
    facts = Facts(table_of(made_set(queries, gold=[], runs={"first": {}})))
    where = parse(f"own:{quoted(value)}", facts)
    assert isinstance(where, Where)
    assert where.mask()[0]


@given(st.text())
def test_twins_are_one_character_each(text: str) -> None:
    assert len(text.translate(TWINS)) == len(text)


def test_outcomes_are_told_from_properties_of_queries(facts: Facts) -> None:
    def outcome(text: str) -> bool:
        return is_outcome(require(text, facts))

    assert not any(
        map(outcome, ["type:direct", "hotel", "is:core", "needs:a1", "level>2", "groups:2", "-is:no-answer"])
    )
    assert all(
        map(
            outcome,
            ["hit@5:0", "rank:none", "is:miss", "chunk:c1", "is:marked", "run:first.type:x", "type:a got:0"],
        )
    )


def test_nearest_filter_that_matches(facts: Facts) -> None:
    # without `type:direct` none is left, without `hit@5:0` q6, without `hotel` q4: the first of the two
    found = nearest_matching(require("type:direct hit@5:0 hotel", facts))
    assert found == Nearest("type:direct hotel", "hit@5:0", 1)
    assert nearest_matching(require("hit@5:0 id:q4 is:complete", facts)) == Nearest(
        "hit@5:0 id:q4", "is:complete", 1
    )
    assert nearest_matching(require("id:x", facts)) is None


def test_a_filter_of_the_command_line_must_be_right(facts: Facts) -> None:
    with pytest.raises(BadFilter, match="Did you mean type") as caught:
        require("typ:direct", facts)
    assert caught.value.where == "--where"


def test_the_wrong_part_is_underlined_in_cells(facts: Facts) -> None:
    with pytest.raises(BadFilter) as caught:
        require("酒店 typ:direct", facts)
    said = str(caught.value).splitlines()
    # two wide characters and a blank stand before the field
    assert said[1:3] == ["  酒店 typ:direct", "  " + " " * 5 + "^^^"]


def test_every_flag_has_a_word_in_both_languages() -> None:
    for flag in FLAGS:
        assert t(f"analysis.flag.{flag}", "en")
        assert t(f"analysis.flag.{flag}", "zh")


def shared_facts() -> Facts:
    """Facts for property tests, which may not ask for fixtures."""
    if not _made:
        evaluation = made_set()
        tables = {name: table_of(evaluation, name) for name in evaluation.runs}
        _made.append(Facts(tables["first"], tables, frozenset({"q2", "q8"})))
    return _made[0]


_made: list[Facts] = []
