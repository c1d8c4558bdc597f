"""Solve a compiled race game: in order where the players' turns have one, else by policy iteration.

Policy iteration has an exact residual. Let F be the one-turn operator. The first guess comes from the same game with
players who forget their counters. Then each round

1. improves: one sweep gives F(V), the residual F(V) - V, and every state's best plan;
2. pushes plans forward, to the chances of all ways in which their turns end;
3. corrects: solves the linear equations of those plans for the residual, which is one
   step of Newton's method on V = F(V).

Single precision does for the plans, and for the residual until it is small. Neither they
nor the chances can falsify anything: the last residuals and the certificate come from F
itself in double precision, so an error there could only slow the solution down.
"""

import time
from typing import Any, NamedTuple, Protocol

import numpy as np

from solver._sweep import Choices
from solver.certify import TOLERANCE, Certificate, Values, certify_turns, certify_win
from solver.errors import ConvergenceError
from solver.race.bracket import bracket, bracket_in_order
from solver.race.copying import solve_copying
from solver.race.model import RaceModel, forgetful, waiting_is_free
from solver.race.ordered import order_of, solve_ordered
from solver.race.sweep import Progress, Sweep, sweeper
from solver.text import _, plural

MOST_ROUNDS = 300
PATIENT = 40
"""Rounds after which a match that may stand still is bracketed."""
OFTEN, RARELY, ALWAYS = 1e-3, 1e-4, 1e-9
"""Stops that are rarer are counted as a likely stop with about as many points: while plans change, later, and alone."""
ASTRAY, MOST_MISSES = 10.0, 6
"""A step of Newton's method is taken back if the residual grows more than so many times, or so often in a row."""
ROUGH, FINE = 0.1, 1e-4
"""Relative precision of a correction, while plans still change a lot and when they hardly do."""
REPEATED = 0.3
"""Precision of a correction by plans of the round before, as a share of what that round left of the residual."""
SETTLED = 1e-3
"""Residual below which plans change little."""
KEPT = 1e-4
"""Residual below which the plans of the round before are good enough, and single precision is not."""
NOISE = 1e-6
"""Residual that single precision cannot tell from 0, with room to spare."""
SLOW = 0.005
"""A round that leaves more of the residual makes a later one look for new plans, if two such rounds will not do."""
PROMISING = 0.02
"""A round that leaves no more of the residual is trusted to do as well once more."""

MOST_WEIGHTS = 4
"""Times that a proof is tried with better weights."""
NUDGE = 1e-10
"""By so much times the weights values are changed, to see how the weights change in a turn."""

GUESS = 1e-2
"""Residual to which a smaller game is solved for a first guess."""
FREE = 0.1
"""What a turn alone that costs nothing counts among the weights of its proof."""
GOALS = (4e-3, 5e-4, 5e-5)
"""Residuals at which to try a proof, in units of the tolerance."""
LOOSER, LOOSEST = 4.0, 1e-6
"""A tolerance of nobody's choice may grow by steps up to so much of the largest value: long games need that."""

STANDING = 1e-6
"""Bounds that stay further apart show that a match may stand still."""


class Operator(Protocol):
    """What a solve needs to know of a game: its one-turn operator F, plans, and their linear equations.

    A ``Sweep`` is one, with values [movers, waiters].
    """

    model: RaceModel
    least: float
    most: float

    @property
    def shape(self) -> tuple[int, ...]:
        """Of its values."""

    @property
    def fixed(self) -> bool:
        """Whether plans do not depend on the values."""

    def operator(self, values: Values, kept: Values | None = None) -> Values:
        """F(values), with ``kept`` for the values where the mover keeps the dice."""

    def plan(self, values: Values, least: float, *, spent: Any = None) -> tuple[Values, Any]:
        """The residual F(values) - values, and plans, with the ways to stop whose chance reaches ``least``.

        They may use the memory of ``spent`` plans.
        """

    def relaxed(self, plans: Any, constants: Values, sign: float, precision: float) -> tuple[Values, bool]:
        """Solve the linear equations of fixed plans for two players."""

    def rounding(self, size: float) -> float:
        """Bound on the error of one application of the operator to values of at most this size."""

    def clipped(self, values: Values) -> Values:
        """The nearest values that a match can have."""


