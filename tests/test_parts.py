"""Parts of a game: two classes of player states that a match never leaves, solved instead of the whole."""

import json
from pathlib import Path

import numpy as np
import pytest
from games import pig, rules_from
from processes import Run
from table_files import refusal

import solver
from solver.families import load_rules
from solver.library import cache_path, find_table
from solver.race.model import compile_race, waiting_is_free
from solver.race.parts import WHOLE, Starts, occur, part_of
from solver.race.player import Player, fields_in_use, start, to_row
from solver.schema import write_section
from solver.table import Table, read_table, write_table

# A fall leads back to the admission, which never changes. Three ones end the match, so nobody can wait for ever.
SHORT = """extends = "thousand-confirm"
title = "Short"
[match]
target = 150
[opening]
points = 25
[barrel]
start = 100
[instant_win]
dice = 3
face = 1
"""
CONFIRM = load_rules("thousand-confirm")
_STATED = write_section(CONFIRM)
RULES = rules_from(
    {
        **_STATED,
        "title": "Short",
        "match": {**_STATED["match"], "target": 150},
        "opening": {**_STATED["opening"], "points": 25},
        "barrel": {**_STATED["barrel"], "start": 100},
        "instant_win": {"dice": 3, "face": 1},
    }
)
"""The same, from plain data."""
STARTS = (Player(25, admission=25), Player(40, admission=40))
POSITION = ("--score", 60, "--state", "admission=25", "--vs", "score=45,admission=40")


@pytest.fixture(scope="module")
def whole() -> Table:
    return solver.solve_table(RULES, "win")[0]


