"""See ``ext/choices.pyx``."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

FREE: int
KEEP: int

class Board:
    def __init__(self, **arrays: Any) -> None: ...
    def play(
        self,
        row_ptr: NDArray[np.int32],
        rows: NDArray[np.int32],
        ids: NDArray[np.int32],
        worths: NDArray[np.float64],
        throws: NDArray[np.int32],
        fixed: NDArray[np.int16],
        barred: NDArray[np.uint32],
        tie: float = 0.0,
        forward: bool = False,
    ) -> tuple[NDArray[np.float64], NDArray[np.int16], NDArray[np.float64], NDArray[np.float64]]: ...
