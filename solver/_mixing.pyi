"""See ``ext/mixing.pyx``."""

import numpy as np
from numpy.typing import NDArray

def remember(
    before: NDArray[np.float32],
    found: NDArray[np.float32],
    changes: NDArray[np.float32],
    results: NDArray[np.float32],
    newest: int,
    known: int,
    products: NDArray[np.float64],
    largest: NDArray[np.float32],
    begin: int,
    end: int,
) -> None: ...
def mix(
    results: NDArray[np.float32],
    newest: int,
    weights: NDArray[np.float32],
    later: NDArray[np.int32],
    earlier: NDArray[np.int32],
    found: NDArray[np.float32],
    before: NDArray[np.float32],
    begin: int,
    end: int,
) -> None: ...
