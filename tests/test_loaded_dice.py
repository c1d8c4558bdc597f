"""Dice with faces of different weight: what turns with them are worth, and how they are named in questions."""

from itertools import product

import pytest
from games import Data, changed, rules_from, turn_points
from processes import Run

import solver
from solver.families import load_rules
from solver.race.actions import Turn
from solver.race.player import Player
from solver.race.position import read_loaded
from solver.race.rules import RaceRules
from solver.race.turn import compile_turn
from solver.race.worth import points_worth

CLOSE = 1e-8


def test_the_medieval_first_throw_is_worth_the_known_points() -> None:
    # A test file of a simulator of the video game keeps this position, and a compact number is off by 0.1 there.
    rules = load_rules("farkle-medieval")
    turn = Turn(rules, Player(), points_worth(rules, Player()))
    slot = turn.slot_of(6, 0)
    assert slot is not None
    best = max(turn.choices(slot, (1, 2, 2, 3, 3, 4), 0), key=lambda choice: choice.value)
    assert (best.hold, best.dice) == ((1,), 5)
    assert best.value == pytest.approx(427.343828417, abs=CLOSE)


def test_points_beyond_the_medieval_target_are_worth_the_known_points() -> None:
    graph, known = compile_turn(load_rules("farkle-medieval")), dict[tuple[int, int], float]()

    def value(points: int, slot: int, last: int) -> float:
        """Most points of a turn that is over as soon as it has ``last`` points, all of which count."""
        if points >= last:
            return float(points)
        if (points, slot) not in known:
            throw = 0.0
            for number, roll in enumerate(graph.rolls[slot], graph.roll_ptr[slot]):
                best = max(value(points + 50 * option.gain, option.slot, last) for option in roll.options)
                throw += graph.roll_chance[number] * best
            known[points, slot] = max(throw, points) if graph.slots[slot].may_stop else throw
        return known[points, slot]

    five = next(number for number, slot in enumerate(graph.slots) if slot.dice == 5)
    assert value(100, five, 3000) == pytest.approx(428.005565, abs=1e-6)
    # Without any target one would go on longer still, and the first throw brings more.
    rules = changed("farkle-medieval", match={"target": 150_000})
    assert Turn(rules, Player(), points_worth(rules, Player())).throw_value(five, 100) == pytest.approx(
        428.132454, abs=1e-6
    )


SMALL: Data = {
    "dice": {
        "count": 3,
        "faces": 3,
        "hold": "any",
        "hot_dice": "may",
        "loaded": {"low": [3, 1, 0], "odd": ["1/4", 1, "1/4"]},
    },
    "combinations": {"single": {"1": 1}, "three": {"1": 4, "2": 2, "3": 3}, "straight": {"1-3": 3}},
    "match": {"target": 7, "step": 1},
}
WEIGHTS = {"low": (3, 1, 0), "odd": (1, 4, 1), "fair": (1, 1, 1)}


def best_points(left: frozenset[str], total: int, rules: RaceRules, known: dict[object, float]) -> float:
    """Most points of a turn that throws these dice, by trying every throw of distinct dice; the obvious way."""
    if total >= 7:
        return 7.0
    if (left, total) in known:
        return known[left, total]
    dice, value, ways = sorted(left), 0.0, 0
    for faces in product((1, 2, 3), repeat=len(dice)):
        weight = 1
        for name, face in zip(dice, faces, strict=True):
            weight *= WEIGHTS[name][face - 1]
        ways += weight
        best = 0.0
        for chosen in product((False, True), repeat=len(dice)):
            shown = [face for face, taken in zip(faces, chosen, strict=True) if taken]
            counts = tuple(shown.count(face) for face in (1, 2, 3))
            worth = rules.scoring().points(counts, len(dice)) if shown and weight else None
            if worth is not None:
                rest = frozenset(name for name, taken in zip(dice, chosen, strict=True) if not taken)
                gathered = min(7, total + worth)
                best = max(best, gathered, best_points(rest or frozenset(WEIGHTS), gathered, rules, known))
        value += weight * best
    known[left, total] = value / ways
    return known[left, total]


