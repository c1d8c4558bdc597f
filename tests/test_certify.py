"""The proof of the error bound: good values pass, and what passes is true."""

from collections.abc import Iterator
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games import Data, coin, pig, rules_from, shipped_table, solved
from hypothesis import given, settings
from hypothesis import strategies as st

import solver
from solver.certify import Certificate, Values, certify_turns, certify_win
from solver.errors import ConvergenceError, RulesetError
from solver.families import load_rules
from solver.library import find_table
from solver.race.model import compile_race
from solver.race.rules import OBJECTIVES
from solver.race.solve import certify, first_guess, solve
from solver.race.sweep import Sweep, sweeper
from solver.race.tables import make_table
from solver.schema import write_section
from solver.table import Table

TOLERANCE = 1e-9
ROUNDING = 1e-15
"""More than the operators written out below can be off by."""

# ---- Piglet to two, by hand ----

# Nobody stops before the goal: a turn wins with 1/4 from 0 and 1/2 from 1, and changes nothing otherwise.
CHANCES = {(0, 0): Fraction(4, 7), (0, 1): Fraction(2, 5), (1, 0): Fraction(4, 5), (1, 1): Fraction(2, 3)}
EXACT = np.array([[float(CHANCES[mine, other]) for other in range(2)] for mine in range(2)])
WEIGHTS = np.array([[4.0, 2.8], [2.4, 2.0]])
"""Turns still to come: w(mover, waiter) = 1 + (1 - chance) w(waiter, mover)."""
TURNS = np.array([4.0, 2.0])


def piglet(values: Values, _kept: Values) -> Values:
    """One turn of Piglet to two: by scores of the mover and the waiter, the chance to win."""
    found = np.empty_like(values)
    for other in range(2):
        bust = 1.0 - values[other]  # by the mover's score, which stays
        stop = 1.0 - values[other, 1]  # with one point
        throw = (bust + 1.0) / 2.0
        found[0, other] = (bust[0] + max(stop, throw[0])) / 2.0
        found[1, other] = throw[1]
    return found


def piglet_alone(turns: Values) -> Values:
    """The same alone: turns to go, this one included."""
    return 1.0 + np.array([turns[0] + min(turns[1], turns[0] / 2.0), turns[1]]) / 2.0


def prove(values: Any, weights: Any = WEIGHTS, tolerance: float = TOLERANCE) -> Certificate | None:
    return certify_win(piglet, np.array(values), np.array(weights), ROUNDING, tolerance)


def is_true(values: Values, bound: float) -> bool:
    """Whether the bound holds, in exact arithmetic."""
    return all(abs(Fraction(float(values[state])) - exact) <= Fraction(bound) for state, exact in CHANCES.items())


def test_the_solution_by_hand_is_a_fixed_point() -> None:
    assert piglet(EXACT, EXACT) == pytest.approx(EXACT, abs=ROUNDING)
    assert piglet_alone(TURNS) == pytest.approx(TURNS, abs=ROUNDING)


def test_good_chances_are_proven_within_the_tolerance() -> None:
    found = prove(EXACT)
    assert found is not None
    assert 0.0 < found.bound <= TOLERANCE
    assert found.margin > 0.0
    assert is_true(EXACT, found.bound)


def test_good_turns_are_proven_within_the_tolerance() -> None:
    found = certify_turns(piglet_alone, TURNS, ROUNDING, TOLERANCE)
    assert found is not None
    assert 0.0 < found.bound <= TOLERANCE
    assert found.margin > 0.0


def led_on(turns: Values) -> Values:
    """A state from which a turn surely leads to another at no cost, where half of the turns bring the end."""
    return np.array([turns[1], 1.0 + 0.5 * turns[1]])


def test_turns_that_surely_cost_nothing_are_proven_by_weights_that_count_them() -> None:
    turns = np.array([2.0, 2.0])
    assert certify_turns(led_on, turns, ROUNDING, TOLERANCE) is None
    found = certify_turns(led_on, turns, ROUNDING, TOLERANCE, turns + 0.1 * np.array([3.0, 2.0]))
    assert found is not None
    assert 0.0 < found.bound <= TOLERANCE


