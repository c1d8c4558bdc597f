"""Aces: ones go to the centre, twos to the left, fives to the right; who throws the last one loses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, pairwise
from math import comb
from typing import Any, NamedTuple

from solver.parlour.chances import solve_exactly
from solver.parlour.odds import Figure, Number, Odds, seat_figures
from solver.parlour.rules import ParlourRules, Seats
from solver.schema import Problem, key, whole
from solver.text import _

SEATS = Seats(2, 4, 2)
EXACT_PLAYERS = 2
"""With more players the equations are too many for fractions."""
ROUNDING = 2.0**-52
MOST_ROUNDS = 2_000

Hands = tuple[int, ...]
"""Number of dice of each player, the one to throw first, then to his left."""


class Rules(ParlourRules):
    """Rules of aces: one throw of all his dice, then the next player to the left who has any."""

    dice: int = key(whole(1, 6), _("Dice of each player at the start."), default=5)
    faces: int = key(whole(5, 12), _("Faces of a die."), default=6)


class Step(NamedTuple):
    """What may come of a throw."""

    ways: int
    """In how many of all ways that the dice can fall."""
    hands: Hands
    """From the seat of the next to throw on; empty if the game is over."""
    shift: int
    """Seats from the one who threw to the next."""


def problems(_rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys: there are none."""
    return iter(())


def play(hands: Sequence[int], centre: int, seat: int, throw: Sequence[int]) -> tuple[list[int], int]:
    """Hands and centre after a throw of the player of ``seat``, whose left neighbour is the next seat."""
    after = list(hands)
    ones, twos, fives = (sum(face == moved for face in throw) for moved in (1, 2, 5))
    after[seat] -= ones + twos + fives
    after[(seat + 1) % len(after)] += twos
    after[(seat - 1) % len(after)] += fives
    return after, centre + ones


def odds(rules: Rules, players: int) -> Odds:
    """The chance of each seat to lose, and the number of throws."""
    solved = _solve(rules, players)
    chances, throws = solved.bounds
    return Odds(
        (
            *seat_figures(solved.lose, _("Chance of player {seat} to lose"), name="lose", bound=chances),
            Figure("expected_throws", _("Turns of all players together, on average"), solved.throws, throws),
        ),
        (),
        (_("The player who throws first is player 1; player 2 sits to his left."),),
    )


class _Solved(NamedTuple):
    lose: list[Number]
    """Chance to lose of each seat, from the one to throw on."""
    throws: Number
    bounds: tuple[float, float]
    """On the error of the chances and of the throws."""


def _solve(rules: Rules, players: int) -> _Solved:
    """The start, from all positions level by level: the dice outside the centre never grow in number."""
    start = (rules.dice,) * players
    if players <= EXACT_PLAYERS:
        values: dict[Hands, list[Fraction]] = {}
        for level in range(1, rules.dice * players + 1):
            _solve_level_exactly(rules, values, list(_positions(level, players)))
        return _Solved(list(values[start][:-1]), values[start][-1], (0.0, 0.0))
    return _solve_in_decimals(rules, players)


def _positions(level: int, players: int) -> Iterator[Hands]:
    """All ways to have ``level`` dice, the first player at least one."""
    for bars in combinations(range(level + players - 2), players - 1):
        edges = (-1, *bars, level + players - 2)
        counts = [right - left - 1 for left, right in pairwise(edges)]
        yield (counts[0] + 1, *counts[1:])


@cache
def _throws(faces: int, dice: int) -> list[tuple[int, int, int, int]]:
    """Dice that show 2, dice that show 5, dice that stay, and in how many ways that happens."""
    found = []
    for ones in range(dice + 1):
        for twos in range(dice - ones + 1):
            for fives in range(dice - ones - twos + 1):
                rest = dice - ones - twos - fives
                ways = comb(dice, ones) * comb(dice - ones, twos) * comb(dice - ones - twos, fives)
                found.append((twos, fives, rest, ways * (faces - 3) ** rest))
    return found


def _steps(rules: Rules, hands: Hands) -> list[Step]:
    players = len(hands)
    found = []
    for twos, fives, rest, ways in _throws(rules.faces, hands[0]):
        after = [rest, *hands[1:]]
        after[1] += twos
        after[-1] += fives
        shift = 1
        while shift < players and not after[shift]:
            shift += 1
        turned = (*after[shift:], *after[:shift])
        found.append(Step(ways, turned if turned[0] else (), shift % players))
    return found


