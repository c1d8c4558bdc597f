"""The solver against the reference: two programs that share no code must find the same values."""

from typing import Any

import pytest
from drawn import EVERY_SECTION, farkles, rulesets
from games import Data, coin, rules_from
from hypothesis import HealthCheck, Phase, assume, example, given, settings
from reference.race import NotConvergedError, solve_stakes
from reference.race import solve as solve_by_reference

from solver.errors import RulesetError
from solver.race.held import places
from solver.race.model import RaceModel, compile_race
from solver.race.player import Player, by_himself, without_offer
from solver.race.rules import OBJECTIVES
from solver.race.solve import Solution, solve

CLOSE = 1e-10
FINEST = 1e-12
"""To which the reference is asked for values: absolute for two, relative alone."""
LONGEST = 60
"""Expected turns beyond which that is too coarse to compare, and slow to reach."""

SOME = settings(
    max_examples=40,
    # Drawn games are small; to look for still smaller ones that fail would take very long.
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


def compare(data: Data, objective: str, expected: dict[Any, float]) -> None:
    """Solve a game and compare the values of all match states that the reference has reached."""
    players = OBJECTIVES[objective]
    model = compile_race(rules_from(data), players)
    solution = solve(model, objective, tolerance=CLOSE, threads=1)
    apart = {}
    for match, value in expected.items():
        # States of both are named alike; a state that the solver does not know is a KeyError.
        named = match if players == 2 else (match,)
        if any(player.score >= model.rules.winning_score() for player in named):
            continue  # the solver knows last turns as verdicts, not as states
        mover = Player(*named[0])
        if mover.banked:  # with an offer, which is no state of its own
            found = value_with_offer(model, solution, mover, Player(*named[1]))
            apart[match] = abs(found - value)
            continue
        # Alone the solver forgets what only others could call on.
        known = [Player(*player) if players == 2 else by_himself(model.rules, Player(*player)) for player in named]
        place = tuple(model.numbers[player] for player in known)
        # Where both may wait in some match states, the others are proven all the same.
        margin = solution.bound if solution.margins is None else float(solution.margins[place])
        assert margin <= (CLOSE if solution.margins is None else 5e-9)
        apart[match] = abs(float(solution.values[place]) - value)
    assert max(apart.values()) <= CLOSE, max(apart, key=lambda match: apart[match])


def value_with_offer(model: RaceModel, solution: Solution, mover: Player, waiter: Player) -> float:
    """The value for a mover who may go on with dice and points of the waiter."""
    assert solution.offered is not None
    row, other = model.numbers[without_offer(mover)], model.numbers[waiter]
    place = places(model.rules, (state.score for state in model.states))[other] + mover.banked // model.rules.match.step
    return float(solution.offered[row, place, mover.offered - 1])


def check(data: Data, players: int) -> None:
    """Solve a game twice and compare."""
    compare(data, "win" if players == 2 else "turns", solve_by_reference(data, players))


def check_drawn(data: Data, players: int, sweeps: int) -> None:
    """The same for a drawn game, unless it is refused, endless, or a very long one."""
    try:
        compile_race(rules_from(data), players)
        expected = solve_by_reference(data, players, sweeps, FINEST)
    except (RulesetError, NotConvergedError):
        assume(False)
    assume(max(expected.values()) <= LONGEST)
    compare(data, "win" if players == 2 else "turns", expected)


# ---- drawn rulesets ----

COMMON = ["opening", "pits", "overtaking", "dump_truck", "bolts"]
TO_REACH = ["at least", "more than"]


@settings(SOME, max_examples=4)
@given(data=rulesets(150, 3, [*TO_REACH, "exactly"], EVERY_SECTION, options=True, least=100))
def test_alone_both_need_the_same_turns_on_a_long_track(data: Data) -> None:
    check_drawn(data, 1, 400)


@SOME
@given(data=rulesets(60, 3, TO_REACH, COMMON))
def test_alone_both_need_the_same_turns(data: Data) -> None:
    check_drawn(data, 1, 400)


@SOME
@given(data=rulesets(40, 3, TO_REACH, [*COMMON, "barrel"]))
def test_alone_both_need_the_same_turns_with_barrels(data: Data) -> None:
    check_drawn(data, 1, 400)


@SOME
@given(data=rulesets(40, 2, ["exactly"], [*COMMON, "overshoot"]))
def test_alone_both_need_the_same_turns_to_an_exact_finish(data: Data) -> None:
    check_drawn(data, 1, 400)


@settings(SOME, max_examples=20)
@given(data=rulesets(20, 2, TO_REACH, COMMON))
def test_for_two_both_find_the_same_chances(data: Data) -> None:
    check_drawn(data, 2, 80)


@settings(SOME, max_examples=12)
@given(data=rulesets(20, 2, TO_REACH, [*COMMON, "barrel"]))
def test_for_two_both_find_the_same_chances_with_barrels(data: Data) -> None:
    check_drawn(data, 2, 80)


@settings(SOME, max_examples=15)
@given(data=rulesets(20, 2, ["exactly"], [*COMMON, "overshoot"]))
def test_for_two_both_find_the_same_chances_to_an_exact_finish(data: Data) -> None:
    check_drawn(data, 2, 80)


EXTRA_FOR_NOTHING = {
    "dice": {"count": 2, "faces": 2, "hold": "all", "hot_dice": "confirm only", "confirmed_by": "any scoring dice"},
    "combinations": {"single": {"2": 5}},
    "match": {
        "target": 20, "step": 5, "finish": "exactly", "win_at_once": False, "min_score": -10, "overshoot": "at once",
    },
    "obstacles": {
        "bounds": [[5, 15]], "upper": "outside", "extra_turn": True, "costs": "every stop",
        "extra_turn_comes": "next round", "fine": 10,
    },
    "second_try": {"throws": "all dice", "retries": 1},
    "pits": {"bounds": [[5, 10]], "upper": "outside"},
    "opening": {"points": 5, "debt": {"fine": 20, "failures": 1, "min_score": -10}},
    "overshoot": {"marks": 2, "fine": 25, "falls": 1, "reopen": False},
}  # fmt: skip
"""Where an extra turn is to come at 5 points, every turn ends at no cost."""


@settings(SOME, max_examples=30)
@given(data=rulesets(40, 2, [*TO_REACH, "exactly"], EVERY_SECTION, options=True))
@example(data=EXTRA_FOR_NOTHING)
def test_alone_both_need_the_same_turns_with_every_option(data: Data) -> None:
    check_drawn(data, 1, 200)


@settings(SOME, max_examples=12)
@given(data=rulesets(20, 2, [*TO_REACH, "exactly"], EVERY_SECTION, options=True))
def test_for_two_both_find_the_same_chances_with_every_option(data: Data) -> None:
    check_drawn(data, 2, 60)


@settings(SOME, max_examples=8)
@given(data=rulesets(20, 2, TO_REACH, ["overtaking", "bolts", "obstacles", "instant_win"], options=True))
def test_for_two_both_win_the_same_stakes(data: Data) -> None:
    data |= {"opening": {"points": 10}, "stakes": {"unopened": 2}}
    try:
        compile_race(rules_from(data), 2)
        expected = solve_stakes(data, 80, FINEST)
    except (RulesetError, NotConvergedError):
        assume(False)
    compare(data, "stake", expected)


@SOME
@given(data=rulesets(60, 3, [*TO_REACH, "exactly"], COMMON, any_total=True))
def test_where_every_total_can_be_made_both_reach_the_same_states(data: Data) -> None:
    try:
        expected = solve_by_reference(data, 1, 400, 1.0)  # the states matter here, not the values
    except NotConvergedError:
        assume(False)
    assert set(compile_race(rules_from(data), 1).states) == {Player(*state) for state in expected}


@settings(SOME, max_examples=20)
@given(data=farkles(40))
def test_alone_both_need_the_same_turns_by_the_rules_of_farkle(data: Data) -> None:
    check_drawn(data, 1, 400)


@settings(SOME, max_examples=8)
@given(data=farkles(20))
def test_for_two_both_find_the_same_chances_by_the_rules_of_farkle(data: Data) -> None:
    check_drawn(data, 2, 60)


# ---- named games ----

SMALL_THOUSAND: Data = {
    "dice": {"count": 3, "faces": 6, "hold": "all", "hot_dice": "must"},
    "combinations": {
        "single": {"1": 10, "5": 5},
        "three": {"1": 30, "2": 20, "3": 20, "4": 20, "5": 20, "6": 25},
        "straight": {"1-3": 20},
        "doublet": {"points": 0},
    },
    "match": {"target": 60, "step": 5, "finish": "at least"},
    "opening": {"points": 10},
    "pits": {"bounds": [[15, 25], [40, 50]]},
    "overtaking": {"fine": 10},
    "dump_truck": {"score": 35},
    "bolts": {"limit": 3, "fine": 15},
}
"""Thousand in small: every rule of the classic game, and doublets that only save the turn."""

SHORT_THOUSAND: Data = {
    **SMALL_THOUSAND,
    "match": {"target": 25, "step": 5, "finish": "more than"},
    "pits": {"bounds": [[15, 25]]},
    "dump_truck": {"score": 10},
    "bolts": {"limit": 2, "fine": 10, "in_pits": True},
}

SMALL_FARKLE: Data = {
    "dice": {"count": 3, "faces": 4, "hold": "any", "hot_dice": "may"},
    "combinations": {"single": {"1": 10, "4": 5}, "three": {"1": 15, "2": 20, "3": 25, "4": 25}},
    "match": {"target": 40, "step": 5, "finish": "at least"},
}

TRUCK = {"dump_truck": {"score": 3}}
CLIMB = {"start": 2, "attempts": 2, "fine": 1, "falls": 2}
OFTEN = {"marks": 2, "fine": 1, "falls": 2}
THIRDS: Data = {
    "dice": {"count": 1, "faces": 3, "hold": "all", "hot_dice": "may"},
    "combinations": {"single": {"2": 1, "3": 2}},
    "match": {"target": 4, "step": 1, "finish": "exactly"},
}
"""A die worth nothing, one or two, and an exact finish."""


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(SMALL_THOUSAND, id="thousand in small"),
        pytest.param({**SMALL_THOUSAND, "barrel": {"start": 50, "attempts": 3, "fine": 10, "falls": 3}}, id="barrel"),
        pytest.param(SMALL_FARKLE, id="farkle in small"),
        pytest.param(coin(6, bolts={"limit": 3, "fine": 2}), id="bolts"),
        # A player who throws on for ever stays off the barrel: no plan of a good guess may do so.
        pytest.param(coin(4, barrel={**CLIMB, "start": 1}), id="a barrel that is far from the goal"),
        # The fall and the fine come together, and only the score that is written in the end can be dumped.
        pytest.param(
            coin(5, barrel={**CLIMB, "start": 4}, bolts={"limit": 1, "fine": 1, "on_barrel": True}, **TRUCK),
            id="a bolt on the barrel",
        ),
        pytest.param({**THIRDS, "overshoot": OFTEN}, id="overshoot"),
        pytest.param({**THIRDS, "overshoot": OFTEN, **TRUCK}, id="overshoot onto the dump truck"),
        # Nobody ever has an odd score, from which an even goal could not be hit.
        pytest.param({**THIRDS, "combinations": {"single": {"3": 2}}}, id="totals that no dice make"),
        pytest.param(
            coin(3, pits={"bounds": [[1, 3]]}, match={"target": 3, "step": 1, "finish": "more than"}), id="more than"
        ),
    ],
)
def test_alone_both_need_the_same_turns_in_a_named_game(data: Data) -> None:
    check(data, 1)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(SHORT_THOUSAND, id="thousand in small"),
        pytest.param({**SMALL_FARKLE, "match": {"target": 20, "step": 5, "finish": "at least"}}, id="farkle in small"),
        pytest.param(coin(6), id="piglet"),
        # Overtaking leads to scores that nobody reaches by his own turns: opened with less than it takes to open.
        pytest.param(coin(4, opening={"points": 2}, overtaking={"fine": 1}), id="overtaken below the opening"),
        pytest.param(coin(5, overtaking={"fine": 1}, dump_truck={"score": 2}), id="overtaken onto the dump truck"),
        # A player who has fallen once is overtaken.
        pytest.param(coin(3, overtaking={"fine": 1}, barrel=CLIMB), id="overtaken after a fall"),
        pytest.param(coin(4, barrel={**CLIMB, "start": 3}, dump_truck={"score": 2}), id="thrown onto the dump truck"),
        pytest.param({**THIRDS, "overshoot": OFTEN, "overtaking": {"fine": 1}}, id="overshoot"),
    ],
)
def test_for_two_both_find_the_same_chances_in_a_named_game(data: Data) -> None:
    check(data, 2)


