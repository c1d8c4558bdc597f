"""Values that others have published, or that follow from a short calculation."""

from fractions import Fraction

import numpy as np
import pytest
from games import coin, pig, rules_from, shipped_table, solved

import solver
from solver.certify import Values
from solver.race.actions import StopRule
from solver.table import Table

CLOSE = 1e-9


@pytest.fixture(scope="module")
def pig_win() -> Values:
    """Chances to win Pig, by the scores of the mover and the waiter."""
    table, _solution = solver.solve_table(solver.load_rules("pig"), "win")
    assert table.rows() == [[score] for score in range(100)]
    return np.asarray(table.values)


@pytest.fixture(scope="session")
def classic_win() -> Table:
    """Thousand for two, solved here and now: the one long solve of all tests."""
    return solver.solve_table(solver.load_rules("thousand-classic"), "win")[0]


@pytest.fixture(scope="module")
def classic_turns() -> Table:
    """Thousand alone."""
    return solver.solve_table(solver.load_rules("thousand-classic"), "turns")[0]


def by_state(table: Table) -> dict[tuple[int, ...], float]:
    """Values of a table for one player."""
    return dict(zip(map(tuple, table.rows()), table.values.tolist(), strict=True))


# ---- Pig for two ----


def test_the_first_player_of_pig_has_the_published_chance(pig_win: Values) -> None:
    # Neller and Presser, "Optimal Play of the Dice Game Pig", UMAP Journal 25 (2004): 0.5306; further digits
    # recomputed.
    assert pig_win[0, 0] == pytest.approx(0.530592725274, abs=CLOSE)


@pytest.mark.parametrize(
    ("goal", "chance"),
    [
        # Crocce and Mordecki, "A non-iterative algorithm for generalized Pig games", Journal of Dynamics and Games 5
        # (2018), give values by goal; digits to 1e-12 recomputed.
        (10, 0.709424322598),
        (20, 0.615558549805),
        (50, 0.546150844167),
        (200, 0.521529324244),
        # Recomputed independently, by value iteration in plain Python.
        (30, 0.567914744493484),
        (40, 0.544694393481696),
        (60, 0.539892859894561),
        (75, 0.535514408707252),
        # A throw that is not a one wins: p = 5/6 + 1/6 (1 - p).
        (2, 6 / 7),
    ],
)
def test_pig_to_other_goals_has_the_published_chances(goal: int, chance: float) -> None:
    assert solved(pig(goal), "win").values[0, 0] == pytest.approx(chance, abs=CLOSE)


def test_pig_has_the_known_chances_inside_a_match(pig_win: Values) -> None:
    # Recomputed independently, by value iteration in plain Python.
    assert pig_win[22, 0] == pytest.approx(0.694098717394198, abs=CLOSE)
    assert pig_win.sum() == pytest.approx(5432.130569034500, abs=1e-6)
    # One good throw wins: p = 5/6 + 1/6 (1 - p).
    assert pig_win[99, 99] == pytest.approx(6 / 7, abs=CLOSE)


def test_pig_to_twenty_has_the_known_chances_near_the_goal() -> None:
    values = solved(pig(20), "win").values
    assert values[19, 19] == pytest.approx(6 / 7, abs=CLOSE)
    # Recomputed independently, by value iteration in plain Python.
    assert values[0, 19] == pytest.approx(0.419081, abs=1e-6)
    assert values[19, 0] == pytest.approx(0.930153, abs=1e-6)


def test_the_best_play_of_pig_may_stop_and_throw_on_at_higher_totals(pig_win: Values) -> None:
    # The blog Possibly Wrong, "Pig Puzzle Solution", 20 March 2014: at 41 against 49, throw up to 21, stop from 22 to
    # 26, throw at exactly 27, stop from 28 on. Two totals within one throw of the goal are thrown at as well.
    plan = solver.advise("pig", score="41", vs="49").plan
    assert plan == [StopRule(1, [(22, 26), (28, 56), (59, None)])]
    # The same from the values alone, down from the goal.
    own, other = 41, 49
    bust = (1.0 - pig_win[other, own]) / 6.0
    best = [1.0] * (100 - own + 6)
    stops = []
    for total in range(99 - own, 0, -1):
        stop = 1.0 - pig_win[other, own + total]
        throw = bust + sum(best[total + face] for face in range(2, 7)) / 6.0
        best[total] = max(stop, throw)
        if stop >= throw:
            stops.append(total)
    assert stops[::-1] == [*range(22, 27), *range(28, 57)]


