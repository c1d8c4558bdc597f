"""How soon a player alone is done: chances within turns and before events, and turns counted."""

import json

import pytest
from games import rules_from
from processes import Run

from solver.policies.expression import parse
from solver.policies.policy import load_policy
from solver.race.study.choices import NAMES
from solver.race.study.measures import BETWEEN_TURNS, Measured, measure
from solver.race.tables import solve_table

# One die; a five or a six brings two points, and four points win. Two turns without result in a row cost everything.
COIN = {
    "dice": {"count": 1, "hot_dice": "may"},
    "combinations": {"single": {"5": 2, "6": 2}},
    "match": {"target": 4, "step": 2},
    "bolts": {"limit": 2, "fine": 2},
}


def measured(policy: str | None, turns: int = 4, before: str | None = None, count: str | None = None) -> Measured:
    rules = rules_from(COIN)
    table, _solution = solve_table(rules, "turns")
    asked = [text and parse(text, BETWEEN_TURNS) for text in (before, count)]
    return measure(rules, policy and load_policy(policy, NAMES[1], "--policy"), table, turns, *asked)


def test_chances_of_a_rule_are_those_of_its_throws() -> None:
    # It stops with two points; the second fine of two turns in a row takes two points away again.
    third = 1.0 / 3.0
    found = measured("stop", turns=3).chances
    assert found[:3] == pytest.approx([0.0, 0.0, third**2])
    assert found[3] == pytest.approx(third**2 + 2 * third**2 * (1 - third))


def test_without_a_rule_the_last_turn_is_played_for_all() -> None:
    # With one turn left both throws must score.
    assert measured(None, turns=1).chances == pytest.approx([0.0, 1.0 / 9.0])


def test_what_has_happened_before_does_not_count() -> None:
    third = 1.0 / 3.0
    found = measured("stop", turns=3, before="bolts > 0").chances
    assert found == pytest.approx([0.0, 0.0, third**2, third**2])
    assert measured("stop", before="score < 0").chances == measured("stop").chances


def test_counting_all_turns_gives_the_expected_turns() -> None:
    rules = rules_from(COIN)
    table, _solution = solve_table(rules, "turns")
    best = measured("optimal", count="score >= 0").counted
    assert best == pytest.approx(float(table.values[0]), rel=1e-4)
    parts = [measured("stop", count=text).counted for text in ("bolts > 0", "bolts = 0", "score >= 0")]
    assert parts[0] + parts[1] == pytest.approx(parts[2], rel=1e-6)


def test_the_command_measures_and_refuses(kosti: Run) -> None:
    answer = kosti("measure", "pig", "--policy", "stop at 20", "--turns", "12", "--count", "score >= 0", "--json")
    found = json.loads(answer.out)
    assert len(found["chances"]) == 13
    assert found["counted"] == pytest.approx(12.63676949045399, rel=1e-4)
    wrong = kosti("measure", "pig", "--before", "turn > 3")
    assert (wrong.status, wrong.out) == (2, "")
    assert "--before: " in wrong.err
    assert len(wrong.err.splitlines()) == 1
    other = kosti("measure", "yahtzee")
    assert (other.status, len(other.err.splitlines())) == (2, 1)
