"""The command ``advise`` for score sheets, and their tables."""

import json
from pathlib import Path

import numpy as np
import pytest
from processes import Run

import solver
from solver.errors import TableError
from solver.families import verify_table
from solver.table import Table, read_table

TABLES = Path(__file__).parent.parent / "tables"
SHIPPED = ["yahtzee", "yatzy", "dice-poker-series", "dice-poker-raznoobrazie"]
SERIES = "dice-poker-series"
SCHOOL = ",".join(f"school-{face}=0" for face in range(1, 7))


def test_the_answer_as_data(advise: Run) -> None:
    words = ("--dice", "3,3,4,5,6", "--throw", "1", "--sheet", "ones=3,chance=22", "--json")
    answer = json.loads(advise("--ruleset", "yahtzee", *words).result)
    assert (answer["ruleset"], answer["objective"], answer["sheet"]) == (
        "yahtzee",
        "points",
        {"ones": 3, "chance": 22},
    )
    assert (answer["dice"], answer["throw"], answer["throws"], answer["total"]) == ([3, 3, 4, 5, 6], 1, 3, 25)
    best = answer["options"][0]
    assert best == {"hold": [3, 4, 5, 6], "value": answer["value"], "loss": 0.0}
    losses = [option["loss"] for option in answer["options"]]
    assert losses == sorted(losses)
    writes = {option["write"]: option["points"] for option in answer["options"] if "write" in option}
    assert writes == {
        "twos": 0, "threes": 6, "fours": 4, "fives": 5, "sixes": 6, "three-kind": 0, "four-kind": 0,
        "full": 0, "small-straight": 30, "large-straight": 0, "yahtzee": 0,
    }  # fmt: skip
    assert len(answer["options"]) == len(writes) + 23  # each set of the dice but all of them


def test_the_answer_in_words(advise: Run) -> None:
    text = advise("--ruleset", "yahtzee", "--dice", "3,3,4,5,6", "--sheet", "ones=3,chance=22", "--keep", "3,3").result
    assert "Keep 3 4 5 6 and throw 1 die." in text
    assert "Asked for: Keep 3 3 and throw 3 dice." in text
    assert "Throw 1 of 3: 3 3 4 5 6." in text


def test_a_bonus_comes_on_top_of_the_points_that_stand_in_the_row(advise: Run) -> None:
    upper = "twos=6,threes=9,fours=12,fives=15,sixes=18"
    words = ("--ruleset", "yahtzee", "--dice", "1,1,1,2,3", "--throw", "3", "--sheet", upper)
    assert "Write 3 points in ones; a bonus of 35 points comes on top." in advise(*words).result
    best = json.loads(advise(*words, "--json").result)["options"][0]
    assert (best["write"], best["row_points"], best["points"]) == ("ones", 3, 38)
    after = json.loads(advise("--ruleset", "yahtzee", "--sheet", f"{upper},ones=3", "--json").result)
    assert after["total"] == 60 + best["points"]
    assert best["value"] == pytest.approx(best["points"] + after["value"], abs=1e-9)


def test_what_a_low_school_costs_is_told_beside_the_row(advise: Run) -> None:
    school = ",".join(f"school-{face}=0" for face in range(2, 7))
    words = ("--ruleset", "dice-poker-raznoobrazie", "--dice", "1,2,2,3,3", "--throw", "3", "--sheet", school)
    assert "Write -2 points in school-1; 18 points more are taken off." in advise(*words).result


def test_to_keep_nothing_is_asked_for_by_name(advise: Run) -> None:
    text = advise("--ruleset", "yahtzee", "--dice", "3,3,4,5,6", "--keep", "none").result
    assert "Asked for: Keep nothing and throw all dice." in text


def test_without_dice_the_value_of_the_sheet(advise: Run) -> None:
    answer = json.loads(advise("--ruleset", SERIES, "--json").result)
    assert answer["value"] == pytest.approx(164.910971329628, abs=1e-9)
    assert answer["options"] == []
    assert "164.91 points to come" in advise("--ruleset", SERIES).result
    full = f"{SCHOOL},pair=2,two-pairs=6,triple=3,small-straight=0,big-straight=0,full=0,four=0,poker=0,chance=20"
    answer = json.loads(advise("--ruleset", SERIES, "--sheet", full, "--json").result)
    assert (answer["value"], answer["total"]) == (0.0, 31 + 50)


def test_the_first_throw_is_doubled(advise: Run) -> None:
    for throw, points in (("1", 24), ("2", 12)):
        words = ("--dice", "6,6,1,2,4", "--throw", throw, "--sheet", SCHOOL, "--json")
        answer = json.loads(advise("--ruleset", SERIES, *words).result)
        (pair,) = [option for option in answer["options"] if option.get("write") == "pair"]
        assert pair["points"] == points


def test_to_settle_takes_the_same_play(advise: Run) -> None:
    words = ("--ruleset", SERIES, "--dice", "6,6,1,2,4", "--json")
    points, settle = (json.loads(advise(*words, "--objective", what).result) for what in ("points", "settle"))
    assert points["options"] == settle["options"]


