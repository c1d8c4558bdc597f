"""Matches that may stand still: bounds from both sides instead of a certificate."""

from pathlib import Path

import numpy as np
import pytest
from games import pig, rules_from

import solver
from solver.race.bracket import STILL, Bracket, bracket
from solver.race.model import compile_race
from solver.race.rules import RaceRules
from solver.race.solve import Solution, solve
from solver.race.sweep import sweeper
from solver.race.tables import make_table, verify_table
from solver.race.wording import describe
from solver.table import Table, read_table, write_table

WAITING = rules_from(
    {
        "dice": {"count": 1, "faces": 2, "hot_dice": "may"},
        "combinations": {"single": {"2": 1}},
        "match": {"target": 6},
        "barrel": {"start": 4, "attempts": 2, "fine": 1, "falls": 2},
    }
)
"""Who comes onto the barrel throws the other off it, so both wait before it."""


def bracketed(rules: RaceRules) -> Bracket:
    with sweeper(compile_race(rules, 2), "win", 1) as sweep:
        return bracket(sweep)


@pytest.fixture(scope="module")
def waiting() -> tuple[Solution, Table]:
    model = compile_race(WAITING, 2)
    solution = solve(model, "win")
    return solution, make_table(model, solution)


def test_a_game_that_ends_is_bracketed_to_its_value() -> None:
    truth = solve(compile_race(pig(30), 2), "win")
    found = bracketed(pig(30))
    assert (found.lower <= truth.values + truth.bound).all()
    assert (found.upper >= truth.values - truth.bound).all()
    assert float((found.upper - found.lower).max()) < 1e3 * STILL


def test_bounds_hold_for_every_number_of_turns() -> None:
    # Whoever is promised more than the lower bound after n turns, and less than the upper, is promised it for good.
    model = compile_race(WAITING, 2)
    found = bracketed(WAITING)
    with sweeper(model, "win", 1) as sweep:
        lower, upper = np.zeros(sweep.shape), np.ones(sweep.shape)
        for _turn in range(60):
            lower, upper = sweep.operator(upper), sweep.operator(lower)
            assert (lower <= found.lower + STILL).all()
            assert (upper >= found.upper - STILL).all()


def test_whatever_endless_play_counts_the_truth_lies_between() -> None:
    # Half a sweep at a time leads to a value that both players accept: one of those that endless play may select.
    found = bracketed(WAITING)
    with sweeper(compile_race(WAITING, 2), "win", 1) as sweep:
        for start in (0.0, 0.5, 1.0):
            values = np.full(sweep.shape, start)
            for _turn in range(400):
                values = (values + sweep.operator(values)) / 2.0
            assert np.abs(values - sweep.operator(values)).max() < 1e-9
            assert (found.lower - 1e-8 <= values).all()
            assert (values <= found.upper + 1e-8).all()


def test_before_the_barrel_both_wait(waiting: tuple[Solution, Table]) -> None:
    solution, table = waiting
    assert solution.margins is not None
    assert solution.bound == solution.margins.max() > 0.01
    assert table.info.quality == "bracketed"
    assert verify_table(WAITING, table) is not None


def test_margins_that_claim_too_much_are_not_verified(waiting: tuple[Solution, Table]) -> None:
    solution, table = waiting
    assert solution.margins is not None
    margins = solution.margins * 0.9
    assert verify_table(WAITING, table._replace(margins=margins.data)) is None


def test_a_bracketed_table_is_written_and_read(waiting: tuple[Solution, Table], tmp_path: Path) -> None:
    _solution, table = waiting
    write_table(tmp_path / "table", table)
    found = read_table(tmp_path / "table")
    assert found.margins is not None
    assert np.array_equal(np.asarray(found.margins), np.asarray(table.margins))


def test_advice_says_what_is_proven(waiting: tuple[Solution, Table], tmp_path: Path) -> None:
    from test_cli import WAITING as TEXT

    (tmp_path / "waiting.toml").write_text(TEXT)
    write_table(tmp_path / "table", waiting[1])
    for dice in (None, "1", "2"):
        advice = solver.advise(str(tmp_path / "waiting.toml"), score="3", vs="3", dice=dice, table=tmp_path / "table")
        assert advice.interval is not None
        low, high = advice.interval
        assert 0.0 < low < advice.value < high < 1.0
        assert advice.to_json()["interval"] == [low, high]
        assert "need not end" in describe(advice)
    assert solver.advise("pig", score="0", vs="0").interval is None


def test_waiting_for_ever_does_not_pay_where_five_equal_dice_end_the_match() -> None:
    # Both wait at 895, beside the barrel; the match ends all the same, by five ones, after thousands of turns.
    rules = solver.load_rules("thousand-general-barrel")
    model = compile_race(rules, 2)
    solution = solve(model, "win")
    at = next(number for number, state in enumerate(model.states) if state.score == 895 and not state.attempts)
    assert solution.margins is None
    assert solution.bound < 1e-9
    assert solution.values[at, at] == pytest.approx(0.500047037, abs=1e-8)


def test_a_match_without_end_leaves_no_number_behind_that_is_none() -> None:
    # Both wait for ever under the first plans, so their equations have no solution.
    rules = rules_from(
        {
            "dice": {"count": 2},
            "combinations": {"single": {"3": 15}, "doublet": {"points": 20}},
            "match": {"target": 60, "finish": "exactly"},
            "overshoot": {"marks": 2},
        }
    )
    solution = solve(compile_race(rules, 2), "win")
    assert np.isfinite(solution.values).all()


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_no_number_is_not_verified(wrong: float) -> None:
    model = compile_race(pig(10), 2)
    table = make_table(model, solve(model, "win"))
    values = np.array(table.values)
    values[3, 4] = wrong
    assert verify_table(pig(10), table._replace(values=values.data)) is None
