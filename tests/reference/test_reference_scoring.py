"""Tests of the reference's scoring: worked examples and exact chances."""

from fractions import Fraction
from typing import Any

import pytest

from .rulesets import CLASSIC, FARKLE, Rules
from .scoring import holds
from .turn import throw_kinds


@pytest.mark.parametrize(
    ("throw", "held", "points"),
    [
        ((1, 1, 1, 2, 3), (1, 1, 1), 100),
        ((1, 1, 1, 1, 2), (1, 1, 1, 1), 200),
        ((1, 1, 1, 1, 1), (1, 1, 1, 1, 1), 1000),
        ((2, 2, 2, 3, 4), (2, 2, 2), 20),
        ((2, 2, 2, 2, 3), (2, 2, 2, 2), 40),
        ((2, 2, 2, 2, 2), (2, 2, 2, 2, 2), 200),
        ((3, 3, 3, 2, 4), (3, 3, 3), 30),
        ((3, 3, 3, 3, 2), (3, 3, 3, 3), 60),
        ((3, 3, 3, 3, 3), (3, 3, 3, 3, 3), 300),
        ((4, 4, 4, 2, 3), (4, 4, 4), 40),
        ((4, 4, 4, 4, 2), (4, 4, 4, 4), 80),
        ((4, 4, 4, 4, 4), (4, 4, 4, 4, 4), 400),
        ((5, 5, 5, 2, 3), (5, 5, 5), 50),
        ((5, 5, 5, 5, 2), (5, 5, 5, 5), 100),
        ((5, 5, 5, 5, 5), (5, 5, 5, 5, 5), 500),
        ((6, 6, 6, 2, 3), (6, 6, 6), 60),
        ((6, 6, 6, 6, 2), (6, 6, 6, 6), 120),
        ((6, 6, 6, 6, 6), (6, 6, 6, 6, 6), 600),
        ((1, 2, 3, 4, 6), (1,), 10),
        ((2, 3, 4, 4, 5), (5,), 5),
        ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5), 125),
        ((2, 3, 4, 5, 6), (2, 3, 4, 5, 6), 250),
        ((5, 1, 1, 2, 1), (1, 1, 1, 5), 105),
        ((1, 5, 5), (1, 5, 5), 20),
    ],
)
def test_classic_throw(throw: tuple[int, ...], held: tuple[int, ...], points: int) -> None:
    """The best-paying reading is held, with all its dice."""
    assert holds(throw, CLASSIC) == {held: points}


@pytest.mark.parametrize(("dice", "blank"), [(5, "25/324"), (4, "17/108"), (3, "5/18"), (2, "4/9"), (1, "2/3")])
def test_blank_chances(dice: int, blank: str) -> None:
    """The chance of a throw that brings nothing."""
    assert holds((2, 3, 4, 4, 6)[:dice], CLASSIC) == {}
    assert Fraction(throw_kinds(dice, CLASSIC)[frozenset()], 6**dice) == Fraction(blank)


def test_mean_of_the_first_throw() -> None:
    """Published as 59125/2592 without the straights, 73325/2592 with them."""
    kinds = throw_kinds(5, CLASSIC)
    total = sum(points * orders for held, orders in kinds.items() for points, _ in held)
    assert Fraction(total, 6**5) == Fraction(73325, 2592)


def with_combination(**extra: Any) -> Rules:
    """Farkle with one more combination."""
    return {**FARKLE, "combinations": {**FARKLE["combinations"], **extra}}


def test_any_hold_that_splits_wholly() -> None:
    """Fewer dice than all that score may be held, never a die that does not score."""
    expected = {(1,): 100, (5,): 50, (5, 5): 100, (1, 5): 150, (1, 5, 5): 200}
    expected |= {(5, 5, 5): 500, (1, 5, 5, 5): 600}
    assert holds((1, 2, 4, 5, 5, 5), FARKLE) == expected
    assert holds((2, 2, 2, 2, 6, 4), FARKLE) == {(2, 2, 2): 200}


@pytest.mark.parametrize(
    ("repeats", "throw", "points"),
    [
        ("never", (2, 2, 3, 3, 4, 4), 1500),
        ("never", (2, 2, 2, 2, 3, 3), None),
        ("four plus two", (2, 2, 2, 2, 3, 3), 1500),
        ("four plus two", (2, 2, 2, 2, 2, 2), 400),  # two triples
        ("any", (2, 2, 2, 2, 3, 3), 1500),
        ("any", (2, 2, 2, 2, 2, 2), 1500),
    ],
)
def test_three_pairs(repeats: str, throw: tuple[int, ...], points: int | None) -> None:
    """Which repeated pairs count."""
    rules = with_combination(three_pairs={"points": 1500, "repeats": repeats})
    assert holds(throw, rules).get(throw) == points


def test_two_triplets_are_of_two_faces() -> None:
    """Six equal dice are just two triples."""
    rules = with_combination(two_triplets={"points": 2500})
    assert holds((2, 4, 2, 4, 2, 4), rules)[2, 2, 2, 4, 4, 4] == 2500
    assert holds((2, 2, 2, 2, 2, 2), rules)[2, 2, 2, 2, 2, 2] == 400


def test_doublet() -> None:
    """Only for exactly two dice thrown, and only where they do not score more otherwise."""
    rules = {**CLASSIC, "combinations": {**CLASSIC["combinations"], "doublet": {"points": 0}}}
    assert holds((3, 3), rules) == {(3, 3): 0}
    assert holds((1, 1), rules) == {(1, 1): 20}
    assert holds((5, 3), rules) == {(5,): 5}
    assert holds((3, 3, 2), rules) == {}
    assert Fraction(throw_kinds(2, rules)[frozenset()], 36) == Fraction(1, 3)
