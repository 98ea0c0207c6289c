"""Bars, axis, cursor steps, curve and words of screen 4, without a screen."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragtui.analysis.calibration.calibrate import Aim, Calibration, calibrate
from ragtui.analysis.calibration.histogram import Histogram, histogram
from ragtui.analysis.calibration.rules import rule_of
from ragtui.analysis.calibration.sample import Sample
from ragtui.analysis.calibration.score_names import ScoreName
from ragtui.errors import RagtuiError
from ragtui.messages import LANGUAGES, use
from ragtui.tui import cells, glyphs
from ragtui.tui.state import no_answer_bars as drawn
from ragtui.tui.state.no_answer import coarse_step, fine_step, rule_from, start_of, written
from ragtui.tui.state.no_answer_choices import READY, rule_choices, score_choices
from ragtui.tui.state.no_answer_curve import plot
from ragtui.tui.state.no_answer_panel import Panel, ticks
from ragtui.tui.state.no_answer_words import facts, rule_words
from ragtui.tui.state.pieces import Fact


def made(
    scores: list[float], kinds: list[int], *, direction: str = "higher", split: str | None = "dev"
) -> Sample:
    """A sample of queries `q0`, `q1` and so on."""
    return Sample(
        split=split,
        score=ScoreName(),
        run_direction="lower" if direction == "lower" else "higher",
        k=5,
        query_ids=np.array([f"q{n}" for n in range(len(scores))], dtype=object),
        kind=np.array(kinds, dtype=np.int8),
        values=np.array(scores, dtype=np.float64),
    )


def binned(found: list[int], missed: list[int], no_answer: list[int]) -> Histogram:
    """Counts in bins that are one wide."""
    edges = np.arange(len(found) + 1, dtype=np.float64)
    of_found, of_missed, nothing = (np.array(kind, dtype=np.int64) for kind in (found, missed, no_answer))
    return Histogram(edges, of_found, of_missed, nothing, without=(0, 0, 0))


def text(lines: list[Fact]) -> str:
    return "\n".join("".join(piece.text for piece in line) for line in lines)


# bars


def test_bars_are_as_tall_as_their_counts() -> None:
    """Four lines; the tallest above is 6, below 2: three lines above and one below, two queries a line."""
    bars = drawn.bars(binned([6, 2, 1, 0], [0, 0, 0, 0], [2, 1, 0, 0]), 4, 1)
    assert bars.per_line == 2
    assert [row.text for row in bars.above] == ["█   ", "█   ", "██▄ "]
    assert [(row.text, row.marks) for row in bars.below] == [("█▀  ", "nn  ")]


def test_missed_queries_are_hatched_on_top_of_the_found_ones() -> None:
    bars = drawn.bars(binned([2], [2], [0]), 4, 1)
    assert [(row.text, row.marks) for row in bars.above] == [("⢕", "m"), ("⢕", "m"), ("█", "f")]
    four = drawn.bars(binned([8], [0], [0]), 4, 1)
    assert [row.marks for row in four.above] == ["f", "f", "f"]


def test_one_missed_query_among_many_is_seen() -> None:
    bars = drawn.bars(binned([99], [1], [0]), 5, 1)
    assert "m" in "".join(row.marks for row in bars.above)


def test_one_query_beside_a_thousand_is_seen() -> None:
    bars = drawn.bars(binned([1000, 1], [0, 0], [0, 1]), 6, 1)
    assert bars.above[-1].text == "█▁"
    assert bars.below[0].text == " ▔"


def test_bins_may_be_several_cells_wide() -> None:
    bars = drawn.bars(binned([2, 1], [0, 0], [1, 0]), 3, 3)
    assert bars.above[-1].text == "███▄▄▄" or bars.above[-1].text == "██████"
    assert all(len(row.text) == 6 for row in (*bars.above, *bars.below))


def test_ascii_bars_need_no_other_characters() -> None:
    glyphs.use("ascii")
    bars = drawn.bars(binned([6, 2, 1], [0, 3, 0], [2, 1, 0]), 4, 1)
    everything = "".join(row.text for row in (*bars.above, *bars.below))
    assert everything.isascii()
    assert bars.below[0].text == "oo "


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 50)] * 3), min_size=1, max_size=30),
    st.integers(2, 20),
    st.integers(1, 3),
)
def test_every_kind_is_drawn_where_it_is_and_nowhere_else(
    bins: list[tuple[int, int, int]], lines: int, wide: int
) -> None:
    found, missed, no_answer = (list(counts) for counts in zip(*bins, strict=True))
    bars = drawn.bars(binned(found, missed, no_answer), lines, wide)
    assert len(bars.above) + len(bars.below) == lines
    for at in range(len(bins)):
        above = {row.marks[at * wide] for row in bars.above} - {drawn.BLANK}
        below = {row.marks[at * wide] for row in bars.below} - {drawn.BLANK}
        assert bool(above) == bool(found[at] + missed[at])
        assert bool(below) == bool(no_answer[at])
        if not missed[at]:
            assert drawn.MISSED not in above
        if not found[at]:
            assert drawn.FOUND not in above


def test_there_are_fewer_bins_for_fewer_queries() -> None:
    assert drawn.cells_per_bin(100_000, 120) == 1
    assert drawn.cells_per_bin(240, 120) == 3
    assert drawn.cells_per_bin(5, 120) == 5
    assert drawn.cells_per_bin(5, 10) == 1


def test_the_cursor_stands_between_the_cells_it_parts() -> None:
    bins = binned([1] * 10, [0] * 10, [0] * 10)
    assert [drawn.split_at(bins, at, 10) for at in (-5, 0, 2.9, 3, 10, 99)] == [0, 0, 3, 3, 10, 10]


# axis


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (0.70, 0.95, [".70", ".75", ".80", ".85", ".90", ".95"]),
        (3.2, 41.0, ["5", "10", "15", "20", "25", "30", "35", "40"]),
        (-40.0, -1.0, ["-40", "-35", "-30", "-25", "-20", "-15", "-10", "-5"]),
        (0.0, 3e-7, ["0", ".0000001", ".0000002", ".0000003"]),
        (1e9, 4e9, ["1000000000", "2000000000", "3000000000", "4000000000"]),
    ],
)
def test_figures_of_an_axis_are_round(low: float, high: float, shown: list[str]) -> None:
    assert [figure for _, figure in ticks(low, high, 70)] == shown


@settings(max_examples=200, deadline=None)
@given(
    st.floats(-1e9, 1e9),
    st.floats(1e-9, 1e9),
    st.integers(4, 200),
)
def test_figures_of_an_axis_neither_overlap_nor_leave_it(low: float, span: float, width: int) -> None:
    used = 0
    for at, figure in ticks(low, low + span, width):
        assert at >= used
        used = at + len(figure)
        assert used <= width or at == 0


# the cursor


def test_coarse_steps_go_from_edge_to_edge() -> None:
    bins = binned([1] * 4, [0] * 4, [0] * 4)
    assert [coarse_step(bins, at, 1) for at in (-1, 0, 0.5, 4, 9)] == [0, 1, 1, 4, 4]
    assert [coarse_step(bins, at, -1) for at in (9, 4, 3.5, 0, -9)] == [4, 3, 3, 0, 0]


def test_fine_steps_go_from_score_to_score() -> None:
    sample = made([0.2, 0.5, math.nan, 0.7, 0.7], [0, 0, 0, 2, 1])
    assert [fine_step(sample, at, 1) for at in (0.0, 0.2, 0.6, 0.7)] == [0.2, 0.5, 0.7, 0.7]
    assert [fine_step(sample, at, -1) for at in (0.9, 0.7, 0.5, 0.2)] == [0.7, 0.5, 0.2, 0.2]


def test_a_step_over_distances_is_a_step_on_their_axis() -> None:
    sample = made([0.2, 0.5], [0, 2], direction="lower")
    assert fine_step(sample, 0.3, 1) == 0.5
    assert fine_step(sample, 0.3, -1) == 0.2


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.data())
def test_a_threshold_as_it_is_written_does_the_same(scores: list[float], data: st.DataObject) -> None:
    sample = made(scores, [n % 3 for n in range(len(scores))])
    threshold = data.draw(st.sampled_from(scores) | st.floats(-1e6, 1e6))
    assert sample.counts_at(float(written(threshold, sample))) == sample.counts_at(threshold)


def test_a_threshold_is_written_in_few_digits() -> None:
    sample = made([0.8391234567, 0.8, 0.9], [0, 2, 0])
    assert written(0.8391234567, sample) == ".839"
    assert written(17.89886, made([17.89886, 17.87126], [0, 2])) == "17.89"


def test_a_threshold_is_written_alike_wherever_it_stands() -> None:
    """The value .923 would do among the fitted scores, but answers a reported one that is refused."""
    fit, report = made([0.9231, 0.91], [0, 2]), made([0.9235, 0.9228], [0, 2], split="test")
    assert written(0.9231, fit) == ".923"
    assert written(0.9231, fit, report) == ".923"
    near = made([0.92304, 0.9228], [0, 2], split="test")
    assert written(0.9231, fit, near) == ".9231"


def test_without_a_rule_that_picks_one_the_cursor_starts_in_the_middle() -> None:
    assert start_of(made([1.0, 2.0, 9.0], [0, 0, 0]), None) == 2.0
    assert start_of(made([math.nan], [0]), None) is None


# curve


def test_the_curve_is_drawn_where_its_risk_is() -> None:
    """Four queries, the two weakest of them wrong: risk 0 up to half, then 1/3, then 1/2."""
    sample = made([0.9, 0.8, 0.7, 0.6], [0, 0, 2, 2])
    glyphs.use("ascii")
    found = plot(calibrated(sample).risk_coverage, 8, 5)
    assert found.top == 0.5
    assert found.rows[-1] == "*****   "
    assert found.rows[0].endswith("**")
    # answering everything has a risk of 1/2
    assert found.chance == 0
    assert [found.line_of(risk) for risk in (0, 0.5, 0.34)] == [4, 0, 1]


def test_the_curve_is_made_of_neutral_characters() -> None:
    sample = made([0.9, 0.8, 0.7, 0.6], [0, 0, 2, 2])
    for row in plot(calibrated(sample).risk_coverage, 30, 6).rows:
        assert cells.width(row) == len(row) == 30
        assert set(row) <= {" ", *map(chr, range(0x2800, 0x2900))}


def test_a_curve_of_nothing_is_empty() -> None:
    assert set("".join(plot(calibrated(made([math.nan], [0])).risk_coverage, 10, 3).rows)) == {" "}


# words


def calibrated(fit: Sample, rule: str = "youden", report: Sample | None = None) -> Calibration:
    return calibrate("e5", Aim(rule=rule_from(rule), k=5), fit, report or fit, model="e5-small")


def said(panel: Panel, rule: str = "youden", size: tuple[int, int] = (100, 40)) -> str:
    found = histogram(panel.sample, 20) if panel.sample is not None else None
    return text(facts(panel, rule_from(rule), found, size, sealed=False))


def separated(n: int, split: str = "dev") -> Sample:
    """Answerable queries from .80 up, and as many without an answer from .70 up to .79."""
    scores = [0.8 + i / (10 * n) for i in range(n)] + [0.7 + 0.09 * i / n for i in range(n)]
    return made(scores, [0] * n + [2] * n, split=split)


def test_false_answers_have_the_bound_that_holds_for_them() -> None:
    """1 of 60: the one-sided 95 % Clopper–Pearson bound is 7.66 %, which is rounded up."""
    answerable = [0.9 + n / 1000 for n in range(60)]
    nothing = [0.5 + n / 1000 for n in range(59)]
    report = made([*answerable, *nothing, 0.95], [0] * 60 + [2] * 60, split="test")
    found = calibrated(separated(60), report=report)
    shown = said(Panel("e5", report, found))
    assert "1 of 60" in shown
    assert "(at most 7.7 % at 95 %)" in shown
    assert "held out: test" in shown
    assert "fitted on dev (120 queries), shown on test" in shown


def test_without_a_held_out_split_the_estimates_are_called_so_and_have_no_bound() -> None:
    shown = said(Panel("e5", separated(60), calibrated(separated(60))))
    assert "on dev, which the rule saw" in shown
    assert "cross-fitted" in shown
    assert "at most" not in shown.replace("at most so", "")


def test_no_usable_threshold_says_why() -> None:
    flat = made([0.1, 0.2, 0.3, 0.4] * 20, [0, 2, 2, 0] * 20)
    shown = said(Panel("e5", flat, calibrated(flat)))
    assert "no usable threshold" in shown
    assert "is under 0.7" in shown
    assert "threshold " not in shown.split("no usable")[0]


def test_a_rule_that_needs_more_no_answer_queries_says_how_many() -> None:
    few = separated(40)
    shown = said(Panel("e5", few, calibrated(few, "max-false-answers 0.05")), "max-false-answers 0.05")
    assert "needs 59 no-answer queries" in shown
    assert "19 are missing" in shown


@pytest.mark.parametrize(("n", "said_so"), [(29, True), (30, False)])
def test_fewer_than_thirty_no_answer_queries_are_too_few(n: int, said_so: bool) -> None:
    sample = separated(n)
    assert (f"Only {n} no-answer queries" in said(Panel("e5", sample, calibrated(sample)))) == said_so


def test_without_any_it_says_how_to_mark_them() -> None:
    sample = made([0.5, 0.6], [0, 0])
    shown = said(Panel("e5", sample, calibrated(sample)))
    assert "nothing says when to refuse" in shown
    assert '"answerable": false' in shown


def test_what_is_not_in_the_histogram_is_counted() -> None:
    sample = made([0.9, 0.8, math.nan, 0.1], [0, 0, 0, 2])
    assert "1 query returned nothing to score" in said(Panel("e5", sample, calibrated(sample)))


def test_a_moved_cursor_says_that_export_keeps_to_the_rule() -> None:
    sample = separated(40)
    shown = said(Panel("e5", sample, calibrated(sample), moved=0.75))
    assert "cursor moved to .750" in shown
    assert "threshold .800" in shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [38, 60, 78, 140])
def test_no_line_is_wider_than_its_box(width: int, language: str) -> None:
    use("zh" if language == "zh" else "en")
    sample = made([0.1, 0.2, math.nan, 0.4] * 5, [0, 2, 2, 1] * 5)
    panel = Panel("e5", sample, calibrated(sample), moved=0.3)
    found = facts(panel, rule_of("cost"), histogram(sample, 20), (width, 40), sealed=True)
    assert max(sum(cells.width(piece.text) for piece in line) for line in found) <= max(width, 60)


# what can be chosen


@pytest.mark.parametrize("name", READY)
def test_every_rule_that_is_offered_can_be_taken(name: str) -> None:
    assert rule_words(rule_from(name))


@pytest.mark.parametrize(
    "text", ["", "youden 1", "cost", "cost 0:1", "max-false-answers x", "max-false-answers 2"]
)
def test_rules_that_make_no_sense_are_refused(text: str) -> None:
    if text == "cost":
        assert rule_from(text).name == "cost"
        return
    with pytest.raises(RagtuiError):
        rule_from(text)


def test_the_mean_over_k_is_among_the_scores() -> None:
    assert "mean@7" in [choice.value for choice in score_choices(7)]
    assert len(rule_choices(0.7)) > len(READY)
