"""What the shipped games are worth: the page that says so, against solves of today."""

import re
from pathlib import Path

import pytest

from solver.families import load_rules
from solver.race.model import compile_race
from solver.race.player import starting
from solver.race.solve import solve
from solver.ruleset import shipped_names

PAGE = (Path(__file__).parent.parent / "docs" / "values.md").read_text()
ALONE, FOR_TWO = (
    {name: (int(states), float(value), float(bound)) for name, states, value, bound in re.findall(ROW, part)}
    for ROW in [r"\| `([\w-]+)` \| (\d+) \| (\d+\.\d+) \| ([\d.e-]+) \|"]
    for part in PAGE.split("## For two")
)
QUICK = [
    "pig",
    "pig-equal-turns",
    "farkle-medieval",
    "thousand-general-exact",
    "thousand-general-simple",
    "thousand-raznoobrazie-extra-turn-minus100",
]


def check(name: str, players: int, told: tuple[int, float, float]) -> None:
    rules = load_rules(name)
    objective = "turns" if players == 1 else "stake" if rules.stakes else "win"
    model = compile_race(rules, players)
    solution = solve(model, objective)
    seats = starting(rules, players)
    row, other = model.numbers[seats[0]], model.numbers[seats[-1]]
    value = solution.values[row, other] if players == 2 else solution.values[row]
    states, expected, bound = told
    assert len(model.states) == states
    # The page gives ten decimals.
    assert abs(value - expected) <= solution.bound + bound + 1e-10


def test_the_page_knows_every_game() -> None:
    races = {name for name in shipped_names() if load_rules(name).family == "race"}
    assert set(ALONE) == races
    large = set(re.findall(r"\| `([\w-]+)` \| \d+ \| \(below\)", PAGE))
    for_one = {name for name in races if load_rules(name).match.most_players == 1}
    assert set(FOR_TWO) | large | for_one == races


OF_MANY = {"farkle-classroom-350", "farkle-five-dice", "farkle-medieval", "farkle-toxic-twos", "ten-thousand-dix-mille"}
"""Games of the Farkle family that are solved here, of some dozens that differ in one option each."""


def is_solved(name: str) -> bool:
    """Whether a game alone is solved here: not if that takes long, or if it is like many others."""
    return ALONE[name][0] < 900 and (name in OF_MANY or not name.startswith(("farkle-", "ten-thousand-", "zilch")))


@pytest.mark.parametrize("name", sorted(filter(is_solved, ALONE)))
def test_a_game_alone_takes_the_turns_that_the_page_says(name: str) -> None:
    check(name, 1, ALONE[name])


@pytest.mark.parametrize("name", QUICK)
def test_a_small_game_for_two_has_the_value_that_the_page_says(name: str) -> None:
    check(name, 2, FOR_TWO[name])
