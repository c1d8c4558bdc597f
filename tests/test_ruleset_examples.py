"""Examples in ruleset files: checked when the file is read, and no part of the game. Bad ones: ``rulesets/bad``."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import Run

from solver.errors import RulesetError
from solver.families import load_rules, read_ruleset
from solver.race.examples import check_examples
from solver.race.rules import RaceRules
from solver.ruleset import digest, load_ruleset, shipped_names
from solver.schema import write_section

CLASSIC = 'extends = "thousand-classic"\n'
EXAMPLE = '[[example]]\nthrow = "{}"\npoints = {}\n'


def loaded(folder: Path, text: str, name: str = "rules.toml") -> RaceRules:
    (folder / name).write_text(text)
    return load_rules(str(folder / name))


@pytest.mark.parametrize(
    ("throw", "points"),
    [("1 1 1 5 2", 105), ("2,1,1,5,1", 105), ("6 5 4 3 2", 250), ("2 3 4 6 6", 0), ("1", 10), (" 5 , 1 ", 15)],
)
def test_an_example_that_is_right_changes_nothing(throw: str, points: int, tmp_path: Path) -> None:
    rules = loaded(tmp_path, CLASSIC + EXAMPLE.format(throw, points))
    assert digest(rules) == digest(load_rules("thousand-classic"))
    assert "example" not in write_section(rules)


def test_an_example_is_read_by_the_rules_of_its_own_file(tmp_path: Path) -> None:
    worth = "[combinations.four]\n2 = 400\n"
    assert loaded(tmp_path, CLASSIC + worth + EXAMPLE.format("2 2 2 2 3", 400))
    # The one that thousand-classic states of the same throw is not inherited, nor is this one.
    assert loaded(tmp_path, 'extends = "rules.toml"\n[combinations.four]\n2 = 401\n[match]\nstep = 1\n', "next.toml")


def test_a_number_of_dice_that_is_thrown_later_in_the_turn_is_read_as_such(tmp_path: Path) -> None:
    doublet = "[combinations.doublet]\npoints = 20\n"
    assert loaded(tmp_path, CLASSIC + doublet + EXAMPLE.format("3 3", 20) + EXAMPLE.format("3 3 4", 0))


def test_every_wrong_example_is_listed(kosti: Run, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(CLASSIC + EXAMPLE.format("1", 5) + EXAMPLE.format("5", 5) + EXAMPLE.format("5 5", 50))
    answer = kosti("rules", "check", path)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.splitlines() == [
        f"{path}: example[0].points: 5 for the throw 1; allowed: 10, its best reading",
        f"{path}: example[2].points: 50 for the throw 5 5; allowed: 10, its best reading",
    ]
    for words in (("rules", "show", path), ("solve", path)):
        assert "5 for the throw 1" in kosti(*words).refusal


def test_shipped_rulesets_that_start_from_nothing_state_examples() -> None:
    for name in shipped_names():
        ruleset = load_ruleset(name)
        if load_rules(name).family != "race":
            continue  # only there an example is of a throw
        check_examples(load_rules(name), ruleset)
        if set(ruleset.origins.values()) == {name}:
            assert ruleset.examples, name


texts = st.text(max_size=9) | st.text("1 2,35 67", max_size=14)
scalars = st.booleans() | st.integers() | st.floats() | st.dates() | texts
tables = st.fixed_dictionaries({"throw": scalars, "points": scalars}) | st.dictionaries(texts, scalars, max_size=3)


@given(scalars | tables | st.lists(scalars | tables, max_size=4))
def test_any_examples_give_rules_or_an_error_of_one_line(value: Any) -> None:
    message = "fine"
    try:
        read_ruleset(load_ruleset("thousand-classic")._replace(examples=value))
    except RulesetError as error:
        message = str(error)
    assert message.isprintable()
    assert len(message) < 500
