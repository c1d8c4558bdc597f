"""All hands of five dice and all ways to keep dice of them, and best play in up to three throws.

Values are arrays whose last axis holds functionals: the first is maximised, the others are evaluated along the same
choices. The axis before it holds cases that are played side by side, such as targets to beat. Whole numbers stay whole:
values before a throw count all ways of its five dice, as if the dice that are kept were thrown as well.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import factorial
from typing import Any, NamedTuple

import numpy as np

DICE, FACES = 5, 6
WAYS = FACES**DICE
"""In how many ways five dice fall."""

Dice = tuple[int, ...]
"""Faces in ascending order."""


class Lattice(NamedTuple):
    """Hands, keeps, and which keep lies within which hand."""

    hands: list[Dice]
    keeps: list[Dice]
    hand_number: dict[Dice, int]
    keep_number: dict[Dice, int]
    pairs: list[tuple[int, int]]
    """Keep and hand of each pair of a keep and a hand that contains it, the largest keeps first."""
    pair_number: dict[tuple[int, int], int]
    one_more: Any
    """For each keep of fewer than five dice, largest first: the keeps with one die more."""
    grown: Any
    """For each pair: itself and the pairs whose keep has one die more, filled up with the first."""
    by_size: list[Any]
    """For 5, 4, ..., 0 dice: the pairs whose keep has so many."""
    of_hand: Any
    """For each hand: its pairs, the largest keep first, filled up with the first."""
    ways: Any
    """For each pair: in how many ways the other dice make the keep that hand, times six for each die kept."""


@cache
def lattice() -> Lattice:
    """The lattice of five dice with six faces."""
    keeps = [dice for size in range(DICE, -1, -1) for dice in combinations_with_replacement(range(1, FACES + 1), size)]
    hands = [keep for keep in keeps if len(keep) == DICE]
    keep_number = {keep: number for number, keep in enumerate(keeps)}
    hand_number = {hand: number for number, hand in enumerate(hands)}
    one_more = np.array(
        [[keep_number[_with(keep, face)] for face in range(1, FACES + 1)] for keep in keeps if len(keep) < DICE]
    )
    pairs: list[tuple[int, int]] = []
    for keep in keeps:
        for rest in combinations_with_replacement(range(1, FACES + 1), DICE - len(keep)):
            pairs.append((keep_number[keep], hand_number[tuple(sorted(keep + rest))]))
    pair_number = {pair: number for number, pair in enumerate(pairs)}
    grown, ways = [], []
    of_hand: list[list[int]] = [[] for _hand in hands]
    for number, (kept, hand) in enumerate(pairs):
        rest = _without(hands[hand], keeps[kept])
        children = [pair_number[keep_number[_with(keeps[kept], face)], hand] for face in sorted(set(rest))]
        grown.append([number, *children] + [number] * (FACES - len(children)))
        of_hand[hand].append(number)
        count = factorial(len(rest))
        for face in set(rest):
            count //= factorial(rest.count(face))
        ways.append(count * FACES ** len(keeps[kept]))
    sizes = np.array([len(keeps[keep]) for keep, _hand in pairs])
    widest = max(map(len, of_hand))
    return Lattice(
        hands,
        keeps,
        hand_number,
        keep_number,
        pairs,
        pair_number,
        one_more,
        np.array(grown),
        [np.flatnonzero(sizes == size) for size in range(DICE, -1, -1)],
        np.array([row + row[:1] * (widest - len(row)) for row in of_hand]),
        np.array(ways),
    )


def last_throw(final: Any) -> Any:
    """For each keep, the value of throwing the other dice once, from the values of final hands; times ``WAYS``."""
    found = lattice()
    values = np.zeros((len(found.keeps), *final.shape[1:]), dtype=final.dtype)
    values[: len(found.hands)] = final
    # Each keep is the sum over one more die; that counts the ways of the dice not kept only.
    number = len(found.hands)
    sizes = np.array([len(keep) for keep in found.keeps])
    for size in range(DICE - 1, -1, -1):
        here = np.flatnonzero(sizes == size)
        values[here] = values[found.one_more[here - number]].sum(axis=1)
    scale = np.array([FACES**size for size in sizes.tolist()], dtype=final.dtype)
    return values * scale.reshape(-1, *[1] * (values.ndim - 1))


def best_keep(values: Any) -> Any:
    """For each hand, the best of its keeps, from a value for each keep."""
    found = lattice()
    keeps = np.array([keep for keep, _hand in found.pairs])
    return _best(values, keeps[found.of_hand])


def opening(values: Any) -> Any:
    """The value of throwing all dice, from a value for each hand; times ``WAYS``."""
    found = lattice()
    ways = found.ways[-len(found.hands) :]  # the last keep is that of no dice
    return (values * ways.astype(values.dtype).reshape(-1, *[1] * (values.ndim - 1))).sum(axis=0)


def before_throw(values: Any) -> Any:
    """For each keep, the value of throwing the other dice, from a value for each pair of keep and hand or each hand.

    Times ``WAYS``.
    """
    found = lattice()
    keeps = np.array([keep for keep, _hand in found.pairs])
    hands = np.array([hand for _keep, hand in found.pairs])
    each = values if len(values) == len(found.pairs) else values[hands]
    weighted = each * found.ways.astype(values.dtype).reshape(-1, *[1] * (values.ndim - 1))
    edges = np.flatnonzero(np.diff(keeps, prepend=-1))  # pairs of one keep lie side by side
    return np.add.reduceat(weighted, edges, axis=0)


def best_within(values: Any) -> Any:
    """For each pair, the best keep between its keep and its hand, from a value for each keep.

    That is the choice of a player who may not throw again the dice that he kept before.
    """
    found = lattice()
    keeps = np.array([keep for keep, _hand in found.pairs])
    best = values[keeps].copy()
    for here in found.by_size[1:]:
        best[here] = _best(best, found.grown[here])
    return best


def _best(values: Any, options: Any) -> Any:
    """The best of some rows by the first functional, from one row of numbers for each result; the first of equals."""
    found = values[options[:, 0]]
    for column in options.T[1:]:
        moved = np.flatnonzero(column != options[:, 0])  # rows are filled up with the first
        other = values[column[moved]]
        better = other[..., 0] > found[moved][..., 0]
        found[moved] = np.where(better[..., None], other, found[moved])
    return found


def _with(dice: Dice, face: int) -> Dice:
    return tuple(sorted((*dice, face)))


def _without(dice: Dice, removed: Dice) -> Dice:
    left = list(dice)
    for face in removed:
        left.remove(face)
    return tuple(left)
