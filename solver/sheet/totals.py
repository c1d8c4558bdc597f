"""Play for the final total: when what counts is not the mean but, say, whether a goal is reached.

Beside the lane of a state the points written so far matter, so they are an axis of their own. ``utility`` says what
each final total is worth; below its first number and above its last it stays the same, so totals of which that is
certain whatever comes count as one.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import PositionError
from solver.sheet.actions import Turn
from solver.sheet.lattice import DICE
from solver.sheet.model import SheetModel
from solver.sheet.moves import Moves, following, moves_of
from solver.sheet.position import Position
from solver.sheet.solve import HALF_UNIT
from solver.text import _

Values = NDArray[np.float64]
MOST_TOTALS = 120_000_000
"""States times totals that are solved at most: some minutes."""


class Utility(NamedTuple):
    """What final totals from ``low`` on are worth, between 0 and 1."""

    low: int
    worth: Values

    def of(self, totals: NDArray[np.int64]) -> Values:
        """What these totals are worth."""
        return self.worth[np.clip(totals - self.low, 0, len(self.worth) - 1)]


class Window(NamedTuple):
    """The totals of a state that must be told apart."""

    low: int
    size: int

    def totals(self) -> NDArray[np.int64]:
        """All of them."""
        return self.low + np.arange(self.size)


def total_turn(
    model: SheetModel,
    kernel: Any,
    position: Position,
    utility: Utility,
    progress: Callable[..., None] | None = None,
) -> tuple[Turn, float]:
    """The turn of a position with the best expected utility, and a bound on its error. The sheet is not full."""
    levels = [[position.state]]
    while after := following(model, levels[-1]):
        levels.append(after)
    windows = total_windows(model, position, utility, levels)
    size = sum(windows[state].size * model.lanes(state) for states in levels[1:] for state in states)
    if size > MOST_TOTALS:
        raise PositionError(
            _("--sheet: too many rows are open for this objective: {size} states and totals; allowed: {most}").format(
                size=size, most=MOST_TOTALS
            )
        )
    end = levels[-1][0]
    known = {end: _end(model, windows[end], utility, end)}
    for at in range(len(levels) - 2, 0, -1):
        known = {state: _solve(model, kernel, state, windows, known) for state in levels[at]}
        if progress:
            progress(at, 0.0, 1.0 - at / len(levels))
    moves = moves_of(model, kernel, position.state)
    worths = state_worths(moves, known, windows, np.array([position.lane]), np.array([position.total]))[:, :, 0]
    throws = max(int(kernel.throws_of(state, model.lanes(state) - 1)) for state in [position.state, *levels[-1]])
    throws = max(throws, model.rules.turn.throws + int(model.arrays["usable"].max()))
    bound = 1.01 * HALF_UNIT * (1 + 5 * DICE * throws) * len(levels)
    return Turn(model, kernel, position.state, position.lane, np.ascontiguousarray(worths)), bound


def total_windows(
    model: SheetModel, position: Position, utility: Utility, levels: list[list[int]], *, clipped: bool = True
) -> dict[int, Window]:
    """For each state the totals that can occur, and, if ``clipped``, are not yet certain to be worth the same."""
    least, most = _row_range(model)
    pays = model.arrays["map_pay"]
    extra_low, extra_high = int(min(0, pays.min())), int(max(0, pays.max()))
    saved = model.rules.saved_throws
    bonus = model.rules.joker.bonus if model.rules.joker else 0
    begin = np.array([position.state // step for step in model.stride]) % (np.array(_times(model)) + 1)
    windows = {}
    for states in levels:
        for state in states:
            counts = np.array([state // step for step in model.stride]) % (np.array(_times(model)) + 1)
            new, left = counts - begin, np.array(_times(model)) - counts
            ahead_low = int(left @ least) + extra_low
            ahead_high = int(left @ most) + extra_high + bonus * int(left.sum())
            if saved:
                ahead_high += saved.points * (int(model.stocks.max()) - 1)
            low = position.total + int(new @ least) + extra_low
            high = position.total + int(new @ most) + extra_high + bonus * int(new.sum())
            if clipped:
                low = max(low, utility.low - ahead_high)
                high = min(high, utility.low + len(utility.worth) - 1 - ahead_low)
            windows[state] = Window(min(low, high), max(1, high - low + 1))
    return windows


def _times(model: SheetModel) -> list[int]:
    return [row.times for row in model.rows]


def _row_range(model: SheetModel) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    worths = [[points for item in row.classes for points in item.worth] for row in model.rows]
    return np.array([min(points) for points in worths]), np.array([max(points) for points in worths])


def _end(model: SheetModel, window: Window, utility: Utility, state: int) -> Values:
    """[lane, total] of the full sheet, where saved throws may still be worth points."""
    saved = model.rules.saved_throws
    each = saved.points if saved else 0
    lanes = np.arange(model.lanes(state))[:, None]
    return utility.of(window.low + np.arange(window.size) + each * lanes)


def state_worths(moves: Moves, known: dict[int, Values], windows: dict[int, Window], lanes: Any, totals: Any) -> Values:
    """[kind, candidate, place] for places of these lanes and totals."""
    kinds, candidates, _lanes = moves.lane.shape
    found = np.empty((kinds, candidates, len(lanes)))
    for kind in range(kinds):
        for candidate in range(candidates):
            after = int(moves.state[candidate])
            low, count = windows[after]
            lane = moves.lane[kind, candidate, lanes]
            total = np.clip(totals + moves.points[kind, candidate, lanes] - low, 0, count - 1)
            found[kind, candidate] = np.where(lane < 0, -np.inf, known[after].reshape(-1)[lane * count + total])
    return found


def _solve(model: SheetModel, kernel: Any, state: int, windows: dict[int, Window], known: dict[int, Values]) -> Values:
    """[lane, total], what a state is worth."""
    from solver._sheet import padded

    low, count = windows[state]
    size = model.lanes(state) * count
    places = np.minimum(np.arange(padded(size)), size - 1)
    worths = state_worths(moves_of(model, kernel, state), known, windows, places // count, low + places % count)
    return np.asarray(kernel.turn(state, worths)[0, :size]).reshape(model.lanes(state), count)