class Solution(NamedTuple):
    """Values of all match states, and how good they are."""

    objective: str
    values: Values
    """[movers, waiters]: chance to win; [movers]: expected turns to go, or expected points of a turn."""
    bound: float
    """No value is further from the truth than this."""
    rounds: int
    seconds: float
    margins: Values | None = None
    """Shaped like the values, where each has a bound of its own: for matches that may stand still."""
    offered: Values | None = None
    """[movers, places, dice], values with an offer of dice and points, see ``solver.race.copying``."""


def solve(
    model: RaceModel,
    objective: str,
    *,
    tolerance: float | None = None,
    most_rounds: int = MOST_ROUNDS,
    threads: int | None = None,
    progress: Progress | None = None,
    choices: Choices | None = None,
) -> Solution:
    """Solve a game to a certified bound of at most ``tolerance``, for best play or for players of fixed ``choices``.

    By default that is 1e-9, or the next best that can be proven where values are large or matches long. ``model`` must
    be compiled for ``OBJECTIVES[objective]`` players. A match that may stand still has no such bound: its values are
    bracketed, and come with their margins. ConvergenceError if nothing can be proven otherwise, or if more than
    ``most_rounds`` rounds would be needed.
    """
    began = time.perf_counter()
    rounds, margins, offered = 1, None, None
    with sweeper(model, objective, threads, choices) as sweep:
        if objective == "points":
            values = sweep.operator(np.zeros(sweep.shape))
            bound = sweep.rounding(float(model.rules.match.target))
        elif model.players == 2 and model.rules.points_are_left():
            assert choices is None
            values, offered, bound = solve_copying(sweep, progress)
            if bound > (tolerance or TOLERANCE):
                raise ConvergenceError(_no_bound(tolerance or TOLERANCE))
        elif choices is None and (found := _in_order(sweep, tolerance or TOLERANCE, progress)):
            values, bound, margins = found
        else:
            values, bound, rounds, margins = _by_policies(sweep, tolerance, most_rounds, threads, progress)
    return Solution(objective, sweep.shown(values), bound, rounds, time.perf_counter() - began, margins, offered)


def _in_order(sweep: Sweep, tolerance: float, progress: Progress | None) -> tuple[Values, float, Values | None] | None:
    """Values, their bound and their margins, where the players' turns have an order; None if that does not do."""
    order = order_of(sweep.model)
    if order is None:
        return None
    if not order.attacks:
        values, unsettled = solve_ordered(sweep, order, progress)
        if not unsettled and (certificate := certify(sweep, values, None, tolerance)):
            return values, certificate.bound, None
    found = bracket_in_order(sweep, order, progress)
    if found is None:
        return None
    bound = float(found.margins.max())
    if bound >= STANDING:
        return found.middle, bound, found.margins
    if bound <= tolerance and (certificate := certify(sweep, found.middle, None, tolerance)):
        return found.middle, certificate.bound, None
    return None


def _by_policies(
    sweep: Sweep, wanted: float | None, most_rounds: int, threads: int | None, progress: Progress | None
) -> tuple[Values, float, int, Values | None]:
    """Values, their bound, the rounds they took, and their margins if they could only be bracketed."""
    tolerance = wanted or TOLERANCE
    loosest = 0.0 if wanted else LOOSEST
    # Where waiting is free, more rounds than most games need are rarely of use.
    first = min(most_rounds, PATIENT) if waiting_is_free(sweep.model) else most_rounds
    try:
        # For two, a looser proof is of no use before it is clear that the match must end.
        closest = 0.0 if sweep.model.players == 2 else loosest
        return *_proven(sweep, tolerance, first, threads, progress, closest), None
    except ConvergenceError:
        if sweep.model.players == 1 or most_rounds < MOST_ROUNDS or sweep.choices is not None:
            raise
        found = bracket(sweep, progress)
        bound = float(found.margins.max())
        if not STANDING > bound > tolerance:
            return found.middle, bound, first, found.margins
        if first == most_rounds and wanted:
            raise  # the match ends, only the precision is out of reach
        return *_proven(sweep, tolerance, most_rounds, threads, progress, loosest), None


