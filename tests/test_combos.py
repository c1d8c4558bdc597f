"""What throws are worth, against a plain search through every way to split every subset."""

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from examples import EXAMPLES, Example, example_ruleset
from games import Data, rules_from
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.scoring import best_split, holds

from solver.combos import Combination, Hold, Scoring, any_doublet, equal_dice, groups, run_of_faces
from solver.dice import Multiset, fair_die, from_faces, throw_ways, to_faces
from solver.families import load_rules
from solver.race.rules import INSTANT_WIN
from solver.race.turn import TurnRules

PROPERTY = settings(deadline=None, max_examples=300)

TRIPLES: Data = {
    "single": {"1": 10, "5": 5},
    "three": {"1": 100, "2": 20, "3": 30, "4": 40, "5": 50, "6": 60},
}
THOUSAND: Data = {
    **TRIPLES,
    "four": {"1": 200, "2": 40, "3": 60, "4": 80, "5": 100, "6": 120},
    "five": {"1": 1000, "2": 200, "3": 300, "4": 400, "5": 500, "6": 600},
    "straight": {"1-5": 125, "2-6": 250},
}
FARKLE: Data = {
    "single": {"1": 100, "5": 50},
    "three": {"1": 1000, "2": 200, "3": 300, "4": 400, "5": 500, "6": 600},
    "six": {str(face): 900 for face in range(1, 7)},
    "straight": {"1-6": 2500},
    "two_triplets": {"points": 2500},
}
TABLES: dict[str, tuple[str, Data]] = {
    "thousand, every scoring die held": ("all", THOUSAND),
    "thousand, free choice": ("any", THOUSAND),
    "three pairs never repeat a face": ("any", {**FARKLE, "three_pairs": {"points": 1500, "repeats": "never"}}),
    "four plus two are three pairs": ("any", {**FARKLE, "three_pairs": {"points": 1500, "repeats": "four plus two"}}),
    "six equal are three pairs": ("all", {**TRIPLES, "three_pairs": {"points": 90, "repeats": "any"}}),
    "doublet of no points, all held": ("all", {**TRIPLES, "doublet": {"points": 0}}),
    "doublet of points, free choice": ("any", {**TRIPLES, "doublet": {"points": 15}}),
    "short straights that overlap": ("any", {"single": {"3": 1}, "straight": {"1-3": 9, "2-4": 7, "3-6": 20}}),
    "combinations without points": ("all", {"single": {"2": 0, "4": 5}, "straight": {"2-4": 5, "1-2": 0}}),
}


def game(hold: str, table: Data, count: int = 6, faces: int = 6) -> Data:
    """A ruleset of the race family, as a file would state it."""
    return {
        "dice": {"count": count, "faces": faces, "hold": hold},
        "combinations": table,
        "match": {"target": 1000},
    }


def check_throw(scoring: Scoring, throw: tuple[int, ...], data: Data) -> None:
    """Compare all holds of one throw with those of the reference."""
    found = scoring.holds(from_faces(throw, data["dice"]["faces"]))
    by_faces = {to_faces(hold.dice): hold.points for hold in found}
    assert len(by_faces) == len(found)
    expected = holds(throw, data)
    if data["dice"]["hold"] == "any":
        assert by_faces == expected, throw
        assert [hold.points for hold in found] == sorted(expected.values(), reverse=True)
    else:
        # Of several readings that are level in points and dice, each is as good as the other.
        assert [(points, len(faces)) for faces, points in by_faces.items()] == [
            (points, len(faces)) for faces, points in expected.items()
        ], throw
        assert all(best_split(dice, len(throw), data["combinations"]) == by_faces[dice] for dice in by_faces)


@pytest.mark.parametrize(("hold", "table"), TABLES.values(), ids=TABLES)
def test_every_throw_of_one_to_six_dice_is_read_like_the_reference(hold: str, table: Data) -> None:
    data = game(hold, table)
    scoring = rules_from(data).scoring()
    for count in range(1, 7):
        for throw in combinations_with_replacement(range(1, 7), count):
            check_throw(scoring, throw, data)


