"""Values of Farkle, Ten Thousand, Zilch and Pig that others have published, or that were found independently.

Unless a comment names a source, a value was recomputed by an independent program in plain Python.
"""

import pytest
from games import Data, changed, solved, turn_points

import solver
from solver.dice import from_faces
from solver.errors import UnplayableError
from solver.families import load_rules
from solver.race.actions import Turn
from solver.race.leads import last_turns
from solver.race.longrun import phase_values
from solver.race.model import compile_race
from solver.race.player import Player, starting
from solver.race.rules import RaceRules
from solver.race.slots import TurnRules
from solver.race.solve import solve
from solver.race.stops import MAY_STOP, total_mode
from solver.race.worth import points_worth
from solver.schema import write_section

CLOSE = 1e-8


def turns(rules: RaceRules) -> float:
    """Fewest expected turns from the start."""
    return float(solved(rules, "turns").values[compile_race(rules, 1).numbers[starting(rules, 1)[0]]])


def first_wins(rules: RaceRules) -> float:
    """The first player's share of the match."""
    model = compile_race(rules, 2)
    first, last = (model.numbers[player] for player in (starting(rules, 2)[0], starting(rules, 2)[-1]))
    return float(solve(model, "win").values[first, last])


FAR: Data = {"target": 150_000, "ending": "at once"}
"""So far that no turn gets there, for all that matters."""


# ---- alone ----


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ten-thousand-doubling", 17.762827914590),
        ("farkle-base", 18.2672259297),
        ("farkle-simple", 23.0039899962572),
    ],
)
def test_alone_a_game_takes_the_known_turns(name: str, value: float) -> None:
    assert turns(load_rules(name)) == pytest.approx(value, abs=CLOSE)


@pytest.mark.parametrize(("entry", "value"), [(500, 23.1811746249665), (1000, 24.3375844948396)])
def test_an_opening_costs_the_known_turns(entry: int, value: float) -> None:
    assert turns(changed("farkle-simple", opening={"points": entry})) == pytest.approx(value, abs=CLOSE)


def test_fixed_values_of_equal_dice_take_the_known_turns() -> None:
    kinds = {name: dict.fromkeys(map(str, range(1, 7)), worth) for name, worth in [("four", 1000), ("five", 2000)]}
    kinds["six"] = dict.fromkeys(map(str, range(1, 7)), 3000)
    more = {**kinds, "straight": {"1-6": 2500}, "three_pairs": {"points": 1500, "repeats": "never"}}
    assert turns(changed("farkle-simple", combinations=more)) == pytest.approx(17.5264994589074, abs=CLOSE)


# ---- for two ----


def test_pig_with_equal_turns_favours_the_second_player() -> None:
    assert first_wins(load_rules("pig-equal-turns")) == pytest.approx(0.456420429651, abs=CLOSE)


def test_the_first_to_bank_ten_thousand_by_the_simplest_table_has_the_known_chance() -> None:
    rules = load_rules("farkle-simple")
    solution = solved(rules, "win", threads=2)
    assert solution.bound <= 1e-9
    assert solution.values[0, 0] == pytest.approx(0.5369530318129, abs=CLOSE)
    assert solution.values[199, 199] == pytest.approx(0.9700598802395, abs=CLOSE)
    assert solution.values[100, 100] == pytest.approx(0.5514158415977, abs=CLOSE)


@pytest.mark.parametrize(
    ("ending", "ties", "chance"),
    [
        # A throw that is not a one wins against nobody who may answer: p = 5/6 + 1/6 (1 - p).
        ("at once", "leader", 6 / 7),
    ],
)
def test_pig_to_two_can_be_done_by_hand(ending: str, ties: str, chance: float) -> None:
    rules = changed("pig", match={"target": 2, "ending": ending, "ties": ties})
    assert first_wins(rules) == pytest.approx(chance, abs=CLOSE)


# ---- points ----


def test_zilch_brings_the_published_points_per_turn() -> None:
    # M. Busche, "Maximizing Expected Scores in the Game of Zilch", 2010: 620.855; further digits recomputed, and what
    # one and two zilches in a row are worth.
    rules = load_rules("zilch")
    assert phase_values(rules) == pytest.approx((0.0, -11.18740311, -73.69797357), abs=1e-7)
    assert turn_points(changed("zilch", match=FAR)) == pytest.approx(620.8546722769, abs=CLOSE)


