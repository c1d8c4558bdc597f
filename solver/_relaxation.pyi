"""See ``ext/relaxation.pyx``."""

import numpy as np
from numpy.typing import NDArray

from solver._sweep import Machine, Plans

def relax(
    machine: Machine,
    plans: Plans,
    others: Plans,
    sign: float,
    constants: NDArray[np.float32],
    layers: NDArray[np.float32],
    others_layers: NDArray[np.float32],
    values: NDArray[np.float32],
    sum_of_blocks: int,
    begin: int,
    end: int,
) -> None: ...
def spread_attacks(
    machine: Machine,
    plans: Plans,
    sign: float,
    hit_ptr: NDArray[np.int32],
    hit: NDArray[np.int32],
    values: NDArray[np.float32],
    layers: NDArray[np.float32],
    others_layers: NDArray[np.float32],
    sum_of_blocks: int,
    begin: int,
    end: int,
) -> None: ...
def onward(machine: Machine, plans: Plans, mass: NDArray[np.float32], layers: NDArray[np.float32]) -> None: ...
