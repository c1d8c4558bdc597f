"""The commands ``advise`` and ``kosti``."""

import errno
import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solver import __version__
from solver.errors import RulesetError, SolverError
from solver.text import _

if TYPE_CHECKING:
    from solver.families import Rules
    from solver.table import Table

DEFAULT_RULESET = "thousand-classic"

as_json = click.option("--json", "as_json", is_flag=True, help=_("Answer in JSON."))


def advise_command() -> None:
    """Entry point of ``advise``."""
    _run(advise)


def kosti_command() -> None:
    """Entry point of ``kosti``."""
    _run(kosti)


def _run(command: click.Command) -> None:
    """Run a command; whatever goes wrong is one line on standard error."""
    try:
        status = _main(command)
    except OSError as error:
        # Python would complain again when it flushes at exit.
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115
        # A closed pipe is no error: whoever read our output has had enough.
        closed = error.errno == errno.EPIPE
        status = 0 if closed else _complain(_("the output cannot be written: {why}").format(why=error.strerror))
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        status = 2
    except click.Abort:
        click.echo(_("stopped; nothing was written"), err=True)
        status = 130
    except click.ClickException as error:
        status = _complain(error.format_message())
    except SolverError as error:
        status = _complain(str(error))
    except MemoryError:
        status = _complain(_("not enough memory"))
    sys.exit(status if isinstance(status, int) else 0)


def _main(command: click.Command) -> Any:
    try:
        status = command.main(standalone_mode=False)
    except SystemExit:  # click's answer to a closed pipe
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from None
    if sys.stdout:
        sys.stdout.flush()
    return status


def _complain(message: str) -> int:
    click.echo(" ".join(message.split()), err=True)
    return 2


@click.command()
@click.option("--ruleset", default=DEFAULT_RULESET, show_default=True, help=_("A shipped ruleset, or a TOML file."))
@click.option("--score", default="0", help=_("Your written score."))
@click.option("--turn", default="0", help=_("Points gathered in this turn before the throw."))
@click.option("--dice", help=_("The throw just made, such as 1,5,3,3,4."))
@click.option("--vs", help=_("Your opponent's score, or facts such as score=640,bolts=1."))
@click.option("--state", help=_("Further facts about you, such as bolts=2,opened=no."))
@click.option("--objective", help=_("win or stake (with --vs), turns (alone), or points (of this turn)."))
@click.option("--table", type=click.Path(path_type=Path), help=_("A table file to use."))
@as_json
@click.version_option(__version__, prog_name="kosti")
def advise(as_json: bool, ruleset: str, **position: Any) -> None:
    """What to hold, and whether to stop or to throw."""
    from solver import advice, wording

    found = advice.advise(
        ruleset, solve=_solve_with_progress, warn=lambda message: click.echo(message, err=True), **position
    )
    click.echo(json.dumps(found.to_json()) if as_json else wording.describe(found))


@click.group()
@click.version_option(__version__, prog_name="kosti")
def kosti() -> None:
    """Solve dice games exactly, and look after rulesets and tables."""


@kosti.group()
def rules() -> None:
    """List, show and check rulesets."""


@rules.command("list")
def list_rules() -> None:
    """The shipped rulesets, one line each."""
    from solver.families import load_rules
    from solver.ruleset import shipped_names

    names = shipped_names()
    for name in names:
        click.echo(f"{name:{max(map(len, names))}}  {load_rules(name).title}")


@rules.command("show")
@click.argument("ruleset")
def show_rules(ruleset: str) -> None:
    """Every value in force, and the file that it comes from."""
    from solver.families import read_ruleset
    from solver.ruleset import load_ruleset
    from solver.schema import write_section

    loaded = load_ruleset(ruleset)
    values = dict(_flat(write_section(read_ruleset(loaded)), ""))
    for path, value in values.items():
        click.echo(f"{path} = {json.dumps(value)}  # {loaded.origins.get(path, _('default'))}")


@rules.command("check")
@click.argument("ruleset")
def check_rules(ruleset: str) -> None:
    """Check a ruleset, and list everything that is wrong with it."""
    from solver.families import load_rules
    from solver.race.model import compile_race

    try:
        compile_race(load_rules(ruleset), 1)
    except RulesetError as error:
        for line in getattr(error, "problems", [str(error)]):
            _complain(line)
        raise click.exceptions.Exit(2) from None
    click.echo(_("{ruleset}: in order").format(ruleset=ruleset))


