"""What nobody pays for who does not ask for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from ragtui.dataset import model, reading
from ragtui.dataset.faults import Faults


def test_hashes_wait_until_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, folder: Any, good: dict[str, Any]
) -> None:
    asked = []
    monkeypatch.setattr(model, "hashes", lambda *tables: asked.append(len(tables)))
    found = reading.open_set(folder(good))
    assert asked == []
    assert found.hashes is found.hashes
    assert asked == [3]


def test_the_share_of_known_chunks_is_said_when_warnings_are_read(folder: Any, good: dict[str, Any]) -> None:
    found = reading.open_set(folder(good))
    lists = found.runs["bm25"].lists
    assert "coded" not in vars(lists)
    assert [fault.kind for fault in found.warnings] == ["known-chunks"]


def test_a_set_made_from_another_codes_its_own_gold(folder: Any, good: dict[str, Any]) -> None:
    found = reading.open_set(folder(good))
    assert found.gold_codes.query_ids.to_pylist() == ["q1", "q2"]
    fewer = replace(found, gold=found.gold.iloc[1:].reset_index(drop=True))
    assert fewer.gold_codes.query_ids.to_pylist() == ["q2"]
    assert fewer.gold_codes.query.tolist() == fewer.gold_codes.chunk.tolist() == [0]


def test_faults_found_apart_are_counted_together() -> None:
    whole, first, second = Faults(), Faults(), Faults()
    for line in range(150):
        first.error("x", "a", line)
    for line in range(250):
        second.error("x", "b", line)
    second.warning("y", "b")
    for found in (first, second):
        whole.absorb(found)
    assert whole.counts == Counter({("error", "x"): 400, ("warning", "y"): 1})
    assert Counter(fault.file for fault in whole.of("error")) == {"a": 150, "b": 50}
