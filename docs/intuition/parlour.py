"""Checks of claims about small games: exact fractions."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache

from docs.intuition.findings import Case
from solver.families import load_rules
from solver.parlour.family import odds
from solver.parlour.odds import Odds
from solver.parlour.rules import ParlourRules


@cache
def odds_of(name: str, players: int | None = None) -> Odds:
    """All that is told about a game."""
    rules = load_rules(name)
    assert isinstance(rules, ParlourRules)
    return odds(rules, players)


def exact(name: str, figure: str, players: int | None = None) -> Fraction:
    """A figure that is a fraction."""
    value = odds_of(name, players).figure(figure).value
    assert isinstance(value, Fraction)
    return value


def grows(rulesets: list[str], figure: str) -> Iterator[Case]:
    """Whether a figure is larger in each game than in the one before it, and changes its sign on the way."""
    values = [exact(name, figure) for name in rulesets]
    meaning = odds_of(rulesets[0]).figure(figure).sentence
    for (name, less), (after, more) in zip(
        zip(rulesets, values, strict=True), list(zip(rulesets, values, strict=True))[1:], strict=False
    ):
        yield Case(f"{after} after {name}", more > less,
                   f"{meaning}: in {name} {less} = {float(less):+.4f}, in {after} {more} = {float(more):+.4f}")  # fmt: skip


def above(ruleset: str, figure: str, least: str) -> Iterator[Case]:
    """Whether a figure exceeds a number."""
    value = exact(ruleset, figure)
    yield Case("it", value > Fraction(least),
               f"{odds_of(ruleset).figure(figure).sentence}: {value} = {float(value):.6f}")  # fmt: skip


def result_within(ruleset: str, result: int, least: str, most: str) -> Iterator[Case]:
    """Whether one of the results that are listed has a chance within a range."""
    chance = odds_of(ruleset).distributions[0].chances[result]
    assert isinstance(chance, Fraction)
    yield Case("it", Fraction(least) <= chance <= Fraction(most),
               f"{odds_of(ruleset).distributions[0].sentence}, {result}: {chance} = {100 * float(chance):.3f} "
               f"%")  # fmt: skip


def rounded_chance(ruleset: str, figure: str, percent: str) -> Iterator[Case]:
    """Whether a chance is the percentage that is claimed, to the digits that it is claimed with."""
    value = 100 * exact(ruleset, figure)
    digits = len(percent.partition(".")[2])
    yield Case("it", round(float(value), digits) == float(percent), f"{value / 100} = {float(value):.4f} %, "
               f"claimed are {percent} %")  # fmt: skip


def stops_early(ruleset: str, players: list[int], least: str) -> Iterator[Case]:
    """Whether the first player stops before his last throw with at least such a share of first throws."""
    for number in players:
        found = odds_of(ruleset, number)
        stops = {figure.name: figure.value for figure in found.figures if figure.name.startswith("stop_after")}
        first = Fraction(stops["stop_after_throw_1"])
        told = ", ".join(f"after throw {name.rpartition('_')[2]} {value} = {100 * float(value):.1f} %" for name, value in stops.items())  # fmt: skip
        yield Case(f"{number} players", first >= Fraction(least),
                   f"{number} players: hands of five fresh dice that are worth a stop: {told}")  # fmt: skip


CHECKS: dict[str, Callable[..., Iterator[Case]]] = {
    check.__name__: check for check in (grows, above, result_within, rounded_chance, stops_early)
}
"""By name, as the files of claims have them."""
