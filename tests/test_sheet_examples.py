"""Worked examples of score sheets: what rows are worth, and how sheets are settled."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import solver
from solver.errors import RulesetError
from solver.sheet.memory import Memories
from solver.sheet.model import SheetModel, compile_sheet
from solver.sheet.rules import SheetGameRules, settlement
from solver.sheet.solve import end_values

Example = dict[str, Any]
EXAMPLES: list[Example] = json.loads((Path(__file__).parent / "data" / "sheet-examples.json").read_text())
SCORES = [example for example in EXAMPLES if example["kind"] == "score"]
OTHERS = [example for example in EXAMPLES if example["kind"] != "score"]


@cache
def model_of(name: str) -> SheetModel:
    rules = solver.load_rules(name)
    assert isinstance(rules, SheetGameRules)
    return compile_sheet(rules)


def check_options(rules: SheetGameRules, options: dict[str, Any]) -> None:
    """The options that an example names are those of its ruleset."""
    for option, value in options.items():
        if option == "school_scaled_by_face":
            assert any(rules.school.per_face) == value
        elif option == "negative":
            assert (value, rules.school.negative_times) == ("sum_x10", 10)
        else:
            assert option == "even_odd"
            assert dict(rules.rows)["even"].loose == (value == "loose")


@pytest.mark.parametrize("example", SCORES, ids=lambda example: example["id"])
def test_a_row_brings_what_the_example_says(example: Example, tmp_path: Path) -> None:
    facts = example["input"]
    throw = " ".join(map(str, facts["dice"]))
    lines = [
        f'extends = "{example["ruleset"]}"',
        "[[example]]",
        f'throw = "{throw}"',
        f'row = "{facts["row"]}"',
        f"first_throw = {str(facts.get('first_throw', False)).lower()}",
        f"points = {example['expected']['points']}",
    ]
    path = tmp_path / "example.toml"
    path.write_text("\n".join(lines))
    check_options(solver.load_rules(str(path)), facts.get("options", {}))
    path.write_text("\n".join([*lines[:-1], f"points = {example['expected']['points'] + 1}"]))
    with pytest.raises(RulesetError, match=r"example\[0\].points"):
        solver.load_rules(str(path))


@pytest.mark.parametrize("example", OTHERS, ids=lambda example: example["id"])
def test_a_sheet_is_settled_as_the_example_says(example: Example) -> None:
    model, facts = model_of(example["ruleset"]), example["input"]
    check_options(model.rules, facts.get("options", {}))
    assert settled(model, model.memories, facts) == example["expected"]


def settled(model: SheetModel, memories: Memories, facts: dict[str, Any]) -> dict[str, Any]:
    match facts["query"]:
        case "school_bonus":
            return {"bonus": int(memories.payment(facts["school_total"]))}
        case "upper_bonus":
            return {"bonus": int(memories.payment(facts["upper_total"]))}
        case "school_penalty":
            return {"penalty": int(memories.payment(facts["school_total"]))}
        case "school_total":
            total = sum(facts["rows"].values())
            return {"total": total + int(memories.payment(total))}
        case "settlement":
            return {"payoff": settlement(facts["scores"])}
        case _:
            end = model.start[model.levels[-1][0]]
            return {"bonus": int(end_values(model)[end + facts["unused_throws"]])}
