"""Games of hidden information: bluff, liar and liar's dice."""

from fractions import Fraction
from itertools import product
from math import isclose
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from solver import advise
from solver.families import load_rules, verify_table
from solver.parlour import bluff, liar, liar_table, liars_dice, liars_dice_advice, signals
from solver.parlour.family import odds
from solver.table import Table


def rules_of(name: str, **changes: Any) -> Any:
    loaded = load_rules(name)
    return type(loaded)(**{**vars(loaded), **changes})


def matrix_value(matrix: Any) -> float:
    """Value of a matrix game to the one who picks the row."""
    rows, columns = matrix.shape
    cost = np.append(np.zeros(rows), -1.0)
    less = np.hstack([-matrix.T, np.ones((columns, 1))])
    equal = np.append(np.ones(rows), 0.0)[None, :]
    bounds = [(0, 1)] * rows + [(None, None)]
    return -linprog(cost, less, np.zeros(columns), equal, [1.0], bounds, method="highs").fun


def normal_form(game: signals.Signals) -> float:
    """The value of a game of one signal, from all pure strategies of both."""
    types, count = game.doubted.shape
    senders = [(source, sent) for source in range(len(game.chances)) for sent in product(range(count), repeat=types)]
    receivers = [
        doubt
        for doubt in product((0, 1), repeat=count)
        if all(d or not m for d, m in zip(doubt, game.must_doubt, strict=True))
    ]
    matrix = [
        [
            sum(
                game.chances[source, kind] * (game.doubted if doubt[sent[kind]] else game.accepted)[kind, sent[kind]]
                for kind in range(types)
            )
            for doubt in receivers
        ]
        for source, sent in senders
    ]
    return matrix_value(np.array(matrix))


