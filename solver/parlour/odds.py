"""Results of a small game: figures and distributions, each with its quality, as data and as text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from solver.text import _

EXACT, CERTIFIED, ESTIMATED = "exact", "certified", "estimated"
"""Qualities of a number: a fraction; a decimal with a proven bound; a decimal without one."""

LONGEST_FRACTION = 44
"""Characters of a fraction that is shown in a line of text; a longer one is told in JSON only."""

Number = Fraction | float


class Figure(NamedTuple):
    """One number that is known about a game."""

    name: str
    """Its name in JSON."""
    sentence: str
    """What it is, for people."""
    value: Number
    """A fraction if it is exact."""
    bound: float = 0.0
    """The truth is no further away than this."""

    @property
    def quality(self) -> str:
        """How far the number can be trusted."""
        if isinstance(self.value, Fraction):
            return EXACT
        return CERTIFIED if self.bound > 0.0 else ESTIMATED

    def to_json(self) -> dict[str, Any]:
        """The figure as plain data."""
        return {"name": self.name, "meaning": self.sentence, **_number(self.value, self.bound)}


class Distribution(NamedTuple):
    """How likely each of several results is."""

    name: str
    sentence: str
    chances: Mapping[Any, Number]
    """From the result to its chance, in the order in which they are told."""
    rest: Number = Fraction(0)
    """Chance of all results that are not listed."""
    bound: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The distribution as plain data."""
        rows = [{"result": result, **_number(chance, self.bound)} for result, chance in self.chances.items()]
        return {"name": self.name, "meaning": self.sentence, "results": rows, "rest": _number(self.rest, self.bound)}


class Odds(NamedTuple):
    """Everything that is told about a game without a position."""

    figures: tuple[Figure, ...]
    distributions: tuple[Distribution, ...] = ()
    notes: tuple[str, ...] = ()
    """How the results were found, and what they do not cover."""

    def figure(self, name: str) -> Figure:
        """The figure of that name; KeyError if there is none."""
        for figure in self.figures:
            if figure.name == name:
                return figure
        raise KeyError(name)

    def to_json(self) -> dict[str, Any]:
        """The odds as plain data."""
        return {
            "figures": [figure.to_json() for figure in self.figures],
            "distributions": [distribution.to_json() for distribution in self.distributions],
            "notes": list(self.notes),
        }


def seat_figures(chances: list[Number], sentence: str, *, name: str = "win", bound: float = 0.0) -> tuple[Figure, ...]:
    """One figure for each seat; ``sentence`` has a place for the number of the seat, counted from 1."""
    return tuple(
        Figure(f"{name}_seat_{seat}", sentence.format(seat=seat), chance, bound)
        for seat, chance in enumerate(chances, 1)
    )


def spoken(value: Number, bound: float = 0.0) -> str:
    """A number as a person reads it: the fraction if it is short, and twelve decimals."""
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return str(value.numerator)
        fraction = f"{value.numerator}/{value.denominator}"
        decimal = f"{float(value):.12f}"
        return f"{fraction} = {decimal}" if len(fraction) <= LONGEST_FRACTION else decimal
    if bound > 0.0:
        return f"{value:.12f} (± {bound:.1e})"
    return f"{value:.6f} ({_('estimated')})"


def describe(odds: Odds) -> list[str]:
    """The odds as lines of text."""
    lines = []
    width = max((len(figure.sentence) for figure in odds.figures), default=0)
    for figure in odds.figures:
        lines.append(f"{figure.sentence:<{width}}  {spoken(figure.value, figure.bound)}")
    for distribution in odds.distributions:
        lines += ["", f"{distribution.sentence}:"]
        width = max(len(str(result)) for result in distribution.chances)
        for result, chance in distribution.chances.items():
            lines.append(f"  {result!s:>{width}}  {spoken(chance, distribution.bound)}")
        if distribution.rest:
            lines.append(f"  {_('all others')}  {spoken(distribution.rest, distribution.bound)}")
    if odds.notes:
        lines += ["", *odds.notes]
    return lines


def _number(value: Number, bound: float) -> dict[str, Any]:
    if isinstance(value, Fraction):
        return {"fraction": str(value), "decimal": float(value), "quality": EXACT, "bound": 0.0}
    if bound > 0.0:
        return {"decimal": value, "quality": CERTIFIED, "bound": bound}
    return {"decimal": value, "quality": ESTIMATED, "bound": None}
