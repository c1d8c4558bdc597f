"""Bluff: the leader throws unseen and announces a hand; the other doubts it, or throws against it.

The game is one of signals. Let w(a) be the chance to beat the announcement a. The other player chooses how often he
doubts each announcement, so that no lie is worth more to the leader than some level B: he doubts a no more often than
that takes, for a true announcement gains from every doubt. So everything depends on B alone, and the leader's value is
a convex, piecewise linear function of it; its lowest point is the value of the game, found exactly by cutting planes.
The leader's strategy is the dual of that: hands worth more than a lie are announced as they are, and each announcement
gets so many lies that the other does not mind whether he doubts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from solver.parlour.hands import Rank, rank
from solver.parlour.lattice import WAYS, before_throw, best_keep, last_throw, lattice, opening
from solver.parlour.odds import Figure, Odds, seat_figures
from solver.parlour.rules import ParlourRules, Seats, contradiction
from solver.schema import Problem, flag, key, one_of, whole
from solver.text import _

SEATS = Seats(2, 2, 2)
MOST_ROUNDS = 1_000


class Rules(ParlourRules):
    """Rules of bluff. Five dice with six faces; announcements are all ranks that a hand can have."""

    leader_throws: int = key(
        whole(1, 3), _("Throws of the leader, any dice each time, before he announces."), default=1
    )
    answer_throws: int = key(whole(1, 3), _("Throws of the one who answers, any dice each time."), default=1)
    must_beat: str = key(
        one_of("announcement", "real dice"),
        _("Whether the answer must beat what was announced, or what the leader has."),
        default="announcement",
    )
    straights: bool = key(
        flag(), _("Whether five dice in a row rank between three equal and a full house."), default=False
    )


def problems(rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys."""
    if rules.must_beat == "real dice" and rules.leader_throws > 1 < rules.answer_throws:
        yield contradiction(
            "leader_throws", rules.leader_throws, _("1 where an answer of several throws is to real dice")
        )


class Ranks(NamedTuple):
    """All ranks that a hand can have, from low to high: these are also the announcements."""

    ranks: list[Rank]
    of_hand: Any
    """For each hand, the number of its rank."""


@cache
def ranks(straights: bool) -> Ranks:  # noqa: FBT001
    """The ranks of all hands."""
    each = [rank(hand, straights=straights) for hand in lattice().hands]
    ordered = sorted(set(each))
    number = {found: index for index, found in enumerate(ordered)}
    return Ranks(ordered, np.array([number[found] for found in each]))


def best_throws(worth: Any, throws: int) -> tuple[Any, list[Any]]:
    """Most expected worth of a final hand, times ``WAYS`` for each throw, and for each keep between throws the same.

    ``worth`` is indexed by hand, case and functional.
    """
    after = worth
    keeps: list[Any] = []
    for number in range(throws - 1):
        values = before_throw(after) if number else last_throw(after)
        keeps.insert(0, values)
        after = best_keep(values)
    return opening(after), keeps


@cache
def answer_chances(rules: Rules) -> list[Fraction]:
    """For each announcement, the chance to beat it with the throws of an answer."""
    known = ranks(rules.straights)
    beaten = known.of_hand[:, None] > np.arange(len(known.ranks))[None, :]
    start, _keeps = best_throws(beaten.astype(np.int64)[:, :, None], rules.answer_throws)
    return [Fraction(int(count), WAYS**rules.answer_throws) for count in start[:, 0]]


@cache
def _unbeaten(rules: Rules) -> list[tuple[Fraction, Fraction]]:
    """For each announcement, the chance that it is not beaten, and the odds against that; 0 if it always is."""
    return [(1 - w, w / (1 - w) if w < 1 else Fraction(0)) for w in answer_chances(rules)]


class Solution(NamedTuple):
    """The value of the game, and how often to doubt."""

    value: Fraction
    """The leader's chance to win."""
    level: Fraction
    """What the best lie is worth to him."""
    doubt: list[Fraction]
    """For each announcement, how often it is doubted."""


@cache
def solve(rules: Rules) -> Solution:
    """The exact solution of the game.

    Where the answer must beat the real dice, announcing less than one has is no bluff and tells nothing: the leader
    announces the lowest, a doubt always loses, and the answer is thrown against what a hand is on average.
    """
    if rules.must_beat == "real dice":
        return Solution(_against_real_dice(rules), Fraction(0), [Fraction(0)] * len(ranks(rules.straights).ranks))
    low, high = Fraction(0), max(1 - chance for chance in answer_chances(rules))
    left, right = _line(rules, low, after=True), _line(rules, high, after=False)
    for _round in range(MOST_ROUNDS):
        # Lines that touch a convex function on the left and on the right meet at or below its lowest point.
        if left.slope >= 0 or right.slope <= 0:
            level = low if left.slope >= 0 else high
            return Solution(left.value if left.slope >= 0 else right.value, level, doubts(rules, level))
        level = (right.value - right.slope * high - left.value + left.slope * low) / (left.slope - right.slope)
        meeting = left.value + left.slope * (level - low)
        before, after = _line(rules, level, after=False), _line(rules, level, after=True)
        if before.value == meeting or before.slope <= 0 <= after.slope:
            return Solution(before.value, level, doubts(rules, level))
        if after.slope < 0:
            low, left = level, after
        else:
            high, right = level, before
    raise ArithmeticError("the lowest point of the value was not found")  # pragma: no cover


