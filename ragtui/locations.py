"""The only file that knows folders: bundled data, a user's settings and state, caches."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def bundled(kind: str) -> Path:
    """Folder of bundled data: `datasets` or `judges`.

    A wheel carries them under `ragtui/_bundled`; an editable install has the folders beside the package.
    """
    inside = PACKAGE / "_bundled" / kind
    return inside if inside.is_dir() else PACKAGE.parent / kind


def example_set() -> Path:
    """The evaluation set that verbs take when they are given none."""
    return bundled("datasets") / "travel-policy-zh"


def is_bundled(path: Path) -> bool:
    """Whether `path` lies in the bundled data, which is never written to."""
    return path.resolve().is_relative_to(bundled("datasets").resolve())


def settings_file() -> Path:
    """`settings.toml` of the user; `RAGTUI_CONFIG_DIR` overrides the folder."""
    return _user_folder("RAGTUI_CONFIG_DIR", "config") / "settings.toml"


def data_folder() -> Path:
    """Where state goes that cannot lie beside its set; `RAGTUI_DATA_DIR` overrides it."""
    return _user_folder("RAGTUI_DATA_DIR", "data")


def cache_folder() -> Path:
    """Model replies and embeddings: `RAGTUI_CACHE_DIR`, `cache/` of a checkout, else the user's cache."""
    checkout = PACKAGE.parent / "cache"
    if not os.environ.get("RAGTUI_CACHE_DIR") and (checkout / "README.md").is_file():
        return checkout
    return _user_folder("RAGTUI_CACHE_DIR", "cache")


def state_folder(set_path: Path, override: Path | None = None) -> Path:
    """Where decisions and view of a set are kept. Nothing is created here.

    Beside the set (`.ragtui/`), or in the user's data folder when the set is bundled, a bare file or not
    writable.
    """
    if override is not None:
        return override
    here = set_path.resolve()
    if here.is_dir() and os.access(here, os.W_OK) and not is_bundled(here):
        return here / ".ragtui"
    readable = "".join(c if c.isalnum() or c in "-_." else "-" for c in here.name) or "set"
    return data_folder() / "sets" / f"{readable}-{_short_hash(str(here))}"


def _user_folder(variable: str, kind: str) -> Path:
    chosen = os.environ.get(variable)
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs  # here: start-up of `ragtui --help` does not need it

    return Path(
        {
            "config": platformdirs.user_config_dir,
            "data": platformdirs.user_data_dir,
            "cache": platformdirs.user_cache_dir,
        }[kind]("ragtui", appauthor=False)
    )


def _short_hash(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]
