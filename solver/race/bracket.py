"""Bounds from both sides for matches that may stand still.

Where both players do better by waiting, the match need not end. Endless play counts one
half for each, or no stake, and then the one-turn operator has more than one fixed point,
so no certificate exists. What can be proven is where the value lies: let ``lower`` be what
a player can make sure of within n turns if all that is undecided then counts as lost, and
``upper`` the same counted as won. Both follow from the operator by

    lower, upper = F(upper, lower), F(lower, upper)

from the worst and the best that can be. Whatever endless play counts, the truth lies in
between, for every n.

Where the players' own turns have an order this takes one pass instead of thousands of
sweeps. Charge a toll c for every turn:

    lower, upper = F(upper, lower) - c, F(lower, upper) + c

Then waiting for ever pays nobody, so that there is one solution, and it is a proof: see
``solver.certify``. What attacks lead back to is found first, together with all that may
follow it; there only the values of those match states are unknown in which somebody has
just been attacked. Everything else follows pair by pair.
"""

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.certify import Values, certify_bounds
from solver.race.model import RaceModel
from solver.race.ordered import Order, ordered_pairs, solve_levels
from solver.race.sweep import Progress, Sweep

MOST_SWEEPS = 3000
STILL = 1e-10
"""A sweep that moves no bound by more than this is the last."""
CLOSE = 1e-5
"""Nor is a sweep worth while that moves no bound by more than so much of the distance to the other."""
SLACK = 1e-9
"""More than what sweeps with other rounding could still move."""

TOLL = 4.0
"""What every turn costs, in units of the bound on the rounding of a turn."""
MOST_AROUND = 20_000
"""Match states that may be solved again and again until what attacks lead back to is settled."""
MOST_PASSES = 200
SETTLED = 1.0 / 16.0
"""In units of the same bound, how far what attacks lead back to may be from settled."""
REMEMBERED = 12
"""Passes from which the next is found."""


class Bracket(NamedTuple):
    """Proven bounds, [movers, waiters]."""

    lower: Values
    upper: Values
    slack: float = SLACK
    """By how much the margins are widened."""

    @property
    def margins(self) -> Values:
        """How far the truth may be from the middle, a little widened so that any machine finds the same."""
        return (self.upper - self.lower) * 0.5 + self.slack

    @property
    def middle(self) -> Values:
        """Halfway between the bounds."""
        return (self.upper + self.lower) * 0.5


def bracket(sweep: Sweep, progress: Progress | None = None) -> Bracket:
    """Bounds on the values of a match, as close as plain sweeps bring them."""
    rounding = sweep.rounding(sweep.most + 1.0)
    lower, upper = np.full(sweep.shape, sweep.least), np.full(sweep.shape, sweep.most)
    for number in range(1, MOST_SWEEPS + 1):
        # What is known already stays known; the allowance for rounding keeps both bounds true.
        higher = np.maximum(lower, sweep.operator(upper, lower) - rounding)
        nearer = np.minimum(upper, sweep.operator(higher, upper) + rounding)
        change = np.maximum(higher - lower, upper - nearer)
        lower, upper = higher, nearer
        if progress:
            progress(number, float(change.max()))
        # Match states that do not come to where both wait should not suffer from those that do.
        if (change <= np.maximum(STILL, CLOSE * (upper - lower))).all():
            break
    return Bracket(lower, upper)


def bracket_in_order(sweep: Sweep, order: Order, progress: Progress | None = None) -> Bracket | None:
    """Proven bounds of a game for two whose turns have an order; None if attacks lead back too far, or all fails."""
    model = sweep.model
    returns = _returns(model, order)
    around = _around(model, order, returns)
    if around is None:
        return None
    lower, upper = np.full(sweep.padded, sweep.least), np.full(sweep.padded, sweep.most)
    toll = TOLL * sweep.rounding(sweep.most + 1.0)
    inside = np.zeros(sweep.shape, dtype=bool)
    if around:
        movers, waiters = np.array(sorted(around)).T
        inside[movers, waiters] = True
        if not _settled(sweep, order, returns, inside, lower, upper, toll):
            return None
    rest = ordered_pairs(sweep, order, *np.nonzero(~inside))
    if solve_levels(sweep, order, rest, lower, upper, toll=toll, progress=progress):
        return None
    waiters = sweep.shape[1]
    found = Bracket(np.ascontiguousarray(lower[:, :waiters]), np.ascontiguousarray(upper[:, :waiters]), slack=0.0)
    return found if proven(sweep, found) else None


