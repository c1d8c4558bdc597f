"""Two players with a sheet each: the chance to end with more points than the other, where a tie counts half.

Where few rows are open on both sheets, everything that either may do is looked at, and the values are exact but for
rounding. Otherwise the other is taken to play for points whatever happens, which gives an estimate.
"""

from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import PositionError
from solver.sheet.actions import Turn
from solver.sheet.lattice import DICE
from solver.sheet.model import SheetModel
from solver.sheet.moves import following, moves_of
from solver.sheet.position import Position
from solver.sheet.solve import HALF_UNIT, Share, Working, shared_out
from solver.sheet.spread import spread_from
from solver.sheet.tables import all_values
from solver.sheet.totals import Utility, Window, ahead, levels_from, reached, total_turn
from solver.table import Table
from solver.text import _

Values = NDArray[np.float64]
Whole = NDArray[np.int64]
Pair = tuple[int, int]
"""The state of the sheet of whoever is to move first, and that of the other."""
QUICK = 200_000
"""Fewer pairs and differences than these take less than a second."""
AT_ONCE = 4096
"""Places that are solved between two looks at whether to stop."""
MOST_PAIRS = 4_000_000
"""Pairs of sheets times differences that are looked at exactly: about ten seconds."""


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
        return duel.turn(working), duel.bound, "certified"
    values = table()
    with working(_("playing the opponent's sheet")) if working else nullcontext():
        other = spread_from(model, kernel, all_values(model, values), waiter)
    below = np.cumsum(other.chances) - 0.5 * other.chances
    utility = Utility(other.low - 1, np.concatenate([[0.0], below, [1.0]]))
    turn, bound = total_turn(model, kernel, mover, utility, working)
    return turn, bound, "estimated"


class _Sheet:
    """What may come of the sheet of one player."""

    def __init__(self, model: SheetModel, kernel: Any, position: Position) -> None:
        self.position = position
        self.levels = levels_from(model, position.state)
        made, to_come = reached(model, kernel, position), ahead(model, kernel, position.state)
        self.lanes: dict[int, Whole] = {}
        """For each state its lanes that can be met."""
        self.place: dict[int, Whole] = {}
        """[lane], the number of a lane among those."""
        self.totals: dict[int, tuple[int, int]] = {}
        """The least and the most points written so far."""
        self.to_come: dict[int, tuple[int, int]] = {}
        """The least and the most points to come."""
        self.turns: dict[int, int] = {}
        """Rows that are written until then."""
        for turn, states in enumerate(self.levels):
            for state in states:
                here = slice(int(model.start[state]), int(model.start[state]) + model.lanes(state))
                met = made.low[here] <= made.high[here]
                self.turns[state] = turn
                self.lanes[state] = np.flatnonzero(met)
                self.place[state] = np.cumsum(met) - 1
                for found, array in ((self.totals, made), (self.to_come, to_come)):
                    low, high = array.low[here][met], array.high[here][met]
                    found[state] = int(low.min()), int(high.max())

    @property
    def end(self) -> int:
        """The full sheet."""
        return self.levels[-1][0]


