"""Backward over the sets of written rows: what every state of a sheet is worth, and how exact that is."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import ConvergenceError
from solver.sheet.lattice import DICE
from solver.sheet.model import PADDING, SheetModel
from solver.text import _

Values = NDArray[np.float64]
Progress = Callable[..., None]
"""``progress(rows written, 0.0, share done)``."""
Working = Callable[[str], AbstractContextManager[Progress]]
"""``with working(what) as progress`` shows that something takes a while, and how far it is."""
Share = Callable[..., None]
"""``share(states, work, most=256)`` calls ``work`` with parts of the states."""
HALF_UNIT = 2.0**-53
"""Largest relative error of one operation in double precision."""


class Solution(NamedTuple):
    """Values of all states of a sheet: expected points still to come."""

    values: Values
    bound: float
    """No value is further from the truth than this."""
    seconds: float


def solve(
    model: SheetModel, *, tolerance: float = 1e-9, threads: int | None = None, progress: Progress | None = None
) -> Solution:
    """The most points that can still be expected, for every state and lane.

    ConvergenceError if the bound on rounding exceeds ``tolerance``. Values do not depend on the number of threads.
    """
    began = time.perf_counter()
    kernel = model.kernel()
    values = end_values(model)
    done = 0
    with shared_out(threads) as share:
        for level in range(len(model.levels) - 2, -1, -1):
            share(model.levels[level], lambda states: kernel.solve(states, values))
            done += len(model.levels[level])
            if progress:
                progress(level, 0.0, done / sum(map(len, model.levels[:-1])))
    bound = rounding_bound(model, values)
    if bound > tolerance:
        raise ConvergenceError(
            _("rounding may reach {bound:.1e}, more than the tolerance {tolerance:.1e}").format(
                bound=bound, tolerance=tolerance
            )
        )
    return Solution(values, bound, time.perf_counter() - began)


def usual_threads() -> int:
    """One thread for each processor that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def shared_out(threads: int | None = None) -> Iterator[Share]:
    """A function that shares out states of a level among threads, and waits for them.

    Whoever interrupts it waits only for the shares that are begun, so they are small: of at most ``most`` states.
    """
    from concurrent.futures import ThreadPoolExecutor  # not on the way to advice

    workers = threads or usual_threads()
    pool = ThreadPoolExecutor(workers)

    def share(states: NDArray[np.int32], work: Callable[[NDArray[np.int32]], None], most: int = 256) -> None:
        shares = max(1, min(workers * 4, len(states) // 8), -(-len(states) // most))
        list(pool.map(work, [np.ascontiguousarray(states[first::shares]) for first in range(shares)]))

    try:
        yield share
    finally:
        pool.shutdown(cancel_futures=True)


def end_values(model: SheetModel) -> Values:
    """All values as 0, but for the full sheet: there the throws that are left may be worth points."""
    values = np.zeros(model.size + PADDING)
    saved = model.rules.saved_throws
    if saved:
        end = int(model.levels[-1][0])
        count = model.lanes(end)
        values[model.start[end] : model.start[end] + count] = saved.points * np.arange(count)
    return values


def level_places(model: SheetModel, level: int) -> NDArray[np.int64]:
    """Where the values of one level are, in the order of the states."""
    states = model.levels[level]
    memories = model.memory[states]
    lengths = model.arrays["totals"][memories].astype(np.int64) * model.stocks[memories]
    return np.repeat(model.start[states] - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))


def level_values(model: SheetModel, level: int, values: Values) -> Values:
    """The values of all states of one level, in the order of the states."""
    return values[level_places(model, level)]


def level_rounding(model: SheetModel, level: int, next_values: Values) -> float:
    """A bound on what rounding adds to the error in one turn, from a level to the next.

    A candidate is one sum, of a value and exact points. Each die of a throw then takes a mean of six numbers: three
    layers of sums err by at most 16/6 half units of the largest of them, and the product with the rounded 1/6 by two
    more, together less than 5. Maxima are exact. All of these numbers are means of candidates, so none is larger.
    """
    arrays = model.arrays
    points = max(np.abs(arrays["later"]).max(), np.abs(arrays["first"]).max())
    largest = np.abs(next_values).max() + points + np.abs(arrays["bonus"]).max() + np.abs(arrays["map_pay"]).max()
    throws = model.rules.turn.throws + int(arrays["usable"][model.memory[model.levels[level]]].max())
    return float(1.01 * HALF_UNIT * (1 + 5 * DICE * throws) * largest)


def rounding_bound(model: SheetModel, values: Values) -> float:
    """A bound on the error of all values: rounding adds up over the turns that are left."""
    levels = range(len(model.levels) - 1)
    return sum(level_rounding(model, level, level_values(model, level + 1, values)) for level in levels)


def certify(model: SheetModel, values: Values) -> float:
    """A bound on the error of given values, whoever found them: infinite if they are no numbers.

    One turn from each level of the values given is compared with the level below: what differs, and rounding, adds up
    over the turns, since the worth of a turn never changes by more than that of what it leads to.
    """
    if not np.isfinite(values[: model.size]).all():
        return float("inf")
    kernel = model.kernel()
    fresh = np.concatenate([values[: model.size], np.zeros(PADDING)])
    last = len(model.levels) - 1
    bound = float(np.abs(level_values(model, last, fresh) - level_values(model, last, end_values(model))).max())
    with shared_out() as share:
        for level in range(last):  # upwards, so that each level is found from values that were given
            bound += level_rounding(model, level, level_values(model, level + 1, fresh))
            share(model.levels[level], lambda states: kernel.solve(states, fresh))
            bound += float(np.abs(level_values(model, level, fresh) - level_values(model, level, values)).max())
    return bound
