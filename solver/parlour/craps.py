"""Craps: two dice; some sums win or lose at once, any other must come again before the seven."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from solver.parlour.chances import sum_chances
from solver.parlour.odds import Distribution, Figure, Odds
from solver.parlour.rules import ParlourRules, Seats, contradiction, numbers
from solver.schema import Problem, key, whole, whole_or
from solver.text import _

SEATS = Seats(1, 1, 1)
SUM = whole(2, 24)
LISTED_THROWS = 12


class Rules(ParlourRules):
    """Rules of craps. A first sum that neither wins nor loses is the point."""

    dice: int = key(whole(1, 2), _("Number of dice."), default=2)
    faces: int = key(whole(2, 12), _("Faces of a die."), default=6)
    win_sums: tuple[int, ...] = key(numbers(SUM, 23, "[7, 11]"), _("First sums that win."), default=(7, 11))
    lose_sums: tuple[int, ...] = key(numbers(SUM, 23, "[2, 3, 12]"), _("First sums that lose."), default=(2, 3, 12))
    seven: int = key(SUM, _("The sum that loses once there is a point."), default=7)
    barred: int | None = key(
        whole_or("none", 2, 24),
        _("First sum that loses for the shooter but does not win for who bets against him."),
        default=12,
    )


def problems(rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys."""
    possible = range(rules.dice, rules.dice * rules.faces + 1)
    allowed = _("sums from {low} to {high}").format(low=possible[0], high=possible[-1])
    for name in ("win_sums", "lose_sums"):
        if not set(getattr(rules, name)) <= set(possible):
            yield contradiction(name, list(getattr(rules, name)), allowed)
    if set(rules.win_sums) & set(rules.lose_sums):
        yield contradiction("lose_sums", list(rules.lose_sums), _("no sum that wins as well"))
    if rules.seven not in possible or rules.seven not in (*rules.win_sums, *rules.lose_sums):
        yield contradiction("seven", rules.seven, _("a sum that is never the point: one of win_sums or lose_sums"))
    if rules.barred is not None and rules.barred not in rules.lose_sums:
        yield contradiction("barred", rules.barred, _('one of lose_sums, or "none"'))


def play(rules: Rules, sums: Sequence[int]) -> str | None:
    """What a series of sums leads to: "win", "lose", or None where another throw must follow."""
    first, *later = sums
    if first in rules.win_sums:
        return "win"
    if first in rules.lose_sums:
        return "lose"
    for total in later:
        if total == first:
            return "win"
        if total == rules.seven:
            return "lose"
    return None


def odds(rules: Rules, _players: int) -> Odds:
    """The bet on the shooter, the bet against him, and how long both take."""
    chances = sum_chances([range(1, rules.faces + 1)] * rules.dice)
    seven = chances[rules.seven]
    points = {total: chance for total, chance in chances.items() if total not in (*rules.win_sums, *rules.lose_sums)}
    made = sum((chance * chance / (chance + seven) for chance in points.values()), Fraction(0))
    missed = sum((chance * seven / (chance + seven) for chance in points.values()), Fraction(0))
    win = sum((chances[total] for total in set(rules.win_sums)), Fraction(0)) + made
    lose = 1 - win
    pushed = chances[rules.barred] if rules.barred is not None else Fraction(0)
    throws = 1 + sum((chance / (chance + seven) for chance in points.values()), Fraction(0))
    figures = [
        Figure("win_probability", _("Chance of the shooter to win"), win),
        Figure("expected_payoff", _("Stakes won on the shooter, on average"), win - lose),
        Figure("against_win_probability", _("Chance to win against the shooter"), lose - pushed),
        Figure("against_push_probability", _("Chance of no result against the shooter"), pushed),
        Figure("against_expected_payoff", _("Stakes won against the shooter, on average"), lose - pushed - win),
        Figure(
            "against_expected_payoff_resolved",
            _("The same, of bets with a result"),
            (lose - pushed - win) / (1 - pushed),
        ),
        Figure("expected_throws", _("Throws to a result, on average"), throws),
    ]
    if missed:
        figures.append(
            Figure(
                "expected_throws_of_shooter", _("Throws until the shooter loses a point, on average"), throws / missed
            )
        )
    listed = _throw_chances(points, seven, LISTED_THROWS)
    return Odds(
        tuple(figures),
        (
            Distribution(
                "throws", _("Number of throws to a result"), dict(enumerate(listed, 1)), 1 - sum(listed, Fraction(0))
            ),
        ),
    )


def _throw_chances(points: dict[int, Fraction], seven: Fraction, most: int) -> list[Fraction]:
    """Chance that the result comes with throw 1, 2, ..., ``most``."""
    chances = [1 - sum(points.values(), Fraction(0))]
    for throw in range(2, most + 1):
        each = (chance * (1 - chance - seven) ** (throw - 2) * (chance + seven) for chance in points.values())
        chances.append(sum(each, Fraction(0)))
    return chances