def test_loaded_dice_are_played_like_by_trying_everything() -> None:
    rules = rules_from(SMALL)
    turn = Turn(rules, Player(), points_worth(rules, Player()))
    known: dict[object, float] = {}
    assert turn.value == pytest.approx(best_points(frozenset(WEIGHTS), 0, rules, known), abs=1e-12)
    names = [*(name for name, _kind in sorted(rules.kinds_by_name().items(), key=lambda item: item[1])), "fair"]
    for number, slot in enumerate(turn.graph.slots):
        left = frozenset(name for name, count in zip(names, slot.pool, strict=True) if count)
        for total in range(1, 7):
            if (left, total) in known and slot.may_stop:
                assert turn.throw_value(number, total) == pytest.approx(known[left, total], abs=1e-12)


def test_dice_that_are_loaded_alike_or_not_at_all_are_ordinary_ones() -> None:
    plain = load_rules("farkle-medieval")
    same = read_loaded(plain, "--die", ["one=1,1,1,1,1,1", "two=2/12,2/12,2/12,2/12,2/12,2/12"])
    for rules in (plain, same):
        assert Turn(rules, Player(), points_worth(rules, Player())).value == pytest.approx(
            turn_points(plain), abs=1e-12
        )


def test_advice_names_the_die_to_hold() -> None:
    advice = solver.advise(
        "farkle-medieval", objective="points", die=("lucky=3,1,1,1,1,1",), turn="100", dice="lucky=5, 5, 2, 3, 3"
    )
    holds = [advice.spelled(choice.hold) for choice in advice.choices]
    assert ["5"] in holds
    assert ["lucky=5"] in holds
    # The die with many ones is worth more in the cup than on the table.
    assert holds.index(["5"]) < holds.index(["lucky=5"])


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--die lucky", "--die: 'lucky'; allowed: a name and the weights of the faces, such as lucky=2,1,1,1,1,1"),
        ("--die lucky=1,1", "--die: dice.loaded.lucky: [1, 1]; allowed: a weight for each of the 6 faces"),
        ("--die lucky=0,0,0,0,0,0", "allowed: weights of which at least one is not 0"),
        ("--die lucky=1,1,1,1,1,-1", "allowed: weights of faces: whole numbers from 0 on"),
        (
            "--die lucky=2,1,1,1,1,1 --dice 1,2,3,4,5,6",
            "'1,2,3,4,5,6'; allowed: lucky by name, such as lucky=1",
        ),
        ("--die lucky=2,1,1,1,1,1 --dice odd=1,2", "--dice: 'odd=1'; allowed: lucky, and faces of ordinary dice"),
        ("--die lucky=2,1,1,1,1,1 --dice lucky=1,lucky=2", "--dice: 'lucky=1,lucky=2'; allowed: each die once"),
        ("--die lucky=2,1,1,1,1,1 --die lucky=1,1,1,1,1,2", "--die: 'lucky=1,1,1,1,1,2'; allowed: each die once"),
        ("--die lucky=2,1,1,1,1,1 --dice lucky=7,1", "--dice: '7'; allowed: 6 dice at most, faces from 1 to 6"),
        ("--die low=1/2,1/4,1/4,0,0,0 --dice low=6,1", "--dice: 'low=6'; allowed: for low the faces 1, 2, 3"),
        (" ".join(f"--die {name}=1,0,0,0,0,0" for name in "abcdef"), "dice.loaded: a turn may take too many throws"),
    ],
)
def test_loaded_dice_that_cannot_be_are_refused(words: str, error: str, advise: Run) -> None:
    answer = advise("--ruleset", "farkle-medieval", "--objective", "points", *words.split())
    assert (answer.status, answer.out) == (2, "")
    assert error in answer.err
    assert len(answer.err.splitlines()) == 1
