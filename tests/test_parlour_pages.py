"""The pages about the small games: what they show is what the code finds."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from solver.families import load_rules
from solver.ruleset import shipped_names

DOCS = Path(__file__).parent.parent / "docs"


def generator() -> Any:
    spec = importlib.util.spec_from_file_location("refresh_parlour", DOCS / "refresh_parlour.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["craps", "four-dice", "dice-bank", "high-dice", "drop-dead", "bluff"])
def test_a_page_is_what_the_code_says_today(name: str) -> None:
    assert (DOCS / "parlour" / f"{name}.md").read_text() == generator().page(name), (
        "run: python docs/refresh_parlour.py"
    )


def test_every_page_has_been_written() -> None:
    assert {path.stem for path in (DOCS / "parlour").glob("*.md")} == {*generator().PAGES, "rulesets"}


def test_every_small_game_has_a_page() -> None:
    cases = [case for page in generator().PAGES.values() for case in page.cases]
    shown = {vars(load_rules(case.ruleset))["game"] for case in cases}
    shipped = [load_rules(name) for name in shipped_names()]
    assert shown == {vars(rules)["game"] for rules in shipped if rules.family == "parlour"}
