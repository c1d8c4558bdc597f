"""See ``ext/ordered.pyx``."""

import numpy as np
from numpy.typing import NDArray

from solver._sweep import Machine

def solve_pairs(
    machine: Machine,
    attack_target: NDArray[np.int32],
    payoff: NDArray[np.float64],
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
) -> tuple[int, int]: ...
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
