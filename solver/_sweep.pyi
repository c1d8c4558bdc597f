"""See ``ext/sweep.pyx``."""

from array import array
from typing import Any, TypeAlias

from numpy.typing import NDArray

_Array: TypeAlias = NDArray[Any] | array[Any] | memoryview[Any]

LANES_IN_BLOCK: int

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
        relevant: _Array,
    ) -> None: ...
    def improve(
        self,
        layers: _Array,
        begin: int,
        end: int,
        values: _Array,
        plans: _Array | None = None,
        examples: _Array | None = None,
        counts: _Array | None = None,
    ) -> None: ...
    def push(
        self,
        layers: _Array,
        begin: int,
        end: int,
        examples: _Array,
        chance_ptr: _Array,
        counts: _Array,
        chances: _Array,
    ) -> None: ...
    def relax(
        self,
        passed: _Array,
        sign: float,
        entry_ptr: _Array,
        entry_outcome: _Array,
        entry_chances: _Array,
        chances: _Array,
        plans: _Array,
        returns: _Array,
        targets: _Array,
        constants: _Array,
        values: _Array,
    ) -> None: ...
