"""The page about score sheets: its table has every sheet, and says what a solve finds."""

import re
from pathlib import Path

import pytest

import solver
from solver.ruleset import load_ruleset, shipped_names
from solver.sheet.model import compile_sheet
from solver.sheet.rules import SheetGameRules
from solver.sheet.solve import solve
from solver.sheet.spread import deviation

PAGE = (Path(__file__).parent.parent / "docs" / "sheets.md").read_text()
LINES = {found[1]: found[0].split(" | ") for found in re.finditer(r"^\| `([^`]+)` \|.*$", PAGE, re.MULTILINE)}
QUICK = ["dice-poker-series", "dice-poker-two-stage-kare30", "dice-poker-pokerlaws-stage1", "sea-dice"]


def test_every_sheet_is_in_the_table() -> None:
    sheets = [name for name in shipped_names() if load_ruleset(name).data.get("family") == "sheet"]
    assert sorted(LINES) == sheets


@pytest.mark.parametrize("name", QUICK)
def test_a_line_of_the_table_is_what_a_solve_finds(name: str) -> None:
    rules = solver.load_rules(name)
    assert isinstance(rules, SheetGameRules)
    model = compile_sheet(rules)
    solution = solve(model)
    _name, rows, total, spread, bound, values, _seconds = LINES[name]
    assert int(rows) == len(rules.sheet.rows)
    assert float(total) == pytest.approx(solution.values[0], abs=1e-9)
    assert float(spread) == pytest.approx(deviation(model, model.kernel(), solution.values), abs=0.01)
    assert solution.bound <= float(bound) * 1.5
    assert int(values) == model.size