def _proven(
    sweep: Sweep, tolerance: float, most_rounds: int, threads: int | None, progress: Progress | None, loosest: float
) -> tuple[Values, float, int]:
    guess = first_guess(sweep.model, sweep.objective, threads)
    return proven(sweep, guess, tolerance, most_rounds, progress, loosest=loosest)


def proven(
    sweep: Operator,
    values: Values,
    tolerance: float,
    most_rounds: int,
    progress: Progress | None = None,
    *,
    loosest: float = 0.0,
) -> tuple[Values, float, int]:
    """Values with their proven bound and the number of rounds, from a guess. ConvergenceError if there are none.

    Where ``tolerance`` cannot be proven, up to ``loosest`` times the largest value will do.
    """
    rounds, wanted = 0, tolerance
    plans: Any = None
    if sweep.fixed:
        _residual, plans = sweep.plan(values, ALWAYS if sweep.model.players == 1 else RARELY)
    for goal in GOALS:
        values, plans, more = _iterate(sweep, values, goal * tolerance, most_rounds - rounds, progress, plans)
        rounds += more
        if certificate := certify(sweep, values, plans, tolerance):
            return values, certificate.bound, rounds
    loosest *= max(1.0, float(np.abs(values).max()))
    while (tolerance := LOOSER * tolerance) <= loosest:
        if certificate := certify(sweep, values, plans, tolerance):
            return values, certificate.bound, rounds
    raise ConvergenceError(_no_bound(wanted))


def _no_bound(tolerance: float) -> str:
    return _("no error bound of {tolerance:g} could be proven; a larger tolerance may do").format(tolerance=tolerance)


def certify(sweep: Operator, values: Values, plans: Any, tolerance: float) -> Certificate | None:
    """Prove values of the sweep's own kind (more is better) within ``tolerance``, or return None.

    ``plans`` are those of these values, or of values near them; by default they are found anew.
    """
    if sweep.model.players == 2:
        if plans is None:
            _residual, plans = sweep.plan(values, OFTEN)
        # Any weights would do for the proof; these, about the turns still to come, let it succeed.
        weights, fine = sweep.relaxed(plans, np.ones(sweep.shape), 1.0, 0.5)
        rounding = sweep.rounding(sweep.most + 1.0)
        for _again in range(MOST_WEIGHTS):
            weights = np.maximum(weights, 0.5)
            found = certify_win(sweep.operator, values, weights, rounding, tolerance, sweep.least, sweep.most)
            if found or fine:
                return found
            # The weights of long matches are rough: correct them by what the operator itself says of them.
            nudge = NUDGE * weights
            ahead = (sweep.operator(values) - sweep.operator(values + nudge, values - nudge)) / NUDGE
            weights += sweep.relaxed(plans, 1.0 + ahead - weights, 1.0, 0.1)[0]
        return None
    turns = -values
    rounding = sweep.rounding(1.0 + 1.01 * float(np.abs(turns).max()))
    found = certify_turns(lambda t: -sweep.operator(-t), turns, rounding, tolerance)
    if found is None and sweep.model.outcome_kept.any():
        # From where a turn surely costs nothing, that number of turns leaves no margin.
        if plans is None:
            _residual, plans = sweep.plan(values, ALWAYS)
        weights = turns + FREE * _correction(sweep, plans, np.ones(sweep.shape), 0.0)
        found = certify_turns(lambda t: -sweep.operator(-t), turns, rounding, tolerance, weights)
    return found


def expected_turns(sweep: Sweep, values: Values) -> Values:
    """About how many turns of both players a match for two still takes under the best plans, [movers, waiters].

    Good to about a thousandth: the plans are those of these values, in single precision. Not proven.
    """
    _residual, plans = sweep.plan(values, RARELY)
    turns, _fine = sweep.relaxed(plans, np.ones(sweep.shape), 1.0, 1e-3)
    return turns


def first_guess(model: RaceModel, objective: str, threads: int | None = None) -> Values:
    """Rough values of a game, to begin a solve with."""
    if smaller := forgetful(model):
        small, stands = smaller
        try:
            with sweeper(small, objective, threads) as sweep:
                values, _plans, _rounds = _iterate(sweep, first_guess(small, objective, threads), GUESS, 30, None)
        except ConvergenceError:  # players without counters may go round in circles
            pass
        else:
            return values[stands][:, stands] if model.players == 2 else values[stands]
    # Alone a turn brings a few steps; for two, the one who is nearer is the favourite.
    steps_left = (model.highest + 1).astype(np.float64)
    if objective == "turns":
        return -(1.0 + 0.2 * steps_left)[:, None]
    ahead = steps_left[None, :] ** 1.5
    chance = ahead / (ahead + steps_left[:, None] ** 1.5)
    return chance if objective == "win" else 2.0 * chance - 1.0


