"""Worked examples of the small games and of showdown poker, as they were handed down."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from solver.families import load_rules
from solver.parlour import (
    aces,
    buck_dice,
    chicago,
    craps,
    dice_bank,
    drop_dead,
    high_dice,
    liar,
    martinetti,
    showdown,
    thirteen,
)
from solver.parlour.family import odds
from solver.parlour.hands import FULL, POKER_FACES

EXAMPLES = json.loads((Path(__file__).parent / "data" / "parlour_examples.json").read_text())


def compared(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    hands = [[POKER_FACES.get(str(die), die) for die in hand] for hand in given["compare"]]
    strengths = [showdown.strength(rules, hand) for hand in hands]
    return {"winner": strengths.index(max(strengths))}


def throws_allowed(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    used = given["first_player_used"]
    return {"others_max_throws": used if rules.first_sets_limit else rules.throws}


def thirteen_turn(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    totals = thirteen.totals(given["throws"], given["ops"])
    return {"totals": totals, "marks_at": [thirteen.marks(rules, total) or None for total in totals]}


def fifth_throw(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    def helps(thrown: int) -> bool:
        totals = (thirteen.apply(operation, given["total"], thrown) for operation in thirteen.OPERATIONS)
        return any(total is not None and thirteen.marks(rules, total) for total in totals)

    return {"sums_that_score": [thrown for thrown in thirteen.sums(rules) if helps(thrown)]}


def craps_turn(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    return {"result": craps.play(rules, [given["first_sum"], *given.get("then", [])])}


def martinetti_turn(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    after = martinetti.advance(rules, given["position"], given["throw"])
    return {"position": after, "throws_again": after > given["position"]}


def aces_turn(_rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    hands, centre = aces.play(given["hands"], 0, given["seat"], given["throw"])
    return {"hands": hands, "centre": centre}


def drop_dead_turn(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    found = drop_dead.play(rules, given["throws"])
    return {"score": found.after_each_throw[-1], "after_each_throw": found.after_each_throw, "dead": found.dead}


def buck_score(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    found = buck_dice.score(rules, given["dice"], given["point"])
    return {"points": found.marks, "turn_over": found.turn_over, "sets_total": found.big_buck}


def high_dice_turn(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    punter = given["punter"] if isinstance(given["punter"], list) else [given["punter"]]
    assert given.get("throws_allowed", 1) == rules.throws
    return {"punter_payoff": high_dice.payoff(rules, given["banker"], punter)}


def bank_turn(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    return {"punter_payoff": dice_bank.payoff(rules, given["bet_on"], given["dice"])}


def chicago_target(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    target = chicago.target(rules, given["round"])
    return {"target": target, "points": target}


def announced_next(rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    said = given["announced"]
    found = liar.next_above(rules, liar.Announcement(FULL, said["main"]))
    assert said["class"] == "full"
    assert found
    assert found.name == FULL
    return {"min": {"class": "full", "main": found.face, "second": said["second"]}}


def challenged(_rules: Any, given: dict[str, Any]) -> dict[str, Any]:
    before = liar.Stakes(given["stakes"]["announcer"], given["stakes"]["doubter"], given["centre"])
    after = liar.after_doubt(before, true=given["truth"])
    stakes = {"announcer": after.announcer, "doubter": after.doubter}
    return {"stakes": stakes, "centre": after.centre, "next": "doubter" if after.doubter else "announcer"}


def figure(name: str, key: str = "probability") -> Callable[..., dict[str, Any]]:
    def found(rules: Any, _given: dict[str, Any]) -> dict[str, Any]:
        value = odds(rules).figure(name).value
        assert isinstance(value, Fraction)
        return {key: str(value), "percent": round(100.0 * float(value), 1)}

    return found


QUERIES: dict[str, Callable[..., dict[str, Any]]] = {
    "throws_allowed": throws_allowed,
    "fifth_throw_marks": fifth_throw,
    "target_of_round": chicago_target,
    "next_legal_min": announced_next,
    "challenge": challenged,
    "win_probability": figure("win_probability"),
    "win_probability_first": figure("win_seat_1"),
    "expected_score": figure("expected_score", "value"),
    "expected_payoff": figure("expected_payoff", "value"),
}
TURNS: dict[str, Callable[..., dict[str, Any]]] = {
    "showdown": compared,
    "thirteen": thirteen_turn,
    "craps": craps_turn,
    "martinetti": martinetti_turn,
    "aces": aces_turn,
    "drop dead": drop_dead_turn,
    "buck dice": buck_score,
    "high dice": high_dice_turn,
    "dice bank": bank_turn,
}


@pytest.mark.parametrize("example", [pytest.param(example, id=example["id"]) for example in EXAMPLES])
def test_worked_examples(example: dict[str, Any]) -> None:
    rules: Any = load_rules(example["ruleset"])
    query = example["input"].get("query")
    answer = QUERIES[query] if query else TURNS[rules.game]
    found = answer(rules, example["input"])
    assert {name: found[name] for name in example["expected"]} == example["expected"]
