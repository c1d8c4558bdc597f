"""Games with an order: pair by pair from the end of the match back, each to full precision.

Without penalties and attacks a player's states have an order: no turns lead back to an earlier one, and a turn that
brings nothing changes nothing. Then what may follow a pair of match states {(p, q), (q, p)}, other than the pair
itself, is nearer to the end, and the pair is two equations for two numbers (J. Glenn, H. Fang, C. Kruskal, "A
retrograde approximation algorithm for two-player Can't Stop", 2008). Pairs that are equally far from the end do not
know each other; they are the lanes of ``ext/ordered.pyx``.
"""

from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._ordered import solve_pairs
from solver._sweep import padded
from solver.certify import Values
from solver.race.model import RaceModel
from solver.race.stops import MUST_THROW
from solver.race.sweep import Progress, Sweep

MOST_STEPS = 100
"""Steps for a pair; few need more than five."""
MOST_BATCHES = 100
"""Calls of the kernel, and of progress, for levels that one thread does alone."""
LEAST_SHARED = 64
"""Pairs for each thread that make it worth while to share a level."""
SHARE = 1.0 / 64.0
"""Of the bound on the rounding of a turn, how far a pair may be from settled."""


class Order(NamedTuple):
    """An order of player states."""

    ranks: NDArray[np.int32]
    """[states], the most turns that change something until the match is won."""
    near: NDArray[np.int32]
    """[states], a state of the next lower rank that may follow; the number of states for having won."""


def order_of(model: RaceModel) -> Order | None:
    """The order of a game for two, or None if it has none."""
    if (model.outcome_low < model.outcome_high).any():
        return None
    states = len(model.states)
    following = _following(model)
    if following is None:
        return None
    if all(not len(after) or after[0] > state for state, after in enumerate(following)):
        order = reversed(range(states))
    else:
        try:
            order = TopologicalSorter(dict(enumerate(following))).static_order()
        except CycleError:
            return None
    ranks = np.zeros(states + 1, dtype=np.int32)
    near = np.full(states, states, dtype=np.int32)
    for state in order:
        if state < states:
            after = following[state]
            best = ranks[after].argmax()
            ranks[state] = ranks[after[best]] + 1
            near[state] = after[best]
    return Order(ranks[:states], near)


def _following(model: RaceModel) -> list[NDArray[np.int32]] | None:
    """For each state those that its turns lead to, in ascending order; None if one may come again before he passes."""
    states, kinds, ends = len(model.states), model.graph.stop_kinds, model.graph.ends
    first_end = int(model.total_ptr[-1]) * kinds
    possible = np.ones(len(model.outcome_row), dtype=bool)
    possible[:first_end] = np.repeat(model.modes != MUST_THROW, kinds)
    movers = np.concatenate(
        [np.repeat(np.arange(states), np.diff(model.total_ptr) * kinds), np.repeat(np.arange(states), ends)]
    )
    itself = possible & (model.outcome_row == movers)
    if (model.outcome_kept[itself] != 0).any():
        return None
    steps = np.unique(movers[possible & ~itself] * (states + 1) + model.outcome_row[possible & ~itself])
    edges = np.searchsorted(steps, np.arange(states + 1) * (states + 1))
    rows = (steps % (states + 1)).astype(np.int32)
    return [rows[edges[state] : edges[state + 1]] for state in range(states)]


def solve_ordered(sweep: Sweep, order: Order, progress: Progress | None = None) -> tuple[Values, int]:
    """Values of all match states of a game for two, and how many pairs did not settle.

    The same for any number of threads. ``progress`` is called with the number of the level and the share to be done.
    """
    model = sweep.model
    pairs = _in_levels(order.ranks, model.highest)
    values = np.zeros(sweep.padded)
    precision = SHARE * sweep.rounding(sweep.most + 1.0)

    def solve(groups: NDArray[np.int64]) -> int:
        _played, unsettled = solve_pairs(
            sweep.machine, model.attack_target, sweep.payoffs, order.near, pairs.movers, pairs.waiters, groups,
            values, values, sweep.both_win, sweep.most, 0.0, precision, MOST_STEPS,
        )  # fmt: skip
        return unsettled

    unsettled = 0
    sizes = np.diff(pairs.groups)
    shared = (sizes >= LEAST_SHARED * sweep.threads) & (sweep.threads > 1)
    batch = len(pairs.movers) // MOST_BATCHES
    level, levels = 0, len(sizes)
    while level < levels:
        begin, after = pairs.groups[level], level + 1
        if shared[level]:
            unsettled += sum(sweep.each(solve, _pieces(begin, pairs.groups[after], sweep.threads)))
        else:
            while after < levels and not shared[after] and pairs.groups[after] - begin < batch:
                after += 1
            unsettled += solve(pairs.groups[level : after + 1])
        level = after
        if progress:
            progress(level, 1.0 - float(pairs.groups[level]) / len(pairs.movers))
    return np.ascontiguousarray(values[:, : sweep.shape[1]]), unsettled


def _pieces(begin: int, end: int, count: int) -> list[NDArray[np.int64]]:
    """Cut a level into pieces of whole blocks, so that the lanes of a block do not depend on the number of threads."""
    lanes = padded(2)
    edges = np.linspace(begin, end, count + 1).astype(np.int64)
    edges[1:-1] -= (edges[1:-1] - begin) % lanes
    return [edges[piece : piece + 2] for piece in range(count)]


class _Pairs(NamedTuple):
    """All pairs of player states, in the order in which to solve them."""

    movers: NDArray[np.int32]
    waiters: NDArray[np.int32]
    groups: NDArray[np.int64]
    """[levels + 1], first pair of each level; those of a level do not follow from one another."""


def _in_levels(ranks: NDArray[np.int32], depth: NDArray[np.int32]) -> _Pairs:
    one, other = np.triu_indices(len(ranks))
    # The first of a pair is the one with the longer way to go; lanes of a block should go equally far.
    deeper = depth[one] >= depth[other]
    movers, waiters = np.where(deeper, one, other), np.where(deeper, other, one)
    levels = ranks[one] + ranks[other]
    sorting = np.lexsort((depth[movers], levels))
    groups = np.concatenate([[0], np.cumsum(np.bincount(levels)[2:])])
    return _Pairs(movers[sorting].astype(np.int32), waiters[sorting].astype(np.int32), groups)
