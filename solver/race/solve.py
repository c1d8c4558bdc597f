"""Solve a compiled race game: policy iteration with an exact residual.

Let F be the one-turn operator. The first guess comes from the same game with players
who forget their counters. Then each round

1. improves: one sweep gives F(V), the residual F(V) - V, and every state's best plan;
2. pushes plans forward, to the chances of all ways in which their turns end;
3. corrects: solves the linear equations of those plans for the residual, which is one
   step of Newton's method on V = F(V).

The chances serve the correction only. Residual and certificate come from F itself, so
an error there could slow the solution down but not falsify it.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from solver.certify import Certificate, Values, certify_turns, certify_win
from solver.errors import ConvergenceError
from solver.race.model import RaceModel, forgetful
from solver.race.plans import Plans
from solver.race.sweep import Sweep, sweeper
from solver.text import _

MOST_ROUNDS = 300
MOST_RELAXATIONS, MOST_ROUGHLY = 60, 12
"""Gauss-Seidel sweeps for one correction, when plans hardly change and while they still do."""
MIXED = 2
"""Earlier sweeps that are mixed with the last one."""
ASTRAY, MOST_MISSES = 10.0, 6
"""A step of Newton's method is taken back if the residual grows more than so many times, or so often in a row."""
ROUGH, FINE = 0.1, 1e-2
"""Relative precision of a correction, while plans still change a lot and when they hardly do."""
SETTLED = 1e-3
"""Residual below which plans hardly change."""
KEPT = 1e-4
"""Residual below which the plans of the round before are good enough."""

GUESS = 1e-3
"""Residual to which a smaller game is solved for a first guess."""
GOALS = (4e-3, 5e-4, 5e-5)
"""Residuals at which to try a proof, in units of the tolerance."""

Progress = Callable[[int, float], None]
"""Called in each round with its number and the residual."""


class Solution(NamedTuple):
    """Values of all match states, and how good they are."""

    objective: str
    values: Values
    """[movers, waiters]: chance to win; [movers]: expected turns to go, or expected points of a turn."""
    bound: float
    """No value is further from the truth than this."""
    rounds: int
    seconds: float


