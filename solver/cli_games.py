"""The commands of ``kosti`` that solve whole games."""

import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.console import as_json, solve_game, solve_with_progress, waiting, warn
from solver.errors import ConvergenceError
from solver.text import _

if TYPE_CHECKING:
    from solver.families import Rules
    from solver.table import Table


@click.command()
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
    from solver.advice import NARROW
    from solver.families import load_rules
    from solver.library import cache_path
    from solver.race.player import starting, to_row
    from solver.race.rules import OBJECTIVES
    from solver.schema import quoted
    from solver.table import write_table

    objective = objective or ("win" if players == "2" else "turns")
    loaded = load_rules(ruleset)
    if objective not in OBJECTIVES:
        found, allowed = quoted(objective), ", ".join(OBJECTIVES)
        raise click.UsageError(_("--objective: {found}; allowed: {allowed}").format(found=found, allowed=allowed))
    if math.isnan(tolerance):
        raise click.UsageError(_("--tolerance: nan; allowed: a number from 1e-15 to 1"))
    if players and OBJECTIVES[objective] != int(players):
        raise click.UsageError(
            _("--objective: {objective}; allowed: only with --players {players}").format(
                objective=objective, players=OBJECTIVES[objective]
            )
        )
    if OBJECTIVES[objective] > loaded.match.most_players:
        raise click.UsageError(_("--players: 2; allowed: 1, this is a game for one"))
    if out is not None and out.parent.exists() and not os.access(out.parent, os.W_OK):
        raise click.UsageError(_("--out: {out}; allowed: a file in a folder that can be written").format(out=out))
    table, solution = solve_game(loaded, objective, tolerance=tolerance, rounds=rounds)
    path = out or cache_path(loaded, objective, table.info.starts)
    write_table(path, table)
    seats = starting(loaded, table.info.players)
    row, other = (table.rows().index(to_row(seat, tuple(table.info.fields))) for seat in (seats[0], seats[-1]))
    first = float(table.values[row, other] if table.info.players == 2 else table.values[row])
    margin = None if table.margins is None else float(table.margins[row, other])
    if as_json:
        result = {
            "ruleset": ruleset,
            "players": table.info.players,
            "objective": objective,
            "start": first,
            "error_bound": table.info.bound if margin is None else margin,
            "player_states": len(table.states),
            "iterations": solution.rounds,
            "seconds": solution.seconds,
            **({} if margin is None else {"quality": table.info.quality}),
        }
        click.echo(json.dumps(result))
        return
    names = {
        "win": _("Chance to win, moving first"),
        "stake": _("Stakes won, moving first"),
        "turns": _("Expected turns"),
        "points": _("Points of a turn"),
    }
    if margin is None or margin <= NARROW:
        text = _("{name}: {value:.10f}, proven to {bound:.1e}")
        click.echo(text.format(name=names[objective], value=first, bound=margin or table.info.bound))
    else:
        text = _("{name}: from {low:.6f} to {high:.6f}; both may do better by waiting, so the match need not end")
        click.echo(text.format(name=names[objective], low=first - margin, high=first + margin))
    click.echo(
        _("{states} player states, {rounds} rounds, {seconds:.1f} s. Table: {path}").format(
            states=len(table.states), rounds=solution.rounds, seconds=solution.seconds, path=path
        )
    )


@click.command()
@click.argument("one")
@click.argument("other")
@click.option("--players", type=click.Choice(["1", "2"]), default="1", show_default=True, help=_("Alone, or two."))
@as_json
def compare(one: str, other: str, players: str, as_json: bool) -> None:
    """What difference it makes to play by one ruleset or another."""
    from solver.comparison import compare, describe
    from solver.families import load_rules
    from solver.library import find_table

    objective = "win" if players == "2" else "turns"
    rules = load_rules(one), load_rules(other)
    for name, loaded in zip((one, other), rules, strict=True):
        if loaded.match.most_players < int(players):
            raise click.UsageError(_("--players: 2; allowed: 1, {name} is a game for one").format(name=name))

    def find(name: str, loaded: "Rules") -> "Table":
        try:
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
