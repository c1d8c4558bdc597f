"""Anderson's mixing: where the sweeps of an iteration seem to lead.

Of a linear iteration x -> G(x) with changes f = G(x) - x, the combination of the last results is taken whose change
would be smallest (D. G. Anderson, "Iterative procedures for nonlinear integral equations", 1965). Differences of
changes do not depend on the constants of the equations, so what was learned from some constants helps with the next.
"""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver._mixing import mix, remember

MIXED = 6
"""Steps between earlier sweeps that are mixed with the last one."""
NEGLIGIBLE = 1e-6
"""Relative size of a direction of steps, squared, in which nothing is learned."""

Singles = NDArray[np.float32]

Pieces = Callable[[Callable[[int, int], None], int, int], None]
"""Calls a function on pieces of a range, possibly at the same time."""


class Mixing:
    """The last few sweeps of an iteration on arrays [rows, numbers] of single precision.

    Results do not depend on the pieces in which rows are worked on.
    """

    def __init__(self, shape: tuple[int, int], in_pieces: Pieces) -> None:
        self._in_pieces = in_pieces
        self._changes, self._results = (np.empty((MIXED + 1, *shape), dtype=np.float32) for _each in range(2))
        self._products = np.zeros((MIXED + 1,) * 2)
        """Of the changes with one another."""
        self._places: list[int] = []
        """Where the sweeps are, the newest last."""
        self._follows: list[bool] = []
        """Whether a sweep followed the one before with the same constants."""
        self._begins = True

    def begin(self) -> None:
        """From now on the constants are others."""
        self._begins = True

    def forget(self) -> None:
        """From now on the iteration is another one."""
        self._places, self._follows = [], []
        self._products.fill(0.0)

    def remember(self, before: Singles, found: Singles) -> float:
        """Take note of a sweep that led from ``before`` to ``found``. The largest change; inf if that is no number."""
        known = len(self._places)
        newest = known if known <= MIXED else self._places.pop(0)
        self._follows = [*self._follows[-MIXED:], not self._begins]
        self._begins = False
        self._places.append(newest)
        known = len(self._places)
        products, largest = np.empty((len(found), known)), np.empty(len(found), dtype=np.float32)

        def part(begin: int, end: int) -> None:
            remember(before, found, self._changes, self._results, newest, known, products, largest, begin, end)

        self._in_pieces(part, 0, len(found))
        self._products[newest, :known] = self._products[:known, newest] = products.sum(axis=0)
        return float(largest.max()) if np.isfinite(self._products[newest, newest]) else np.inf

    def improve(self, found: Singles, before: Singles) -> bool:
        """Move the result of the last sweep to where the sweeps seem to lead, in both arrays; false if it stays."""
        pairs = [pair for pair, follows in zip(pairwise(self._places), self._follows[1:], strict=True) if follows]
        newest = self._places[-1]
        earlier, later = np.ascontiguousarray(np.array(pairs, dtype=np.int32).reshape(-1, 2).T)
        steps = np.zeros((len(pairs), MIXED + 1))
        steps[range(len(pairs)), later] += 1.0
        steps[range(len(pairs)), earlier] -= 1.0
        products = steps @ self._products @ steps.T
        weights = np.linalg.lstsq(products, steps @ self._products[newest], rcond=NEGLIGIBLE)[0]
        singles = weights.astype(np.float32)

        def part(begin: int, end: int) -> None:
            mix(self._results, newest, singles, later, earlier, found, before, begin, end)

        self._in_pieces(part, 0, len(found))
        return bool(pairs)
