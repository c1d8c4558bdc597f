"""The compiled model: states from other beginnings, kept moves, lost turns, and what losers pay."""

import numpy as np
from games import rules_from
from test_parts import RULES

from solver.families import load_rules
from solver.race.model import compile_race
from solver.race.player import Player, start
from solver.race.stops import TURN_ENDS
from solver.schema import write_section


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
    model = compile_race(RULES, 2)
    first = int(model.numbers[Player(opened=False)])
    reached = {model.states[row] for row in model.outcome_row[: model.highest[first] + 1] if row < len(model.states)}
    opened = {player for player in reached if player.opened}
    # Whoever begins on the barrel is counted as admitted with the least that admits.
    assert Player(100, admission=25) in opened
    assert all(player.admission == player.score for player in opened if player.score < 100)


def test_alone_no_admission_is_remembered_since_nobody_throws_off() -> None:
    model = compile_race(RULES, 1)
    assert {player.admission for player in model.states} == {0}
    assert len(model.states) < len(compile_race(RULES, 2).states) / 4
    # Where the barrel has a last attempt, a player falls by himself.
    stated = write_section(RULES)
    tried = rules_from({**stated, "barrel": {**stated["barrel"], "attempts": 3}})
    assert {player.admission for player in compile_race(tried, 1).states} > {0, 25, 30}


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
