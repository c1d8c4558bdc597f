"""Sheets as tables, and tables proven anew from themselves alone.

The states of a sheet follow from its rules, so a table holds values alone: of every state and lane, in the order of the
levels (the number of rows written) and within a level in the order of the states. To keep tables small only every
second, third, ... level is stored, counted from the empty sheet; the levels between are made again from them, which
gives the same numbers.
"""

from typing import Any

import numpy as np

from solver.certify import Certificate
from solver.errors import TableError
from solver.ruleset import canonical, digest
from solver.sheet.model import SheetModel, compile_sheet
from solver.sheet.moves import following
from solver.sheet.rules import SheetGameRules
from solver.sheet.solve import (
    Progress,
    Solution,
    Values,
    certify,
    end_values,
    level_places,
    shared_out,
    solve,
)
from solver.table import NO_STATES, PLAIN, Table, TableInfo
from solver.text import _

LARGEST = 600_000
"""Values that a table holds at most, if leaving out levels can do it: somewhat less than five megabytes."""
MOST_APART = 4


def stored_levels(model: SheetModel) -> list[int]:
    """The levels whose values a table holds."""
    last = len(model.levels) - 1
    sizes = [len(level_places(model, level)) for level in range(last)]
    for apart in range(1, MOST_APART + 1):
        levels = list(range(0, last, apart))
        if sum(sizes[level] for level in levels) <= LARGEST:
            break
    return levels


def solve_table(rules: SheetGameRules, *, tolerance: float, progress: Progress | None = None) -> tuple[Table, Solution]:
    """Solve a sheet; the table holds the values of its states with their proven bound."""
    model = compile_sheet(rules)
    solution = solve(model, tolerance=tolerance, progress=progress)
    return make_table(model, solution), solution


def make_table(model: SheetModel, solution: Solution) -> Table:
    """A solution as a table."""
    from solver import __version__

    rules = model.rules
    info = TableInfo(
        format=PLAIN,
        title=rules.title,
        family=rules.family,
        ruleset=canonical(rules),
        ruleset_sha256=digest(rules),
        objective="points",
        players=1,
        fields=[],
        bound=solution.bound,
        quality="certified",
        solver_version=__version__,
    )
    stored = np.concatenate([solution.values[level_places(model, level)] for level in stored_levels(model)])
    values: Any = np.ascontiguousarray(stored).data
    return Table(info, NO_STATES, values)


def stored_values(model: SheetModel, table: Table) -> Values:
    """The values of a table in their places; those of levels that it does not hold are no numbers.

    TableError if the table does not hold the values of this sheet.
    """
    values = end_values(model)
    end = values[level_places(model, len(model.levels) - 1)].copy()
    values[:] = np.nan
    values[level_places(model, len(model.levels) - 1)] = end
    places = np.concatenate([level_places(model, level) for level in stored_levels(model)])
    if table.info.fields or table.info.players != 1 or len(table.values) != len(places):
        raise TableError(_("the table does not hold the states of its ruleset"))
    values[places] = np.asarray(table.values)
    return values


def complete(model: SheetModel, kernel: Any, values: Values, state: int) -> None:
    """Make again what a turn from ``state`` needs of the levels that a table does not hold."""
    wanted = [_missing(model, [state], values)]
    while wanted[-1]:
        wanted.append(_missing(model, wanted[-1], values))
    for states in reversed(wanted[:-1]):
        kernel.solve(np.array(states, dtype=np.int32), values)


def _missing(model: SheetModel, states: list[int], values: Values) -> list[int]:
    """The states that may follow and have no values yet."""
    return [state for state in following(model, states) if np.isnan(values[model.start[state]])]


def all_values(model: SheetModel, table: Table) -> Values:
    """The values of all levels, those that the table does not hold made again."""
    values = stored_values(model, table)
    stored = stored_levels(model)
    kernel = model.kernel()
    with shared_out() as share:
        for level in range(len(model.levels) - 2, -1, -1):
            if level not in stored:
                share(model.levels[level], lambda states: kernel.solve(states, values))
    return values


def verify_table(rules: SheetGameRules, table: Table) -> Certificate | None:
    """Prove the values of a table within the bound that it states; None if that fails.

    Nothing is taken from the table but its values and its bound: the states and the turns are compiled from the rules.
    """
    model = compile_sheet(rules)
    if not np.isfinite(np.asarray(table.values)).all():
        return None
    bound = certify(model, all_values(model, table))
    return Certificate(bound, 0.0) if bound <= table.info.bound * (1.0 + 1e-9) else None
