"""Hands of dice and how they rank: classes of combinations, their faces, and the sum of all dice."""

from collections.abc import Sequence
from typing import NamedTuple

NOTHING, PAIR, TWO_PAIRS, TRIPLE, STRAIGHT, FULL, FOUR, FIVE = (
    "nothing",
    "pair",
    "two pairs",
    "three",
    "straight",
    "full house",
    "four",
    "five",
)
CLASSES = (NOTHING, PAIR, TWO_PAIRS, TRIPLE, STRAIGHT, FULL, FOUR, FIVE)
"""All combinations from low to high."""

POKER_FACES = {"9": 1, "10": 2, "J": 3, "Q": 4, "K": 5, "A": 6}
"""What poker dice show, and the plain faces that these stand for."""


class Combination(NamedTuple):
    """What a hand shows at its best."""

    name: str
    """One of ``CLASSES``."""
    main: int
    """Face of the larger group, or the higher of two pairs; highest die of a straight, or of nothing."""
    second: int
    """Face of the smaller group; 0 if there is none."""


def combination(hand: Sequence[int], *, straights: bool, faces: int = 6) -> Combination:
    """The highest combination of a hand; a straight is a run of all dice, if there are at least three."""
    groups = sorted(((hand.count(face), face) for face in set(hand)), reverse=True)
    (most, main), *others = groups
    second = others[0][1] if others and others[0][0] > 1 else 0
    if most >= 5:
        return Combination(FIVE, main, 0)
    if most == 4:
        return Combination(FOUR, main, 0)
    if most == 3:
        return Combination(FULL, main, second) if second else Combination(TRIPLE, main, 0)
    if most == 2:
        return Combination(TWO_PAIRS, main, second) if second else Combination(PAIR, main, 0)
    run = len(hand) >= 3 and len(hand) < faces + 1 and max(hand) - min(hand) == len(hand) - 1
    return Combination(STRAIGHT if straights and run else NOTHING, max(hand), 0)


Rank = tuple[int, int, int, int]
"""Class, main face, second face and sum of the dice: hands compare as these do."""


def rank(hand: Sequence[int], *, straights: bool = False, triples: str = "rank") -> Rank:
    """The rank of a hand of five dice.

    Without a combination the sum alone counts. ``triples`` tells what three equal dice are: a rank of their own,
    "pair" of that face, or "nothing".
    """
    found = combination(hand, straights=straights)
    name = found.name
    if name == TRIPLE and triples != "rank":
        name = PAIR if triples == "pair" else NOTHING
    if name == NOTHING:
        return 0, 0, 0, sum(hand)
    return CLASSES.index(name), found.main, found.second, sum(hand)
