"""The values that trec_eval's own test suite expects, for every measure that ragtui has."""

from __future__ import annotations

from pathlib import Path

import pytest

import ragtui
from tests.oracle.trec_files import means, our_name, qrels_of, run_of

KS = (1, 5, 10, 15, 20, 30, 100, 200, 500, 1000)


def values_in(output: Path) -> dict[tuple[str, str], float]:
    """Expected value by (our name, query or `all`)."""
    found: dict[tuple[str, str], float] = {}
    for line in output.read_text(encoding="utf-8").splitlines():
        measure, query, value = line.split()
        name = our_name(measure)
        if name is not None:
            found[name, query] = float(value)
    return found


@pytest.mark.parametrize(
    ("qrels", "run", "output", "level"),
    [
        pytest.param("qrels.test", "results.test", "out.test.aq", 1, id="plain"),
        pytest.param("qrels.test", "results.trunc", "out.test.aqc", 1, id="missing-queries-are-0"),
        pytest.param("qrels.rel_level", "results.test", "out.test.aql", 2, id="level-2"),
    ],
)
def test_every_value_is_that_of_trec_eval(
    shared: Path, qrels: str, run: str, output: str, level: int
) -> None:
    folder = shared / "data" / "trec_eval"
    expected = values_in(folder / output)
    names = sorted({name for name, _ in expected})
    assert len(names) == 4 + 4 * 9 + 3, names
    table = ragtui.per_query(
        qrels_of(folder / qrels), run_of(folder / run), names, k=KS, level=level, convention="trec"
    ).droplevel("run")
    ours = {(name, "all"): float(mean) for name, mean in table[names].mean().items()}
    ours |= {(name, str(query)): float(value) for name in names for query, value in table[name].items()}
    wrong = {at: (value, ours[at]) for at, value in expected.items() if f"{ours[at]:.4f}" != f"{value:.4f}"}
    assert not wrong


def test_judged_is_what_unj_leaves(shared: Path) -> None:
    folder = shared / "data" / "trec_eval"
    unjudged = {
        (query, int(measure.removeprefix("unj_"))): float(value)
        for measure, query, value in (
            line.split() for line in (folder / "out.test.aq").read_text().splitlines()
        )
        if measure.startswith("unj_") and query != "all"
    }
    table = ragtui.per_query(
        qrels_of(folder / "qrels.test"),
        run_of(folder / "results.test"),
        ["judged"],
        k=(5, 10, 20),
        convention="trec",
    ).droplevel("run")
    assert len(unjudged) == 9
    for (query, k), share in unjudged.items():
        assert table[f"judged@{k}"].to_dict()[query] == pytest.approx(1 - share, abs=5e-5)


def test_intersection_is_trec_eval_without_c(shared: Path) -> None:
    folder = shared / "data" / "trec_eval"
    gold, run = qrels_of(folder / "qrels.test"), run_of(folder / "results.trunc")
    with_zeros = ragtui.evaluate(gold, run, ["map"], convention="trec")
    without = ragtui.evaluate(gold, run, ["map"], convention="trec", missing="intersection")
    # one of three queries is missing
    assert means(without)["map"] == pytest.approx(means(with_zeros)["map"] * 3 / 2)
    assert without.attrs["counts"]["run"]["missing"] == 1
    assert without.attrs["counts"]["run"]["scored"] == 2
