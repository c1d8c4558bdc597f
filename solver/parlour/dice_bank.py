"""Bank on dice: a stake on one number, paid by how many dice show it."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from solver.parlour.chances import count_chances, mean, variance
from solver.parlour.odds import Distribution, Figure, Odds
from solver.parlour.rules import ParlourRules, Seats, contradiction, numbers
from solver.schema import Problem, key, whole
from solver.text import _

SEATS = Seats(1, 1, 1)


class Rules(ParlourRules):
    """Rules of the bank. The number staked on does not matter."""

    dice: int = key(whole(1, 20), _("Number of dice."), default=3)
    faces: int = key(whole(2, 100), _("Faces of a die, numbered from 1."), default=6)
    pays: tuple[int, ...] = key(
        numbers(whole(-1000, 1000), 20, "[1, 2, 3]"),
        _("Stakes won with one die on the number, with two, and so on; without any the stake is lost."),
        default=(1, 2, 3),
    )


def problems(rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys."""
    if len(rules.pays) != rules.dice:
        allowed = _("{dice} numbers, one for each number of dice").format(dice=rules.dice)
        yield contradiction("pays", list(rules.pays), allowed)


def payoff(rules: Rules, number: int, throw: Sequence[int]) -> int:
    """Stakes won by a punter who staked on ``number``."""
    count = sum(face == number for face in throw)
    return rules.pays[count - 1] if count else -1


def odds(rules: Rules, _players: int) -> Odds:
    """What a stake is worth."""
    counts = count_chances(rules.dice, Fraction(1, rules.faces))
    payoffs: dict[int, Fraction] = {}
    for won, chance in zip((-1, *rules.pays), counts, strict=True):
        payoffs[won] = payoffs.get(won, Fraction(0)) + chance
    value = mean(payoffs)
    return Odds(
        (
            Figure("win_probability", _("Chance that any die shows the number"), 1 - counts[0]),
            Figure("expected_payoff", _("Stakes won, on average"), value),
            Figure("house_edge", _("What the bank keeps of a stake, on average"), -value),
            Figure("variance", _("Variance of the stakes won"), variance(payoffs)),
        ),
        (Distribution("dice_on_number", _("Dice that show the number"), dict(enumerate(counts))),),
    )
