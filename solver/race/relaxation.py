"""The linear equations of a two-player match under fixed plans, of one kind of player or of two.

With the plans fixed, the value of a match state is linear in those of the states that
may follow it: an expectation over a few dozen outcomes instead of thousands of throws.
Solutions correct values and are never used to prove them, so single precision does.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from solver._relaxation import Equations, sweep, take_over
from solver._sweep import Machine, Plans, padded
from solver.certify import Values
from solver.race.mixing import Mixing
from solver.race.model import RaceModel
from solver.race.threads import Threads

MOST_SWEEPS = 60
"""A correction that takes longer will have to do as it is."""


def layers_in_use(model: RaceModel) -> int:
    """Number of layers: what an ending is worth if the dice are passed on or kept, by attack on the waiter."""
    return (1 + len(model.attacks)) * (2 if model.outcome_kept.any() else 1)


def spread_layers(model: RaceModel, layers: NDArray[np.floating]) -> None:
    """Fill the layers of attacks from those of no attack, [layers, next states, waiters]."""
    waiters = model.attack_target.shape[1] if len(model.attacks) else 0
    step = 1 + len(model.attacks)
    for first in range(0, len(layers), step):
        for attack, target in enumerate(model.attack_target, 1):
            # Not by the usual mode, which would make a copy first; no target is out of range.
            np.take(layers[first], target, axis=1, out=layers[first + attack, :, :waiters], mode="clip")


class Side(NamedTuple):
    """The equations of one kind of player."""

    machine: Machine
    plans: Plans
    constants: Values


class Relaxation:
    """The equations ``x = constants + sign * expected x of the next match state``, with the players exchanged.

    With one side a player meets his like; with two, each meets the other, and has values of his own. Where the mover
    keeps the dice, players and sign stay. Memory and what was learned from a solution are kept for the next one.
    """

    def __init__(self, model: RaceModel, sides: int, threads: Threads) -> None:
        movers = len(model.states)
        self._threads, self._movers = threads, movers
        shape = (sides, movers, padded(movers))
        self._scaled, self._found, self._before = (np.zeros(shape, dtype=np.float32) for _each in range(3))
        layers = (sides, layers_in_use(model), movers + len(model.verdicts), shape[2])
        self._layers = np.zeros(layers, dtype=np.float32)
        self._hits = _hits(model)
        self._rows, self._rows_before = self._found.reshape(-1, shape[2]), self._before.reshape(-1, shape[2])
        self._mixing = Mixing(self._rows.shape, threads.in_pieces)
        self._known: tuple[object, ...] = ()
        """The plans and the sign of which the mixing has learned."""

    def solve(self, sides: Sequence[Side], sign: float, precision: float) -> tuple[list[Values], bool]:
        """Give x by side, and whether it is as precise as asked.

        Gauss-Seidel sweeps, each followed by mixing, until one changes nothing by more than ``precision`` times the
        largest constant.
        """
        size = max(float(np.abs(side.constants).max()) for side in sides)
        if size == 0.0:
            return [side.constants.copy() for side in sides], True
        self._begin(sides, sign, size)
        equations = [
            Equations(side.machine, side.plans, sign, scaled, found, layers, *self._hits)
            for side, scaled, found, layers in zip(sides, self._scaled, self._found, self._layers, strict=True)
        ]
        left = 0.0
        for _sweep in range(MOST_SWEEPS):
            self._threads.in_step(partial(sweep, equations[0], equations[-1]))
            left = self._mixing.remember(self._rows_before, self._rows)
            if not np.isfinite(left):  # under these plans the match never ends
                self._known = ()
                return [side.constants.copy() for side in sides], False
            if left <= precision:
                break
            if self._mixing.improve(self._rows, self._rows_before):
                for one, other in zip(equations, reversed(equations), strict=True):
                    self._threads.in_step(partial(take_over, one, other))
        return [size * own[:, : self._movers].astype(np.float64) for own in self._found], left <= precision

    def _begin(self, sides: Sequence[Side], sign: float, size: float) -> None:
        known = (*((ref(side.plans), side.plans.version) for side in sides), sign)
        if known != self._known:
            self._mixing.forget()
            self._known = known
        self._mixing.begin()
        for own, side in zip(self._scaled, sides, strict=True):
            np.divide(side.constants, size, out=own[:, : self._movers])
        for array in (self._found, self._before, self._layers):
            array.fill(0.0)


def _hits(model: RaceModel) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For each attack and state the waiters whom it moves there, as ``Equations`` take them."""
    states = len(model.states)
    moved = (model.attack_target + states * np.arange(len(model.attacks))[:, None]).ravel()
    pointers = np.searchsorted(np.sort(moved), np.arange(len(moved) + 1))
    order = np.argsort(moved, kind="stable") % states
    return pointers.astype(np.int32), order.astype(np.int32)
