"""Small sheets, solved completely with the slow and obvious re-implementation as well."""

from typing import Any

import pytest
from reference import sheet as reference

from solver.ruleset import Ruleset
from solver.sheet.actions import Turn
from solver.sheet.lattice import THROWS, lattice
from solver.sheet.model import compile_sheet
from solver.sheet.position import faces_of
from solver.sheet.rows import row_worth
from solver.sheet.rules import SheetGameRules, read_rules
from solver.sheet.solve import solve

FACES = {name: {"combination": name} for name in ("ones", "twos", "fives", "sixes")}
PAIR = {"combination": "pair", "first_throw": "dice twice"}
FULL = {"combination": "full house", "adds": "no dice", "premium": 25}
STRAIGHT = {"combination": "straight", "runs": ["1-5", "2-6"], "adds": "no dice", "premium": 40}
FIVE = {"combination": "five", "adds": "no dice", "premium": 50}
FOUR = {"combination": "four", "premium": 30, "first_throw": "all twice"}
ANY = {"combination": "any"}
MISERE = {"combination": "any", "adds": "minus all dice", "premium": 36}
DIFFERENCE = [-3, -2, -1, 0, 1, 2]


def game(rows: dict[str, Any], **sections: Any) -> SheetGameRules:
    sheet = {"rows": list(rows), **sections.pop("sheet", {})}
    return read_rules(Ruleset("test", {"family": "sheet", "sheet": sheet, "rows": rows, **sections}, {}))


def joker(use: str, bonus: int = 100) -> dict[str, Any]:
    return {"joker": {"row": "five", "use": use, "bonus": bonus}, "school": {"threshold": 20, "bonus": 35}}


GAMES: dict[str, SheetGameRules] = {
    "faces-with-a-bonus": game({"ones": FACES["ones"], "sixes": FACES["sixes"]}, school={"threshold": 14, "bonus": 35}),
    "school-first": game(
        {"twos": FACES["twos"], "pair": PAIR, "four": FOUR},
        sheet={"school_first": True},
        school={"per_face": DIFFERENCE, "bonus": 50},
    ),
    "school-with-a-negative-total-times-ten": game(
        {"ones": FACES["ones"], "sixes": FACES["sixes"], "pair": PAIR},
        school={"per_face": DIFFERENCE, "negative_times": 10},
        turn={"throws": 2},
    ),
    "school-that-costs-below-zero": game(
        {"fives": FACES["fives"], "twos": FACES["twos"], "any": ANY},
        school={"per_face": [-3, -2, -1, 3, 4, 5], "below": -50},
        turn={"throws": 2},
    ),
    "school-of-everything": game(
        {"fives": FACES["fives"], "twos": FACES["twos"]},
        school={
            "per_face": DIFFERENCE,
            "flat": [-5, 0, 0, 0, 1, 2],
            "threshold": 2,
            "bonus": 20,
            "below": -7,
            "negative_times": 3,
        },
    ),
    "all-doubled": game({"pair": PAIR, "any": {**ANY, "first_throw": "all twice"}, "four": FOUR}),
    "loose-and-larger": game(
        {
            "odd": {"combination": "odd", "loose": True},
            "even": {"combination": "even", "first_throw": "dice twice"},
            "full": {"combination": "full house", "alike": True, "adds": "all dice", "premium": 25, "larger": True},
        },
    ),
    "misere-and-pairs": game({"misere": MISERE, "two": {"combination": "two pairs", "alike": True}, "any": ANY}),
    "one-throw": game({"pair": PAIR, "any": ANY, "four": FOUR}, turn={"throws": 1}),
    "four-throws": game({"five": FIVE, "straight": STRAIGHT}, turn={"throws": 4}),
    **{
        f"joker-{use}": game({"five": FIVE, "sixes": FACES["sixes"], "full": FULL}, **joker(use))
        for use in ("none", "free", "forced")
    },
    "joker-with-faces-alone": game(
        {"five": FIVE, "sixes": FACES["sixes"], "fives": FACES["fives"]}, **joker("forced"), turn={"throws": 2}
    ),
    **{
        f"joker-{use}-that-costs-points-and-pays-a-bonus": game(
            {"five": FIVE, "straight": {**STRAIGHT, "adds": "minus all dice", "premium": 10}}, **joker(use)
        )
        for use in ("free", "forced")
    },
    "joker-without-a-bonus": game({"five": FIVE, "straight": STRAIGHT, "ones": FACES["ones"]}, **joker("free", 0)),
    "saved-throws": game(
        {"pair": PAIR, "five": FIVE, "ones": FACES["ones"]},
        saved_throws={"points": 3},
        school={"threshold": 3, "bonus": 20},
        turn={"throws": 2},
    ),
    "saved-throws-after-the-school": game(
        {"ones": FACES["ones"], "sixes": FACES["sixes"], "four": FOUR},
        sheet={"school_first": True},
        school={"per_face": [-3, -2, -1, 0, 0, 0], "bonus": 50},
        saved_throws={"in_school": False, "points": 3},
        turn={"throws": 2},
    ),
    "rounds": game({"pair": PAIR, "five": FIVE}, sheet={"rounds": 3}, saved_throws={"most": 1}),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_small_sheet_is_worth_what_the_slow_solver_says(name: str) -> None:
    rules = GAMES[name]
    model = compile_sheet(rules)
    solution = solve(model)
    twin = reference.Game(rules)
    assert solution.values[0] == pytest.approx(twin.value(twin.start()), abs=1e-10)
    assert solution.bound < 1e-10


@pytest.mark.parametrize("name", GAMES)
def test_every_row_is_worth_what_the_slow_scorer_says_for_every_throw(name: str) -> None:
    rules = GAMES[name]
    for throw in range(THROWS):
        for _name, row in rules.named_rows():
            for joker in (False, True):
                worth = row_worth(rules, row, lattice().nodes[throw], joker=joker)
                twin = [reference.points(rules, row, faces_of(throw), first, joker) for first in (False, True)]
                assert list(worth) == twin


def test_every_keep_of_a_turn_is_worth_what_the_slow_solver_says() -> None:
    rules = GAMES["school-first"]
    model = compile_sheet(rules)
    kernel, solution = model.kernel(), solve(model)
    twin = reference.Game(rules)
    turn = Turn(model, kernel, 0, 0, kernel.worths(0, 0, solution.values))
    for made in (1, 2):
        keeps = twin.turn(twin.start())[1](made)
        for node, value in enumerate(turn.keeps(made)):
            if node >= THROWS:
                assert value == pytest.approx(keeps[faces_of(node)], abs=1e-10)
