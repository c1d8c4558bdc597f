"""See ``ext/turn.pyx``."""

from array import array
from typing import Any, TypeAlias

from numpy.typing import NDArray

_Array: TypeAlias = NDArray[Any] | array[Any] | memoryview[Any]

def turn_values(
    roll_ptr: _Array,
    roll_chance: _Array,
    choice_ptr: _Array,
    option_ptr: _Array,
    option_gain: _Array,
    option_slot: _Array,
    option_offset: _Array,
    end_chance: _Array,
    stop_kind: _Array,
    modes: _Array,
    stops: _Array,
    ends: _Array,
    values: _Array,
) -> None: ...
