"""See ``ext/sheet_totals.pyx``."""

import numpy as np
from numpy.typing import NDArray

from solver._sheet import Sheet

_Reals = NDArray[np.float64]

def solve_totals(
    sheet: Sheet,
    states: NDArray[np.int32],
    start: NDArray[np.int64],
    low: NDArray[np.int32],
    size: NDArray[np.int32],
    after: _Reals,
    values: _Reals,
) -> None: ...
def range_totals(
    sheet: Sheet, states: NDArray[np.int32], low: NDArray[np.int32], high: NDArray[np.int32], forward: bool
) -> None: ...
