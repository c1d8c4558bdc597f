"""Tests of the reference itself: worked examples, published values, games solved by hand."""

from typing import Any

import pytest

from .race import (
    NotConvergedError,
    PlayerState,
    least_stop,
    outcome_of_bust,
    outcome_of_overshoot,
    outcome_of_stop,
    solve,
    solve_stakes,
)
from .rulesets import (
    BARREL,
    BARREL_1005,
    CLASSIC,
    FARKLE,
    OPEN_BARREL,
    OPEN_BARREL_3,
    Rules,
    coin,
    pig,
    three_faces,
    two_dice,
)
from .scoring import holds
from .standing import in_pit, on_barrel
from .turn import Choice, End, Throw, after_hold

START = PlayerState()

# ---- events ----


def stop(rules: Rules, mover: PlayerState, others: list[PlayerState], points: int) -> Any:
    """The outcome of a stop, with the others as a list."""
    after, left = outcome_of_stop(rules, mover, tuple(others), points)
    return after, left if left == "win" else list(left)


def test_least_stop() -> None:
    """Pit, opening and barrel."""
    assert least_stop(CLASSIC, PlayerState(225)) == 75
    assert least_stop(CLASSIC, PlayerState(0, opened=False)) == 50
    assert least_stop(CLASSIC, PlayerState(300)) == 5
    assert least_stop(BARREL, PlayerState(880)) == 120
    assert least_stop(BARREL_1005, PlayerState(880)) == 125


def test_overtaking() -> None:
    """Level is not passed; everybody passed pays."""
    state = PlayerState
    assert stop(CLASSIC, state(120), [state(170)], 50) == (state(170), [state(170)])
    assert stop(CLASSIC, state(120), [state(170)], 60) == (state(180), [state(120)])
    assert stop(CLASSIC, state(120), [state(120)], 60) == (state(180), [state(120)])
    three = [state(350), state(380), state(500)]
    fined = [state(300), state(330), state(500)]
    assert stop(CLASSIC, state(320), three, 100) == (state(420), fined)
    assert stop(CLASSIC, state(0), [state(30)], 60) == (state(60), [state(0)])


def test_dump_truck() -> None:
    """On the mover before he overtakes, and on others through fines."""
    state = PlayerState
    assert stop(CLASSIC, state(540), [], 15) == (state(0), [])
    assert stop(CLASSIC, state(540), [state(550)], 15) == (state(0), [state(550)])
    assert stop(CLASSIC, state(590), [state(605)], 30) == (state(620), [state(0)])
    assert stop(CLASSIC, state(0, opened=False), [], 555) == (state(0), [])


def test_bolts() -> None:
    """The last bolt costs the fine; pits, barrel and the time before opening are exempt."""
    state = PlayerState
    in_pits = {**CLASSIC, "bolts": {"limit": 3, "fine": 100, "in_pits": True}}
    assert outcome_of_bust(CLASSIC, state(505, bolts=2), ()) == (state(405), ())
    assert outcome_of_bust(CLASSIC, state(505, bolts=1), ()) == (state(505, bolts=2), ())
    assert outcome_of_bust(CLASSIC, state(655, bolts=2), ()) == (state(655, bolts=2), ())
    assert outcome_of_bust(in_pits, state(655, bolts=2), ()) == (state(0), ())
    unopened = state(0, opened=False)
    assert outcome_of_bust(CLASSIC, unopened, ()) == (unopened, ())
    early = {**CLASSIC, "bolts": {"limit": 3, "fine": 100, "before_opening": True}}
    assert outcome_of_bust(early, unopened, ()) == (unopened._replace(bolts=1), ())


def test_all_dice_scored_must_throw_again() -> None:
    """A straight leaves five dice and no stop."""
    assert after_hold(CLASSIC, START, 0, Throw(5), Choice(125, 5, every=True)) == (125, Throw(5), False)
    assert after_hold(CLASSIC, START, 0, Throw(5), Choice(100, 3, every=True)) == (100, Throw(2), True)


