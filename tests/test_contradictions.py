"""Rules that need or exclude others: each of the list is refused by name, and none that the list does not name."""

from copy import deepcopy
from typing import Any

import pytest
from games import Data

from solver.errors import RulesetError, UnplayableError
from solver.families import load_rules, read_ruleset
from solver.race import states
from solver.race.contradictions import CONDITIONS
from solver.race.model import compile_race
from solver.reference import reference
from solver.ruleset import Ruleset, shipped_names, told_of
from solver.schema import Condition

PLAIN: Data = {
    "family": "race",
    "dice": {"count": 5},
    "combinations": {"single": {"1": 10, "5": 5}},
    "match": {"target": 1000, "step": 5},
}
IN_FORCE: dict[str, Data] = {
    "barrel": {"barrel": {"start": 880}},
    "barrel.fall": {"barrel": {"start": 880, "fall": "admission"}},
    "bolts": {"bolts": {"fine": 100}},
    "dice.confirmed_by": {"dice": {"confirmed_by": "single dice"}},
    "dice.hot_dice": {"dice": {"hot_dice": "confirm only"}},
    "dice.loaded": {"dice": {"loaded": {"lucky": [2, 1, 1, 1, 1, 1]}}},
    "dice.stop_with": {"dice": {"stop_with": "all scoring dice"}},
    "dump_truck": {"dump_truck": {"score": 555}},
    "inherited_dice": {"inherited_dice": {"bonus": 50}},
    "match.finish": {"match": {"finish": "exactly"}},
    "match.overshoot": {"match": {"overshoot": "on a stop"}},
    "match.ties": {"match": {"ties": "shared"}},
    "match.win_at_once": {"match": {"win_at_once": True}},
    "obstacles": {"obstacles": {"bounds": [[300, 400]]}},
    "obstacles.extra_turn_comes": {"obstacles": {"bounds": [[300, 400]], "extra_turn_comes": "next round"}},
    "obstacles.fine": {"obstacles": {"bounds": [[300, 400]], "fine": 100}},
    "opening": {"opening": {"points": 50}},
    "opening.scope": {"opening": {"points": 50, "scope": "first throw"}},
    "overshoot": {"overshoot": {}},
    "overshoot.reopen": {"overshoot": {"reopen": True}, "match": {"finish": "exactly"}},
    "overtaking": {"overtaking": {"fine": 50}},
    "second_try": {"second_try": {}},
    "stakes": {"stakes": {"unopened": 2}},
}
"""The least that puts each rule of the list in force."""
UNMET: dict[str, Data] = {
    'only with match.ending = "at once"': {"match": {"ending": "one more turn"}},
    'only with match.overshoot other than "given away"': {"match": {"finish": "exactly", "overshoot": "given away"}},
    "only with a number of overshoot.falls": {"overshoot": {"falls": "unlimited"}},
    "only without match.teams": {"match": {"teams": True}},
    "only without inherited_dice": {"inherited_dice": {"bonus": 50}},
    "only without inherited_dice.points": {"inherited_dice": {"bonus": 0, "points": True}},
    "only without barrel": {"barrel": {"start": 880}},
}
"""What to state against the conditions that plain rules meet."""
MET: dict[str, Data] = {
    'only with dice.hold = "any"': {"dice": {"hold": "any"}},
    'only with dice.hot_dice = "confirm and end" or "confirm only"': {"dice": {"hot_dice": "confirm only"}},
    'only with match.finish = "exactly"': {"match": {"finish": "exactly"}},
    'only with match.ending other than "at once"': {"match": {"ending": "equal turns"}},
    "only with opening": {"opening": {"points": 50}},
    "only with obstacles.extra_turn = true": {"obstacles": {"extra_turn": True}},
}
"""What to state for those that plain rules do not meet."""


