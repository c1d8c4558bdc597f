"""Advice for many positions at a time, against advice for each of them."""

from typing import cast

import numpy as np
import pytest
from games import shipped_table
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import solver
from solver.errors import PositionError, SolverError, TableError
from solver.families import load_rules
from solver.race.advice import Advice
from solver.race.lookup import Advisor, Decisions
from solver.race.position import read_loaded
from solver.race.rules import RaceRules
from solver.race.tables import solve_table
from solver.table import read_table

PROPERTY = settings(deadline=None, max_examples=150)

NAMES = ["thousand-classic.win", "thousand-classic.turns", "thousand-classic-barrel.turns", "pig.win"]


def made(name: str) -> Advisor:
    ruleset = name.partition(".")[0]
    rules = load_rules(ruleset)
    return Advisor(rules, read_table(shipped_table(name)))  # type: ignore[arg-type]


ADVISORS = {name: made(name) for name in NAMES}


def stated(advisor: Advisor, number: int) -> dict[str, int]:
    return dict(zip(advisor.fields, advisor.states[number].tolist(), strict=True))


def one_by_one(name: str, me: dict[str, int], other: dict[str, int] | None, turn: int, dice: list[int]) -> Advice:
    ruleset, _dot, objective = name.partition(".")

    def facts(player: dict[str, int]) -> str:
        flags = {"opened": {1: "yes", 0: "no"}}
        return ",".join(f"{fact}={flags.get(fact, {}).get(value, value)}" for fact, value in player.items())

    score = me.pop("score")
    found = solver.advise(
        ruleset, score=str(score), turn=str(turn), dice=",".join(map(str, dice)), objective=objective,
        **({"state": facts(me)} if me else {}), **({"vs": facts(other)} if other else {}),
    )  # fmt: skip
    assert isinstance(found, Advice)
    return found


@PROPERTY
@given(data=st.data(), name=st.sampled_from(NAMES))
def test_both_give_the_same_choice(data: st.DataObject, name: str) -> None:
    advisor = ADVISORS[name]
    states = len(advisor.states)
    two = advisor.objective == "win"
    mover = data.draw(st.integers(0, states - 1))
    waiter = data.draw(st.integers(0, states - 1)) if two else 0
    dice = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=advisor.rules.dice.count))
    turn = advisor.rules.match.step * data.draw(st.integers(0, 20))
    me, other = stated(advisor, mover), stated(advisor, waiter) if two else None
    try:
        expected = one_by_one(name, me, other, turn, dice)
    except SolverError:
        assume(False)
    found = advisor.advise_many(mover, waiter, turn, dice)
    assert found.values[0] == pytest.approx(-expected.value if not two else expected.value, abs=1e-12)
    if expected.choices:
        best = expected.choices[0]
        held = [face for face, count in enumerate(found.hold[0], 1) for _die in range(count)]
        assert (held, bool(found.stop[0])) == (list(best.hold), best.stop)
    else:
        assert found.stop[0]
        assert not found.hold[0].any()


def test_many_positions_are_answered_as_if_asked_one_at_a_time() -> None:
    advisor, random = ADVISORS["thousand-classic.win"], np.random.default_rng(1)
    states, count = len(advisor.states), 500
    mover, waiter = random.integers(states, size=(2, count))
    dice = random.integers(1, 7, size=(count, 5))
    together = advisor.advise_many(mover, waiter, 0, dice)
    for position in range(0, count, 25):
        alone = advisor.advise_many(mover[position], waiter[position], 0, dice[position])
        for one, many in zip(alone, together, strict=True):
            assert np.array_equal(one[0], many[position])


def test_second_tries_are_told_by_their_number() -> None:
    rules = load_rules("thousand-general-simple")
    advisor = Advisor(rules, solve_table(rules, "turns", tolerance=1e-6)[0])  # type: ignore[arg-type]
    number = advisor.number(score=500)
    blank = [2, 2, 3, 4, 6]
    first, second = (advisor.advise_many(number, 0, 0, blank, tries) for tries in (0, 1))
    assert not first.stop[0]  # it is thrown again
    assert second.stop[0]  # it is a bust


@pytest.mark.parametrize(
    ("position", "why"),
    [
        pytest.param((9999, 0, 0, [1, 1, 1, 1, 1]), "no such player state", id="mover"),
        pytest.param((0, -1, 0, [1, 1, 1, 1, 1]), "no such player state", id="waiter"),
        pytest.param((0, 0, 3, [1, 1, 1]), "turn totals are multiples of 5", id="turn total"),
        pytest.param((0, 0, 0, [1, 1, 1]), "no turn comes to such a throw", id="number of dice"),
        pytest.param((0, 0, 0, [1, 1, 1, 1, 7]), "no die here shows such a face", id="face"),
        pytest.param((0, 0, 0, [1, 1, 1, 1, -1]), "no die here shows such a face", id="negative face"),
        pytest.param((0, 0, 0, [1] * 9), "no turn comes to such a throw", id="too many dice"),
    ],
)
def test_what_cannot_be_is_refused_with_the_number_of_the_position(
    position: tuple[int, int, int, list[int]], why: str
) -> None:
    advisor = ADVISORS["thousand-classic.win"]
    mover, waiter, turn, dice = position
    with pytest.raises(PositionError, match=f"position 0: cannot occur: {why}"):
        advisor.advise_many(mover, waiter, turn, dice)


def test_a_player_state_is_found_by_its_facts() -> None:
    advisor = ADVISORS["thousand-classic.win"]
    number = advisor.number(score=640, bolts=1)
    assert stated(advisor, number) == {"score": 640, "opened": 1, "bolts": 1}
    with pytest.raises(PositionError, match="no such player state: score=555"):
        advisor.number(score=555)
    with pytest.raises(PositionError, match="no such player state: colour=3"):
        advisor.number(colour=3)


def test_a_table_of_a_part_is_refused() -> None:
    table = read_table(shipped_table("pig.win"))
    part = table._replace(info=table.info._replace(starts=[[0]]))
    with pytest.raises(TableError, match="whole match"):
        Advisor(load_rules("pig"), part)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "rules",
    [
        load_rules("farkle-high-stakes"),
        load_rules("farkle-copy"),
        read_loaded(cast("RaceRules", load_rules("farkle-medieval")), "--die", ["lucky=2,1,1,1,1,1"]),
    ],
    ids=["dice left over", "dice and points left over", "loaded dice"],
)
def test_positions_that_are_not_told_by_numbers_are_refused(rules: RaceRules) -> None:
    why = "turns of this game begin in several ways, or its dice are not all alike"
    with pytest.raises(PositionError, match=why):
        Advisor(rules, read_table(shipped_table("pig.win")))


def test_an_advisor_is_made_by_the_name_of_a_ruleset() -> None:
    found = solver.advisor("thousand-classic")
    answer = found.advise_many(found.number(score=225), found.number(score=300), 0, [1, 5, 3, 3, 4])
    assert isinstance(answer, Decisions)
    with pytest.raises(PositionError, match="objective"):
        solver.advisor("thousand-classic", "beauty")
