"""Gold names a chunk that is not in the corpus."""

from __future__ import annotations

from ragtui.analysis.causes.missing_chunk import missing_chunk
from tests.unit.analysis.causes.making import case


def test_a_chunk_that_the_corpus_lacks_cannot_be_found() -> None:
    found = missing_chunk(case(["gone#1"], {"dense": ["taxi#1"]}))
    assert found is not None
    assert (found.cause, dict(found.values)) == ("no-evidence", {"chunk": "gone#1"})
    assert "gone#1" in found.evidence("en")


def test_one_that_is_there_is_no_reason() -> None:
    assert missing_chunk(case(["meal#1"], {"dense": ["taxi#1"]})) is None


def test_one_that_some_run_returned_is_somewhere() -> None:
    assert missing_chunk(case(["gone#1"], {"dense": ["taxi#1"], "bm25": ["gone#1"]})) is None
