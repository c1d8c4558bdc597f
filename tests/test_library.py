"""Where tables come from, and how they are proven anew."""

from pathlib import Path

import numpy as np
import pytest
from games import coin, rules_from, shipped_table
from processes import Run

import solver
from solver.errors import SolverError, TableError
from solver.families import Rules
from solver.library import cache_path, find_table
from solver.ruleset import canonical, digest
from solver.table import Table, read_table, write_table

SHIPPED = ["pig.turns", "pig.win", "thousand-classic-barrel.turns", "thousand-classic.turns", "thousand-classic.win"]


def titled(table: Table, title: str) -> Table:
    """A table that can be told from others of the same game."""
    return table._replace(info=table.info._replace(title=title))


def never() -> Table:
    raise AssertionError("there is a table, so nothing should be solved")


@pytest.fixture
def game() -> Rules:
    """A game whose table is not shipped."""
    return rules_from(coin(4))


@pytest.fixture
def table(game: Rules) -> Table:
    return solver.solve_table(game, "turns")[0]


# ---- finding ----


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_table_is_found_without_a_solve(name: str) -> None:
    ruleset, objective = name.split(".")
    rules = solver.load_rules(ruleset)
    assert find_table(rules, objective, solve=never).info == read_table(shipped_table(name)).info
    assert find_table(rules, objective).info.ruleset == canonical(rules)


def test_a_named_file_comes_before_all(tmp_path: Path) -> None:
    rules = solver.load_rules("pig")
    path = tmp_path / "mine.safetensors"
    write_table(path, titled(read_table(shipped_table("pig.turns")), "mine"))
    assert find_table(rules, "turns", file=path, solve=never).info.title == "mine"


def test_a_shipped_table_comes_before_the_cache() -> None:
    rules = solver.load_rules("pig")
    shipped = read_table(shipped_table("pig.turns"))
    write_table(cache_path(rules, "turns", []), titled(shipped, "cached"))
    assert find_table(rules, "turns", solve=never).info.title == shipped.info.title


def test_a_cached_table_comes_before_a_solve(game: Rules, table: Table) -> None:
    write_table(cache_path(game, "turns", []), titled(table, "cached"))
    assert find_table(game, "turns", solve=never).info.title == "cached"
    assert find_table(game, "turns").info.title == "cached"


def test_a_solved_table_is_kept_for_the_next_time(game: Rules, table: Table, cache: Path) -> None:
    assert not cache.exists()
    assert find_table(game, "turns", solve=lambda: table) == table
    assert list(cache.iterdir()) == [cache_path(game, "turns", [])]
    assert find_table(game, "turns", solve=never).values == table.values


def test_each_objective_has_its_own_table(game: Rules) -> None:
    for objective in ("turns", "win", "points"):
        find_table(game, objective, solve=lambda objective=objective: solver.solve_table(game, objective)[0])
    for objective in ("turns", "win", "points"):
        assert find_table(game, objective, solve=never).info.objective == objective


def test_without_a_table_and_a_way_to_solve_there_is_an_error(game: Rules) -> None:
    with pytest.raises(TableError, match="no table of this game"):
        find_table(game, "turns")


@pytest.mark.parametrize("kind", ["damaged", "empty", "another game", "another objective"])
def test_a_cached_table_that_is_no_good_is_made_anew(kind: str, game: Rules, table: Table) -> None:
    path = cache_path(game, "turns", [])
    write_table(path, table)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    bad = {
        "damaged": bytes(content),
        "empty": b"",
        "another game": shipped_table("pig.turns").read_bytes(),
        "another objective": shipped_table("pig.win").read_bytes(),
    }
    path.write_bytes(bad[kind])
    with pytest.raises(TableError):
        find_table(game, "turns")
    assert find_table(game, "turns", solve=lambda: table) == table
    assert read_table(path).info.title == table.info.title
    assert find_table(game, "turns", solve=never).values == table.values


