"""The game of 13: five throws, each added, subtracted, multiplied or divided, towards a multiple of the divisor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from solver.parlour.chances import sum_chances
from solver.parlour.odds import Distribution, Figure, Odds, seat_figures
from solver.parlour.rules import ParlourRules, Seats
from solver.schema import Problem, key, one_of, whole
from solver.text import _

SEATS = Seats(1, 2, 1)
OPERATIONS = ("+", "-", "*2", "*3", "*4", "/2", "/3", "/4")
"""What may be done with a sum: add it, subtract it, add a multiple or a part of it."""
ROUNDING = 2.0**-52
MOST_ROUNDS = 100


class Rules(ParlourRules):
    """Rules of the game of 13."""

    divisor: int = key(whole(2, 100), _("The number whose multiples give marks."), default=13)
    throws: int = key(whole(2, 6), _("Throws of one series."), default=5)
    faces: int = key(whole(2, 8), _("Faces of each of the two dice."), default=6)
    second_die: int = key(whole(1, 9), _("Lowest face of the second die; that of the first is 1."), default=2)
    marks: int = key(whole(1, 20), _("Marks that win."), default=10)
    counting: str = key(
        one_of("best", "every"),
        _("Whether a series brings the best multiple that its total was, once, or every multiple each time."),
        default="best",
    )


def problems(_rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys: there are none."""
    return iter(())


def sums(rules: Rules) -> dict[int, Fraction]:
    """Chance of every sum of a throw."""
    return sum_chances([range(1, rules.faces + 1), range(rules.second_die, rules.second_die + rules.faces)])


def marks(rules: Rules, total: int) -> int:
    """Marks of a total."""
    return total // rules.divisor if total > 0 and total % rules.divisor == 0 else 0


def apply(operation: str, total: int, thrown: int) -> int | None:
    """The total after an operation; None where a division leaves a remainder."""
    if operation in ("+", "-"):
        return total + thrown if operation == "+" else total - thrown
    number = int(operation[1:])
    if operation[0] == "*":
        return total + thrown * number
    return total + thrown // number if thrown % number == 0 else None


def gained(rules: Rules, before: int, total: int) -> int:
    """Marks of a series whose total has just become ``total``, when it had ``before``."""
    return max(before, marks(rules, total)) if rules.counting == "best" else before + marks(rules, total)


class Board(NamedTuple):
    """All totals that a series can have, as indices from the lowest on."""

    lowest: int
    marks: Any
    """Marks of each total."""
    targets: dict[int, Any]
    """For each sum, one row for each total: the totals after each operation; the first again where one is not."""
    ways: dict[int, int]
    """In how many of all ways each sum is thrown."""


@cache
def board(rules: Rules) -> Board:
    """All totals of a series, with what each sum makes of them."""
    ways = {thrown: int(chance * rules.faces**2) for thrown, chance in sums(rules).items()}
    highest = max(ways)
    lowest, high = -highest * (rules.throws - 1), highest + 4 * highest * (rules.throws - 1)
    totals = range(lowest, high + 1)
    targets = {}
    for thrown in ways:
        rows = []
        for total in totals:
            row = [target for name in OPERATIONS if (target := apply(name, total, thrown)) is not None]
            # Totals out of range follow only from totals that no series can have at that point.
            clipped = [min(max(target, lowest), high) - lowest for target in row]
            rows.append(clipped + clipped[:1] * (len(OPERATIONS) - len(clipped)))
        targets[thrown] = np.array(rows)
    return Board(lowest, np.array([marks(rules, total) for total in totals]), targets, ways)


def _after_marks(rules: Rules, values: Any) -> Any:
    """Values of arriving at a total with so many marks before, from those of standing there afterwards."""
    return values[np.arange(len(values))[:, None], _known(rules, values.shape[1])]


def _known(rules: Rules, size: int) -> Any:
    """Marks after arriving at a total with so many before: totals by marks, at most ``size - 1``."""
    before, here = np.arange(size), board(rules).marks[:, None]
    known = np.maximum(before, here) if rules.counting == "best" else before + here
    return np.minimum(known, size - 1)


def stages(rules: Rules, worth: Any) -> list[Any]:
    """Values of a series under best play after 1, 2, ... throws, times the ways of all throws to come.

    ``worth[m]`` holds what m marks are worth at the end (the last stands for that many and more), one column for each
    functional; the first is maximised, the others are evaluated along. Each result is indexed by total, marks and
    functional. Whole numbers stay whole, and so exact.
    """
    totals = board(rules)
    values = np.repeat(worth[None, :, :], len(totals.marks), axis=0)
    found = [values]
    for _throw in range(rules.throws - 1):
        arrived = _after_marks(rules, found[0])
        total = np.zeros_like(arrived)
        for thrown, ways in totals.ways.items():
            options = arrived[totals.targets[thrown]]  # total, operation, marks, functional
            best = options[..., 0].argmax(axis=1)
            total += ways * np.take_along_axis(options, best[:, None, :, None], axis=1)[:, 0]
        found.insert(0, total)
    return found


