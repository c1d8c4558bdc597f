"""See ``ext/lookup.pyx``."""

from array import array
from typing import Any, TypeAlias

from numpy.typing import NDArray

from solver._sweep import Machine

_Array: TypeAlias = NDArray[Any] | array[Any] | memoryview[Any]

def decide(
    machine: Machine,
    layers: _Array,
    movers: _Array,
    waiters: _Array,
    totals: _Array,
    slots: _Array,
    throws: _Array,
    throw_ptr: _Array,
    gains: _Array,
    following: _Array,
    throw_end: _Array,
    tie: float,
    values: _Array,
    options: _Array,
    stops_now: _Array,
) -> None: ...
