"""See ``ext/sheet.pyx``."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_Reals = NDArray[np.float64]

def padded(lanes: int) -> int: ...
def push(
    source: NDArray[np.int64],
    target: NDArray[np.int64],
    shift: NDArray[np.int64],
    chance: _Reals,
    source_at: NDArray[np.int64],
    source_low: NDArray[np.int64],
    source_size: NDArray[np.int64],
    target_at: NDArray[np.int64],
    target_low: NDArray[np.int64],
    before: _Reals,
    after: _Reals,
) -> None: ...

class Sheet:
    states: int
    size: int

    def __init__(
        self, *, throws: int, stock: bool, doubled: bool, school_first: bool, joker_row: int, size: int, **arrays: Any
    ) -> None: ...
    def solve(self, states: NDArray[np.int32], values: _Reals) -> None: ...
    def solve_totals(
        self,
        states: NDArray[np.int32],
        start: NDArray[np.int64],
        low: NDArray[np.int32],
        size: NDArray[np.int32],
        after: _Reals,
        values: _Reals,
    ) -> None: ...
    def range_totals(
        self, states: NDArray[np.int32], low: NDArray[np.int32], high: NDArray[np.int32], forward: bool
    ) -> None: ...
    def vary(self, states: NDArray[np.int32], values: _Reals, variances: _Reals) -> None: ...
    def edges(self, state: int, lanes: NDArray[np.int32], values: _Reals) -> tuple[NDArray[np.int64], _Reals]: ...
    def decide(self, state: int, lane: int, made: int, throw: int, values: _Reals) -> tuple[float, int, int]: ...
    def worths(self, state: int, lane: int, values: _Reals) -> _Reals: ...
    def throws_of(self, state: int, lane: int) -> int: ...
    def offers(self, state: int) -> tuple[NDArray[np.int32], NDArray[np.int16]]: ...
    def turn(self, state: int, candidates: _Reals, made: int = 0) -> _Reals: ...
    def candidates(self, state: int, values: _Reals) -> _Reals: ...
    def plan(self, state: int, candidates: _Reals) -> _Reals: ...
