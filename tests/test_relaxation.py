"""Corrections take only arrays that fit together: others would be read or written out of range."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import solver
from solver._relaxation import onward, relax, spread_attacks
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
            "machine": sweep.machine, "plans": plans, "others": plans, "layers": layers, "others_layers": layers,
            "numbers": numbers, "hit_ptr": np.arange(moved + 1, dtype=np.int32),
            "hit": np.zeros(moved, dtype=np.int32),
        }  # fmt: skip


def call_all(a: dict[str, Any], begin: int = 0, end: int = 1) -> None:
    relax(a["machine"], a["plans"], a["others"], -1.0, a["numbers"], a["layers"], a["others_layers"], a["numbers"], 0,
          begin, end)  # fmt: skip
    spread_attacks(a["machine"], a["plans"], -1.0, a["hit_ptr"], a["hit"], a["numbers"], a["layers"],
                   a["others_layers"], 0, begin, end)  # fmt: skip
    onward(a["machine"], a["plans"], a["numbers"], a["layers"])


def test_arrays_that_fit_are_taken(arrays: dict[str, Any]) -> None:
    call_all(arrays)


@pytest.mark.parametrize("name", ["layers", "others_layers", "numbers", "hit_ptr"])
def test_too_few_numbers_are_refused(arrays: dict[str, Any], name: str) -> None:
    for few in (arrays[name][:0], arrays[name][:-1]):
        with pytest.raises(ValueError, match=REFUSED):
            call_all({**arrays, name: few})


@pytest.mark.parametrize("name", ["machine", "plans", "others", "layers", "others_layers", "numbers", "hit_ptr", "hit"])
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
        call_all({**arrays, "others": Plans(len(arrays["numbers"]), 1)})


def test_rows_that_do_not_exist_are_refused(arrays: dict[str, Any]) -> None:
    lanes = arrays["plans"].lanes
    for begin, end in ((-1, lanes), (0, lanes + 1), (lanes, 0)):
        with pytest.raises(ValueError, match=REFUSED):
            call_all(arrays, begin, end)
