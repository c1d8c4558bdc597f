"""Buck dice: marks for dice on the game point, until fifteen; the last one in pays the others."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from solver.parlour.odds import Distribution, Figure, Odds, seat_figures
from solver.parlour.rules import ParlourRules, Seats, check_size, contradiction
from solver.parlour.sequences import (
    Series,
    constant,
    last_out,
    occupancy,
    product_total,
    summed,
    sums_before,
)
from solver.schema import Problem, flag, key, one_of, whole
from solver.text import _

SEATS = Seats(2, 6, 2)
MOST_STATES = 120
"""Of all players together."""
MARKS = whole(1, 60)


class Rules(ParlourRules):
    """Rules of buck dice. The game point is a face that was thrown for."""

    dice: int = key(whole(2, 5), _("Number of dice."), default=3)
    faces: int = key(whole(2, 10), _("Faces of a die."), default=6)
    target: int = key(MARKS, _("Marks with which a player leaves the game."), default=15)
    little_buck: int = key(whole(0, 100), _("Marks for equal dice off the point."), default=5)
    little_buck_ends: bool = key(flag(), _("Whether equal dice off the point end the turn."), default=False)
    finish: str = key(
        one_of("at least", "exactly"),
        _("Whether more than the target is enough, or a throw that passes it counts nothing."),
        default="at least",
    )
    double: bool = key(
        flag(), _("Whether who left with all dice on the point gets twice as much from the loser."), default=True
    )


class Score(NamedTuple):
    """What one throw brings."""

    marks: int
    turn_over: bool
    big_buck: bool
    """All dice show the point: the marks become the target."""


def problems(rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys."""
    if rules.little_buck > rules.target:
        yield contradiction("little_buck", rules.little_buck, _("at most the target"))


def score(rules: Rules, throw: Sequence[int], point: int) -> Score:
    """What a throw brings with this game point."""
    count = sum(face == point for face in throw)
    if count == rules.dice:
        return Score(rules.target, turn_over=True, big_buck=True)
    if count == 0 and len(set(throw)) == 1:
        return Score(rules.little_buck, turn_over=rules.little_buck_ends, big_buck=False)
    return Score(count, turn_over=count == 0, big_buck=False)


def odds(rules: Rules, players: int) -> Odds:
    """The chance of each seat to lose, what each wins, and how long one player takes."""
    check_size(players, rules.target, MOST_STATES)
    turn = _turn(rules)
    places = occupancy(turn.moves)
    present = summed(places)
    out = present.minus(present.shifted())
    bucks = summed(place.scaled(chance) for place, chance in zip(places, turn.bucks, strict=True))
    lose = last_out(out, present, players)
    last_with_buck = last_out(bucks, present, players)
    with_buck = product_total(bucks)
    extra = [with_buck - late if rules.double else Fraction(0) for late in last_with_buck]
    pool = sum(extra, Fraction(0))
    payoffs = []
    for seat, chance in enumerate(lose):
        # The loser pays 1 to each other and 1 more to each who left with a big buck.
        paid = chance * (players - 1) + _paid_extra(rules, bucks, present, players, seat)
        payoffs.append(1 - chance + extra[seat] - paid)
    assert sum(payoffs, Fraction(0)) == 0
    return Odds(
        (
            *seat_figures(list(lose), _("Chance of player {seat} to lose"), name="lose"),
            *seat_figures(list(payoffs), _("Stakes won by player {seat}, on average"), name="payoff"),
            Figure("big_buck", _("Chance of a player to reach the target with all dice on the point"), with_buck),
            Figure("double_gains", _("Players who gain double, on average"), pool),
            Figure("expected_throws", _("Throws of one player until he is out, on average"), turn.throws),
            Figure("expected_turns", _("Turns of one player until he is out, on average"), product_total(present)),
        ),
        (
            Distribution(
                "turns",
                _("Turns of one player until he is out"),
                {number: out.at(number - 1) for number in range(1, 13)},
                present.at(12),
            ),
        ),
    )


class _Turn(NamedTuple):
    """A turn from each number of marks."""

    moves: list[dict[int, Fraction]]
    """Chance of each number of marks after it."""
    bucks: list[Fraction]
    """Chance to leave with a big buck in it."""
    throws: Fraction
    """Expected throws of a player from the start until he is out."""


def _turn(rules: Rules) -> _Turn:
    scores: dict[Score, int] = {}
    for throw in product(range(rules.faces), repeat=rules.dice):
        found = score(rules, throw, 0)
        scores[found] = scores.get(found, 0) + 1
    ways = rules.faces**rules.dice
    moves: list[dict[int, Fraction]] = [{} for _marks in range(rules.target)]
    bucks = [Fraction(0)] * rules.target
    throws = [Fraction(0)] * rules.target
    for marks in reversed(range(rules.target)):
        stays, needed = Fraction(0), Fraction(1)
        ends: dict[int, Fraction] = {}
        buck = Fraction(0)
        waits = Fraction(0)
        """Chance that the throw changes no marks, whether the turn ends or not."""
        for found, count in scores.items():
            chance = Fraction(count, ways)
            after = marks + found.marks
            if found.big_buck:
                buck += chance
                continue
            if after > rules.target and rules.finish == "exactly":
                after = marks
            if after >= rules.target:
                continue
            if after == marks:
                waits += chance
            else:
                needed += chance * throws[after]
            if found.turn_over:
                ends[after] = ends.get(after, Fraction(0)) + chance
            elif after == marks:
                stays += chance
            else:
                buck += chance * bucks[after]
                for target, further in moves[after].items():
                    ends[target] = ends.get(target, Fraction(0)) + chance * further
        moves[marks] = {target: chance / (1 - stays) for target, chance in ends.items()}
        bucks[marks] = buck / (1 - stays)
        throws[marks] = needed / (1 - waits)
    return _Turn(moves, bucks, throws[0])


def _paid_extra(rules: Rules, bucks: Series, present: Series, players: int, loser: int) -> Fraction:
    """What the player of seat ``loser`` pays, on average, on top to those who left with a big buck."""
    if not rules.double:
        return Fraction(0)
    bucks_gone_before = sums_before(bucks)
    bucks_gone_after = bucks_gone_before.shifted()
    one = constant(Fraction(1))
    gone_before, gone_after = one.minus(present), one.minus(present.shifted())
    out = present.minus(present.shifted())
    paid = Fraction(0)
    earlier, later = loser, players - 1 - loser
    if earlier:
        others = [gone_after] * (earlier - 1) + [gone_before] * later
        paid += earlier * product_total(out, bucks_gone_after, *others)
    if later:
        others = [gone_after] * earlier + [gone_before] * (later - 1)
        paid += later * product_total(out, bucks_gone_before, *others)
    return paid