def test_zilch_near_the_published_rules_brings_the_known_points() -> None:
    assert turn_points(changed("zilch", match=FAR, bolts=None)) == pytest.approx(623.0174889748, abs=CLOSE)
    pairs = {"three_pairs": {"points": 1500, "repeats": "never"}}
    assert turn_points(changed("zilch", match=FAR, combinations=pairs)) == pytest.approx(611.794, abs=5e-4)
    assert turn_points(changed("zilch", match={**FAR, "least_turn": 0})) == pytest.approx(621.360, abs=5e-4)


DOUBLING = {
    name: {
        face: multiple * points
        for face, points in write_section(load_rules("farkle-simple"))["combinations"]["three"].items()
    }
    for name, multiple in (("four", 2), ("five", 4), ("six", 8))
}


@pytest.mark.parametrize(
    ("more", "value"),
    [
        ({}, 446.5714403437),
        (DOUBLING, 488.6379021595),
        ({**DOUBLING, "straight": {"1-6": 1500}}, 512.9117749865),
        ({"straight": {"1-6": 1000}, "three_pairs": {"points": 1000, "repeats": "any"}}, 517.6334020171),
    ],
)
def test_a_turn_brings_the_known_points(more: Data, value: float) -> None:
    assert turn_points(changed("farkle-simple", match=FAR, combinations=more)) == pytest.approx(value, abs=CLOSE)


FACEBOOK: Data = {
    **{
        name: {
            face: (size - 2) * points
            for face, points in write_section(load_rules("farkle-simple"))["combinations"]["three"].items()
        }
        for name, size in (("four", 4), ("five", 5), ("six", 6))
    },
    "straight": {"1-6": 1500},
    "three_pairs": {"points": 750, "repeats": "any"},
}


def test_where_to_stop_with_equal_dice_that_add_up() -> None:
    # Asked on blogs and sites on Farkle odds, with answers from the immediate gain only.
    rules = changed("farkle-simple", match={**FAR, "least_turn": 300}, combinations=FACEBOOK)
    turn = Turn(rules, Player(), points_worth(rules, Player()))
    assert turn.value == pytest.approx(551.157029, abs=1e-6)
    least = {rule.dice: rule.totals[0][0] for rule in turn.plan(1e-9)}
    # Break-even totals: the first multiple of 50 at which a stop is no worse.
    assert least == {1: 300, 2: 300, 3: 450, 4: 1050, 5: 3050, 6: 16450}
    slots = {slot.dice: number for number, slot in enumerate(turn.graph.slots) if slot.may_stop}
    assert turn.throw_value(slots[5], 700) == pytest.approx(893.974989, abs=1e-6)
    assert turn.throw_value(slots[1], 350) == pytest.approx(304.762799, abs=1e-6)
    best, *others = sorted(turn.choices(slots[3], (1, 1, 3), 150), key=lambda choice: -choice.value)
    assert (best.hold, best.stop, best.value) == ((1, 1), True, 350.0)
    one = next(choice for choice in others if choice.hold == (1,) and not choice.stop)
    assert one.value == pytest.approx(243.587, abs=1e-3)


# ---- last turns ----


@pytest.mark.parametrize(
    ("total", "throw", "value", "stop"), [("15", "2", 5 / 6, False), ("16", "2", 5 / 6, False), ("17", "2", 1.0, True)]
)
def test_a_class_tournament_of_pig_ends_with_equal_turns(total: str, throw: str, value: float, stop: bool) -> None:
    # A programming class asked for an adviser who knows that the other one has 103 already.
    advice = solver.advise("pig-equal-turns", score="85", vs="103", turn=total, dice=throw)
    assert (advice.choices[0].value, advice.choices[0].stop) == (pytest.approx(value, abs=CLOSE), stop)


def test_the_chance_to_answer_a_leader_of_pig_is_known() -> None:
    assert solver.advise("pig-equal-turns", score="85", vs="103").value == pytest.approx(0.392632, abs=1e-6)
    # Nineteen points are to be made; where equal scores are not shared, a leader with 104 asks for twenty.
    rules = load_rules("pig").last_turn(104)
    assert Turn(rules, Player(85), lambda outcome: float(outcome.won)).value == pytest.approx(0.375459, abs=1e-6)


