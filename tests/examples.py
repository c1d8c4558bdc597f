"""Worked examples of the rules as they were handed down, and what is wrong with some of them."""

import json
from pathlib import Path
from typing import Any

from solver.race.contradictions import read_rules
from solver.race.rules import RaceRules
from solver.ruleset import Ruleset, load_ruleset

Example = dict[str, Any]

EXAMPLES: list[Example] = [
    example
    for name in ("examples.json", "farkle_examples.json")
    for example in json.loads((Path(__file__).parent / "data" / name).read_text())
]

STRAIGHT = "1 5 2 3 4 is the straight 1-5, worth 125 and all five dice, where the example takes it for 15"
CORRECTED: dict[str, tuple[str, Example, Example]] = {
    "ex-thousand-classic-open-barrel-01": (
        f"{STRAIGHT}; the target is passed all the same",
        {"throws": [[1, 5, 2, 3, 4]]},
        {"turn_over": True, "score": 990, "points_marks": 1, "bolt": False},
    ),
    "ex-thousand-ussr-box-23": (
        f"{STRAIGHT}; 540 + 125 misses the dump truck",
        {"throws": [[1, 5, 2, 3, 4]]},
        {"turn_points": 125, "may_stop": False, "must_throw": 5},
    ),
    "ex-thousand-ussr-box-15": (
        f"{STRAIGHT}; five dice must follow, not three",
        {"throws": [[1, 5, 2, 3, 4]], "stop": False},
        {"turn_points": 125, "may_stop": False, "must_throw": 5, "after_each_throw": [125], "forced_after": [True]},
    ),
}
"""Examples that contradict the tables of their own rulesets: why, what is played instead, and what comes of it."""

REPAIRED: dict[str, list[list[int]]] = {
    "ex-thousand-classic-open-barrel-01": [[1, 5, 2, 3, 3]],
    "ex-thousand-ussr-box-23": [[1, 5, 2, 3, 3]],
    "ex-thousand-ussr-box-15": [[1, 5, 2, 3, 3], [1, 5, 5], [6, 6, 6, 2, 3], [5, 4]],
}
"""Throws that show what those examples were meant to show; what they expect then holds as it stands."""


def corrected(example: Example) -> Example:
    """The example as its ruleset has it."""
    if example["id"] not in CORRECTED:
        return example
    _why, changes, expected = CORRECTED[example["id"]]
    return {**example, "input": {**example["input"], **changes}, "expected": expected}


def repaired() -> list[Example]:
    """The examples that had to be corrected, with throws that show the rule."""
    found = [example for example in EXAMPLES if example["id"] in REPAIRED]
    return [{**found_one, "input": {**found_one["input"], "throws": REPAIRED[found_one["id"]]}} for found_one in found]


KEYS = {"bolt_limit": ("bolts", "limit"), "fall_limit": ("overshoot", "falls"), "target": ("match", "target")}
FOURS_OF_TWENTY = {"1": 200, "2": 40, "3": 60, "4": 80, "5": 100, "6": 120}
TRIPLES = {"1": 1000, "2": 200, "3": 300, "4": 400, "5": 500, "6": 600}
DOUBLING = {"four": 2, "five": 4, "six": 8}
"""Four, five and six equal dice as multiples of three where each further die doubles."""


def example_ruleset(example: Example) -> RaceRules:
    """The shipped ruleset of an example with the options that it names."""
    given_keys, data = example["input"], load_ruleset(example["ruleset"]).data
    for name, (section, key) in KEYS.items():
        if name in given_keys:
            data[section][key] = given_keys[name]
    for option, value in given_keys.get("options", {}).items():
        if (option, value) == ("four", "x20"):
            data["combinations"]["four"] = FOURS_OF_TWENTY
        elif value == "doubling":
            data["combinations"][option] = {face: DOUBLING[option] * points for face, points in TRIPLES.items()}
        elif example["ruleset"].startswith("farkle-"):
            pass  # the ruleset is the option
        else:
            section, key = {"bolts_in_pit": ("bolts", "in_pits")}[option]
            data[section][key] = value
    return read_rules(Ruleset(example["id"], data, {}))
