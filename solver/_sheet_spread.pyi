"""See ``ext/sheet_spread.pyx``."""

import numpy as np
from numpy.typing import NDArray

from solver._sheet import Sheet

_Reals = NDArray[np.float64]

def vary(sheet: Sheet, states: NDArray[np.int32], values: _Reals, variances: _Reals) -> None: ...
def edges(sheet: Sheet, state: int, lanes: NDArray[np.int32], values: _Reals) -> tuple[NDArray[np.int64], _Reals]: ...
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