@pytest.mark.parametrize("state", sorted(CHANCES))
@pytest.mark.parametrize("shift", [1e-6, -1e-6, 2e-9, -2e-9])
def test_one_wrong_chance_is_not_proven(state: tuple[int, int], shift: float) -> None:
    values = EXACT.copy()
    values[state] += shift
    assert prove(values) is None


@pytest.mark.parametrize("state", [0, 1])
@pytest.mark.parametrize("shift", [1e-6, -1e-6, 2e-9, -2e-9])
def test_one_wrong_number_of_turns_is_not_proven(state: int, shift: float) -> None:
    turns = TURNS.copy()
    turns[state] += shift
    assert certify_turns(piglet_alone, turns, ROUNDING, TOLERANCE) is None


@given(
    shifts=st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4),
    size=st.sampled_from([0.0, 1e-12, 1e-9, 1e-6, 1e-3, 1.0]),
    weights=st.lists(st.floats(-1.0, 100.0) | st.floats(), min_size=4, max_size=4),
    tolerance=st.floats(1e-12, 2.0),
)
def test_no_weights_prove_what_is_false(
    shifts: list[float], size: float, weights: list[float], tolerance: float
) -> None:
    values = EXACT + size * np.reshape(shifts, (2, 2))
    found = prove(values, np.reshape(weights, (2, 2)), tolerance)
    if found is not None:
        assert found.bound <= tolerance
        assert is_true(values, found.bound)


@given(
    shifts=st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=2),
    size=st.sampled_from([0.0, 1e-12, 1e-9, 1e-6, 1e-3, 1.0]),
    weights=st.none() | st.lists(st.floats(-1.0, 100.0) | st.floats(), min_size=2, max_size=2),
    tolerance=st.floats(1e-12, 2.0),
)
def test_no_false_turns_are_proven(
    shifts: list[float], size: float, weights: list[float] | None, tolerance: float
) -> None:
    turns = TURNS + size * np.array(shifts)
    found = certify_turns(piglet_alone, turns, ROUNDING, tolerance, None if weights is None else np.array(weights))
    if found is not None:
        assert found.bound <= tolerance
        errors = [abs(Fraction(float(turns[score])) - exact) for score, exact in ((0, 4), (1, 2))]
        assert max(errors) <= Fraction(found.bound)


@pytest.mark.parametrize("bad", [nan, inf, -inf, 1e308, -1e308, 5.0])
def test_numbers_that_are_no_chances_are_not_proven(bad: float) -> None:
    values = EXACT.copy()
    values[1, 0] = bad
    assert prove(values) is None


@pytest.mark.parametrize("bad", [nan, inf, -1.0, -1e-300])
def test_numbers_that_are_no_turns_are_not_proven(bad: float) -> None:
    assert certify_turns(piglet_alone, np.array([4.0, bad]), ROUNDING, TOLERANCE) is None


@pytest.mark.parametrize("bad", [nan, inf, -inf, 0.0, -1.0])
def test_weights_that_are_not_positive_prove_nothing(bad: float) -> None:
    weights = WEIGHTS.copy()
    weights[0, 1] = bad
    assert prove(EXACT, weights) is None


DECIDED, WAITING = np.array([1.0, 0.0]), np.array([1.0, 2.0])
"""Of a match that is as good as won: chances of the leader to move and of the other one, and weights."""


def decided(values: Values, _kept: Values) -> Values:
    """One turn of that match: the leader wins, or waits for as long as he likes; the other one can do nothing."""
    return np.array([max(1.0, 1.0 - values[1]), 1.0 - values[0]])


def undecided(values: Values, _kept: Values) -> Values:
    """The same if the leader cannot win either."""
    return np.array([1.0 - values[1], 1.0 - values[0]])


def test_a_decided_match_is_proven_though_its_end_can_be_put_off() -> None:
    assert certify_win(decided, DECIDED, WAITING, ROUNDING, TOLERANCE) is not None


