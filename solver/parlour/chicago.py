"""Chicago: round by round the dice must show 2, 3, ..., 12, worth so many points."""

from collections.abc import Iterator
from fractions import Fraction

from solver.parlour.chances import mean, sum_chances, variance
from solver.parlour.odds import Distribution, Figure, Odds, seat_figures
from solver.parlour.rules import ParlourRules, Seats
from solver.schema import Problem, key, one_of, whole
from solver.text import _

SEATS = Seats(2, 4, 2)


class Rules(ParlourRules):
    """Rules of Chicago: one round for each sum that the dice can show."""

    dice: int = key(whole(1, 2), _("Number of dice."), default=2)
    faces: int = key(whole(2, 6), _("Faces of a die."), default=6)
    who_scores: str = key(
        one_of("first hit", "one throw each"),
        _("Whether players throw in turn until one hits, who alone scores, or all throw once and every hit scores."),
        default="first hit",
    )
    begins: str = key(
        one_of("same player", "rotating"),
        _("Whether every round is begun by the same player, or each by the next."),
        default="same player",
    )


def problems(_rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys: there are none."""
    return iter(())


def target(rules: Rules, number: int) -> int:
    """The sum that round ``number`` (from 1) asks for, which is also what it is worth."""
    return rules.dice - 1 + number


def odds(rules: Rules, players: int) -> Odds:
    """The chance of each seat, and what it scores."""
    return _first_hit(rules, players) if rules.who_scores == "first hit" else _one_throw_each(rules, players)


def _first_hit(rules: Rules, players: int) -> Odds:
    chances = sum_chances([range(1, rules.faces + 1)] * rules.dice)
    expected = [Fraction(0)] * players
    ways, weight = {(0,) * players: 1}, Fraction(1)
    throws = Fraction(0)
    for number, (points, hit) in enumerate(chances.items()):
        throws += 1 / hit
        # Whole numbers with one common denominator are much faster than fractions.
        shares = [hit * (1 - hit) ** turn for turn in range(players)]
        common = sum(shares, Fraction(0))
        scale = hit.denominator**players
        weights = [int(share * scale) for share in shares]
        weight /= common * scale
        following: dict[tuple[int, ...], int] = {}
        shift = number if rules.begins == "rotating" else 0
        for seat in range(players):
            turn = (seat - shift) % players
            expected[seat] += points * shares[turn] / common
            for totals, count in ways.items():
                grown = (*totals[:seat], totals[seat] + points, *totals[seat + 1 :])
                following[grown] = following.get(grown, 0) + count * weights[turn]
        ways = following
    wins = [Fraction(0)] * players
    tied = 0
    by_total: dict[int, int] = {}
    for totals, count in ways.items():
        best = max(totals)
        winners = [seat for seat in range(players) if totals[seat] == best]
        tied += count if len(winners) > 1 else 0
        by_total[totals[0]] = by_total.get(totals[0], 0) + count
        for seat in winners:
            wins[seat] += Fraction(count, len(winners))
    return Odds(
        (
            *seat_figures([win * weight for win in wins], _("Chance of player {seat} to win, ties shared")),
            *seat_figures(list(expected), _("Points of player {seat}, on average"), name="points"),
            Figure("tie", _("Chance that several share the win"), tied * weight),
            Figure("expected_throws", _("Throws of all players together, on average"), throws),
        ),
        (
            Distribution(
                "total",
                _("Points of the first player"),
                {total: count * weight for total, count in sorted(by_total.items())},
            ),
        ),
    )


def _one_throw_each(rules: Rules, players: int) -> Odds:
    totals = {0: Fraction(1)}
    for points, hit in sum_chances([range(1, rules.faces + 1)] * rules.dice).items():
        following: dict[int, Fraction] = {}
        for total, chance in totals.items():
            following[total] = following.get(total, Fraction(0)) + chance * (1 - hit)
            following[total + points] = following.get(total + points, Fraction(0)) + chance * hit
        totals = following
    totals = dict(sorted(totals.items()))
    alone = below = Fraction(0)
    for chance in totals.values():
        alone += players * chance * below ** (players - 1)
        below += chance
    return Odds(
        (
            Figure("win_each_seat", _("Chance of each player to win, ties shared"), Fraction(1, players)),
            Figure("tie", _("Chance that several share the win"), 1 - alone),
            Figure("expected_total", _("Points of each player, on average"), mean(totals)),
            Figure("variance", _("Variance of these points"), variance(totals)),
            Figure("nothing_scored", _("Chance of a player to score nothing"), totals[0]),
        ),
        (Distribution("total", _("Points of a player"), totals),),
    )
