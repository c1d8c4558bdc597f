"""Race games as tables: solve one into a table, and prove a table anew from itself alone."""

import time
from typing import Any

import numpy as np

from solver.certify import Certificate, Values
from solver.race.admissions import Classes, classes_of, held_bounds, nothing_kept, solve_before, solve_classes
from solver.race.bracket import Bracket, bracket, proven
from solver.race.copying import SLACK as COPYING_SLACK
from solver.race.copying import check_copying, solve_copying
from solver.race.model import RaceModel, compile_race
from solver.race.parts import WHOLE, Starts, falls_apart, occur
from solver.race.player import Player, fields_in_use, from_row, starting, to_row
from solver.race.position import state_index
from solver.race.rules import OBJECTIVES, RaceRules
from solver.race.solve import MOST_ROUNDS, Solution, certify, expected_turns, solve
from solver.race.sweep import Progress, Sweep, sweeper
from solver.ruleset import canonical, digest
from solver.table import BRACKETED, OFFERING, PARTIAL, PLAIN, Table, TableInfo
from solver.unfinished import forget_unfinished, interrupted, read_unfinished, write_unfinished

PAUSE = 60.0
"""Seconds after which a long solve is written down, so that no more than that is lost."""
SLACK = 1e-7
"""More than the bounds of a solve by classes may move from one machine to another."""


def solve_table(
    rules: RaceRules,
    objective: str,
    *,
    starts: Starts = WHOLE,
    tolerance: float | None = None,
    rounds: int | None = None,
    progress: Progress | None = None,
) -> tuple[Table, Solution]:
    """Solve a game, or a part of it; the table holds the values of every match state with their proven bound."""
    if starts == WHOLE and OBJECTIVES[objective] == 2 and objective != "points" and falls_apart(rules):
        classes = classes_of(rules)
        if classes is not None:
            return _solve_apart(rules, objective, classes, progress)
    if OBJECTIVES[objective] == 2:
        check_copying(rules)  # to compile such a game takes long
    model = compile_race(rules, OBJECTIVES[objective], starts)
    solution = solve(model, objective, tolerance=tolerance, most_rounds=rounds or MOST_ROUNDS, progress=progress)
    return make_table(model, solution, starts), solution


def _solve_apart(
    rules: RaceRules, objective: str, classes: Classes, progress: Progress | None, *, resume: bool = True
) -> tuple[Table, Solution]:
    """Solve a game whose classes are too many to be held together; an interrupted solve is taken up again."""
    began = saved = time.perf_counter()
    empty = nothing_kept(classes)
    kept = (read_unfinished(rules, objective, empty) if resume else None) or empty

    def pause() -> None:
        nonlocal saved
        if resume and time.perf_counter() - saved > PAUSE:
            write_unfinished(rules, objective, kept)
            saved = time.perf_counter()

    with sweeper(classes.model, objective) as sweep:
        try:
            solve_classes(sweep, classes, kept, pause, progress)
        except KeyboardInterrupt:
            if not resume:
                raise
            raise interrupted(rules, objective, kept) from None
        before = solve_before(sweep, classes, kept)
    players, against, lower, upper = held_bounds(classes, kept, before)
    values = (lower + upper) * 0.5
    margins = (upper - lower) * 0.5 + SLACK
    seconds = time.perf_counter() - began
    solution = Solution(objective, values, float(margins.max()), int(kept.done.sum()), seconds, margins)
    if resume:
        forget_unfinished(rules, objective)
    fields = fields_in_use(rules)
    info = _info(rules, solution, 2)._replace(format=PARTIAL, against=[to_row(player, fields) for player in against])
    return _table(info, players, solution), solution


def make_table(model: RaceModel, solution: Solution, starts: Starts = WHOLE) -> Table:
    """A solution as a table, of the part that follows from ``starts``."""
    info = _info(model.rules, solution, model.players)
    info = info._replace(starts=[to_row(player, tuple(info.fields)) for player in starts])
    return _table(info, model.states, solution)


def _info(rules: RaceRules, solution: Solution, players: int) -> TableInfo:
    from solver import __version__

    return TableInfo(
        format=PLAIN if solution.offered is None else OFFERING,
        offers=solution.offered is not None,
        title=rules.title,
        family=rules.family,
        ruleset=canonical(rules),
        ruleset_sha256=digest(rules),
        objective=solution.objective,
        players=players,
        fields=list(fields_in_use(rules if players > 1 else rules.alone())),
        bound=solution.bound,
        quality="certified" if solution.margins is None else BRACKETED,
        solver_version=__version__,
    )


def _table(info: TableInfo, players: list[Player], solution: Solution) -> Table:
    rows = [to_row(player, tuple(info.fields)) for player in players]
    values: Any = np.ascontiguousarray(solution.values).data
    margins: Any = None if solution.margins is None else np.ascontiguousarray(solution.margins).data
    offered: Any = None if solution.offered is None else solution.offered.reshape(len(players), -1).data
    return Table(info, np.array(rows, dtype=np.int32).data, values, margins, offered)


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
    if table.info.against:
        return _verify_apart(rules, table)
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
        if rules.points_are_left():
            return _verify_copying(sweep, values, table)
        if table.margins is not None:
            margins = np.asarray(table.margins)
            if not np.isfinite(margins).all() or margins.max() > table.info.bound:
                return None
            if proven(sweep, Bracket(values - margins, values + margins)):
                return Certificate(float(margins.max()), 0.0)
            found = bracket(sweep)
            holds = (values - margins <= found.lower).all() and (values + margins >= found.upper).all()
            return Certificate(float(margins.max()), 0.0) if holds else None
        return certify(sweep, values, None, table.info.bound * (1.0 + 1e-9))


def _verify_copying(sweep: Sweep, values: Values, table: Table) -> Certificate | None:
    """As ``verify_table``, where points may be left: solves the game again, whose bounds the table does not hold."""
    own, offered = solve_copying(sweep), np.asarray(() if table.offered is None else table.offered)
    if offered.size != own.offered.size:
        return None
    differences = (values - own.values, offered.reshape(own.offered.shape) - own.offered)
    apart = np.max([np.abs(difference).max() for difference in differences])  # of these, what is no number prevails
    # What another machine may find otherwise is in the bound of the table already.
    return Certificate(table.info.bound, 0.0) if apart + own.bound - COPYING_SLACK <= table.info.bound else None


def _verify_apart(rules: RaceRules, table: Table) -> Certificate | None:
    """As ``verify_table``, where classes are too many to be held together: solves the game again."""
    classes = classes_of(rules)
    if classes is None or table.margins is None:
        return None
    own, _solution = _solve_apart(rules, table.info.objective, classes, None, resume=False)
    if own.margins is None or (own.rows(), own.info.against) != (table.rows(), table.info.against):
        return None
    found, mine = (
        (np.asarray(one.values) - np.asarray(one.margins), np.asarray(one.values) + np.asarray(one.margins))
        for one in (table, own)
    )
    # What the last digits of another machine may move is in the margins already, on both sides.
    holds = (found[0] <= mine[0] + SLACK).all() and (found[1] >= mine[1] - SLACK).all()
    margin = float(np.asarray(table.margins).max())
    return Certificate(margin, 0.0) if holds and margin <= table.info.bound else None