def solve(
    model: RaceModel,
    objective: str,
    *,
    tolerance: float = 1e-9,
    most_rounds: int = MOST_ROUNDS,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Solve a game to a certified bound of at most ``tolerance``.

    ``model`` must be compiled for ``OBJECTIVES[objective]`` players. ConvergenceError if no such bound can be
    proven, or if more than ``most_rounds`` rounds would be needed.
    """
    began = time.perf_counter()
    certificate: Certificate | None
    with sweeper(model, objective, threads) as sweep:
        if objective == "points":
            values, rounds = sweep.operator(np.zeros(sweep.shape)), 1
            certificate = Certificate(sweep.rounding(float(model.rules.match.target)), 0.0)
        else:
            values, rounds, certificate = _first_guess(model, objective, threads), 0, None
            for goal in GOALS:
                values, plans, more = _iterate(sweep, values, goal * tolerance, most_rounds - rounds, progress)
                rounds += more
                certificate = certify(sweep, values, plans, tolerance)
                if certificate:
                    break
    if certificate is None:
        raise ConvergenceError(_("no error bound of {tolerance:g} could be proven").format(tolerance=tolerance))
    return Solution(objective, sweep.shown(values), certificate.bound, rounds, time.perf_counter() - began)


def certify(sweep: Sweep, values: Values, plans: Plans | None, tolerance: float) -> Certificate | None:
    """Prove values of the sweep's own kind (more is better) within ``tolerance``, or return None.

    ``plans`` are those of these values, or of values near them; by default they are found anew.
    """
    if sweep.objective == "win":
        if plans is None:
            _improved, plans = sweep.improve(values)
        # Any weights would do for the proof; these, about the turns still to come, let it succeed.
        weights = np.maximum(_relaxed(sweep, plans, np.ones(sweep.shape), 1.0, 0.3), 0.5)
        return certify_win(sweep.operator, values, weights, sweep.rounding(2.0), tolerance)
    turns = -values
    rounding = sweep.rounding(1.0 + 1.01 * float(np.abs(turns).max()))
    return certify_turns(lambda t: -sweep.operator(-t), turns, rounding, tolerance)


def _first_guess(model: RaceModel, objective: str, threads: int | None) -> Values:
    if smaller := forgetful(model):
        small, stands = smaller
        try:
            with sweeper(small, objective, threads) as sweep:
                values, _plans, _rounds = _iterate(sweep, _first_guess(small, objective, threads), GUESS, 30, None)
        except ConvergenceError:  # players without counters may go round in circles
            pass
        else:
            return values[stands][:, stands] if objective == "win" else values[stands]
    # Alone a turn brings a few steps; for two, the one who is nearer is the favourite.
    steps_left = (model.highest + 1).astype(np.float64)
    if objective == "turns":
        return -(1.0 + 0.2 * steps_left)[:, None]
    ahead = steps_left[None, :] ** 1.5
    return ahead / (ahead + steps_left[:, None] ** 1.5)


def _iterate(
    sweep: Sweep, values: Values, goal: float, most_rounds: int, progress: Progress | None
) -> tuple[Values, Plans, int]:
    """Improve and correct until the residual is at most ``goal``, or as small as rounding lets it be."""
    best, floor = np.inf, sweep.rounding(1.0 + float(np.abs(values).max()))
    plans: Plans | None = None
    fallback, plain, patience, misses = values, 0, 1, 0
    for number in range(1, most_rounds + 1):
        if plans is None or best > KEPT:
            improved, plans = sweep.improve(values)
        else:
            improved = sweep.operator(values)
        residual = improved - values
        size = float(np.abs(residual).max())
        if progress:
            progress(number, size)
        if size <= goal or (size <= floor and size > best / 2.0):
            return values, plans, number
        misses = 0 if size < best else misses + 1
        if plain:
            plain -= 1
            best, fallback, values, plans = size, improved, improved, None
        elif size > ASTRAY * best or misses > MOST_MISSES:
            # Newton's step led astray, as it may while the best plans of a guess never end the match. Go back, and
            # sweep plainly for a while: that always gets closer.
            values, plans, plain, patience = fallback, None, patience, 2 * patience
        else:
            if size < best:
                best, fallback = size, improved
            values = values + _correction(sweep, plans, residual)
            if sweep.objective == "win":
                np.clip(values, 0.0, 1.0, out=values)
    raise ConvergenceError(
        _("no convergence after {rounds} rounds; the residual is still {residual:.1e}").format(
            rounds=most_rounds, residual=best
        )
    )


def _correction(sweep: Sweep, plans: Plans, residual: Values) -> Values:
    """Solve ``x = residual + expected x of the next match state`` under fixed plans, roughly."""
    if sweep.objective == "win":
        size = float(np.abs(residual).max())
        precision, most = (FINE, MOST_RELAXATIONS) if size < SETTLED else (ROUGH, MOST_ROUGHLY)
        return _relaxed(sweep, plans, residual, -1.0, precision * size, most)
    from scipy.sparse import csr_array, eye_array  # slow to import, and needed here only
    from scipy.sparse.linalg import splu

    states = len(residual)
    following = sweep.model.outcome_row[plans.entry_outcome]
    # The extra column is for having won, from where nothing follows.
    chances = csr_array((plans.chances, following, plans.entry_ptr), shape=(states, states + 1))[:, :states]
    try:
        return np.asarray(splu((eye_array(states) - chances).tocsc()).solve(residual))
    except RuntimeError:  # singular: under these plans the match never ends
        return residual


def _relaxed(
    sweep: Sweep, plans: Plans, constants: Values, sign: float, precision: float, most: int = MOST_RELAXATIONS
) -> Values:
    """Solve ``x = constants + sign * expected x of the next match state, with the players exchanged``.

    Gauss-Seidel sweeps until one changes nothing by more than ``precision``, each followed by Anderson's mixing of
    the last few (D. G. Anderson, "Iterative procedures for nonlinear integral equations", 1965).
    """
    movers, stride = sweep.padded
    padded = np.zeros(sweep.padded)
    padded[:, :movers] = constants
    found, passed = np.zeros(sweep.padded), np.zeros((movers + 1, stride))
    steps: list[Values] = []  # differences of successive changes, and of successive results
    moves: list[Values] = []
    change: Values | None = None
    result: Values | None = None
    for _sweep in range(most):
        before = found.copy()
        sweep.machine.relax(passed, sign, *plans, sweep.model.attack_target, padded, found)
        last_change, last_result = change, result
        change, result = (found - before).ravel(), found.ravel().copy()
        if np.abs(change).max() <= precision:
            break
        if last_change is not None and last_result is not None:
            steps = [change - last_change, *steps[: MIXED - 1]]
            moves = [result - last_result, *moves[: MIXED - 1]]
            gram = np.array([[_dot(one, other) for other in steps] for one in steps])
            weights = np.linalg.lstsq(gram, np.array([_dot(step, change) for step in steps]), rcond=1e-12)[0]
            mixed = result.copy()
            for weight, move in zip(weights, moves, strict=True):
                mixed -= weight * move
            found = mixed.reshape(sweep.padded)
            np.multiply(found[:, :movers].T, sign, out=passed[:movers, :movers])
    return found[:, :movers]


def _dot(one: Values, other: Values) -> float:
    # Not the BLAS product: its threads would fight with ours, and its order of adding depends on their number.
    return float(np.einsum("i,i->", one, other))
