"""What all commands share: how they end, how they complain, and how they show that they are at work."""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import click

from solver.errors import SolverError
from solver.text import _

if TYPE_CHECKING:
    from pathlib import Path

    from solver.ruleset import Rules
    from solver.table import Table


class StatedOnce(click.Command):
    """A command that refuses an option that is given twice, where click would forget the first."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does. UsageError if an option that takes one value has two."""
        seen: set[str] = set()
        _values, _rest, given = self.make_parser(ctx).parse_args(list(args))
        for option in given:
            if isinstance(option, click.Option) and not option.multiple and not option.is_flag:
                name = option.opts[0]
                if name in seen:
                    raise click.UsageError(_("{option}: given twice; allowed: once").format(option=name))
                seen.add(name)
        return super().parse_args(ctx, args)


class Commands(click.Group):
    """A group of such commands."""

    command_class = StatedOnce


def out_option(text: str, *, required: bool = False, makes_folders: bool = False) -> Callable[..., Any]:
    """The option ``--out``: a file to be written, which is refused before any work if it cannot be.

    ``makes_folders`` for a command that makes those which are missing.
    """
    from pathlib import Path  # which is not on the way to a quick answer

    def checked(_context: click.Context, _parameter: click.Parameter, out: "Path | None") -> "Path | None":
        from solver.table import check_writable

        if out is not None:
            check_writable(out, makes_folders=makes_folders)
        return out

    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option("--out", type=kind, required=required, callback=checked, help=text)


as_json = click.option("--json", "as_json", is_flag=True, help=_("Answer in JSON."))


def run(command: click.Command) -> None:
    """Run a command; whatever goes wrong is one line on standard error."""
    try:
        status = _main(command)
    except OSError as error:
        # Python would complain again when it flushes at exit.
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        # A closed pipe is no error: whoever read our output has had enough.
        closed = error.errno == errno.EPIPE
        status = 0 if closed else complain(_("the output cannot be written: {why}").format(why=error.strerror))
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        status = 2
    except click.Abort as error:
        # Whoever was interrupted may have something to say of what is kept.
        click.echo(str(error.__cause__ or "") or _("stopped; nothing was written"), err=True)
        status = 130
    except click.ClickException as error:
        status = complain(error.format_message())
    except SolverError as error:
        status = complain(str(error))
    except MemoryError:
        status = complain(_("not enough memory"))
    sys.exit(status if isinstance(status, int) else 0)


def _main(command: click.Command) -> Any:
    try:
        status = command.main(standalone_mode=False)
    except SystemExit:  # click's answer to a closed pipe
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from None
    if sys.stdout:
        sys.stdout.flush()
    return status


def warn(message: str) -> None:
    """Tell the user something in one line on standard error."""
    click.echo(" ".join(message.split()), err=True)


def complain(message: str) -> int:
    """Tell the user in one line what is wrong; gives the exit status for that."""
    warn(message)
    return 2


def solve_with_progress(loaded: "Rules", objective: str, **part: Any) -> "Table":
    """Solve a game, or a part of it, to a table, and show how far it is."""
    return solve_game(loaded, objective, **part)[0]


def solve_game(loaded: "Rules", objective: str, **limits: Any) -> tuple["Table", Any]:
    """Solve a game within ``limits`` to a table and what the solve tells of itself, and show how far it is."""
    from solver.families import solve_table

    with working(_("solving {title}").format(title=loaded.title or _("this game"))) as progress:
        return solve_table(loaded, objective, progress=progress, **limits)


PATIENCE = 10.0
"""Seconds between two lines that tell of work, where standard error is no terminal and has no bar."""


@contextmanager
def working(what: str) -> Iterator[Callable[..., None]]:
    """A bar that fills as the residual, or the share of work left, shrinks, on standard error.

    Where that is no terminal, work that takes long tells of itself in a line from time to time.
    """
    from math import log10

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[error]}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task(what, total=12.0, error="")
        told = time.monotonic()

        def show(number: int, residual: float, share: float | None = None) -> None:
            nonlocal told
            if share is not None:  # of work whose length is known
                done, where = 12.0 * share, f"{100.0 * share:.0f} %"
            else:
                done = min(12.0, max(0.0, -log10(max(residual, 1e-300))))
                where = _("step {number}, {size:.0e} left").format(number=number, size=residual)
            bars.update(task, completed=done, error=where)
            if not console.is_terminal and time.monotonic() - told > PATIENCE:
                told = time.monotonic()
                warn(f"{what}: {where}")

        yield show


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """A sign of life for work whose length is unknown, on standard error.

    Where that is no terminal, work that takes long tells of itself in a line from time to time.
    """
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal:
        with console.status(what):
            yield
        return
    done = Event()
    teller = Thread(target=_tell_until, args=(done, what), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _tell_until(done: Event, what: str) -> None:
    began = time.monotonic()
    while not done.wait(PATIENCE):
        warn(_("{what}: {seconds:.0f} s").format(what=what, seconds=time.monotonic() - began))
