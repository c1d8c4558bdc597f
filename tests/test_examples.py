"""Worked examples of the rules: turns, how they end, and what that does to the players."""

from typing import Any

import pytest
from examples import EXAMPLES, Example, corrected, example_ruleset, repaired

from solver.dice import Multiset, from_faces
from solver.race.endings import (
    Outcome,
    after_attack,
    after_bust,
    after_end,
    after_overshoot,
    after_stop,
    after_total,
    attacked_by,
)
from solver.race.player import Player, obstacle, on_barrel, pit
from solver.race.rules import RaceRules, Start
from solver.race.slots import Slot, TurnRules
from solver.race.stops import MAY_STOP, TURN_ENDS, least_total, total_mode
from solver.race.turn import compile_turn


def players_of(rules: RaceRules, given_keys: dict[str, Any]) -> dict[str, Player]:
    """The players of an example; the counters are those of the mover, or of ``other``."""
    scores = given_keys.get("scores") or {"mover": given_keys["score"]}
    found = {name: Player(score) for name, score in scores.items()}
    found["mover"] = found["mover"]._replace(
        opened=given_keys.get("opened", True),
        bolts=given_keys.get("bolts", given_keys.get("consecutive_farkles", 0)),
        attempts=given_keys.get("attempts_used", 0),
        falls=given_keys.get("falls", 0),
        marks=given_keys.get("points_marks", 0),
        failures=given_keys.get("failed_openings", 0),
    )
    if "other" in found:
        found["other"] = found["other"]._replace(
            falls=given_keys.get("other_falls", 0), admission=given_keys.get("other_entry", 0)
        )
    if rules.overshoot and "overshoots" in given_keys:  # counted on, past the fall that costs points
        falls, marks = divmod(given_keys["overshoots"], rules.overshoot.marks)
        found["mover"] = found["mover"]._replace(falls=falls, marks=marks)
    return found