def _solve_level_exactly(rules: Rules, values: dict[Hands, list[Fraction]], positions: list[Hands]) -> None:
    """Add the chances to lose of each seat, from the one to throw on, and the expected throws."""
    players = len(positions[0])
    numbers = {position: number for number, position in enumerate(positions)}
    size = len(positions) * players
    # Unknowns are the chances to lose of each seat at each position, then the throws at each position.
    matrix = [[Fraction(int(row == column)) for column in range(size)] for row in range(size)]
    right = [[Fraction(0)] for _row in range(size)]
    throws = [[Fraction(int(row == column)) for column in range(len(positions))] for row in range(len(positions))]
    throws_right = [[Fraction(1)] for _position in positions]
    for row, position in enumerate(positions):
        for step in _steps(rules, position):
            chance = Fraction(step.ways, rules.faces ** position[0])
            if not step.hands:
                right[row * players][0] += chance
            elif step.hands in numbers:
                column = numbers[step.hands]
                throws[row][column] -= chance
                for seat in range(players):
                    matrix[row * players + seat][column * players + (seat - step.shift) % players] -= chance
            else:
                known = values[step.hands]
                for seat in range(players):
                    right[row * players + seat][0] += chance * known[(seat - step.shift) % players]
                throws_right[row][0] += chance * known[-1]
    found = solve_exactly(matrix, right)
    counts = solve_exactly(throws, throws_right)
    for row, position in enumerate(positions):
        values[position] = [*(found[row * players + seat][0] for seat in range(players)), counts[row][0]]


def _solve_in_decimals(rules: Rules, players: int) -> _Solved:
    """The same in decimals, with a proven bound on every error.

    On each level the values solve x = M x + b, where the chances in a row of M are not negative and add up to less
    than 1. So a step x -> M x + b that moves no value by more than e leaves no error beyond y, for any y that is
    positive and at least M y + e.
    """
    import numpy as np
    from scipy.sparse import csr_matrix

    levels = [list(_positions(level, players)) for level in range(1, rules.dice * players + 1)]
    numbers = {position: number for number, position in enumerate(chain.from_iterable(levels))}
    seats = np.arange(players)
    # For each position and each seat from the one to throw on: the chance to lose, and the expected throws.
    values = np.zeros((len(numbers), players, 2))
    errors = np.zeros_like(values)
    for positions in levels:
        first, size = numbers[positions[0]], len(positions)
        steps = [(row, step) for row, position in enumerate(positions) for step in _steps(rules, position)]
        dice = np.array([float(position[0]) for position in positions])
        right = np.zeros((size, players, 2))
        right[:, :, 1] = 1.0
        for row, step in steps:
            if not step.hands:
                right[row, 0, 0] += step.ways / rules.faces ** dice[row]
        steps = [(row, step) for row, step in steps if step.hands]
        rows = np.array([row for row, _step in steps])
        targets = np.array([numbers[step.hands] for _row, step in steps])
        shifts = np.array([step.shift for _row, step in steps])
        chances = np.array([float(step.ways) for _row, step in steps]) / float(rules.faces) ** dice[rows]
        # Where the seats, told from the one who threw, sit from the one to throw next.
        columns = (seats[None, :] - shifts[:, None]) % players
        below = targets < first
        error = np.zeros_like(right)
        for known, target in ((values, right), (errors, error)):
            parts = chances[below, None, None] * known[targets[below, None], columns[below]]
            np.add.at(target, rows[below], parts)
        here = ~below
        where = (
            (rows[here, None] * players + seats[None, :]).ravel(),
            ((targets[here, None] - first) * players + columns[here]).ravel(),
        )
        moves = csr_matrix((np.repeat(chances[here], players), where), shape=(size * players, size * players))
        side: Any = right.reshape(-1, 2)
        unsure: Any = error.reshape(-1, 2)
        found = _iterate(moves, side, np.zeros_like(side))
        terms = np.repeat(np.bincount(rows, minlength=size) + 4.0, players)
        largest = np.abs(found).max(axis=0) + np.abs(side).max(axis=0)
        unsure = unsure + np.abs(moves @ found + side - found) + 2.0 * ROUNDING * terms[:, None] * largest
        bound = 1.001 * _iterate(moves, unsure, unsure)
        if not (bound > 0).all() or not (bound * (1.0 - 1e-6) >= moves @ bound + unsure).all():
            raise ArithmeticError("the errors of aces could not be bounded")  # pragma: no cover
        values[first : first + size] = found.reshape(size, players, 2)
        errors[first : first + size] = bound.reshape(size, players, 2)
    start = numbers[(rules.dice,) * players]
    lose, throws = values[start, :, 0], float(values[start, 0, 1])
    return _Solved(lose.tolist(), throws, (float(errors[start, :, 0].max()), float(errors[start, 0, 1])))


def _iterate(moves: Any, right: Any, start: Any) -> Any:
    """The solution of x = moves x + right, by steps until they change nothing more."""
    found = start
    for _round in range(MOST_ROUNDS):
        following = moves @ found + right
        change = abs(following - found).max()
        found = following
        if change <= 4.0 * ROUNDING * abs(found).max():
            break
    return found