def test_a_file_of_another_game_is_refused(game: Rules) -> None:
    for objective in ("turns", "win"):
        with pytest.raises(TableError, match="another ruleset") as caught:
            find_table(game, objective, file=shipped_table("pig.turns"), solve=never)
        assert "\n" not in str(caught.value)
    with pytest.raises(TableError, match="for the objective turns, not for win"):
        find_table(solver.load_rules("pig"), "win", file=shipped_table("pig.turns"), solve=never)


# ---- proving ----


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_table_is_proven_from_itself_alone(name: str) -> None:
    found = read_table(shipped_table(name))
    certificate = solver.verify_table(found)
    assert certificate is not None
    assert 0.0 < certificate.bound <= found.info.bound * (1.0 + 1e-6)
    assert found.info.bound <= 1e-9


@pytest.mark.parametrize("objective", ["turns", "win", "points"])
def test_a_solved_table_is_proven_from_its_file(objective: str, game: Rules, tmp_path: Path) -> None:
    write_table(tmp_path / "table", solver.solve_table(game, objective)[0])
    assert solver.verify_table(read_table(tmp_path / "table")) is not None


@pytest.mark.parametrize("name", ["pig.win", "pig.turns"])
def test_a_wrong_value_is_found_although_the_checksum_fits(name: str, kosti: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.safetensors"
    good = read_table(shipped_table(name))
    values = np.array(good.values)
    values.flat[values.size // 2] += 1e-6
    write_table(path, Table(good.info, good.states, values.data))
    assert solver.verify_table(read_table(path)) is None
    assert "could not be proven" in kosti("table", "verify", path).refusal


def test_points_that_are_wrong_are_not_proven(game: Rules) -> None:
    found = solver.solve_table(game, "points")[0]
    values = np.array(found.values)
    values[1] += 1e-6
    assert solver.verify_table(Table(found.info, found.states, values.data)) is None


def test_other_states_than_those_of_the_rules_are_not_proven(table: Table) -> None:
    states = np.array(table.states)
    for wrong in (states[::-1].copy(), states + 1):
        assert solver.verify_table(Table(table.info, wrong.data, table.values)) is None
    with pytest.raises(TableError, match="twice"):
        solver.verify_table(Table(table.info, (states * 0).data, table.values))


@pytest.mark.parametrize(
    "changes",
    [
        {"ruleset": "no rules"},
        {"ruleset": "[]"},
        {"ruleset": "{}"},
        {"ruleset": canonical(rules_from(coin(5)))},
        {"ruleset_sha256": digest(rules_from(coin(5)))},
        {"objective": "luck"},
        {"players": 2},
        {"fields": ["luck"]},
        {"fields": ["score", "score"]},
    ],
)
def test_a_table_that_contradicts_itself_is_not_proven(changes: dict[str, object], table: Table) -> None:
    with pytest.raises(TableError):
        solver.verify_table(Table(table.info._replace(**changes), table.states, table.values))


@pytest.mark.parametrize("words", [("--score", 0), ("--score", 0, "--dice", 5)])
def test_advice_from_a_table_that_lacks_states_is_refused(
    words: tuple[object, ...], advise: Run, tmp_path: Path
) -> None:
    path = tmp_path / "table.safetensors"
    good = read_table(shipped_table("pig.win"))
    write_table(path, Table(good.info, np.zeros((1, 1), np.int32).data, np.full((1, 1), 0.5).data))
    assert "table" in advise("--ruleset", "pig", "--vs", 0, *words, "--table", path).refusal


def test_advice_needs_no_folder_to_remember_tables_in(advise: Run, tmp_path: Path) -> None:
    # The cache only saves time; where it cannot be kept, the answer is the same.
    (tmp_path / "cache").write_text("in the way")
    (tmp_path / "short.toml").write_text('extends = "pig"\n[match]\ntarget = 12\n')
    answer = advise("--ruleset", tmp_path / "short.toml", "--score", 3)
    assert answer.status == 0
    assert "turns to go" in answer.out


def test_an_unknown_objective_is_refused(game: Rules) -> None:
    with pytest.raises(SolverError, match="luck"):
        solver.solve_table(game, "luck")
