"""Worked examples of the rules: turns, how they end, and what that does to the players."""

import json
from pathlib import Path
from typing import Any

import pytest

from solver.dice import from_faces
from solver.race.endings import (
    Outcome,
    after_attack,
    after_bust,
    after_overshoot,
    after_stop,
    after_total,
    attacked_by,
)
from solver.race.player import Player, on_barrel
from solver.race.rules import RaceRules, read_rules
from solver.race.stops import MAY_STOP, TURN_ENDS, needs, total_mode
from solver.race.turn import TurnRules, compile_turn
from solver.ruleset import Ruleset, load_ruleset

EXAMPLES = json.loads((Path(__file__).parent / "data" / "examples.json").read_text())


def example_ruleset(example: dict[str, Any]) -> RaceRules:
    """The shipped ruleset of an example with the options that it names."""
    given_keys, data = example["input"], load_ruleset(example["ruleset"]).data
    keys = {"bolt_limit": ("bolts", "limit"), "fall_limit": ("overshoot", "falls"), "target": ("match", "target")}
    for name, (section, key) in keys.items():
        if name in given_keys:
            data[section][key] = given_keys[name]
    for name, value in given_keys.get("options", {}).items():
        section, key = {"bolts_in_pit": ("bolts", "in_pits")}[name]
        data[section][key] = value
    return read_rules(Ruleset(example["id"], data, {}))


def players_of(given_keys: dict[str, Any]) -> dict[str, Player]:
    """The players of an example; the counters are those of the mover, or of ``other``."""
    scores = given_keys.get("scores") or {"mover": given_keys["score"]}
    found = {name: Player(score) for name, score in scores.items()}
    found["mover"] = found["mover"]._replace(
        opened=given_keys.get("opened", True),
        bolts=given_keys.get("bolts", 0),
        attempts=given_keys.get("attempts_used", 0),
        falls=given_keys.get("falls", 0),
        marks=given_keys.get("points_marks", 0),
    )
    if "other_falls" in given_keys:
        found["other"] = found["other"]._replace(falls=given_keys["other_falls"])
    return found


def facts_after(rules: RaceRules, before: dict[str, Player], outcome: Outcome) -> dict[str, Any]:
    """Everything that an example may say about the players after a turn."""
    names = [name for name in before if name != "mover"]
    hits = {name: attacked_by(outcome, before[name].score) for name in names}
    after = {
        name: before[name] if rule is None else after_attack(rules, before[name], rule) for name, rule in hits.items()
    }
    mover = after["mover"] = outcome.player
    facts: dict[str, Any] = {
        "scores": {name: player.score for name, player in after.items()},
        "score": mover.score,
        "opened": mover.opened,
        "bolts": mover.bolts,
        "bolt": mover.bolts > before["mover"].bolts,
        "attempts_used": mover.attempts,
        "falls": mover.falls,
        "points_marks": mover.marks,
        "on_barrel": on_barrel(rules, mover),
        "mover_on_barrel": on_barrel(rules, mover),
        "overtaken": [name for name in names if hits[name] == "overtaking"],
        "dumped": [name for name in names if before[name].score and not after[name].score],
        "turn_over": True,
    }
    facts["dumped"] += ["mover"] if outcome.dumped else []
    if outcome.won:
        facts["winner"] = "mover"
    if "other" in after:
        facts |= {"other_on_barrel": on_barrel(rules, after["other"]), "other_falls": after["other"].falls}
    return facts


def facts_of_turn(rules: RaceRules, given_keys: dict[str, Any]) -> dict[str, Any]:
    """Play the throws of an example; if the turn is not over after them, what the player may do."""
    mover = players_of(given_keys)["mover"]
    turn = TurnRules(rules)
    slot, points = turn.first, 0
    for throw in given_keys["throws"]:
        (((gained, slot), _holds),) = turn.options(slot, from_faces(throw, 6)).items()
        points += gained
        if total_mode(rules, mover, points) == TURN_ENDS:
            return facts_after(rules, {"mover": mover}, after_total(rules, mover, points))
    may_stop = slot.may_stop and total_mode(rules, mover, points) == MAY_STOP
    if given_keys.get("stop"):
        assert may_stop
        return facts_after(rules, {"mover": mover}, after_stop(rules, mover, points))
    return {"turn_points": points, "may_stop": may_stop, "must_throw": None if may_stop else slot.dice}


def facts_of(rules: RaceRules, given_keys: dict[str, Any]) -> dict[str, Any]:
    """Answer the question of an example."""
    query = given_keys.get("query", "turn")
    if query == "turn":
        return facts_of_turn(rules, given_keys)
    if query == "blank_probability":
        graph = compile_turn(rules)
        chances = {slot.dice: bust for slot, bust in zip(graph.slots, graph.bust, strict=True)}
        return {"probability": str(chances[given_keys["dice_count"]])}
    before = players_of(given_keys)
    mover = before["mover"]
    if query == "min_points_to_stop":
        return {"min_points": max(need.points for need in needs(rules, mover))}
    if query == "stop":
        assert total_mode(rules, mover, given_keys["turn_points"]) == MAY_STOP
        return facts_after(rules, before, after_stop(rules, mover, given_keys["turn_points"]))
    return facts_after(rules, before, {"bust": after_bust, "overshoot": after_overshoot}[query](rules, mover))


@pytest.mark.parametrize(
    "example", [pytest.param(example, id=example["id"]) for example in EXAMPLES if example["kind"] != "score"]
)
def test_worked_examples_of_turns_and_their_ends(example: dict[str, Any]) -> None:
    rules = example_ruleset(example)
    facts = facts_of(rules, example["input"])
    assert {name: facts.get(name) for name in example["expected"]} == example["expected"]
