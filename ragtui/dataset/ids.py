"""Ids in Arrow: text in one block of memory, each distinct id once where it pays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

Ids: TypeAlias = "pa.Array[Any]"
"""Ids end to end, of type `ID`, or dictionary-encoded with distinct values of that type."""

CodedIds: TypeAlias = "pa.DictionaryArray[Any, Any]"
"""Ids that are dictionary-encoded: each distinct one once, and an int32 code for each."""

# Offsets of 64 bits, as pandas has them: its columns are taken as they are, and no file is too large.
ID = pa.large_string()


def ids_of(values: Iterable[str] | pd.Series[Any] | pd.Index[Any]) -> Ids:
    """Ids as Arrow text; a pandas column of dtype `str` is not copied."""
    if isinstance(values, pd.Series | pd.Index):
        found = pa.array(values, type=ID if values.dtype == object or not len(values) else None).cast(ID)
    else:
        found = pa.array(values if isinstance(values, Sequence | np.ndarray) else list(values), type=ID)
    return joined([found])


def joined(pieces: Iterable[Ids | pa.ChunkedArray[Any]]) -> Ids:
    """Pieces of plain ids as one array; a single piece is not copied."""
    chunks = [
        chunk
        for piece in pieces
        for chunk in (piece.chunks if isinstance(piece, pa.ChunkedArray) else [piece])
    ]
    if len(chunks) == 1:
        return chunks[0]
    return pa.concat_arrays(chunks) if chunks else pa.array([], type=ID)


def codes_of(ids: CodedIds) -> npt.NDArray[np.int32]:
    """(m,) int32, the code of each id."""
    return np.asarray(ids.indices.to_numpy(), dtype=np.int32)


def is_blank(ids: Ids | pa.ChunkedArray[Any]) -> npt.NDArray[np.bool_]:
    """(m,) whether each plain id or text is empty or white space."""
    import pyarrow.compute as pc

    trimmed: Any = pc.utf8_trim_whitespace(ids)
    return np.asarray(np.asarray(pc.binary_length(trimmed)) == 0, dtype=bool)


def coded(ids: Ids) -> CodedIds:
    """The same ids, each distinct one once in order of first appearance, with an int32 code each."""
    return ids if isinstance(ids, pa.DictionaryArray) else ids.dictionary_encode()


def with_codes(codes: npt.NDArray[np.int32], names: Iterable[str] | Ids) -> CodedIds:
    """Ids `names[codes]`, kept as that."""
    distinct = names if isinstance(names, pa.Array) else ids_of(names)
    return pa.DictionaryArray.from_arrays(pa.array(codes, type=pa.int32()), distinct)


def texts(ids: Ids) -> list[str]:
    """Ids as a list of str."""
    return cast("list[str]", ids.to_pylist())


def objects(ids: Ids) -> npt.NDArray[np.object_]:
    """Plain ids as an object array of str."""
    return np.asarray(ids.to_numpy(zero_copy_only=False), dtype=object)


def taken(ids: Ids, entries: npt.NDArray[Any]) -> Ids:
    """Ids at some places, plain or dictionary-encoded as they were."""
    return ids.take(pa.array(entries))


def chosen(ids: Ids, kept: npt.NDArray[np.bool_]) -> Ids:
    """The ids that are kept."""
    return ids.filter(pa.array(kept, type=pa.bool_()))


def plain(ids: Ids) -> Ids:
    """The same ids, each with its text."""
    return ids.dictionary_decode() if isinstance(ids, pa.DictionaryArray) else ids


def text_column(ids: Ids | pa.ChunkedArray[Any]) -> Any:
    """Plain ids or texts as a pandas column of dtype `str`, which holds the same memory."""
    column: Any = pa.chunked_array([ids]) if isinstance(ids, pa.Array) else ids
    return pd.array(column, dtype="str")


def places(ids: Ids, among: Ids) -> npt.NDArray[np.int32]:
    """(m,) place of each id in the distinct ids `among`, -1 where it is none of them."""
    import pyarrow.compute as pc

    plain = ids.dictionary if isinstance(ids, pa.DictionaryArray) else ids
    found = pc.index_in(plain, value_set=among)
    place = found.fill_null(-1).to_numpy().astype(np.int32, copy=False)
    if isinstance(ids, pa.DictionaryArray):
        return place[ids.indices.to_numpy()] if len(ids) else np.zeros(0, dtype=np.int32)
    return place


def are_same(ids: Ids, others: Ids) -> npt.NDArray[np.bool_]:
    """(m,) whether each of some ids is the other one at its place."""
    import pyarrow.compute as pc

    return np.asarray(pc.equal(plain(ids), plain(others)).to_numpy(zero_copy_only=False), dtype=bool)


def fingerprints(ids: Ids) -> npt.NDArray[np.uint64]:
    """(m,) one number for each of some plain ids: equal ids have equal ones, others hardly ever do."""
    if not len(ids):
        return np.zeros(0, dtype=np.uint64)
    buffers: list[Any] = ids.buffers()
    offsets = np.frombuffer(buffers[1], dtype=np.int64, count=ids.offset + len(ids) + 1)[ids.offset :]
    starts, ends = offsets[:-1] - offsets[:1], offsets[1:] - offsets[:1]
    text = np.zeros(int(offsets[-1] - offsets[0]) + 8, dtype=np.uint8)
    # the first word of a short id reaches beyond it, that of the last one beyond all text
    text[:-8] = np.frombuffer(buffers[2] or b"", dtype=np.uint8)[offsets[0] : offsets[-1]]
    words = np.ndarray((len(text) - 7,), dtype="<u8", buffer=text, strides=(1,))
    lengths = ends - starts
    # spread before a word meets it: else the length would cancel a byte, and an empty id be that of U+0001
    mixed = _mix(lengths.astype(np.uint64) + np.uint64(1))
    mixed = _mix(mixed ^ (words[starts] & _LOWEST[np.minimum(lengths, 8)]))
    longest = int(lengths.max())
    for place in range(8, longest, 8):
        longer = np.flatnonzero(lengths > place) if place > 8 or lengths.min() <= 8 else slice(None)
        # the last word of an id ends with it, and so overlaps the one before
        at = np.minimum(starts[longer] + place, ends[longer] - 8)
        mixed[longer] = _mix(mixed[longer] ^ words[at])
    return mixed


_LOWEST = np.array([(1 << 8 * size) - 1 for size in range(9)], dtype=np.uint64)


def _mix(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Spread every bit over all others: the multiplication takes them up, the shift takes them down."""
    values = values * np.uint64(0x9E3779B97F4A7C15)
    return values ^ (values >> np.uint64(29))