def start_values(rules: Rules, found: list[Any]) -> Any:
    """The values before the first throw, times the ways of all throws."""
    totals = board(rules)
    arrived = _after_marks(rules, found[0])
    return sum(ways * arrived[thrown - totals.lowest, 0] for thrown, ways in totals.ways.items())


def ways_of_series(rules: Rules) -> int:
    """In how many ways the dice of a whole series can fall."""
    return int(rules.faces ** (2 * rules.throws))


def most_marks(rules: Rules) -> int:
    """A bound on the marks of one series."""
    highest = int(board(rules).marks.max())
    return highest if rules.counting == "best" else highest * rules.throws


def expected_marks(rules: Rules) -> tuple[Fraction, list[Fraction]]:
    """Most expected marks of a series, and how likely that play brings 0, 1, 2, ... marks."""
    found = stages(rules, np.arange(most_marks(rules) + 1)[:, None])
    ways = ways_of_series(rules)
    chances = [Fraction(int(count), ways) for count in _spread(rules, found)]
    while not chances[-1]:
        chances.pop()
    return Fraction(int(start_values(rules, found)[0]), ways), chances


def _spread(rules: Rules, found: list[Any]) -> Any:
    """In how many ways the dice of a series fall so that it brings 0, 1, ... marks, played as ``stages`` found best."""
    totals = board(rules)
    size = found[0].shape[1]
    known = _known(rules, size)
    counts = np.zeros((len(totals.marks), size), dtype=np.int64)
    for thrown, ways in totals.ways.items():
        counts[thrown - totals.lowest, known[thrown - totals.lowest, 0]] += ways
    for values in found[1:]:
        arrived = _after_marks(rules, values)[..., 0]
        following = np.zeros_like(counts)
        for thrown, ways in totals.ways.items():
            targets = totals.targets[thrown]
            best = arrived[targets].argmax(axis=1)
            chosen = np.take_along_axis(targets, best, axis=1)  # total, marks
            np.add.at(following, (chosen, known[chosen, np.arange(size)]), ways * counts)
        counts = following
    return counts.sum(axis=0)


def possible(rules: Rules, throws: int) -> Any:
    """Whether a series can have each total with so many marks after so many throws: totals by marks, bool."""
    totals = board(rules)
    size = most_marks(rules) + 1
    known = _known(rules, size)
    found = np.zeros((len(totals.marks), size), dtype=bool)
    first = np.array(list(totals.ways)) - totals.lowest
    found[first, known[first, 0]] = True
    for _throw in range(throws - 1):
        total, before = np.nonzero(found)
        found = np.zeros_like(found)
        for targets in totals.targets.values():
            chosen = targets[total]
            found[chosen, known[chosen, before[:, None]]] = True
    return found


class Race(NamedTuple):
    """The way to the marks that win."""

    values: Any
    """``values[needed]``: expected series alone; ``values[needed, other]``: chance to win of who is to throw."""
    errors: Any
    """A proven bound on the error of each."""


@cache
def alone(rules: Rules) -> Race:
    """Fewest expected series to the marks that win, for each number of marks still needed.

    A series without marks repeats the position, so its value is a fixed point; it is found by policy iteration. The
    bound is proven by two more series: what is worth no more than one series from it is no more than the truth.
    """
    values, errors = np.zeros(rules.marks + 1), np.zeros(rules.marks + 1)
    for needed in range(1, rules.marks + 1):

        def series(blank: float, sign: float, needed: int = needed) -> tuple[float, float]:
            """Series to go before one, if they are ``blank`` after one without marks, and the chance of that."""
            worth = -np.append((values + sign * errors)[needed:0:-1], 0.0)
            worth[0] = -blank
            value, chance = _chances(rules, worth)
            return 1.0 - value, chance

        guess = float(values[needed - 1]) + 1.0
        for _round in range(MOST_ROUNDS):
            value, chance = series(guess, 0.0)
            following = (value - chance * guess) / (1.0 - chance)
            if abs(following - guess) <= 8.0 * ROUNDING * guess:
                break
            guess = following
        unsure = rounding(rules) * guess

        def holds(distance: float, guess: float = guess, unsure: float = unsure) -> bool:
            low, high = guess - distance, guess + distance
            return series(low, -1.0)[0] - unsure >= low and series(high, 1.0)[0] + unsure <= high

        values[needed], errors[needed] = guess, _proven(holds, unsure)
    return Race(values, errors)


