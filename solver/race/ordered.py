"""Games with an order: pair by pair from the end of the match back, each to full precision.

Without penalties a player's own turns have an order: none leads back to an earlier state, and a turn that brings
nothing changes nothing. If nobody attacks either, what may follow a pair of match states {(p, q), (q, p)}, other than
the pair itself, is nearer to the end, and the pair is two equations for two numbers (J. Glenn, H. Fang, C. Kruskal, "A
retrograde approximation algorithm for two-player Can't Stop", 2008). Pairs that are equally far from the end do not
know each other; they are the lanes of ``ext/ordered.pyx``.

Attacks lead back. Where they lead to few match states, those in which somebody has just been thrown off the barrel,
all else is in order once the values of these are known (see ``solver.race.bracket``).
"""

from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._ordered import Offers, solve_pairs
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

Numbers = NDArray[np.int32]


class Order(NamedTuple):
    """An order of player states by their own turns."""

    ranks: Numbers
    """[states], the most turns that change something until the match is won."""
    near: Numbers
    """[states], a state of the next lower rank that may follow; the number of states for having won."""
    steps: Numbers
    """[steps, 2 + 2 attacks], all that turns lead to, once each: mover, his next state, the waiters hit by attacks."""

    @property
    def attacks(self) -> bool:
        """Whether anything leads back."""
        return bool((self.steps[:, 2::2] < self.steps[:, 3::2]).any())


class Pairs(NamedTuple):
    """Pairs of player states, in the order in which to solve them."""

    movers: Numbers
    waiters: Numbers
    groups: NDArray[np.int64]
    """[levels + 1], first pair of each level; those of a level do not follow from one another."""


def order_of(model: RaceModel) -> Order | None:
    """The order of the players' own turns in a game for two, or None if there is none.

    There is none either where turns give points to the other player, or leave him dice whatever has become of them.
    """
    if not set(model.attacks) <= {"barrel", "overtaking"}:
        return None
    if model.players != 2 or (steps := _steps(model)) is None:
        return None
    states = len(model.states)
    ends = np.searchsorted(steps[:, 0], np.arange(states + 1))
    following = [steps[ends[state] : ends[state + 1], 1] for state in range(states)]
    if not all(map(len, following)):
        return None
    if all(after[0] > state for state, after in enumerate(following)):
        order = list(range(states))[::-1]
    else:
        try:
            order = list(
                TopologicalSorter({state: after.tolist() for state, after in enumerate(following)}).static_order()
            )
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
    return Order(ranks[:states], near, steps)


def _steps(model: RaceModel) -> Numbers | None:
    """All that turns lead to, sorted; None if a mover may keep the dice where he stands."""
    states, kinds, ends = len(model.states), model.graph.stop_kinds, model.graph.ends
    first_end = int(model.total_ptr[-1]) * kinds
    possible = np.ones(len(model.outcome_row), dtype=bool)
    possible[:first_end] = np.repeat(model.modes != MUST_THROW, kinds)
    everyone = np.arange(states)
    movers = np.concatenate([np.repeat(everyone, np.diff(model.total_ptr) * kinds), np.repeat(everyone, ends)])
    itself = model.outcome_row == movers
    if (model.outcome_kept[possible & itself] != 0).any():
        return None
    wanted = possible & ~itself
    hits = [side for attack in zip(model.outcome_low.T, model.outcome_high.T, strict=True) for side in attack]
    # Having reached the target counts as having won: what a last turn makes of that is known.
    after = np.minimum(model.outcome_row[wanted], states)
    columns = [movers[wanted], after, *(hit[wanted] for hit in hits)]
    sorting = np.lexsort(columns[::-1])
    steps = np.column_stack(columns)[sorting].astype(np.int32)
    different: Numbers = steps[np.concatenate([[True], (steps[1:] != steps[:-1]).any(axis=1)])]
    return different


