"""Corrections take only arrays that fit together: others would be read or written out of range."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from games import equations_at_zero

import solver
from solver._relaxation import Equations, Team, onward, sweep
from solver._sweep import Plans
from solver.race.model import compile_race
from solver.race.relaxation import layers_in_use
from solver.race.solve import first_guess
from solver.race.sweep import sweeper

REFUSED = "do not fit together|of another game|no such waiter|out of range"


@pytest.fixture(scope="module", params=["thousand-classic", "thousand-raznoobrazie-extra-turn"])
def arrays(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """What a correction takes: of a game with attacks, and of one in which dice are kept."""
    model = compile_race(solver.load_rules(request.param), 2)
    with sweeper(model, "win", 1) as sweep:
        _residual, plans = sweep.plan(first_guess(model, "win", 1), 1e-3)
        rows = plans.blocks * plans.lanes
        movers, moved = len(model.states), len(model.states) * len(model.attacks)
        numbers = np.zeros((movers, rows), dtype=np.float32)
        layers = np.zeros((layers_in_use(model), movers + len(model.verdicts), rows), dtype=np.float32)
        yield {
            "machine": sweep.machine, "plans": plans, "layers": layers, "numbers": numbers,
            "hit_ptr": np.arange(moved + 1, dtype=np.int32), "hit": np.zeros(moved, dtype=np.int32),
        }  # fmt: skip


def equations(a: dict[str, Any]) -> Equations:
    return Equations(a["machine"], a["plans"], -1.0, a["numbers"], a["numbers"], a["layers"], a["hit_ptr"], a["hit"])


def call_all(a: dict[str, Any]) -> None:
    sweep(equations(a), equations(a), Team(1), 0)
    onward(a["machine"], a["plans"], a["numbers"], a["layers"])


def test_arrays_that_fit_are_taken(arrays: dict[str, Any]) -> None:
    call_all(arrays)


@pytest.mark.parametrize("name", ["layers", "numbers", "hit_ptr"])
def test_too_few_numbers_are_refused(arrays: dict[str, Any], name: str) -> None:
    for few in (arrays[name][:0], arrays[name][:-1]):
        with pytest.raises(ValueError, match=REFUSED):
            call_all({**arrays, name: few})


@pytest.mark.parametrize("name", ["machine", "plans", "layers", "numbers", "hit_ptr", "hit"])
def test_none_is_refused(arrays: dict[str, Any], name: str) -> None:
    with pytest.raises(TypeError):
        call_all({**arrays, name: None})


def test_waiters_that_do_not_exist_are_refused(arrays: dict[str, Any]) -> None:
    for wrong in (arrays["hit"][:-1], arrays["hit"] - 1, arrays["hit"] + 1_000_000):
        if len(arrays["hit"]):
            with pytest.raises(ValueError, match=REFUSED):
                call_all({**arrays, "hit": wrong})


def test_plans_of_another_game_are_refused(arrays: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=REFUSED):
        call_all({**arrays, "plans": Plans(len(arrays["numbers"]), 1)})


def test_two_players_must_play_the_same_game(arrays: dict[str, Any]) -> None:
    with sweeper(compile_race(solver.load_rules("pig"), 2), "win", 1) as other:
        of_pig = equations_at_zero(other)
        for pair in ((of_pig, equations(arrays)), (equations(arrays), of_pig)):
            with pytest.raises(ValueError, match=REFUSED):
                sweep(*pair, Team(1), 0)


def test_a_team_has_threads_with_numbers(arrays: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="needs threads"):
        Team(0)
    for number in (-1, 1):
        with pytest.raises(ValueError, match="no such thread"):
            sweep(equations(arrays), equations(arrays), Team(1), number)
