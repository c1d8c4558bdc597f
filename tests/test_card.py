"""Rules that fit on a card, valued side by side, and turns shared between opponents: as good as each by itself."""

import numpy as np
import pytest

from solver.families import load_rules
from solver.policies.policy import MOST_DICE, MOST_POINTS, load_policy
from solver.race.actions import Turn
from solver.race.model import compile_race
from solver.race.position import state_index
from solver.race.study.arrays import as_buffer
from solver.race.study.card import best_card
from solver.race.study.choices import NAMES, choices_side_by_side, view_of, with_one_hold
from solver.race.study.evaluation import ValuedPolicies
from solver.race.tables import solve_table
from solver.race.turn import compile_turn
from solver.race.worth import win_worth
from solver.table import read_table

from games import rules_from, shipped_table  # isort: skip

SMALL = {
    "dice": {"count": 3, "faces": 4, "hold": "any", "hot_dice": "may"},
    "combinations": {"single": {"1": 2, "2": 1}},
    "match": {"target": 30, "step": 1},
    "bolts": {"limit": 2, "fine": 2},
}


@pytest.fixture(scope="module")
def valued() -> ValuedPolicies:
    rules = rules_from(SMALL)
    return ValuedPolicies(rules, solve_table(rules, "turns")[0])


def test_policies_side_by_side_are_worth_what_each_is_worth(valued: ValuedPolicies) -> None:
    policies = [
        load_policy(f"stop if dice = 1 and turn >= {least}; stop at {2 * least}; hold {hold}", NAMES[1], "--policy")
        for least in range(1, 5)
        for hold in ("most points", "most dice")
    ]
    alone = [valued.value(policy) for policy in policies]
    assert valued.about(policies) == pytest.approx(alone, rel=1e-5)
    assert valued.about(policies[:1]) == pytest.approx(alone[:1], rel=1e-5)


def test_a_policy_whose_match_as_good_as_never_ends_is_the_worst() -> None:
    rules = load_rules("farkle-simple")
    table, _solution = solve_table(rules, "turns")
    never = load_policy("stop at 10000; hold most dice", NAMES[1], "--policy")
    (worth,) = ValuedPolicies(rules, table).about([never])
    assert worth < -1e5


def test_only_policies_that_hold_alike_and_say_everything_can_stand_side_by_side() -> None:
    model = compile_race(rules_from(SMALL), 1)
    for texts in (("stop at 3", "stop at 3; hold most dice"), ("stop at 3; best; hold most dice",)):
        with pytest.raises(ValueError, match="side by side"):
            choices_side_by_side(model, [load_policy(text, NAMES[1], "card") for text in texts], view_of(model))


@pytest.mark.parametrize("hold", [MOST_POINTS, MOST_DICE])
def test_rolls_of_which_the_same_is_held_are_one(hold: str) -> None:
    graph = compile_turn(load_rules("farkle-simple"))
    held = with_one_hold(graph, hold)
    assert len(held.roll_chance) < len(graph.roll_chance)
    for slot, (rolls, before) in enumerate(zip(held.rolls, graph.rolls, strict=True)):
        assert len({roll.options for roll in rolls}) == len(rolls)
        assert sum(roll.ways for roll in rolls) == sum(roll.ways for roll in before)
        ends = np.asarray(held.end_chance)[slot].sum()
        chances = held.roll_chance[held.roll_ptr[slot] : held.roll_ptr[slot + 1]]
        assert sum(chances) + ends == pytest.approx(1.0, abs=1e-15)


def test_no_card_with_two_thresholds_is_better_than_the_one_found(valued: ValuedPolicies) -> None:
    card, worth = best_card(valued.model.rules, valued.model, 2, valued.about)
    others = [
        load_policy(f"stop if dice <= {cut} and turn >= {low}; stop if dice > {cut} and turn >= {high}; "
                    f"hold {card.hold}",
                    NAMES[1], "card")
        for cut in (1, 2) for low in range(1, 14) for high in range(1, 14)
    ]  # fmt: skip
    assert worth >= max(valued.about(others)) - 1e-6


def test_a_turn_against_another_opponent_is_as_if_made_anew() -> None:
    table, rules = read_table(shipped_table("farkle-base.win")), load_rules("farkle-base")
    index = state_index(rules, table)
    values = as_buffer(table.values)
    mover, *others = (player for player in index if player.score in (0, 4000, 9000, 9950))
    turn = Turn(rules, mover, win_worth(rules, others[0], index, values))
    for other in others:
        worth = win_worth(rules, other, index, values)
        again, anew = turn.against(worth), Turn(rules, mover, worth)
        assert (again.value, again.plan(0.0)) == (anew.value, anew.plan(0.0))
        first = {rule.dice: rule.totals[0][0] if rule.totals else None for rule in anew.plan(0.0)}
        assert again.first_stops(0.0) == first
