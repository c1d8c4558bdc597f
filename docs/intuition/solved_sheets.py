"""Solved sheets, as the checks of claims look at them. Points are those of play for the most points, proven to 1e-9.

How rows are used follows from going through all sheets that games come to; those that fewer than one game in ten
million comes to are left out, which changes no digit that is told.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from solver.families import load_rules, read_ruleset
from solver.policies.expression import parse
from solver.ruleset import Rules, Ruleset
from solver.schema import write_section
from solver.sheet.actions import Turn
from solver.sheet.lattice import THROWS, lattice
from solver.sheet.model import SheetModel, compile_sheet
from solver.sheet.position import read_sheet
from solver.sheet.rules import SheetGameRules
from solver.sheet.solve import solve
from solver.sheet.study.evaluation import Evaluation, Player, evaluate
from solver.sheet.study.policy import load_sheet_policy
from solver.sheet.study.seen import Sight, names_of
from solver.sheet.study.turns import Turns, Values
from solver.sheet.study.uses import RowUse, row_uses

RARE = 1e-7
"""Sheets that fewer games come to are left out of how rows are used."""


class Game(NamedTuple):
    """A solved sheet."""

    rules: SheetGameRules
    model: SheetModel
    turns: Turns
    values: Values
    bound: float


def rules_of(name: str) -> SheetGameRules:
    """A ruleset of a sheet."""
    rules = load_rules(name)
    assert isinstance(rules, SheetGameRules)
    return rules


@cache
def game(name: str, **changes: Any) -> Game:
    """A ruleset, solved; with some keys changed: ``school__negative_times=1``; None takes a section away."""
    rules: Rules = rules_of(name)
    if changes:
        data = write_section(rules)
        for path, value in changes.items():
            section, _dot, key = path.partition("__")
            if key:
                data[section][key] = value
            else:
                del data[section]
        rules = read_ruleset(Ruleset(name, data, {}))
    assert isinstance(rules, SheetGameRules)
    model = compile_sheet(rules)
    solution = solve(model)
    return Game(rules, model, Turns(model), solution.values, solution.bound)


@cache
def uses(name: str, sheet: str = "") -> dict[str, RowUse]:
    """How best play uses the rows, from the empty sheet or another."""
    known = game(name)
    player = Player(known.turns, None, known.values, known.values)
    return {use.name: use for use in row_uses(player, read_sheet(known.model, "sheet", sheet), RARE)}


@cache
def rule(name: str, policy: str, sheet: str = "") -> Evaluation:
    """A rule valued."""
    known = game(name)
    position = read_sheet(known.model, "sheet", sheet)
    chosen = load_sheet_policy(policy, known.model, "policy")
    return evaluate(known.turns, chosen, known.values, known.bound, position, looked_at=0)


def worth(known: Game, sheet: str) -> float:
    """Points written and those still to come."""
    position = read_sheet(known.model, "sheet", sheet)
    return position.total + float(known.values[known.model.start[position.state] + position.lane])


def turn_at(known: Game, sheet: str) -> Turn:
    """The turn of a sheet under best play."""
    position = read_sheet(known.model, "sheet", sheet)
    kernel = known.turns.kernel
    worths = kernel.worths(position.state, position.lane, known.values)
    return Turn(known.model, kernel, position.state, position.lane, worths)


def throws_where(known: Game, sheet: str, where: str, throw: int) -> list[tuple[int, int]]:
    """The throws that a condition is about, and in how many ways each is thrown."""
    position = read_sheet(known.model, "sheet", sheet)
    lanes = np.array([position.lane])
    offered = known.turns.open_rows(position.state)
    sight = Sight(known.model, position.state, lanes, offered, known.turns.throws(position.state, lanes))
    condition = parse(where, names_of(known.model))
    held = np.broadcast_to(condition.value_for(sight.seen(throw - 1, condition.names())), (THROWS, 1))[:, 0]
    return [(number, lattice().ways[number]) for number in np.flatnonzero(held).tolist()]


def done(choice: Any) -> str:
    """A choice in words."""
    return f"write {choice.write}" if choice.write else "keep " + (" ".join(map(str, choice.hold)) or "nothing")


def in_percent(share: float) -> str:
    """A share as people write it."""
    return f"{100.0 * share:.1f} %"
