"""Entry points of the commands: nothing slow is imported before Ctrl-C is answered in one line."""

import sys


def advise() -> None:
    """The command ``advise``."""
    _run("advise_command")


def kosti() -> None:
    """The command ``kosti``."""
    _run("kosti_command")


def _run(name: str) -> None:
    try:
        from solver import cli

        getattr(cli, name)()
    except KeyboardInterrupt:  # later ones are answered by the command itself
        from solver.text import _

        print(_("stopped; nothing was written"), file=sys.stderr)
        sys.exit(130)
