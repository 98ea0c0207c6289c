"""The built package: what is in it, and that it runs where there is nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pytest

import ragtui

# one worker builds, so that the wheel and the environments are made once
pytestmark = [pytest.mark.packaging, pytest.mark.xdist_group("packaging")]

CODE = {".py", ".tcss", ".toml", ".json", ".css", ".jinja"}
DATA = {".json", ".jsonl", ".md", ".toml", ".tsv"}
NEVER = {"tests", "cache", "benchmarks", "__pycache__", ".ragtui"}


@dataclass(frozen=True)
class Built:
    """A source archive and the wheel that was built from it."""

    sdist: Path
    wheel: Path

    def wheel_files(self) -> list[PurePosixPath]:
        with zipfile.ZipFile(self.wheel) as archive:
            return [PurePosixPath(name) for name in archive.namelist() if not name.endswith("/")]

    def sdist_files(self) -> set[str]:
        with tarfile.open(self.sdist) as archive:
            return {member.name.partition("/")[2] for member in archive if member.isfile()}


@dataclass(frozen=True)
class Environment:
    """A virtual environment that holds the runtime lock and nothing else."""

    folder: Path

    @property
    def programs(self) -> Path:
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    def install(self, *arguments: str | Path) -> None:
        """Install with the pip of this environment; where to install from is the machine's business."""
        pip = [str(self.programs / "python"), "-m", "pip", "install", "--quiet", "--no-deps"]
        complete(pip + [str(argument) for argument in arguments])

    def run(self, *command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run a program of this environment from `cwd` as a user with an empty home."""
        surroundings = {
            "HOME": str(cwd),
            "PATH": os.pathsep.join([str(self.programs), os.environ["PATH"]]),
            "RAGTUI_LANGUAGE": "en",
        }
        program = str(self.programs / command[0])
        return subprocess.run(
            [program, *command[1:]], cwd=cwd, env=surroundings, capture_output=True, text=True, check=False
        )


def complete(command: list[str]) -> None:
    """Run a command that has to succeed; what it says stands in the failure."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Both archives, built from the checkout without an isolated environment: the lock holds the backend."""
    folder = tmp_path_factory.mktemp("dist")
    complete([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(checkout)])
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return Built(sdist, wheel)


@pytest.fixture(scope="module")
def environment(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The runtime lock in an environment of its own. Each test puts ragtui in anew."""
    environment = Environment(tmp_path_factory.mktemp("environment"))
    complete([sys.executable, "-m", "venv", str(environment.folder)])
    environment.install("--require-hashes", "--requirement", checkout / "requirements.lock")
    return environment


def test_wheel_has_one_top_level_name(built: Built) -> None:
    tops = {file.parts[0] for file in built.wheel_files()}
    assert tops == {"ragtui", f"ragtui-{ragtui.__version__}.dist-info"}


def test_wheel_carries_both_data_folders(built: Built) -> None:
    files = {str(file) for file in built.wheel_files()}
    assert "ragtui/_bundled/judges/README.md" in files
    bundled_set = "ragtui/_bundled/datasets/travel-policy-zh"
    assert {f"{bundled_set}/corpus.jsonl", f"{bundled_set}/queries.jsonl", f"{bundled_set}/guide.md"} <= files
    assert any(file.startswith(f"{bundled_set}/qrels/") for file in files)
    assert any(file.startswith(f"{bundled_set}/runs/") for file in files)


def test_wheel_holds_nothing_outside_the_allow_list(built: Built) -> None:
    strangers = [
        str(file)
        for file in built.wheel_files()
        if file.parts[0] == "ragtui" and (not is_expected(file) or NEVER & set(file.parts))
    ]
    assert strangers == []


def is_expected(file: PurePosixPath) -> bool:
    """Whether a file below `ragtui/` may be in the wheel."""
    if file.parts[:2] == ("ragtui", "_bundled"):
        return file.parts[2] in {"datasets", "judges"} and file.suffix in DATA
    return file.suffix in CODE or file == PurePosixPath("ragtui/py.typed")


def test_wheel_has_every_file_of_the_package(built: Built, checkout: Path) -> None:
    sources = subprocess.run(
        ["git", "ls-files", "ragtui"], cwd=checkout, capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(sources) - {str(file) for file in built.wheel_files()} == set()


def test_source_archive_can_be_worked_on(built: Built) -> None:
    files = built.sdist_files()
    assert {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "Makefile",
        "requirements.lock",
        "requirements-dev.lock",
        "ragtui/__init__.py",
        "tests/conftest.py",
    } <= files
    assert not any(".ragtui/" in name or name.startswith((".venv/", "cache/")) for name in files)


def test_wheel_evaluates_the_bundled_set_from_another_folder(
    built: Built, environment: Environment, tmp_path: Path
) -> None:
    environment.install("--force-reinstall", built.wheel)
    assert_evaluates_the_bundled_set(environment, tmp_path)


def test_editable_install_evaluates_the_bundled_set_from_another_folder(
    checkout: Path, environment: Environment, tmp_path: Path
) -> None:
    environment.install("--no-build-isolation", "--editable", checkout)
    assert_evaluates_the_bundled_set(environment, tmp_path)


def assert_evaluates_the_bundled_set(environment: Environment, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = environment.run("ragtui", "eval", "--json", cwd=elsewhere)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["schema"], report["ragtui"]) == (1, ragtui.__version__)
    assert report["runs"]
    for run in report["runs"].values():
        assert run["counts"]["scored"] > 0
        assert 0 < run["metrics"]["ndcg@10"]["mean"] <= 1
