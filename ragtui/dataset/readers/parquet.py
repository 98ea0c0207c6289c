"""Rows of Parquet files as plain values: what a JSON file would hold of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ragtui.dataset.faults import Faults
from ragtui.dataset.readers.values import shown

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_MAGIC = b"PAR1"
_BATCH = 2048


def is_parquet(path: Path) -> bool:
    """Whether a file says in its first bytes that it is Parquet; False where it cannot be read."""
    try:
        if not path.is_file():  # opening a pipe would wait for somebody to write into it
            return False
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def parquet_size(path: Path) -> tuple[int, tuple[str, ...]]:
    """How many rows a file has, and its columns; 0 and none where it cannot be read (reading says why)."""
    opened = _opened(path, Faults())
    if opened is None:
        return 0, ()
    with opened:
        return opened.metadata.num_rows, tuple(opened.schema_arrow.names)


def parquet_rows(path: Path, faults: Faults) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number from 1 and values by column of every row.

    Times become ISO texts, maps become objects, and fields of an object that are null are left out, because a
    column of objects has every field in every row. A file that cannot be read is a fault, and the rows end
    there.
    """
    import pyarrow as pa

    opened = _opened(path, faults)
    if opened is None:
        return
    number = 0
    with opened:
        others = [field.name for field in opened.schema_arrow if not _is_plain(field.type)]
        batches = opened.iter_batches(batch_size=_BATCH)
        while True:
            try:
                batch = next(batches, None)
                rows = batch.to_pylist() if batch is not None else []
            except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
                faults.error("bad-parquet", path, number + 1, reason=_reason(error))
                return
            if batch is None:
                return
            for row in rows:
                number += 1
                for name in others:
                    row[name] = _plain(row[name])
                yield number, row


def _opened(path: Path, faults: Faults) -> pq.ParquetFile | None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path)
    except PermissionError:
        faults.error("no-permission", path)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        faults.error("bad-parquet", path, None, reason=_reason(error))
    return None


def _reason(error: BaseException) -> str:
    return shown(str(error).strip().partition("\n")[0])


def _is_plain(kind: pa.DataType) -> bool:
    """Whether values of a type come as text, numbers, true and false, or lists of those."""
    import pyarrow.types as of

    if of.is_list(kind) or of.is_large_list(kind) or of.is_dictionary(kind):
        return _is_plain(kind.value_type)
    return bool(
        of.is_string(kind)
        or of.is_large_string(kind)
        or of.is_integer(kind)
        or of.is_floating(kind)
        or of.is_boolean(kind)
        or of.is_null(kind)
    )


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list):
        if value and all(isinstance(item, tuple) for item in value):
            return {str(_plain(key)): _plain(held) for key, held in value}
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(held) for key, held in value.items() if held is not None}
    if isinstance(value, bytes):
        return _text_of(value)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _text_of(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.hex()
