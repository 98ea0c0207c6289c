"""What `agree` found, before it becomes text or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ragtui.review.rated import Rated
from ragtui.review.raters import Agreed, agreed


@dataclass(frozen=True, eq=False)
class Compared:
    """Raters of one thing or several.

    Attributes:
        names: of the set, or of the files.
        found: each table of ratings with what it says.
        limit: how many disagreements of each are told.
    """

    names: tuple[str, ...]
    found: tuple[tuple[Rated, Agreed], ...]
    limit: int


def compared(names: Sequence[str], tables: Sequence[Rated], limit: int) -> Compared:
    """Compare the raters of each table."""
    found = tuple((table, agreed(table.ratings, types=table.types)) for table in tables)
    return Compared(tuple(names), found, limit)


def rating_text(table: Rated, rating: float) -> str:
    """A rating as its rater wrote it."""
    return table.words[int(rating)] if table.words else f"{rating:g}"
