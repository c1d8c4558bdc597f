"""The lattice of five dice: all throws, all sets of dice that can be kept, and how one leads to another.

A keep is a multiset of at most five dice. The 462 keeps include the 252 throws, which keep all five. Nodes are
numbered from the most dice to the fewest, so the throws come first and the empty keep is the last. What a keep is worth
follows one die at a time: it is the mean over the six faces of the keep with that die added.
"""

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

from solver.dice import Multiset, from_faces, sub_multisets

DICE = 5
FACES = 6
THROWS = 252
NODES = 462
EMPTY = NODES - 1
"""The keep of no die at all."""


class Lattice(NamedTuple):
    """The lattice as plain data, indexed by node number."""

    nodes: list[Multiset]
    """The dice of each node; the throws are the first ``THROWS``."""
    number: dict[Multiset, int]
    """The inverse of ``nodes``."""
    ways: list[int]
    """For each throw, the number of the 7776 ways to throw five dice that show it."""
    larger: list[list[int]]
    """For each node of fewer than five dice, the six nodes with one die more, by its face; empty for a throw."""
    smaller: list[list[int]]
    """The nodes with one die less, by ascending face."""
    within: list[list[int]]
    """For each throw, all its keeps but itself, those with more dice first, then in ascending order of node."""


@cache
def lattice() -> Lattice:
    """The one lattice of five dice."""
    nodes = [
        from_faces(faces, FACES)
        for count in range(DICE, -1, -1)
        for faces in combinations_with_replacement(range(1, FACES + 1), count)
    ]
    number = {node: index for index, node in enumerate(nodes)}
    throws = nodes[:THROWS]
    ways = [factorial(DICE) // prod(map(factorial, throw)) for throw in throws]
    larger = [[number[_changed(node, face, 1)] for face in range(FACES)] if sum(node) < DICE else [] for node in nodes]
    smaller = [[number[_changed(node, face, -1)] for face in range(FACES) if node[face]] for node in nodes]
    within = [sorted(number[kept] for kept in sub_multisets(throw) if kept != throw) for throw in throws]
    return Lattice(nodes, number, ways, larger, smaller, within)


def _changed(node: Multiset, face: int, by: int) -> Multiset:
    return (*node[:face], node[face] + by, *node[face + 1 :])
