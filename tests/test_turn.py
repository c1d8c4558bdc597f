"""The compiled turn, against the enumeration of ordered throws with the reference's scoring."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from games import Data, rules_from
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.rulesets import CLASSIC, FARKLE, coin, pig, two_dice
from reference.scoring import holds
from reference.turn import throw_kinds

from solver.dice import from_faces, throw_ways, to_faces
from solver.errors import RulesetError
from solver.families import load_rules
from solver.race.turn import Slot, TurnGraph, TurnRules, compile_turn, reachable_totals
from solver.ruleset import canonical

PROPERTY = settings(deadline=None, max_examples=60)

Options = frozenset[tuple[int, Slot]]
"""What a throw offers: steps gained and what is thrown next."""


def with_doublet(data: Data, points: int) -> Data:
    return {**data, "combinations": {**data["combinations"], "doublet": {"points": points}}}


def dice_of(data: Data, **changes: Any) -> Data:
    return {**data, "dice": {**data["dice"], **changes}}


FREE_CHOICE = {**CLASSIC, "dice": {"count": 5, "hold": "any", "hot_dice": "may"}}
GAMES: dict[str, Data] = {
    "thousand-classic": CLASSIC,
    "pig": pig(100),
    "farkle with free choice": {**FARKLE, "match": {"target": 10_000, "step": 50}},
    "farkle, hot dice must be thrown": dice_of(FARKLE, hot_dice="must"),
    "thousand with free choice": FREE_CHOICE,
    "thousand with a doublet of no points": with_doublet(CLASSIC, 0),
    "doublet of points, free choice": with_doublet(FREE_CHOICE, 15),
    "two dice of three faces": two_dice(3),
    "a coin": coin(10),
}


@cache
def compiled(name: str) -> TurnGraph:
    return compile_turn(rules_from(GAMES[name]))


def expected_rolls(data: Data, dice: int) -> Counter[Options]:
    """The ordered throws of some dice by what they offer; those that offer nothing are busts."""
    count, step = data["dice"]["count"], data["match"]["step"]
    may_stop_when_hot = data["dice"]["hot_dice"] == "may"
    rolls: Counter[Options] = Counter()
    for choices, ways in throw_kinds(dice, data).items():
        options = frozenset(
            (points // step, Slot(dice - held, may_stop=True) if held < dice else Slot(count, may_stop_when_hot))
            for points, held in choices
        )
        rolls[options] += ways
    return rolls


def test_shipped_rulesets_state_the_games_of_the_reference() -> None:
    for name, data in {"thousand-classic": CLASSIC, "pig": pig(100)}.items():
        assert canonical(load_rules(name)) == canonical(rules_from(data))


@pytest.mark.parametrize("name", GAMES)
def test_chances_of_each_slot_add_up_to_exactly_one(name: str) -> None:
    graph, faces = compiled(name), GAMES[name]["dice"].get("faces", 6)
    for slot, rolls, bust in zip(graph.slots, graph.rolls, graph.bust, strict=True):
        throws = faces**slot.dice
        assert sum((Fraction(roll.ways, throws) for roll in rolls), bust) == 1
        assert all(roll.ways > 0 for roll in rolls)


@pytest.mark.parametrize("name", GAMES)
def test_slots_rolls_and_busts_are_those_of_all_ordered_throws(name: str) -> None:
    graph, data = compiled(name), GAMES[name]
    reached: set[Slot] = set()
    waiting = [Slot(data["dice"]["count"], may_stop=False)]
    assert graph.slots[graph.start] == waiting[0]
    while waiting:
        slot = waiting.pop()
        if slot in reached:
            continue
        reached.add(slot)
        expected = expected_rolls(data, slot.dice)
        waiting += [following for options in expected for _gain, following in options]
        number = graph.slots.index(slot)
        blank = expected.pop(frozenset(), 0)
        assert graph.bust[number] == Fraction(blank, blank + expected.total())
        found = {
            frozenset((o.gain, graph.slots[o.slot]) for o in roll.options): roll.ways for roll in graph.rolls[number]
        }
        assert found == expected
        assert len(found) == len(graph.rolls[number])
    assert sorted(graph.slots) == sorted(reached)


@pytest.mark.parametrize(
    ("name", "chances"),
    [
        ("thousand-classic", {5: "25/324", 4: "17/108", 3: "5/18", 2: "4/9", 1: "2/3"}),
        ("thousand with a doublet of no points", {5: "25/324", 4: "17/108", 3: "5/18", 2: "1/3", 1: "2/3"}),
        ("pig", {1: "1/6"}),
        ("farkle with free choice", {6: "5/162", 5: "25/324", 4: "17/108", 3: "5/18", 2: "4/9", 1: "2/3"}),
    ],
)
def test_bust_chances_are_exact(name: str, chances: dict[int, str]) -> None:
    graph = compiled(name)
    assert {slot.dice for slot in graph.slots} == set(chances)
    for slot, bust in zip(graph.slots, graph.bust, strict=True):
        assert bust == Fraction(chances[slot.dice])


@pytest.mark.parametrize("name", GAMES)
def test_flat_arrays_say_the_same_as_the_objects(name: str) -> None:
    graph = compiled(name)
    rolls = [roll for group in graph.rolls for roll in group]
    options = [option for roll in rolls for option in roll.options]
    slots = len(graph.slots)
    faces = GAMES[name]["dice"].get("faces", 6)
    throws = [faces ** graph.slots[number].dice for number, group in enumerate(graph.rolls) for _roll in group]
    assert [float(Fraction(roll.ways, n)) for roll, n in zip(rolls, throws, strict=True)] == list(graph.roll_chance)
    sizes = [later - earlier for earlier, later in zip(graph.roll_ptr, list(graph.roll_ptr)[1:], strict=False)]
    assert sizes == [len(group) for group in graph.rolls]
    sizes = [later - earlier for earlier, later in zip(graph.option_ptr, list(graph.option_ptr)[1:], strict=False)]
    assert sizes == [len(roll.options) for roll in rolls]
    assert graph.roll_ptr[0] == graph.option_ptr[0] == 0
    assert list(graph.option_gain) == [option.gain for option in options]
    assert list(graph.option_slot) == [option.slot for option in options]
    assert list(graph.option_offset) == [option.gain * slots + option.slot for option in options]
    end_chances: Any = graph.end_chance.tolist()
    assert end_chances == [[float(bust)] for bust in graph.bust]
    assert list(graph.stop_kind) == [0 if slot.may_stop else -1 for slot in graph.slots]


@pytest.mark.parametrize("name", GAMES)
def test_throws_with_a_choice_come_last_in_their_slot(name: str) -> None:
    graph = compiled(name)
    for number, group in enumerate(graph.rolls):
        choices = [len(roll.options) > 1 for roll in group]
        assert choices == sorted(choices)
        assert graph.choice_ptr[number] == graph.roll_ptr[number] + choices.count(False)


@pytest.mark.parametrize("name", GAMES)
def test_an_option_without_points_leads_to_a_slot_that_is_solved_earlier(name: str) -> None:
    graph = compiled(name)
    free = [
        (o.slot, number)
        for number, group in enumerate(graph.rolls)
        for roll in group
        for o in roll.options
        if not o.gain
    ]
    assert all(following < number for following, number in free)
    assert bool(free) == (name == "thousand with a doublet of no points")


def test_options_keep_all_holds_that_lead_to_the_same() -> None:
    turn = TurnRules(rules_from({**FREE_CHOICE, "combinations": {"single": {"1": 10, "2": 10}}}))
    found = turn.options(Slot(3, may_stop=True), from_faces([1, 2, 6], 6))
    assert {key: [to_faces(hold.dice) for hold in group] for key, group in found.items()} == {
        (20, Slot(1, may_stop=True)): [(1, 2)],
        (10, Slot(2, may_stop=True)): [(1,), (2,)],
    }


# ---- turn totals ----


def simulated_totals(data: Data, highest: int) -> dict[Slot, set[int]]:
    """Every moment of every turn up to a turn total in steps, by playing all ordered throws."""
    count, step = data["dice"]["count"], data["match"]["step"]
    seen: dict[Slot, set[int]] = {}
    waiting = [(0, Slot(count, may_stop=False))]
    while waiting:
        total, slot = waiting.pop()
        if total > highest or total in seen.setdefault(slot, set()):
            continue
        seen[slot].add(total)
        for throw in product(range(1, data["dice"].get("faces", 6) + 1), repeat=slot.dice):
            for held, points in holds(throw, data).items():
                left = slot.dice - len(held)
                following = Slot(left, may_stop=True) if left else Slot(count, data["dice"]["hot_dice"] == "may")
                waiting.append((total + points // step, following))
    return seen


def check_totals(data: Data, highest: int) -> None:
    graph = compile_turn(rules_from(data))
    found = reachable_totals(graph, highest)
    expected = simulated_totals(data, highest)
    for slot, bits in zip(graph.slots, found, strict=True):
        assert {total for total in range(bits.bit_length()) if bits >> total & 1} == expected.get(slot, set())


@pytest.mark.parametrize("hold", ["all", "any"])
@pytest.mark.parametrize("hot_dice", ["must", "may"])
def test_reachable_totals_are_those_of_all_short_turns(hold: str, hot_dice: str) -> None:
    few = {**CLASSIC, "combinations": {"single": {"1": 10, "5": 5}}}
    check_totals(dice_of(few, count=2, hold=hold, hot_dice=hot_dice), 12)
    check_totals(with_doublet(dice_of(few, count=2, hold=hold, hot_dice=hot_dice), 35), 20)
    check_totals(with_doublet(dice_of(few, count=3, hold=hold, hot_dice=hot_dice), 0), 9)


@PROPERTY
@given(
    st.dictionaries(st.integers(1, 3).map(str), st.integers(1, 9), min_size=1, max_size=2),
    st.sampled_from(["all", "any"]),
    st.sampled_from(["must", "may"]),
    st.integers(1, 9),
    st.integers(0, 30),
)
def test_reachable_totals_of_random_games_are_those_of_all_short_turns(
    single: dict[str, int], hold: str, hot_dice: str, doublet: int, highest: int
) -> None:
    data = {
        "dice": {"count": 2, "faces": 4, "hold": hold, "hot_dice": hot_dice},
        "combinations": {"single": single, "doublet": {"points": doublet}},
        "match": {"target": 50, "step": 1},
    }
    check_totals(data, highest)


# ---- turns without end ----


def always_scoring(dice: int, hold: str, hot_dice: str) -> Data:
    return {
        "dice": {"count": dice, "faces": 2, "hold": hold, "hot_dice": hot_dice},
        "combinations": {"single": {"1": 1, "2": 2}},
        "match": {"target": 10, "step": 1},
    }


@pytest.mark.parametrize(("dice", "hold"), [(1, "all"), (2, "all"), (5, "all"), (1, "any")])
def test_dice_that_always_score_and_must_be_thrown_again_are_refused(dice: int, hold: str) -> None:
    with pytest.raises(RulesetError, match=f"^dice: a turn could never end, throwing {dice} (die|dice)$"):
        compile_turn(rules_from(always_scoring(dice, hold, "must")))


@pytest.mark.parametrize(("dice", "hold", "hot_dice"), [(1, "all", "may"), (3, "all", "may"), (2, "any", "must")])
def test_dice_that_always_score_are_refused_even_if_a_turn_may_be_stopped(dice: int, hold: str, hot_dice: str) -> None:
    # The error bound counts the throws of a turn that nobody stops, and here there is no end of them.
    with pytest.raises(RulesetError, match=r"^combinations: a turn may take too many throws$"):
        compile_turn(rules_from(always_scoring(dice, hold, hot_dice)))


@pytest.mark.parametrize(
    "data",
    [
        dice_of({**pig(20), "combinations": {"single": {"1": 0, "6": 6}}}, hot_dice="may"),
        dice_of({**pig(20), "combinations": {"single": {"1": 0, "6": 6}}}, hot_dice="must"),
        two_dice(3, doublet={"points": 0}),
    ],
    ids=["one die, may", "one die, must", "two dice"],
)
def test_throws_that_may_repeat_for_ever_without_points_are_refused(data: Data) -> None:
    with pytest.raises(
        RulesetError, match=r"^combinations: a turn could go on for ever without points, throwing (1 die|2 dice)$"
    ):
        compile_turn(rules_from(data))


def test_a_confirmation_may_ask_for_a_face_that_scores_alone() -> None:
    confirming = dice_of(CLASSIC, hot_dice="confirm and end")
    any_dice, single_dice = (
        TurnRules(rules_from(dice_of(confirming, confirmed_by=by))) for by in ("any scoring dice", "single dice")
    )
    slot = Slot(5, may_stop=False, confirms=True)
    for throw in throw_ways(any_dice.kinds * 5):
        alone = bool(throw[0] or throw[4])
        assert single_dice.options(slot, throw) == (any_dice.options(slot, throw) if alone else {})
        first = any_dice.first
        assert single_dice.options(first, throw) == any_dice.options(first, throw)
