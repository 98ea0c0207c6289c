"""What every test may ask for, and what keeps tests apart from the person who runs them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from ragtui import messages

CHECKOUT = Path(__file__).resolve().parent.parent

# On cores that others use too a deadline measures the others. Under CI Hypothesis takes its own profile.
settings.register_profile("shared-cores", deadline=None)
if "CI" not in os.environ:
    settings.load_profile("shared-cores")


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The root of the repository."""
    return CHECKOUT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public data that lies beside a checkout; `RAGTUI_SHARED_DATA` names another one.

    Tests that compare with that data are skipped where it is absent, such as in an unpacked source archive.
    """
    folder = Path(os.environ.get("RAGTUI_SHARED_DATA") or CHECKOUT.parent / "shared")
    if not folder.is_dir():
        pytest.skip(f"no shared data at {folder}")
    return folder


@pytest.fixture(autouse=True)
def _own_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Settings, state and caches of the person are neither read nor written, and texts are English."""
    base = tmp_path_factory.mktemp("own")
    for kind in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"RAGTUI_{kind}_DIR", str(base / kind.lower()))
    monkeypatch.setenv("RAGTUI_LANGUAGE", "en")
    messages.use(None)  # the command line fixes the language of the process, also for the tests after it