@cache
def for_two(rules: Rules) -> Race:
    """Chance to win for who is to throw, for each number of marks that he and the other still need.

    Series without marks of both repeat the position; the rest is as in ``alone``, with the margin that a certificate
    for two players needs.
    """
    size = rules.marks
    values, errors = np.zeros((size + 1, size + 1)), np.zeros((size + 1, size + 1))
    unsure = rounding(rules)
    for both in range(2, 2 * size + 1):
        for needed in range(max(1, both - size), both // 2 + 1):
            sides = (needed, both - needed), (both - needed, needed)

            def series(side: int, blank: float, sign: float, sides: Any = sides) -> tuple[float, float]:
                """Chance to win before a series, if a blank one is worth ``blank``, and the chance of that."""
                mine, theirs = sides[side]
                worth = np.ones(mine + 1)
                worth[:mine] = 1.0 - (values + sign * errors)[theirs, mine:0:-1]
                worth[0] = blank
                return _chances(rules, worth)

            pair = [0.5, 0.5]
            for _round in range(MOST_ROUNDS):
                (first, blank), (second, other_blank) = (series(side, 1.0 - pair[1 - side], 0.0) for side in (0, 1))
                # Each side's value is what it has without a blank series, and the rest after one.
                fixed = first - blank * (1.0 - pair[1]), second - other_blank * (1.0 - pair[0])
                mine = (fixed[0] + blank * (1.0 - fixed[1] - other_blank)) / (1.0 - blank * other_blank)
                following = [mine, fixed[1] + other_blank * (1.0 - mine)]
                change = max(abs(after - before) for after, before in zip(following, pair, strict=True))
                pair = following
                if change <= 8.0 * ROUNDING:
                    break

            def holds(distance: float, pair: list[float] = pair, series: Any = series) -> bool:
                return all(
                    series(side, 1.0 - pair[1 - side] - distance, 1.0)[0] >= pair[side] - distance + 2.0 * unsure
                    and series(side, 1.0 - pair[1 - side] + distance, -1.0)[0] <= pair[side] + distance - 2.0 * unsure
                    for side in ((0, 1) if sides[0] != sides[1] else (0,))  # noqa: B023 (used at once)
                )

            for (mine, theirs), value in zip(sides, pair, strict=True):
                values[mine, theirs] = value
            proven = _proven(holds, unsure)
            for mine, theirs in sides:
                errors[mine, theirs] = proven
    return Race(values, errors)


def _chances(rules: Rules, worth: Any) -> tuple[float, float]:
    """Value of a series, and how likely it brings no marks when played for that value."""
    columns = np.stack([worth, np.eye(len(worth))[0]], axis=1)
    found = start_values(rules, stages(rules, columns)) / float(ways_of_series(rules))
    return float(found[0]), float(found[1])


def rounding(rules: Rules) -> float:
    """A bound on the rounding of one series, for values up to 1."""
    return (rules.throws * (len(sums(rules)) + 3.0) + 16.0) * ROUNDING


def _proven(holds: Callable[[float], bool], least: float) -> float:
    """A distance at which a bound can be proven, or infinity."""
    distance = least
    while distance < 1.0:
        distance *= 4.0
        if holds(distance):
            return distance
    return float("inf")


def odds(rules: Rules, players: int) -> Odds:
    """One series, the way to the marks that win alone, and for two the chance of each."""
    value, chances = expected_marks(rules)
    single = alone(rules)
    figures = [
        Figure("expected_marks", _("Marks of one series, on average"), value),
        Figure(
            "expected_series",
            _("Series to the marks that win, on average"),
            float(single.values[-1]),
            float(single.errors[-1]),
        ),
    ]
    if players == 2:
        both = for_two(rules)
        first = float(both.values[-1, -1])
        figures += seat_figures(
            [first, 1.0 - first], _("Chance of player {seat} to win"), bound=float(both.errors[-1, -1])
        )
    return Odds(
        tuple(figures),
        (Distribution("marks", _("Marks of one series, played for the most on average"), dict(enumerate(chances))),),
    )


def totals(thrown: Sequence[int], operations: Sequence[str | None]) -> list[int]:
    """The totals of a series, throw by throw; the first throw has no operation."""
    found = [thrown[0]]
    for each, operation in zip(thrown[1:], operations[1:], strict=True):
        assert operation is not None
        target = apply(operation, found[-1], each)
        if target is None:
            raise ValueError(f"{each} has no whole {operation[1:]}th part")
        found.append(target)
    return found
