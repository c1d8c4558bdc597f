"""The compiled model: states from other beginnings, kept moves, lost turns, and what losers pay."""

import numpy as np

from solver.families import load_rules
from solver.race.model import compile_race
from solver.race.player import Player, start
from solver.race.stops import TURN_ENDS


def test_a_match_can_be_compiled_from_any_two_players() -> None:
    # Once both are admitted, their admissions never change.
    rules = load_rules("thousand-confirm")
    admitted = [Player(80, admission=80), Player(850, admission=100)]
    model = compile_race(rules, 2, admitted)
    assert {player.admission for player in model.states} == {80, 100}
    assert all(player.admission <= player.score <= 850 for player in model.states)
    assert set(admitted) < set(model.states)
    assert start(rules) not in model.states
    thrown_off = model.attack_target[0, model.numbers[admitted[1]]]
    assert model.states[thrown_off] == Player(100, admission=100)


def test_the_admission_is_what_the_opening_turn_wrote() -> None:
    model = compile_race(load_rules("thousand-confirm"), 1)
    first = int(model.numbers[Player(opened=False)])
    reached = {model.states[row] for row in model.outcome_row[: model.highest[first] + 1] if row < len(model.states)}
    opened = {player for player in reached if player.opened}
    # Whoever begins on the barrel is counted as admitted with the least that admits.
    assert Player(850, admission=75) in opened
    assert all(player.admission == player.score for player in opened if player.score < 850)


def test_an_extra_turn_keeps_the_move_and_a_lost_turn_ends_at_once() -> None:
    model = compile_race(load_rules("thousand-raznoobrazie-extra-turn"), 2)
    kept = np.flatnonzero(model.outcome_kept)
    assert len(kept)
    assert all(model.states[row].extra for row in model.outcome_row[kept])
    rest = model.outcome_row[np.flatnonzero(model.outcome_kept == 0)]
    assert not any(model.states[row].extra for row in set(rest.tolist()) - {0, len(model.states)})
    for number, player in enumerate(model.states):
        if player.skips:
            (total,) = range(*model.total_ptr[number : number + 2])
            assert model.modes[total] == TURN_ENDS
            assert model.states[model.outcome_row[total]] == player._replace(skips=0)


def test_only_who_never_entered_pays_double() -> None:
    model = compile_race(load_rules("thousand-ussr-box-double-stake"), 2)
    assert model.payoff.tolist() == [1.0 if player.opened else 2.0 for player in model.states]
    assert set(compile_race(load_rules("pig"), 2).payoff) == {1.0}


def test_turns_begin_in_the_slot_of_the_first_throw() -> None:
    model = compile_race(load_rules("thousand-general-simple"), 1)
    assert set(model.start) == {model.graph.start}
    assert model.graph.slots[model.graph.start].retries == 1
