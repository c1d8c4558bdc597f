"""Games with choices: thirteen, showdown poker and their advice."""

from fractions import Fraction
from functools import cache
from math import isclose
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.parlour import best_hand_value

from solver import advise
from solver.families import load_rules
from solver.parlour import showdown, thirteen
from solver.parlour.family import odds
from solver.parlour.hands import rank
from solver.parlour.lattice import lattice


def rules_of(name: str, **changes: Any) -> Any:
    loaded = load_rules(name)
    return type(loaded)(**{**vars(loaded), **changes})


def best_series(rules: Any, worth: Any) -> Fraction:
    """Most expected worth of the marks of a series, by trying every operation after every throw."""

    @cache
    def after(number: int, total: int, marks: int) -> Fraction:
        if number == rules.throws:
            return Fraction(worth(marks))
        value = Fraction(0)
        for thrown, chance in thirteen.sums(rules).items():
            targets = (thirteen.apply(operation, total, thrown) for operation in thirteen.OPERATIONS)
            value += chance * max(
                after(number + 1, target, thirteen.gained(rules, marks, target))
                for target in targets
                if target is not None
            )
        return value

    return sum(
        (chance * after(1, thrown, thirteen.marks(rules, thrown)) for thrown, chance in thirteen.sums(rules).items()),
        Fraction(0),
    )


@pytest.mark.parametrize("counting", ["best", "every"])
@pytest.mark.parametrize("divisor", [5, 13])
def test_thirteen_by_trying_every_operation(divisor: int, counting: str) -> None:
    rules = rules_of("thirteen", divisor=divisor, counting=counting, throws=3)
    value, chances = thirteen.expected_marks(rules)
    assert value == best_series(rules, lambda marks: marks)
    assert sum(chances) == 1
    assert sum(marks * chance for marks, chance in enumerate(chances)) == value


def test_thirteen_as_published() -> None:
    assert thirteen.expected_marks(load_rules("thirteen"))[0] == Fraction(370291819, 60466176)


@pytest.mark.parametrize("divisor", [4, 7])
def test_thirteen_races_are_what_value_iteration_finds(divisor: int) -> None:
    rules = rules_of("thirteen", divisor=divisor, marks=2, throws=3, faces=3)
    alone, both = thirteen.alone(rules), thirteen.for_two(rules)
    series = {0: 0.0, 1: 1.0, 2: 1.0}
    win = {(mine, theirs): 0.5 for mine in (1, 2) for theirs in (1, 2)}
    for _round in range(30):
        for needed in (1, 2):
            series[needed] = 1 - float(best_series(rules, lambda marks, n=needed: Fraction(-series[max(0, n - marks)])))
        for mine, theirs in win:
            win[mine, theirs] = float(
                best_series(rules, lambda marks, m=mine, t=theirs: Fraction(1 - win[t, m - marks]) if marks < m else 1)
            )
    for needed in (1, 2):
        assert isclose(alone.values[needed], series[needed], rel_tol=1e-6)
        for other in (1, 2):
            assert isclose(both.values[needed, other], win[needed, other], abs_tol=1e-6)
    assert alone.errors.max() < 1e-10
    assert both.errors.max() < 1e-10


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("dice-poker-showdown", Fraction(29961489142697728523, 63968148067341828096)),
        ("indian-dice", Fraction(12626988826925287631, 21322716022447276032)),
    ],
)
def test_showdowns_as_handed_down(name: str, first: Fraction) -> None:
    found = odds(load_rules(name), 2)
    assert found.figure("win_seat_1").value == first
    assert found.figure("win_seat_2").value == 1 - first
    assert name != "indian-dice" or round(float(first), 12) == 0.592184823623


@pytest.mark.parametrize("name", ["dice-poker-showdown", "dice-poker-showdown-low", "indian-dice"])
@pytest.mark.parametrize("target", [(1, 1, 3, 4, 6), (5, 5, 5, 2, 2), (6, 6, 6, 6, 6)])
def test_the_last_player_by_trying_every_keep(name: str, target: tuple[int, ...]) -> None:
    rules: Any = load_rules(name)
    beaten = showdown.strength(rules, target)
    half = Fraction(1, 2)

    def worth(hand: tuple[int, ...], _number: int) -> Fraction:
        own = showdown.strength(rules, hand)
        return Fraction(int(own > beaten)) + half * (own == beaten)

    answer = advise(name, vs=",".join(map(str, target)))
    assert answer.value == best_hand_value(worth, 3, locked=rules.locked, may_stop=False)


@pytest.mark.parametrize("locked", [False, True], ids=["any-dice-again", "kept-dice-stay"])
def test_the_first_player_of_indian_dice_by_trying_every_keep_and_stop(locked: bool) -> None:
    rules = rules_of("indian-dice", locked=locked)

    def worth(hand: tuple[int, ...], number: int) -> Fraction:
        # The second player's own best is checked above.
        later = showdown.later(rules, 2, 2, number)
        level = showdown.levels(rules).strengths.index(showdown.strength(rules, hand))
        return Fraction(int(later.holder[0, level]), later.scale)

    assert odds(rules, 2).figure("win_seat_1").value == best_hand_value(worth, 3, locked=locked, may_stop=True)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("name", ["dice-poker-showdown-no-triple", "indian-dice"])
