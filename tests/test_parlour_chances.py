"""The games of chance: every fraction by a second way, mostly a Markov chain over all throws."""

from fractions import Fraction
from itertools import product
from math import isclose
from typing import Any

import pytest
from reference.parlour import all_throws, chain_value, counted

from solver.families import load_rules
from solver.parlour import aces, buck_dice, chicago, craps, drop_dead, martinetti
from solver.parlour.family import odds
from solver.parlour.odds import Odds

ZERO, ONE = Fraction(0), Fraction(1)


def rules_of(name: str, **changes: Any) -> Any:
    loaded = load_rules(name)
    return type(loaded)(**{**vars(loaded), **changes})


def value(found: Odds, name: str) -> Any:
    return found.figure(name).value


@pytest.mark.parametrize("name", ["craps-standard", "craps-literal"])
def test_craps_is_a_chain_of_throws(name: str) -> None:
    rules, found = load_rules(name), odds(load_rules(name))

    def moves(sums: Any) -> Any:
        # Only the first sum and the last are of interest.
        return counted(
            ((craps.play(rules, [*sums, sum(throw)]) or ((*sums, sum(throw))[:1]), ONE) for throw in all_throws(2)), 36
        )

    won = chain_value(
        (),
        lambda state: [(c, s, ZERO) for c, s, _r in moves(state)],
        lambda s: {"win": ONE, "lose": ZERO}.get(s) if isinstance(s, str) else None,
    )
    throws = chain_value((), moves, lambda state: ZERO if isinstance(state, str) else None)
    assert value(found, "win_probability") == won
    assert value(found, "expected_throws") == throws


def test_craps_as_published() -> None:
    found = odds(load_rules("craps-standard"))
    assert value(found, "win_probability") == Fraction(244, 495)
    assert value(found, "expected_payoff") == Fraction(-7, 495)
    assert value(found, "against_win_probability") == Fraction(949, 1980)
    assert value(found, "against_push_probability") == Fraction(1, 36)
    assert value(found, "against_expected_payoff") == Fraction(-3, 220)
    assert value(found, "against_expected_payoff_resolved") == Fraction(-27, 1925)
    assert value(found, "expected_throws") == Fraction(557, 165)
    assert value(found, "expected_throws_of_shooter") == Fraction(1671, 196)
    assert value(odds(load_rules("craps-literal")), "win_probability") == Fraction(1757, 3960)


def test_four_dice_and_dice_bank_by_looking_at_every_throw() -> None:
    sixes = sum(6 in throw for throw in all_throws(4))
    assert value(odds(load_rules("four-dice")), "win_seat_1") == Fraction(sixes, 6**4) == Fraction(671, 1296)
    won = sum(throw.count(3) or -1 for throw in all_throws(3))
    found = odds(load_rules("dice-bank"))
    assert value(found, "expected_payoff") == Fraction(won, 6**3) == -value(found, "house_edge") == Fraction(-17, 216)
    assert dict(found.distributions[0].chances)[3] == Fraction(1, 216)


@pytest.mark.parametrize(
    ("throws", "gain", "may_decline", "expected"),
    [
        (1, "one stake", True, Fraction(-73, 648)),
        (2, "one stake", True, Fraction(167, 7776)),
        (3, "one stake", True, Fraction(2995, 26244)),
        (2, "one stake", False, Fraction(-913, 5184)),
        (3, "one stake", False, Fraction(-93337, 419904)),
        (2, "as many stakes as throws", True, Fraction(425, 2916)),
        (3, "as many stakes as throws", True, Fraction(8843, 23328)),
        (2, "as many stakes as throws", False, Fraction(-23, 1944)),
        (3, "as many stakes as throws", False, Fraction(32177, 279936)),
    ],
)
def test_high_dice_under_every_reading(throws: int, gain: str, may_decline: bool, expected: Fraction) -> None:
    rules = rules_of("high-dice", throws=throws, gain=gain, may_decline=may_decline)
    assert value(odds(rules), "expected_payoff") == expected
    # The best number of throws against each sum is found by trying all: to stop after so many failures.
    total = ZERO
    for banker in map(sum, all_throws(2)):
        higher = Fraction(sum(sum(throw) > banker for throw in all_throws(2)), 36)
        plans = []
        for most in range(1, throws + 1) if may_decline else [throws]:
            won = sum((1 - higher) ** k * higher * (1 if gain == "one stake" else k + 1) for k in range(most))
            plans.append(won - (1 - higher) ** most * most)
        total += max(plans)
    assert total / 36 == expected


def test_high_dice_says_up_to_which_sum_a_throw_pays() -> None:
    found = odds(load_rules("high-dice-3"))
    assert (value(found, "last_sum_for_throw_2"), value(found, "last_sum_for_throw_3")) == (7, 8)
    assert value(odds(load_rules("high-dice")), "win_probability") == Fraction(575, 1296)


