"""Two players with a sheet each: the chance to end with more points than the other, where a tie counts half.

Where few rows are open on both sheets, everything that either may do is looked at, and the values are exact but for
rounding. Otherwise the other is taken to play for points whatever happens, which gives an estimate.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import PositionError
from solver.sheet.actions import Turn
from solver.sheet.lattice import DICE
from solver.sheet.model import SheetModel
from solver.sheet.moves import following, moves_of
from solver.sheet.position import Position
from solver.sheet.solve import HALF_UNIT, Working
from solver.sheet.spread import spread_from
from solver.sheet.tables import all_values
from solver.sheet.totals import Utility, total_turn
from solver.table import Table
from solver.text import _

Values = NDArray[np.float64]
MOST_PAIRS = 4_000_000
"""Pairs of sheets times differences that are looked at exactly: some seconds."""


def win_turn(
    model: SheetModel,
    kernel: Any,
    mover: Position,
    waiter: Position,
    table: Callable[[], Table],
    working: Working | None = None,
) -> tuple[Turn, float, str]:
    """The turn of the mover with the best chance to win, a bound on its error, and ``certified`` or ``estimated``.

    ``table`` gives the values for play for points; it is asked for only where the waiter is taken to play so.
    """
    end = int(model.levels[-1][0])
    if mover.state == end:
        raise PositionError(_("--sheet: the sheet is full; allowed: with --vs a sheet with an open row"))
    duel = _Duel(model, kernel, mover, waiter)
    if duel.size <= MOST_PAIRS:
        return duel.turn(), duel.bound, "certified"
    values = table()
    with working(_("playing the opponent's sheet")) if working else nullcontext():
        other = spread_from(model, kernel, all_values(model, values), waiter)
    below = np.cumsum(other.chances) - 0.5 * other.chances
    utility = Utility(other.low - 1, np.concatenate([[0.0], below, [1.0]]))
    turn, bound = total_turn(model, kernel, mover, utility, working)
    return turn, bound, "estimated"


class _Duel:
    """All that may follow from a pair of sheets, the players taking turns."""

    def __init__(self, model: SheetModel, kernel: Any, mover: Position, waiter: Position) -> None:
        self.model, self.kernel, self.mover, self.waiter = model, kernel, mover, waiter
        self.end = int(model.levels[-1][0])
        self.known: dict[tuple[int, int], Values] = {}
        self.reach = abs(mover.total - waiter.total) + self._most(mover.state) + self._most(waiter.state)
        """No difference is ever larger."""
        self.differences = np.arange(-self.reach, self.reach + 1)
        pairs = self._pairs()
        self.size = sum(model.lanes(one) * model.lanes(other) for one, other in pairs) * len(self.differences)
        turns = len(self._levels(mover.state)) + len(self._levels(waiter.state))
        throws = model.rules.turn.throws + int(model.arrays["usable"].max())
        self.bound = 1.01 * HALF_UNIT * (2 + 5 * DICE * throws) * turns

    def turn(self) -> Turn:
        """The mover's turn."""
        model = self.model
        difference = self.mover.total - self.waiter.total
        moves = moves_of(model, self.kernel, self.mover.state)
        kinds, candidates, _lanes = moves.lane.shape
        worths = np.full((kinds, candidates), -np.inf)
        for kind in range(kinds):
            for candidate in range(candidates):
                lane = int(moves.lane[kind, candidate, self.mover.lane])
                if lane >= 0:
                    then = difference + int(moves.points[kind, candidate, self.mover.lane])
                    pair = self.waiter.state, int(moves.state[candidate])
                    worths[kind, candidate] = 1.0 - self._value(*pair)[self.waiter.lane, lane, self.reach - then]
        return Turn(model, self.kernel, self.mover.state, self.mover.lane, worths)

    def _levels(self, state: int) -> list[list[int]]:
        levels = [[state]]
        while after := following(self.model, levels[-1]):
            levels.append(after)
        return levels

    def _most(self, state: int) -> int:
        """More than the points that a sheet can still gain or lose."""
        model, rules = self.model, self.model.rules
        left = [row.times - state // step % (row.times + 1) for row, step in zip(model.rows, model.stride, strict=True)]
        each = [max(abs(points) for item in row.classes for points in item.worth) for row in model.rows]
        bonus = rules.joker.bonus if rules.joker else 0
        saved = rules.saved_throws.points * int(model.stocks.max()) if rules.saved_throws else 0
        most = sum(count * (points + bonus) for count, points in zip(left, each, strict=True))
        return most + int(np.abs(model.arrays["map_pay"]).max()) + saved

    def _pairs(self) -> set[tuple[int, int]]:
        """The pairs that may follow, mover first; a full sheet waits."""
        todo, found = [(self.mover.state, self.waiter.state)], set()
        while todo:
            one, other = todo.pop()
            if (one, other) in found:
                continue
            found.add((one, other))
            if len(found) * len(self.differences) > MOST_PAIRS:
                break
            todo += [(other, after) for after in following(self.model, [one])] or (
                [(other, one)] if other != self.end else []
            )
        return found

    def _value(self, one: int, other: int) -> Values:
        """[mover's lane, waiter's lane, difference], the mover's chance to win."""
        if (one, other) not in self.known:
            self.known[one, other] = self._solve(one, other)
        return self.known[one, other]

    def _solve(self, one: int, other: int) -> Values:
        model, count = self.model, len(self.differences)
        shape = model.lanes(one), model.lanes(other), count
        if one == self.end:
            if other == self.end:
                return self._ended(*shape)
            return np.ascontiguousarray(1.0 - self._value(other, one).transpose(1, 0, 2)[:, :, ::-1])
        size = int(np.prod(shape))
        lane, other_lane, at = np.unravel_index(np.arange(size), shape)
        moves = moves_of(model, self.kernel, one)
        kinds, candidates, _lanes = moves.lane.shape
        worths = np.empty((kinds, candidates, size))
        for kind in range(kinds):
            for candidate in range(candidates):
                after = moves.lane[kind, candidate, lane]
                then = self.differences[at] + moves.points[kind, candidate, lane]
                value = self._value(other, int(moves.state[candidate]))
                place = np.clip(self.reach - then, 0, count - 1)
                worths[kind, candidate] = np.where(after < 0, -np.inf, 1.0 - value[other_lane, after, place])
        return np.asarray(self.kernel.turn(one, worths)[0]).reshape(shape)

    def _ended(self, lanes: int, other_lanes: int, _count: int) -> Values:
        saved = self.model.rules.saved_throws
        each = saved.points if saved else 0
        ahead = (np.arange(lanes)[:, None] - np.arange(other_lanes)[None, :]) * each
        return 0.5 + 0.5 * np.sign(self.differences[None, None, :] + ahead[:, :, None])
