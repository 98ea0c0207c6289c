"""`--gold-version`: corrected gold in numbers and in sets, said wherever it is used."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ragtui.workspace import Workspace
from tests.cli.conftest import Call


@pytest.fixture
def corrected(made: Path) -> Path:
    """b#1 is evidence for q1, too (version 1), and none for q2 (version 2)."""
    workspace = Workspace.open(made)
    workspace.review_as("ann")
    workspace.review.grade("q1", "b#1", 1, in_sight=["one"])
    workspace.review.grade("q2", "b#1", 0)
    return made


def means(found: Mapping[str, Any]) -> list[float]:
    metrics = found["runs"]["one"]["metrics"]
    return [metrics[name]["mean"] for name in ("recall@5", "hit@5", "complete@5")]


def test_numbers_are_those_of_the_files_until_others_are_asked_for(ragtui: Call, corrected: Path) -> None:
    said = ragtui("eval", corrected, "--json")
    files = said.json("eval")
    assert files["gold_version"] == 0
    assert "The journal of this set holds gold version 2" in said.err
    latest = ragtui("eval", corrected, "--gold-version", "latest", "--json")
    assert latest.json("eval")["gold_version"] == 2
    assert "holds gold version" not in latest.err
    assert latest.json("eval")["hashes"]["gold"] != files["hashes"]["gold"]
    # q1 finds a#1 and b#1, both of two; q2 finds b#1, which is no evidence any more; q3 is missing
    assert [means(files), means(latest.json("eval"))] == [
        [pytest.approx((1 + 0.5 + 0) / 3), pytest.approx(2 / 3), pytest.approx(1 / 3)],
        [pytest.approx((1 + 0 + 0) / 3), pytest.approx(1 / 3), pytest.approx(1 / 3)],
    ]
    zero = ragtui("eval", corrected, "--gold-version", "0", "--json").json("eval")
    assert zero == files


def test_the_text_says_which_gold_it_uses(ragtui: Call, corrected: Path) -> None:
    found = ragtui("eval", corrected, "--gold-version", "2", "--json").json("eval")
    out = ragtui("eval", corrected, "--gold-version", "2").out
    assert f"gold version 2, {found['hashes']['gold'][:6]}" in out
    assert "gold version" not in ragtui("eval", corrected).out


def test_two_versions_are_compared_query_by_query(ragtui: Call, corrected: Path) -> None:
    said = ragtui("eval", corrected, "--gold-version", "0", "--gold-version", "latest", "--json").json("eval")
    found = said["gold_comparison"]
    assert (found["before"], found["after"], found["pairs"]) == (0, 2, 2)
    assert found["gold_after"] == said["hashes"]["gold"] != found["gold_before"]
    hit = found["runs"]["one"]["hit@5"]
    assert (hit["before"], hit["after"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert (hit["difference"], hit["n"]) == (pytest.approx(-1 / 3), 3)
    out = ragtui("eval", corrected, "--gold-version", "0", "--gold-version", "latest").out
    assert "gold version 0 -> 2: 2 judgments differ" in out
    assert "one  complete@5  0.333 -> 0.333  +0.000 (all 3 equal)" in out


def test_a_set_is_written_with_corrected_gold(ragtui: Call, corrected: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    written = ragtui("convert", corrected, out, "--gold-version", "latest", "--json").json("convert")
    assert (written["gold_version"], written["gold"]) == (2, 5)
    later = ragtui("eval", out, "--json").json("eval")
    asked = ragtui("eval", corrected, "--gold-version", "latest", "--json").json("eval")
    assert later["hashes"] == asked["hashes"]
    assert later["runs"] == asked["runs"]
    plain = ragtui("convert", corrected, tmp_path / "plain", "--json").json("convert")
    assert (plain["gold_version"], plain["gold"]) == (0, 4)


def test_evidence_for_a_query_without_an_answer_leaves_a_sound_set(
    ragtui: Call, made: Path, tmp_path: Path
) -> None:
    workspace = Workspace.open(made)
    workspace.review.grade("q4", "a#1", 1)
    ragtui("convert", made, tmp_path / "out", "--gold-version", "1")
    assert ragtui("check", tmp_path / "out").code == 0
    assert ragtui("eval", tmp_path / "out", "--json").json("eval")["runs"]["one"]["counts"]["scored"] == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--gold-version", "3"], "There is no gold version 3.\nThe newest is 2"),
        (["--gold-version", "-1"], "There is no gold version -1."),
        (["--gold-version", "last"], "There is no gold version last."),
        (["--gold-version", "0"] * 3, "More than two versions"),
        (["--gold-version", "1", "--level", "document"], "Corrections are of chunks"),
    ],
    ids=["newer", "negative", "word", "three", "documents"],
)
def test_what_is_no_version_is_told(ragtui: Call, corrected: Path, arguments: list[str], said: str) -> None:
    answer = ragtui("eval", corrected, *arguments)
    assert answer.code == 2
    assert said in answer.err


def test_numbers_need_no_journal(ragtui: Call, made: Path) -> None:
    (made / ".ragtui" / "journal.jsonl").mkdir(parents=True)
    said = ragtui("eval", made, "--json")
    assert (said.code, said.json("eval")["gold_version"]) == (0, 0)
    assert "The journal cannot be read" in said.err
    assert ragtui("eval", made, "--where", "type:direct").code == 0
    assert "No query has a cause yet" in ragtui("eval", made, "--where", "cause:noise").err
    assert ragtui("eval", made, "--gold-version", "latest").code == 2