def test_drop_dead_is_a_chain_of_throws() -> None:
    rules = load_rules("drop-dead")

    def moves(dice: Any) -> Any:
        outcomes = []
        for throw in all_throws(dice):
            played = drop_dead.play(rules, [throw])
            outcomes.append((dice - played.dead[0], Fraction(played.after_each_throw[0])))
        return counted(outcomes, 6**dice)

    found = odds(rules)
    assert value(found, "expected_score") == chain_value(5, moves, lambda dice: ZERO if dice == 0 else None)
    assert value(found, "expected_score") == Fraction(837242, 52117)
    each_one = lambda dice: [(chance, left, ONE) for chance, left, _gain in moves(dice)]  # noqa: E731
    for dice, published in enumerate(
        [3, Fraction(21, 5), Fraction(477, 95), Fraction(6963, 1235), Fraction(319551, 52117)], 1
    ):
        assert chain_value(dice, each_one, lambda left: ZERO if left == 0 else None) == published
        assert drop_dead.expectations(rules)[1][dice] == published
    assert value(found, "nothing_scored") == Fraction(978853, 4782969)


def test_drop_dead_scores_add_up_to_their_mean() -> None:
    rules = load_rules("drop-dead")
    exact = drop_dead.score_chances(rules, 150)
    mean = sum(score * chance for score, chance in enumerate(exact))
    assert sum(exact) < 1
    assert isclose(mean, Fraction(837242, 52117), rel_tol=1e-3)
    two = odds(rules, 2)
    ties = sum(float(chance) ** 2 for chance in exact)
    assert isclose(value(two, "tie"), ties, abs_tol=two.figure("tie").bound + 1e-7)


@pytest.mark.parametrize("begins", ["same player", "rotating"])
@pytest.mark.parametrize("players", [2, 3])
def test_chicago_by_every_way_to_win_the_rounds(begins: str, players: int) -> None:
    rules = rules_of("chicago-first-hit", begins=begins, faces=2 if players == 3 else 4)
    found = odds(rules, players)
    sums = chicago.sum_chances([range(1, rules.faces + 1)] * 2)
    wins, points = [ZERO] * players, [ZERO] * players
    for winners in product(range(players), repeat=len(sums)):
        chance, totals = ONE, [0] * players
        for number, (winner, (target, hit)) in enumerate(zip(winners, sums.items(), strict=True)):
            turn = (winner - (number if begins == "rotating" else 0)) % players
            # He hits in his first turn, or after so many rounds in which all missed.
            chance *= hit * (1 - hit) ** turn / (1 - (1 - hit) ** players)
            totals[winner] += target
        best = [seat for seat in range(players) if totals[seat] == max(totals)]
        for seat in range(players):
            points[seat] += chance * totals[seat]
            wins[seat] += chance / len(best) if seat in best else 0
    for seat in range(players):
        assert value(found, f"win_seat_{seat + 1}") == wins[seat]
        assert value(found, f"points_seat_{seat + 1}") == points[seat]


def test_chicago_with_one_throw_each_as_published() -> None:
    found = odds(load_rules("chicago-one-throw"))
    assert value(found, "expected_total") == 7
    assert value(found, "variance") == Fraction(3962, 81)
    assert value(found, "nothing_scored") == Fraction(205831905125, 595077871104)


def buck_moves(rules: Any) -> Any:
    """Positions are the marks of both (None for who is out), who throws, and who left with a big buck."""

    def moves(state: Any) -> Any:
        marks, seat, bucks = state
        outcomes = []
        for throw in all_throws(rules.dice):
            found = buck_dice.score(rules, throw, 1)
            after = marks[seat] + found.marks if not found.big_buck else rules.target
            if after > rules.target and rules.finish == "exactly":
                after = marks[seat]
            out = after >= rules.target
            left = tuple((None if out else after) if who == seat else other for who, other in enumerate(marks))
            gone = bucks | ({seat} if found.big_buck else frozenset())
            mover = seat
            if out or found.turn_over:
                mover = next((s for step in (1, 2) if left[s := (seat + step) % len(left)] is not None), seat)
            outcomes.append(((left, mover, gone), ZERO))
        return counted(outcomes, rules.faces**rules.dice)

    return moves


@pytest.mark.parametrize(
    "changes",
    [{}, {"finish": "exactly"}, {"little_buck_ends": True}, {"little_buck": 2, "double": False}],
)
def test_buck_dice_for_two_is_a_chain_of_throws(changes: dict[str, Any]) -> None:
    rules = rules_of("buck-dice", **{"target": 5, "little_buck": 3, **changes})
    found = odds(rules, 2)

    def paid(state: Any, *, lose: bool) -> Fraction | None:
        marks, _seat, bucks = state
        if None not in marks:
            return None
        if lose:
            return Fraction(int(marks[0] is not None))
        amount = Fraction(2 if bucks and rules.double else 1)
        return -amount if marks[0] is not None else amount

    start = ((0, 0), 0, frozenset())
    assert value(found, "lose_seat_1") == chain_value(start, buck_moves(rules), lambda state: paid(state, lose=True))
    assert value(found, "payoff_seat_1") == chain_value(start, buck_moves(rules), lambda state: paid(state, lose=False))


