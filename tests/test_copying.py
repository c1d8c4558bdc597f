"""Games in which a player may go on with the dice and points of the one before: tables, proofs, and what is refused.

That the values are right is shown beside those of the reference, in ``test_twin``.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games import Data, rules_from
from processes import Run

import solver
from solver.errors import SolverError, TableError, UnplayableError
from solver.families import load_rules
from solver.race.export import decision_rows, value_rows
from solver.race.held import match_offers
from solver.race.model import compile_race
from solver.race.rules import RaceRules
from solver.race.tables import solve_table, verify_table
from solver.schema import write_section
from solver.table import OFFERING, read_table, write_table


def to(target: int, **sections: Data) -> RaceRules:
    """The shipped game to another target, with more rules."""
    data = write_section(load_rules("farkle-copy"))
    return rules_from({**data, **sections, "match": {**data["match"], "target": target}})


SHORT = to(400)
TABLE = solve_table(SHORT, "win")[0]


def test_alone_there_is_nobody_to_copy() -> None:
    plain = write_section(SHORT)
    del plain["inherited_dice"]
    found, expected = (np.asarray(solve_table(rules, "turns")[0].values) for rules in (SHORT, rules_from(plain)))
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_table_with_offers_comes_back_from_its_file(tmp_path: Path) -> None:
    write_table(tmp_path / "table", TABLE)
    found = read_table(tmp_path / "table")
    assert found.info.format == OFFERING
    assert TABLE.offered is not None
    assert found.offered is not None
    assert found.offered.tolist() == TABLE.offered.tolist()
    assert verify_table(SHORT, found) is not None


def changed(array: Any, place: tuple[int, int], difference: float) -> Any:
    copy = np.array(array)
    copy[place] += difference
    return copy.data


@pytest.mark.parametrize("name", ["values", "offered"])
@pytest.mark.parametrize("difference", [1e-8, float("nan")])
def test_a_changed_value_is_not_verified(name: str, difference: float) -> None:
    array = changed(getattr(TABLE, name), (3, 5), difference)
    assert verify_table(SHORT, TABLE._replace(**{name: array})) is None


def test_offers_of_other_rules_are_refused(tmp_path: Path) -> None:
    assert TABLE.offered is not None
    short = np.ascontiguousarray(np.asarray(TABLE.offered)[:, :-5]).data
    write_table(tmp_path / "table", TABLE._replace(offered=short))
    with pytest.raises(TableError, match="the table does not have the offers of its ruleset"):
        match_offers(SHORT, read_table(tmp_path / "table"))
    write_table(tmp_path / "table", TABLE._replace(offered=None))
    with pytest.raises(TableError, match="it must hold the arrays states, values, offered"):
        read_table(tmp_path / "table")


def test_an_offer_is_worth_the_better_of_two_beginnings(tmp_path: Path) -> None:
    write_table(tmp_path / "table", TABLE)
    write_rules(tmp_path / "short.toml", 400)
    offers = match_offers(SHORT, TABLE)
    assert offers is not None
    for score, other, dice, points in [(0, 300, 3, 300), (100, 300, 5, 50), (350, 300, 1, 250), (200, 200, 2, 200)]:
        stated = f"offered={dice},banked={points}"
        advice: Any = solver.advise(
            str(tmp_path / "short.toml"), score=str(score), vs=str(other), state=stated, table=tmp_path / "table"
        )
        fresh, taken = advice.beginnings
        assert (fresh.dice, fresh.turn_points, taken.dice, taken.turn_points) == (6, 0, dice, points)
        assert advice.value == max(fresh.value, taken.value)
        assert advice.value == pytest.approx(offers.value(score // 50, other // 50, dice, points), abs=1e-10)


def write_rules(path: Path, target: int) -> None:
    path.write_text(f'extends = "farkle-copy"\n[match]\ntarget = {target}\n')


def test_a_table_is_told_row_by_row() -> None:
    rows = list(value_rows(SHORT, TABLE))
    # One row for each pair of scores, and one for each number of dice and points that the waiter may have left.
    assert len(rows) == 8 * (8 + 5 * sum(range(8)))
    assert {row["offered"] for row in rows} == set(range(6))
    assert all(row["banked"] <= row["opponent_score"] for row in rows)
    assert next(decision_rows(SHORT, TABLE))["opponent_score"] == 0


def test_a_throw_of_the_dice_taken_over_begins_with_their_points(advise: Run, tmp_path: Path) -> None:
    write_rules(tmp_path / "short.toml", 2000)
    words = ["--ruleset", tmp_path / "short.toml", "--objective", "points", "--state", "offered=3,banked=400"]
    answer = advise(*words, "--dice", "1,2,3").result
    assert "This turn so far: 400 points. Thrown: 1 2 3." in answer
    assert "Hold 1 for 100 and stop with 500." in answer
    assert "Take over 3 dice and 400 points: " in advise(*words).result


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--state offered=3", "'offered=3'; allowed: dice and points together, such as offered=3,banked=400"),
        ("--state offered=6,banked=400", "'offered=6'; allowed: a whole number from 0 to 5"),
        ("--state offered=3,banked=30", "'banked=30'; allowed: a multiple of 50 from 0 to 20000"),
        ("--state offered=1,banked=50", "cannot occur: no turn leaves so many dice with these points"),
        ("--state offered=3,banked=400 --vs 350", "cannot occur: the opponent has fewer points"),
        ("--vs score=400,banked=400", "dice left over are offered to the player who moves"),
    ],
)
def test_offers_that_cannot_be_are_refused(words: str, error: str, advise: Run) -> None:
    answer = advise("--ruleset", "farkle-copy", *words.split())
    assert (answer.status, answer.out) == (2, "")
    assert error in answer.err
    assert len(answer.err.splitlines()) == 1


def test_for_two_a_fine_is_refused_by_name() -> None:
    rules = to(400, bolts={"limit": 3, "fine": 50, "consecutive": True})
    assert solve_table(rules, "turns")[0].info.bound <= 1e-9
    with pytest.raises(
        UnplayableError, match=r"^inherited_dice.points: true; allowed: for two only without rules by which"
    ):
        solve_table(rules, "win")


def test_bolts_are_refused_for_two_before_the_game_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.race.tables.compile_race", None)  # not even asked for
    with pytest.raises(UnplayableError, match="as bolts"):
        solve_table(to(400, bolts={"limit": 3, "fine": 50}), "win")


def test_a_game_that_needs_more_memory_than_there_is_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def little(_needed: int) -> None:
        raise SolverError("this game needs about 1.0 GB of memory")

    monkeypatch.setattr("solver.race.copying.check_memory", little)
    monkeypatch.setattr("solver.race.copying._offers", None)  # not even asked for
    with pytest.raises(SolverError, match="GB of memory"):
        solve_table(SHORT, "win")


def test_what_is_left_is_told_by_the_model() -> None:
    model = compile_race(SHORT, 2)
    assert model.attacks == ()
    assert set(model.outcome_left.tolist()) == set(range(6))
    assert all(state.offered == 0 for state in model.states)


def test_human_rules_are_not_valued_for_two_where_points_are_taken_over(kosti: Run) -> None:
    words = ("farkle-copy", "--policy", "stop at 300", "--players", 2)
    for command in ("evaluate", "simulate"):
        assert "inherited_dice.points: in force" in kosti(command, *words).refusal
