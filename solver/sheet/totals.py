"""Play for the final total: when what counts is not the mean but, say, whether a goal is reached.

Beside the lane of a state the points written so far matter, so they are an axis of their own. ``utility`` says what
each final total is worth; below its first number and above its last it stays the same, so totals of which that is
certain whatever comes count as one, and so do those that a lane can never have. That is what makes these games small
enough: who has not made the joker's row, say, has had no bonus for it.
"""

from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._sheet_totals import range_totals, solve_totals
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
QUICK = 10_000
"""With fewer lanes than these, all totals take less than a second."""
AT_ONCE = 16
"""States that are solved between two signs of life."""
MOST_TOTALS = 120_000_000
"""Lanes times totals that are solved at most: some minutes, and a gigabyte."""
NUMBER_BYTES = 8
FAR = 1 << 30
"""More than any total."""


class Utility(NamedTuple):
    """What final totals from ``low`` on are worth, between 0 and 1."""

    low: int
    worth: Values

    def of(self, totals: NDArray[np.int64]) -> Values:
        """What these totals are worth."""
        return self.worth[np.clip(totals - self.low, 0, len(self.worth) - 1)]


class Window(NamedTuple):
    """The totals of a state that can occur."""

    low: int
    size: int

    def totals(self) -> NDArray[np.int64]:
        """All of them."""
        return self.low + np.arange(self.size)


class Range(NamedTuple):
    """The least and the most of something for every lane of the sheet, int32 [lanes]; the least is more for none."""

    low: NDArray[np.int32]
    high: NDArray[np.int32]


class _Places(NamedTuple):
    """The totals that each lane of the sheet tells apart, [lanes], as the kernel takes them."""

    start: Whole
    """Where the values of a lane begin among those of its level."""
    low: NDArray[np.int32]
    size: NDArray[np.int32]
    """0 for lanes that are never met."""


def total_turn(
    model: SheetModel,
    kernel: Any,
    position: Position,
    utility: Utility,
    working: Working | None = None,
) -> tuple[Turn, float]:
    """The turn of a position with the best expected utility, and a bound on its error. The sheet is not full.

    PositionError if too much may follow for that; it says how much.
    """
    levels = [np.array(states, dtype=np.int32) for states in levels_from(model, position.state)]
    lanes = sum(int(_lane_counts(model, states).sum()) for states in levels)
    what = _("looking at every total of {title}").format(title=model.rules.title or _("this game"))
    with shared_out() as share, working(what) if working and lanes > QUICK else nullcontext() as progress:
        places = _places(model, utility, reached(model, kernel, position), ahead(model, kernel, position.state))
        sizes = [_place_all(model, places, states) for states in levels]
        found, done = sum(sizes[1:-1]), 0
        if found > MOST_TOTALS:
            raise PositionError(_too_many(found))
        known = _end(model, places, utility, int(levels[-1][0]))
        for states, size in zip(levels[-2:0:-1], sizes[-2:0:-1], strict=True):
            values = np.empty(size)
            work = partial(solve_totals, kernel, **places._asdict(), after=known, values=values)
            for first in range(0, len(states), AT_ONCE):
                part = states[first : first + AT_ONCE]
                share(part, work, most=1)
                done += sum(int(places.size[_lanes_of(model, state)].sum()) for state in part.tolist())
                if progress:
                    progress(0, 0.0, done / found)
            known = values
    moves = moves_of(model, kernel, position.state)
    worths = _worths(model, moves, known, places, position)
    throws = max(int(kernel.throws_of(state, model.lanes(state) - 1)) for state in (position.state, int(levels[-1][0])))
    throws = max(throws, model.rules.turn.throws + int(model.arrays["usable"].max()))
    bound = 1.01 * HALF_UNIT * (1 + 5 * DICE * throws) * len(levels)
    return Turn(model, kernel, position.state, position.lane, worths), bound


def _too_many(found: int) -> str:
    return _(
        "--sheet: too many rows are open for this objective: {found} states and totals, some {gigabytes:.0f} GB; "
        "allowed: {most}"
    ).format(found=found, gigabytes=np.ceil(found * NUMBER_BYTES / 1e9), most=MOST_TOTALS)


