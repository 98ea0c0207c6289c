"""The order of ranked lists that come with scores or ranks: most come sorted, the others are sorted here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

# Lists are sorted in blocks of about so many results, so that sorting a large run takes little memory.
_BLOCK = 1_000_000

_Number = TypeVar("_Number", bound=np.floating[Any])


def reordered(
    offsets: npt.NDArray[np.int64],
    values: npt.NDArray[Any],
    best: Literal["higher", "lower"],
    ranks: npt.NDArray[Any] | None = None,
) -> Iterator[tuple[slice, npt.NDArray[np.int64]]]:
    """Blocks of whole lists that are out of order, and which of its results belongs at each place of one.

    Args:
        offsets: (n + 1,) int64, where each list begins and ends.
        values: (m,) numbers that decide; NaN comes last.
        best: whether the best value is the highest or the lowest.
        ranks: (m,) what decides between equal values, the lowest first; where it does not, or is None, the
            place does.
    """
    for begin, end in _blocks(offsets):
        within = slice(int(offsets[begin]), int(offsets[end]))
        value = values[within] if best == "lower" else -values[within]
        rank = None if ranks is None else ranks[within]
        lengths = np.diff(offsets[begin : end + 1])
        if not is_sorted(lengths, value, rank):
            yield within, _sorting(lengths, value, rank)


def sorted_values(lengths: npt.NDArray[np.int64], values: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """(m,) the values of each list, the lowest first; none may be NaN."""
    if fits_a_matrix(lengths):
        filled = filled_places(lengths)
        matrix = _matrix_of(values, filled, np.inf)
        matrix.sort(axis=1)
        return matrix.ravel() if filled.all() else matrix[filled]
    return values[np.lexsort((values, np.repeat(np.arange(len(lengths)), lengths)))]


def order_within(lengths: npt.NDArray[Any], values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """(m,) which value of the list belongs at each place, the lowest first.

    Values are whole numbers below 2^53. Sorting each list alone takes a fraction of sorting all together.
    """
    return _sorting(lengths.astype(np.int64), values.astype(np.float64), None)


def put_in_order(blocks: Iterator[tuple[slice, npt.NDArray[np.int64]]], *columns: npt.NDArray[Any]) -> bool:
    """Move the results of blocks to their places, in every column; says whether anything moved."""
    moved = False
    for within, sorting in blocks:
        for column in columns:
            column[within] = column[within][sorting]
        moved = True
    return moved


def offsets_of(lengths: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """(n + 1,) int64, where lists of these lengths begin and end when they are laid end to end."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _blocks(offsets: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    begin, lists = 0, len(offsets) - 1
    while begin < lists:
        end = int(np.searchsorted(offsets, offsets[begin] + _BLOCK, side="right")) - 1
        end = min(max(end, begin + 1), lists)
        yield begin, end
        begin = end


def is_sorted(lengths: npt.NDArray[np.int64], value: npt.NDArray[Any], rank: npt.NDArray[Any] | None) -> bool:
    """Whether no result of a list would go before the one above it."""
    if np.isnan(value).any():
        return False
    heads = np.cumsum(lengths)[:-1] - 1
    heads = heads[(heads >= 0) & (heads < len(value) - 1)]  # steps from one list to the next
    rises = value[1:] < value[:-1]
    rises[heads] = False
    if rises.any():
        return False
    if rank is None:
        return True
    equal = value[1:] == value[:-1]
    equal[heads] = False
    ties = np.flatnonzero(equal)
    return bool((rank[ties + 1] >= rank[ties]).all())


def _sorting(
    lengths: npt.NDArray[np.int64], value: npt.NDArray[Any], rank: npt.NDArray[Any] | None
) -> npt.NDArray[np.int64]:
    if fits_a_matrix(lengths):
        return _sorting_of_rows(lengths, value, rank)
    row = np.repeat(np.arange(len(lengths)), lengths)
    return np.lexsort((value, row) if rank is None else (rank, value, row))


def fits_a_matrix(lengths: npt.NDArray[Any]) -> bool:
    """Whether lists of these lengths fill at least half of a matrix of one row each."""
    return len(lengths) * int(lengths.max(initial=0)) <= 2 * int(lengths.sum())


def filled_places(lengths: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """(n, longest) bool, which places of such a matrix its lists fill."""
    return np.arange(int(lengths.max(initial=0))) < lengths[:, None]


def _sorting_of_rows(
    lengths: npt.NDArray[np.int64], value: npt.NDArray[Any], rank: npt.NDArray[Any] | None
) -> npt.NDArray[np.int64]:
    """The sorting by rows of a matrix: many short rows sort faster than one long array.

    Only rows in which two are equal have to be sorted by rank and place too.
    """
    filled = filled_places(lengths)
    if np.isfinite(value).all():
        matrix = _matrix_of(value, filled, np.inf)  # NaN in every row would make the sort slow
        order = np.argsort(matrix, axis=1)
        in_order = np.take_along_axis(matrix, order, axis=1)
        unsure = ((in_order[:, 1:] == in_order[:, :-1]) & filled[:, 1:]).any(axis=1)
    else:
        matrix = _matrix_of(value, filled, np.nan)  # behind everything: a NaN of the list stands before it
        order = np.empty(matrix.shape, dtype=np.int64)
        unsure = np.ones(len(lengths), dtype=bool)
    keys = (
        [matrix[unsure]]
        if rank is None
        else [_matrix_of(rank.astype(np.float64), filled, np.inf)[unsure], matrix[unsure]]
    )
    order[unsure] = np.lexsort(keys, axis=1)
    starts = np.cumsum(lengths) - lengths
    return (order + starts[:, None])[filled]


def _matrix_of(
    values: npt.NDArray[_Number], filled: npt.NDArray[np.bool_], rest: float
) -> npt.NDArray[_Number]:
    """Lists that are laid end to end, one a row."""
    if filled.all():
        return values.reshape(filled.shape).copy()
    matrix = np.full(filled.shape, rest, dtype=values.dtype)
    matrix[filled] = values
    return matrix