@st.composite
def games_with_a_throw(draw: st.DrawFn) -> tuple[Data, tuple[int, ...]]:
    """A small random table, with so few different points that many readings are level, and a throw."""
    faces, count = draw(st.integers(2, 5)), draw(st.integers(1, 6))
    points = st.integers(0, 4)
    table: Data = {"single": {str(draw(st.integers(1, faces))): draw(st.integers(1, 4))}}
    table["single"] |= draw(st.dictionaries(st.integers(1, faces).map(str), points, max_size=2))
    for name, size in {"three": 3, "four": 4, "five": 5, "six": 6}.items():
        if size <= count and draw(st.booleans()):
            table[name] = {str(face): draw(points) for face in range(1, faces + 1)}
    runs = [f"{low}-{high}" for low in range(1, faces) for high in range(low + 1, min(faces, low + count - 1) + 1)]
    straights: bool = draw(st.booleans())
    if runs and straights:
        table["straight"] = draw(st.dictionaries(st.sampled_from(runs), points, min_size=1, max_size=3))
    if count == 6 and draw(st.booleans()):
        table["three_pairs"] = {"points": draw(points)}
        table["three_pairs"]["repeats"] = draw(st.sampled_from(["never", "four plus two", "any"]))
    if count == 6 and draw(st.booleans()):
        table["two_triplets"] = {"points": draw(points)}
    if count >= 2 and draw(st.booleans()):
        table["doublet"] = {"points": draw(points)}
    if not any(table["single"].values()):  # a ruleset in which nothing scores is refused
        table["single"]["1"] = 1
    thrown = draw(st.lists(st.integers(1, faces), min_size=1, max_size=count))
    return game(draw(st.sampled_from(["all", "any"])), table, count, faces), tuple(sorted(thrown))


def check_might_score(scoring: Scoring, faces: int, thrown: int) -> None:
    """Throws that are told to be alike must have the same holds."""
    might_score = scoring.might_score(thrown)
    holds_of: dict[Multiset, list[Hold]] = {}
    for throw in throw_ways([fair_die(faces)] * thrown):
        found = scoring.holds(throw)
        assert holds_of.setdefault(might_score(throw), found) == found


@pytest.mark.parametrize(("hold", "table"), TABLES.values(), ids=TABLES)
def test_throws_that_differ_in_dice_of_no_combination_have_the_same_holds(hold: str, table: Data) -> None:
    scoring = rules_from(game(hold, table)).scoring()
    for thrown in range(1, 7):
        check_might_score(scoring, 6, thrown)


@PROPERTY
@given(games_with_a_throw())
def test_throws_of_random_tables_that_are_told_to_be_alike_have_the_same_holds(
    case: tuple[Data, tuple[int, ...]],
) -> None:
    data, throw = case
    check_might_score(rules_from(data).scoring(), data["dice"]["faces"], len(throw))


def test_of_dice_that_score_only_as_a_triple_fewer_are_told_to_be_idle() -> None:
    might_score = load_rules("thousand-classic").scoring().might_score(4)
    told = {text: to_faces(might_score(from_faces(map(int, text), 6))) for text in ("1223", "2225", "2224", "3346")}
    assert told == {"1223": (1,), "2225": (2, 2, 2, 5), "2224": (2, 2, 2), "3346": ()}


@PROPERTY
@given(games_with_a_throw())
def test_random_tables_are_read_like_the_reference(case: tuple[Data, tuple[int, ...]]) -> None:
    data, throw = case
    check_throw(rules_from(data).scoring(), throw, data)


@pytest.mark.parametrize(
    "example", [pytest.param(example, id=example["id"]) for example in EXAMPLES if example["kind"] == "score"]
)
def test_worked_examples_of_throws(example: Example) -> None:
    rules, dice, expected = example_ruleset(example), example["input"]["dice"], example["expected"]
    turn, throw = TurnRules(rules), from_faces(example["input"]["dice"], 6)
    assert (turn.end(turn.first._replace(dice=len(dice)), throw) == INSTANT_WIN) == expected.get("instant_win", False)
    best = rules.scoring().best_reading(throw)
    if "points" in expected:
        assert best.points == expected["points"]
        if "scoring_dice" in expected:
            assert best.dice == from_faces(expected["scoring_dice"], 6)
        assert (best in rules.scoring().holds(throw)) == (best.points > 0)
    for hold in expected.get("includes", ()):
        assert Hold(from_faces(hold["hold"], 6), hold["points"]) in rules.scoring().holds(throw)