def test_win_without_barrel() -> None:
    """The target or more wins, even beside players that would have been passed."""
    state = PlayerState
    assert stop(CLASSIC, state(950), [state(970)], 60) == (state(1010), "win")


def test_barrel() -> None:
    """Climb, failed attempts, falls; no bolt there."""
    state = PlayerState
    assert stop(BARREL, state(800), [], 400) == (state(880), [])
    assert stop(BARREL, state(880, attempts=2, falls=1), [], 120)[1] == "win"
    assert outcome_of_bust(BARREL, state(880), ()) == (state(880, attempts=1), ())
    assert outcome_of_bust(BARREL, state(880, attempts=2), ()) == (state(780, falls=1), ())
    assert outcome_of_bust(BARREL, state(880, attempts=2, falls=2), ()) == (state(0), ())
    sitter = state(880, attempts=1)
    climbed = (state(880), [state(780, falls=1)])
    assert stop(BARREL, state(860), [sitter], 40) == climbed
    assert stop(BARREL, state(860), [sitter._replace(falls=2)], 40) == (state(880), [state(0)])
    assert stop(BARREL, state(860), [state(870)], 40) == (state(880), [state(820)])
    beside_pit = {**BARREL, "pits": {"bounds": [[800, 900]]}}
    assert on_barrel(beside_pit, state(880))
    assert not in_pit(beside_pit, state(880))
    assert least_stop(beside_pit, state(850)) == 50


def test_open_barrel() -> None:
    """A mark at once for passing 1000, a fall for the sixth; exactly 1000 wins."""
    state = PlayerState
    ((_, points),) = holds((1, 5, 2, 3, 4), OPEN_BARREL).items()
    for choice in (Choice(points, 5, every=True), Choice(15, 2, every=True)):
        ended = after_hold(OPEN_BARREL, state(990), 0, Throw(5), choice)
        assert ended == End("overshoot", choice.points, blank=False, dice=5 - choice.dice)
    assert outcome_of_overshoot(OPEN_BARREL, state(990), ()) == (state(990, marks=1), ())
    assert stop(OPEN_BARREL, state(990), [], 10) == (state(1000), "win")
    assert outcome_of_overshoot(OPEN_BARREL, state(990, marks=5), ()) == (state(0), ())
    fall = (state(890, falls=1), ())
    assert outcome_of_overshoot(OPEN_BARREL_3, state(990, marks=5), ()) == fall
    last = state(990, marks=5, falls=2)
    assert outcome_of_overshoot(OPEN_BARREL_3, last, ()) == (state(0), ())
    unopened = state(0, opened=False, marks=5)
    assert outcome_of_overshoot(OPEN_BARREL, unopened, ()) == (unopened._replace(marks=0), ())


# ---- values ----


@pytest.mark.parametrize(
    ("rules", "turns"),
    [
        # A win needs one good throw; two in one turn where 1 may not be written.
        (coin(1), {START: 2}),
        (coin(1, "more than"), {START: 4}),
        # From 0 throw on at 1: E = 1 + E/2 + E/4.
        (coin(2, bolts={"limit": 1, "fine": 1}), {START: 4, PlayerState(1): 3}),
        # Stop at 2 once opened: E = 1 + 3/4 E + 2/4.
        (
            coin(3, opening={"points": 2}),
            {PlayerState(opened=False): 6, PlayerState(2): 2},
        ),
        # At 1 two points are needed in one turn.
        (
            coin(3, pits={"bounds": [[1, 3]]}),
            {START: 6, PlayerState(1): 4, PlayerState(2): 2},
        ),
        # Every climb takes 2 turns, then one leap in one or two attempts.
        (
            coin(2, barrel={"start": 1, "attempts": 1, "fine": 1, "falls": 1}),
            {START: 6, PlayerState(1): 4},
        ),
        (
            coin(2, barrel={"start": 1, "attempts": 2, "fine": 1, "falls": 1}),
            {START: 14 / 3, PlayerState(1): 8 / 3, PlayerState(1, attempts=1): 10 / 3},
        ),
        # Going past the target is void.
        (three_faces(1), {START: 3}),
        # Every overshoot costs all: throw on at 1, E = 1 + E/3 + 2/9 E.
        (
            three_faces(2, overshoot={"marks": 1, "fine": 1, "falls": 1}),
            {START: 9 / 4, PlayerState(1): 21 / 8},
        ),
        # Two dice, compulsory throw after both have scored: win = 1/2 + 1/4 win.
        (two_dice(2), {START: 3 / 2}),
        # The doublet of blank faces is thrown again: win = 4/9 + 1/3 win.
        (two_dice(3, doublet={"points": 0}), {START: 3 / 2}),
    ],
)
def test_fewest_turns_by_hand(rules: Rules, turns: dict[PlayerState, float]) -> None:
    """Small games, all values worked out on paper."""
    assert solve(rules, 1) == pytest.approx(turns, rel=1e-11)


