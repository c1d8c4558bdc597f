"""How final totals are spread when a sheet is played for the most points.

Of equal choices the plan writes first, in the order of the rows, then keeps the most dice; another rule for ties would
change the spread in its later digits, though not the mean.
"""

from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._sheet_spread import edges, push, vary
from solver.errors import PositionError
from solver.sheet.model import SheetModel
from solver.sheet.moves import following
from solver.sheet.position import Position
from solver.sheet.solve import shared_out
from solver.text import _

Values = NDArray[np.float64]
Whole = NDArray[np.int64]
MOST_NUMBERS = 60_000_000
"""Chances that are kept at one time: about half a gigabyte."""


class Spread(NamedTuple):
    """The chance of each final total."""

    low: int
    """The least total of the list."""
    chances: Values

    @property
    def mean(self) -> float:
        """The expected total."""
        return float(self.chances @ self._totals()) / float(self.chances.sum())

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return sqrt(float(self.chances @ (self._totals() - self.mean) ** 2))

    def quantile(self, share: float) -> int:
        """The least total that is not exceeded with at least this chance."""
        return self.low + int(np.searchsorted(np.cumsum(self.chances), share - 1e-12))

    def at_least(self, goal: int) -> float:
        """The chance of this total or more."""
        return float(self.chances[max(0, goal - self.low) :].sum())

    def _totals(self) -> Values:
        return self.low + np.arange(len(self.chances), dtype=np.float64)


class _Level(NamedTuple):
    """The distributions of points of all places of a level: states with a lane."""

    place: dict[int, Whole]
    """For each state, its lanes that can be met, in ascending order."""
    first: dict[int, int]
    """The number of its first place."""
    at: Whole
    low: Whole
    size: Whole
    chances: Values


def spread_from(model: SheetModel, kernel: Any, values: Values, position: Position) -> Spread:
    """The spread of the final total from a position. PositionError if it would need too much memory."""
    none = np.zeros(1, dtype=np.int64)
    level = _Level(
        {position.state: np.array([position.lane])},
        {position.state: 0},
        none,
        none + position.total,
        none + 1,
        np.ones(1),
    )
    while following(model, [next(iter(level.place))]):
        level = _next_level(kernel, values, level)
    return _ended(model, level)


def _next_level(kernel: Any, values: Values, level: _Level) -> _Level:
    parts = [edges(kernel, state, lanes.astype(np.int32), values) for state, lanes in level.place.items()]
    for (facts, _chance), first in zip(parts, level.first.values(), strict=True):
        facts[0] += first
    source, state, lane, points = np.concatenate([facts for facts, _chances in parts], axis=1)
    chance = np.concatenate([chances for _facts, chances in parts])
    keys, target = np.unique(state << 24 | lane, return_inverse=True)
    low, high = np.full(len(keys), 1 << 40), np.full(len(keys), -(1 << 40))
    np.minimum.at(low, target, level.low[source] + points)
    np.maximum.at(high, target, level.low[source] + level.size[source] + points)
    size = high - low
    if int(size.sum()) > MOST_NUMBERS:
        raise PositionError(
            _("--sheet: the spread of this game needs {found} numbers at one time; allowed: {most}").format(
                found=int(size.sum()), most=MOST_NUMBERS
            )
        )
    at = np.cumsum(size) - size
    chances = np.zeros(int(size.sum()))
    push(
        source, np.ascontiguousarray(target.astype(np.int64)), points, chance,
        level.at, level.low, level.size, at, low, level.chances, chances,
    )  # fmt: skip
    states, first = np.unique(keys >> 24, return_index=True)
    lanes = np.split(keys & 0xFFFFFF, first[1:])
    place = {int(state): found for state, found in zip(states, lanes, strict=True)}
    return _Level(place, dict(zip(states.tolist(), first.tolist(), strict=True)), at, low, size, chances)


def _ended(model: SheetModel, level: _Level) -> Spread:
    """All places of the full sheet together; saved throws may still be worth points."""
    saved = model.rules.saved_throws
    (lanes,) = level.place.values()
    low = level.low + (saved.points * lanes if saved else 0)
    least = int(low.min())
    chances = np.zeros(int((low + level.size).max()) - least)
    for begin, size, at in zip(low.tolist(), level.size.tolist(), level.at.tolist(), strict=True):
        chances[begin - least :][:size] += level.chances[at : at + size]
    held = np.flatnonzero(chances)
    return Spread(least + int(held[0]), chances[held[0] : held[-1] + 1])


def deviation(model: SheetModel, kernel: Any, values: Values) -> float:
    """The standard deviation of the final total of a whole game, without its spread: for games of any size."""
    variances = np.zeros_like(values)
    with shared_out() as share:
        for states in reversed(model.levels[:-1]):
            share(states, lambda part: vary(kernel, part, values, variances))
    return sqrt(float(variances[model.start[0]]))
