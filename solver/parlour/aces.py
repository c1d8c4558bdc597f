"""Aces: ones go to the centre, twos to the left, fives to the right; who throws the last one loses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations
from math import comb
from typing import NamedTuple

from solver.parlour.chances import solve_exactly
from solver.parlour.odds import Figure, Number, Odds, seat_figures
from solver.parlour.rules import ParlourRules, Seats
from solver.schema import Problem, key, whole
from solver.text import _

SEATS = Seats(2, 4, 2)
EXACT_PLAYERS = 2
"""With more players the equations are too many for fractions."""
ROUNDING = 2.0**-52

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
        counts = [right - left - 1 for left, right in zip(edges, edges[1:], strict=False)]
        yield (counts[0] + 1, *counts[1:])


def _steps(rules: Rules, hands: Hands) -> list[Step]:
    players, dice = len(hands), hands[0]
    found = []
    for ones in range(dice + 1):
        for twos in range(dice - ones + 1):
            for fives in range(dice - ones - twos + 1):
                rest = dice - ones - twos - fives
                count = comb(dice, ones) * comb(dice - ones, twos) * comb(dice - ones - twos, fives)
                count *= (rules.faces - 3) ** rest
                after = [rest, *hands[1:]]
                after[1] += twos
                after[-1] += fives
                shift = next((seat for seat in range(1, players + 1) if after[seat % players]), 0)
                turned = (*after[shift % players :], *after[: shift % players])
                found.append(Step(count, turned if shift else (), shift % players))
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
    """The same in decimals, with a proven bound.

    On each level the matrix is the identity less chances that add up to less than 1, so its inverse is not negative,
    and no row of it adds up to more than the largest expected number of throws on the level.
    """
    import numpy as np
    from scipy.sparse import csc_matrix, eye_array
    from scipy.sparse.linalg import splu

    levels = [list(_positions(level, players)) for level in range(1, rules.dice * players + 1)]
    numbers = {position: number for number, position in enumerate(chain.from_iterable(levels))}
    seats = np.arange(players)
    lose = np.zeros((len(numbers), players))
    throws = np.zeros(len(numbers))
    bounds = np.zeros(2)
    for positions in levels:
        first, size = numbers[positions[0]], len(positions)
        steps = [(row, step) for row, position in enumerate(positions) for step in _steps(rules, position)]
        over = [(row, step) for row, step in steps if not step.hands]
        steps = [(row, step) for row, step in steps if step.hands]
        rows = np.array([row for row, _step in steps])
        targets = np.array([numbers[step.hands] for _row, step in steps])
        shifts = np.array([step.shift for _row, step in steps])
        dice = np.array([position[0] for position in positions])
        chances = np.array([float(step.ways) for _row, step in steps]) / float(rules.faces) ** dice[rows]
        below = targets < first
        # Chances of the seats after the step, told from the seat of the one who threw.
        columns = (seats[None, :] - shifts[:, None]) % players
        right = np.zeros((size, players))
        np.add.at(right, rows[below], chances[below, None] * lose[targets[below, None], columns[below]])
        for row, step in over:
            right[row, 0] += float(step.ways) / float(rules.faces) ** dice[row]
        right_throws = np.ones(size)
        np.add.at(right_throws, rows[below], chances[below] * throws[targets[below]])
        here = ~below
        where = (
            (rows[here, None] * players + seats[None, :]).ravel(),
            ((targets[here, None] - first) * players + columns[here]).ravel(),
        )
        moves = csc_matrix((np.repeat(chances[here], players), where), shape=(size * players, size * players))
        factors = splu((eye_array(size * players) - moves).tocsc())
        visits = factors.solve(np.ones(size * players))
        # The visits are proven: one less what follows is at least half of what it should be.
        if not (visits > 0).all() or not (visits - moves @ visits >= 0.5).all():
            raise ArithmeticError("the equations of aces could not be solved")  # pragma: no cover
        terms = len(steps) / size * players + 4.0
        for index, side in enumerate((right.ravel(), np.repeat(right_throws, players))):
            found = factors.solve(side)
            rounding = 2.0 * terms * ROUNDING * (float(np.abs(found).max()) + float(np.abs(side).max()))
            error = float(np.abs(found - moves @ found - side).max()) + rounding
            bounds[index] += 2.0 * float(visits.max()) * error
            if index == 0:
                lose[first : first + size] = found.reshape(size, players)
            else:
                throws[first : first + size] = found[::players]
    start = numbers[(rules.dice,) * players]
    return _Solved(lose[start].tolist(), float(throws[start]), (float(bounds[0]), float(bounds[1])))