def proven(sweep: Sweep, found: Bracket) -> bool:
    """Whether one turn proves bounds, without asking how they were found."""
    rounding = sweep.rounding(sweep.most + 1.0)
    return certify_bounds(sweep.operator, found.lower, found.upper, rounding, sweep.most) is not None


def _settled(
    sweep: Sweep,
    order: Order,
    returns: NDArray[np.int64],
    inside: NDArray[np.bool_],
    lower: Values,
    upper: Values,
    toll: float,
) -> bool:
    """Settle the bounds of the match states ``inside``, which attacks tie together; tells whether that succeeded."""
    pairs = ordered_pairs(sweep, order, *np.nonzero(inside))
    precision = SETTLED * sweep.rounding(sweep.most + 1.0)
    mover, waiter = returns
    lower[mover, waiter] = upper[mover, waiter] = 0.5 * sweep.both_win
    known = np.concatenate([lower[mover, waiter], upper[mover, waiter]])
    mixing = _Mixing()
    for again in range(MOST_PASSES):
        lower[mover, waiter], upper[mover, waiter] = np.split(known, 2)
        solve_levels(sweep, order, pairs, lower, upper, toll=toll, known=again > 0, alone=True)
        found = np.concatenate([lower[mover, waiter], upper[mover, waiter]])
        if np.abs(found - known).max() <= precision:
            return True
        known = np.clip(mixing.next(known, found), sweep.least - 0.5, sweep.most + 0.5)
    return False


class _Mixing:
    """Passes over few numbers, mixed (D. G. Anderson, 1965) as long as that helps."""

    def __init__(self) -> None:
        self._known: list[Values] = []
        self._changes: list[Values] = []

    def next(self, known: Values, found: Values) -> Values:
        """From where to begin the next pass, after one that led from ``known`` to ``found``."""
        change = found - known
        if self._changes and np.abs(change).max() > 2.0 * min(np.abs(before).max() for before in self._changes):
            self._known, self._changes = [], []
        self._known = [found, *self._known[: REMEMBERED - 1]]
        self._changes = [change, *self._changes[: REMEMBERED - 1]]
        if len(self._known) == 1:
            return found
        steps = np.array([change - before for before in self._changes[1:]]).T
        moves = np.array([found - before for before in self._known[1:]]).T
        weights = np.linalg.lstsq(steps, change, rcond=1e-12)[0]
        mixed: Values = found - moves @ weights
        return mixed


def _returns(model: RaceModel, order: Order) -> NDArray[np.int64]:
    """The match states to which attacks lead, [2, match states]: movers and waiters."""
    found: set[tuple[int, int]] = set()
    for _mover, after, *hits in order.steps.tolist():
        for target, low, high in zip(model.attack_target, hits[::2], hits[1::2], strict=True):
            if after < len(model.states):
                found.update((hit, after) for hit in target[low:high].tolist())
    return np.array(sorted(found), dtype=np.int64).reshape(-1, 2).T


def _around(model: RaceModel, order: Order, returns: NDArray[np.int64]) -> set[tuple[int, int]] | None:
    """All match states that may follow the given ones, with those of exchanged players; None if they are too many."""
    states = len(model.states)
    ends = np.searchsorted(order.steps[:, 0], np.arange(states + 1))
    steps = order.steps.tolist()
    targets = model.attack_target.tolist()
    found: set[tuple[int, int]] = set()
    waiting = deque((mover, waiter) for mover, waiter in returns.T.tolist())
    while waiting:
        mover, waiter = waiting.popleft()
        if (mover, waiter) in found:
            continue
        if len(found) >= MOST_AROUND:
            return None
        found |= {(mover, waiter), (waiter, mover)}
        for turn in ((mover, waiter), (waiter, mover)):
            for _mover, after, *hits in steps[ends[turn[0]] : ends[turn[0] + 1]]:
                hit = turn[1]
                for target, low, high in zip(targets, hits[::2], hits[1::2], strict=True):
                    if low <= turn[1] < high:
                        hit = target[turn[1]]
                if after < states:
                    waiting.append((hit, after))
    return found
