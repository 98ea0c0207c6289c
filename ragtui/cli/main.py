"""The console script: the language, then a verb, then how it ended.

What it needs is imported inside: Ctrl-C during an import ends like any other.
"""

from __future__ import annotations

import os
import sys

CTRL_C = 130
READER_GONE = 141
"""What a shell reports of a program whose reader has gone; 1 is kept for a gate that failed."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 fine, 1 a gate failed, 2 bad input or usage, 130 on Ctrl-C.

    141 where the reader of a pipe has gone, such as `head`. No traceback reaches a user;
    `RAGTUI_TRACEBACK=1` shows those of our own faults.
    """
    try:
        code = _told(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        code = CTRL_C
    sys.exit(code)


def _told(arguments: list[str]) -> int:
    """The exit code of a verb; what went wrong is told on stderr."""
    from ragtui.cli.output import forgive_characters, say, say_error
    from ragtui.errors import RagtuiError
    from ragtui.messages import t

    forgive_characters()
    try:
        return _done(arguments)
    except RagtuiError as error:
        say_error(error)
        return error.exit_code
    except BrokenPipeError:
        _let_go_of_output()
        return READER_GONE
    except Exception as error:
        if os.environ.get("RAGTUI_TRACEBACK"):
            raise
        if isinstance(error, OSError):
            place = f"{error.filename}: " if error.filename else ""
            say(f"{place}{t('cli.system', why=error.strerror or error)}\n{t('cli.system-mend')}")
            _let_go_of_output()
        else:
            say(f"{t('cli.internal', error=f'{type(error).__name__}: {error}')}\n{t('cli.internal-mend')}")
        return 2


def _done(arguments: list[str]) -> int:
    """Run the verb that the arguments name, in the language of the settings."""
    from ragtui import messages, settings

    wishes, _ = settings.load()
    if wishes.language != "auto":
        messages.use(wishes.language)
    from ragtui.cli.verbs import app_for, open_at, with_verb  # its helps are written in the language of now

    if open_at(arguments):
        return 0
    arguments = with_verb(arguments)
    stdout = sys.stdout
    try:
        app_for(arguments[0])(args=arguments, prog_name="ragtui")
    except SystemExit as end:
        if sys.stdout is not stdout:  # typer wraps it when the reader has gone, and then ends with 1
            raise BrokenPipeError from end
        stdout.flush()
        return end.code if isinstance(end.code, int) else 0
    return 0


def _let_go_of_output() -> None:
    """Drop what is still buffered and cannot be written: Python would fail on it once more at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
