"""Dice of several kinds: which of them show the faces of a throw, and which are held.

A pool says how many dice of each kind there are. A throw of several kinds is a multiset of faces for each kind in a
row, and its faces alone tell what it is worth; so throws are counted by faces first, and only then shared out. Of
faces that do not score it does not matter which dice show them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from math import comb, prod
from operator import mul, sub

from solver.dice import Die, Multiset, one_more_die, shared_out

Pool = tuple[int, ...]
"""By kind of die, how many of it there are."""
Code = int
"""A pool as one number, of three bits for each kind: codes add up and can be looked up much sooner."""
_BITS = 3


def code_of(pool: Pool) -> Code:
    """The code of a pool of at most six dice."""
    return sum(count << _BITS * kind for kind, count in enumerate(pool))


class Kinds:
    """The kinds of dice of a game."""

    def __init__(self, kinds: list[Die]) -> None:
        self.kinds = kinds
        self._faces = kinds[0].faces
        # Asked again and again, and by few different words.
        self.faces_of = cache(self._faces_of)
        self._shared = cache(self._share)
        self._parts = cache(self._part)
        self.held_by_points = cache(self._held_by_points)

    def pool_of(self, code: Code) -> Pool:
        """The pool that has a code."""
        return tuple(code >> _BITS * kind & (1 << _BITS) - 1 for kind in range(len(self.kinds)))

    def _faces_of(self, pool: Pool) -> dict[Multiset, int]:
        """What a pool of dice can show, with the ways, whichever dice show it."""
        if not any(pool):
            return {(0,) * self._faces: 1}
        last = max(kind for kind, count in enumerate(pool) if count)
        fewer = (*pool[:last], pool[last] - 1, *pool[last + 1 :])
        return one_more_die(self.faces_of(fewer), self.kinds[last])

    def shares(
        self, pool: Pool, scores: Iterable[bool], throws: list[Multiset]
    ) -> Iterator[tuple[tuple[Code, ...], int]]:
        """Every way to share out the faces that score in some throws, as pools by face, with its ways.

        ``scores`` tells of each face whether it does; of the other faces it does not matter which dice show them. Of
        dice of one kind any throw stands for all, which must have the same holds.
        """
        if len(pool) == 1:
            shown = self.faces_of(pool)
            yield throws[0], sum(map(shown.__getitem__, throws))
            return
        used = tuple(scores)
        rests: dict[Multiset, list[Multiset]] = defaultdict(list)
        for faces in throws:
            scoring = tuple(map(mul, faces, used))
            rests[scoring].append(tuple(map(sub, faces, scoring)))
        for scoring, idle in rests.items():
            yield from self._shares_of(pool, scoring, idle)

    def _shares_of(self, pool: Pool, scoring: Multiset, idle: list[Multiset]) -> Iterator[tuple[tuple[Code, ...], int]]:
        """Every way to share out the faces that score, as pools by face, with the ways in which dice show it.

        The dice that are left show any of the ``idle`` multisets.
        """
        rest_ways: dict[Code, int] = {}
        found: list[tuple[tuple[Code, ...], Code, int]] = [((), code_of(pool), 1)]
        for face, number in enumerate(scoring):
            if number:
                found = [
                    ((*columns, part), rest, ways * more)
                    for columns, left, ways in found
                    for part, rest, more in self._shared(face, number, left)
                ]
            else:
                found = [((*columns, 0), left, ways) for columns, left, ways in found]
        for columns, left, ways in found:
            if left not in rest_ways:
                shown = self.faces_of(self.pool_of(left))
                rest_ways[left] = sum(shown.get(multiset, 0) for multiset in idle)
            if rest_ways[left]:
                yield columns, ways * rest_ways[left]

    def _share(self, face: int, number: int, left: Code) -> list[tuple[Code, Code, int]]:
        """The ways in which so many of some dice show a face: which do, which are left, and in how many ways."""
        pool = self.pool_of(left)
        return [
            (code, left - code, ways)
            for part in shared_out(number, pool)
            if (ways := prod(map(self._ways, self.kinds, (face,) * len(pool), pool, part)))
            for code in (code_of(part),)
        ]

    @staticmethod
    def _ways(die: Die, face: int, count: int, number: int) -> int:
        return comb(count, number) * int(die.weights[face] ** number)

    def _held_by_points(
        self, columns: tuple[Code, ...], holds: tuple[tuple[int, Multiset, bool], ...]
    ) -> set[tuple[int, Code, bool]]:
        """Points, dice and whether one may stop, for all holds of faces that are shown by the dice of their columns."""
        found: set[tuple[int, Code, bool]] = set()
        for points, held, may_stop in holds:
            taken = [0]
            for number, column in zip(held, columns, strict=True):
                if number:
                    parts = self._parts(number, column)
                    taken = [one + part for one in taken for part in parts]
            found.update((points, code, may_stop) for code in taken)
        return found

    def _part(self, number: int, column: Code) -> list[Code]:
        return list(map(code_of, shared_out(number, self.pool_of(column))))

    def by_kind(self, throw: Multiset) -> list[Multiset]:
        """The faces that the dice of each kind show."""
        return [throw[first : first + self._faces] for first in range(0, len(throw), self._faces)]

    def shown(self, throw: Multiset) -> Multiset:
        """The faces of a throw, whatever dice show them."""
        return tuple(map(sum, zip(*self.by_kind(throw), strict=True)))

    def dice_of(self, throw: Multiset) -> Pool:
        """How many dice of each kind a throw, or what is held of it, is of."""
        return tuple(map(sum, self.by_kind(throw)))

    def held(self, throw: Multiset, held: Multiset) -> Iterator[Multiset]:
        """Every choice of dice of a throw that show just the faces to be held."""
        columns = list(zip(*self.by_kind(throw), strict=True))
        parts: list[tuple[Pool, ...]] = [()]
        for number, column in zip(held, columns, strict=True):
            parts = [(*before, part) for before in parts for part in shared_out(number, column)]
        for part in parts:
            yield tuple(count for kind in zip(*part, strict=True) for count in kind)
