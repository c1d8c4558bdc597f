"""The one-turn operator of a race game, and what its best plans lead to.

Inside, values are such that more is better: chances to win; expected stakes won;
expected turns counted negative; for points, the expected score after the turn.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver._sweep import Choices, Machine, Plans, padded
from solver.certify import Values
from solver.errors import SolverError
from solver.race.longrun import phase_values
from solver.race.model import RaceModel
from solver.race.relaxation import Relaxation, Side, layers_in_use, spread_layers
from solver.race.rules import OBJECTIVES
from solver.race.threads import Threads, threads_of
from solver.race.turn import rounding_bound
from solver.text import _

WORK_ARRAYS = 52
"""Arrays of the size of the values that a solve holds at a time, beside the layers; half of them are plans."""

Progress = Callable[[int, float], None]
"""Called now and then with a number that rises, and with what is left: the residual, or the share of the work."""

MOST_EXTRA, LEAST_EXTRA = 200, 1e-15
"""Extra turns in a row that are counted, and the change of a chance below which no more are."""


class Sweep:
    """The operator F of a model for one objective: F(V) is V after one more turn, played best or by fixed choices.

    Made by ``sweeper``, which also ends its threads. Results do not depend on the number of threads.
    """

    def __init__(
        self,
        model: RaceModel,
        objective: str,
        threads: Threads,
        choices: Choices | None = None,
        lanes: int = 1,
    ) -> None:
        if model.players != OBJECTIVES[objective]:
            raise ValueError(f"{objective} needs a model for {OBJECTIVES[objective]} players")
        self.model = model
        self.objective = objective
        self.choices = choices
        movers = len(model.states)
        waiters = movers if model.players == 2 else lanes
        self.shape = (movers, waiters)
        self.padded = (movers, padded(waiters))
        layers, rows = layers_in_use(model), movers + len(model.verdicts)
        check_memory((layers * rows + WORK_ARRAYS * movers) * self.padded[1] * 8)
        self._layers = np.zeros((layers, rows, self.padded[1]))
        phases = phase_values(model.rules) if objective == "points" else (0.0,)
        self._phases = np.array([phases[min(state.bolts, len(phases) - 1)] for state in model.states])[:, None]
        self._scores = np.array([state.score for state in model.states], dtype=np.float64)[:, None]
        self.most = float(model.payoff.max()) if objective == "stake" else 1.0
        """No value of a match is larger than this, either way."""
        self.both_win = 1.0 if objective == "win" else 0.0  # what the two players win together
        self.least = self.both_win - self.most
        self.payoffs = model.payoff if objective == "stake" else np.ones(movers)
        self.verdicts = model.payoff[None, :] if objective == "stake" else model.verdicts
        graph = model.graph
        self.machine = Machine(
            graph.roll_ptr, graph.roll_chance, graph.choice_ptr, graph.option_ptr, graph.option_gain,
            graph.option_slot, graph.option_offset, graph.end_chance, graph.stop_kind, graph.stop_kinds, waiters,
            model.start, model.highest, model.total_ptr, model.modes, model.outcome_row,
            (model.outcome_kept * np.int32(1 + len(model.attacks))).astype(np.int32),
            model.outcome_low, model.outcome_high, len(model.verdicts),
        )  # fmt: skip
        self.threads = threads
        self._parts = _even_parts(model.highest + 1, 1 if threads.count == 1 else 4 * threads.count)

    def operator(self, values: Values, kept: Values | None = None) -> Values:
        """F(values, kept), [movers, waiters]: ``kept`` are the values where the mover keeps the dice."""
        self._fill(values, values if kept is None else kept)
        found = np.empty(self.padded)
        self.threads.in_parts(partial(self._play, found), self._parts)
        return self._trimmed(found)

    def chance_within(self, values: Values) -> Values:
        """The chance to win alone within one turn more than ``values`` are about, [movers, 1].

        An extra turn belongs to the one that earned it, so what is kept is found by going on until nothing changes.
        """
        found = values
        for _extra in range(MOST_EXTRA):
            self._fill(values, found, cost=0.0, win=1.0)
            raw, before = np.empty(self.padded), found
            self.threads.in_parts(partial(self._play, raw), self._parts)
            found = self._trimmed(raw)
            if len(self._layers) == 1 + len(self.model.attacks) or np.abs(found - before).max() <= LEAST_EXTRA:
                break
        return found

    def _play(self, found: Values, begin: int, end: int) -> None:
        self.machine.operator(self._layers, begin, end, found, self.choices)

    def plan(
        self, values: Values, least: float, others: Values | None = None, *, spent: Plans | None = None
    ) -> tuple[Values, Plans]:
        """The residual F(values) - values, and the best plans, with the ways to stop whose chance reaches ``least``.

        Both are found in single precision, in about half the time. ``others`` are the values for the player who moves
        next, if he is of another kind. ``spent`` are plans of this sweep that nobody needs: their memory is used.
        """
        plans = Plans(*self.shape) if spent is None else spent
        plans.rewrite()
        self._fill(values if others is None else others, values)
        base, found = np.zeros(self.padded), np.empty(self.padded, dtype=np.float32)
        base[:, : self.shape[1]] = values

        def part(begin: int, end: int) -> None:
            self.machine.plan(self._layers, begin, end, base, found, plans, least, self.choices)

        self.threads.in_parts(part, self._parts)
        return found[:, : self.shape[1]].astype(np.float64), plans

    @property
    def fixed(self) -> bool:
        """Whether the choices leave nothing to be chosen by values."""
        return self.choices is not None and (self.choices.guided or not self.choices.free)

    @cached_property
    def _relaxation(self) -> Relaxation:
        return Relaxation(self.model, 1, self.threads)

    def relaxed(self, plans: Plans, constants: Values, sign: float, precision: float) -> tuple[Values, bool]:
        """Solve the linear equations of fixed plans for two players; see ``solver.race.relaxation``."""
        (found,), fine = self._relaxation.solve([self.side(plans, constants)], sign, precision)
        return found, fine

    def side(self, plans: Plans, constants: Values) -> Side:
        """The linear equations of the player who follows these plans."""
        return Side(self.machine, plans, constants)

    def rounding(self, size: float) -> float:
        """Bound on the error of one application of the operator to values of at most this size."""
        return rounding_bound(self.model.graph, size) + self.model.doubt

    def clipped(self, values: Values) -> Values:
        """The nearest values that a match can have."""
        return np.clip(values, self.least, self.most) if self.model.players == 2 else values

    def shown(self, values: Values) -> Values:
        """Values as people count them: [movers, waiters] for two, [movers] alone."""
        if self.model.players == 2:
            return self.clipped(values)
        return -values[:, 0] if self.objective == "turns" else values[:, 0]

    def inner(self, shown: Values) -> Values:
        """The inverse of ``shown``."""
        if self.model.players == 2:
            return shown
        return -shown[:, None] if self.objective == "turns" else shown[:, None]

    def _fill(self, values: Values, kept: Values, cost: float = 1.0, win: float = -1.0) -> None:
        """Write what every ending of a turn is worth into the layers; alone a turn costs, and so may a win."""
        movers, waiters = self.shape
        for first in range(0, len(self._layers), 1 + len(self.model.attacks)):
            layer = self._layers[first]
            passed, won = layer[:movers, :waiters], layer[movers:, :waiters]
            if self.objective == "points":
                passed[:] = self._scores + self._phases
                won[:] = self.model.rules.match.target
            elif first:
                passed[:] = kept
                won[:] = self._layers[0, movers:, :waiters]
            elif self.objective == "turns":
                np.subtract(values, cost, out=passed)
                won[:] = win
            else:
                np.subtract(self.both_win, values.T, out=passed)
                won[:] = self.verdicts
        spread_layers(self.model, self._layers)

    def layers_of(self, values: Values) -> Values:
        """What every ending of a turn is worth, as the kernels take it: a copy, [layers, next states, waiters]."""
        self._fill(values, values)
        return self._layers.copy()

    def _trimmed(self, found: Values) -> Values:
        values = found[:, : self.shape[1]]
        return values - self._scores if self.objective == "points" else values.copy()


@contextmanager
def sweeper(
    model: RaceModel, objective: str, threads: int | None = None, choices: Choices | None = None, lanes: int = 1
) -> Iterator[Sweep]:
    """A sweep with its threads, by default one for each processor that this process may use.

    Alone, a sweep may have ``lanes``: players beside one another, each by choices of his own.
    """
    with threads_of(threads) as team:
        yield Sweep(model, objective, team, choices, lanes)


def _even_parts(costs: NDArray[np.signedinteger], parts: int) -> list[tuple[int, int]]:
    """Cut a list into runs of about equal cost."""
    edges = np.searchsorted(np.cumsum(costs), np.linspace(0, costs.sum(), parts + 1)[1:-1])
    return list(pairwise(sorted({0, len(costs), *edges.tolist()})))


def check_memory(needed: int) -> None:
    """SolverError if this machine does not have so many bytes of memory."""
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
