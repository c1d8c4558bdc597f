"""Threads that work in step wait for one another, and for nobody who will not come."""

import time

import pytest
from games import equations_at_zero

import solver
from solver._relaxation import Team, sweep
from solver.race.model import compile_race
from solver.race.sweep import sweeper
from solver.race.threads import threads_of


@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_thread_of_a_team_has_its_number(count: int) -> None:
    seen: list[int] = []
    with threads_of(count) as threads:
        threads.in_step(lambda _team, number: seen.append(number))
    assert sorted(seen) == list(range(count))


@pytest.mark.parametrize("failing", [0, 1])
def test_nobody_waits_for_a_thread_that_fails(failing: int) -> None:
    with sweeper(compile_race(solver.load_rules("pig"), 2), "win", 1) as game:
        equations = equations_at_zero(game)

        def work(team: Team, number: int) -> None:
            if number == failing:
                time.sleep(0.05)  # the others wait by then, and sleep between two looks
                raise KeyError(number)
            sweep(equations, equations, team, number)

        with threads_of(2) as threads:
            with pytest.raises(KeyError):
                threads.in_step(work)
            threads.in_step(lambda team, number: sweep(equations, equations, team, number))
