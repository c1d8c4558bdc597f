"""The one-turn operator of a race game, and what its best plans lead to.

Inside, values are such that more is better: chances to win; expected turns counted
negative; for points, the expected score after the turn.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver._sweep import LANES_IN_BLOCK, Machine
from solver.certify import Values
from solver.errors import SolverError
from solver.race.model import RaceModel
from solver.race.plans import Plans, chance_pointers, gather_plans
from solver.race.rules import OBJECTIVES
from solver.race.turn import TurnGraph, rounding_bound
from solver.text import _

RELEVANT = 1e-2
"""Plans that differ only where a turn comes more rarely than this are taken for one in corrections."""

WORK_ARRAYS = 12
"""Arrays of the size of the values that a solve holds at a time, beside the layers."""


class Sweep:
    """The operator F of a model for one objective: F(V) is V after one more turn, played best.

    Made by ``sweeper``, which also ends its threads. Results do not depend on the number of threads.
    """

    def __init__(self, model: RaceModel, objective: str, threads: int, pool: ThreadPoolExecutor) -> None:
        if model.players != OBJECTIVES[objective]:
            raise ValueError(f"{objective} needs a model for {OBJECTIVES[objective]} players")
        self.model = model
        self.objective = objective
        movers = len(model.states)
        waiters = movers if model.players == 2 else 1
        self.shape = (movers, waiters)
        stride = -(-waiters // LANES_IN_BLOCK) * LANES_IN_BLOCK
        self.padded = (movers, stride)
        _check_memory((1 + len(model.attacks) + WORK_ARRAYS) * (movers + 1) * stride * 8)
        self._layers = np.zeros((2 + len(model.attacks), movers + 1, stride))
        self._scores = np.array([state.score for state in model.states], dtype=np.float64)[:, None]
        graph = model.graph
        self.machine = Machine(
            graph.roll_ptr, graph.roll_chance, graph.choice_ptr, graph.option_ptr, graph.option_gain,
            graph.option_slot, graph.option_offset, graph.end_chance, graph.stop_kind, graph.stop_kinds, waiters,
            model.start, model.highest, model.total_ptr, model.modes,
            model.outcome_row, model.outcome_kept * np.int32(1 + len(model.attacks)),
            model.outcome_low, model.outcome_high,
            (_visit_chances(graph, int(model.highest.max())) >= RELEVANT).astype(np.uint8),
        )  # fmt: skip
        self._pool = pool
        self._parts = _even_parts(model.highest + 1, 1 if threads == 1 else 4 * threads)

    def operator(self, values: Values) -> Values:
        """F(values), shape [movers, waiters]."""
        found = self._fill(values)
        self._in_parts(lambda begin, end: self.machine.improve(self._layers, begin, end, found))
        return self._trimmed(found)

    def improve(self, values: Values) -> tuple[Values, Plans]:
        """F(values), and the best plans that it takes."""
        found = self._fill(values)
        numbers, examples = np.zeros(found.shape, dtype=np.int32), np.zeros(found.shape, dtype=np.int32)
        counts = np.zeros(len(found), dtype=np.int32)
        self._in_parts(
            lambda begin, end: self.machine.improve(self._layers, begin, end, found, numbers, examples, counts)
        )
        pointers = chance_pointers(self.model, counts)
        chances = np.empty(pointers[-1])
        self._in_parts(
            lambda begin, end: self.machine.push(self._layers, begin, end, examples, pointers, counts, chances)
        )
        return self._trimmed(found), gather_plans(self.model, numbers, counts, chances)

    def rounding(self, size: float) -> float:
        """Bound on the error of one application of the operator to values of at most this size."""
        return rounding_bound(self.model.graph, size)

    def shown(self, values: Values) -> Values:
        """Values as people count them: [movers, waiters] for two, [movers] alone."""
        if self.objective == "win":
            return np.clip(values, 0.0, 1.0)
        return -values[:, 0] if self.objective == "turns" else values[:, 0]

    def inner(self, shown: Values) -> Values:
        """The inverse of ``shown``."""
        if self.objective == "win":
            return shown
        return -shown[:, None] if self.objective == "turns" else shown[:, None]

    def _fill(self, values: Values) -> Values:
        """Write what every ending of a turn is worth into the layers; returns room for the result."""
        movers, waiters = self.shape
        base, won = self._layers[0, :movers, :waiters], self._layers[0, movers]
        if self.objective == "win":
            np.subtract(1.0, values.T, out=base)
            won[:] = 1.0
        elif self.objective == "turns":
            np.subtract(values, 1.0, out=base)
            won[:] = -1.0
        else:
            base[:] = self._scores
            won[:] = self.model.rules.match.target
        if self.objective == "turns":  # a kept move costs none
            np.add(base, 1.0, out=self._layers[-1, :movers, :waiters])
        else:
            self._layers[-1] = self._layers[0]
        for number, target in enumerate(self.model.attack_target, 1):
            np.take(base, target, axis=1, out=self._layers[number, :movers, :waiters])
            self._layers[number, movers] = won
        return np.empty((movers, self._layers.shape[2]))

    def layers_of(self, values: Values) -> Values:
        """What every ending of a turn is worth, as the kernels take it: a copy, [layers, next states, waiters]."""
        self._fill(values)
        return self._layers.copy()

    def _trimmed(self, found: Values) -> Values:
        values = found[:, : self.shape[1]]
        return values - self._scores if self.objective == "points" else values.copy()

    def _in_parts(self, work: Callable[[int, int], None]) -> None:
        list(self._pool.map(work, *zip(*self._parts, strict=True)))


@contextmanager
def sweeper(model: RaceModel, objective: str, threads: int | None = None) -> Iterator[Sweep]:
    """A sweep with its threads, by default one for each processor that this process may use."""
    if threads is None:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    pool = ThreadPoolExecutor(max_workers=threads)
    try:
        yield Sweep(model, objective, threads, pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _visit_chances(graph: TurnGraph, highest: int) -> Values:
    """Expected visits of each turn state by a turn that is never stopped, shape [highest + 1, slots].

    Where a throw offers a choice, the first option stands for all.
    """
    visits = np.zeros((highest + 1, len(graph.slots)))
    visits[0, graph.start] = 1.0
    moves = [
        [(chance, *roll.options[0]) for chance, roll in zip(graph.roll_chance[first:last], rolls, strict=True)]
        for (first, last), rolls in zip(pairwise(graph.roll_ptr), graph.rolls, strict=True)
    ]
    for total in range(highest + 1):
        for slot in reversed(range(len(graph.slots))):
            here = visits[total, slot]
            for chance, gain, following in moves[slot] if here > 0.0 else ():
                if total + gain <= highest:
                    visits[total + gain, following] += here * chance
    return visits


def _even_parts(costs: NDArray[np.signedinteger], parts: int) -> list[tuple[int, int]]:
    """Cut a list into runs of about equal cost."""
    edges = np.searchsorted(np.cumsum(costs), np.linspace(0, costs.sum(), parts + 1)[1:-1])
    return list(pairwise(sorted({0, len(costs), *edges.tolist()})))


def _check_memory(needed: int) -> None:
    try:
        available = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return
    if needed > available:
        raise SolverError(
            _("this game needs about {needed:.1f} GB of memory; this machine has {available:.1f} GB").format(
                needed=needed / 1e9, available=available / 1e9
            )
        )