@pytest.fixture(scope="module")
def part() -> Table:
    return solver.solve_table(RULES, "win", starts=STARTS)[0]


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count games of more than a hundred player states as too large to be solved whole."""
    monkeypatch.setattr("solver.race.position_table.MOST_TOGETHER", 100)


@pytest.fixture
def short(tmp_path: Path) -> Path:
    path = tmp_path / "short.toml"
    path.write_text(SHORT)
    return path


# ---- classes ----


@pytest.mark.parametrize("scores", [(25, 40), (60, 45), (100, 95), (95, 100)])
def test_two_admitted_players_stay_in_the_classes_of_their_admissions(scores: tuple[int, int]) -> None:
    mover, waiter = Player(scores[0], admission=25), Player(scores[1], admission=40)
    assert part_of(RULES, mover, waiter) == part_of(RULES, waiter, mover) == STARTS


def test_two_players_of_one_class_play_within_it() -> None:
    assert part_of(RULES, Player(60, admission=40), Player(100, admission=40)) == STARTS[1:]


def test_whoever_has_yet_to_be_admitted_is_in_no_class() -> None:
    assert part_of(RULES, start(RULES), STARTS[0]) == WHOLE
    assert part_of(RULES, STARTS[0], start(RULES)) == WHOLE


def test_a_game_that_only_goes_on_has_no_parts_before_its_end() -> None:
    assert part_of(pig(20), Player(3), Player(18)) == WHOLE
    assert part_of(pig(20), Player(19), Player(19)) == (Player(19),)


def test_classes_of_the_shipped_game_are_small() -> None:
    starts = part_of(CONFIRM, Player(300, admission=75), Player(400, admission=100))
    assert starts == (Player(75, admission=75), Player(100, admission=100))
    assert len(compile_race(CONFIRM, 2, starts).states) == 156 + 151


@pytest.mark.parametrize(
    ("starts", "least", "expected"),
    [
        (STARTS, 0, True),
        (STARTS, 100, True),
        (STARTS, 1000, False),
        ((*STARTS, Player(20, admission=20)), 0, False),
        (WHOLE, 0, True),
    ],
)
def test_states_occur_or_do_not(starts: Starts, least: int, expected: bool) -> None:
    assert occur(RULES, starts, least) is expected


def test_waiting_is_free_where_nothing_ends_the_match() -> None:
    starts = (Player(800, admission=700),)
    assert waiting_is_free(compile_race(CONFIRM, 2, starts))
    assert not waiting_is_free(compile_race(RULES, 2, STARTS))
    assert not waiting_is_free(compile_race(pig(20), 2))


# ---- values and tables ----


def test_a_part_has_the_values_of_the_whole(whole: Table, part: Table) -> None:
    rows = [whole.rows().index(row) for row in part.rows()]
    assert 0 < len(rows) < len(whole.states)
    apart = np.abs(np.asarray(whole.values)[np.ix_(rows, rows)] - np.asarray(part.values)).max()
    assert apart <= whole.info.bound + part.info.bound <= 2e-9


def test_a_table_says_of_which_part_it_is(whole: Table, part: Table, kosti: Run, tmp_path: Path) -> None:
    rows = [to_row(player, fields_in_use(RULES)) for player in STARTS]
    paths = tmp_path / "whole", tmp_path / "part"
    for path, table in zip(paths, (whole, part), strict=True):
        write_table(path, table)
    assert read_table(paths[1]).info.starts == rows
    assert json.loads(kosti("table", "info", paths[1], "--json").result)["starts"] == rows
    assert "starts" not in json.loads(kosti("table", "info", paths[0], "--json").result)
    assert "all values proven" in kosti("table", "verify", paths[1]).result
    lines = kosti("table", "export", paths[1]).result.splitlines()
    assert len(lines) == 1 + len(part.states) ** 2
    assert cache_path(RULES, "win", rows).name.endswith(".win.25_1_25.40_1_40.safetensors")


@pytest.mark.parametrize("starts", [[[25, 1, 25]], [[20, 1, 20]], [[0, 0, 0]], [[25, 1, 25], [40, 1, 40], [45, 1, 45]]])
def test_a_table_of_another_part_is_not_proven(starts: list[list[int]], part: Table) -> None:
    assert solver.verify_table(part._replace(info=part.info._replace(starts=starts))) is None


@pytest.mark.parametrize("starts", [1, [1], [[1]], [["x", 1, 25]], [[25, 1, 25.0]], [[True, 1, 25]]])
def test_a_part_that_makes_no_sense_is_refused(starts: object, part: Table, tmp_path: Path) -> None:
    write_table(tmp_path / "table", part._replace(info=part.info._replace(starts=starts)))  # type: ignore[arg-type]
    assert "damaged" in refusal(tmp_path / "table")


def test_a_part_is_found_in_the_cache_and_the_whole_comes_before_it(whole: Table, part: Table) -> None:
    def never() -> Table:
        raise AssertionError("there is a table, so nothing should be solved")

    rows = part.info.starts
    assert find_table(RULES, "win", part=lambda: rows, solve=lambda: part) == part
    assert find_table(RULES, "win", part=lambda: rows, solve=never).info.starts == rows
    assert find_table(RULES, "win", part=lambda: rows[:1], solve=lambda: whole) == whole
    assert find_table(RULES, "win", part=lambda: rows, solve=never).info.starts == []


# ---- advice ----


@pytest.mark.usefixtures("large")
def test_advice_in_a_large_game_solves_the_part_at_hand(short: Path, cache: Path, advise: Run, whole: Table) -> None:
    words = (*POSITION, "--dice", "1,5,2,3,3")
    answer = json.loads(advise("--ruleset", short, *words, "--json").result)
    assert [path.name.split(".")[2:4] for path in cache.iterdir()] == [["25_1_25", "40_1_40"]]
    text = advise("--ruleset", short, *words).result
    assert "You: score 60, opened, admitted with 25." in text
    assert "Opponent: score 45, opened, admitted with 40." in text
    assert len(list(cache.iterdir())) == 1
    write_table(cache / "whole", whole)
    same = json.loads(advise("--ruleset", short, *words, "--json", "--table", cache / "whole").result)
    assert answer["value"] == pytest.approx(same["value"], abs=1e-9)
    assert [option["hold"] for option in answer["options"]] == [option["hold"] for option in same["options"]]


@pytest.mark.usefixtures("large")
def test_advice_before_the_admission_solves_the_whole(short: Path, cache: Path, advise: Run) -> None:
    assert "% to win" in advise("--ruleset", short, "--vs", "score=45,admission=40").result
    (path,) = cache.iterdir()
    assert read_table(path).info.starts == []


def test_a_small_game_is_solved_whole(short: Path, cache: Path, advise: Run) -> None:
    assert "% to win" in advise("--ruleset", short, *POSITION).result
    (path,) = cache.iterdir()
    assert read_table(path).info.starts == []


def test_the_table_of_a_part_is_refused_outside_it(short: Path, advise: Run, tmp_path: Path) -> None:
    path = tmp_path / "table"
    write_table(path, solver.solve_table(load_rules(str(short)), "win", starts=STARTS)[0])
    assert "% to win" in advise("--ruleset", short, "--table", path, *POSITION).result
    for vs in ("score=45,admission=30", "score=0,opened=no"):
        words = ("--score", 60, "--state", "admission=25", "--vs", vs)
        assert "of a part of the game only" in advise("--ruleset", short, "--table", path, *words).refusal


def test_admitted_players_of_the_shipped_game_are_advised(advise: Run) -> None:
    words = ("--score", 800, "--state", "admission=700", "--vs", "score=750,admission=700", "--dice", "1,5,2,3,3")
    assert "this match need not end" in advise("--ruleset", "thousand-confirm", *words).result