# ---- Piglet for two ----


@pytest.mark.parametrize(
    ("goal", "chance"),
    [
        # Neller and Presser (2004), section on Piglet: 4/7 at the start, 2/5, 4/5 and 2/3 later on.
        (2, 4 / 7),
        # Recomputed independently, by value iteration in plain Python.
        (3, 0.545454545454545),
        (4, 0.536854741896759),
        (5, 0.532987012987013),
        (10, 0.522479407948832),
        (20, 0.515818532255379),
    ],
)
def test_piglet_has_the_published_chances(goal: int, chance: float) -> None:
    assert solved(rules_from(coin(goal)), "win").values[0, 0] == pytest.approx(chance, abs=CLOSE)


def test_piglet_to_two_has_the_published_chances_everywhere() -> None:
    # Neller and Presser (2004), figure on the convergence of Piglet.
    exact = [[Fraction(4, 7), Fraction(2, 5)], [Fraction(4, 5), Fraction(2, 3)]]
    assert solved(rules_from(coin(2)), "win").values == pytest.approx(np.array(exact, dtype=float), abs=CLOSE)


# ---- alone ----


def test_pig_alone_takes_the_published_number_of_turns() -> None:
    # Haigh and Roters, "Optimal strategy in a dice game", Journal of Applied Probability 37 (2000): 12.545.
    table, _solution = solver.solve_table(solver.load_rules("pig"), "turns")
    assert by_state(table)[(0,)] == pytest.approx(12.545232351955, abs=CLOSE)


def test_a_turn_of_pig_brings_the_published_points() -> None:
    # Throwing up to 20, the largest total at which one more throw does not lose on average: 8.14 points, exact by
    # hand. Roters, "Optimal stopping in a dice game", Journal of Applied Probability 35 (1998).
    table, _solution = solver.solve_table(solver.load_rules("pig"), "points")
    assert by_state(table)[(0,)] == pytest.approx(492303203 / 60466176, abs=CLOSE)


def test_thousand_alone_takes_the_known_number_of_turns(classic_turns: Table) -> None:
    # Recomputed independently, by value iteration in plain Python.
    assert classic_turns.info.fields == ["score", "opened", "bolts"]
    turns = by_state(classic_turns)
    assert turns[0, 0, 0] == pytest.approx(35.767675874274, abs=CLOSE)
    assert turns[0, 1, 0] == pytest.approx(35.900339424155, abs=CLOSE)
    assert turns[500, 1, 0] == pytest.approx(18.371026191811, abs=CLOSE)
    assert turns[640, 1, 0] == pytest.approx(12.981656546504, abs=CLOSE)


# ---- Thousand for two ----


def test_the_first_player_of_thousand_has_the_known_chance(classic_win: Table) -> None:
    # Recomputed independently, by value iteration to the same precision in another program.
    start = classic_win.rows().index([0, 0, 0])
    assert classic_win.values[start, start] == pytest.approx(0.509293252037, abs=CLOSE)


def check_shipped(name: str, made: Table) -> None:
    """Compare a shipped table with one made now: both are true, so they are no further apart than both bounds."""
    shipped = solver.read_table(shipped_table(name))
    assert shipped.info.ruleset_sha256 == made.info.ruleset_sha256
    assert shipped.rows() == made.rows()
    apart = np.abs(np.asarray(shipped.values) - np.asarray(made.values)).max()
    assert apart <= shipped.info.bound + made.info.bound


def test_the_shipped_tables_of_thousand_are_what_a_solve_gives(classic_win: Table, classic_turns: Table) -> None:
    check_shipped("thousand-classic.win", classic_win)
    check_shipped("thousand-classic.turns", classic_turns)


@pytest.mark.parametrize(
    "name",
    [
        "pig.win",
        "pig.turns",
        "thousand-classic-barrel.turns",
        "farkle-base.turns",
        "farkle-official.turns",
        "ten-thousand-doubling.turns",
        "ten-thousand-doubling.win",
    ],
)
def test_the_other_shipped_tables_are_what_a_solve_gives(name: str) -> None:
    game, objective = name.split(".")
    check_shipped(name, solver.solve_table(solver.load_rules(game), objective)[0])
