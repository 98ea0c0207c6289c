"""Causes by query, kept up with the journal: after one decision one query is looked at again, not all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragtui.review.events import Tag
from ragtui.review.state import ReviewState


class GivenCauses:
    """Causes that reviewers gave, those of all of them together, each once, by who came first.

    Attributes:
        by_query: queries with at least one; never changed in place, so that it can be handed out.
    """

    def __init__(self, state: ReviewState) -> None:
        self._state = state
        self._revision = state.revision
        place = {reviewer: number for number, reviewer in enumerate(state.reviewers)}
        found: dict[str, list[tuple[int, Sequence[str]]]] = {}
        for (query_id, _, reviewer), causes in state.standing_texts(Tag, "causes"):
            if causes:
                found.setdefault(query_id, []).append((place[reviewer], causes))
        self.by_query: Mapping[str, tuple[str, ...]] = {
            query_id: tuple(dict.fromkeys(cause for _, causes in sorted(said) for cause in causes))
            for query_id, said in found.items()
        }

    def follow(self, state: ReviewState) -> bool:
        """Take in what has happened since; False where it has to be made anew."""
        touched = state.touched_since(self._revision) if state is self._state else None
        if touched is None:
            return False
        if touched:
            now = dict(self.by_query)
            for query_id in touched:
                tags = state.standing(Tag, query_id).values()
                causes = tuple(dict.fromkeys(cause for tag in tags for cause in tag.causes))
                if causes:
                    now[query_id] = causes
                else:
                    now.pop(query_id, None)
            self.by_query = now
        self._revision = state.revision
        return True
