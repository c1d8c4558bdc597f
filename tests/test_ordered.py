"""Games whose turns have an order: solved pair by pair, and bounded where both players may wait."""

import numpy as np
import pytest
from drawn import rulesets
from games import Data, coin, pig, rules_from
from hypothesis import given, settings

from solver.errors import RulesetError
from solver.race.bracket import Bracket, bracket, bracket_in_order, proven
from solver.race.model import RaceModel, compile_race
from solver.race.ordered import order_of, solve_ordered
from solver.race.solve import _by_policies, solve
from solver.race.sweep import sweeper
from solver.race.tables import make_table, verify_table

BARREL = {"start": 4, "attempts": "unlimited", "fine": 1, "falls": "unlimited"}
"""A barrel off which only the other player's arrival throws, so that both wait before it."""

MIXED: list[Data] = [
    coin(12),
    coin(9, opening={"points": 3}),
    coin(9, obstacles={"bounds": [[2, 4], [6, 7]], "upper": "inside", "extra_turn": True}),
    coin(9, obstacles={"bounds": [[2, 4]], "upper": "inside", "extra_turn": False}),
    {**coin(9), "match": {"target": 9, "win_at_once": True}},
    {**coin(9), "match": {"target": 9, "finish": "exactly", "overshoot": "at once"}},
    {**coin(9), "match": {"target": 9, "finish": "exactly", "overshoot": "on a stop"}},
    {**coin(9), "match": {"target": 9, "finish": "more than"}},
    {**coin(9), "match": {"target": 9, "ending": "one more turn"}},
    {**coin(6), "match": {"target": 6, "ending": "equal turns", "ties": "shared"}},
    {
        "dice": {"count": 2, "hot_dice": "must"},
        "combinations": {"single": {"1": 10, "5": 5}, "doublet": {"points": 20}},
        "match": {"target": 60, "step": 5, "win_at_once": True},
    },
]
"""Games in which what a turn total allows differs from player to player."""


def compiled(data: Data) -> RaceModel:
    return compile_race(rules_from(data), 2)


# ---- orders ----


def test_ranks_of_pig_are_the_points_that_are_missing() -> None:
    model = compile_race(pig(20), 2)
    order = order_of(model)
    assert order is not None
    assert not order.attacks
    assert order.ranks.tolist() == [20 - state.score for state in model.states]
    assert order.near.tolist() == list(range(1, 21))


@pytest.mark.parametrize(
    ("sections", "ordered", "attacks"),
    [
        ({"bolts": {"limit": 2, "fine": 1}}, False, False),
        ({"dump_truck": {"score": 4}}, False, False),
        ({"opening": {"points": 2}}, True, False),
        ({"barrel": BARREL}, True, True),
        ({"barrel": {**BARREL, "attempts": 2}}, False, False),
        ({"overtaking": {"fine": 1}}, True, True),
    ],
)
def test_what_leads_back_leaves_no_order(sections: Data, ordered: bool, attacks: bool) -> None:
    order = order_of(compiled(coin(8, **sections)))
    assert (order is not None) is ordered
    assert order is None or order.attacks is attacks


def test_a_mover_who_may_keep_the_dice_where_he_stands_leaves_no_order() -> None:
    model = compiled(coin(8))
    kept = np.where(model.outcome_row == 3, 1, model.outcome_kept).astype(np.uint8)
    assert order_of(model._replace(outcome_kept=kept)) is None


def test_a_game_for_one_has_no_order_of_pairs() -> None:
    assert order_of(compile_race(pig(20), 1)) is None


# ---- values ----


def in_order_and_by_policies(model: RaceModel, objective: str) -> float:
    """How far the values of the two methods are apart."""
    with sweeper(model, objective, 1) as sweep:
        order = order_of(model)
        assert order is not None
        values, unsettled = solve_ordered(sweep, order)
        assert not unsettled
        assert np.abs(sweep.operator(values) - values).max() <= 4.0 * sweep.rounding(sweep.most + 1.0)
        policies, bound, _rounds, margins = _by_policies(sweep, 1e-9, 300, 1, None)
    assert margins is None
    assert bound <= 1e-9
    return float(np.abs(values - policies).max())


