"""See ``ext/ordered.pyx``."""

import numpy as np
from numpy.typing import NDArray

from solver._sweep import Machine

class Offers:
    def __init__(
        self,
        left: NDArray[np.uint8],
        places: NDArray[np.int64],
        slots: NDArray[np.int32],
        scores: NDArray[np.int32],
        least: NDArray[np.int32],
        beyond: NDArray[np.float64],
        level: NDArray[np.float64],
        shared: bool,
        first: NDArray[np.float64],
        second: NDArray[np.float64],
    ) -> None: ...

def solve_pairs(
    machine: Machine,
    attack_target: NDArray[np.int32],
    verdicts: NDArray[np.float64],
    near: NDArray[np.int32],
    movers: NDArray[np.int32],
    waiters: NDArray[np.int32],
    groups: NDArray[np.int64],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    both_win: float,
    most: float,
    toll: float,
    precision: float,
    most_steps: int,
    known: bool,
    offers: Offers | None = None,
) -> tuple[int, float]: ...
