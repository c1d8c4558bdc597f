"""Entry points of the commands: nothing slow is imported before Ctrl-C is answered in one line."""

import gc
import os
import sys

NEW_OBJECTS = 50_000
"""After so many, Python looks for garbage: more than a quick answer makes, and next to none of those is garbage."""


def advise() -> None:
    """The command ``advise``."""
    try:
        _run("advise_command")
    except SystemExit as end:
        if isinstance(end.code, int):
            _leave(end.code)
        raise


def kosti() -> None:
    """The command ``kosti``."""
    _run("kosti_command")


def _run(name: str) -> None:
    gc.set_threshold(NEW_OBJECTS)
    try:
        from solver import cli

        getattr(cli, name)()
    except KeyboardInterrupt:  # later ones are answered by the command itself
        from solver.text import _

        print(_("stopped; nothing was written"), file=sys.stderr)
        sys.exit(130)


def _leave(status: int) -> None:
    """End the process at once: to take all objects apart first would cost a tenth of the time of a quick answer.

    Returns, to an end as usual, where that may have something to do: where other threads run, where a profiler or a
    debugger looks on, and where what was written has not arrived, of which Python tells.
    """
    from threading import active_count

    if active_count() > 1 or sys.getprofile() or sys.gettrace():
        return
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream:
                stream.flush()
    except (OSError, ValueError):  # a full disk, or a stream that was closed
        return
    os._exit(status)
