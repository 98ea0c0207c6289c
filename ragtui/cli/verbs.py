"""The verbs, each from a file of its own. Helps are written in the language that is in use on import."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ragtui import __version__
from ragtui.cli import agree, bench, calibrate, check, convert, failures, freeze, judge, report, split
from ragtui.cli import eval as eval_verb
from ragtui.cli import open as open_verb
from ragtui.cli.formats_help import formats_read, formats_written
from ragtui.messages import t


def _without_verbs() -> typer.Typer:
    made = typer.Typer(
        name="ragtui",
        add_completion=False,
        no_args_is_help=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback(invoke_without_command=True, help=t("cli.help"))(_root)
    return made


def _root(version: Annotated[bool, typer.Option("--version", help=t("cli.version"))] = False) -> None:
    if version:
        typer.echo(f"ragtui {__version__}")
        raise typer.Exit


app = _without_verbs()
app.command("open", hidden=True, help=t("cli.open.help"))(open_verb.open_app)
app.command("eval", help=t("cli.eval.help"), short_help=t("cli.eval.short"))(eval_verb.evaluate)
app.command("check", help=t("cli.check.help"), short_help=t("cli.check.short"), epilog=formats_read())(
    check.check
)
app.command(
    "convert",
    help=t("cli.convert.help"),
    short_help=t("cli.convert.short"),
    epilog=f"{formats_read()}\n\n{formats_written()}",
)(convert.convert)
app.command("freeze", help=t("cli.freeze.help"), short_help=t("cli.freeze.short"))(freeze.freeze)
app.command("split", help=t("split.help"), short_help=t("split.short"))(split.split)
app.command("calibrate", help=t("calibrate.help"), short_help=t("calibrate.short"))(calibrate.calibrate)
app.command("bench", help=t("cli.bench.help"), short_help=t("cli.bench.short"))(bench.bench)
app.command("judge", help=t("cli.judge.help"), short_help=t("cli.judge.short"))(judge.judge)
app.command("report", help=t("report.help"), short_help=t("report.short"))(report.report)
app.command("failures", help=t("failures.help"), short_help=t("failures.short"))(failures.failures)
app.command("agree", help=t("agree.help"), short_help=t("agree.short"))(agree.agree)


VERBS = frozenset(str(command.name) for command in app.registered_commands)


def with_verb(arguments: list[str]) -> list[str]:
    """`ragtui PATH` and `ragtui --run x` mean `ragtui open …`: a path is what is no verb."""
    if arguments and arguments[0] in VERBS | {"--help", "-h", "--version"}:
        return arguments
    return ["open", *arguments]


def open_at(arguments: list[str]) -> bool:
    """Whether that was `ragtui` or `ragtui PATH`, which open the app without typer.

    To parse even one argument typer loads pydantic, a tenth of the time until the first screen.
    """
    if len(arguments) > 1 or any(one in VERBS or one.startswith("-") for one in arguments):
        return False
    open_verb.open_app(Path(arguments[0]) if arguments else None)
    return True


def app_for(verb: str) -> typer.Typer:
    """The command line with that verb alone; with all of them where it is none, such as `--help`.

    Typer builds each option of each verb that it knows, which would take longer than to read a set.
    """
    if verb not in VERBS:
        return app
    alone = _without_verbs()
    alone.registered_commands = [command for command in app.registered_commands if command.name == verb]
    return alone
