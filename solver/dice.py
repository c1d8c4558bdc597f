"""Dice as multisets: how many of each face, and in how many ways a throw gives them.

A multiset is a tuple of counts, one for each face in ascending order: with faces
1 to 6 the throw 1 3 3 4 5 is ``(1, 0, 2, 1, 1, 0)``. Ways are exact integers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from typing import NamedTuple, TypeAlias

Multiset: TypeAlias = tuple[int, ...]


class Die(NamedTuple):
    """One die: a whole-number weight for each of its faces 1, 2, ..., n; all equal on a fair die."""

    weights: tuple[int, ...]

    @property
    def faces(self) -> int:
        """Number of faces."""
        return len(self.weights)


def fair_die(faces: int) -> Die:
    """A die whose faces 1 to ``faces`` are equally likely."""
    return Die((1,) * faces)


def throw_ways(dice: Sequence[Die]) -> dict[Multiset, int]:
    """Every multiset that the dice can show, with the number of ways (a sum of products of weights).

    The ways add up to the product of the dice's total weights. Dice must have the same number of faces.

    >>> throw_ways([fair_die(6)] * 2)[(1, 1, 0, 0, 0, 0)]
    2
    """
    faces = dice[0].faces if dice else 0
    return reduce(one_more_die, dice, {(0,) * faces: 1})


def one_more_die(ways: Mapping[Multiset, int], die: Die) -> dict[Multiset, int]:
    """What ``throw_ways`` gives for one die more than those for which it gave ``ways``."""
    following: dict[Multiset, int] = {}
    for counts, count in ways.items():
        for face, weight in enumerate(die.weights):
            if weight:
                grown = (*counts[:face], counts[face] + 1, *counts[face + 1 :])
                following[grown] = following.get(grown, 0) + count * weight
    return following


def shared_out(number: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to take so many in all, at most so many of each kind.

    >>> list(shared_out(2, [1, 2]))
    [(0, 2), (1, 1)]
    """
    if len(most) == 1:
        if number <= most[0]:
            yield (number,)
        return
    for first in range(min(number, most[0]) + 1):
        for rest in shared_out(number - first, most[1:]):
            yield (first, *rest)


def sub_multisets(counts: Multiset) -> Iterator[Multiset]:
    """Every multiset contained in ``counts``, the empty one and ``counts`` itself included."""
    return product(*(range(count + 1) for count in counts))


def from_faces(thrown: Iterable[int], faces: int) -> Multiset:
    """The multiset of the faces shown; ValueError for a face outside 1 to ``faces``."""
    counts = [0] * faces
    for face in thrown:
        if not 1 <= face <= faces:
            raise ValueError(f"no die here shows {face}")
        counts[face - 1] += 1
    return tuple(counts)


def to_faces(counts: Multiset) -> tuple[int, ...]:
    """The faces of a multiset in ascending order: the inverse of ``from_faces``."""
    return tuple(face for face, count in enumerate(counts, 1) for _ in range(count))
