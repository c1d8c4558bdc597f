"""Play for a goal, as far as its totals: how they are spread when the chance to win is what counts."""

import numpy as np

from solver.sheet.position import Position
from solver.sheet.spread import Spread
from solver.sheet.study.turns import Turns, Values
from solver.sheet.totals import Utility, levels_from, reached_windows, state_worths

# A sheet without anything to remember has one lane a state, so totals can be the lanes.


def win_spread(turns: Turns, position: Position, other: Spread) -> tuple[float, Spread]:
    """The best chance to end with more than one whose totals are spread so, and how the own totals are spread then.

    A tie counts half. ValueError for a sheet that remembers more than its written rows.
    """
    from solver._sheet import padded

    model, kernel = turns.model, turns.kernel
    if model.size != sum(map(len, model.levels)):
        raise ValueError("only for sheets that remember nothing but their written rows")
    below = np.cumsum(other.chances) - 0.5 * other.chances
    utility = Utility(other.low - 1, np.concatenate([[0.0], below, [1.0]]))
    levels = levels_from(model, position.state)
    windows = reached_windows(model, kernel, position)
    known = {levels[-1][0]: utility.of(windows[levels[-1][0]].totals())[None, :]}

    def worths(state: int) -> Values:
        count = windows[state].size
        places = np.minimum(np.arange(padded(count)), count - 1)
        return state_worths(turns.moves(state), known, windows, np.zeros_like(places), windows[state].low + places)

    for states in reversed(levels[:-1]):
        for state in states:
            known[state] = np.asarray(kernel.turn(state, worths(state))[:1, : windows[state].size])
    mass = {position.state: np.zeros(windows[position.state].size)}
    mass[position.state][position.total - windows[position.state].low] = 1.0
    for states in levels[:-1]:
        for state in states:
            here, moves = mass.pop(state, np.zeros(windows[state].size)), turns.moves(state)
            plan = kernel.plan(state, worths(state))[:, :, : len(here)] * here
            for kind, candidate in np.argwhere(plan.any(axis=2)).tolist():
                after = int(moves.state[candidate])
                target = mass.setdefault(after, np.zeros(windows[after].size))
                at = np.flatnonzero(plan[kind, candidate])
                shift = windows[state].low + int(moves.points[kind, candidate, 0]) - windows[after].low
                target[at + shift] += plan[kind, candidate, at]
    end = levels[-1][0]
    won = float(known[position.state][0, position.total - windows[position.state].low])
    return won, Spread(windows[end].low, mass[end])
