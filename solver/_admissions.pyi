"""See ``ext/admissions.pyx``."""

import numpy as np
from numpy.typing import NDArray

from solver._sweep import Machine

def solve_games(
    machine: Machine,
    payoff: NDArray[np.float64],
    near: NDArray[np.int32],
    order: NDArray[np.int32],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    first_thrown: NDArray[np.float64],
    second_thrown: NDArray[np.float64],
    both_win: float,
    most: float,
    toll: float,
    precision: float,
    most_steps: int,
    known: bool,
) -> tuple[int, int]: ...
