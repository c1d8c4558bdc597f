"""See ``ext/sweep.pyx``."""

from array import array
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

_Array: TypeAlias = NDArray[Any] | array[Any] | memoryview[Any]

def padded(waiters: int) -> int: ...

class Plans:
    blocks: int
    lanes: int
    version: int
    def __init__(self, movers: int, waiters: int) -> None: ...
    def rewrite(self) -> None: ...
    def alone(self, waiter: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]: ...

class Choices:
    guided: bool
    free: bool
    def __init__(
        self, forced: _Array, class_of: _Array, layers: _Array | None = None, values: _Array | None = None
    ) -> None: ...

class Machine:
    def __init__(
        self,
        roll_ptr: _Array,
        roll_chance: _Array,
        choice_ptr: _Array,
        option_ptr: _Array,
        option_gain: _Array,
        option_slot: _Array,
        option_offset: _Array,
        end_chance: _Array,
        stop_kind: _Array,
        stop_kinds: int,
        waiters: int,
        start_slot: _Array,
        highest: _Array,
        total_ptr: _Array,
        modes: _Array,
        outcome_row: _Array,
        outcome_layer: _Array,
        outcome_low: _Array,
        outcome_high: _Array,
        verdicts: int,
    ) -> None: ...
    def operator(
        self, layers: _Array, begin: int, end: int, values: _Array, choices: Choices | None = None
    ) -> None: ...
    def plan(
        self,
        layers: _Array,
        begin: int,
        end: int,
        values: _Array,
        residual: _Array,
        plans: Plans,
        least: float,
        choices: Choices | None = None,
    ) -> None: ...