class _Duel:
    """All that may follow from a pair of sheets, the players taking turns; the first is to move."""

    def __init__(self, model: SheetModel, kernel: Any, mover: Position, waiter: Position) -> None:
        self.model, self.kernel = model, kernel
        self.sheets = _Sheet(model, kernel, mover), _Sheet(model, kernel, waiter)
        self.moves = cache(lambda state: moves_of(model, kernel, state))
        self.known: dict[Pair, Values] = {}
        self.pairs = self._pairs()
        self.size = sum(self._size(pair) for pair in self.pairs)
        throws = model.rules.turn.throws + int(model.arrays["usable"].max())
        turns = sum(len(sheet.levels) for sheet in self.sheets)
        self.bound = 1.01 * HALF_UNIT * (2 + 5 * DICE * throws) * turns

    def turn(self, working: Working | None = None) -> Turn:
        """The mover's turn."""
        what = _("looking at both sheets of {title}").format(title=self.model.rules.title or _("this game"))
        with shared_out() as share, working(what) if working and self.size > QUICK else nullcontext() as progress:
            done = 0
            for pair in self.pairs[:0:-1]:
                self.known[pair] = self._solve(pair, share)
                done += self._size(pair)
                if progress:
                    progress(0, 0.0, done / self.size)
        first, other = (sheet.position for sheet in self.sheets)
        lane, other_lane = np.array([first.lane]), np.array([other.lane])
        worths = self._worths(self.pairs[0], lane, other_lane, np.array([first.total - other.total]))
        return Turn(self.model, self.kernel, first.state, first.lane, worths[:, :, 0])

    def _pairs(self) -> list[Pair]:
        """The pairs that may follow, each before all that follow from it; no more than are looked at."""
        first, other = self.sheets
        level, found, size = {(first.position.state, other.position.state)}, list[Pair](), 0
        while level and size <= MOST_PAIRS:
            found += sorted(level)
            size += sum(self._size(pair) for pair in level)
            level = {after for pair in level for after in self._following(pair)}
        return found

    def _to_move(self, pair: Pair) -> int:
        """Who is to move: 0 for the first, also where both sheets are full."""
        first, other = self.sheets
        if pair[1] == other.end:
            return 0
        return int(pair[0] == first.end or first.turns[pair[0]] > other.turns[pair[1]])

    def _following(self, pair: Pair) -> list[Pair]:
        who = self._to_move(pair)
        return [_replaced(pair, who, state) for state in following(self.model, [pair[who]])]

    def _window(self, pair: Pair) -> Window:
        """How far the first may be ahead, as long as nobody is certain to win; and one step beyond."""
        (low, high), (other_low, other_high) = (
            sheet.totals[state] for sheet, state in zip(self.sheets, pair, strict=True)
        )
        (least, most), (other_least, other_most) = (
            sheet.to_come[state] for sheet, state in zip(self.sheets, pair, strict=True)
        )
        begin = max(low - other_high, other_least - most - 1)
        end = min(high - other_low, other_most - least + 1)
        return Window(min(begin, end), max(1, end - begin + 1))

    def _shape(self, pair: Pair) -> tuple[int, int, int]:
        first, other = (len(sheet.lanes[state]) for sheet, state in zip(self.sheets, pair, strict=True))
        return first, other, self._window(pair).size

    def _size(self, pair: Pair) -> int:
        return prod(self._shape(pair))

    def _solve(self, pair: Pair, share: Share) -> Values:
        """[lane of the first, lane of the other, difference], the chance of the first to win."""
        shape, window = self._shape(pair), self._window(pair)
        if pair == tuple(sheet.end for sheet in self.sheets):
            saved = self.model.rules.saved_throws
            first, other = (sheet.lanes[state] for sheet, state in zip(self.sheets, pair, strict=True))
            more = (first[:, None] - other[None, :]) * (saved.points if saved else 0)
            return np.asarray(0.5 + 0.5 * np.sign(window.totals()[None, None, :] + more[:, :, None]))
        who = self._to_move(pair)
        values = np.empty(prod(shape))

        def work(places: NDArray[Any]) -> None:
            *lanes, difference = np.unravel_index(places, shape)
            first, other = (sheet.lanes[pair[i]][lanes[i]] for i, sheet in enumerate(self.sheets))
            worths = self._worths(pair, first, other, window.low + difference)
            found = self.kernel.turn(pair[who], worths)[0]
            values[places] = 1.0 - found if who else found

        share(np.arange(len(values)), work, most=AT_ONCE)
        return values.reshape(shape)

    def _worths(self, pair: Pair, first: Whole, other: Whole, difference: Whole) -> Values:
        """[kind, candidate, place], what each way to end a turn is worth to whoever is to move."""
        who = self._to_move(pair)
        sheet, moves = self.sheets[who], self.moves(pair[who])
        kinds, candidates, _lanes = moves.lane.shape
        places = [self.sheets[i].place[pair[i]][lanes] for i, lanes in enumerate((first, other))]
        own = (first, other)[who]
        worths = np.empty((kinds, candidates, len(difference)))
        for candidate in range(candidates):
            after = int(moves.state[candidate])
            next_pair = _replaced(pair, who, after)
            low, size = self._window(next_pair)
            known = self.known[next_pair]
            for kind in range(kinds):
                lane, points = moves.lane[kind, candidate, own], moves.points[kind, candidate, own]
                at = np.clip(difference + (-points if who else points) - low, 0, size - 1)
                places[who] = sheet.place[after][lane]
                value = known[places[0], places[1], at]
                worths[kind, candidate] = np.where(lane < 0, -np.inf, 1.0 - value if who else value)
        return worths


def _replaced(pair: Pair, who: int, state: int) -> Pair:
    return (pair[0], state) if who else (state, pair[1])
