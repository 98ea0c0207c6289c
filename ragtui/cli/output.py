"""What goes to which stream: results to stdout, everything else to stderr, all of it inert."""

from __future__ import annotations

import io
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ragtui import __version__
from ragtui.dataset.faults import BadInput, Fault
from ragtui.errors import RagtuiError
from ragtui.inert import inert, inert_lines
from ragtui.messages import t

SCHEMA = 1
OF_A_KIND = 3
"""How many faults of one kind are told beside a result; `ragtui check` lists them all."""


def say(text: str) -> None:
    """A word about the work, to stderr."""
    print(inert_lines(text), file=sys.stderr)


def show(text: str) -> None:
    """A result for people, to stdout."""
    print(inert_lines(text))


def show_json(content: Mapping[str, Any]) -> None:
    """A result for programs: one object with schema and version in front, never NaN.

    Characters that the stream cannot take, and halves of surrogate pairs, are written as JSON escapes.
    """
    whole = with_schema(content)
    text = json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=1)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(whole, allow_nan=False, indent=1)
    print(text)


def with_schema(content: Mapping[str, Any]) -> dict[str, Any]:
    """`content` with what every object of ours starts with."""
    return {"schema": SCHEMA, "ragtui": __version__, **content}


def forgive_characters() -> None:
    """Let both streams write `\\u9910` for a character their encoding lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr, only where a person sees it; the block gets a function to tell (done, total)."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def fault_lines(fault: Fault) -> list[str]:
    """What is wrong and where, then how to mend it."""
    place = f"{inert(fault.where)}: " if fault.where else ""
    lines = [f"{t(f'cli.severity.{fault.severity}')}: {place}{inert(fault.what)}"]
    return [*lines, f"  {inert(fault.mend)}"] if fault.mend else lines


def say_faults(faults: Iterable[Fault]) -> None:
    """Faults of reading to stderr, with their mends; of each kind the first ones."""
    kinds: dict[str, list[Fault]] = defaultdict(list)
    for fault in faults:
        kinds[fault.kind].append(fault)
    for found in kinds.values():
        for fault in found[:OF_A_KIND]:
            say("\n".join(fault_lines(fault)))
        if len(found) > OF_A_KIND:
            say("  " + t("cli.more-of-this-kind"))


def say_error(error: RagtuiError) -> None:
    """What went wrong, to stderr: of bad input every error that was found, not only the first."""
    if isinstance(error, BadInput) and error.faults.error_count > 1:
        say_faults(error.faults.of("error"))
        say(t("cli.errors-in-all", n=error.faults.error_count))
    else:
        say(str(error))