def test_a_goal_and_an_opponent(advise: Run) -> None:
    last = f"{SCHOOL},pair=24,two-pairs=36,triple=18,small-straight=0,big-straight=40,full=20,four=0"
    words = ("--ruleset", SERIES, "--sheet", last, "--dice", "5,5,5,1,2")
    answer = json.loads(advise(*words, "--goal", "210", "--json").result)
    assert (answer["objective"], answer["goal"]) == ("reach", 210)
    assert 0.0 < answer["value"] < 1.0
    assert "to reach 210" in advise(*words, "--goal", "210").result
    answer = json.loads(advise(*words, "--vs", f"{last},chance=20", "--json").result)
    assert (answer["objective"], answer["quality"]) == ("win", "certified")
    assert 0.0 < answer["value"] < 1.0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--sheet", "one=3"), "--sheet: 'one'; allowed: did you mean ones?"),
        (("--sheet", "ones=7"), "--sheet: 'ones=7'; allowed: 0, 1, 2, 3, 4, 5"),
        (("--sheet", "full=24"), "--sheet: 'full=24'; allowed: 0, 25"),
        (("--sheet", "ones"), "--sheet: 'ones'; allowed: ones=POINTS, a whole number"),
        (("--sheet", "ones=1,ones=2"), "--sheet: 'ones'; allowed: each name once"),
        (("--sheet", "bonus=100"), "--sheet: 'bonus=100'; allowed: multiples of 100, and only if yahtzee was made"),
        (("--dice", "1,2,3,4"), "--dice: '1,2,3,4'; allowed: 5 dice, faces from 1 to 6, with commas or spaces"),
        (("--dice", "1,2,3,4,7"), "--dice: '1,2,3,4,7'; allowed: 5 dice, faces from 1 to 6, with commas or spaces"),
        (("--dice", "1,2,3,4,5", "--throw", "4"), "--throw: '4'; allowed: a whole number from 1 to 3"),
        (("--throw", "1"), "--throw: '1'; allowed: only together with --dice"),
        (("--dice", "1,2,3,4,5", "--keep", ""), "--keep: ''; allowed: dice of the throw such as 3,3, or none"),
        (("--dice", "1,2,3,4,5", "--keep", "6"), "--keep: '6'; allowed: some of the dice thrown"),
        (("--dice", "1,2,3,4,5", "--keep", "1", "--throw", "3"), "--keep: '1'; allowed: only before the last throw"),
        (("--goal", "x"), "--goal: 'x'; allowed: a whole number from -100000 to 100000"),
        (("--objective", "reach"), "--goal: missing; allowed: with --objective reach, and only there"),
        (("--objective", "win"), "--vs: missing; allowed: with --objective win, and only there"),
        (("--objective", "turns"), "--objective: 'turns'; allowed: points, settle, reach, win"),
        (("--score", "3"), "--score: '3'; allowed: for this game only --sheet, --dice, --throw"),
    ],
)
def test_what_cannot_be_is_refused_by_name(words: tuple[str, ...], message: str, advise: Run) -> None:
    assert advise("--ruleset", "yahtzee", *words).refusal.startswith(message)


def test_no_other_row_is_written_before_the_school(advise: Run) -> None:
    refusal = advise("--ruleset", SERIES, "--sheet", "school-1=0,pair=4").refusal
    assert refusal.rstrip().endswith("allowed: all rows of single faces before any other")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_table_is_proven_from_itself_alone(name: str) -> None:
    table = read_table(TABLES / f"{name}.points.safetensors")
    certificate = verify_table(table)
    assert certificate is not None
    assert certificate.bound <= table.info.bound < 1e-9
    assert (TABLES / f"{name}.points.safetensors").stat().st_size < 5_000_000


def test_a_changed_value_is_found() -> None:
    table = read_table(TABLES / f"{SERIES}.points.safetensors")
    for place in (0, 17, len(table.values) - 1):
        values = np.array(table.values)
        values[place] += 1e-8
        assert verify_table(Table(table.info, table.states, values.data)) is None


def test_a_table_of_too_few_values_is_refused() -> None:
    table = read_table(TABLES / f"{SERIES}.points.safetensors")
    with pytest.raises(TableError):
        verify_table(Table(table.info, table.states, np.array(table.values)[1:].data))


def test_levels_that_a_table_leaves_out_are_made_again_bit_by_bit() -> None:
    from solver.sheet.model import compile_sheet
    from solver.sheet.solve import solve
    from solver.sheet.tables import all_values, make_table

    rules = solver.load_rules("dice-poker-combinations-only")
    model = compile_sheet(rules)  # type: ignore[arg-type]
    solution = solve(model)
    for most in (10, 400, 1500):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("solver.sheet.tables.LARGEST", most)
            table = make_table(model, solution)
            assert len(table.values) < model.size
            again = all_values(model, table)
        assert again[: model.size].tobytes() == solution.values[: model.size].tobytes()


def test_a_table_can_be_written_and_exported(kosti: Run, tmp_path: Path) -> None:
    path = tmp_path / "stage.safetensors"
    answer = json.loads(kosti("solve", "dice-poker-pokerlaws-stage1", "--out", path, "--json").result)
    assert answer["start"] == pytest.approx(14.496131127402, abs=1e-9)
    assert "all values proven" in kosti("table", "verify", path).result
    lines = kosti("table", "export", path, "--out", tmp_path / "values.csv").result
    rows = (tmp_path / "values.csv").read_text().splitlines()
    assert rows[0] == "written,total,made,saved,value"
    assert rows[1].startswith(",0,False,0,14.496")
    assert "written" in lines