def test_some_player_wins(name: str, players: int) -> None:
    rules = rules_of(name, throws=2)
    assert sum(odds(rules, players).figure(f"win_seat_{seat + 1}").value for seat in range(players)) == 1


def test_with_one_throw_all_seats_are_alike() -> None:
    rules = rules_of("dice-poker-showdown", throws=1)
    assert {figure.value for figure in odds(rules, 4).figures} == {Fraction(1, 4)}


def test_a_low_game_is_the_high_game_with_one_throw_turned_round() -> None:
    high, low = load_rules("dice-poker-showdown"), load_rules("dice-poker-showdown-low")
    order = sorted(lattice().hands, key=lambda hand: showdown.strength(high, hand))  # type: ignore[arg-type]
    strengths = [showdown.strength(low, hand) for hand in order]  # type: ignore[arg-type]
    assert strengths == sorted(strengths, reverse=True)


def test_a_replayed_tie_is_worth_what_the_game_is_worth() -> None:
    rules: Any = load_rules("dice-poker-witcher")
    found = showdown.replayed(rules)
    game = rules_of("dice-poker-witcher", ties="share", wins=1)
    shared = odds(game, 2).figure("win_seat_1").value
    # A shared tie is worth one half, a replayed one less than that to the first player.
    assert found.first < shared < Fraction(1, 2)
    win, tie = (
        Fraction(int(part), showdown.replay_scale(rules, found.first)) for part in showdown._game(rules, found.first)
    )
    assert win + tie * found.first == found.first
    one = found.first
    match = odds(rules, 2).figure("match_seat_1").value
    assert match == one * (1 - one) + one * one * one + (1 - one) * one * (1 - one)


def test_no_triple_counts_three_equal_dice_as_a_pair() -> None:
    assert rank((5, 5, 5, 1, 2), triples="pair")[:2] == rank((5, 5, 1, 2, 3))[:2]
    assert rank((5, 5, 5, 1, 2), triples="nothing") == (0, 0, 0, 18)
    assert rank((5, 5, 5, 1, 1), triples="pair") == rank((5, 5, 5, 1, 1))


def test_the_first_of_indian_dice_stops_on_a_good_first_throw() -> None:
    def stops(dice: str, players: int) -> bool:
        return advise("indian-dice", dice=dice, throw="1", players=str(players)).options[0].facts["throw"] == 0

    assert stops("5,5,5,1,2", 2)
    assert not stops("1,2,3,5,6", 2)
    # With more opponents, of whom all are cut short, a hand must be better.
    assert sum(stops(",".join(map(str, hand)), 2) for hand in lattice().hands) > 0


@settings(max_examples=15)
@given(
    name=st.sampled_from(["dice-poker-showdown", "indian-dice", "dice-poker-witcher"]),
    hand=st.lists(st.integers(1, 6), min_size=5, max_size=5),
    shown=st.lists(st.integers(1, 6), min_size=5, max_size=5),
)
def test_advice_on_the_last_throw_but_one_is_the_sum_over_all_throws(
    name: str, hand: list[int], shown: list[int]
) -> None:
    rules: Any = load_rules(name)
    answer = advise(name, dice=",".join(map(str, hand)), vs=",".join(map(str, shown)), throw=str(rules.throws - 1))
    tied = 1 - showdown.replayed(rules).first if rules.ties == "replay" else Fraction(1, 2)
    target = showdown.strength(rules, shown)

    def worth(dice: tuple[int, ...]) -> Fraction:
        own = showdown.strength(rules, dice)
        return Fraction(int(own > target)) + (tied if own == target else 0)

    known = lattice()
    for option in answer.options:
        keep = tuple(option.facts["hold"])
        value = Fraction(0)
        for (kept, number), ways in zip(known.pairs, known.ways.tolist(), strict=True):
            if known.keeps[kept] == keep:
                value += Fraction(ways, 6 ** (5 - len(keep)) * 6 ** len(keep)) * worth(known.hands[number])
        assert option.value == value
    assert answer.value == max(option.value for option in answer.options)


def test_totals_and_marks_that_a_series_can_have_by_trying_every_operation() -> None:
    rules = rules_of("thirteen", divisor=5, throws=3, faces=3)
    now = {(thrown, thirteen.marks(rules, thrown)) for thrown in thirteen.sums(rules)}
    for throws in (1, 2, 3):
        found = thirteen.possible(rules, throws)
        lowest = thirteen.board(rules).lowest
        assert {(index + lowest, marks) for index, marks in zip(*found.nonzero(), strict=True)} == now
        now = {
            (target, thirteen.gained(rules, mark, target))
            for total, mark in now
            for thrown in thirteen.sums(rules)
            for operation in thirteen.OPERATIONS
            if (target := thirteen.apply(operation, total, thrown)) is not None
        }


def test_marks_that_the_total_has_just_brought_need_not_be_stated() -> None:
    assert advise("thirteen", dice="3,2", state="throw=2,total=13").to_json()["state"]["marks"] == 1
    assert advise("thirteen", dice="3,2", state="throw=2,total=12").to_json()["state"]["marks"] == 0


def test_a_series_that_may_bring_hundreds_of_marks_takes_little_memory() -> None:
    rules = rules_of("thirteen", divisor=2, counting="every")
    value, chances = thirteen.expected_marks(rules)
    assert sum(chances) == 1
    assert sum(marks * chance for marks, chance in enumerate(chances)) == value
