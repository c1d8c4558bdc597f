"""What a throw is worth: combinations as data, and the ways to hold dice.

A combination is a multiset of faces with its points. A set of dice may be held
when it splits wholly into combinations; it counts at its best split.
"""

from collections.abc import Callable, Iterable
from itertools import combinations_with_replacement
from operator import getitem
from typing import NamedTuple

from solver.dice import Multiset, from_faces, sub_multisets


class Combination(NamedTuple):
    """Dice that score together."""

    dice: Multiset
    points: int
    thrown: int | None = None
    """If set, the combination counts only when exactly so many dice were thrown."""


class Hold(NamedTuple):
    """Dice that may be set aside, and their points at the best reading."""

    dice: Multiset
    points: int


def equal_dice(faces: int, face: int, count: int, points: int) -> Combination:
    """``count`` dice that all show ``face``; a single die is the case of one."""
    return Combination(from_faces([face] * count, faces), points)


def run_of_faces(faces: int, low: int, high: int, points: int) -> Combination:
    """A straight: each face from ``low`` to ``high`` once."""
    return Combination(from_faces(range(low, high + 1), faces), points)


def any_doublet(faces: int, points: int) -> list[Combination]:
    """Two equal dice of a throw of exactly two."""
    return [Combination(from_faces([face] * 2, faces), points, thrown=2) for face in range(1, faces + 1)]


def groups(faces: int, size: int, number: int, points: int, repeats: int = 1) -> list[Combination]:
    """``number`` groups of ``size`` equal dice, such as three pairs; a face may make up to ``repeats`` groups."""
    return [
        Combination(from_faces([face for face in shown for _ in range(size)], faces), points)
        for shown in combinations_with_replacement(range(1, faces + 1), number)
        if all(shown.count(face) <= repeats for face in shown)
    ]


class Scoring:
    """The combinations of a game, ready to read throws.

    Parameters
    ----------
    combinations : the scoring sets; of two for the same dice the better one counts.
    every_die : if true, every scoring die must be held: the only hold is the best-paying reading of the throw,
        and of two with equal points the one with more dice. If false, any non-empty scoring set may be held.
    nothing : a number of dice and the points of a throw of that many in which nothing else scores, if it has any.

    """

    def __init__(
        self, combinations: Iterable[Combination], *, every_die: bool, nothing: tuple[int, int] | None = None
    ) -> None:
        self.combinations = tuple(combinations)
        self.every_die = every_die
        self._nothing = nothing
        self._limited = {combination.thrown for combination in self.combinations if combination.thrown is not None}
        self._in_force: dict[int | None, dict[int, list[Combination]]] = {}
        self._splits: dict[int | None, dict[Multiset, int | None]] = {}
        self._readings: dict[int | None, dict[Multiset, tuple[int, int, Multiset]]] = {}

    def points(self, dice: Multiset, thrown: int) -> int | None:
        """Most points for holding exactly these dice out of ``thrown``; None if they do not split wholly."""
        key, by_lowest_face = self._combinations_for(thrown)
        best = self._splits.setdefault(key, {(0,) * len(dice): 0})

        def split(rest: Multiset) -> int | None:
            if rest not in best:
                # The lowest die belongs to some combination, and is the lowest die of that one too.
                found: int | None = None
                for combination in by_lowest_face.get(_lowest_face(rest), ()):
                    left = _without(rest, combination.dice)
                    if left is not None and (others := split(left)) is not None:
                        found = max(found if found is not None else 0, others + combination.points)
                best[rest] = found
            return best[rest]

        return split(dice)

    def best_reading(self, throw: Multiset) -> Hold:
        """The best-paying reading of a throw; of two with equal points the one with more dice, then lower faces."""
        key, by_lowest_face = self._combinations_for(sum(throw))
        nothing = (0,) * len(throw)
        best = self._readings.setdefault(key, {nothing: (0, 0, nothing)})

        def read(rest: Multiset) -> tuple[int, int, Multiset]:
            if rest not in best:
                # The lowest die scores nothing, or it is the lowest die of a combination.
                lowest = _lowest_face(rest)
                found = read((*rest[:lowest], rest[lowest] - 1, *rest[lowest + 1 :]))
                for combination in by_lowest_face.get(lowest, ()):
                    left = _without(rest, combination.dice)
                    if left is not None:
                        points, count, dice = read(left)
                        held = tuple(map(int.__add__, dice, combination.dice))
                        found = max(found, (points + combination.points, count + sum(combination.dice), held))
                best[rest] = found
            return best[rest]

        points, _count, dice = read(throw)
        if not any(dice) and self._nothing is not None and sum(throw) == self._nothing[0]:
            return Hold(throw, self._nothing[1])
        return Hold(dice, points)

    def holds(self, throw: Multiset) -> list[Hold]:
        """Every legal way to hold dice of a throw, most points first; empty if the throw brings nothing."""
        best = self.best_reading(throw)
        if self.every_die or self.points(best.dice, sum(throw)) is None or not any(best.dice):
            return [best] if any(best.dice) else []
        thrown = sum(throw)
        found = [
            Hold(dice, points)
            for dice in sub_multisets(throw)
            if any(dice) and (points := self.points(dice, thrown)) is not None
        ]
        return sorted(found, key=lambda hold: (hold.points, sum(hold.dice), hold.dice), reverse=True)

    def might_score(self, thrown: int) -> Callable[[Multiset], Multiset]:
        """What tells the dice of a throw of so many that might be held from those that surely are not.

        Throws in which it finds the same dice have the same holds, so that one of them can stand for all.
        """
        if self._nothing is not None and thrown == self._nothing[0]:
            return lambda throw: throw
        _key, by_lowest_face = self._combinations_for(thrown)
        all_dice = [combination.dice for group in by_lowest_face.values() for combination in group]
        # A combination of all dice thrown is one throw, and tells nothing of the others.
        whole = {dice for dice in all_dice if sum(dice) == thrown}
        parts = [dice for dice in all_dice if sum(dice) < thrown]
        held = [_largest_sums(set(numbers), thrown) for numbers in zip(*parts, strict=True)]
        return lambda throw: throw if throw in whole else tuple(map(getitem, held, throw))

    def _combinations_for(self, thrown: int) -> tuple[int | None, dict[int, list[Combination]]]:
        """The combinations that count when so many dice are thrown, by their lowest face from 0."""
        key = thrown if thrown in self._limited else None
        if key not in self._in_force:
            self._in_force[key] = {}
            for combination in self.combinations:
                if combination.thrown in (None, key):
                    self._in_force[key].setdefault(_lowest_face(combination.dice), []).append(combination)
        return key, self._in_force[key]


def _largest_sums(terms: set[int], most: int) -> list[int]:
    """For each number from 0 to ``most``, the largest one up to it that is a sum of ``terms``."""
    found = [0]
    for number in range(1, most + 1):
        is_sum = any(found[number - term] == number - term for term in terms if 0 < term <= number)
        found.append(number if is_sum else found[-1])
    return found


def _lowest_face(dice: Multiset) -> int:
    """The lowest face in a multiset that is not empty, counted from 0."""
    return next(face for face, count in enumerate(dice) if count)


def _without(dice: Multiset, taken: Multiset) -> Multiset | None:
    """The dice that are left when some are taken away, or None if those are not there."""
    left = tuple(map(int.__sub__, dice, taken))
    return left if min(left) >= 0 else None
