"""The console script: the language, then a verb, then how it ended."""

from __future__ import annotations

import os
import sys

from ragtui import messages, settings
from ragtui.cli.output import forgive_characters, say
from ragtui.errors import RagtuiError
from ragtui.messages import t


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 fine, 1 a gate failed, 2 bad input or usage, 130 on Ctrl-C.

    No traceback reaches a user; `RAGTUI_TRACEBACK=1` shows those of our own faults.
    """
    forgive_characters()
    try:
        wishes, _ = settings.load()
        if wishes.language != "auto":
            messages.use(wishes.language)
        from ragtui.cli.verbs import app, with_verb  # its helps are written in the language of now

        app(args=with_verb(sys.argv[1:] if arguments is None else arguments), prog_name="ragtui")
    except RagtuiError as error:
        say(str(error))
        sys.exit(error.exit_code)
    except Exception as error:
        if os.environ.get("RAGTUI_TRACEBACK"):
            raise
        say(f"{t('cli.internal', error=f'{type(error).__name__}: {error}')}\n{t('cli.internal-mend')}")
        sys.exit(2)
