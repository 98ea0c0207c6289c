"""Parts of ranked lists: without some queries, or with the chunks renamed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np
import pyarrow as pa

from ragtui.dataset.ids import with_codes
from ragtui.dataset.model import RankedLists


def without_queries(lists: RankedLists, left_out: Collection[str]) -> RankedLists:
    """The same lists without the queries of `left_out`."""
    kept = np.array([query_id not in left_out for query_id in lists.query_ids], dtype=bool)
    if kept.all():
        return lists
    sizes = lists.lengths
    rows = np.repeat(kept, sizes)
    return RankedLists.of(
        lists.query_ids[kept], sizes[kept], lists.chunk_ids.filter(pa.array(rows)), lists.scores[rows]
    )


def with_renamed_chunks(lists: RankedLists, rename: Callable[[str], str]) -> RankedLists:
    """The same lists with every chunk id renamed.

    Two chunks may get one name, and then stand in the list twice.
    """
    names: dict[str, int] = {}
    codes = np.array(
        [names.setdefault(rename(chunk), len(names)) for chunk in lists.vocabulary], dtype=np.int32
    )
    return replace(lists, chunk_ids=with_codes(codes[lists.codes], list(names)))