@pytest.mark.parametrize("weights", [WAITING, WAITING[::-1], np.ones(2)])
def test_a_match_that_cannot_end_is_not_proven_decided(weights: Values) -> None:
    assert certify_win(undecided, DECIDED, weights, ROUNDING, TOLERANCE) is None


def test_nothing_is_proven_of_nothing() -> None:
    assert certify_win(piglet, np.empty((0, 0)), np.empty((0, 0)), ROUNDING, TOLERANCE) is None
    assert certify_turns(piglet_alone, np.empty(0), ROUNDING, TOLERANCE) is None


@pytest.mark.parametrize("tolerance", [0.0, -1.0, 1e-16, nan])
def test_a_tolerance_below_the_rounding_cannot_be_proven(tolerance: float) -> None:
    assert prove(EXACT, tolerance=tolerance) is None
    assert certify_turns(piglet_alone, TURNS, ROUNDING, tolerance) is None


# ---- the solver's own proofs ----


@pytest.fixture(scope="module")
def pig_sweep() -> Iterator[Sweep]:
    with sweeper(compile_race(solver.load_rules("pig"), 2), "win", 1) as sweep:
        yield sweep


SHIPPED_PIG = solver.read_table(shipped_table("pig.win"))


@settings(max_examples=30)
@given(place=st.integers(0, 99_99), shift=st.sampled_from([1e-6, -1e-6]))
def test_one_corrupted_value_of_the_shipped_pig_is_found(pig_sweep: Sweep, place: int, shift: float) -> None:
    values = np.array(SHIPPED_PIG.values)
    assert certify(pig_sweep, values, None, SHIPPED_PIG.info.bound * 1.001) is not None
    values.flat[place] += shift
    assert certify(pig_sweep, values, None, 1e-9) is None


@settings(max_examples=20)
@given(place=st.integers(0, 99), shift=st.sampled_from([1e-6, -1e-6]))
def test_one_corrupted_value_of_pig_alone_is_not_verified(place: int, shift: float) -> None:
    table = solver.read_table(shipped_table("pig.turns"))
    values = np.array(table.values)
    values[place] += shift
    assert solver.verify_table(table) is not None
    assert solver.verify_table(Table(table.info, table.states, values.data)) is None


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), size=st.sampled_from([1e-12, 1e-10, 1e-8, 1e-4]), tolerance=st.floats(1e-11, 1e-3))
def test_no_shifted_values_of_a_real_game_are_proven_falsely(seed: int, size: float, tolerance: float) -> None:
    model = compile_race(pig(8), 2)
    truth = solve(model, "win", tolerance=1e-11, threads=1)
    random = np.random.default_rng(seed)
    values = truth.values + size * random.uniform(-1.0, 1.0, truth.values.shape)
    with sweeper(model, "win", 1) as sweep:
        weights = random.uniform(0.1, 10.0, values.shape)
        found = certify_win(sweep.operator, values, weights, sweep.rounding(2.0), tolerance)
    if found is not None:
        assert found.bound <= tolerance
        assert np.abs(values - truth.values).max() <= found.bound + truth.bound


def test_the_proven_interval_of_a_solve_holds_the_exact_chances() -> None:
    solution = solved(rules_from(coin(2)), "win")
    assert is_true(solution.values, solution.bound)


# ---- solving ----

GAMES: list[tuple[Data, str]] = [
    (coin(12), "win"),
    (coin(6, overtaking={"fine": 2}, bolts={"limit": 2, "fine": 2}), "win"),
    (coin(3, barrel={"start": 2, "attempts": 2, "fine": 1, "falls": 2}), "win"),
    (coin(12, bolts={"limit": 3, "fine": 2}), "turns"),
    (coin(12), "points"),
]


@pytest.mark.parametrize(("data", "objective"), GAMES)
def test_the_number_of_threads_does_not_change_a_bit(data: Data, objective: str) -> None:
    one, *others = (solved(rules_from(data), objective, threads) for threads in (1, 2, 3))
    for other in others:
        assert other.values.tobytes() == one.values.tobytes()
        assert (other.bound, other.rounds) == (one.bound, one.rounds)


