"""Two kinds of players against each other: fixed plans, or one that is best against the other.

Values are stacked, [kinds, movers, waiters]: of each kind, to move against the other. Their one-turn operator is

    F(W)[0] = F_0(W[1]),    F(W)[1] = F_1(W[0]),

where F_k plays a turn as kind k does. The proof of ``solver.certify`` needs no more than that each F is monotone and
that somebody moves: the lower bound of the player of kind 0, L[0] when he is to move and 1 - U[1] when he is not,
rises on average at every turn, since the other kind does nothing but what F_1 says. A best response is a kind whose
F is the maximum over all choices.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

import numpy as np

from solver._sweep import Choices, Plans
from solver.certify import Values
from solver.errors import ConvergenceError
from solver.race.model import RaceModel
from solver.race.relaxation import Relaxation
from solver.race.solve import MOST_ROUNDS, first_guess, proven
from solver.race.sweep import Progress, Sweep, sweeper
from solver.text import _


class Kind(NamedTuple):
    """A kind of player: the model that he plays in, and his choices; None for the best ones."""

    model: RaceModel
    choices: Choices | None


class Duel:
    """The stacked operator of two kinds of players, as ``solver.race.solve`` takes it."""

    def __init__(self, one: Sweep, other: Sweep) -> None:
        self.sweeps = (one, other)
        self.model = one.model
        self.shape: tuple[int, ...] = (2, *one.shape)
        self.least, self.most = one.least, one.most
        self._known: dict[tuple[int, float], Plans] = {}

    @cached_property
    def _relaxation(self) -> Relaxation:
        return Relaxation(self.model, 2, self.sweeps[0].threads)

    @property
    def fixed(self) -> bool:
        """Whether the plans of both do not depend on the values."""
        return all(sweep.fixed for sweep in self.sweeps)

    def operator(self, values: Values, kept: Values | None = None) -> Values:
        """F(values), [kinds, movers, waiters], with ``kept`` for the values where the mover keeps the dice."""
        own = values if kept is None else kept
        return np.stack([sweep.operator(values[1 - kind], own[kind]) for kind, sweep in enumerate(self.sweeps)])

    def plan(
        self, values: Values, least: float, *, spent: tuple[Plans, Plans] | None = None
    ) -> tuple[Values, tuple[Plans, Plans]]:
        """The residual, and the plans of both kinds; those of fixed choices are found once."""
        found: list[Plans] = []
        residual = np.empty(self.shape)
        for kind, sweep in enumerate(self.sweeps):
            if (kind, least) in self._known:
                residual[kind] = sweep.operator(values[1 - kind], values[kind]) - values[kind]
                found.append(self._known[kind, least])
                continue
            old = spent[kind] if spent and not sweep.fixed else None
            residual[kind], plans = sweep.plan(values[kind], least, values[1 - kind], spent=old)
            found.append(plans)
            if sweep.fixed:
                self._known = {name: old for name, old in self._known.items() if name[0] != kind}
                self._known[kind, least] = plans
        return residual, (found[0], found[1])

    def relaxed(
        self, plans: tuple[Plans, Plans], constants: Values, sign: float, precision: float
    ) -> tuple[Values, bool]:
        """Solve the linear equations of fixed plans."""
        sides = [sweep.side(*side) for sweep, *side in zip(self.sweeps, plans, constants, strict=True)]
        found, fine = self._relaxation.solve(sides, sign, precision)
        return np.stack(found), fine

    def rounding(self, size: float) -> float:
        """Bound on the error of one application of the operator to values of at most this size."""
        return max(sweep.rounding(size) for sweep in self.sweeps)

    def clipped(self, values: Values) -> Values:
        """The nearest values that a match can have."""
        return self.sweeps[0].clipped(values)


class DuelValues(NamedTuple):
    """The values of a duel with their proof."""

    values: Values
    """[kinds, movers, waiters]: the chance to win, or the stakes won, for a kind to move."""
    bound: float
    """No value is further from the truth than this."""
    rounds: int


@contextmanager
def duel_of(one: Kind, other: Kind, objective: str, threads: int | None = None) -> Iterator[Duel]:
    """A duel with its threads."""
    with (
        sweeper(one.model, objective, threads, one.choices) as first,
        sweeper(other.model, objective, threads, other.choices) as second,
    ):
        yield Duel(first, second)


def solve_duel(
    duel: Duel, guess: Values | None = None, *, tolerance: float = 1e-9, progress: Progress | None = None
) -> DuelValues:
    """The values of a duel, proven within ``tolerance``; ``guess`` are values of the game, [movers, waiters].

    ConvergenceError if nothing can be proven: then the match need not end.
    """
    if guess is None:
        guess = first_guess(duel.model, duel.sweeps[0].objective)
    try:
        values, bound, rounds = proven(duel, np.stack([guess, guess]), tolerance, MOST_ROUNDS, progress)
    except ConvergenceError as error:
        raise ConvergenceError(_("a match of these two need not end: {why}").format(why=error)) from None
    return DuelValues(duel.clipped(values), bound, rounds)
