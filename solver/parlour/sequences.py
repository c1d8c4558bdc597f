"""Sequences that small Markov chains give, in closed form and exactly.

How likely it is that a player is still in after ``t`` turns is a sum of terms ``c * base**t * C(t, order)`` with
fractions ``c`` and ``base``, where ``C`` is the binomial coefficient. Sums, products and infinite series of such
sequences are again exact, and so are the chances of players who go their ways independently.

Source of the series: sum over t of x**t C(t, j) = x**j / (1 - x)**(j + 1), the negative binomial series.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb
from operator import add
from typing import NamedTuple

Term = tuple[Fraction, int]
"""Base and order."""


class Series(NamedTuple):
    """The sequence f(0), f(1), ... with f(t) = sum of coefficient * base**t * C(t, order)."""

    terms: Mapping[Term, Fraction]

    def plus(self, other: Series) -> Series:
        """The sum of the two sequences, element by element."""
        return _series([*self.terms.items(), *other.terms.items()])

    def minus(self, other: Series) -> Series:
        """The difference of the two sequences, element by element."""
        return self.plus(other.scaled(Fraction(-1)))

    def scaled(self, factor: Fraction) -> Series:
        """Every element times ``factor``."""
        return _series([(term, coefficient * factor) for term, coefficient in self.terms.items()])

    def shifted(self) -> Series:
        """The sequence without its first element."""
        found = []
        for (base, order), coefficient in self.terms.items():
            found.append(((base, order), coefficient * base))
            if order:
                found.append(((base, order - 1), coefficient * base))
        return _series(found)

    def at(self, index: int) -> Fraction:
        """The element of that index, from 0."""
        values = (coefficient * base**index * comb(index, order) for (base, order), coefficient in self.terms.items())
        return sum(values, Fraction(0))


def constant(value: Fraction) -> Series:
    """The sequence of one value for ever."""
    return _series([((Fraction(1), 0), value)])


def recurrence(first: Fraction, factor: Fraction, added: Series) -> Series:
    """The sequence u with u(0) = ``first`` and u(t + 1) = ``factor`` u(t) + added(t)."""
    found: list[tuple[Term, Fraction]] = []
    start = first
    for (base, order), coefficient in added.terms.items():
        if base == factor:
            # Here the added term resonates: factor**(t - 1) C(t, order + 1) solves the equation, from 0 on.
            found.append(((base, order + 1), coefficient / factor))
            continue
        particular = coefficient / (base - factor)
        for lower in range(order, -1, -1):
            found.append(((base, lower), particular))
            if lower == 0:
                start -= particular
            particular *= -base / (base - factor)
    return _series([*found, ((factor, 0), start)])


def occupancy(moves: Sequence[Mapping[int, Fraction]], start: int = 0) -> list[Series]:
    """How likely a player is in each state after t turns of his own.

    ``moves[state]`` gives the chance of each state after a turn, none of them lower; what is missing to 1 is the
    chance that he gets out. ValueError if a turn goes back.
    """
    arrivals = [_series([]) for _state in moves]
    present = []
    for state, row in enumerate(moves):
        here = recurrence(Fraction(int(state == start)), row.get(state, Fraction(0)), arrivals[state])
        present.append(here)
        for target, chance in row.items():
            if target < state:
                raise ValueError("states must be in an order that no turn goes back")
            if target > state:
                arrivals[target] = arrivals[target].plus(here.scaled(chance))
    return present


def summed(parts: Iterable[Series]) -> Series:
    """The sum of sequences, element by element."""
    return _series([term for part in parts for term in part.terms.items()])


def sums_before(part: Series) -> Series:
    """The sequence of sums of all elements before the t-th; no base of ``part`` may be 1."""
    return recurrence(Fraction(0), Fraction(1), part)


def product_total(*factors: Series) -> Fraction:
    """The sum over all t of the product of sequences; ValueError if it is not finite.

    The polynomial of each base is multiplied point by point, and summed through its forward differences at 0.
    """
    degree = sum(max((order for _base, order in factor.terms), default=0) for factor in factors)
    points = range(degree + 1)
    product: dict[Fraction, list[Fraction]] = {Fraction(1): [Fraction(1) for _point in points]}
    for factor in factors:
        polynomials: dict[Fraction, list[Fraction]] = {}
        for (base, order), coefficient in factor.terms.items():
            values = polynomials.setdefault(base, [Fraction(0) for _point in points])
            for point in range(order, degree + 1):
                values[point] += coefficient * comb(point, order)
        following: dict[Fraction, list[Fraction]] = {}
        for base, values in product.items():
            for other, others in polynomials.items():
                grown = [value * another for value, another in zip(values, others, strict=True)]
                known = following.get(base * other)
                following[base * other] = grown if known is None else list(map(add, known, grown))
        product = following
    return sum((_series_total(base, values) for base, values in product.items()), Fraction(0))


def first_out(present: Series, players: int) -> list[Fraction]:
    """Chance of each seat to be out first, when all take turns and go alike but independently."""
    after = present.shifted()
    out = present.minus(after)
    return [product_total(out, *[after] * seat, *[present] * (players - 1 - seat)) for seat in range(players)]


def last_out(leaving: Series, present: Series, players: int) -> list[Fraction]:
    """Chance of each seat to leave in the way of ``leaving`` and after all others.

    ``leaving`` holds the chance to get out in that way with turn t + 1; ``present`` is the chance to be in after t
    turns.
    """
    one = constant(Fraction(1))
    before, after = one.minus(present), one.minus(present.shifted())
    return [product_total(leaving, *[after] * seat, *[before] * (players - 1 - seat)) for seat in range(players)]


def _series_total(base: Fraction, values: list[Fraction]) -> Fraction:
    """Sum over all t of base**t times the polynomial that takes ``values`` at 0, 1, ..."""
    if not any(values):
        return Fraction(0)
    if not -1 < base < 1:
        raise ValueError("the series does not converge")
    total, ratio, weight = Fraction(0), base / (1 - base), 1 / (1 - base)
    while values:
        total += values[0] * weight
        weight *= ratio
        values = [after - before for before, after in pairwise(values)]
    return total


def _series(terms: list[tuple[Term, Fraction]]) -> Series:
    merged: dict[Term, Fraction] = {}
    for term, coefficient in terms:
        merged[term] = merged.get(term, Fraction(0)) + coefficient
    return Series({term: coefficient for term, coefficient in merged.items() if coefficient})
