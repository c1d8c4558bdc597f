"""Values of Farkle, Ten Thousand, Zilch and Pig that others have published, or that were found independently.

Unless a comment names a source, a value was recomputed by an independent program in plain Python.
"""

from itertools import product

import pytest
from games import Data, rules_from, solved
from processes import Run

import solver
from solver.dice import from_faces
from solver.errors import UnplayableError
from solver.families import load_rules
from solver.race.actions import Turn
from solver.race.leads import last_turns
from solver.race.longrun import phase_values
from solver.race.model import compile_race
from solver.race.player import Player, starting
from solver.race.position import read_loaded
from solver.race.rules import RaceRules
from solver.race.slots import TurnRules
from solver.race.solve import solve
from solver.race.stops import MAY_STOP, total_mode
from solver.race.turn import compile_turn
from solver.race.worth import points_worth
from solver.schema import write_section

CLOSE = 1e-8


def changed(name: str, **sections: Data | None) -> RaceRules:
    """A shipped ruleset with other keys in some sections; None takes a section or a key away."""
    data = write_section(load_rules(name))
    for section, keys in sections.items():
        data[section] = None if keys is None else {**data.get(section, {}), **keys}
    return rules_from({key: value for key, value in data.items() if value is not None})


def turns(rules: RaceRules) -> float:
    """Fewest expected turns from the start."""
    return float(solved(rules, "turns").values[compile_race(rules, 1).numbers[starting(rules, 1)[0]]])


def first_wins(rules: RaceRules) -> float:
    """The first player's share of the match."""
    model = compile_race(rules, 2)
    first, last = (model.numbers[player] for player in (starting(rules, 2)[0], starting(rules, 2)[-1]))
    return float(solve(model, "win").values[first, last])


def points(rules: RaceRules) -> float:
    """Most expected points of the first turn."""
    return Turn(rules.alone(), Player(), points_worth(rules, Player(), phase_values(rules))).value


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
    assert points(changed("zilch", match=FAR)) == pytest.approx(620.8546722769, abs=CLOSE)


def test_zilch_near_the_published_rules_brings_the_known_points() -> None:
    assert points(changed("zilch", match=FAR, bolts=None)) == pytest.approx(623.0174889748, abs=CLOSE)
    pairs = {"three_pairs": {"points": 1500, "repeats": "never"}}
    assert points(changed("zilch", match=FAR, combinations=pairs)) == pytest.approx(611.794, abs=5e-4)
    assert points(changed("zilch", match={**FAR, "least_turn": 0})) == pytest.approx(621.360, abs=5e-4)


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
    assert points(changed("farkle-simple", match=FAR, combinations=more)) == pytest.approx(value, abs=CLOSE)


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


# ---- loaded dice ----


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
        assert Turn(rules, Player(), points_worth(rules, Player())).value == pytest.approx(points(plain), abs=1e-12)


def test_advice_names_the_die_to_hold() -> None:
    advice = solver.advise(
        "farkle-medieval", objective="points", die=("lucky=3,1,1,1,1,1",), turn="100", dice="lucky=5, 5, 2, 3, 3"
    )
    holds = [advice.spelled(choice.hold) for choice in advice.choices]
    assert ["5"] in holds
    assert ["lucky=5"] in holds
    # The die with many ones is worth more in the cup than on the table.
    assert holds.index(["5"]) < holds.index(["lucky=5"])


# ---- advice in words ----


def test_the_last_turns_of_the_official_game_are_advised_on(advise: Run) -> None:
    words = "--ruleset farkle-official --score 9200 --vs 9800 --turn 300 --dice 1,5,2,3"
    answer = advise(*words.split()).result
    # Two dice bring at most 200 points, so the player has miscounted; the question makes sense all the same.
    assert "No turn has 300 points with 4 dice left; this is advice as if one had." in answer
    assert "Hold 1 5 for 150 and stop with 450.  39.03 % to win." in answer
    answer = advise(*words.replace("--turn 300 --dice 1,5,2,3", "--turn 200 --dice 1,1,1,5").split()).result
    assert "That reaches the target. The opponent has one more turn" in answer or "throw 6 dice" in answer


def test_the_plan_of_a_turn_says_where_to_stop_with_each_number_of_dice(advise: Run) -> None:
    lines = advise("--ruleset", "farkle-official", "--score", 9200, "--vs", 10300).result.splitlines()
    assert "This is your last turn: you must get past 10300." in lines
    assert lines[-6:] == [
        f"  {dice} {'die' if dice == 1 else 'dice'} left: with 1150 or more" for dice in range(6, 0, -1)
    ]


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


@pytest.mark.parametrize(
    ("ruleset", "words", "error"),
    [
        ("farkle-base", "--score 9999 --vs 0", "--score: '9999'; allowed: a multiple of 50 from 0 to 9950"),
        ("farkle-base", "--score 10000 --vs 0", "--score: '10000'; allowed: a multiple of 50 from 0 to 9950"),
        ("farkle-base", "--score -1 --vs 0", "--score: '-1'; allowed: a multiple of 50 from 0 to 9950"),
        ("farkle-base", "--turn 30 --dice 1", "--turn: '30'; allowed: a multiple of 50 from 0"),
        ("farkle-base", "--dice 1,2,3,4,5,6,1", "--dice: '1,2,3,4,5,6,1'; allowed: 6 dice at most"),
        ("farkle-base", "--dice ,", "--dice: ','; allowed: 6 dice at most"),
        ("farkle-high-stakes", "--vs score=100,offered=2", "dice left over are offered to the player who moves"),
        (
            "pig-equal-turns",
            "--score 50 --vs 120 --state second=no",
            "'120'; allowed: a whole number from 0 to 99",
        ),
        (
            "pig-equal-turns",
            "--score 95 --vs score=98,second=yes --state second=yes",
            "--vs: 'second=yes': a position that cannot occur: one of the two players is second in each round",
        ),
        ("pig-equal-turns", "--score 95 --vs score=98,second=no --state second=no", "--vs: 'second=no'"),
        ("pig-equal-turns", "--score 95 --vs score=103,second=yes", "--vs: 'second=yes'"),
    ],
)
def test_positions_that_cannot_be_are_refused(ruleset: str, words: str, error: str, advise: Run) -> None:
    answer = advise("--ruleset", ruleset, *words.split())
    assert (answer.status, answer.out) == (2, "")
    assert error in answer.err


@pytest.mark.parametrize("opponent", ["second=yes,score=98", "second=no,score=98"])
def test_who_is_second_may_be_said_of_the_opponent(opponent: str, advise: Run) -> None:
    answer = advise("--ruleset", "pig-equal-turns", "--score", 95, "--vs", opponent).result
    you, other = answer.splitlines()[1:3]
    assert ("second" in other, "second" in you) == ("yes" in opponent, "no" in opponent)


def test_dice_left_over_may_be_taken_over(advise: Run) -> None:
    words = "--ruleset farkle-high-stakes --objective points --state offered=3 --dice 1,2,3"
    assert "Hold 1 for 1100 and stop with 1100." in advise(*words.split()).result


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
