"""Measures of play beyond the value: how long it takes, and how likely it is done in time."""

import numpy as np

from solver.race.sweep import Sweep


def finished_within(sweep: Sweep, row: int, turns: int) -> list[float]:
    """The chance that a player alone in state number ``row`` has won after 0, 1, ..., ``turns`` turns.

    The sweep, made for the objective ``turns``, says how he plays: by fixed choices, as they are; without any, so that
    he wins within the turns that he has left as likely as can be. Every chance is exact up to the rounding of as many
    applications of the operator, ``sweep.rounding(2)`` each. An extra turn belongs to the one that earned it.
    """
    chances = [0.0]
    values = np.zeros(sweep.shape)
    for _turn in range(turns):
        values = sweep.chance_within(values)
        chances.append(float(values[row, 0]))
    return chances