def test_a_throw_that_wins_the_match_does_not_blur_how_far_a_leader_is_ahead() -> None:
    plain = changed("farkle-base", match={"target": 400})
    wins = changed("farkle-base", match={"target": 400}, instant_win={"dice": 3, "face": 1})
    leads, blurred = last_turns(plain), last_turns(wins)
    assert leads is not None
    assert blurred is not None
    assert blurred.doubt < 1e-12
    assert blurred.most_lead <= leads.most_lead
    assert first_wins(wins) == pytest.approx(0.577132756241, abs=CLOSE)


def test_a_step_so_small_that_leads_cannot_be_told_apart_is_refused_for_two() -> None:
    rules = changed("farkle-base", match={"target": 300, "step": 1})
    with pytest.raises(UnplayableError, match=r"^match.step: 1; allowed: a larger one, or match.ending"):
        compile_race(rules, 2)
    assert compile_race(rules, 1).doubt == 0.0


# ---- how throws are read ----


@pytest.mark.parametrize(
    ("combinations", "throw", "worth"),
    [
        # Public fault reports: a triple added to the four dice that hold it, or dice dropped by their place.
        ({"four": 2}, "5 5 5 5 2 3", 1000), ({"four": 2}, "5 5 5 5 5 2", 1050), ({"four": 2}, "2 2 2 2 3 4", 400),
        ({"four": 2}, "5 5 5 5 5 5", 1100), ({"four": 2}, "3 3 3 3 1 5", 750), ({"four": 2}, "1 1 1 1 6 6", 2000),
        ({}, "1 2 2 2 5", 350), ({}, "1 1 6 6 6", 800), ({}, "2 1 2 5 2", 350),
        ({"four": 2, "five": 4}, "2 2 2 2 5", 450), ({"four": 2, "five": 3}, "2 2 2 2 2", 600),
    ],
)  # fmt: skip
def test_throws_that_others_have_read_wrongly(combinations: dict[str, int], throw: str, worth: int) -> None:
    triples = write_section(load_rules("farkle-simple"))["combinations"]["three"]
    more = {name: {face: times * points for face, points in triples.items()} for name, times in combinations.items()}
    scoring = changed("farkle-simple", combinations=more).scoring()
    assert scoring.best_reading(from_faces(map(int, throw.split()), 6)).points == worth


@pytest.mark.parametrize(
    ("three_pairs", "nothing", "worth"), [(None, None, 0), (None, 500, 500), (1500, None, 1500), (1500, 500, 1500)]
)
def test_six_dice_that_score_nothing_may_have_points(three_pairs: int | None, nothing: int | None, worth: int) -> None:
    # A game crashed on 2 2 3 3 6 6 where no dice were left to count.
    more: Data = {"nothing": nothing or "none"}
    more |= {"three_pairs": {"points": three_pairs}} if three_pairs else {}
    rules = changed("farkle-simple", combinations=more)
    throw = from_faces([2, 2, 3, 3, 6, 6], 6)
    assert rules.scoring().best_reading(throw).points == worth
    following = {slot.dice for _points, slot in TurnRules(rules).options(TurnRules(rules).first, throw)}
    assert following == ({6} if worth else set())


def test_the_target_is_hit_reached_or_passed_as_the_rules_say() -> None:
    # 9850 and a throw of 1 5 2 2 4 4: pages disagree on whether 10000 wins.
    for finish, wins in [("exactly", True), ("at least", True), ("more than", False)]:
        rules = changed("farkle-simple", match={"finish": finish})
        player = Player(9850)
        turn = Turn(rules, player, lambda outcome: float(outcome.won))
        slot = turn.slot_of(6, 0)
        assert slot is not None
        both = [choice for choice in turn.choices(slot, (1, 2, 2, 4, 4, 5), 0) if choice.hold == (1, 5) and choice.stop]
        assert [choice.value for choice in both] == ([1.0] if wins else [])


@pytest.mark.parametrize(("least", "stops"), [(500, True), (550, False)])
def test_a_least_turn_may_be_reached_or_must_be_passed(least: int, stops: bool) -> None:
    rules = changed("farkle-simple", match={"least_turn": least})
    assert (total_mode(rules, Player(), 500) == MAY_STOP) == stops
