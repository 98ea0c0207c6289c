"""Parts of ranked lists: without some queries, or with the chunks renamed."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import numpy.typing as npt

from ragtui.dataset.model import RankedLists


def without_queries(lists: RankedLists, left_out: Collection[str]) -> RankedLists:
    """The same lists without the queries of `left_out`."""
    kept = np.array([query_id not in left_out for query_id in lists.query_ids], dtype=bool)
    if kept.all():
        return lists
    sizes = lists.lengths
    rows = np.repeat(kept, sizes)
    return RankedLists(
        query_ids=lists.query_ids[kept],
        offsets=np.concatenate([[0], np.cumsum(sizes[kept])]).astype(np.int64),
        codes=lists.codes[rows],
        vocabulary=lists.vocabulary,
        scores=lists.scores[rows],
    )


def with_renamed_chunks(lists: RankedLists, rename: Callable[[str], str]) -> RankedLists:
    """The same lists with every chunk id renamed.

    Two chunks may get one name, and then stand in the list twice.
    """
    names: dict[str, int] = {}
    codes = np.array(
        [names.setdefault(rename(chunk), len(names)) for chunk in lists.vocabulary], dtype=np.int32
    )
    vocabulary: npt.NDArray[np.object_] = np.empty(len(names), dtype=object)
    vocabulary[:] = list(names)
    return RankedLists(
        query_ids=lists.query_ids,
        offsets=lists.offsets,
        codes=codes[lists.codes] if len(lists.codes) else lists.codes,
        vocabulary=vocabulary,
        scores=lists.scores,
    )