def test_buck_dice_for_three_is_a_chain_of_throws() -> None:
    rules = rules_of("buck-dice", target=2, little_buck=1, dice=2)
    found = odds(rules, 3)

    def loser(state: Any, seat: int) -> Fraction | None:
        marks, _mover, _bucks = state
        return Fraction(int(marks[seat] is not None)) if sum(other is not None for other in marks) == 1 else None

    for seat in range(3):
        exact = chain_value(((0, 0, 0), 0, frozenset()), buck_moves(rules), lambda state, seat=seat: loser(state, seat))
        assert value(found, f"lose_seat_{seat + 1}") == exact
    assert sum(value(found, f"payoff_seat_{seat}") for seat in (1, 2, 3)) == 0


def test_buck_dice_to_exactly_fifteen_takes_as_many_throws_as_published() -> None:
    found = odds(rules_of("buck-dice", finish="exactly"))
    assert value(found, "expected_throws") == Fraction(6498333461324422992892981, 257927437684588115132416)


def martinetti_moves(rules: Any) -> Any:
    def moves(state: Any) -> Any:
        places, seat = state
        outcomes = []
        for throw in all_throws(rules.dice, rules.faces):
            after = martinetti.advance(rules, places[seat], throw)
            left = tuple(after if who == seat else place for who, place in enumerate(places))
            outcomes.append(((left, seat if after > places[seat] else (seat + 1) % len(places)), ONE))
        return counted(outcomes, rules.faces**rules.dice)

    return moves


@pytest.mark.parametrize("changes", [{}, {"die_reuse": True}, {"fields": 2, "route": "up and back"}])
def test_martinetti_is_a_chain_of_throws(changes: dict[str, Any]) -> None:
    rules = rules_of("martinetti", **{"fields": 5, **changes})
    length = len(martinetti.track(rules))
    moves = martinetti_moves(rules)
    alone = chain_value(((0,), 0), moves, lambda state: ZERO if state[0][0] == length else None)
    assert value(odds(rules, 1), "expected_throws") == alone
    free = lambda state: [(chance, target, ZERO) for chance, target, _one in moves(state)]  # noqa: E731
    first = chain_value(
        ((0, 0), 0), free, lambda state: Fraction(int(state[0][0] == length)) if length in state[0] else None
    )
    assert value(odds(rules, 2), "win_seat_1") == first


def test_martinetti_as_published() -> None:
    for route, throws, turns in [
        ("up and back", 34.173467460516, 21.794502130648),
        ("up", 19.855223273913, 13.620620124209),
    ]:
        found = odds(rules_of("martinetti", die_reuse=True, route=route), 1)
        assert isclose(value(found, "expected_throws"), throws, abs_tol=1e-12)
        assert isclose(value(found, "expected_turns"), turns, abs_tol=1e-12)


def aces_moves(rules: Any) -> Any:
    def moves(state: Any) -> Any:
        hands, seat = state
        outcomes = []
        for throw in all_throws(hands[seat], rules.faces):
            after, _centre = aces.play(hands, 0, seat, throw)
            order = [(seat + step) % len(after) for step in range(1, len(after) + 1)]
            following = next((other for other in order if after[other]), None)
            outcomes.append(((tuple(after), following) if following is not None else ("lost", seat), ONE))
        return counted(outcomes, rules.faces ** hands[seat])

    return moves


@pytest.mark.parametrize(("players", "dice"), [(2, 2), (3, 1)])
def test_aces_is_a_chain_of_throws(players: int, dice: int) -> None:
    rules = rules_of("aces", dice=dice)
    found = odds(rules, players)
    moves, start = aces_moves(rules), ((dice,) * players, 0)
    free = lambda state: [(chance, target, ZERO) for chance, target, _one in moves(state)]  # noqa: E731
    for seat in range(players):
        exact = chain_value(
            start, free, lambda state, seat=seat: Fraction(int(state[1] == seat)) if state[0] == "lost" else None
        )
        known = found.figure(f"lose_seat_{seat + 1}")
        assert abs(known.value - exact) <= known.bound
    throws = chain_value(start, moves, lambda state: ZERO if state[0] == "lost" else None)
    known = found.figure("expected_throws")
    assert abs(known.value - throws) <= known.bound
    assert known.bound < 1e-11


def test_aces_for_two_is_exact() -> None:
    found = odds(load_rules("aces"))
    assert {figure.quality for figure in found.figures} == {"exact"}
    assert value(found, "lose_seat_1") + value(found, "lose_seat_2") == 1


def test_aces_for_four_shares_one_loss_among_all() -> None:
    found = odds(rules_of("aces", dice=2), 4)
    lose = [found.figure(f"lose_seat_{seat}") for seat in (1, 2, 3, 4)]
    assert abs(sum(figure.value for figure in lose) - 1.0) <= sum(figure.bound for figure in lose)