def solve_ordered(sweep: Sweep, order: Order, progress: Progress | None = None) -> tuple[Values, int]:
    """Values of all match states of a game in which nobody attacks, and how many pairs did not settle.

    The same for any number of threads. ``progress`` is called with the number of the level and the share to be done.
    """
    one, other = np.triu_indices(len(order.ranks))
    values = np.zeros(sweep.padded)
    pairs = in_levels(sweep, order, one, other)
    unsettled = solve_levels(sweep, order, pairs, values, values, progress=progress)
    return np.ascontiguousarray(values[:, : sweep.shape[1]]), unsettled


def in_levels(sweep: Sweep, order: Order, one: NDArray[np.integer], other: NDArray[np.integer]) -> Pairs:
    """Sort pairs of players by how far they are from the end together."""
    # The first of a pair is the one with the longer way to go; lanes of a block should go equally far.
    depth = sweep.model.highest
    deeper = depth[one] >= depth[other]
    movers, waiters = np.where(deeper, one, other), np.where(deeper, other, one)
    return ordered_pairs(sweep, order, movers, waiters)


def ordered_pairs(sweep: Sweep, order: Order, movers: NDArray[np.integer], waiters: NDArray[np.integer]) -> Pairs:
    """Sort pairs, each as it is, by how far they are from the end together."""
    levels = order.ranks[movers] + order.ranks[waiters]
    sorting = np.lexsort((sweep.model.highest[movers], levels))
    groups = np.concatenate([[0], np.cumsum(np.bincount(levels))])
    return Pairs(movers[sorting].astype(np.int32), waiters[sorting].astype(np.int32), groups)


def solve_levels(
    sweep: Sweep,
    order: Order,
    pairs: Pairs,
    first: Values,
    second: Values,
    *,
    toll: float = 0.0,
    known: bool = False,
    alone: bool = False,
    offers: Offers | None = None,
    progress: Progress | None = None,
) -> int:
    """Solve pairs of match states into ``first[mover, waiter]`` and ``second[waiter, mover]``.

    Returns how many did not settle. With a toll these are a lower and an upper bound. ``known`` values are where to
    begin. One thread ``alone`` goes from level to level in order even where something leads back. ``offers`` are
    those of ``solver.race.copying``.
    """
    precision = SHARE * sweep.rounding(sweep.most + 1.0)

    def solve(groups: NDArray[np.int64]) -> int:
        _played, unsettled = solve_pairs(
            sweep.machine, sweep.model.attack_target, sweep.verdicts, order.near, pairs.movers, pairs.waiters, groups,
            first, second, sweep.both_win, sweep.most, toll, precision, MOST_STEPS, known, offers,
        )  # fmt: skip
        return int(unsettled)

    unsettled = 0
    sizes = np.diff(pairs.groups)
    threads = 1 if alone else sweep.threads.count
    shared = (sizes >= LEAST_SHARED * threads) & (threads > 1)
    batch = len(pairs.movers) // MOST_BATCHES
    level, levels = 0, len(sizes)
    while level < levels:
        begin, after = pairs.groups[level], level + 1
        if shared[level]:
            unsettled += sum(sweep.threads.each(solve, pieces(begin, pairs.groups[after], threads)))
        else:
            while after < levels and not shared[after] and pairs.groups[after] - begin < batch:
                after += 1
            unsettled += solve(pairs.groups[level : after + 1])
        level = after
        if progress:
            progress(level, 1.0 - float(pairs.groups[level]) / len(pairs.movers))
    return unsettled


def pieces(begin: int, end: int, count: int) -> list[NDArray[np.int64]]:
    """Cut a level into pieces of whole blocks, so that the lanes of a block do not depend on the number of threads."""
    lanes = padded(2)
    edges = np.linspace(begin, end, count + 1).astype(np.int64)
    edges[1:-1] -= (edges[1:-1] - begin) % lanes
    return [edges[piece : piece + 2] for piece in range(count)]