def doubts(rules: Rules, level: Fraction) -> list[Fraction]:
    """The fewest doubts that leave no lie worth more than ``level``."""
    return [
        max(Fraction(0), 1 - level / (1 - chance)) if chance < 1 else Fraction(0) for chance in answer_chances(rules)
    ]


class Line(NamedTuple):
    """The leader's value when lies are worth a level, and how it changes with that."""

    value: Fraction
    slope: Fraction


def _line(rules: Rules, level: Fraction, *, after: bool) -> Line:
    """The value at a level, and its slope to the right (``after``) or to the left."""
    sign = 1 if after else -1
    ordered, columns, unit = _worth(rules, level, after=after)
    final = np.concatenate([ordered, columns], axis=1)[ranks(rules.straights).of_hand][:, None, :]
    start, _keeps = best_throws(final, rules.leader_throws)
    scale = unit * WAYS**rules.leader_throws
    return Line(Fraction(int(start[0, 1]), scale), Fraction(sign * int(start[0, 2]), scale))


def _worth(rules: Rules, level: Fraction, *, after: bool) -> tuple[Any, Any, int]:
    """What each rank is worth to the leader, in whole numbers over the last result.

    The first has one number that orders by the value and, of equal values, by the slope that holds on that side; the
    second has value and slope as two columns.
    """
    payoffs, slopes = _by_rank(rules, level, after=after)
    unit = lcm(*(part.denominator for part in (*payoffs, *slopes)))
    sign = 1 if after else -1
    columns = np.array(
        [[int(payoff * unit), sign * int(slope * unit)] for payoff, slope in zip(payoffs, slopes, strict=True)],
        dtype=object,
    )
    # No sum of slopes differs by as much as the weight.
    weight = 4 * max(1, *(abs(int(entry)) for entry in columns[:, 1])) * WAYS**rules.leader_throws
    return columns[:, :1] * weight + columns[:, 1:], columns, unit


def _by_rank(rules: Rules, level: Fraction, *, after: bool) -> tuple[list[Fraction], list[Fraction]]:
    """For each rank that the leader may have, what it is worth to him, and the slope of that.

    What is harder to beat is worth more to announce, be it true or not: so the best true announcement is one's own
    rank, and the best lie the highest of all.
    """
    odds = _unbeaten(rules)
    most = odds[-1][0]
    grows = level < most or (level == most and not after)
    lie = (level, Fraction(1)) if grows else (most, Fraction(0))
    payoffs, slopes = [], []
    for number, (unbeaten, ratio) in enumerate(odds):
        # Below 1 - w a doubt is needed; above, none.
        needed = ratio and (level < unbeaten or (level == unbeaten and not after))
        best = (1 - level * ratio, -ratio) if needed else (unbeaten, Fraction(0))
        if number + 1 < len(odds) and (lie[0] > best[0] or (lie[0] == best[0] and (lie[1] > best[1]) == after)):
            best = lie
        payoffs.append(best[0])
        slopes.append(best[1])
    return payoffs, slopes


def rank_chances(rules: Rules, level: Fraction, *, after: bool) -> list[Fraction]:
    """How likely each rank is when the leader throws for the value at a level, as it holds on one side of it."""
    known = ranks(rules.straights)
    size = len(known.ranks)
    ordered, _columns, _unit = _worth(rules, level, after=after)
    final = np.concatenate([ordered, np.eye(size, dtype=np.int64).astype(object)], axis=1)[known.of_hand][:, None, :]
    start, _keeps = best_throws(final, rules.leader_throws)
    return [Fraction(int(count), WAYS**rules.leader_throws) for count in start[0, 1:]]


def rank_payoffs(rules: Rules) -> list[Fraction]:
    """What each rank is worth to the leader before he announces, under best play of both."""
    if rules.must_beat == "announcement":
        return _by_rank(rules, solve(rules).level, after=True)[0]
    # The answer is one throw, whatever the leader has.
    below = np.cumsum(_counts(rules))
    return [Fraction(int(count), WAYS) for count in below]


class Leader(NamedTuple):
    """How the leader announces."""

    hands: list[Fraction]
    """How likely he is to have each rank."""
    lies: list[Fraction]
    """How likely a lie is each announcement; all liars lie alike."""
    honest: list[Fraction]
    """For each rank, how often it is announced as it is; else it is announced as a lie."""


