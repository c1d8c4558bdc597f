"""What two rulesets say differently: nothing is left out, and nothing else is told."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from games import rules_from
from processes import Run

from solver.difference import describe, differences, spoken
from solver.families import load_rules
from solver.race.rules import PitRules
from solver.ruleset import canonical, digest, shipped_names
from solver.schema import write_section

GOOD = Path(__file__).parent / "rulesets" / "good"
RACES = [name for name in shipped_names() if load_rules(name).family == "race"]
ALL = [*RACES, *(str(path) for path in sorted(GOOD.glob("*.toml")))]
ONE = 'extends = "thousand-classic"\ntitle = "One"\n'
OTHER = """extends = "thousand-classic"
remove = ["combinations.straight.1-5", "overtaking"]
[opening]
points = 75
[combinations.four]
1 = 500
[bolts]
in_pits = true
[pits]
bounds = [[300, 400]]
[combinations.doublet]
"""


def game(rules: Any) -> dict[str, Any]:
    return dict(json.loads(canonical(rules)))


def put(data: dict[str, Any], where: str, value: Any) -> None:
    """Say ``value`` at a path, or nothing if it is None."""
    *outer, last = where.split(".")
    for name in outer:
        data = data[name]
    data.pop(last, None)
    if value is not None:
        data[last] = value


@pytest.mark.parametrize(("one", "other"), list(product(ALL, ALL)))
def test_the_differences_turn_one_ruleset_into_the_other(one: str, other: str) -> None:
    ours, theirs = load_rules(one), load_rules(other)
    found = list(differences(ours, theirs))
    data = write_section(ours)
    for difference in found:
        put(data, difference.where, difference.values[1])
        assert difference.sentence
        assert difference.values[0] != difference.values[1]
    changed = rules_from(data)
    assert game(changed) == game(theirs)
    assert (not found) == (digest(ours) == digest(theirs))


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    """Two files whose names are short in their own folder."""
    (tmp_path / "one.toml").write_text(ONE)
    (tmp_path / "other.toml").write_text(OTHER)
    return str(tmp_path / "one.toml"), str(tmp_path / "other.toml")


def test_differences_are_told_in_words(pair: tuple[str, str]) -> None:
    told = describe(("A", "B"), *map(load_rules, pair))
    assert told.splitlines() == [
        "A: One",
        "",
        "combinations.four: 1 = 200 in A; 1 = 500 in B. Points of four equal dice, by face.",
        "combinations.straight: 1-5 = 125 only in A. Points of a run of faces, each once.",
        "combinations.doublet: only in B. Two equal dice when exactly two were thrown.",
        "  points = 0: Points of the two dice; with 0 they count as scoring all the same.",
        "opening.points: 50 in A, 75 in B. Least turn total that opens.",
        f"pits.bounds: 200-300, 600-700 in A; 300-400 in B. {PitRules.keys['bounds'].sentence}",
        "overtaking: only in A. A fine for being passed.",
        "  fine = 50: Points taken off each player passed.",
        "bolts.in_pits: no in A, yes in B. Whether a turn without result in a pit gives a bolt.",
        "All else is the same.",
    ]


def test_files_and_shipped_rulesets_are_compared_by_the_command(kosti: Run, pair: tuple[str, str]) -> None:
    lines = kosti("rules", "diff", *pair).result.splitlines()
    assert f"opening.points: 50 in {pair[0]}, 75 in {pair[1]}. Least turn total that opens." in lines
    assert "These are the same rules." in kosti("rules", "diff", "thousand-classic", pair[0]).result
    assert "barrel: only in thousand-classic-1005" in kosti("rules", "diff", "pig", "thousand-classic-1005").result


def test_differences_are_told_as_data(kosti: Run, pair: tuple[str, str]) -> None:
    found = json.loads(kosti("rules", "diff", *pair, "--json").result)
    assert (found["rulesets"], found["same"]) == (list(pair), False)
    assert {
        "where": "opening.points",
        "meaning": "Least turn total that opens.",
        "values": [50, 75],
    } in found["differences"]
    assert {"where": "overtaking", "meaning": "A fine for being passed.", "values": [{"fine": 50}, None]} in found[
        "differences"
    ]
    same = json.loads(kosti("rules", "diff", "pig", "pig", "--json").result)
    assert same == {"rulesets": ["pig", "pig"], "same": True, "differences": []}


@pytest.mark.parametrize("words", [["pig", "pgi"], ["pgi", "pig"], ["pig"], ["pig", "pig", "pig"], ["pig", "no.toml"]])
def test_what_cannot_be_compared_is_refused(words: list[str], kosti: Run) -> None:
    assert kosti("rules", "diff", *words).refusal


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "yes"),
        (0, "0"),
        ("at least", '"at least"'),
        ([[200, 300], [600, 700]], "200-300, 600-700"),
        ([1, 2], "1, 2"),
        ({"1": 10, "5": 5}, "1 = 10, 5 = 5"),
    ],
)
def test_a_value_is_said_as_a_player_would(value: Any, text: str) -> None:
    assert spoken(value) == text
