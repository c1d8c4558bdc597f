"""Liar: dice pass hidden from hand to hand with an ever higher announcement, until somebody doubts.

Who accepts sees the dice, so with two players both know what lies in the cup then; the other only does not see which
dice are thrown again, nor what they show. So the game falls apart into games of one signal (``signals``), one for each
pair of dice in the cup and announcement that stands. They are solved from the highest announcement down,
and from the fewest stakes up, for every doubt takes one stake from the table. For more players see ``liar_many``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import factorial
from typing import Any, NamedTuple

from solver.parlour.hands import CLASSES, FULL, NOTHING, STRAIGHT, TWO_PAIRS, combination
from solver.parlour.rules import ParlourRules, Seats
from solver.schema import Problem, flag, key, whole
from solver.text import _

SEATS = Seats(2, 6, 2)


class Rules(ParlourRules):
    """Rules of liar. An announcement is true if the dice are at least as good."""

    dice: int = key(whole(1, 5), _("Number of dice in the cup."), default=5)
    faces: int = key(whole(2, 6), _("Faces of a die."), default=6)
    stakes: int = key(whole(1, 5), _("Stakes of each player at the start."), default=3)
    straights: bool = key(
        flag(), _("Whether all dice in a row rank between three equal and a full house."), default=True
    )


def problems(_rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys: there are none."""
    return iter(())


class Announcement(NamedTuple):
    """A combination that may be announced; a second face says nothing."""

    name: str
    face: int

    def __str__(self) -> str:
        words = {
            NOTHING: _("high die {face}"),
            TWO_PAIRS: _("two pairs, the higher of {face}"),
            STRAIGHT: _("straight up to {face}"),
            FULL: _("full house, three of {face}"),
        }
        return words.get(self.name, _("{name} of {face}")).format(name=self.name, face=self.face)


class Cup(NamedTuple):
    """All that may lie in the cup, and what may be left in it."""

    hands: list[tuple[int, ...]]
    hand_number: dict[tuple[int, ...], int]
    keeps: list[tuple[int, ...]]
    """Dice that may be left, the fewest first."""
    chances: Any
    """Of each hand, when these dice are left and the others thrown: keeps by hands."""
    within: Any
    """Whether the dice may be left of a hand: hands by keeps."""
    announcements: list[Announcement]
    """From low to high."""
    own: Any
    """For each hand, the number of the highest announcement that is true."""


@cache
def cup(rules: Rules) -> Cup:
    """The cup of so many dice."""
    import numpy as np

    faces = range(1, rules.faces + 1)
    hands = list(combinations_with_replacement(faces, rules.dice))
    keeps = [keep for size in range(rules.dice + 1) for keep in combinations_with_replacement(faces, size)]
    number = {hand: index for index, hand in enumerate(hands)}
    chances = np.zeros((len(keeps), len(hands)))
    within = np.zeros((len(hands), len(keeps)), dtype=bool)
    for index, keep in enumerate(keeps):
        thrown = rules.dice - len(keep)
        for rest in combinations_with_replacement(faces, thrown):
            ways = factorial(thrown)
            for face in set(rest):
                ways //= factorial(rest.count(face))
            hand = number[tuple(sorted(keep + rest))]
            chances[index, hand] = ways / rules.faces**thrown
            within[hand, index] = True
    best = [highest(rules, hand) for hand in hands]
    announcements = sorted(set(best), key=lambda found: (CLASSES.index(found.name), found.face))
    own = np.array([announcements.index(found) for found in best])
    return Cup(hands, number, keeps, chances, within, announcements, own)


def highest(rules: Rules, hand: Sequence[int]) -> Announcement:
    """The highest announcement that is true of a hand."""
    found = combination(hand, straights=rules.straights, faces=rules.faces)
    return Announcement(found.name, found.main)


def next_above(rules: Rules, standing: Announcement) -> Announcement | None:
    """The lowest announcement that exceeds another; None after the highest."""
    known = cup(rules).announcements
    following = known.index(standing) + 1
    return known[following] if following < len(known) else None


class Stakes(NamedTuple):
    """What the players have after a doubt. The doubter is next to announce, if he is still in."""

    announcer: int
    doubter: int
    centre: int


def after_doubt(stakes: Stakes, *, true: bool) -> Stakes:
    """Stakes after a doubt of an announcement that was true or not; a single stake of a liar goes to the centre."""
    announcer, doubter, centre = stakes
    if true:
        return Stakes(announcer, doubter - 1, centre + 1)
    if announcer == 1:
        return Stakes(0, doubter, centre + 1)
    return Stakes(announcer - 2, doubter + 1, centre + 1)


def doubt_worth(announcer: int, doubter: int, starts: dict[tuple[int, int], float], *, true: bool) -> float:
    """The announcer's chance to win the game when he is doubted.

    ``starts`` holds the chance of a player who begins a series, by his stakes and the other's.
    """
    after = after_doubt(Stakes(announcer, doubter, 0), true=true)
    if not after.doubter or not after.announcer:
        return float(after.announcer > 0)
    return 1.0 - starts[after.doubter, after.announcer]


def stake_pairs(rules: Rules, starts: Sequence[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """Stakes of who is to announce and of the other, that can come up; those on which others rest come first.

    They come up from those at the start of the game, or else from ``starts``.
    """
    found = set(starts) or {(rules.stakes, rules.stakes)}
    open_pairs = list(found)
    while open_pairs:
        mine, theirs = open_pairs.pop()
        reached = {(theirs, mine)}
        for true in (True, False):
            after = after_doubt(Stakes(mine, theirs, 0), true=true)
            if after.announcer and after.doubter:
                reached.add((after.doubter, after.announcer))
        open_pairs += reached - found
        found |= reached
    return sorted(found, key=lambda pair: (sum(pair), pair))
