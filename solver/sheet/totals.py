"""Play for the final total: when what counts is not the mean but, say, whether a goal is reached.

Beside the lane of a state the points written so far matter, so they are an axis of their own. ``utility`` says what
each final total is worth; below its first number and above its last it stays the same, so totals of which that is
certain whatever comes count as one.
"""

from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import PositionError
from solver.sheet.actions import Turn
from solver.sheet.lattice import DICE
from solver.sheet.model import SheetModel
from solver.sheet.moves import Moves, following, moves_of
from solver.sheet.position import Position
from solver.sheet.solve import HALF_UNIT, Working, shared_out
from solver.text import _

Values = NDArray[np.float64]
Whole = NDArray[np.int64]
QUICK = 1_000_000
"""Fewer states and totals than these take less than a second."""
AT_ONCE = 16
"""States that are solved between two signs of life."""
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


class _Places(NamedTuple):
    """The windows of all states of the sheet, as the kernel takes them: int64 [states]."""

    start: Whole
    """Where the values of a state begin among those of its level, float64 [lane, total]."""
    low: Whole
    size: Whole


def total_turn(
    model: SheetModel,
    kernel: Any,
    position: Position,
    utility: Utility,
    working: Working | None = None,
) -> tuple[Turn, float]:
    """The turn of a position with the best expected utility, and a bound on its error. The sheet is not full."""
    levels = [[position.state]]
    while after := following(model, levels[-1]):
        levels.append(after)
    windows = _in_places(model, total_windows(model, position, utility, levels), levels)
    sizes = [_places(model, windows, np.array(states)) for states in levels]
    found, done = sum(sizes[1:-1]), 0
    if found > MOST_TOTALS:
        raise PositionError(
            _("--sheet: too many rows are open for this objective: {size} states and totals; allowed: {most}").format(
                size=found, most=MOST_TOTALS
            )
        )
    known = _end(model, windows, utility, levels[-1][0])
    what = _("looking at every total of {title}").format(title=model.rules.title or _("this game"))
    with shared_out() as share, working(what) if working and found > QUICK else nullcontext() as progress:
        for states, size in zip(levels[-2:0:-1], sizes[-2:0:-1], strict=True):
            values = np.empty(size)
            work = partial(kernel.solve_totals, start=windows.start, low=windows.low, size=windows.size)
            for first in range(0, len(states), AT_ONCE):
                part = np.array(states[first : first + AT_ONCE], dtype=np.int32)
                share(part, partial(work, after=known, values=values), most=1)
                done += _places(model, windows, part)
                if progress:
                    progress(0, 0.0, done / found)
            known = values
    moves = moves_of(model, kernel, position.state)
    worths = _worths(moves, known, windows, position)
    throws = max(int(kernel.throws_of(state, model.lanes(state) - 1)) for state in (position.state, levels[-1][0]))
    throws = max(throws, model.rules.turn.throws + int(model.arrays["usable"].max()))
    bound = 1.01 * HALF_UNIT * (1 + 5 * DICE * throws) * len(levels)
    return Turn(model, kernel, position.state, position.lane, worths), bound


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


def _in_places(model: SheetModel, windows: dict[int, Window], levels: list[list[int]]) -> _Places:
    """Windows as arrays, the values of the states of each level one after another."""
    places = _Places(*(np.zeros(len(model.memory), dtype=np.int64) for _field in _Places._fields))
    for states in levels:
        places.low[states], places.size[states] = zip(*(windows[state] for state in states), strict=True)
        sizes = _lanes(model, np.array(states)) * places.size[states]
        places.start[states] = np.cumsum(sizes) - sizes
    return places


def _lanes(model: SheetModel, states: NDArray[Any]) -> Whole:
    memory = model.memory[states]
    return np.asarray(model.arrays["totals"][memory].astype(np.int64) * model.stocks[memory])


def _places(model: SheetModel, windows: _Places, states: NDArray[Any]) -> int:
    """Lanes and totals of some states."""
    return int((_lanes(model, states) * windows.size[states]).sum())


def _row_range(model: SheetModel) -> tuple[Whole, Whole]:
    worths = [[points for item in row.classes for points in item.worth] for row in model.rows]
    return np.array([min(points) for points in worths]), np.array([max(points) for points in worths])


def _end(model: SheetModel, windows: _Places, utility: Utility, state: int) -> Values:
    """The values of the full sheet, where saved throws may still be worth points."""
    saved = model.rules.saved_throws
    each = saved.points if saved else 0
    lanes = np.arange(model.lanes(state))[:, None]
    return np.ravel(utility.of(windows.low[state] + np.arange(windows.size[state]) + each * lanes))


def _worths(moves: Moves, known: Values, windows: _Places, position: Position) -> Values:
    """[kind, candidate] for the position, from the values of the next level."""
    lane = moves.lane[:, :, position.lane]
    size = windows.size[moves.state]
    total = position.total + moves.points[:, :, position.lane] - windows.low[moves.state]
    places = windows.start[moves.state] + np.maximum(lane, 0) * size + np.clip(total, 0, size - 1)
    return np.where(lane < 0, -np.inf, known[places])


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