def levels_from(model: SheetModel, state: int) -> list[list[int]]:
    """The states that may follow from one, itself first, by the number of rows written."""
    if state == 0:
        return [level.tolist() for level in model.levels]
    levels = [[state]]
    while after := following(model, levels[-1]):
        levels.append(after)
    return levels


def reached(model: SheetModel, kernel: Any, position: Position) -> Range:
    """The totals that each lane can have when it is met from a position."""
    found = _nothing(model)
    for array in found:
        array[model.start[position.state] + position.lane] = position.total
    for states in levels_from(model, position.state)[:-1]:
        range_totals(kernel, np.array(states, dtype=np.int32), *found, forward=True)
    return found


def ahead(model: SheetModel, kernel: Any, state: int) -> Range:
    """The points that can still be made in each lane of a state and of all that may follow."""
    found = _nothing(model)
    levels = levels_from(model, state)
    for array in found:
        array[_lanes_of(model, levels[-1][0])] = _left(model, levels[-1][0])
    for states in levels[-2::-1]:
        range_totals(kernel, np.array(states, dtype=np.int32), *found, forward=False)
    return found


def reached_windows(model: SheetModel, kernel: Any, position: Position) -> dict[int, Window]:
    """For each state that may follow, the totals that can occur."""
    ranges = reached(model, kernel, position)
    windows = {}
    for states in levels_from(model, position.state):
        for state in states:
            low, high = (array[_lanes_of(model, state)] for array in ranges)
            windows[state] = Window(int(low.min()), int(high.max()) - int(low.min()) + 1)
    return windows


def _nothing(model: SheetModel) -> Range:
    return Range(np.full(model.size, FAR, dtype=np.int32), np.full(model.size, -FAR, dtype=np.int32))


def _lanes_of(model: SheetModel, state: int) -> slice:
    """Where the lanes of a state are among all."""
    begin = int(model.start[state])
    return slice(begin, begin + model.lanes(state))


def _lane_counts(model: SheetModel, states: NDArray[np.int32]) -> Whole:
    memory = model.memory[states]
    return np.asarray(model.arrays["totals"][memory].astype(np.int64) * model.stocks[memory])


def _places(model: SheetModel, utility: Utility, made: Range, to_come: Range) -> _Places:
    """The totals that are not yet certain to be worth the same, one at least of each lane that is met."""
    met = made.low <= made.high
    most = utility.low + len(utility.worth) - 1
    low = np.maximum(made.low, utility.low - np.where(met, to_come.high, 0))
    high = np.minimum(made.high, most - np.where(met, to_come.low, 0))
    size = np.where(met, np.maximum(1, high - low + 1), 0)
    return _Places(np.zeros(model.size, dtype=np.int64), np.minimum(low, high).astype(np.int32), size.astype(np.int32))


def _place_all(model: SheetModel, places: _Places, states: NDArray[np.int32]) -> int:
    """Give the lanes of a level their places, one after another; gives their number."""
    counts = _lane_counts(model, states)
    lanes = np.repeat(model.start[states] - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
    ends = np.cumsum(places.size[lanes], dtype=np.int64)
    places.start[lanes] = ends - places.size[lanes]
    return int(ends[-1])


def _left(model: SheetModel, end: int) -> Whole:
    """Points for the saved throws that are left in each lane of the full sheet."""
    saved = model.rules.saved_throws
    return np.arange(model.lanes(end)) * (saved.points if saved else 0)


def _end(model: SheetModel, places: _Places, utility: Utility, end: int) -> Values:
    """The values of the full sheet, where saved throws may still be worth points."""
    lanes = _lanes_of(model, end)
    size = places.size[lanes]
    totals = np.repeat(places.low[lanes] - places.start[lanes] + _left(model, end), size) + np.arange(int(size.sum()))
    return np.asarray(utility.of(totals))


def _worths(model: SheetModel, moves: Moves, known: Values, places: _Places, position: Position) -> Values:
    """[kind, candidate] for the position, from the values of the next level."""
    lane = moves.lane[:, :, position.lane]
    at = model.start[moves.state] + np.maximum(lane, 0)
    total = np.clip(position.total + moves.points[:, :, position.lane] - places.low[at], 0, places.size[at] - 1)
    return np.where(lane < 0, -np.inf, known[np.where(lane < 0, 0, places.start[at] + total)])


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