def facts_after(rules: RaceRules, before: dict[str, Player], outcome: Outcome) -> dict[str, Any]:
    """Everything that an example may say about the players after a turn."""
    names = [name for name in before if name != "mover"]
    hits = {name: attacked_by(outcome, before[name].score) for name in names}
    for name in sorted(names, key=lambda name: before[name].score)[1:]:
        if (hits[name] or "").startswith(
            "gift"
        ):  # the lowest player gets it, the nearest one to the left of equal ones
            hits[name] = None
    after = {
        name: before[name] if rule is None else after_attack(rules, before[name], rule) for name, rule in hits.items()
    }
    mover = after["mover"] = outcome.player
    facts: dict[str, Any] = {
        "scores": {name: player.score for name, player in after.items()},
        "score": mover.score,
        "opened": mover.opened,
        "bolts": mover.bolts,
        "consecutive_farkles": mover.bolts,
        "bolt": mover.bolts > before["mover"].bolts,
        "attempts_used": mover.attempts,
        "falls": mover.falls,
        "points_marks": mover.marks,
        "overshoots": mover.marks + mover.falls * (rules.overshoot.marks if rules.overshoot else 0),
        "failed_openings": mover.failures,
        "skip_next": mover.skips == 1,
        "in_pit": pit(rules, mover) is not None,
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
    mover = players_of(rules, {"score": 0, **given_keys})["mover"]
    turn = TurnRules(rules)
    slot, points, so_far = turn.first, given_keys.get("turn_points_before", 0), []
    if inherited := given_keys.get("inherited_dice"):
        slot = turn.offers(turn.begin(Start(offered=inherited)))[-1]
    throws = [[throw] if isinstance(throw, int) else throw for throw in given_keys["throws"]]
    for number, throw in enumerate(throws):
        if end := turn.end(slot, from_faces(throw, 6)):
            return {"turn_points": 0, **facts_after(rules, {"mover": mover}, after_end(rules, mover, end))}
        held = given_keys["hold"][number] if number < len(given_keys.get("hold", [])) else None
        again = slot.retries
        gained, slot = option(turn, slot, from_faces(throw, 6), held)
        points += gained
        so_far.append((points, not slot.may_stop))
        if total_mode(rules, mover, points) == TURN_ENDS:
            ended = after_total(rules, mover, points)
            return facts_after(rules, {"mover": mover}, ended) | {"dumped": ended.dumped}
    facts: dict[str, Any] = {
        "turn_points": points,
        "after_each_throw": [total for total, _forced in so_far],
        "forced_after": [forced for _total, forced in so_far],
    }
    may_stop = slot.may_stop and total_mode(rules, mover, points) == MAY_STOP
    if given_keys.get("stop"):
        assert may_stop
        return facts | facts_after(rules, {"mover": mover}, after_stop(rules, mover, points))
    facts |= {"may_stop": may_stop, "turn_over": False, "second_try": slot.retries < again and points == 0}
    return facts | ({"dice_left": slot.dice} if may_stop else {"must_throw": slot.dice})


def option(turn: TurnRules, slot: Slot, throw: Multiset, held: list[int] | None) -> tuple[int, Slot]:
    """The points of holding these dice, or all that score, and what is thrown next."""
    options = turn.options(slot, throw)
    if held is not None:
        wanted = from_faces(held, 6)
        return next(found for found, holds in options.items() if wanted in [hold.dice for hold in holds])
    return max(options, key=lambda found: (found[0], found[1].may_stop))


ZONES = ("free", "barrel1", "barrel2", "barrel3")


def zone(rules: RaceRules, score: int) -> str:
    """What an example calls the stretch of a score."""
    player = Player(score)
    if rules.obstacles:
        here = obstacle(rules, player)
        return ZONES[rules.obstacles.bounds.index(here) + 1 if here else 0]
    if score >= rules.winning_score():
        return "win"
    if rules.dump_truck and score == rules.dump_truck.score:
        return "dump"
    return "barrel" if on_barrel(rules, player) else "pit" if pit(rules, player) else "normal"


def facts_of(rules: RaceRules, given_keys: dict[str, Any]) -> dict[str, Any]:
    """Answer the question of an example."""
    query = given_keys.get("query", "turn")
    if query == "turn":
        return facts_of_turn(rules, given_keys)
    if query == "blank_probability":
        graph = compile_turn(rules)
        chances = {slot.dice: bust for slot, bust in zip(graph.slots, graph.bust, strict=True)}
        return {"probability": str(chances[given_keys["dice_count"]])}
    if query == "zone":
        return {"zones": [zone(rules, score) for score in given_keys["scores"]]}
    before = players_of(rules, given_keys)
    mover = before["mover"]
    if query == "points_to_leave_barrel":
        inside = obstacle(rules, mover)
        assert inside
        return {"min_points": inside[1] - mover.score}
    if query == "stop_allowed":
        return {"allowed": total_mode(rules, mover, given_keys["turn_points"]) == MAY_STOP}
    if query == "min_points_to_stop":
        return {"min_points": least_total(rules, mover)}
    if query == "stop":
        return facts_after(rules, before, after_total(rules, mover, given_keys["turn_points"]))
    if query == "extra_turn_failed":
        mover = mover._replace(extra=1)
    happens = {"bust": after_bust, "barrel_failed": after_bust, "extra_turn_failed": after_bust}
    return facts_after(rules, before, {**happens, "overshoot": after_overshoot}[query](rules, mover))


def check(example: Example) -> None:
    facts = facts_of(example_ruleset(example), example["input"])
    assert {name: facts.get(name) for name in example["expected"]} == example["expected"]


@pytest.mark.parametrize(
    "example",
    [pytest.param(corrected(example), id=example["id"]) for example in EXAMPLES if example["kind"] != "score"],
)
def test_worked_examples_of_turns_and_their_ends(example: Example) -> None:
    check(example)


@pytest.mark.parametrize("example", [pytest.param(example, id=example["id"]) for example in repaired()])
def test_repaired_throws_show_what_the_wrong_examples_mean(example: Example) -> None:
    check(example)
