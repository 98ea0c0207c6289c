"""`python -m ragtui` is the command `ragtui`."""

from ragtui.cli.main import main

main()