@pytest.mark.parametrize("name", ["thousand-classic", "thousand-raznoobrazie-extra-turn"])
def test_the_number_of_threads_does_not_change_a_bit_of_a_correction(name: str) -> None:
    """In games of several blocks of match states; in the first, attacks lead from one block to another."""
    model, found = compile_race(solver.load_rules(name), 2), []
    for threads in (1, 2, 3):
        with sweeper(model, "win", threads) as sweep:
            guess = first_guess(model, "win", threads)
            residual, plans = sweep.plan(guess, 1e-3)
            assert plans.blocks > 1
            found.append([sweep.relaxed(plans, residual, -1.0, 1e-3)[0].tobytes() for _again in range(3)])
    assert found[0] == found[1] == found[2]


def test_the_number_of_threads_does_not_change_a_bit_of_pig() -> None:
    one, *others = (solved(pig(60), "win", threads).values.tobytes() for threads in (1, 2, 3))
    assert others == [one, one]


FINED = rules_from(coin(12, bolts={"limit": 2, "fine": 3}))
"""A game that has no order, so that it is solved in rounds."""


@pytest.mark.parametrize("objective", ["win", "turns"])
def test_too_few_rounds_are_an_error_and_leave_no_table(objective: str, cache: Path) -> None:
    model = compile_race(FINED, OBJECTIVES[objective])

    def make() -> Table:
        return make_table(model, solve(model, objective, most_rounds=1))

    with pytest.raises(ConvergenceError, match=r"^no convergence after 1 rounds?; the residual is still \S+$"):
        find_table(FINED, objective, solve=make)
    assert not cache.exists()


def test_a_tolerance_that_cannot_be_proven_is_an_error() -> None:
    with pytest.raises(ConvergenceError):
        solve(compile_race(pig(10), 2), "win", tolerance=1e-17, threads=1)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-11])
def test_the_bound_of_a_solve_is_not_above_its_tolerance(tolerance: float) -> None:
    exact = solved(pig(10), "win").values
    solution = solve(compile_race(pig(10), 2), "win", tolerance=tolerance, threads=1)
    assert solution.bound <= tolerance
    assert np.abs(solution.values - exact).max() <= solution.bound + TOLERANCE


@pytest.mark.parametrize("objective", ["win", "turns"])
def test_a_game_that_nobody_can_win_is_an_error(objective: str) -> None:
    # Heads count two, and an odd goal must be hit.
    endless = coin(3, combinations={"single": {"2": 2}}, match={"target": 3, "step": 1, "finish": "exactly"})
    with pytest.raises(RulesetError, match="can never win"):
        solved(rules_from(endless), objective)


@pytest.mark.parametrize(("players", "objective"), [(1, "win"), (2, "turns"), (2, "points")])
def test_a_model_for_another_number_of_players_is_refused(players: int, objective: str) -> None:
    with pytest.raises(ValueError, match="needs a model for"):
        solve(compile_race(pig(10), players), objective)


def test_progress_is_told_once_a_round() -> None:
    told: list[tuple[int, float]] = []
    solution = solve(compile_race(FINED, 2), "win", progress=lambda *news: told.append(news))
    assert [number for number, _residual in told] == list(range(1, solution.rounds + 1))
    # The last correction is not measured any more: the proof tells how good it is.
    assert told[-1][1] < 1e-6 < told[0][1]


def test_where_matches_are_too_long_for_the_usual_bound_the_next_best_is_proven() -> None:
    # Whoever must open with 1000 of a race to 1000 needs thousands of turns.
    stated = write_section(load_rules("thousand-classic"))
    model = compile_race(rules_from({**stated, "opening": {**stated.get("opening", {}), "points": 1000}}), 1)
    solution = solve(model, "turns")
    assert solution.values[0] > 5000
    assert 1e-9 < solution.bound < 1e-6 * solution.values[0]
    with sweeper(model, "turns") as sweep:
        assert certify(sweep, sweep.inner(solution.values), None, solution.bound)
    with pytest.raises(ConvergenceError, match="no error bound of 1e-09 could be proven"):
        solve(model, "turns", tolerance=1e-9)
