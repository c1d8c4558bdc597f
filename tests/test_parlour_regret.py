"""Counterfactual regret minimisation: what it finds for liar, against linear programs and by best answers."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games import shipped_table

from solver import advise
from solver._regret import signal_rounds
from solver.errors import ConvergenceError
from solver.families import load_rules, verify_table
from solver.parlour import liar, liar_table, liars_dice, liars_dice_odds, liars_dice_solve, regret, signals
from solver.table import read_table
from solver.unfinished import unfinished_path


def liar_of(**changes: Any) -> liar.Rules:
    return liar.Rules(**{**vars(load_rules("liar")), **changes})


def bounds_by(rules: liar.Rules, method: liar_table.Method) -> liar_table.Bounds:
    bounds = liar_table.nothing_found(rules, method.close)
    liar_table.solve_bounds(rules, method, bounds)
    return bounds


@pytest.mark.parametrize("seed", range(10))
def test_a_game_of_one_signal_is_worth_what_the_linear_program_says(seed: int) -> None:
    random = np.random.default_rng(seed)
    sources, types, count = random.integers(1, 12, 3)
    chances = random.dirichlet(np.ones(types), sources)
    must = np.arange(count) == count - 1
    game = signals.Signals(chances, random.random((types, count)), random.random((types, count)), must)
    exact, found = signals.solve(game), regret.solve(game, close=1e-5, rounds=100_000)
    assert found.low <= exact.high + liar_table.ROUNDING
    assert exact.low <= found.high + liar_table.ROUNDING
    assert found.high - found.low <= 1e-5
    assert np.isclose(found.sent.sum(), 1.0)
    assert found.doubt[-1] == 1.0


@pytest.mark.parametrize(("dice", "faces", "stakes"), [(1, 6, 3), (2, 6, 1), (2, 4, 2)])
def test_bounds_of_liar_hold_every_exact_value(dice: int, faces: int, stakes: int) -> None:
    rules = liar_of(dice=dice, faces=faces, stakes=stakes)
    exact = bounds_by(rules, liar_table.method_for(rules, 1e-9))
    found = bounds_by(rules, liar_table.regrets(1e-4))
    for one, other in ((exact.low, found.high), (found.low, exact.high)):
        assert (one <= other).all()
    assert (exact.starts[:, 0] <= found.starts[:, 1]).all()
    assert (found.starts[:, 0] <= exact.starts[:, 1]).all()
    assert 1e-7 < (found.high - found.low).max() < 2e-3


def best_answer(rules: liar.Rules, strategies: dict[Any, signals.Equilibrium], player: int, place: Any) -> float:
    """What ``player`` wins against the strategies by trying everything; one stake each.

    A place is who announces, the dice in the cup, and the announcement that stands.
    """
    known = liar.cup(rules)
    mover, hand, claim = place
    keeps = np.flatnonzero(known.within[hand]) if hand is not None else np.array([0])
    found = strategies[hand, claim]
    higher = range(claim + 1, len(known.announcements))

    def later(kind: int, number: int) -> float:
        if number == len(known.announcements) - 1:
            return -1.0  # it must be doubted
        return best_answer(rules, strategies, player, (1 - mover, kind, number))

    if mover == player:
        worth = []
        for kind in range(len(known.hands)):
            true = [float(known.own[kind] >= number) for number in higher]
            doubts = zip(higher, true, found.doubt, strict=True)
            worth.append(max(q * t + (1.0 - q) * later(kind, n) if q < 1.0 else t for n, t, q in doubts))
        return max(float(known.chances[keep] @ worth) for keep in keeps)
    total = 0.0
    for signal, number in enumerate(higher):
        sent = found.sent[:, signal]
        doubt = float(sent @ (known.own < number))
        accept = sum(sent[kind] * later(kind, number) for kind in np.flatnonzero(sent).tolist())
        total += max(doubt, accept)
    return total


def test_bounds_of_liar_are_what_best_answers_by_brute_force_make_of_the_strategies() -> None:
    rules = liar_of(dice=1, faces=4, stakes=1)
    known = liar.cup(rules)
    strategies: dict[Any, signals.Equilibrium] = {}
    bounds = bounds_by(rules, liar_table.regrets(0.01))
    places = [(None, -1), *product(range(len(known.hands)), range(len(known.announcements) - 1))]
    for hand, claim in places:
        middle = liar_table._views(rules, bounds, (1, 1), claim).middle
        keeps = np.flatnonzero(known.within[hand]) if hand is not None else np.array([0])
        strategies[hand, claim] = regret.solve(middle._replace(chances=middle.chances[keeps]), close=0.01, rounds=999)
    low, high = bounds.starts[0]
    assert high - low > 1e-5
    gains = [best_answer(rules, strategies, player, (0, None, -1)) for player in (0, 1)]
    assert gains[0] == pytest.approx(high, abs=2e-3)
    assert 1.0 - gains[1] == pytest.approx(low, abs=2e-3)
    assert 1.0 - gains[1] - 1e-9 <= liar_table.Values(rules, liar_table.make_table(rules)).starts[1, 1] <= gains[0]


def test_a_table_by_regrets_is_verified_by_linear_programs() -> None:
    rules = liar_of(dice=1, faces=5, stakes=2)
    table = liar_table.make_table(rules, tolerance=1e-3, method=liar_table.regrets(1e-4))
    assert 1e-6 < table.info.bound <= 1e-3
    proven = verify_table(table)
    assert proven
    assert proven.bound <= 2.0 * table.info.bound
    with pytest.raises(ConvergenceError, match="proven to"):
        liar_table.make_table(rules, tolerance=1e-8, method=liar_table.regrets(1e-4))


def test_five_dice_are_solved_by_regrets_unless_more_is_asked_for() -> None:
    small, large = liar_of(dice=4), liar_of()
    assert liar_table.usual_tolerance(small) == 1e-9
    assert liar_table.usual_tolerance(large) == 2e-3
    assert liar_table.method_for(large, 2e-3).close == 5e-4
    for rules, tolerance in ((large, 1e-9), (small, 1e-3)):
        assert liar_table.method_for(rules, tolerance).solve is signals.solve


def test_five_dice_are_advised_from_the_shipped_table_with_what_the_mix_may_give_away() -> None:
    answer = advise("liar", dice="3,3,5,5,6", claim="two pairs 5 3")
    assert answer.options[0].facts["throw"] == 2
    assert 0.0 < answer.bound < 2e-3
    gain = answer.to_json()["exploitability"]
    assert 2.0 * answer.bound <= gain < 4e-3
    assert f"{100.0 * gain:.2g} %" in answer.notes[-1]
    # The value at hand, solved anew upon those of the table, is the one that the table has.
    table = read_table(shipped_table("liar.win"))
    rules = liar_of()
    known, values = liar.cup(rules), liar_table.Values(rules, table)
    place = known.hand_number[3, 3, 5, 5, 6], known.announcements.index(liar.Announcement("two pairs", 5))
    assert abs(values.series[3, 3][place] - answer.value) <= 2.0 * answer.bound
    # So is the value at the start of a series.
    begun, _keeps = values.solved(rules, (3, 3), None, -1)
    assert abs(values.starts[3, 3] - begun.low) <= 2.0 * answer.bound


def test_an_interrupted_solve_is_taken_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rules = liar_of(dice=1, faces=4, stakes=2)
    method = liar_table.regrets(1e-3)
    steps: list[int] = []

    def stop(number: int, _residual: float, share: float) -> None:
        assert 0.0 < share <= 1.0
        steps.append(number)
        if len(steps) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        liar_table.make_table(rules, tolerance=0.1, method=method, progress=stop, resume=True)
    assert unfinished_path(rules, "win").exists()
    solved: list[signals.Signals] = []

    def counted(game: signals.Signals) -> signals.Equilibrium:
        solved.append(game)
        return method.solve(game)

    again = liar_table.make_table(rules, tolerance=0.1, method=method._replace(solve=counted), resume=True)
    resumed = len(solved)
    whole = liar_table.make_table(rules, tolerance=0.1, method=method._replace(solve=counted))
    assert 0 < resumed < len(solved) - resumed
    assert again.values.tolist() == whole.values.tolist()
    assert not unfinished_path(rules, "win").exists()


DICE = [
    {"dice": (1, 1), "faces": 4},
    {"dice": (1, 1), "faces": 3, "ones": "stairs"},
    {"dice": (2, 1), "faces": 2, "raises": "face first"},
    {"dice": (1, 2), "faces": 3, "ones": "wild", "raises": "no decrease"},
]


@pytest.mark.parametrize("changes", DICE, ids=str)
def test_liars_dice_by_regrets_are_worth_what_the_linear_program_says(changes: dict[str, Any]) -> None:
    rules = liars_dice.Rules(**{**vars(load_rules("liars-dice")), **changes})
    exact, strategies = liars_dice_solve.solve(rules), liars_dice_solve.by_regrets(rules, 150)
    high = liars_dice_solve.best_answer(rules, strategies[1], 0)
    low = -liars_dice_solve.best_answer(rules, strategies[0], 1)
    assert low - 1e-9 <= exact.low <= exact.high <= high + 1e-9
    assert high - low < 2e-3
    # They are strategies: the shares of all that may be done add up to the chance to come there.
    found = liars_dice.tree(rules)
    for player, strategy in enumerate(strategies):
        for number, node in enumerate(found.nodes):
            if node.mover == player:
                done = strategy.bids[node.children].sum(axis=0) + strategy.calls[number]
                assert np.allclose(done, strategy.bids[number])
            else:
                assert not strategy.calls[number].any()
                assert np.allclose(strategy.bids[node.children], strategy.bids[number])


def test_larger_trees_of_liars_dice_are_told_with_what_best_answers_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = liars_dice.Rules(**{**vars(load_rules("liars-dice")), "faces": 3})
    monkeypatch.setattr(liars_dice_solve, "PROGRAM", 1)
    liars_dice_solve.solve.cache_clear()
    found = liars_dice_odds.odds(rules, 2)
    liars_dice_solve.solve.cache_clear()
    value, gain = found.figure("expected_payoff"), found.figure("exploitability").value
    assert abs(value.value + 1 / 9) <= value.bound
    assert 1e-12 < gain < 1e-4
    assert "counterfactual regrets" in found.notes[0]


def test_the_kernel_refuses_arrays_that_do_not_fit() -> None:
    def arrays(**changes: Any) -> list[Any]:
        known: dict[str, Any] = {
            "ptr": np.array([0, 2], dtype=np.int32),
            "type": np.array([0, 1], dtype=np.int32),
            "chance": np.ones(2, dtype=np.float32) / 2,
            "doubted": np.zeros((3, 2), dtype=np.float32),
            "accepted": np.ones((3, 2), dtype=np.float32),
            "must": np.zeros(3, dtype=np.uint8),
            "source_regret": np.zeros(1),
            "regret": np.zeros((3, 2), dtype=np.float32),
            "replies": np.zeros((3, 2)),
            "sources": np.zeros(1),
            "sent": np.zeros((3, 2), dtype=np.float32),
            "doubt": np.zeros(3),
            "work": np.zeros((4, 2), dtype=np.float32),
        }
        return [*{**known, **changes}.values(), 1, 10]

    signal_rounds(*arrays())
    for changes in (
        {"type": np.array([0, 2], dtype=np.int32)},
        {"ptr": np.array([0, 3], dtype=np.int32)},
        {"ptr": np.array([0, 3, 2], dtype=np.int32), "source_regret": np.zeros(2), "sources": np.zeros(2)},
        {"must": np.zeros(2, dtype=np.uint8)},
        {"sent": np.zeros((3, 1), dtype=np.float32)},
        {"work": np.zeros((1, 2), dtype=np.float32)},
    ):
        with pytest.raises(ValueError, match="fit together"):
            signal_rounds(*arrays(**changes))
