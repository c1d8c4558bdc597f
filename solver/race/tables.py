"""Race games as tables: solve one into a table, and prove a table anew from itself alone."""

from typing import Any

import numpy as np

from solver.certify import Certificate
from solver.race.bracket import bracket
from solver.race.model import RaceModel, compile_race
from solver.race.parts import WHOLE, Starts, occur
from solver.race.player import fields_in_use, from_row, starting, to_row
from solver.race.position import state_index
from solver.race.rules import OBJECTIVES, RaceRules
from solver.race.solve import MOST_ROUNDS, Progress, Solution, certify, expected_turns, solve
from solver.race.sweep import sweeper
from solver.ruleset import canonical, digest
from solver.table import BRACKETED, FORMAT, Table, TableInfo


def solve_table(
    rules: RaceRules,
    objective: str,
    *,
    starts: Starts,
    tolerance: float,
    rounds: int | None,
    progress: Progress | None,
) -> tuple[Table, Solution]:
    """Solve a game, or a part of it; the table holds the values of every match state with their proven bound."""
    model = compile_race(rules, OBJECTIVES[objective], starts)
    solution = solve(model, objective, tolerance=tolerance, most_rounds=rounds or MOST_ROUNDS, progress=progress)
    return make_table(model, solution, starts), solution


def make_table(model: RaceModel, solution: Solution, starts: Starts = WHOLE) -> Table:
    """A solution as a table, of the part that follows from ``starts``."""
    from solver import __version__

    fields = fields_in_use(model.rules)
    info = TableInfo(
        format=FORMAT,
        title=model.rules.title,
        family=model.rules.family,
        ruleset=canonical(model.rules),
        ruleset_sha256=digest(model.rules),
        objective=solution.objective,
        players=model.players,
        fields=list(fields),
        bound=solution.bound,
        quality="certified" if solution.margins is None else BRACKETED,
        solver_version=__version__,
        starts=[to_row(player, fields) for player in starts],
    )
    rows = [to_row(state, fields) for state in model.states]
    values: Any = np.ascontiguousarray(solution.values).data
    margins: Any = None if solution.margins is None else np.ascontiguousarray(solution.margins).data
    return Table(info, np.array(rows, dtype=np.int32).data, values, margins)


def match_length(rules: RaceRules, table: Table) -> float:
    """About how many turns of both players a match takes from its start under best play, from a table for two."""
    model = compile_race(rules, 2)
    with sweeper(model, table.info.objective) as sweep:
        seats = starting(rules, 2)
        row, other = model.numbers[seats[0]], model.numbers[seats[-1]]
        return float(expected_turns(sweep, sweep.inner(np.asarray(table.values)))[row, other])


def verify_table(rules: RaceRules, table: Table) -> Certificate | None:
    """Prove the values of a table within the bound that it states; None if that fails.

    Nothing is taken from the table but its values, its bound and where its part begins: states and operator are
    compiled from the rules.
    """
    objective = table.info.objective
    index = state_index(rules, table)
    starts = [from_row(row, fields_in_use(rules)) for row in table.info.starts]
    if not occur(rules, starts):
        return None
    model = compile_race(rules, OBJECTIVES[objective], starts)
    if index != model.numbers:
        return None
    with sweeper(model, objective) as sweep:
        values = sweep.inner(np.asarray(table.values))
        if not np.isfinite(values).all():
            return None
        if objective == "points":
            exact = sweep.operator(np.zeros(sweep.shape))
            distance = float(np.abs(exact - values).max()) + sweep.rounding(float(rules.match.target))
            return Certificate(distance, 0.0) if distance <= table.info.bound * 2.0 else None
        if table.margins is not None:
            found, margins = bracket(sweep), np.asarray(table.margins)
            holds = (values - margins <= found.lower).all() and (values + margins >= found.upper).all()
            return Certificate(float(margins.max()), 0.0) if holds and margins.max() <= table.info.bound else None
        return certify(sweep, values, None, table.info.bound * (1.0 + 1e-9))
