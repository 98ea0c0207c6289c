"""Arguments and options that several verbs share, and the set they stand for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ragtui import locations
from ragtui.cli.output import say
from ragtui.errors import RagtuiError
from ragtui.inert import inert
from ragtui.messages import t

PathArgument = Annotated[
    Path | None, typer.Argument(metavar="PATH", help=t("cli.option.path"), show_default=False)
]
CorpusOption = Annotated[Path | None, typer.Option("--corpus", metavar="FILE", help=t("cli.option.corpus"))]
QueriesOption = Annotated[
    Path | None, typer.Option("--queries", metavar="FILE", help=t("cli.option.queries"))
]
GoldOption = Annotated[
    Path | None, typer.Option("--gold", "--qrels", metavar="FILE", help=t("cli.option.gold"))
]
RunFilesOption = Annotated[
    list[str] | None, typer.Option("--run", metavar="NAME=FILE", help=t("cli.option.run-file"))
]
JsonOption = Annotated[bool, typer.Option("--json", help=t("cli.option.json"))]
LevelOption = Annotated[
    str | None, typer.Option("--level", metavar="GRADE|document", help=t("cli.option.level"))
]
DocumentOption = Annotated[Literal["document"] | None, typer.Option("--level", help=t("cli.option.document"))]
SplitOption = Annotated[str | None, typer.Option("--split", metavar="NAME", help=t("cli.option.split"))]
StateOption = Annotated[Path | None, typer.Option("--state", metavar="FOLDER", help=t("cli.option.state"))]

DOCUMENT = "document"
RUN_SUFFIXES = {".trec", ".txt", ".run", ".res", ".jsonl", ".json", ".tsv", ".csv", ".gz", ".parquet"}


def chosen_set(path: Path | None, gold: Path | None = None) -> Path:
    """PATH, else a gold file that was named, else the set in this folder, else the bundled example.

    A gold file with runs is a set by itself. Which set was taken without being named is said.
    """
    named = path if path is not None else gold
    if named is not None:
        return named
    from ragtui.dataset.reading import is_set

    if is_set(Path.cwd()):
        say(t("cli.using-this-folder"))
        return Path()
    say(t("cli.using-example"))
    return locations.example_set()


def named_files(
    corpus: Path | None = None,
    queries: Path | None = None,
    gold: Path | None = None,
    runs: dict[str, Path] | None = None,
) -> dict[str, Any]:
    """Files that were named, as `open_set` takes them."""
    return {"corpus": corpus, "queries": queries, "gold": gold, "runs": runs or {}}


def run_files(given: list[str] | None) -> dict[str, Path]:
    """`NAME=FILE` pairs; a bare file is a run called after itself.

    Raises:
        RagtuiError: a pair lacks its name or its file, or two files have one name.
    """
    from ragtui.dataset.formats.folder import run_name, stem_name

    files: dict[str, Path] = {}
    for text in given or []:
        name, sign, file = text.partition("=")
        path = Path(file if sign else text)
        if not sign:
            name = run_name(path) or stem_name(path)
        if not name or (sign and not file):
            raise RagtuiError("cli.bad-run", where="--run", given=inert(text))
        if name in files:
            two = {"first": inert(str(files[name])), "second": inert(str(path))}
            raise RagtuiError("cli.two-runs", where="--run", name=inert(name), **two)
        files[name] = path
    return files


def listed(option: str, given: list[str] | None) -> list[str] | None:
    """Values of an option that may be repeated and may join several by commas; None where it is not given.

    Raises:
        RagtuiError: it is given and names nothing.
    """
    if given is None:
        return None
    values = [value.strip() for text in given for value in text.split(",")]
    if not any(values):
        raise RagtuiError("cli.nothing-named", where=option, option=option)
    return [value for value in values if value]


def runs_and_files(given: list[str] | None) -> tuple[list[str], dict[str, Path]]:
    """What `--run` names: runs of the set, and files by name.

    A file is `NAME=FILE`, a path that exists, or what looks like one.

    Raises:
        RagtuiError: two files have one name.
    """
    files = [text for text in given or [] if "=" in text or _looks_like_a_file(text)]
    return [text for text in given or [] if text not in files], run_files(files)


def _looks_like_a_file(text: str) -> bool:
    path = Path(text)
    return path.suffix in RUN_SUFFIXES or len(path.parts) > 1 or path.is_file()