def merged(*parts: Data) -> Data:
    """Tables one over the other."""
    found: dict[str, Any] = {}
    for part in parts:
        for name, value in deepcopy(part).items():
            found[name] = merged(found[name], value) if isinstance(value, dict) and name in found else value
    return found


def problems_of(data: Data) -> list[str]:
    try:
        read_ruleset(Ruleset("yard", data, {}))
    except RulesetError as error:
        problems: list[str] = error.problems  # type: ignore[attr-defined]
        return problems
    return []


def told(condition: Condition, problems: list[str]) -> bool:
    """Whether the condition is one of the problems, by name."""
    return any(
        problem.startswith(f"yard: {condition.where}: ") and problem.endswith(f"; allowed: {condition.allowed}")
        for problem in problems
    )


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda condition: f"{condition.where} {condition.allowed}")
def test_each_rule_of_the_list_is_refused_without_what_it_takes_and_only_then(condition: Condition) -> None:
    rule = IN_FORCE[condition.where]
    assert told(condition, problems_of(merged(PLAIN, rule, UNMET.get(condition.allowed, {}))))
    assert not told(condition, problems_of(merged(PLAIN, rule, MET.get(condition.allowed, {}))))


def test_the_reference_lists_them_all() -> None:
    listed = reference("race").partition("### What needs or excludes what")[2]
    for condition in CONDITIONS:
        (line,) = [line for line in listed.splitlines() if line.startswith(f"| `{condition.where}`")]
        assert condition.allowed in line


@pytest.mark.parametrize("name", sorted(IN_FORCE))
def test_a_rule_with_all_that_it_takes_is_allowed(name: str) -> None:
    needed = [
        MET[condition.allowed] for condition in CONDITIONS if condition.where == name and condition.allowed in MET
    ]
    assert problems_of(merged(PLAIN, IN_FORCE[name], *needed)) == []


def test_no_shipped_ruleset_is_refused() -> None:
    assert all(load_rules(name) for name in shipped_names())


# ---- what shows only in the game as a whole ----


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        (
            {"dice": {"hold": "any"}, "combinations": {"single": {"1": 0, "5": 5}, "doublet": {}}},
            "combinations: a turn could go on for ever without points, throwing 1 die",
        ),
        (
            {"dice": {"loaded": {name: [0, 0, 0, 0, 1, 0] for name in "abcde"}}},
            "dice: a turn could never end, throwing 5 dice",
        ),
    ],
    ids=["for ever", "never ending"],
)
def test_rules_that_make_no_game_are_told_of_their_file_and_of_a_key(changes: Data, error: str) -> None:
    with pytest.raises(RulesetError) as caught, told_of("yard.toml"):
        compile_race(read_ruleset(Ruleset("yard.toml", merged(PLAIN, changes), {})), 1)  # type: ignore[arg-type]
    assert str(caught.value) == f"yard.toml: {error}"


def test_a_player_who_can_never_win_is_told_with_the_rule_that_holds_him() -> None:
    # Each turn brings 10 or 15 or nothing, and from 10 nobody gets out of the pit.
    short = {"dice": {"count": 1, "hot_dice": "confirm only"}, "combinations": {"single": {"5": 15}}}
    rules = merged(PLAIN, short, {"match": {"target": 30}, "pits": {"bounds": [[10, 30]]}})
    with pytest.raises(UnplayableError, match=r"^pits: a player with score=10 can never win$"):
        compile_race(read_ruleset(Ruleset("yard.toml", rules, {})), 1)  # type: ignore[arg-type]


def test_a_game_of_too_many_states_names_the_keys_that_make_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "MOST_STATES", 100)
    rules = load_rules("thousand-general-barrel")
    with pytest.raises(UnplayableError) as caught:
        compile_race(rules, 1)  # type: ignore[arg-type]
    counted = "match.target = 1000, match.step = 5, barrel.attempts = 3, barrel.falls = 3"
    assert str(caught.value) == f"{counted}: together more than 100 player states or 2000000 ways to end a turn"
