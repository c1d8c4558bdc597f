"""Games with admissions that are too large to be held together: class by class, and what comes before."""

import json
from concurrent.futures import CancelledError
from pathlib import Path

import numpy as np
import pytest
from games import pig, rules_from
from processes import Run
from test_parts import CONFIRM, RULES, SHORT

from solver.errors import TableError
from solver.library import cache_path
from solver.race import tables
from solver.race.admissions import classes_of
from solver.race.bracket import bracket
from solver.race.export import decision_rows, value_rows
from solver.race.held import columns, match_margins, match_values
from solver.race.model import compile_race
from solver.race.parts import falls_apart
from solver.race.solve import solve
from solver.race.sweep import sweeper
from solver.race.tables import solve_table, verify_table
from solver.schema import write_section
from solver.table import Table, read_table, write_table
from solver.unfinished import unfinished_path

_STATED = write_section(CONFIRM)
STANDING = rules_from(
    {
        **_STATED,
        "title": "Standing",
        "match": {**_STATED["match"], "target": 100},
        "opening": {**_STATED["opening"], "points": 40},
        "barrel": {**_STATED["barrel"], "start": 60},
    }
)
"""Both wait below the barrel, for ever."""


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count games of more than a hundred player states as too large to be held together."""
    monkeypatch.setattr("solver.race.parts.MOST_TOGETHER", 100)
    monkeypatch.setattr("solver.race.position_table.MOST_TOGETHER", 100)


@pytest.fixture
def apart(cache: Path) -> Table:
    table = solve_table(RULES, "win")[0]
    assert not list(cache.glob("*"))
    return table


# ---- classes ----


def test_classes_of_the_shipped_game() -> None:
    classes = classes_of(CONFIRM)
    assert classes is not None
    # From 75 to 845 in steps of five.
    assert len(classes.admissions) == 155
    assert len(classes.players()) == 12246
    assert len(compile_race(CONFIRM, 1).states) == 157


def test_only_games_with_falls_to_the_admission_have_classes() -> None:
    assert falls_apart(RULES)
    classes = classes_of(RULES)
    assert classes is not None
    assert classes.players() == compile_race(RULES, 2).states
    assert not falls_apart(pig(20))
    assert classes_of(pig(20)) is None
    assert classes_of(rules_from({**write_section(RULES), "bolts": {"limit": 2, "fine": 5}})) is None


# ---- values ----


def test_values_are_those_of_the_whole_game(apart: Table) -> None:
    model = compile_race(RULES, 2)
    whole = solve(model, "win")
    assert whole.margins is None
    values, margins = match_values(apart), match_margins(apart)
    assert margins is not None
    assert apart.rows() == tables.make_table(model, whole).rows()
    first = next(iter(columns(apart)))
    for mover in range(len(model.states)):
        for waiter in range(len(model.states)) if mover == first else columns(apart):
            assert abs(values[mover, waiter] - whole.values[mover, waiter]) <= margins[mover, waiter] < 2e-7


def test_bounds_are_those_of_many_sweeps_where_players_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.race.parts.MOST_TOGETHER", 10)
    table = solve_table(STANDING, "win")[0]
    with sweeper(compile_race(STANDING, 2), "win", 1) as sweep:
        swept = bracket(sweep)
    values, margins = match_values(table), match_margins(table)
    assert margins is not None
    assert table.info.bound > 1e-4
    for mover in range(len(table.states)):
        for waiter in columns(table):
            low, high = values[mover, waiter] - margins[mover, waiter], values[mover, waiter] + margins[mover, waiter]
            assert swept.lower[mover, waiter] - 2e-7 <= low <= swept.lower[mover, waiter] + 1e-7
            assert swept.upper[mover, waiter] + 2e-7 >= high >= swept.upper[mover, waiter] - 1e-7


def test_a_table_is_verified_by_another_solve(apart: Table) -> None:
    assert verify_table(RULES, apart) is not None
    moved = np.asarray(apart.values) + 3e-7
    assert verify_table(RULES, apart._replace(values=moved.data)) is None
    closer = np.asarray(apart.margins) - 1.5e-7
    assert verify_table(RULES, apart._replace(margins=closer.data)) is None


# ---- interruptions ----


def test_an_interrupted_solve_is_taken_up_again(apart: Table, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.race.tables.PAUSE", 0.0)
    told: list[int] = []

    def interrupt(done: int, _left: float) -> None:
        told.append(done)
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="stopped; what has been solved is kept"):
        solve_table(RULES, "win", progress=interrupt)
    assert list(cache.iterdir()) == [unfinished_path(RULES, "win")]
    resumed: list[int] = []
    table = solve_table(RULES, "win", progress=lambda done, _left: resumed.append(done))[0]
    assert resumed[0] > told[-1]
    assert (table.rows(), bytes(table.values), bytes(table.margins or b"")) == (
        apart.rows(),
        bytes(apart.values),
        bytes(apart.margins or b""),
    )
    assert not list(cache.iterdir())


def test_work_that_goes_on_is_stopped_when_some_of_it_fails() -> None:
    stopped: list[str] = []

    def work(piece: str) -> None:
        if piece == "fails":
            raise KeyboardInterrupt
        try:
            while True:
                sweep.threads.stop_if_interrupted()
        except CancelledError:
            stopped.append(piece)
            raise

    with sweeper(compile_race(pig(5), 1), "turns", 2) as sweep:
        with pytest.raises(KeyboardInterrupt):
            sweep.threads.each(work, ["fails", "goes on", "waits"])
        assert "goes on" in stopped
        # The sweep can be used on.
        assert sweep.threads.each(len, ["a", "bc"]) == [1, 2]


@pytest.mark.parametrize("damage", ["flip", "cut", "grow", "other"])
def test_what_is_no_unfinished_solve_of_this_game_is_not_taken_up(
    damage: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.race.tables.PAUSE", 0.0)

    def interrupt(_done: int, _left: float) -> None:
        raise KeyboardInterrupt

    rules = RULES if damage != "other" else rules_from({**write_section(RULES), "instant_win": {"dice": 3, "face": 2}})
    with pytest.raises(KeyboardInterrupt):
        solve_table(rules, "win", progress=interrupt)
    content = unfinished_path(rules, "win").read_bytes()
    changed = {
        "flip": content[:-1] + bytes([content[-1] ^ 1]),
        "cut": content[:-8],
        "grow": content + bytes(1 << 17),
        "other": content,
    }
    cache.mkdir(parents=True, exist_ok=True)
    unfinished_path(RULES, "win").write_bytes(changed[damage])
    told: list[int] = []
    solve_table(RULES, "win", progress=lambda done, _left: told.append(done))
    fresh: list[int] = []
    solve_table(RULES, "win", progress=lambda done, _left: fresh.append(done))
    assert told == fresh


# ---- tables and advice ----


def test_a_table_is_written_and_read(apart: Table, tmp_path: Path, kosti: Run) -> None:
    write_table(tmp_path / "table", apart)
    found = read_table(tmp_path / "table")
    assert found == apart._replace(info=found.info)
    assert found.info.against[:2] == [[0, 0, 0], [25, 1, 25]]
    assert json.loads(kosti("table", "info", tmp_path / "table", "--json").result)["format"] == 2
    rows = list(value_rows(RULES, found))
    assert len(rows) == (len(found.states) - 1) * len(found.info.against) + len(found.states)
    places = {(row["score"], row["admission"], row["opponent_score"], row["opponent_admission"]) for row in rows}
    assert len(places) == len(rows)
    assert next(decision_rows(RULES, found))["opponent_score"] == 0


@pytest.mark.parametrize("against", [[[0, 0, 0]], [[0, 0]], [1], [[0, 0, 0]] * 18])
def test_a_table_of_other_columns_is_refused(against: object, apart: Table, tmp_path: Path) -> None:
    write_table(tmp_path / "table", apart._replace(info=apart.info._replace(against=against)))  # type: ignore[arg-type]
    with pytest.raises(TableError):
        match_values(read_table(tmp_path / "table"))[0, 0]


def test_what_a_table_does_not_hold_is_told(apart: Table) -> None:
    with pytest.raises(TableError, match="does not hold"):
        match_values(apart)[1, 5]


def test_advice_before_the_admissions_asks_for_the_table_and_takes_it(
    apart: Table, cache: Path, advise: Run, tmp_path: Path
) -> None:
    path = tmp_path / "short.toml"
    path.write_text(SHORT)
    words = ("--ruleset", path, "--score", 60, "--state", "admission=25", "--vs", "score=0,opened=no")
    assert f"made by: kosti solve {path} --players 2" in advise(*words).refusal
    write_table(cache_path(RULES, "win", []), apart)
    whole = solve(compile_race(RULES, 2), "win")
    numbers = {tuple(row): number for number, row in enumerate(apart.rows())}
    answer = json.loads(advise(*words, "--json").result)
    assert answer["value"] == pytest.approx(whole.values[numbers[60, 1, 25], numbers[0, 0, 0]], abs=3e-7)
    words = ("--ruleset", path, "--score", 0, "--state", "opened=no", "--vs", "score=60,admission=25")
    answer = json.loads(advise(*words, "--json").result)
    assert answer["value"] == pytest.approx(whole.values[numbers[0, 0, 0], numbers[60, 1, 25]], abs=3e-7)
    # Both are admitted: their classes are solved now.
    words = ("--ruleset", path, "--score", 60, "--state", "admission=25", "--vs", "score=45,admission=40")
    answer = json.loads(advise(*words, "--json").result)
    assert answer["value"] == pytest.approx(whole.values[numbers[60, 1, 25], numbers[45, 1, 40]], abs=3e-7)
    assert len(list(cache.iterdir())) == 2


def test_the_command_solves_the_whole(cache: Path, kosti: Run, tmp_path: Path) -> None:
    path = tmp_path / "short.toml"
    path.write_text(SHORT)
    found = json.loads(kosti("solve", path, "--players", 2, "--json").result)
    whole = solve(compile_race(RULES, 2), "win")
    assert found["start"] == pytest.approx(whole.values[0, 0], abs=3e-7)
    assert found["quality"] == "bracketed"
    assert len(list(cache.iterdir())) == 1
