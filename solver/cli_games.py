"""The commands of ``kosti`` that solve whole games."""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.console import StatedOnce, as_json, out_option, solve_game, solve_with_progress, waiting, warn
from solver.errors import ConvergenceError
from solver.text import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from solver.race.rules import RaceRules
    from solver.table import Table


@click.command(cls=StatedOnce)
@click.argument("ruleset")
@click.option("--players", type=click.Choice(["1", "2"]), help=_("Alone, or two players."))
@click.option("--objective", help=_("win or stake (two players), turns (alone), or points (of one turn)."))
@out_option(_("Where to write the table."), makes_folders=True)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=1e-15, max=1.0),
    help=_("Largest error bound that will do; by default 1e-09, or the next best that can be proven of a long game."),
)
@click.option("--rounds", type=click.IntRange(min=1), help=_("Give up after so many rounds."))
@as_json
def solve(
    ruleset: str,
    players: str | None,
    objective: str | None,
    out: Path | None,
    tolerance: float | None,
    rounds: int | None,
    as_json: bool,
) -> None:
    """Solve a game, prove the error bound, and keep the table."""
    from solver.families import family_of, load_rules
    from solver.library import cache_path
    from solver.ruleset import told_of
    from solver.table import write_table

    loaded = load_rules(ruleset)
    family = family_of(loaded)
    if not family.objectives(loaded):
        raise click.UsageError(_("{ruleset}: needs no table; see: kosti odds {ruleset}").format(ruleset=ruleset))
    objective = _objective(family.objectives(loaded), objective, players)
    if tolerance is not None and math.isnan(tolerance):
        raise click.UsageError(_("--tolerance: nan; allowed: a number from 1e-15 to 1"))
    with told_of(ruleset):
        table, solution = solve_game(loaded, objective, tolerance=tolerance, rounds=rounds)
    path = out or cache_path(loaded, objective, table.info.starts)
    write_table(path, table)
    found, text = family.report(loaded, table, solution)
    if as_json:
        click.echo(json.dumps({"ruleset": ruleset, **found}))
    else:
        click.echo(text)
        click.echo(_("Table: {path}").format(path=path))


def _objective(known: "Mapping[str, int]", objective: str | None, players: str | None) -> str:
    """What to solve for: as asked, or else what is usual for so many players."""
    from solver.schema import quoted

    suited = [name for name, needed in known.items() if players in (None, str(needed))]
    if not suited:
        allowed = ", ".join(sorted({str(needed) for needed in known.values()}))
        raise click.UsageError(_("--players: {found}; allowed: {allowed}").format(found=players, allowed=allowed))
    if objective is None:
        return suited[0]
    if objective not in known:
        found, allowed = quoted(objective), ", ".join(known)
        raise click.UsageError(_("--objective: {found}; allowed: {allowed}").format(found=found, allowed=allowed))
    if objective not in suited:
        text = _("--objective: {objective}; allowed: only with --players {players}")
        raise click.UsageError(text.format(objective=objective, players=known[objective]))
    return objective


@click.command(cls=StatedOnce)
@click.argument("one")
@click.argument("other")
@click.option("--players", type=click.Choice(["1", "2"]), default="1", show_default=True, help=_("Alone, or two."))
@as_json
def compare(one: str, other: str, players: str, as_json: bool) -> None:
    """What difference it makes to play by one ruleset or another."""
    from solver.library import find_table
    from solver.race.comparison import compare, describe
    from solver.ruleset import told_of

    objective = "win" if players == "2" else "turns"
    rules = _race(one, players), _race(other, players)

    def find(name: str, loaded: "RaceRules") -> "Table":
        try:
            with told_of(name):
                return find_table(loaded, objective, solve=lambda: solve_with_progress(loaded, objective), warn=warn)
        except ConvergenceError as error:
            raise ConvergenceError(f"{name}: {error}") from None

    tables = find(one, rules[0]), find(other, rules[1])
    with waiting(_("comparing plans")):
        found = compare(rules, tables)
    if as_json:
        click.echo(json.dumps({"rulesets": [one, other], **found.to_json()}))
    else:
        click.echo(describe((one, other), found))


def _race(name: str, players: str) -> "RaceRules":
    from solver.families import load_rules
    from solver.race.rules import RaceRules

    loaded = load_rules(name)
    if not isinstance(loaded, RaceRules):
        raise click.UsageError(_("{name}: family {family}; allowed: race").format(name=name, family=loaded.family))
    if loaded.match.most_players < int(players):
        raise click.UsageError(_("--players: 2; allowed: 1, {name} is a game for one").format(name=name))
    return loaded
