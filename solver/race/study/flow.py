"""Where matches go under fixed plans: how often each match state comes, and how long a match takes.

Chances of plans are single precision, and rare stops are counted as likely ones near them (``Sweep.plan``), so the
results are good to about four digits. They say where losses arise and how long matches take; they prove nothing.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._relaxation import onward
from solver._sweep import Plans
from solver.certify import Values
from solver.race.model import RaceModel
from solver.race.sweep import Sweep

LEAST_LEFT = 1e-4
"""Matches that go on after the last turn that is counted."""
MOST_TURNS = 3000
BETTER_THAN_BEST = 1e-3
"""Turns by which a rule may seem better than best play, from rounding."""
EVERY = 1e-9
"""Alone, chances below this are left out of plans."""


class Flow(NamedTuple):
    """What becomes of many matches."""

    visits: NDArray[np.float64]
    """[kinds, movers, waiters], how often a match comes there, the kind to move."""
    won: NDArray[np.float64]
    """[turns, kinds], the chance that the match is won by a kind at its turn so and so."""
    left: float
    """The chance that it takes longer than all these turns."""

    @property
    def turns(self) -> float:
        """Expected number of turns of both, up to what is left."""
        return float(self.visits.sum())

    def within(self, turns: int) -> float:
        """The chance that a match is over within so many turns of both."""
        return float(self.won[:turns].sum())

    def quantile(self, share: float) -> int | None:
        """Turns within which so large a share of matches is over; None if more than are counted."""
        reached = np.flatnonzero(self.won.sum(axis=1).cumsum() >= share)
        return int(reached[0]) + 1 if len(reached) else None


def flow(sweeps: Sequence[Sweep], plans: Sequence[Plans], begin: Values, most_turns: int = MOST_TURNS) -> Flow:
    """Follow matches for two from ``begin``, [kinds, movers, waiters]: the chance of each to be where a match begins.

    With one sweep players meet their like, with two each meets the other.
    """
    model = sweeps[0].model
    movers = len(model.states)
    mass = np.zeros((len(sweeps), *sweeps[0].padded), dtype=np.float32)
    mass[:, :, :movers] = begin
    visits = np.zeros(mass.shape)
    layers = np.zeros_like(sweeps[0].layers_of(np.zeros(sweeps[0].shape)), dtype=np.float32)
    won: list[NDArray[np.float64]] = []
    later = np.zeros(len(sweeps))  # won in the last turn of the other player, which comes next
    for _turn in range(most_turns):
        visits += mass
        following = np.zeros_like(mass)
        wins, later = later, np.zeros(len(sweeps))
        for kind, (sweep, plan) in enumerate(zip(sweeps, plans, strict=True)):
            layers[:] = 0.0
            onward(sweep.machine, plan, mass[kind], layers)
            passed, kept = _merged(model, layers)
            ended = passed[movers:].astype(np.float64)
            following[-1 - kind, :, :movers] += passed[:movers].T
            if kept is not None:
                following[kind, :, :movers] += kept[:movers]
                ended += kept[movers:]
            wins[kind] += ended[0].sum()
            later[kind] += (ended[1:] * model.verdicts[1:]).sum()
            later[-1 - kind] += (ended[1:] * (1.0 - model.verdicts[1:])).sum()
        won.append(wins)
        mass = following
        if float(mass.sum(dtype=np.float64)) < LEAST_LEFT:
            break
    return Flow(visits[:, :, :movers], np.array([*won, later]), float(mass.sum(dtype=np.float64)))


def _merged(model: RaceModel, layers: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
    """The chances of what follows, [next state or verdict of the mover, waiter]: passed on, and kept."""
    movers, step = len(model.states), 1 + len(model.attacks)
    found = []
    for first in range(0, len(layers), step):
        whole = layers[first, :, :movers].copy()
        for attack, target in enumerate(model.attack_target, 1):
            hit = np.flatnonzero(layers[first + attack, :, :movers].any(axis=0))
            moved: Any = (slice(None), target[hit])
            np.add.at(whole, moved, layers[first + attack, :, hit].T)
        found.append(whole)
    return found[0], found[1] if len(found) > 1 else None


def visits_alone(model: RaceModel, plans: Plans, begin: int) -> NDArray[np.float64]:
    """[states], how often a player alone begins a turn in each state."""
    first = np.zeros(len(model.states))
    first[begin] = 1.0
    return np.asarray(_equations(model, plans).solve(first, "T"))


def lengths_alone(model: RaceModel, plans: Plans, begin: int) -> NDArray[np.float64]:
    """[turns], the chance to win alone at each turn; an extra turn belongs to the one that earned it."""
    from scipy.sparse import csr_array  # slow to import, and needed here only

    states = len(model.states)
    pointers, outcomes, chances = plans.alone()
    kept = model.outcome_kept[outcomes] > 0
    shape, following = (states, states + 1), model.outcome_row[outcomes]
    passes = csr_array((np.where(kept, 0.0, chances), following, pointers), shape=shape).T.tocsr()
    keeps = csr_array((np.where(kept, chances, 0.0), following, pointers), shape=shape).T.tocsr()
    mass = np.zeros(states)
    won: list[float] = []
    mass[begin] = 1.0
    while len(won) < MOST_TURNS and mass.sum() > LEAST_LEFT:
        after, moving = np.zeros(states + 1), mass
        for _extra in range(states + 1):
            after += passes @ moving
            moving = (keeps @ moving)[:states]
            if moving.sum() <= LEAST_LEFT * LEAST_LEFT:
                break
        won.append(float(after[states]))
        mass = after[:states]
    return np.array(won)


def turns_about(sweep: Sweep, best: Values) -> NDArray[np.float64]:
    """[states, lanes], the expected turns alone by the fixed choices of each lane, good to about six digits.

    ``best``, [states, 1], are the values of best play, of the sweep's own kind: what comes out better than these has
    been lost in rounding, for matches as good as never end. There, and where they need not end, turns are infinite.
    """
    values = np.repeat(best, sweep.shape[1], axis=1)
    residual, plans = sweep.plan(values, EVERY)
    turns = np.full(values.shape, np.inf)
    for lane in range(sweep.shape[1]):
        try:
            correction = _equations(sweep.model, plans, lane).solve(residual[:, lane])
        except RuntimeError:  # singular
            continue
        if correction.max() <= BETTER_THAN_BEST:
            turns[:, lane] = -(values[:, lane] + correction)
    return turns


def _equations(model: RaceModel, plans: Plans, lane: int = 0) -> Any:
    """The equations of a player alone, one minus the chances of his moves, in triangular factors."""
    from scipy.sparse import csr_array, eye_array  # slow to import, and needed here only
    from scipy.sparse.linalg import splu

    states = len(model.states)
    pointers, outcomes, chances = plans.alone(lane)
    rows = model.outcome_row[outcomes]
    moves = csr_array((chances, rows, pointers), shape=(states, states + 1))[:, :states]
    # Where scores never fall, the equations are triangular as they stand.
    forward = bool((rows >= np.repeat(np.arange(states), np.diff(pointers))).all())
    return splu((eye_array(states) - moves).tocsc(), permc_spec="NATURAL" if forward else "COLAMD")
