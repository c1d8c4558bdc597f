"""What throws are worth, read anew from the rules: the dice of the simulation, which trusts no other code."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.policies.policy import MOST_POINTS
from solver.race.rules import RaceRules
from solver.race.sections import EQUAL, REPEATS

Counts = tuple[int, ...]


class Way(NamedTuple):
    """One way to hold dice of a throw."""

    points: int
    used: int
    """Number of dice held."""
    whole: bool
    """Whether it is the reading that scores most."""


class ThrowBook:
    """Every throw of a game, by its code: the sorted faces as digits, with 0 for dice that are not thrown."""

    def __init__(self, rules: RaceRules) -> None:
        self.rules = rules
        self.count, self.faces = rules.dice.count, rules.dice.faces
        self._sets = list(_sets(rules))
        self.places = (self.faces + 1) ** np.arange(self.count)
        self.codes = {self.code(faces): faces for faces in self._throws()}
        self.ways = {code: self._ways(faces) for code, faces in self.codes.items()}

    def code(self, faces: tuple[int, ...]) -> int:
        """The code of a throw."""
        padded = (0,) * (self.count - len(faces)) + tuple(sorted(faces))
        return int(np.dot(padded, self.places))

    def codes_of(self, thrown: NDArray[np.integer]) -> NDArray[np.int64]:
        """The codes of throws, [throws, dice], with 0 for dice that are not thrown."""
        return np.asarray(np.sort(thrown, axis=1) @ self.places)

    def wins(self) -> NDArray[np.bool_]:
        """By code, whether the throw wins the match at once."""
        found = np.zeros(int(self.places[-1]) * (self.faces + 1), dtype=bool)
        win = self.rules.instant_win
        for code, faces in self.codes.items():
            if win is not None:
                equal = [faces.count(face) for face in range(1, self.faces + 1) if win.face in (None, face)]
                found[code] = max(equal) >= win.dice
        return found

    def holds(self, hold: str, *, confirms: bool) -> NDArray[np.int64]:
        """By code, what a player holds who always holds alike: points, dice used, and whether it is the whole reading.

        Points are -1 for a throw that brings nothing. ``confirms`` is for a throw that ends the turn.
        """
        found = np.full((int(self.places[-1]) * (self.faces + 1), 3), -1)
        for code, ways in self.ways.items():
            if allowed := self.allowed(ways, confirms=confirms):
                thrown = len(self.codes[code])

                def liking(way: Way, thrown: int = thrown) -> tuple[int, int, bool]:
                    left = thrown - way.used or self.count
                    return (way.points, left, way.whole) if hold == MOST_POINTS else (left, way.points, way.whole)

                found[code] = max(allowed, key=liking)
        return found

    def allowed(self, ways: list[Way], *, confirms: bool) -> list[Way]:
        """The ways that may be chosen: a stop that a confirming throw brings counts every scoring die."""
        if confirms and self.rules.dice.stop_with == "all scoring dice":
            return [way for way in ways if way.whole]
        return ways

    def _throws(self) -> Iterator[tuple[int, ...]]:
        for thrown in range(1, self.count + 1):
            yield from combinations_with_replacement(range(1, self.faces + 1), thrown)

    def _ways(self, faces: tuple[int, ...]) -> list[Way]:
        counts = tuple(faces.count(face) for face in range(1, self.faces + 1))
        sets = [(dice, points) for dice, points, thrown in self._sets if thrown in (None, len(faces))]
        known: dict[Counts, int | None] = {(0,) * self.faces: 0}

        def points_of(held: Counts) -> int | None:
            """Most points of dice that split wholly into scoring sets."""
            if held not in known:
                values = []
                for dice, points in sets:
                    left = tuple(have - need for have, need in zip(held, dice, strict=True))
                    if min(left) >= 0 and (rest := points_of(left)) is not None:
                        values.append(points + rest)
                known[held] = max(values, default=None)
            return known[held]

        held = [
            (points, sum(part), part)
            for part in product(*(range(count + 1) for count in counts))
            if any(part) and (points := points_of(part)) is not None
        ]
        if not held:
            return []
        best = max(held)
        if self.rules.dice.hold == "all":
            return [Way(best[0], best[1], whole=True)]
        freely = self.rules.dice.stop_with == "held dice"
        return sorted({Way(points, used, freely or part == best[2]) for points, used, part in held})


def _sets(rules: RaceRules) -> Iterator[tuple[Counts, int, int | None]]:
    """The scoring sets of dice with their points, and how many must have been thrown, if that matters."""
    faces, stated = range(1, rules.dice.faces + 1), rules.combinations

    def counted(shown: dict[int, int]) -> Counts:
        return tuple(shown.get(face, 0) for face in faces)

    for name, size in (("single", 1), *EQUAL.items()):
        for face, points in getattr(stated, name):
            yield counted({face: size}), points, None
    for (low, high), points in stated.straight:
        yield counted(dict.fromkeys(range(low, high + 1), 1)), points, None
    for group, size in ((stated.three_pairs, 2), (stated.two_triplets, 3)):
        for shown in combinations_with_replacement(faces, 6 // size) if group else ():
            repeated = max(shown.count(face) for face in shown)
            if group and repeated <= (REPEATS[group.repeats] if size == 2 else 1):
                yield counted({face: size * shown.count(face) for face in shown}), group.points, None
    if stated.doublet:
        for face in faces:
            yield counted({face: 2}), stated.doublet.points, 2
