"""Slow and obvious versions of the small games: every throw is looked at, every position is one equation."""

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

from solver.parlour.chances import solve_exactly

State = Hashable


def all_throws(dice: int, faces: int = 6) -> list[tuple[int, ...]]:
    """Every way that the dice may fall, one by one."""
    return list(product(range(1, faces + 1), repeat=dice))


def chain_value(
    start: State,
    moves: Callable[[Any], Iterable[tuple[Fraction, State, Fraction]]],
    ended: Callable[[Any], Fraction | None],
) -> Fraction:
    """Expected sum of rewards of a Markov chain: one linear equation for each position that can come up.

    ``moves`` gives chance, next position and reward; ``ended`` gives the worth of a last position, else None.
    """
    known: dict[State, int] = {}
    open_states = [start]
    while open_states:
        state = open_states.pop()
        if state in known or ended(state) is not None:
            continue
        known[state] = len(known)
        open_states += [target for _chance, target, _reward in moves(state)]
    size = len(known)
    matrix = [[Fraction(int(row == column)) for column in range(size)] for row in range(size)]
    right = [[Fraction(0)] for _row in range(size)]
    for state, row in known.items():
        for chance, target, reward in moves(state):
            worth = ended(target)
            right[row][0] += chance * (reward + (worth if worth is not None else 0))
            if worth is None:
                matrix[row][known[target]] -= chance
    return solve_exactly(matrix, right)[known[start]][0]


def counted(outcomes: Iterable[tuple[State, Fraction]], total: int) -> list[tuple[Fraction, State, Fraction]]:
    """Equal ways put together; each outcome is a position and a reward."""
    ways: dict[tuple[State, Fraction], int] = {}
    for outcome in outcomes:
        ways[outcome] = ways.get(outcome, 0) + 1
    return [(Fraction(count, total), state, reward) for (state, reward), count in ways.items()]


def sub_hands(hand: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Every way to keep some of the dice."""
    return {keep for size in range(len(hand) + 1) for keep in combinations(hand, size)}


def best_hand_value(
    worth: Callable[[tuple[int, ...], int], Fraction], throws: int, *, locked: bool, may_stop: bool
) -> Fraction:
    """Expected worth of a hand of five dice under best play, by trying every keep after every throw.

    ``worth`` takes the hand and the number of throws used; ``may_stop`` tells a stop apart from keeping all.
    """

    @cache
    def thrown(keep: tuple[int, ...], number: int, fixed: tuple[int, ...]) -> Fraction:
        """Worth of throw ``number``, when ``keep`` is kept."""
        ways: dict[tuple[int, ...], int] = {}
        for throw in product(range(1, 7), repeat=5 - len(keep)):
            hand = tuple(sorted(keep + throw))
            ways[hand] = ways.get(hand, 0) + 1
        total = 6 ** (5 - len(keep))
        return sum((Fraction(count, total) * shown(hand, number, fixed) for hand, count in ways.items()), Fraction(0))

    @cache
    def shown(hand: tuple[int, ...], number: int, fixed: tuple[int, ...]) -> Fraction:
        """Worth of a hand after throw ``number``; the dice in ``fixed`` may not be thrown again."""
        best = worth(hand, number)
        if number == throws:
            return best
        for keep in sub_hands(hand):
            if all(keep.count(face) >= fixed.count(face) for face in fixed) and (len(keep) < 5 or not may_stop):
                best = max(best, thrown(keep, number + 1, keep if locked else ()))
        return best

    return thrown((), 1, ())
