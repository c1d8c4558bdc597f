"""Closed forms of sequences: what they say is what adding up element by element gives."""

from fractions import Fraction
from math import isclose, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.parlour.chances import solve_exactly
from solver.parlour.sequences import (
    Series,
    first_out,
    last_out,
    occupancy,
    product_total,
    recurrence,
    summed,
    sums_before,
)

BASES = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1, 3), Fraction(-1, 4), Fraction(2, 3)])
SERIES = st.dictionaries(
    st.tuples(BASES, st.integers(0, 2)), st.integers(-3, 3).map(Fraction), min_size=1, max_size=3
).map(Series)
FACTORS = st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)])


@given(SERIES)
def test_a_shifted_series_begins_with_the_second_element(series: Series) -> None:
    assert [series.shifted().at(index) for index in range(6)] == [series.at(index + 1) for index in range(6)]


@given(st.integers(-2, 2).map(Fraction), FACTORS, SERIES)
def test_a_recurrence_holds_at_every_step(first: Fraction, factor: Fraction, added: Series) -> None:
    found = recurrence(first, factor, added)
    value = first
    for index in range(8):
        assert found.at(index) == value
        value = factor * value + added.at(index)


@given(SERIES)
def test_sums_before_add_up_all_elements_before(series: Series) -> None:
    found = sums_before(series)
    assert [found.at(index) for index in range(6)] == [
        sum((series.at(before) for before in range(index)), Fraction(0)) for index in range(6)
    ]


@given(st.lists(SERIES, min_size=1, max_size=3))
def test_the_total_of_a_product_is_the_sum_of_products(factors: list[Series]) -> None:
    summed_up = sum(float(prod(factor.at(index) for factor in factors)) for index in range(200))
    assert isclose(product_total(*factors), summed_up, rel_tol=1e-9, abs_tol=1e-9)


def test_a_series_that_has_no_sum_is_refused() -> None:
    with pytest.raises(ValueError, match="converge"):
        product_total(Series({(Fraction(1), 0): Fraction(1)}))


@st.composite
def chains(draw: st.DrawFn) -> list[dict[int, Fraction]]:
    """Chances of the states after a turn, from each of three states; none goes back, and some chance is left to end."""
    rows = []
    for state in range(3):
        ways = {target: draw(st.integers(1, 4)) for target in range(state, 3)}
        total = sum(ways.values()) + draw(st.integers(1, 4))
        rows.append({target: Fraction(count, total) for target, count in ways.items()})
    return rows


@given(chains(), st.integers(2, 4))
def test_seats_share_the_chance_to_be_first_and_to_be_last(moves: list[dict[int, Fraction]], players: int) -> None:
    present = summed(occupancy(moves))
    first = first_out(present, players)
    last = last_out(present.minus(present.shifted()), present, players)
    assert sum(first) == sum(last) == 1
    assert first == sorted(first, reverse=True)
    assert last == sorted(last)


def test_linear_equations_are_solved_exactly() -> None:
    matrix = [[Fraction(0), Fraction(2)], [Fraction(3), Fraction(1)]]
    assert solve_exactly(matrix, [[Fraction(4)], [Fraction(5)]]) == [[Fraction(1)], [Fraction(2)]]
    with pytest.raises(ZeroDivisionError):
        solve_exactly([[Fraction(0)]], [[Fraction(1)]])
