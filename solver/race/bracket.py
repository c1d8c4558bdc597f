"""Bounds from both sides for matches that may stand still.

Where both players do better by waiting, the match need not end. Endless play counts one
half for each, or no stake, and then the one-turn operator has more than one fixed point,
so no certificate exists. What can be proven is where the value lies: let ``lower`` be what
a player can make sure of within n turns if all that is undecided then counts as lost, and
``upper`` the same counted as won. Both follow from the operator by

    lower, upper = F(upper, lower), F(lower, upper)

from the worst and the best that can be. Whatever endless play counts, the truth lies in
between, for every n.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from solver.certify import Values
from solver.race.sweep import Sweep

MOST_SWEEPS = 3000
STILL = 1e-10
"""A sweep that moves no bound by more than this is the last."""
CLOSE = 1e-5
"""Nor is a sweep worth while that moves no bound by more than so much of the distance to the other."""
SLACK = 1e-9
"""More than what sweeps with other rounding could still move."""


class Bracket(NamedTuple):
    """Proven bounds, [movers, waiters]."""

    lower: Values
    upper: Values

    @property
    def margins(self) -> Values:
        """How far the truth may be from the middle, a little widened so that any machine finds the same."""
        return (self.upper - self.lower) * 0.5 + SLACK

    @property
    def middle(self) -> Values:
        """Halfway between the bounds."""
        return (self.upper + self.lower) * 0.5


def bracket(sweep: Sweep, progress: Callable[[int, float], None] | None = None) -> Bracket:
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
