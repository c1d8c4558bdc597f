"""The proof that values lie within a bound of the truth.

Nothing here knows how values were found, or which game they belong to. A game is
seen through its one-turn operator F only: F(V) is what each state is worth if the
turn is played best and V is what the following states are worth. The operator is
computed in floating point; ``rounding`` bounds by how much it may be off.

**A match of two.** F(V, W) is the best expectation of "win now, else 1 - V(next) when
the other moves next, or W(next) where the mover keeps the dice"; V = F(V, V) is what
we look for. If L <= U and some c > 0 satisfy, at every state,

    F(U, L) >= L + c    and    F(L, U) <= U - c,

then the true value lies in [L, U], and each side's greedy plan guarantees its side
and ends the match almost surely. Proof: let one player be greedy against (U, L), and
let M be his lower bound along play: L when he is to move, 1 - U when the other is. At
his turns the next M is on average F(U, L) >= L + c. At the other's turns it is,
whatever the other does, at least 1 - F(L, U) >= 1 - U + c. So M rises by c a turn on
average while it stays bounded: the match ends almost surely, and he wins with chance
at least the M at the start. Exchanging the players gives the other side. We use
L, U = V -/+ e w, where w is about the number of turns to come: it falls by one a turn,
which leaves a margin of about e. Where stakes are won, as much as the other loses, 0
stands for the 1 in "1 - V", and nothing else changes.

Where L says no more than that nobody wins less than nothing, L <= 0, the first inequality
is not needed, nor the second one where U >= 1: that player can stop counting there, since
he gets at least M whatever happens, even if the match never ends. That matters where a
match is as good as decided, and the end can be put off for many turns at no cost that
shows. So we move L and U apart a little more, by the same at all states, which changes no
margin.

**Expected turns, alone.** G(T) is the least expectation of "1 + T(next)", or of
"T(next)" after an outcome that costs no turn. If G(U) <= U - c, the greedy plan takes
at most U turns on average. If G(L) >= L + c, no plan takes fewer than L: add up along
play; a plan that does not end takes for ever. We use L, U = T (1 -/+ e), which leaves
a margin of about e because turns count one, nearly always. From a state in which a turn
surely costs nothing it leaves none; there we use T -/+ e (T + w), where w rises with the
number of turns still to come, those that cost nothing counted as well.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Operator = Callable[[Values], Values]
MatchOperator = Callable[[Values, Values], Values]
"""Takes values of states in which the other player moves next, and of those in which the mover does."""

UNIT_ROUNDOFF = 2.0**-53

TOLERANCE = 1e-9
"""The bound that a solve proves unless another one is asked for, or it is out of reach."""

DECIDED = 0.2
"""Share of the tolerance within which a match counts as decided."""


class Certificate(NamedTuple):
    """A proven bound."""

    bound: float
    """No value is further from the truth than this."""
    margin: float
    """The least slack in the inequalities, after the allowance for rounding; positive."""


def certify_win(
    operator: MatchOperator,
    values: Values,
    weights: Values,
    rounding: float,
    tolerance: float,
    least: float = 0.0,
    most: float = 1.0,
) -> Certificate | None:
    """Prove chances to win, or expected winnings, within ``tolerance``, or return None.

    Parameters
    ----------
    operator : F, on arrays shaped like ``values``.
    values : chances to win for the player to move, of any origin.
    weights : positive, about the number of turns still to come. Bad weights cannot lead to a false proof, only to
        none.
    rounding : bound on the absolute error of one application of ``operator`` to values of size at most ``most + 1``.
    tolerance : the largest bound of interest.
    least, most : what a player gets at least and at most, whatever happens.

    """
    if not _sane(values) or not _sane(weights) or weights.min() <= 0.0 or not 0.0 < tolerance < np.inf:
        return None
    apart = (0.99 - DECIDED) * tolerance / float(weights.max()) * weights + DECIDED * tolerance
    lower, upper = values - apart, values + apart
    bound = _distance(values, lower, upper)
    if bound > tolerance or max(-lower.min(), upper.max()) > most + 1.0:
        return None
    margin = float((operator(upper, lower) - lower).min(where=lower > least, initial=np.inf))
    if margin > rounding:
        margin = float((upper - operator(lower, upper)).min(where=upper < most, initial=margin))
    return Certificate(bound, margin - rounding) if margin > rounding else None


def certify_bounds(
    operator: MatchOperator, lower: Values, upper: Values, rounding: float, stakes: float = 1.0
) -> Certificate | None:
    """Prove that chances to win, or expected winnings, lie between two bounds of any origin, or return None.

    This is the same proof; the bounds need not be near each other, as they cannot be where both players may wait.
    """
    if not _sane(lower) or not _sane(upper) or max(-lower.min(), upper.max()) > stakes + 1.0:
        return None
    margin = float((operator(upper, lower) - lower).min())
    if margin > rounding:
        margin = min(margin, float((upper - operator(lower, upper)).min()))
    return Certificate(float((upper - lower).max()) * 0.5, margin - rounding) if margin > rounding else None


def certify_turns(
    operator: Operator, turns: Values, rounding: float, tolerance: float, weights: Values | None = None
) -> Certificate | None:
    """Prove expected numbers of turns within ``tolerance``, or return None.

    ``operator`` is G; ``rounding`` bounds the absolute error of one application to values of the size of ``turns``.
    ``weights``, by default the turns themselves, say how the bounds move apart: bad ones cannot lead to a false proof.
    """
    if not _sane(turns) or turns.min() < 0.0 or not 0.0 < tolerance < np.inf:
        return None
    weights = turns if weights is None else weights
    if not _sane(weights) or weights.min() < 0.0:
        return None
    scale = 0.99 * tolerance / max(1.0, float(weights.max()))
    lower, upper = turns - scale * weights, turns + scale * weights
    bound = _distance(turns, lower, upper)
    margin = min(float((upper - operator(upper)).min()), float((operator(lower) - lower).min()))
    return Certificate(bound, margin - rounding) if margin > rounding and bound <= tolerance else None


def _distance(values: Values, lower: Values, upper: Values) -> float:
    """Largest distance from the values to the ends of their intervals, rounded up."""
    return float(max((upper - values).max(), (values - lower).max())) * (1.0 + 4.0 * UNIT_ROUNDOFF) + 1e-300


def _sane(values: Values) -> bool:
    return values.size > 0 and bool(np.isfinite(values).all())
