"""The console script: `ragtui [PATH]` opens the app, every other verb has a file of its own."""

from __future__ import annotations

import sys

import typer

from ragtui import __version__
from ragtui.cli import bench, check, convert, freeze
from ragtui.cli import eval as eval_verb
from ragtui.cli import open as open_verb
from ragtui.errors import RagtuiError
from ragtui.inert import inert_lines
from ragtui.messages import t

app = typer.Typer(
    name="ragtui",
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("open", hidden=True)(open_verb.open_app)
app.command("eval", help=t("cli.eval.help"))(eval_verb.evaluate)
app.command("check", help=t("cli.check.help"))(check.check)
app.command("convert", help=t("cli.convert.help"))(convert.convert)
app.command("freeze", help=t("cli.freeze.help"))(freeze.freeze)
app.command("bench", help=t("cli.bench.help"))(bench.bench)


@app.callback(invoke_without_command=True)
def _root(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    """Read a RAG evaluation set query by query, with rank metrics that are right.

    `ragtui [PATH]` opens the app: on PATH, else on the set in this folder, else on the bundled example.
    """
    if version:
        typer.echo(f"ragtui {__version__}")
        raise typer.Exit


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 fine, 1 a gate failed, 2 bad input or usage, 130 on Ctrl-C."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        app(args=_with_verb(given), prog_name="ragtui")
    except RagtuiError as error:
        print(inert_lines(str(error)), file=sys.stderr)
        sys.exit(error.exit_code)


def _with_verb(arguments: list[str]) -> list[str]:
    """`ragtui PATH` and `ragtui --run x` mean `ragtui open …`: a path is what is no verb."""
    verbs = {command.name for command in app.registered_commands}
    if arguments and arguments[0] in verbs | {"--help", "-h", "--version"}:
        return arguments
    return ["open", *arguments]