@kosti.command()
@click.argument("ruleset")
@click.option("--players", type=click.Choice(["1", "2"]), help=_("Alone, or two players."))
@click.option("--objective", help=_("win or stake (two players), turns (alone), or points (of one turn)."))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help=_("Where to write the table."))
@click.option(
    "--tolerance",
    type=click.FloatRange(min=1e-15, max=1.0),
    default=1e-9,
    show_default=True,
    help=_("Largest error bound that will do."),
)
@click.option("--rounds", type=click.IntRange(min=1), help=_("Give up after so many rounds."))
@as_json
def solve(
    ruleset: str,
    players: str | None,
    objective: str | None,
    out: Path | None,
    tolerance: float,
    rounds: int | None,
    as_json: bool,
) -> None:
    """Solve a game, prove the error bound, and keep the table."""
    from solver.families import load_rules
    from solver.library import cache_path
    from solver.race.player import start, to_row
    from solver.race.rules import OBJECTIVES
    from solver.table import write_table

    objective = objective or ("win" if players == "2" else "turns")
    loaded = load_rules(ruleset)
    if math.isnan(tolerance):
        raise click.UsageError(_("--tolerance: nan; allowed: a number from 1e-15 to 1"))
    if objective in OBJECTIVES and players and OBJECTIVES[objective] != int(players):
        raise click.UsageError(
            _("--objective: {objective}; allowed: only with --players {players}").format(
                objective=objective, players=OBJECTIVES[objective]
            )
        )
    if OBJECTIVES.get(objective, 1) > loaded.match.most_players:
        raise click.UsageError(_("--players: 2; allowed: 1, this is a game for one"))
    if out is not None and out.parent.exists() and not os.access(out.parent, os.W_OK):
        raise click.UsageError(_("--out: {out}; allowed: a file in a folder that can be written").format(out=out))
    table, solution = _solve(loaded, objective, tolerance=tolerance, rounds=rounds)
    path = out or cache_path(loaded, objective)
    write_table(path, table)
    row = table.rows().index(to_row(start(loaded), tuple(table.info.fields)))
    first = float(table.values[row, row] if table.info.players == 2 else table.values[row])
    if as_json:
        result = {
            "ruleset": ruleset,
            "players": table.info.players,
            "objective": objective,
            "start": first,
            "error_bound": table.info.bound,
            "player_states": len(table.states),
            "iterations": solution.rounds,
            "seconds": solution.seconds,
        }
        click.echo(json.dumps(result))
        return
    names = {
        "win": _("Chance to win, moving first"),
        "stake": _("Stakes won, moving first"),
        "turns": _("Expected turns"),
        "points": _("Points of a turn"),
    }
    click.echo(
        _("{name}: {value:.10f}, proven to {bound:.1e}").format(
            name=names[objective], value=first, bound=table.info.bound
        )
    )
    click.echo(
        _("{states} player states, {rounds} rounds, {seconds:.1f} s. Table: {path}").format(
            states=len(table.states), rounds=solution.rounds, seconds=solution.seconds, path=path
        )
    )


@kosti.group()
def table() -> None:
    """Look into table files."""


@table.command("info")
@click.argument("file", type=click.Path(path_type=Path))
@as_json
def table_info(file: Path, as_json: bool) -> None:
    """What a table file says about itself."""
    from solver.table import read_table

    found = read_table(file)
    facts = {**found.info._asdict(), "player_states": len(found.states)}
    if as_json:
        click.echo(json.dumps(facts))
    else:
        for name, value in facts.items():
            click.echo(f"{name}: {value}")


@table.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
def table_verify(file: Path) -> None:
    """Prove a table anew, from the file alone."""
    from solver.errors import TableError
    from solver.families import verify_table
    from solver.table import read_table

    found = read_table(file)
    with _waiting(_("proving {file}").format(file=file)):
        certificate = verify_table(found)
    if certificate is None:
        raise TableError(
            _("{file}: its values could not be proven within {bound:.1e}").format(file=file, bound=found.info.bound)
        )
    click.echo(_("{file}: all values proven within {bound:.1e}").format(file=file, bound=certificate.bound))


@table.command("export")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--what",
    type=click.Choice(["values", "decisions"]),
    default="values",
    show_default=True,
    help=_("Values of all match states, or where to stop in them."),
)
@click.option("--format", "kind", type=click.Choice(["csv", "json"]), help=_("By default as the name of --out says."))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help=_("By default standard output."))
def table_export(file: Path, what: str, kind: str | None, out: Path | None) -> None:
    """Write a table as CSV or JSON, for programs that want pure look-up."""
    from solver.export import rows_of, suffix, write_rows
    from solver.table import read_table

    found = read_table(file)
    kind = kind or (suffix(out) if out else None) or "csv"
    total = len(found.states) ** found.info.players
    rows = rows_of(found, what)
    if out is None:
        write_rows(rows, sys.stdout, kind)
        return
    from io import TextIOWrapper

    from solver.table import write_atomically

    def write(stream: Any) -> None:
        text = TextIOWrapper(stream, "utf-8", newline="")
        with _waiting(_("writing {count} match states").format(count=total)):
            write_rows(rows, text, kind)
        text.flush()
        text.detach()

    write_atomically(out, write)
    click.echo(_("{file}: written").format(file=out))


def _solve_with_progress(loaded: "Rules", objective: str) -> "Table":
    return _solve(loaded, objective)[0]


def _solve(loaded: "Rules", objective: str, **limits: Any) -> tuple["Table", Any]:
    from solver.families import solve_table

    with _progress(_("solving {title}").format(title=loaded.title)) as progress:
        return solve_table(loaded, objective, progress=progress, **limits)


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, float], None]]:
    """A bar that fills as the residual shrinks, on standard error."""
    from math import log10

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[error]}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        task = bars.add_task(what, total=12.0, error="")

        def show(number: int, residual: float) -> None:
            done = min(12.0, max(0.0, -log10(max(residual, 1e-300))))
            bars.update(
                task, completed=done, error=_("round {number}, change {size:.0e}").format(number=number, size=residual)
            )

        yield show


@contextmanager
def _waiting(what: str) -> Iterator[None]:
    """A sign of life for work whose length is unknown, on standard error."""
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


def _flat(data: dict[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value
