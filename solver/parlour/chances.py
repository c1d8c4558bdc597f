"""Exact chances: sums of dice, numbers of dice that show a face, and linear equations in fractions."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb


def sum_chances(dice: Iterable[Iterable[int]]) -> dict[int, Fraction]:
    """Chance of every sum of dice that are given by their equally likely faces, in ascending order.

    >>> sum_chances([range(1, 7)] * 2)[7]
    Fraction(1, 6)
    """
    chances = {0: Fraction(1)}
    for die in dice:
        faces = list(die)
        following: dict[int, Fraction] = {}
        for total, chance in chances.items():
            for face in faces:
                following[total + face] = following.get(total + face, Fraction(0)) + chance / len(faces)
        chances = following
    return dict(sorted(chances.items()))


def count_chances(dice: int, chance: Fraction) -> list[Fraction]:
    """Chance that exactly 0, 1, ..., ``dice`` of so many dice show what one shows with ``chance``."""
    return [comb(dice, count) * chance**count * (1 - chance) ** (dice - count) for count in range(dice + 1)]


def mean(chances: Mapping[int, Fraction]) -> Fraction:
    """Expected result."""
    return sum((result * chance for result, chance in chances.items()), Fraction(0))


def variance(chances: Mapping[int, Fraction]) -> Fraction:
    """Expected squared distance from the expected result."""
    middle = mean(chances)
    return sum(((result - middle) ** 2 * chance for result, chance in chances.items()), Fraction(0))


def solve_exactly(matrix: Sequence[Sequence[Fraction]], right: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """The solution of a regular system of linear equations, one row of ``right`` for each equation.

    Gauss and Jordan's elimination; ZeroDivisionError if the system is singular.
    """
    size = len(matrix)
    rows = [[*matrix[index], *right[index]] for index in range(size)]
    for column in range(size):
        pivot = next((index for index in range(column, size) if rows[index][column]), column)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = 1 / rows[column][column]
        rows[column] = [entry * scale for entry in rows[column]]
        for index, row in enumerate(rows):
            if index != column and row[column]:
                factor = row[column]
                rows[index] = [entry - factor * other for entry, other in zip(row, rows[column], strict=True)]
    return [row[size:] for row in rows]
