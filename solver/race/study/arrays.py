"""Arrays as the buffers that one turn at a time is solved from."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def as_buffer(values: NDArray[Any]) -> "memoryview[float]":
    """The same float64 values as a contiguous buffer, without NumPy's scalars."""
    found: Any = np.ascontiguousarray(values, dtype=np.float64).data
    buffer: memoryview[float] = found
    return buffer