# ---- last turns ----

OFFERED: Data = {
    "dice": {"count": 2, "faces": 5, "hold": "any", "hot_dice": "may"},
    "combinations": {"single": {"3": 1}},
    "match": {"target": 3, "step": 1, "finish": "at least", "ending": "one more turn"},
    "inherited_dice": {"bonus": 1},
}
"""Two dice of which the leader, too, may leave one to the player who has a last turn."""


COPIED: Data = {"inherited_dice": {"bonus": 0, "points": True}}


def ending(target: int, **keys: Any) -> Data:
    """The section ``match`` with last turns."""
    return {"match": {"target": target, "step": 1, "finish": "at least", **keys}}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(coin(3, **ending(3, ending="one more turn")), id="one more turn"),
        pytest.param(coin(3, **ending(3, ending="equal turns", ties="shared")), id="equal turns"),
        pytest.param(
            coin(4, opening={"points": 3}, **ending(4, ending="equal turns", finish="more than", least_turn=2)),
            id="an opening in the last turn",
        ),
        pytest.param(
            {
                **THIRDS,
                **ending(4, ending="one more turn", ties="shared"),
                "bolts": {"limit": 2, "fine": 1, "consecutive": True, "before_opening": True},
            },
            id="busts in a row",
        ),
        pytest.param(OFFERED, id="dice left over"),
        pytest.param(
            {
                **OFFERED,
                **ending(3, ending="equal turns", ties="shared"),
                "opening": {"points": 1, "scope": "first throw"},
                "toxic": {"dice": 2, "face": 3},
            },
            id="all together",
        ),
        pytest.param({**OFFERED, **COPIED}, id="dice and points left over"),
        pytest.param({**OFFERED, **COPIED, **ending(4, ending="at once")}, id="copied, the target wins at once"),
        pytest.param({**OFFERED, **COPIED, **ending(4, finish="exactly")}, id="copied, to an exact finish"),
        pytest.param(
            {**OFFERED, **COPIED, **ending(4, ending="equal turns", ties="shared"), "opening": {"points": 2}},
            id="copied, with equal turns",
        ),
        pytest.param(
            {
                **OFFERED,
                **COPIED,
                **ending(2, ending="one more turn", least_turn=2),
                "dice": {**OFFERED["dice"], "count": 3},
            },
            id="copied, three dice",
        ),
        pytest.param(
            {
                **SMALL_FARKLE,
                **COPIED,
                "match": {"target": 15, "step": 5, "finish": "more than", "least_turn": 10},
                "pits": {"bounds": [[5, 10]]},
            },
            id="copied, with a pit",
        ),
    ],
)
def test_for_two_both_find_the_same_chances_in_a_named_game_with_last_turns(data: Data) -> None:
    check(data, 2)


LONG: Data = {
    "dice": {"count": 1, "faces": 4, "hold": "all", "hot_dice": "may"},
    "combinations": {"single": {"2": 5, "3": 10, "4": 25}},
    "match": {"target": 100, "step": 5, "finish": "at least"},
}
"""A die that counts 5, 10 or 25, on a track of twenty steps."""


@pytest.mark.parametrize(
    "sections",
    [
        pytest.param(
            {"pits": {"bounds": [[20, 30], [60, 70]]}, "overtaking": {"fine": 5}, "dump_truck": {"score": 55}},
            id="pits, overtaking, dump truck",
        ),
        pytest.param(
            {
                "opening": {"points": 10},
                "obstacles": {"bounds": [[30, 40], [60, 70]], "costs": "every turn"},
                "barrel": {"start": 90, "attempts": 2, "fine": 20, "falls": "unlimited"},
            },
            id="opening, obstacles, barrel",
        ),
    ],
)
def test_for_two_both_find_the_same_chances_on_a_long_track(sections: Data) -> None:
    data = {**LONG, **sections}
    compare(data, "win", solve_by_reference(data, 2, None, 2e-11))