@pytest.mark.parametrize(("rules", "per_turn"), [(coin(1), 1 / 2), (coin(1, "more than"), 1 / 4), (two_dice(2), 2 / 3)])
def test_duel_without_memory(rules: Rules, per_turn: float) -> None:
    """When a turn wins with chance p or changes nothing, the mover wins with 1 / (2 - p)."""
    assert solve(rules, 2) == pytest.approx({(START, START): 1 / (2 - per_turn)}, abs=1e-12)


def test_overtaking_duel_by_goals() -> None:
    """With a coin a turn is the choice of a goal: k good throws in a row, or nothing."""
    target, fine = 5, 2
    scores = range(target)
    chance = {(mover, waiter): 0.5 for mover in scores for waiter in scores}
    for _ in range(300):
        for mover, waiter in chance:
            after_bust = 1 - chance[waiter, mover]
            goals = [2.0 ** (mover - target) * (1 - after_bust)]
            for reached in range(mover + 1, target):
                passed = mover < waiter < reached
                other = max(0, waiter - fine) if passed else waiter
                gain = 1 - chance[other, reached] - after_bust
                goals.append(2.0 ** (mover - reached) * gain)
            chance[mover, waiter] = after_bust + max(goals)
    found = solve(coin(target, overtaking={"fine": fine}), 2)
    assert len(found) == target**2
    for (mover_state, waiter_state), value in found.items():
        expected = chance[mover_state.score, waiter_state.score]
        assert value == pytest.approx(expected, abs=2e-12)


@pytest.mark.parametrize(
    ("rules", "chance"),
    [
        (pig(10), 0.709424322598303),
        (pig(20), 0.615558549805043),
        (FARKLE, 0.9700598802395),  # at 9950 each of 10000
    ],
)
def test_published_duels(rules: Rules, chance: float) -> None:
    """Published chances of the mover at the start."""
    assert solve(rules, 2)[START, START] == pytest.approx(chance, abs=2e-12)


def test_published_fewest_turns() -> None:
    """Pig to 100 alone (Haigh and Roters 2000: 12.545)."""
    assert solve(pig(100), 1)[START] == pytest.approx(12.545232351955, abs=1e-11)


def test_no_loose_values() -> None:
    """Too few sweeps are an error that carries the bounds."""
    with pytest.raises(NotConvergedError) as caught:
        solve(pig(10), 2, sweeps=3)
    assert caught.value.low[START, START] < 0.709424322598 < caught.value.high[START, START]


def test_stakes_by_hand() -> None:
    """A coin wins at once or never opens: the first winner gets double, as the other has never entered."""
    rules = coin(1, opening={"points": 1}, stakes={"unopened": 2})
    unopened = PlayerState(opened=False)
    # The mover wins with chance 1 / (2 - 1/2) = 2/3, two stakes each way.
    assert solve_stakes(rules)[unopened, unopened] == pytest.approx(2 / 3, abs=1e-12)
    assert solve_stakes(coin(1))[START, START] == pytest.approx(2 * solve(coin(1), 2)[START, START] - 1, abs=1e-12)
