"""What human rules are worth: published values, a slow twin, simulations, and sums that must come out."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games import rules_from, shipped_table
from processes import Run

from solver.families import load_rules
from solver.policies.policy import BEST_PLAY, Policy, load_policy
from solver.race.endings import Outcome, after_bust, after_total
from solver.race.model import compile_race
from solver.race.player import Player, start
from solver.race.rules import RaceRules
from solver.race.solve import solve
from solver.race.study.choices import NAMES, choices_of
from solver.race.study.evaluation import Evaluation, evaluate_alone, evaluate_duel
from solver.race.study.players import turn_makers
from solver.race.study.simulation import play
from solver.race.tables import solve_table
from solver.schema import write_section
from solver.table import read_table


def policy_of(text: str, players: int) -> Policy:
    return load_policy(text, NAMES[players], "--policy")


@cache
def pig_alone(text: str) -> Evaluation:
    return evaluate_alone(load_rules("pig"), policy_of(text, 1), read_table(shipped_table("pig.turns")))


@cache
def pig_duel(one: str, other: str = "optimal", *, response: bool = False) -> Evaluation:
    against = BEST_PLAY if other == "optimal" else policy_of(other, 2)
    table = read_table(shipped_table("pig.win"))
    return evaluate_duel(load_rules("pig"), policy_of(one, 2), against, table, response=response)


@pytest.mark.parametrize(
    ("least", "turns"),
    [(19, 12.63848331159196), (20, 12.63676949045399), (21, 12.79939193879507), (24, 12.71121747155623),
     (25, 12.68515820889284), (26, 12.80864125452847)],
)  # fmt: skip
def test_pig_alone_with_a_threshold_takes_the_published_turns(least: int, turns: float) -> None:
    found = pig_alone(f"stop at {least}")
    assert found.values[0] == pytest.approx(turns, abs=2e-9)
    assert found.bound <= 1e-9


def test_pig_between_two_who_hold_at_20() -> None:
    # T. Neller: the first player wins 53.47 %.
    assert pig_duel("stop at 20", "stop at 20").values[0] == pytest.approx(0.534698326165430, abs=2e-9)


def test_pig_of_best_play_against_thresholds() -> None:
    first, second = pig_duel("optimal", "stop at 25").values
    assert (first, second) == pytest.approx((0.551273833123874, 0.490864725686038), abs=2e-9)


def test_a_best_response_is_better_than_best_play() -> None:
    # What is told of the paper of 2004 as best play against 20, 58.74 % and 52.24 %, is the best response to it.
    known = pig_duel("stop at 20", response=True)
    assert known.response == pytest.approx((0.5873676212, 0.5223819724), abs=1e-9)
    played = pig_duel("optimal", "stop at 20").values
    assert known.response[0] > played[0] > 0.5
    assert known.response[1] > played[1] > 0.5


@pytest.mark.parametrize("text", ["stop at 20", "stop if turn >= 12; best", "stop if dice = 1 and turn >= 20; optimal"])
def test_departures_alone_add_up_to_the_whole_loss(text: str) -> None:
    found = pig_alone(text)
    assert sum(entry.cost for entry in found.costly) == pytest.approx(found.loss, rel=1e-3)


def test_departures_for_two_add_up_to_the_whole_loss() -> None:
    # Of a small game all match states are looked at.
    rules = rules_from(
        {
            "dice": {"count": 1, "hot_dice": "may"},
            "combinations": {"single": {str(face): face for face in range(2, 7)}},
            "match": {"target": 16},
        }
    )
    table, _solution = solve_table(rules, "win")
    for text in ("stop at 3", "stop at 9", "stop if turn >= 4 and lead > 0; stop at 8", "stop if turn = 5; optimal"):
        found = evaluate_duel(rules, policy_of(text, 2), BEST_PLAY, table)
        assert sum(entry.cost for entry in found.costly) == pytest.approx(found.loss, rel=2e-3), text


SHORTER: dict[str, dict[str, Any]] = {
    "thousand-general-simple": {"pits": {"bounds": [[100, 140], [200, 240]]}},
    "thousand-ussr-box": {"pits": {"bounds": [[100, 150]]}, "dump_truck": {"score": 180}, "barrel": {"start": 250}},
    "thousand-raznoobrazie-extra-turn": {"obstacles": {"bounds": [[100, 140], [200, 240]]}},
    "thousand-confirm": {"barrel": {"start": 200}},
}
"""Where the furniture of a track stands that ends at 300."""


def shortened(name: str) -> RaceRules:
    """A shipped game whose track ends at 300."""
    data = write_section(load_rules(name))
    changes = {section: {**data[section], **keys} for section, keys in SHORTER.get(name, {}).items()}
    return rules_from({**data, **changes, "match": {**data["match"], "target": 300}})


def test_holds_that_lead_to_the_same_total_are_told_apart() -> None:
    # Three steps held at one total, and one step at another, may bring a turn to the same place, at different losses.
    rules = shortened("thousand-confirm")
    table, _solution = solve_table(rules, "turns")
    found = evaluate_alone(rules, policy_of("stop at 50", 1), table, looked_at=1000)
    assert sum(entry.cost for entry in found.costly) == pytest.approx(found.loss, rel=1e-4)
    assert found.told == pytest.approx(1.0, rel=1e-4)


def test_best_play_by_name_loses_nothing() -> None:
    assert pig_alone("optimal").loss <= 2e-9
    assert pig_duel("optimal").loss <= 2e-9
    assert pig_duel("optimal").values == pytest.approx(pig_duel("optimal").best, abs=2e-9)


SMALL = {
    "dice": {"count": 2, "faces": 3, "hold": "any"},
    "combinations": {"single": {"1": 2, "2": 1}, "straight": {"1-2": 4}},
    "match": {"target": 9, "step": 1},
    "bolts": {"limit": 2, "fine": 2},
    "overtaking": {"fine": 1},
    "pits": {"bounds": [[3, 6]]},
}


def twin(rules: RaceRules, stop_at: int, *, most_dice: bool) -> float:
    """Expected turns alone of a threshold, by enumerating throws and iterating plainly: no graph and no kernel."""
    from solver.race.stops import MAY_STOP, highest_total, total_mode
    from solver.race.study.throws import ThrowBook

    book = ThrowBook(rules)
    model = compile_race(rules, 1)
    turns = dict.fromkeys(model.states, 0.0)

    def turn(player: Player, points: int, dice: int, worth: Callable[[Outcome], float], depth: int = 0) -> float:
        if depth > 9:
            return worth(after_bust(rules, player))
        total = 0.0
        for number in range(rules.dice.faces**dice):
            faces = tuple(number // rules.dice.faces**place % rules.dice.faces + 1 for place in range(dice))
            ways = book.ways[book.code(faces)]
            if not ways:
                total += worth(after_bust(rules, player))
                continue
            left = lambda way: dice - way.used or rules.dice.count  # noqa: E731
            way = max(ways, key=lambda way: (left(way), way.points) if most_dice else (way.points, left(way)))
            after, gathered = left(way), min(points + way.points, highest_total(rules, player))
            allowed = dice > way.used and total_mode(rules, player, gathered) == MAY_STOP
            outcome = after_total(rules, player, gathered) if allowed else None
            if outcome and (gathered >= stop_at or outcome.won or gathered == highest_total(rules, player)):
                total += worth(outcome)
            else:
                total += turn(player, gathered, after, worth, depth + 1)
        return total / rules.dice.faces**dice

    for _sweep in range(60):
        before = turns

        def worth(outcome: Outcome, before: dict[Player, float] = before) -> float:
            return 1.0 + (0.0 if outcome.won else before[outcome.player])

        turns = {player: turn(player, 0, rules.dice.count, worth) for player in model.states}
    return turns[start(rules)]


@pytest.mark.parametrize("most_dice", [False, True])
def test_a_threshold_is_worth_what_its_slow_twin_says(most_dice: bool) -> None:
    rules = rules_from(
        SMALL | {"combinations": {"single": {"1": 2}}, "match": {"target": 5, "step": 1}, "pits": {"bounds": [[2, 4]]}}
    )
    table, _solution = solve_table(rules, "turns")
    hold = "most dice" if most_dice else "most points"
    found = evaluate_alone(rules, policy_of(f"stop at 2; hold {hold}", 1), table)
    assert found.values[0] == pytest.approx(twin(rules, 2, most_dice=most_dice), rel=2e-3)


GAMES = [
    "pig", "thousand-general-simple", "thousand-ussr-box", "thousand-raznoobrazie-extra-turn", "thousand-confirm",
    "farkle-simple", "farkle-toxic-twos", "ten-thousand-dix-mille", "ten-thousand-doubling-exact", "zilch",
]  # fmt: skip
"""Of each rule about a turn one that has it."""


@pytest.mark.parametrize("name", GAMES)
def test_simulated_turns_are_within_four_standard_errors(name: str) -> None:
    rules = load_rules(name)
    threshold = 17 if name == "pig" else 75
    if rules.match.step == 50:  # a short way shows as much of its turns
        threshold = 400
        data = write_section(rules)
        rules = rules_from({**data, "match": {**data["match"], "target": 1500}})
    elif name in SHORTER:
        rules = shortened(name)
    model, policy = compile_race(rules, 1), policy_of(f"stop at {threshold}; hold most points", 1)
    own, choices = choices_of(model, policy)
    exact = solve(own, "turns", tolerance=1e-6, choices=choices).values[model.numbers[start(rules)]]
    found = play(model, [policy], [None], games=2000, seed=5)
    assert abs(found.mean - exact) <= 4.0 * found.error


def test_alone_nobody_asks_for_an_admission_that_only_others_could_call_on() -> None:
    rules = shortened("thousand-confirm")
    table, _solution = solve_table(rules, "turns")
    found = evaluate_alone(rules, policy_of("stop at 75", 1), table)
    assert found.costly
    model = compile_race(rules, 1)
    makers = turn_makers(rules, model, [BEST_PLAY], lambda: table)
    played = play(model, [BEST_PLAY], makers, games=2000, seed=5)
    assert abs(played.mean - found.best[0]) <= 4.0 * played.error


TWO_DICE = {
    "dice": {"count": 2, "faces": 3, "hold": "any", "hot_dice": "may"},
    "combinations": {"single": {"1": 2, "2": 1}},
    "match": {"target": 6, "step": 1},
}
LAST_TURN = {"match": {"target": 6, "step": 1, "ending": "one more turn"}}
EQUAL_TURNS = {"match": {"target": 6, "step": 1, "ending": "equal turns", "ties": "shared"}}
DUELS = {
    "last turn": LAST_TURN,
    "equal turns, shared": EQUAL_TURNS,
    "dice left over": {"inherited_dice": {"bonus": 2}},
    "dice left over and a last turn": {"inherited_dice": {"bonus": 1}, **LAST_TURN},
    "points given away": {"match": {"target": 6, "step": 1, "finish": "exactly", "overshoot": "given away"}},
    "a toxic throw": {"toxic": {"dice": 2, "face": 1}, **EQUAL_TURNS},
}


@pytest.mark.parametrize("name", DUELS)
@pytest.mark.parametrize(
    ("one", "other"), [("stop at 2", "stop at 4; hold most dice"), ("stop if lead > 0; stop at 5; best", "optimal")]
)
def test_duels_agree_with_dice_and_with_the_sum_of_departures(name: str, one: str, other: str) -> None:
    rules = rules_from({**TWO_DICE, **DUELS[name]})
    table, _solution = solve_table(rules, "win")
    policies = [policy_of(one, 2), BEST_PLAY if other == "optimal" else policy_of(other, 2)]
    exact = evaluate_duel(rules, *policies, table)
    assert sum(entry.cost for entry in exact.costly) == pytest.approx(exact.loss, rel=5e-3, abs=1e-6)
    model = compile_race(rules, 2)
    makers = turn_makers(rules, model, policies, lambda: table)
    found = play(model, policies, makers, games=1000, seed=6)
    assert abs(found.mean - np.mean(exact.values)) <= 4.0 * found.error


@pytest.mark.parametrize("name", DUELS)
def test_best_play_against_itself_is_as_the_table_says(name: str) -> None:
    rules = rules_from({**TWO_DICE, **DUELS[name]})
    table, _solution = solve_table(rules, "win")
    found = evaluate_duel(rules, BEST_PLAY, BEST_PLAY, table)
    assert found.loss <= 2e-9
    assert sum(found.values) == pytest.approx(1.0, abs=2e-9)


def test_loaded_dice_are_refused_by_the_simulation(kosti: Run, tmp_path: Path) -> None:
    file = tmp_path / "loaded.toml"
    file.write_text('extends = "farkle-simple"\n[dice]\nloaded = { lucky = [2, 1, 1, 1, 1, 1] }\n')
    answer = kosti("simulate", file, "--policy", "stop at 300", "--games", "10")
    assert (answer.status, answer.out) == (2, "")
    assert "dice.loaded: in force; allowed: only fair dice in simulate" in answer.err


@pytest.mark.parametrize(
    ("one", "other"),
    [("stop at 20", "stop at 25"), ("optimal", "stop at 20"), ("stop if lead > 0; stop at 21", "stop at 20")],
)
def test_simulated_matches_are_within_four_standard_errors(one: str, other: str) -> None:
    rules, table = load_rules("pig"), read_table(shipped_table("pig.win"))
    model = compile_race(rules, 2)
    policies = [policy_of(one, 2), policy_of(other, 2)]
    games = 3000 if one != "optimal" else 200
    found = play(model, policies, turn_makers(rules, model, policies, lambda: table), games=games, seed=8)
    assert abs(found.mean - np.mean(pig_duel(one, other).values)) <= 4.0 * found.error


def test_a_duel_in_thousand_agrees_with_dice() -> None:
    # Overtaking, bolts, pits and the dump truck between two: a small target keeps it quick.
    data = write_section(load_rules("thousand-classic"))
    rules = rules_from({**data, "match": {**data["match"], "target": 300}, "pits": {"bounds": [[100, 200]]},
                        "dump_truck": {"score": 85}, "bolts": {"limit": 2, "fine": 50}})  # fmt: skip
    table, _solution = solve_table(rules, "win")
    one, other = policy_of("stop at 60", 2), policy_of("stop if dice <= 2 or lead > 0; stop at 80", 2)
    exact = evaluate_duel(rules, one, other, table)
    model = compile_race(rules, 2)
    found = play(model, [one, other], [None, None], games=1000, seed=3)
    assert abs(found.mean - np.mean(exact.values)) <= 4.0 * found.error


def test_the_command_tells_values_and_departures(kosti: Run) -> None:
    answer = kosti("evaluate", "pig", "--policy", "stop at 20", "--json")
    found = json.loads(answer.out)
    assert found["value"]["alone"] == pytest.approx(12.63676949045399)
    assert found["departures"][0]["cost"] >= found["departures"][1]["cost"] > 0.0
    keys = {"state", "opponents", "turn_points", "dice", "does", "loss", "visits", "cost"}
    assert all(keys == departure.keys() for departure in found["departures"])


def test_a_departure_in_what_is_held_tells_what_was_better() -> None:
    rules = rules_from(SMALL)
    table, _solution = solve_table(rules, "turns")
    found = evaluate_alone(rules, policy_of("stop at 2; hold most dice", 1), table).to_json()
    held = [departure for departure in found["departures"] if departure["does"] == "hold"]
    assert held
    for departure in held:
        assert departure["turn_points"] >= departure["held"] > 0
        assert (departure["better_held"], departure["better_dice"]) != (departure["held"], departure["dice"])


def test_a_ruleset_without_a_title_goes_by_its_name(kosti: Run, tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text('extends = "pig"\n[match]\ntarget = 10\n')
    answer = kosti("evaluate", file, "--policy", "stop at 5").out
    assert answer.startswith(f"{file}. stop at 5\n")
    assert "Turns that a game takes: at most 2 for a tenth of games" in answer


def test_one_game_has_no_standard_error(kosti: Run) -> None:
    assert "--games" in kosti("simulate", "pig", "--policy", "stop at 20", "--games", "1").refusal


@pytest.mark.parametrize(
    "words",
    [
        ("--policy", "stop at"),
        ("--policy", "stop if opponent > 3"),
        ("--policy", "nowhere.toml"),
        ("--policy", "stop at 20", "--players", "1", "--against", "optimal"),
        ("--policy", "stop at 20", "--best-response"),
    ],
)
def test_wrong_questions_are_refused_in_one_line(kosti: Run, words: tuple[str, ...]) -> None:
    answer = kosti("evaluate", "pig", *words)
    assert (answer.status, answer.out) == (2, "")
    assert len(answer.err.splitlines()) == 1
