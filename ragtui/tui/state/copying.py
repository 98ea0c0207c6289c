"""What copying gives: the text as it is in the files, or the facts as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

from ragtui import __version__
from ragtui.analysis.evidence import QueryEvidence
from ragtui.analysis.judged import JudgedQuery
from ragtui.tui.state.cards import Card


def card_text(card: Card) -> str:
    """The text of a card, with its title above; the id where the corpus has no text for it."""
    return "\n".join(part for part in (card.title, card.text) if part) or card.name


def evidence_json(evidence: QueryEvidence, judged: JudgedQuery | None = None) -> str:
    """All facts about the query, one JSON object; a rank or score of null is one that there is not.

    Verdicts of judges are null where nobody has judged.
    """
    verdicts = None if judged is None else asdict(judged)
    facts = {"schema": 1, "ragtui": __version__, **asdict(evidence), "verdicts": verdicts}
    return json.dumps(facts, ensure_ascii=False, allow_nan=False, indent=1)
