"""A language model in this process: a GGUF file behind a server on loopback, for this machine only."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from ragtui.errors import RagtuiError
from ragtui.inert import inert

PREFIX = "local:"

_SLOTS = 2
_SAMPLE = 1 << 20


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model that answers now.

    Attributes:
        name: `local:` and the name of the file.
        digest: of the file's size and its first MiB, so that two files of one name are told apart.
        litellm_model: what a `CompletionEndpoint` calls it.
        api_base: where it answers.
        window: tokens of one request.
        slots: requests that it works on at once.
    """

    name: str
    digest: str
    litellm_model: str
    api_base: str
    window: int | None
    slots: int


@contextmanager
def serving(model: str) -> Iterator[LocalModel]:
    """The model, for as long as the block runs.

    Args:
        model: `local:` and a path of a GGUF file, or the name of an installed package that holds one.

    Raises:
        RagtuiError: there is no such file, it cannot be loaded, or the extra `local-llm` is not installed.
    """
    file = _file_of(model.removeprefix(PREFIX))
    server = _started(file)
    address = server.listening_address
    _ask_once(address)
    try:
        yield LocalModel(
            name=f"{PREFIX}{file.name.removesuffix('.gguf')}",
            digest=_digest(file),
            litellm_model=f"openai/{file.stem}",
            api_base=f"{address}/v1",
            window=_window(address),
            slots=_SLOTS,
        )
    finally:
        del server  # it ends with its last reference


def _file_of(name: str) -> Path:
    path = Path(name).expanduser()
    if path.is_file():
        return path
    try:
        files = distribution(name).files or []
    except (PackageNotFoundError, ValueError):
        files = []
    found = next((file for file in files if file.suffix == ".gguf"), None)
    if found is None:
        raise RagtuiError("endpoint.local-missing", name=inert(name))
    return Path(str(found.locate()))


def _started(file: Path) -> Any:
    # Threads that wait for work by spinning take the cores from everything else.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import xllamacpp
    except ImportError as error:
        raise RagtuiError("endpoint.local-extra", reason=inert(str(error))) from error
    wishes = xllamacpp.CommonParams()
    wishes.model.path = str(file)
    wishes.model_alias = {file.stem}
    wishes.hostnames = ["127.0.0.1"]
    wishes.port = 0
    wishes.n_parallel = _SLOTS
    wishes.cpuparams.n_threads = max(1, (os.cpu_count() or 2) // 2)
    wishes.offline = True
    wishes.ui = False
    wishes.verbosity = -1
    try:
        return xllamacpp.Server(wishes)
    except Exception as error:
        raise RagtuiError("endpoint.local-broken", where=str(file), reason=inert(str(error))) from error


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        content = stream.read(_SAMPLE)
    return hashlib.sha256(b"%d\0%s" % (file.stat().st_size, content)).hexdigest()[:16]


def _ask_once(address: str) -> None:
    """Wait until the server works on requests: one that ends before its loop has begun would never end."""
    wish = json.dumps({"prompt": "a", "n_predict": 1}).encode()
    request = Request(f"{address}/completion", wish, {"Content-Type": "application/json"})  # noqa: S310
    with urlopen(request, timeout=120) as reply:  # noqa: S310 - our own server on loopback
        reply.read()


def _window(address: str) -> int | None:
    with urlopen(f"{address}/props", timeout=10) as reply:  # noqa: S310 - our own server on loopback
        settings = json.load(reply).get("default_generation_settings", {})
    window = settings.get("n_ctx")
    return window if isinstance(window, int) and window > 0 else None
