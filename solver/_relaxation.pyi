"""See ``ext/relaxation.pyx``."""

import numpy as np
from numpy.typing import NDArray

from solver._sweep import Machine, Plans

class Team:
    def __init__(self, threads: int) -> None: ...
    def give_up(self) -> None: ...

class Equations:
    def __init__(
        self,
        machine: Machine,
        plans: Plans,
        sign: float,
        constants: NDArray[np.float32],
        values: NDArray[np.float32],
        layers: NDArray[np.float32],
        hit_ptr: NDArray[np.int32],
        hit: NDArray[np.int32],
    ) -> None: ...

def sweep(one: Equations, other: Equations, team: Team, thread: int) -> None: ...
def take_over(one: Equations, other: Equations, team: Team, thread: int) -> None: ...
def onward(machine: Machine, plans: Plans, mass: NDArray[np.float32], layers: NDArray[np.float32]) -> None: ...
