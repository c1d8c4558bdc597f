"""Anderson's mixing: it solves linear iterations, and does not depend on how its work is cut into pieces."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.race.mixing import MIXED, Mixing, Pieces

ROWS, LENGTH = 6, 32


def whole(work: Callable[[int, int], None], begin: int, end: int) -> None:
    work(begin, end)


def cut_at(*edges: int) -> Pieces:
    def in_pieces(work: Callable[[int, int], None], begin: int, end: int) -> None:
        for piece in pairwise(sorted({begin, *edges, end})):
            work(*piece)

    return in_pieces


def iteration(seed: int, length: int = LENGTH) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A matrix with a few slow directions, and constants."""
    random = np.random.default_rng(seed)
    directions = np.linalg.qr(random.normal(size=(ROWS * length,) * 2))[0]
    slowness = np.full(ROWS * length, 0.1)
    slowness[:4] = 0.95, 0.9, -0.8, 0.7
    return directions * slowness @ directions.T, random.normal(size=ROWS * length)


def solve(mixing: Mixing, matrix: NDArray[np.float64], constants: NDArray[np.float64], sweeps: int) -> list[float]:
    """Iterate x -> constants + matrix x from 0, with mixing; the distances from the solution."""
    truth = np.linalg.solve(np.eye(len(matrix)) - matrix, constants)
    found, before = np.zeros((2, ROWS, len(constants) // ROWS), dtype=np.float32)
    distances = []
    mixing.begin()
    for _sweep in range(sweeps):
        found[:] = (constants + matrix @ before.ravel()).reshape(found.shape)
        change = mixing.remember(before, found)
        assert change == np.abs(found - before).max()
        mixing.improve(found, before)
        np.testing.assert_array_equal(found, before)
        distances.append(float(np.abs(found.ravel() - truth).max()))
    return distances


def test_it_finds_the_solution_where_plain_sweeps_would_crawl() -> None:
    matrix, constants = iteration(1)
    assert solve(Mixing((ROWS, LENGTH), whole), matrix, constants, 14)[-1] < 1e-3
    assert 0.95**14 > 0.4  # of the distance that plain sweeps would leave


@pytest.mark.parametrize("length", [1, 4, 8, 15, 17, 24, 40])
def test_rows_may_have_any_length(length: int) -> None:
    # A match with one state has rows as long as the narrowest registers of the machine.
    matrix, constants = iteration(1, length)
    assert solve(Mixing((ROWS, length), whole), matrix, constants, 14)[-1] < 1e-3


def test_what_was_learned_helps_with_other_constants() -> None:
    matrix, constants = iteration(2)
    _matrix, others = iteration(3)
    mixing = Mixing((ROWS, LENGTH), whole)
    fresh = solve(Mixing((ROWS, LENGTH), whole), matrix, others, MIXED)
    solve(mixing, matrix, constants, 2 * MIXED)
    assert solve(mixing, matrix, others, MIXED)[-1] < 0.5 * fresh[-1]


def test_what_was_forgotten_changes_nothing() -> None:
    (matrix, constants), (other, _constants) = iteration(4), iteration(5)
    mixing = Mixing((ROWS, LENGTH), whole)
    solve(mixing, other, constants, 10)
    mixing.forget()
    assert solve(mixing, matrix, constants, 10) == solve(Mixing((ROWS, LENGTH), whole), matrix, constants, 10)


@pytest.mark.parametrize("pieces", [cut_at(3), cut_at(1, 2, 5)])
def test_pieces_change_nothing(pieces: Pieces) -> None:
    matrix, constants = iteration(6)
    expected = solve(Mixing((ROWS, LENGTH), whole), matrix, constants, 10)
    assert solve(Mixing((ROWS, LENGTH), pieces), matrix, constants, 10) == expected


def test_what_is_no_number_is_told_and_can_be_forgotten() -> None:
    matrix, constants = iteration(7)
    mixing = Mixing((ROWS, LENGTH), whole)
    found, before = np.zeros((2, ROWS, LENGTH), dtype=np.float32)
    found[3, 7] = np.nan
    assert mixing.remember(before, found) == np.inf
    mixing.forget()
    assert solve(mixing, matrix, constants, 10) == solve(Mixing((ROWS, LENGTH), whole), matrix, constants, 10)
