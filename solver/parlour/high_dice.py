"""High dice: the banker throws, and the punter must get more, with one throw or several."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from solver.parlour.answer import STAKES, Answer, Option, ranked
from solver.parlour.chances import sum_chances
from solver.parlour.odds import Distribution, Figure, Odds
from solver.parlour.position import read_facts, read_number, refuse
from solver.parlour.rules import ParlourRules, Seats
from solver.schema import Problem, flag, key, one_of, whole
from solver.text import _, plural

SEATS = Seats(2, 2, 2)
POSITION = ("vs", "state")


class Rules(ParlourRules):
    """Rules of high dice. Before each further throw the punter borrows one more stake."""

    dice: int = key(whole(1, 5), _("Number of dice of each."), default=2)
    faces: int = key(whole(2, 20), _("Faces of a die."), default=6)
    throws: int = key(whole(1, 20), _("Most throws of the punter."), default=1)
    gain: str = key(
        one_of("one stake", "as many stakes as throws"), _("What a punter wins who gets more."), default="one stake"
    )
    may_decline: bool = key(flag(), _("Whether the punter may pay instead of a further throw."), default=True)


class Plan(NamedTuple):
    """What the punter does against one sum of the banker after so many failed throws."""

    payoff: Fraction
    """Stakes won under best play from here."""
    throw: Fraction | None
    """The same if he throws again; None if he may not."""
    decline: Fraction | None
    """The same if he pays; None if he may not."""


def problems(_rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys: there are none."""
    return iter(())


def payoff(rules: Rules, banker: int, punter: Sequence[int]) -> int:
    """Stakes won by a punter who threw these sums against the banker's, and then stopped."""
    for number, total in enumerate(punter, 1):
        if total > banker:
            return number if rules.gain != "one stake" else 1
    return -len(punter)


def plan(rules: Rules, banker: int, failed: int) -> Plan:
    """The punter's best continuation after ``failed`` throws that were not enough."""
    chances = sum_chances([range(1, rules.faces + 1)] * rules.dice)
    higher = sum((chance for total, chance in chances.items() if total > banker), Fraction(0))
    return _plan(rules, higher, failed)


def _plan(rules: Rules, higher: Fraction, failed: int) -> Plan:
    throw = None
    if failed < rules.throws:
        won = Fraction(1 if rules.gain == "one stake" else failed + 1)
        throw = higher * won + (1 - higher) * _plan(rules, higher, failed + 1).payoff
    may_pay = failed == rules.throws or (failed > 0 and rules.may_decline)
    decline = Fraction(-failed) if may_pay else None
    return Plan(max(value for value in (throw, decline) if value is not None), throw, decline)


def odds(rules: Rules, _players: int) -> Odds:
    """The punter's payoff under best play, and up to which sum of the banker each further throw pays."""
    chances = sum_chances([range(1, rules.faces + 1)] * rules.dice)
    value = win = Fraction(0)
    by_banker: dict[int, Fraction] = {}
    last_sums: dict[int, int] = {}
    tail = Fraction(1)
    for banker, chance in chances.items():
        tail -= chance
        start = _plan(rules, tail, 0)
        by_banker[banker] = start.payoff
        value += chance * start.payoff
        missed = Fraction(1)
        for failed in range(rules.throws):
            found = _plan(rules, tail, failed)
            if found.throw != found.payoff:
                missed = Fraction(0)  # no throw that comes after this one is made
            elif failed:
                last_sums[failed + 1] = banker
            win += chance * missed * tail
            missed *= 1 - tail
    figures = [
        Figure("expected_payoff", _("Stakes won by the punter, on average"), value),
        Figure("win_probability", _("Chance of the punter to win"), win),
    ]
    if rules.may_decline:
        figures += [
            Figure(
                f"last_sum_for_throw_{number}",
                _("Highest sum of the banker against which throw {number} is taken").format(number=number),
                Fraction(last),
            )
            for number, last in last_sums.items()
        ]
    return Odds(
        tuple(figures),
        (Distribution("payoff_by_banker", _("Stakes won by the punter, by the banker's sum"), by_banker),),
    )


def advise(rules: Rules, ruleset: str, **stated: str) -> Answer:
    """Whether to throw again against the banker's sum, after failed throws. PositionError if that cannot be."""
    if "vs" not in stated:
        raise refuse("--vs", "", _("the sum of the banker"))
    banker = read_number("--vs", stated["vs"], rules.dice, rules.dice * rules.faces)
    failed = read_facts("--state", stated.get("state"), {"failed": (0, rules.throws)}).get("failed", 0)
    found = plan(rules, banker, failed)
    options = []
    if found.throw is not None:
        options.append(Option(_("Throw"), {"do": "throw"}, found.throw))
    if found.decline is not None:
        words = plural("Pay {count} stake", "Pay {count} stakes", failed)
        options.append(Option(words.format(count=failed), {"do": "pay"}, found.decline))
    heading = _("The banker has {banker}; {failed} of {throws} throws have failed.")
    return Answer(
        ruleset,
        rules,
        STAKES,
        {"banker": banker, "failed": failed},
        None,
        (heading.format(banker=banker, failed=failed, throws=rules.throws),),
        ranked(options),
        found.payoff,
    )
