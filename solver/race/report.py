"""What a solve has found, in short."""

from typing import Any

from solver.race.advice import NARROW
from solver.race.held import match_margins, match_values
from solver.race.player import starting, to_row
from solver.race.rules import RaceRules
from solver.race.solve import Solution
from solver.table import Table
from solver.text import _


def report(rules: RaceRules, table: Table, solution: Solution) -> tuple[dict[str, Any], str]:
    """The value at the start with its bound, and what it took, as plain data and as lines of text."""
    seats = starting(rules, table.info.players)
    row, other = (table.rows().index(to_row(seat, tuple(table.info.fields))) for seat in (seats[0], seats[-1]))
    first = float(match_values(table)[row, other] if table.info.players == 2 else table.values[row])
    margins = match_margins(table)
    margin = None if margins is None else float(margins[row, other])
    found = {
        "players": table.info.players,
        "objective": table.info.objective,
        "start": first,
        "error_bound": table.info.bound if margin is None else margin,
        "player_states": len(table.states),
        "iterations": solution.rounds,
        "seconds": solution.seconds,
        **({} if margin is None else {"quality": table.info.quality}),
    }
    names = {
        "win": _("Chance to win, moving first"),
        "stake": _("Stakes won, moving first"),
        "turns": _("Expected turns"),
        "points": _("Points of a turn"),
    }
    name = names[table.info.objective]
    if margin is None or margin <= NARROW:
        text = _("{name}: {value:.10f}, proven to {bound:.1e}")
        line = text.format(name=name, value=first, bound=margin or table.info.bound)
    else:
        text = _("{name}: from {low:.6f} to {high:.6f}; both may do better by waiting, so the match need not end")
        line = text.format(name=name, low=first - margin, high=first + margin)
    took = _("{states} player states, {rounds} rounds, {seconds:.1f} s.").format(
        states=len(table.states), rounds=solution.rounds, seconds=solution.seconds
    )
    return found, f"{line}\n{took}"
