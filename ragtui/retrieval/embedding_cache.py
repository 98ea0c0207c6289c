"""Vectors of passages on disk, so that a corpus is embedded once per model.

One folder per model and version below `embeddings` in the cache folder, in it files of vectors, each with the
hash of its text. A file is written aside and renamed, and its name is the hash of its keys: two processes
that embed the same corpus at once write the same file twice, and a reader never sees half of one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ragtui import locations
from ragtui.atomic import replacing
from ragtui.errors import RagtuiError

Vectors = npt.NDArray[np.float32]

_PART = 512
_KEY_BYTES = 32


class EmbeddingCache:
    """Vectors of one model.

    Args:
        identity: all that decides a vector besides its text: model, version, server, prefix.
        dimension: d of the vectors.
        folder: instead of `embeddings` in the cache folder.

    Raises:
        RagtuiError: the folder cannot be made or written to.
    """

    def __init__(self, identity: Sequence[str], dimension: int, folder: Path | None = None) -> None:
        self._row = np.dtype([("key", np.uint8, (_KEY_BYTES,)), ("vector", "<f4", (dimension,))])
        readable = "".join(c if c.isalnum() or c in "-_." else "-" for c in identity[0].rsplit("/", 1)[-1])
        digest = hashlib.sha256(
            "\0".join([*identity, str(dimension)]).encode("utf-8", "replace")
        ).hexdigest()[:16]
        self._folder = (folder or locations.cache_folder() / "embeddings") / f"{readable}-{digest}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise _unwritable(self._folder, error) from error

    def vectors(
        self,
        texts: Sequence[str],
        embed: Callable[[Sequence[str]], Vectors],
        block: int,
        done: Callable[[int], None],
    ) -> Vectors:
        """Vectors of `texts`, (n, d) in their order; what is not on disk comes from `embed` in blocks.

        What was embedded is kept when `embed` raises or is interrupted. `done` is told how many texts have
        their vector.
        """
        keys = [_key_of(text) for text in texts]
        known = self._read(set(keys))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        done(len(texts) - len(missing))
        fresh: dict[bytes, npt.NDArray[np.float32]] = {}
        try:
            for start in range(0, len(missing), block):
                wanted = list(missing.items())[start : start + block]
                fresh.update(
                    zip((key for key, _ in wanted), embed([text for _, text in wanted]), strict=True)
                )
                done(len(texts) - len(missing) + start + len(wanted))
                if len(fresh) >= _PART:
                    self._write(fresh)
                    known.update(fresh)
                    fresh = {}
        finally:
            if fresh:
                self._write(fresh)
                known.update(fresh)
        return np.stack([known[key] for key in keys])

    def _read(self, wanted: set[bytes]) -> dict[bytes, npt.NDArray[np.float32]]:
        """Vectors on disk among those wanted. A damaged file is as good as absent."""
        known: dict[bytes, npt.NDArray[np.float32]] = {}
        for path in sorted(self._folder.glob("*.npy")):
            try:
                part: npt.NDArray[Any] = np.load(path, allow_pickle=False)
            except (OSError, ValueError, EOFError):
                continue
            if part.dtype != self._row or part.ndim != 1:
                continue
            keys = part["key"].tobytes()
            for row, vector in enumerate(part["vector"]):
                key = keys[row * _KEY_BYTES : (row + 1) * _KEY_BYTES]
                if key in wanted:
                    known[key] = vector
        return known

    def _write(self, fresh: dict[bytes, npt.NDArray[np.float32]]) -> None:
        rows = sorted(fresh)
        part = np.empty(len(rows), dtype=self._row)
        part["key"] = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(-1, _KEY_BYTES)
        part["vector"] = np.stack([fresh[key] for key in rows])
        name = hashlib.sha256(b"".join(rows)).hexdigest()[:32]
        try:
            with replacing(self._folder / f"{name}.npy") as file:
                np.save(file, part, allow_pickle=False)
        except OSError as error:
            raise _unwritable(self._folder, error) from error


def _key_of(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _unwritable(folder: Path, error: OSError) -> RagtuiError:
    return RagtuiError("retrieval.cache-unwritable", where=str(folder), reason=error.strerror or str(error))
