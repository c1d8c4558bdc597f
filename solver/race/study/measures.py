"""Measures of play alone beyond its value: the chance to be done in time, or before something happens; turns spent."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.certify import Values
from solver.policies.expression import Names, Node
from solver.policies.policy import Policy
from solver.race.model import RaceModel, compile_race
from solver.race.player import start
from solver.race.rules import RaceRules
from solver.race.study.choices import OWN, choices_of, seen_of_player
from solver.race.study.evaluation import numbered
from solver.race.study.flow import EVERY, visits_alone
from solver.race.sweep import Sweep, sweeper
from solver.table import Table

_STANDS = ("score", "bolts", "attempts", "falls", "marks", "failures", "opened", "extra", "pit", "barrel", "obstacle")
BETWEEN_TURNS: Names = {**{name: OWN[name] for name in _STANDS}, "lost": True}
"""What is known of a player between turns, and whether it is a condition; ``lost``: the turn to come is a lost one."""


class Measured(NamedTuple):
    """What was measured of a player alone, from the start of a game."""

    chances: list[float]
    """The chance to have won after 0, 1, ... turns, each lost one included; exact up to rounding."""
    counted: float | None
    """Expected number of turns, of a whole game, that begin as was asked; good to about four digits."""


def measure(
    rules: RaceRules, policy: Policy | None, table: Table | None, turns: int, before: Node | None, count: Node | None
) -> Measured:
    """Measure a policy, or without one the play that makes each measured chance as large as can be.

    ``before`` ends a game as lost when it holds between two turns; ``count`` says of which turns to tell the expected
    number: without a policy those of best play. ``table`` holds the turns of best play; needed only for either.
    """
    model = compile_race(rules, 1)
    row, own_model, choices = model.numbers[start(rules)], model, None
    inner: Values = np.zeros((len(model.states), 1))
    if table is not None:
        with sweeper(model, "turns") as sweep:
            inner = sweep.inner(numbered(rules, model, table))
            if policy is not None:
                own_model, choices = choices_of(model, policy, (inner, sweep.layers_of(inner)))
    with sweeper(own_model, "turns", choices=choices) as own:
        lost = None if before is None else where(model, before)
        chances = finished_within(own, row, turns, lost)
        counted = None
        if count is not None:
            _residual, plans = own.plan(inner, EVERY)
            counted = float(visits_alone(own_model, plans, row)[where(model, count)].sum())
    return Measured(chances, counted)


def where(model: RaceModel, condition: Node) -> NDArray[np.bool_]:
    """[states], in which of them a condition over ``BETWEEN_TURNS`` holds."""
    seen: list[dict[str, Any]] = [
        {**seen_of_player(model.rules, state), "lost": state.skips > 0} for state in model.states
    ]
    columns = {name: np.array([facts[name] for facts in seen]) for name in BETWEEN_TURNS}
    found: NDArray[np.bool_] = np.broadcast_to(condition.value_for(columns), len(seen))
    return found


def finished_within(sweep: Sweep, row: int, turns: int, lost: NDArray[np.bool_] | None = None) -> list[float]:
    """The chance that a player alone in state number ``row`` has won after 0, 1, ..., ``turns`` turns.

    The sweep, made for the objective ``turns``, says how he plays: by fixed choices, as they are; without any, so that
    he wins within the turns that he has left as likely as can be. Every chance is exact up to the rounding of as many
    applications of the operator, ``sweep.rounding(2)`` each. An extra turn belongs to the one that earned it. In the
    ``lost`` states, [states], nothing is left to be won, unless an extra turn begins there.
    """
    chances = [0.0]
    values: Values = np.zeros(sweep.shape)
    for _turn in range(turns):
        values = sweep.chance_within(values)
        if lost is not None:
            values[lost] = 0.0
        chances.append(min(max(0.0, float(values[row, 0])), 1.0))
    return chances
