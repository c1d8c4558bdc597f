"""See ``ext/regret.pyx``."""

from typing import Any

from numpy.typing import NDArray

def signal_rounds(
    source_ptr: NDArray[Any],
    source_type: NDArray[Any],
    source_chance: NDArray[Any],
    doubted: NDArray[Any],
    accepted: NDArray[Any],
    must_doubt: NDArray[Any],
    source_regret: NDArray[Any],
    regret: NDArray[Any],
    reply_regret: NDArray[Any],
    sources: NDArray[Any],
    sent: NDArray[Any],
    doubt: NDArray[Any],
    work: NDArray[Any],
    first: int,
    rounds: int,
) -> None: ...