@cache
def leader(rules: Rules) -> Leader:
    """The leader's strategy where the answer must beat the announcement."""
    level = solve(rules).level
    before, after = _line(rules, level, after=False).slope, _line(rules, level, after=True).slope
    # Where two plans of throws are equally good, both are mixed so that the value does not change with the level.
    share = Fraction(1) if before == after else after / (after - before)
    hands = [
        share * one + (1 - share) * other
        for one, other in zip(
            rank_chances(rules, level, after=False), rank_chances(rules, level, after=True), strict=True
        )
    ]
    chances = answer_chances(rules)
    middle = next(number for number, chance in enumerate(chances) if 1 - chance >= level)
    # So many lies make the other indifferent: true / (true + lies) = 1 - chance.
    wanted = [
        hands[number] * chance / (1 - chance) if number > middle else Fraction(0)
        for number, chance in enumerate(chances)
    ]
    liars = sum(hands[:middle], Fraction(0))
    needed = sum(wanted, Fraction(0))
    honest = [Fraction(int(number >= middle)) for number in range(len(chances))]
    if needed > liars:
        honest[middle] = 1 - (needed - liars) / hands[middle]
    else:
        wanted[middle] = liars - needed
    total = sum(wanted, Fraction(0))
    return Leader(hands, [part / total for part in wanted], honest)


def guaranteed(rules: Rules, plan: Leader) -> Fraction:
    """What a strategy of the leader wins against the best answer to it, by looking at every announcement alone."""
    chances = answer_chances(rules)
    lying = sum((hand * (1 - part) for hand, part in zip(plan.hands, plan.honest, strict=True)), Fraction(0))
    worth = Fraction(0)
    below = Fraction(0)
    liars_below = [Fraction(0)]
    for hand, part in zip(plan.hands, plan.honest, strict=True):
        below += hand * (1 - part)
        liars_below.append(below)
    for number, chance in enumerate(chances):
        true = plan.hands[number] * plan.honest[number] + plan.lies[number] * (lying - liars_below[number])
        false = plan.lies[number] * liars_below[number]
        worth += min(true, (1 - chance) * (true + false))
    return worth


def conceded(rules: Rules, doubt: list[Fraction]) -> Fraction:
    """What the leader wins at most against these doubts, by trying every announcement of every hand."""
    chances = answer_chances(rules)
    known = ranks(rules.straights)
    best = []
    for rank_number in range(len(known.ranks)):
        worths = (
            doubt[number] * (number <= rank_number) + (1 - doubt[number]) * (1 - chance)
            for number, chance in enumerate(chances)
        )
        best.append(max(worths))
    unit = lcm(*(part.denominator for part in best))
    final = np.array([int(part * unit) for part in best], dtype=object)[known.of_hand][:, None, None]
    start, _keeps = best_throws(final, rules.leader_throws)
    return Fraction(int(start[0, 0]), unit * WAYS**rules.leader_throws)


def odds(rules: Rules, _players: int) -> Odds:
    """The leader's chance, and what either could gain against the other's strategy, found without the solution."""
    found = solve(rules)
    figures = list(seat_figures([found.value, 1 - found.value], _("Chance of player {seat} to win; 1 leads")))
    if rules.must_beat == "real dice":
        note = _("Announcing tells nothing here: the leader may always announce the lowest hand, which is true.")
        return Odds(tuple(figures), (), (note,))
    plan = leader(rules)
    lying = sum((hand * (1 - part) for hand, part in zip(plan.hands, plan.honest, strict=True)), Fraction(0))
    doubted = sum(
        (
            doubt * (hand * part + lying * lie)
            for doubt, hand, part, lie in zip(found.doubt, plan.hands, plan.honest, plan.lies, strict=True)
        ),
        Fraction(0),
    )
    figures += [
        Figure("lies", _("How often the leader lies"), lying),
        Figure("doubts", _("How often he is doubted"), doubted),
        Figure(
            "exploitability",
            _("What best answers could gain against both strategies"),
            conceded(rules, found.doubt) - guaranteed(rules, plan),
        ),
    ]
    return Odds(tuple(figures))


def _against_real_dice(rules: Rules) -> Fraction:
    """The leader's chance when the answer must beat hands that are unknown; only one of the two throws again."""
    known = ranks(rules.straights)
    counts = _counts(rules)
    up_to = np.cumsum(counts)
    if rules.leader_throws > 1:
        final, throws = up_to, rules.leader_throws
    else:
        final, throws = up_to - counts, rules.answer_throws
    start, _keeps = best_throws(final.astype(object)[known.of_hand][:, None, None], throws)
    worth = Fraction(int(start[0, 0]), WAYS ** (throws + 1))
    return worth if rules.leader_throws > 1 else 1 - worth


def _counts(rules: Rules) -> Any:
    """In how many ways one throw gives each rank."""
    of_hand = ranks(rules.straights).of_hand
    return np.bincount(of_hand, weights=lattice().ways[-len(of_hand) :]).astype(np.int64)
