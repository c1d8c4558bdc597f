"""The linear equations of a two-player match under fixed plans, of one kind of player or of two.

With the plans fixed, the value of a match state is linear in those of the states that
may follow it: an expectation over a few dozen outcomes instead of thousands of throws.
Solutions correct values and are never used to prove them, so single precision does.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._relaxation import relax
from solver._sweep import Machine, Plans, padded
from solver.certify import Values
from solver.race.model import RaceModel

MOST_SWEEPS = 60
"""A correction that takes longer will have to do as it is."""
MIXED = 6
"""Earlier sweeps that are mixed with the last one."""

Singles = NDArray[np.float32]


def layers_in_use(model: RaceModel) -> int:
    """Number of layers: what an ending is worth if the dice are passed on or kept, by attack on the waiter."""
    return (1 + len(model.attacks)) * (2 if model.outcome_kept.any() else 1)


def spread_layers(model: RaceModel, layers: NDArray[np.floating]) -> None:
    """Fill the layers of attacks from those of no attack, [layers, next states, waiters]."""
    waiters = model.attack_target.shape[1] if len(model.attacks) else 0
    step = 1 + len(model.attacks)
    for first in range(0, len(layers), step):
        for attack, target in enumerate(model.attack_target, 1):
            np.take(layers[first], target, axis=1, out=layers[first + attack, :, :waiters])


Pieces = Callable[[Callable[[int, int], None], int, int], None]
"""Calls a function on pieces of a range, possibly at the same time."""


class Side(NamedTuple):
    """The equations of one kind of player."""

    machine: Machine
    plans: Plans
    constants: Values


def relaxed(
    model: RaceModel, sides: Sequence[Side], sign: float, precision: float, in_pieces: Pieces
) -> tuple[list[Values], bool]:
    """Solve ``x = constants + sign * expected x of the next match state, with the players exchanged``.

    With one side a player meets his like; with two, each meets the other, and has values of his own. Where the mover
    keeps the dice, players and sign stay. Gauss-Seidel sweeps until one changes nothing by more than ``precision``
    times the largest constant, each followed by Anderson's mixing of the last few (D. G. Anderson, "Iterative
    procedures for nonlinear integral equations", 1965). Gives x by side, and whether that was reached.
    """
    movers = len(sides[0].constants)
    size = max(float(np.abs(side.constants).max()) for side in sides)
    left = 0.0
    if size == 0.0:
        return [side.constants.copy() for side in sides], True
    shape = (len(sides), movers, padded(movers))
    scaled, found = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)
    for own, side in zip(scaled, sides, strict=True):
        own[:, :movers] = side.constants / size
    layers = np.zeros((len(sides), layers_in_use(model), movers + len(model.verdicts), shape[2]), dtype=np.float32)
    hits = _hits(model)
    blocks_of = sides[0].plans.blocks
    mixing = _Mixing()
    for _sweep in range(MOST_SWEEPS):
        before = found.copy()
        for blocks in range(2 * blocks_of - 2, -1, -1):
            for number, side in enumerate(sides):
                _relax_blocks(side, sides[-1 - number].plans, sign, hits, scaled[number],
                              (layers[number], layers[-1 - number]), found[number], blocks, in_pieces)  # fmt: skip
        change = found - before
        left = float(np.abs(change).max())
        if not np.isfinite(left):  # under these plans the match never ends
            return [side.constants.copy() for side in sides], False
        if left <= precision:
            break
        if mixing.improve(change, found):
            for number, own in enumerate(layers):
                np.multiply(found[-1 - number][:, :movers].T, np.float32(sign), out=own[0, :movers, :movers])
                if len(own) > 1 + len(model.attacks):
                    own[1 + len(model.attacks), :movers] = found[number]
                spread_layers(model, own)
    return [size * own[:, :movers].astype(np.float64) for own in found], left <= precision


def _relax_blocks(
    side: Side,
    others: Plans,
    sign: float,
    hits: tuple[NDArray[np.int32], NDArray[np.int32]],
    constants: Singles,
    layers: tuple[Singles, Singles],
    found: Singles,
    blocks: int,
    in_pieces: Pieces,
) -> None:
    """Sweep over the blocks of match states whose numbers add up to ``blocks``."""

    def part(begin: int, end: int) -> None:
        relax(side.machine, side.plans, others, sign, *hits, constants, *layers, found, blocks, begin, end)

    first, last = max(0, blocks - side.plans.blocks + 1), min(side.plans.blocks, blocks + 1)
    in_pieces(part, blocks // 2 + 1, last)
    in_pieces(part, first, (blocks + 1) // 2)
    if blocks % 2 == 0:
        part(blocks // 2, blocks // 2 + 1)


class _Mixing:
    """The last few sweeps, as differences of successive changes and of successive results."""

    def __init__(self) -> None:
        self._last: tuple[Singles, Singles] | None = None
        self._steps: list[Singles] = []
        self._moves: list[Singles] = []
        self._products = np.zeros((0, 0))  # of the steps with one another

    def improve(self, change: Singles, result: Singles) -> bool:
        """Move the result of a sweep, in place, to where the sweeps seem to lead; false if it is the first."""
        last, self._last = self._last, (change, result.copy())
        if last is None:
            return False
        kept = MIXED - 1
        self._steps = [change - last[0], *self._steps[:kept]]
        self._moves = [result - last[1], *self._moves[:kept]]
        products = np.empty((len(self._steps),) * 2)
        products[1:, 1:] = self._products[:kept, :kept]
        products[0] = products[:, 0] = [_dot(self._steps[0], step) for step in self._steps]
        self._products = products
        weights = np.linalg.lstsq(products, np.array([_dot(step, change) for step in self._steps]), rcond=1e-6)[0]
        scratch = np.empty_like(result)
        for weight, move in zip(weights, self._moves, strict=True):
            result -= np.multiply(move, np.float32(weight), out=scratch)
        return True


def _dot(one: Singles, other: Singles) -> float:
    # Not the BLAS product: its threads would fight with ours, and its order of adding depends on their number.
    return float(np.einsum("i,i->", one.ravel(), other.ravel()))


def _hits(model: RaceModel) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For each attack and state the waiters whom it moves there, as ``Machine.relax`` takes them."""
    states = len(model.states)
    moved = (model.attack_target + states * np.arange(len(model.attacks))[:, None]).ravel()
    pointers = np.searchsorted(np.sort(moved), np.arange(len(moved) + 1))
    order = np.argsort(moved, kind="stable") % states
    return pointers.astype(np.int32), order.astype(np.int32)
