"""Cards that are kept: whole on the way back, and believed only of what they were made with."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ragtui.errors import RagtuiError
from ragtui.judging.card import Card, measure
from ragtui.judging.card_files import FOLDER, keep_card, kept_card
from ragtui.judging.card_json import card_as_json, card_from_json
from ragtui.judging.folder import with_digest
from ragtui.judging.model import Judge
from tests.unit.judging.test_card import labels, verdicts

JUDGE = with_digest(
    Judge("j", "1", "context", "rubric", (0.0, 1.0, 2.0, 3.0), prompts={"en": "[user]\n{context}"})
)
MODEL = "lab/small:1"


def card() -> Card:
    people = [0, 1, 2, 3] * 6
    judge = [0, 1, 2, 2, 0, 1, 1, 3, "timeout", 1, 2, 3] + [0, 1, 2, 3] * 3
    first, again = verdicts(judge), verdicts([1, *judge[1:]], [1] * 24)
    whole = first.merge(again, how="outer")
    columns: dict[str, list[Any]] = {
        "language": ["en", "zh"] * 12,
        "kind": ["plain", "planted-instruction"] * 12,
        "planted": ["", "up"] * 12,
        "tokens": list(range(20, 500, 20)),
    }
    return measure(labels(people, **columns), whole, JUDGE.scale)


def same(first: Card, second: Card) -> bool:
    plain = [json.dumps(asdict(each), default=np.ndarray.tolist) for each in (first, second)]
    return plain[0] == plain[1]


def test_a_card_comes_back_whole(tmp_path: Path) -> None:
    made = replace(card(), judge="j", version="1", model=MODEL)
    assert made.flips is not None
    assert made.followed is not None
    assert made.groups
    assert made.failures == {"timeout": 1}
    keep_card(tmp_path, JUDGE, MODEL, made)
    kept = kept_card([tmp_path], JUDGE, MODEL)
    assert kept is not None
    assert same(kept.card, made)
    assert kept.card.kappa == made.kappa


def test_a_card_of_nothing_comes_back() -> None:
    made = measure(labels([1, 0]), verdicts([]), (0.0, 1.0))
    found = json.loads(json.dumps(card_as_json(made), allow_nan=False))
    assert same(card_from_json(found, judge="", version="", model=""), made)


@pytest.mark.parametrize(
    "other",
    [
        replace(JUDGE, version="2"),
        replace(JUDGE, name="k"),
        with_digest(replace(JUDGE, prompts={"en": "[user]\nchanged {context}"})),
    ],
    ids=["version", "name", "prompt"],
)
def test_a_card_of_another_judge_is_not_used(tmp_path: Path, other: Judge) -> None:
    file = keep_card(tmp_path, JUDGE, MODEL, card())
    elsewhere = keep_card(tmp_path / "other", other, MODEL, card()).name
    (tmp_path / FOLDER / elsewhere).write_bytes(file.read_bytes())
    assert kept_card([tmp_path], other, MODEL) is None


def test_two_models_that_share_a_file_name_do_not_share_a_card(tmp_path: Path) -> None:
    keep_card(tmp_path, JUDGE, "lab/small:1", card())
    assert kept_card([tmp_path], JUDGE, "lab/small?1") is None


def test_the_newest_counts(tmp_path: Path) -> None:
    for folder, time, n in (("a", "2026-01-02", 7), ("b", "2026-01-01", 8)):
        file = keep_card(tmp_path / folder, JUDGE, MODEL, replace(card(), unlabelled=n))
        content = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps({**content, "time": time}), encoding="utf-8")
    kept = kept_card([tmp_path / "a", tmp_path / "b"], JUDGE, MODEL)
    assert kept is not None
    assert kept.card.unlabelled == 7


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: b"",
        lambda text: text[: len(text) // 2],
        lambda _: b"[" * 100_000,
        lambda _: b"[1]",
        lambda text: text.replace(b'"schema": 1', b'"schema": 2'),
        lambda text: text.replace(b'"labelled"', b'"labels"'),
        lambda text: text.replace(b'"confusion": [', b'"confusion": [[1], ', 1),
        lambda text: text + b" " * (1 << 20),
    ],
    ids=["empty", "torn", "deep", "list", "newer", "renamed", "ragged", "large"],
)
def test_a_damaged_file_is_no_card(tmp_path: Path, damage: Any) -> None:
    file = keep_card(tmp_path, JUDGE, MODEL, card())
    file.write_bytes(damage(file.read_bytes()))
    assert kept_card([tmp_path], JUDGE, MODEL) is None


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("no folder")
    with pytest.raises(RagtuiError) as caught:
        keep_card(tmp_path, JUDGE, MODEL, card())
    assert caught.value.key == "judging.verdicts-unwritable"
