"""Values of score sheets that others have published, or that follow from a short calculation."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import solver
from solver.ruleset import Ruleset, load_ruleset
from solver.sheet.actions import Turn
from solver.sheet.model import SheetModel, compile_sheet
from solver.sheet.rules import SheetGameRules, read_rules
from solver.sheet.solve import Solution, certify, solve
from solver.sheet.spread import deviation

CLOSE = 1e-9


@cache
def solved(name: str) -> tuple[SheetModel, Solution]:
    rules = solver.load_rules(name)
    assert isinstance(rules, SheetGameRules)
    model = compile_sheet(rules)
    return model, solve(model)


def changed(name: str, **rows: dict[str, Any]) -> SheetModel:
    """A shipped sheet with other rows."""
    data = load_ruleset(name).data
    for row, keys in rows.items():
        data["rows"][row.replace("_", "-")] |= keys
    return compile_sheet(read_rules(Ruleset("test", data, {})))


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("dice-poker-series", 164.910971329628),
        ("dice-poker-combinations-only", 210.496518661882),
        ("yahtzee-13", 245.870774514112),
        ("kniffel", 245.8707745141116),
        ("yahtzee", 254.5896094819632),
        ("yahtzee-forced-joker", 254.5877287344959),
        ("yahtzee-no-joker", 253.9702411897802),
        ("yatzy", 248.4399893778553),
    ],
)
def test_the_expected_total_is_the_published_one(name: str, total: float) -> None:
    _model, solution = solved(name)
    assert solution.values[0] == pytest.approx(total, abs=CLOSE)
    assert solution.bound < 1e-10


def test_kniffel_with_five_equal_dice_as_a_full_house() -> None:
    assert solve(changed("kniffel", full={"alike": True})).values[0] == pytest.approx(245.9047283707195, abs=CLOSE)


def test_yahtzee_without_the_upper_bonus() -> None:
    data = load_ruleset("yahtzee-13").data
    del data["school"]
    model = compile_sheet(read_rules(Ruleset("test", data, {})))
    assert solve(model).values[0] == pytest.approx(229.6384995504905, abs=CLOSE)


@pytest.mark.parametrize(
    ("rows", "total"),
    [
        ({"full": {"alike": True}}, 248.4680909173007),
        ({"two_pairs": {"alike": True}}, 248.6440589437795),
        ({"full": {"alike": True}, "two_pairs": {"alike": True}}, 248.6748826884223),
    ],
)
def test_yatzy_with_house_rules(rows: dict[str, Any], total: float) -> None:
    assert solve(changed("yatzy", **rows)).values[0] == pytest.approx(total, abs=CLOSE)


def alone(name: str, row: str) -> float:
    """The value of a sheet that has one row."""
    data = load_ruleset(name).data
    data["sheet"]["rows"], data["rows"] = [row], {row: data["rows"][row]}
    data.pop("joker", None)
    data.pop("school", None)
    return float(solve(compile_sheet(read_rules(Ruleset("test", data, {})))).values[0])


@pytest.mark.parametrize(
    ("name", "row", "total"),
    [
        ("yatzy", "pair", 10.628797),
        ("yatzy", "two-pairs", 11.907547),
        ("yatzy", "three-kind", 9.545416),
        ("yatzy", "four-kind", 4.572357),
        ("yatzy", "small-straight", 2.952436),
        ("yatzy", "large-straight", 3.936582),
        ("yatzy", "full", 6.965727),
        *(("yahtzee", name, face * 2.106481481) for face, name in enumerate(["ones", "twos", "threes"], 1)),
        *(("yahtzee", name, face * 2.106481481) for face, name in enumerate(["fours", "fives", "sixes"], 4)),
        ("yahtzee", "three-kind", 114845383 / 7558272),
        ("yahtzee", "four-kind", 56548607 / 10077696),
        ("yahtzee", "full", 25 * 5485535 / 15116544 + 0.081547),
        ("yahtzee", "small-straight", 30 * 753572225 / 1224440064),
        ("yahtzee", "large-straight", 40 * 319695199 / 1224440064),
        ("yahtzee", "yahtzee", 50 * 347897 / 7558272),
        ("yahtzee", "chance", 70 / 3),
    ],
)
def test_a_row_played_alone(name: str, row: str, total: float) -> None:
    if (name, row) == ("yahtzee", "full"):
        total = 25 * 5485535 / 15116544  # five equal dice are no full house here
    assert alone(name, row) == pytest.approx(total, abs=1e-6)


def test_the_spread_of_totals_is_as_published_but_for_ties() -> None:
    # Others break ties otherwise, which moves the fourth decimal.
    model, solution = solved("yahtzee-13")
    assert deviation(model, model.kernel(), solution.values) == pytest.approx(39.82, abs=0.01)


def choices(name: str, sheet: str, dice: str, throw: int, **more: Any) -> list[dict[str, Any]]:
    advice = solver.advise(name, sheet=sheet, dice=dice, throw=str(throw), **more)
    found: list[dict[str, Any]] = advice.to_json()["options"]
    return found


@pytest.fixture
def forced(tmp_path: Path) -> Path:
    """A table of Yahtzee with the forced joker."""
    table, _solution = solver.solve_table(solver.load_rules("yahtzee-forced-joker"), "points")
    solver.write_table(tmp_path / "forced.safetensors", table)
    return tmp_path / "forced.safetensors"


FIVE_FACES = "ones=0,twos=0,threes=9,fours=16,fives=20"


def test_a_bad_first_turn(forced: Path) -> None:
    found = {
        option["write"]: option["value"] for option in choices("yahtzee-forced-joker", "", "1,2,2,4,6", 3, table=forced)
    }
    assert next(iter(found)) == "twos"
    for row, value in {"twos": 241.752763, "ones": 239.628904, "four-kind": 235.538532, "chance": 234.958318}.items():
        assert found[row] == pytest.approx(value, abs=1e-6)
    rest = "three-kind=0,four-kind=0,small-straight=0,large-straight=0,yahtzee=0,chance=20"
    options = choices("yahtzee-forced-joker", f"{FIVE_FACES},{rest}", "6,6,6,2,2", 3, table=forced)
    assert {option["write"]: option["value"] for option in options} == pytest.approx(
        {"sixes": 62.153620, "full": 50.058639}, abs=1e-6
    )


def test_the_bonus_is_paid_with_the_last_row_of_the_upper_part() -> None:
    rest = "three-kind=0,four-kind=0,full=0,small-straight=0,large-straight=0,yahtzee=0,chance=20"
    (option,) = choices("yahtzee", f"{FIVE_FACES},{rest}", "6,6,6,2,2", 3)
    assert (option["points"], option["value"]) == (18 + 35, pytest.approx(53))
    (option,) = choices("yahtzee", f"ones=0,twos=4,threes=9,fours=16,fives=15,{rest}", "6,6,6,2,2", 3)
    assert (option["points"], option["value"]) == (18, pytest.approx(18))


UPPER = "ones=3,twos=6,threes=9,fours=12,fives=15,sixes=18"


def test_only_five_equal_dice_left() -> None:
    sheet = f"{UPPER},three-kind=0,four-kind=0,full=0,small-straight=0,large-straight=0,chance=20"
    best = choices("yahtzee", sheet, "6,1,3,1,4", 1)[0]
    assert best["hold"] == [1, 1]
    assert best["value"] == pytest.approx(1.453189, abs=1e-6)


def test_only_four_equal_dice_left_after_a_straight() -> None:
    sheet = f"{UPPER},three-kind=0,yahtzee=0,full=0,small-straight=0,large-straight=0,chance=20"
    found = {tuple(option.get("hold", "w")): option["value"] for option in choices("yahtzee", sheet, "1,2,3,4,5", 1)}
    assert next(iter(found)) == (5,)
    assert [found[hold] for hold in ((5,), (4,), ())] == pytest.approx([2.775406, 2.527206, 2.421513], abs=1e-6)


def test_to_keep_nothing_is_a_choice() -> None:
    sheet = f"{UPPER},three-kind=0,four-kind=0,yahtzee=0,full=0,small-straight=0,large-straight=0"
    found = {tuple(option.get("hold", "w")): option["value"] for option in choices("yahtzee", sheet, "1,1,2,2,3", 2)}
    assert next(iter(found)) == ()
    assert [found[hold] for hold in ((), (3,), (2, 3))] == pytest.approx([17.5, 17.0, 15.5])


def test_every_state_of_a_sheet_has_a_choice_with_every_throw() -> None:
    model, solution = solved("dice-poker-series")
    kernel = model.kernel()
    for states in model.levels[:-1]:
        for state in states.tolist():
            turn = Turn(model, kernel, state, 0, kernel.worths(state, 0, solution.values))
            for throw in range(0, 252, 7):
                for made in (1, 2, 3):
                    found = turn.choices(throw, made)
                    assert any(choice.write for choice in found)
                    assert np.isfinite([choice.value for choice in found]).all()


def test_values_are_the_same_bits_for_any_number_of_threads() -> None:
    model, solution = solved("yahtzee-13")
    assert solve(model, threads=1).values.tobytes() == solve(model, threads=5).values.tobytes()
    assert solve(model, threads=1).values.tobytes() == solution.values.tobytes()


@pytest.mark.parametrize("by", [1e-9, -0.5, 1e6, float("nan"), float("inf")])
def test_a_corrupted_value_cannot_be_certified(by: float) -> None:
    model, solution = solved("dice-poker-series")
    assert certify(model, solution.values) == pytest.approx(solution.bound)
    for place in (0, 100, model.size - 2):
        values = solution.values.copy()
        values[place] += by
        assert not certify(model, values) <= solution.bound * 1.01
