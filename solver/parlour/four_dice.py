"""Four dice: the first player wins if enough of the dice show one face."""

from collections.abc import Iterator
from fractions import Fraction

from solver.parlour.chances import count_chances
from solver.parlour.odds import Distribution, Figure, Odds
from solver.parlour.rules import ParlourRules, Seats, contradiction
from solver.schema import Problem, key, whole
from solver.text import _

SEATS = Seats(2, 2, 2)


class Rules(ParlourRules):
    """Rules of four dice."""

    dice: int = key(whole(1, 20), _("Number of dice."), default=4)
    faces: int = key(whole(2, 100), _("Faces of a die."), default=6)
    needed: int = key(whole(1, 20), _("Number of dice that must show the face."), default=1)


def problems(rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys."""
    if rules.needed > rules.dice:
        yield contradiction("needed", rules.needed, _("at most {dice}, the number of dice").format(dice=rules.dice))


def odds(rules: Rules, _players: int) -> Odds:
    """The chance of either player."""
    counts = count_chances(rules.dice, Fraction(1, rules.faces))
    win = sum(counts[rules.needed :], Fraction(0))
    return Odds(
        (
            Figure("win_seat_1", _("Chance of the first player to win"), win),
            Figure("win_seat_2", _("Chance of the second player to win"), 1 - win),
            Figure("expected_payoff", _("Stakes won by the first player, on average"), 2 * win - 1),
        ),
        (Distribution("dice_on_face", _("Dice that show the face"), dict(enumerate(counts))),),
    )
