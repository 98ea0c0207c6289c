"""What copying gives: the text as it is in the files, or the facts as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from ragtui.analysis.evidence import QueryEvidence
from ragtui.tui.state.cards import Card


def card_text(card: Card) -> str:
    """The text of a card, with its title above; the id where the corpus has no text for it."""
    return "\n".join(part for part in (card.title, card.text) if part) or card.name


def evidence_json(evidence: QueryEvidence) -> str:
    """All facts about the query, one JSON object."""
    return json.dumps({"schema": 1, **_plain(asdict(evidence))}, ensure_ascii=False, indent=1)


def _plain(value: Any) -> Any:
    """Without what nobody said."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items() if item not in (None, "", (), {})}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