@pytest.mark.parametrize("data", MIXED)
def test_values_are_those_of_policy_iteration(data: Data) -> None:
    assert in_order_and_by_policies(compiled(data), "win") <= 1e-9


@settings(max_examples=30, deadline=None)
@given(rulesets(40, 2, ["at least", "more than"], ["opening", "obstacles", "second_try", "instant_win"], options=True))
def test_values_of_any_game_in_order_are_those_of_policy_iteration(data: Data) -> None:
    try:
        model = compiled(data)
    except RulesetError:
        return
    order = order_of(model)
    if order is not None and not order.attacks:
        assert in_order_and_by_policies(model, "win") <= 1e-9


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_do_not_change_a_bit(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.race.ordered.LEAST_SHARED", 1)
    for model in (compile_race(pig(150), 2), compiled(coin(12, barrel={**BARREL, "start": 10}))):
        one, other = (solve(model, "win", threads=count) for count in (1, threads))
        assert one.values.tobytes() == other.values.tobytes()
        assert one.bound == other.bound


def test_progress_tells_how_much_is_left() -> None:
    told: list[tuple[int, float]] = []
    solve(compile_race(pig(30), 2), "win", progress=lambda *news: told.append(news))
    left = [share for _level, share in told]
    assert left == sorted(left, reverse=True)
    assert 1.0 > left[0] > left[-1] == 0.0


# ---- bounds ----

WAITING = [
    coin(8, barrel={**BARREL, "start": 6, "fine": 6}),
    coin(6, barrel=BARREL),
    coin(9, barrel={**BARREL, "start": 6, "fine": 3}),
    coin(9, barrel={**BARREL, "start": 6}, opening={"points": 2}),
    coin(8, overtaking={"fine": 2}),
]


def both_brackets(model: RaceModel) -> tuple[Bracket, Bracket]:
    order = order_of(model)
    assert order is not None
    with sweeper(model, "win", 1) as sweep:
        found = bracket_in_order(sweep, order)
        assert found is not None
        return found, bracket(sweep)


@pytest.mark.parametrize("data", WAITING)
def test_bounds_are_those_of_many_sweeps(data: Data) -> None:
    found, swept = both_brackets(compiled(data))
    assert np.abs(found.lower - swept.lower).max() <= 1e-7
    assert np.abs(found.upper - swept.upper).max() <= 1e-7
    # Sweeps end before they are done, and so a little outside.
    assert (found.lower >= swept.lower - 1e-9).all()
    assert (found.upper <= swept.upper + 1e-9).all()


def test_bounds_with_many_returns_are_left_to_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.race.bracket.MOST_AROUND", 0)
    model = compiled(WAITING[0])
    order = order_of(model)
    assert order is not None
    with sweeper(model, "win", 1) as sweep:
        assert bracket_in_order(sweep, order) is None
    assert solve(model, "win").margins is not None


def test_one_turn_proves_bounds_and_refutes_closer_ones() -> None:
    model = compiled(WAITING[0])
    found, _swept = both_brackets(model)
    with sweeper(model, "win", 1) as sweep:
        assert proven(sweep, found)
        for closer in (1e-10, 1e-3, 0.1):
            width = found.upper - found.lower
            assert not proven(sweep, Bracket(found.lower + closer * width, found.upper))
            assert not proven(sweep, Bracket(found.lower, found.upper - closer * width))
        # What nobody can be sure of, though it solves the equations: that both wait for ever.
        assert not proven(sweep, Bracket(found.middle, found.middle))


@pytest.mark.parametrize("data", WAITING)
def test_a_bracketed_table_is_verified(data: Data) -> None:
    rules = rules_from(data)
    model = compile_race(rules, 2)
    solution = solve(model, "win")
    table = make_table(model, solution)
    assert verify_table(rules, table) is not None
    if solution.margins is not None:
        margins = solution.margins * 0.99
        assert verify_table(rules, table._replace(margins=margins.data)) is None