@st.composite
def small_games(draw: Any) -> signals.Signals:
    sources, types, count = draw(st.integers(1, 2)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    numbers = st.integers(0, 6).map(lambda number: number / 6.0)
    table = st.lists(st.lists(numbers, min_size=count, max_size=count), min_size=types, max_size=types)
    ways = st.lists(st.lists(st.integers(1, 5), min_size=types, max_size=types), min_size=sources, max_size=sources)
    chances = np.array(draw(ways), dtype=float)
    must = np.arange(count) == (count - 1 if draw(st.booleans()) else count)
    return signals.Signals(
        chances / chances.sum(axis=1, keepdims=True), np.array(draw(table)), np.array(draw(table)), must
    )


@settings(max_examples=60)
@given(small_games())
def test_a_game_of_one_signal_by_all_pure_strategies(game: signals.Signals) -> None:
    found = signals.solve(game)
    value = normal_form(game)
    assert found.low - 1e-9 <= value <= found.high + 1e-9
    assert found.high - found.low < 1e-9
    assert isclose(found.sent.sum(), 1.0)


def whole_liar(rules: Any, claim: int, hand: int | None) -> float:
    """The value of liar with one stake each, from all pure strategies of every position in turn."""
    known = liar.cup(rules)
    count = len(known.announcements)
    keeps = np.flatnonzero(known.within[hand]) if hand is not None else np.array([0])
    higher = range(claim + 1, count)
    doubted = np.array([[float(own >= number) for number in higher] for own in known.own])
    accepted = np.array(
        [
            [0.0 if number == count - 1 else 1.0 - whole_liar(rules, number, other) for number in higher]
            for other in range(len(known.hands))
        ]
    )
    return normal_form(signals.Signals(known.chances[keeps], doubted, accepted, np.array(higher) == count - 1))


def test_liar_with_one_die_of_three_faces_by_all_pure_strategies() -> None:
    rules = rules_of("liar", dice=1, faces=3, stakes=1)
    found = liar_table.Values(rules, liar_table.make_table(rules))
    assert isclose(found.starts[1, 1], whole_liar(rules, -1, None), abs_tol=1e-9)
    for hand in range(3):
        for claim in range(2):
            assert isclose(found.series[1, 1][hand, claim], whole_liar(rules, claim, hand), abs_tol=1e-9)


def test_liar_with_one_die_and_one_stake_as_handed_down() -> None:
    found = odds(rules_of("liar", dice=1, stakes=1))
    first = found.figure("win_seat_1")
    assert abs(first.value - Fraction(41, 60)) <= first.bound < 1e-9


def test_liar_knows_38_announcements_and_that_a_second_face_says_nothing() -> None:
    known = liar.cup(load_rules("liar"))  # type: ignore[arg-type]
    assert len(known.announcements) == 38
    assert known.announcements[0] == ("nothing", 6)
    assert known.announcements[-1] == ("five", 6)
    assert np.allclose(known.chances.sum(axis=1), 1.0)


def test_stakes_of_liar_only_fall() -> None:
    rules: Any = load_rules("liar")
    for mine, theirs in liar.stake_pairs(rules):
        for true in (True, False):
            after = liar.after_doubt(liar.Stakes(mine, theirs, 0), true=true)
            assert after.announcer + after.doubter == mine + theirs - 1
            assert after.centre == 1
    # A liar with two stakes who must pay two pays both, and one with a single stake only that; both are out.
    assert liar.after_doubt(liar.Stakes(2, 3, 1), true=False) == (0, 4, 2)
    assert liar.after_doubt(liar.Stakes(1, 3, 1), true=False) == (0, 3, 2)


def test_a_changed_value_of_liar_is_not_verified() -> None:
    table = liar_table.make_table(rules_of("liar", dice=1, faces=4, stakes=2))
    assert verify_table(table)
    for place in (0, 3, len(table.values) - 1):
        values = np.array(table.values)
        values[place] += 1e-6
        assert verify_table(Table(table.info, table.states, values.data)) is None
    assert verify_table(Table(table.info, np.array(table.states)[::-1].copy().data, table.values)) is None


def test_a_proof_of_liar_tells_how_far_it_is() -> None:
    table = liar_table.make_table(rules_of("liar", dice=1, faces=3, stakes=1))
    shares: list[float] = []
    assert verify_table(table, progress=lambda _number, _residual, share: shares.append(share))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@pytest.fixture
def small_liar(tmp_path: Path) -> str:
    """Liar with two dice of four faces and one stake each."""
    (tmp_path / "small.toml").write_text('extends = "liar-two-dice"\nfaces = 4\nstakes = 1\n')
    return str(tmp_path / "small.toml")


def test_liar_advises_a_mix_and_draws_from_it(small_liar: str) -> None:
    words = {"dice": "2,3"}
    answer = advise(small_liar, **words)
    shares = [option.share for option in answer.options]
    assert isclose(sum(shares), 1.0, abs_tol=1e-5)
    mixed = [option for option in answer.options if option.share > 0.01]
    assert all(answer.value - option.value < 1e-9 for option in mixed)
    drawn = {advise(small_liar, **words, seed=str(seed)).drawn for seed in range(30)}
    assert drawn <= {number for number, share in enumerate(shares) if share > 0}
    again = [advise(small_liar, **words, seed="7").drawn for _time in range(2)]
    assert again[0] == again[1]


def test_liar_says_what_to_leave_announce_and_doubt(small_liar: str) -> None:
    leave = advise(small_liar, dice="4,4", claim="pair 2")
    assert leave.options[0].facts == {"hold": [4, 4], "throw": 0}
    announce = advise(small_liar, dice="4,4", claim="pair 2", state="before=44")
    assert announce.options[0].facts["announce"]["face"] in (3, 4)
    doubt = advise(small_liar, claim="pair 2/pair 4", state="before=12")
    assert [option.facts["do"] for option in doubt.options] == ["doubt"]


@pytest.mark.parametrize(
    "changes",
    [{}, {"straights": True}, {"answer_throws": 2}, {"leader_throws": 2}, {"leader_throws": 3, "answer_throws": 3}],
)
def test_bluff_leaves_nothing_to_gain(changes: dict[str, Any]) -> None:
    rules = rules_of("bluff", **changes)
    found = bluff.solve(rules)
    plan = bluff.leader(rules)
    assert sum(plan.hands) == sum(plan.lies) == 1
    assert bluff.guaranteed(rules, plan) == found.value == bluff.conceded(rules, found.doubt)


def test_bluff_is_a_game_of_one_signal() -> None:
    rules: Any = load_rules("bluff")
    chances = bluff.answer_chances(rules)
    size = len(chances)
    doubted = np.tri(size)
    accepted = np.tile([1.0 - float(chance) for chance in chances], (size, 1))
    hands = np.array([[float(chance) for chance in bluff.leader(rules).hands]])
    found = signals.solve(signals.Signals(hands, doubted, accepted, np.zeros(size, dtype=bool)))
    assert isclose(found.low, bluff.solve(rules).value, abs_tol=1e-9)


def test_bluff_against_real_dice_by_looking_at_all_pairs_of_hands() -> None:
    rules: Any = load_rules("bluff-real-dice")
    known = bluff.ranks(straights=False)
    ways = bluff._counts(rules)
    pairs = sum(int(ways[mine] * ways[other]) for mine in range(len(ways)) for other in range(mine + 1))
    assert bluff.solve(rules).value == Fraction(pairs, 6**10)
    assert len(known.ranks) == len(ways)


def test_advice_on_bluff_adds_up_to_its_value() -> None:
    rules: Any = load_rules("bluff")
    plan, known = bluff.leader(rules), bluff.ranks(straights=False)
    value = Fraction(0)
    seen = set()
    from solver.parlour.lattice import lattice

    for number, hand in enumerate(lattice().hands):
        own = int(known.of_hand[number])
        if own not in seen and own % 10 == 0:
            seen.add(own)
            answer = advise("bluff", dice=",".join(map(str, hand)))
            assert isclose(sum(option.share for option in answer.options), 1.0)
            assert all(option.value == answer.value for option in answer.options if option.share > 0)
    payoffs = bluff.rank_payoffs(rules)
    value = sum((hand * payoff for hand, payoff in zip(plan.hands, payoffs, strict=True)), Fraction(0))
    assert value == bluff.solve(rules).value


PUBLISHED = [
    ("plain", "lowest", (1, 1), [0, -1 / 9, -1 / 8, -3 / 25, -1 / 9]),
    ("wild", "lowest", (1, 1), [1, 1 / 3, 0, 0, -7 / 327]),
    ("wild", "highest", (1, 1), [1 / 2, 1 / 9, 1 / 16, 1 / 125, -7 / 258]),
    ("stairs", "lowest", (1, 1), [0, 1 / 9]),
    ("plain", "lowest", (2, 1), [1 / 4, 1 / 9, 345 / 1696]),
    ("wild", "lowest", (2, 1), [1, 1 / 3, 1 / 4]),
]
CASES = [
    (ones, place, dice, faces, value)
    for ones, place, dice, values in PUBLISHED
    for faces, value in enumerate(values, 2)
]


@pytest.mark.parametrize(("ones", "place", "dice", "faces", "value"), CASES)
def test_liars_dice_as_published(ones: str, place: str, dice: tuple[int, int], faces: int, value: float) -> None:
    rules = rules_of("liars-dice", ones=ones, ones_rank=place, dice=dice, faces=faces)
    assert not list(liars_dice.problems(rules))
    found = odds(rules).figure("expected_payoff")
    assert abs(found.value - value) <= found.bound + 1e-12
    assert found.bound < 1e-9


@pytest.mark.parametrize(
    ("raises", "allowed"),
    [
        ("quantity first", [True, True, True, False, False]),
        ("face first", [False, True, True, False, True]),
        ("no decrease", [False, True, True, False, False]),
    ],
)
def test_which_bids_may_follow_is_told_by_the_variant(raises: str, allowed: list[bool]) -> None:
    rules = rules_of("liars-dice", raises=raises, dice=(3, 3))
    tried = [liars_dice.Bid(*bid) for bid in [(3, 3), (2, 6), (3, 5), (2, 4), (1, 6)]]
    assert [liars_dice.may_follow(rules, liars_dice.Bid(2, 5), bid) for bid in tried] == allowed


def test_chance_of_a_bid_counts_every_way_and_own_dice() -> None:
    wild, plain = rules_of("liars-dice", ones="wild"), load_rules("liars-dice")
    chance: Any = liars_dice.bid_chance
    bid = liars_dice.Bid
    counts = [chance(wild, bid(k, 6), None, 5) - chance(wild, bid(k + 1, 6), None, 5) for k in range(6)]
    assert [count * 243 * 32 for count in counts] == [1024, 2560, 2560, 1280, 320, 32]
    assert isclose(chance(wild, bid(9, 6), None, 25), 0.462421, abs_tol=1e-6)
    assert isclose(chance(wild, bid(9, 6), (1, 6, 2, 3, 4), 20), 0.520657, abs_tol=1e-6)
    assert isclose(chance(plain, bid(9, 6), (6, 6, 2, 3, 4), 20), 0.037135, abs_tol=1e-6)
    assert chance(wild, bid(5, 6), (1, 6, 6, 2, 3), 5) == Fraction(131, 243)
    assert chance(wild, bid(1, 1), None, 1) == Fraction(1, 6)


def test_liars_dice_is_advised_in_every_position_also_where_best_play_never_comes() -> None:
    rules = rules_of("liars-dice", faces=3)
    found, every = liars_dice.tree(rules), liars_dice.bids(rules)
    said: list[str] = [""]
    for node in found.nodes[1:]:
        bid = every[node.bid]
        said.append(f"{said[node.parent]}/{bid.dice}x{bid.face}".strip("/"))
    for claim, node in zip(said, found.nodes, strict=True):
        for dice in ("1", "2", "3"):
            answer = liars_dice_advice.advise(rules, "liars-dice", dice=dice, **({"claim": claim} if claim else {}))
            values = [float(option.value) for option in answer.options]
            assert all(-1.0 <= value <= 1.0 for value in [*values, float(answer.value)])
            assert isclose(sum(option.share or 0.0 for option in answer.options), 1.0, abs_tol=1e-12)
            assert len(values) == len(node.children) + (node.parent >= 0 and claim != "")
            if any("would not have bid so" in note for note in answer.notes):
                assert answer.options[0].share == 1.0
                assert values[0] == max(values)


def test_a_bid_that_best_play_never_makes_tells_nothing_of_the_dice() -> None:
    rules = rules_of("liars-dice", faces=3)
    answer = liars_dice_advice.advise(rules, "liars-dice", dice="1", claim="1x2")
    assert "never comes here" in answer.notes[0]
    # The other has a 2 in one case of three.
    call = next(option for option in answer.options if option.facts["bid"] is None)
    assert isclose(float(call.value), 2 / 3 - 1 / 3)
