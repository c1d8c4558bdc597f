"""The page of all games: none is missing, and what it says of some is what comes out now."""

import sys
from pathlib import Path

import pytest

from solver.ruleset import shipped_names

DOCS = Path(__file__).parent.parent / "docs"
sys.path.insert(0, str(DOCS))

from refresh_games import CATALOGUE, PAGE, read, solved, written  # noqa: E402

ROWS = read(PAGE.read_text())
NAMES = CATALOGUE.read_text().split()


def test_every_game_of_the_catalogue_is_on_the_page() -> None:
    assert len(NAMES) == len(set(NAMES)) == 121
    assert list(ROWS) == NAMES
    assert written(PAGE.read_text(), ROWS) == PAGE.read_text()


def test_the_page_says_of_exactly_those_that_there_are_no_rulesets_for_that_they_are_not_built() -> None:
    assert {name for name in NAMES if ROWS[name].solved == "not built"} == set(NAMES) - set(shipped_names())


@pytest.mark.parametrize("name", ["craps-standard", "yahtzee-13", "thousand-classic", "drop-dead", "sea-dice"])
def test_the_page_has_the_value_that_comes_out_now(name: str) -> None:
    assert solved(name)[:-1] == ROWS[name][:-1]