def _iterate(
    sweep: Operator,
    values: Values,
    goal: float,
    most_rounds: int,
    progress: Progress | None,
    plans: Any = None,
) -> tuple[Values, Any, int]:
    """Improve and correct until the residual is at most ``goal``, or as small as rounding lets it be.

    ``plans`` are the best ones if these are known already, since the values are nearly right.
    """
    alone = sweep.model.players == 1
    known, best, floor = plans is not None, np.inf, sweep.rounding(1.0 + float(np.abs(values).max()))
    fallback, plain, patience, misses, fresh = values, 0, 1, 0, not known
    for number in range(1, most_rounds + 1):
        exact = alone or not fresh
        if fresh:
            least = ALWAYS if alone else OFTEN if best > SETTLED else RARELY
            residual, plans = sweep.plan(values, least, spent=plans)
            exact = exact or float(np.abs(residual).max()) <= NOISE
        if exact:
            residual = sweep.operator(values) - values
        size = float(np.abs(residual).max())
        if progress:
            progress(number, size)
        if size <= goal or (exact and size <= floor and size > best / 2.0):
            return values, plans, number
        gain = size / best if best < np.inf else 1.0  # of the round before
        misses = 0 if gain < 1.0 else misses + 1
        if plain:
            plain -= 1
            best, fallback, fresh = size, _nearer(sweep, values, residual), True
            values = fallback
        elif gain > ASTRAY or misses > MOST_MISSES:
            # Newton's step led astray, as it may while the best plans of a guess never end the match. Go back, and
            # sweep plainly for a while: that always gets closer.
            values, fresh, plain, patience = fallback, True, patience, 2 * patience
        else:
            if size < best:
                best, fallback = size, _nearer(sweep, values, residual)
            # No finer than the next round can tell: the goal, or how much better plans will be.
            finest = max(FINE, 0.1 * goal / size)
            # New plans may double the digits gained; old ones gain about as many again.
            precision = min(max(gain * gain if fresh else REPEATED * gain, finest), ROUGH)
            values = sweep.clipped(values + _correction(sweep, plans, residual, precision))
            if exact and gain < PROMISING and gain * size < 10.0 * goal:
                return values, plans, number  # the next round would only tell what the proof tells as well
            fresh = (best > KEPT and not known) or (gain > SLOW and gain * gain * size > 10.0 * goal)
    raise ConvergenceError(
        plural(
            "no convergence after {rounds} round; the residual is still {residual:.1e}",
            "no convergence after {rounds} rounds; the residual is still {residual:.1e}",
            most_rounds,
        ).format(rounds=most_rounds, residual=best)
    )


def _nearer(sweep: Operator, values: Values, residual: Values) -> Values:
    """Values that are nearer to the solution.

    Alone a plain sweep leads there. For two it may not: where both do better by waiting, it turns x into 1 - x. Half
    a sweep does (M. A. Krasnoselskii, 1955: the operator is nonexpansive).
    """
    return values + (residual if sweep.model.players == 1 else 0.5 * residual)


def _correction(sweep: Operator, plans: Any, residual: Values, precision: float) -> Values:
    """Solve ``x = residual + expected x of the next match state`` under fixed plans, roughly."""
    if sweep.model.players == 2:
        return sweep.relaxed(plans, residual, -1.0, precision)[0]
    from scipy.sparse import csr_array, eye_array  # slow to import, and needed here only
    from scipy.sparse.linalg import splu

    states = len(residual)
    pointers, outcomes, chances_of = plans.alone()
    # The extra column is for having won, from where nothing follows.
    following = sweep.model.outcome_row[outcomes]
    chances = csr_array((chances_of, following, pointers), shape=(states, states + 1))[:, :states]
    try:
        return np.asarray(splu((eye_array(states) - chances).tocsc()).solve(residual))
    except RuntimeError:  # singular: under these plans the match never ends
        return residual