@pytest.mark.parametrize(
    ("throw", "held", "points"),
    [
        ((1, 1, 1, 1, 1), (1, 1, 1, 1, 1), 1000),
        ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5), 125),
        ((2, 3, 4, 5, 6), (2, 3, 4, 5, 6), 250),
        ((1, 1, 1, 2, 5), (1, 1, 1, 5), 105),
        ((5, 5, 5, 5, 1), (1, 5, 5, 5, 5), 110),
        ((1, 5, 5), (1, 5, 5), 20),
    ],
)
def test_the_classic_thousand_reads_a_throw_at_its_best(
    throw: tuple[int, ...], held: tuple[int, ...], points: int
) -> None:
    scoring = load_rules("thousand-classic").scoring()
    assert scoring.holds(from_faces(throw, 6)) == [Hold(from_faces(held, 6), points)]


@pytest.mark.parametrize(("dice", "chance"), [(5, "25/324"), (4, "17/108"), (3, "5/18"), (2, "4/9"), (1, "2/3")])
def test_blank_chances_of_the_classic_thousand_are_exact(dice: int, chance: str) -> None:
    scoring = load_rules("thousand-classic").scoring()
    ways = throw_ways([fair_die(6)] * dice)
    blank = sum(number for throw, number in ways.items() if not scoring.holds(throw))
    assert Fraction(blank, 6**dice) == Fraction(chance)


def test_the_mean_of_the_first_throw_of_the_classic_thousand_is_exact() -> None:
    scoring = load_rules("thousand-classic").scoring()
    ways = throw_ways([fair_die(6)] * 5)
    gathered = sum(number * hold.points for throw, number in ways.items() for hold in scoring.holds(throw))
    assert Fraction(gathered, 6**5) == Fraction(73325, 2592)


def test_two_equal_dice_count_only_when_exactly_two_are_thrown() -> None:
    scoring = Scoring([equal_dice(6, 1, 1, 10), *any_doublet(6, 0)], every_die=False)
    assert scoring.holds(from_faces([3, 3], 6)) == [Hold(from_faces([3, 3], 6), 0)]
    assert scoring.holds(from_faces([3, 3, 2], 6)) == []
    assert scoring.points(from_faces([3, 3], 6), thrown=2) == 0
    assert scoring.points(from_faces([3, 3], 6), thrown=4) is None


def test_two_scoring_dice_of_a_doublet_count_at_their_better_reading() -> None:
    scoring = Scoring([equal_dice(6, 1, 1, 10), *any_doublet(6, 0)], every_die=True)
    assert scoring.holds(from_faces([1, 1], 6)) == [Hold(from_faces([1, 1], 6), 20)]


def test_of_two_combinations_for_the_same_dice_the_better_one_counts() -> None:
    pair = from_faces([2, 2], 6)
    for points in ((5, 9), (9, 5)):
        assert Scoring([Combination(pair, p) for p in points], every_die=True).points(pair, thrown=2) == 9


def test_of_readings_with_equal_points_the_one_with_more_dice_is_held() -> None:
    scoring = Scoring([equal_dice(6, 2, 1, 0), equal_dice(6, 4, 1, 5)], every_die=True)
    assert scoring.holds(from_faces([2, 4, 6], 6)) == [Hold(from_faces([2, 4], 6), 5)]


def test_a_set_that_splits_only_in_part_may_not_be_held() -> None:
    scoring = Scoring([equal_dice(6, 1, 1, 10), run_of_faces(6, 1, 3, 50)], every_die=False)
    assert scoring.points(from_faces([1, 2], 6), thrown=3) is None
    assert scoring.points(from_faces([1, 1, 2, 3], 6), thrown=4) == 60


@pytest.mark.parametrize(("repeats", "number"), [(1, 20), (2, 50), (3, 56)])
def test_three_pairs_may_repeat_a_face_as_often_as_allowed(repeats: int, number: int) -> None:
    found = groups(6, 2, 3, 1500, repeats)
    assert len(found) == len(set(found)) == number
    assert max(max(combination.dice) for combination in found) == 2 * repeats
    assert all(sum(combination.dice) == 6 for combination in found)


def test_two_triplets_are_of_two_different_faces() -> None:
    assert len(groups(6, 3, 2, 2500)) == 15
    assert Scoring(groups(6, 3, 2, 2500), every_die=True).holds(from_faces([2] * 6, 6)) == []
