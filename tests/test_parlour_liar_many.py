"""Liar for more than two players: rings of stakes, one series, best answers, and advice."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver import advise
from solver.errors import PositionError
from solver.families import load_rules
from solver.parlour import liar, liar_many, liar_series, liar_table
from solver.parlour.family import odds
from solver.parlour.liar_best_answer import best_value
from solver.parlour.liar_rounds import Rounds, uniform


def liar_of(**changes: Any) -> liar.Rules:
    return liar.Rules(**{**vars(load_rules("liar")), "dice": 1, "stakes": 1, **changes})


def test_who_is_out_leaves_the_ring_and_the_doubter_or_the_next_begins() -> None:
    # The first of three lies with one stake: he is out, and the doubter begins.
    assert liar_many.after((1, 1, 2), 0, true=False) == ((1, 2), [1, 2])
    # He told the truth: the doubter is out, and the next on the left begins.
    assert liar_many.after((1, 1, 2), 0, true=True) == ((2, 1), [2, 0])
    # A liar with three stakes pays one to the centre and one to the doubter.
    assert liar_many.after((3, 3, 3), 2, true=False) == ((4, 3, 1), [0, 1, 2])


def test_every_doubt_takes_a_stake_so_that_series_follow_one_another_without_cycles() -> None:
    order = liar_many.rings((2, 2, 2))
    assert order[-1] == (2, 2, 2)
    for ring in order:
        for holder in range(len(ring) if len(ring) > 1 else 0):
            for true in (True, False):
                following, _seats = liar_many.after(ring, holder, true=true)
                assert sum(following) == sum(ring) - 1
                assert order.index(following) < order.index(ring)


def test_two_players_learn_the_exact_value() -> None:
    rules = liar_of()
    found = liar_many.solve_series(rules, (1, 1), lambda _ring: np.ones(1), lambda _ring: np.ones(1))
    assert abs(found.worth[0] - 41 / 60) <= liar_many.CLOSE
    assert found.worth[0] <= found.best[0] <= found.worth[0] + liar_many.CLOSE
    # The best answers of both enclose the value, however near the strategies came.
    assert 1.0 - found.best[1] <= 41 / 60 <= found.best[0]


def random_policy(rules: liar.Rules, players: int) -> liar_series.Policy:
    """Everything is mixed somehow; the highest announcement is always doubted."""
    dice = np.random.default_rng(7)
    policy = uniform(rules, players)
    for number, step in enumerate(liar_series.steps(rules, players)):
        keeps = policy.keeps[number] * dice.random(policy.keeps[number].shape)
        policy.keeps[number] = keeps / keeps.sum(axis=2, keepdims=True)
        said = policy.announces[number] * dice.random(policy.announces[number].shape)
        policy.announces[number] = said / np.add.reduceat(said, step.first, axis=0)[step.parent]
        doubts = dice.random(policy.doubts[number].shape)
        policy.doubts[number] = np.where(step.goes_on[:, None], doubts, 1.0)
    return policy


class Game:
    """One series, one history of hands after another, for a seat that remembers all that it saw."""

    def __init__(self, rules: liar.Rules, players: int, seat: int, policy: liar_series.Policy, payoffs: Any) -> None:
        self.cup, self.players, self.seat, self.policy, self.payoffs = liar.cup(rules), players, seat, policy, payoffs
        self.top = len(self.cup.announcements) - 1
        every = range(self.top + 1)
        self.edge = {series: n for k in every for n, series in enumerate(combinations(every, k + 1))}
        ends = [[series for series in combinations(every, k) if not series or series[-1] < self.top] for k in every]
        self.node = {series: number for nodes in ends for number, series in enumerate(nodes)}

    def known(self, histories: dict[Any, float]) -> Iterator[dict[Any, float]]:
        """The same histories, apart by what the seat has seen of them: its own throws and those that it accepted."""
        groups: dict[Any, dict[Any, float]] = defaultdict(dict)
        for hands, weight in histories.items():
            groups[self.seen(hands)][hands] = weight
        yield from groups.values()

    def seen(self, hands: Any) -> Any:
        """Hands that the seat threw itself, and those of its right neighbour, which it accepted."""
        return tuple(h for n, h in enumerate(hands) if n % self.players in (self.seat, (self.seat - 1) % self.players))

    def keeps(self, hands: Any) -> list[int]:
        return np.flatnonzero(self.cup.within[hands[-1]]).tolist() if hands else [0]

    def accepted(self, series: Any, histories: dict[Any, float]) -> float:
        """What the seat wins where these announcements were accepted, by the best choices of its own."""
        if len(series) % self.players == self.seat:
            return sum(self.best_turn(series, group) for group in self.known(histories))
        total = 0.0
        number = len(series)
        for claim in range(series[-1] + 1 if series else 0, self.top + 1):
            after = (*series, claim)
            grown: dict[Any, float] = defaultdict(float)
            for hands, weight in histories.items():
                cup = hands[-1] if hands else 0
                for keep in self.keeps(hands):
                    share = self.policy.keeps[number][self.node[series]][cup, keep]
                    for new, chance in enumerate(self.cup.chances[keep]):
                        said = self.policy.announces[number][self.edge[after]][cup, new]
                        grown[(*hands, new)] += weight * share * chance * said
            total += self.answered(after, grown)
        return total

    def best_turn(self, series: Any, group: dict[Any, float]) -> float:
        claims = range(series[-1] + 1 if series else 0, self.top + 1)
        best = {}
        for new in range(len(self.cup.hands)):
            grown = {(*hands, new): weight for hands, weight in group.items()}
            best[new] = max(self.answered((*series, claim), grown) for claim in claims)
        return max(
            sum(float(chance) * best[new] for new, chance in enumerate(self.cup.chances[keep]))
            for keep in self.keeps(next(iter(group)))
        )

    def answered(self, series: Any, histories: dict[Any, float]) -> float:
        """The same before the last announcement is doubted or accepted."""
        doubter = len(series) % self.players
        if doubter != self.seat:
            total, believed = 0.0, {}
            for hands, weight in histories.items():
                place = len(series) - self.players
                passed = hands[place] if place >= 0 else 0
                doubt = self.policy.doubts[len(series) - 1][self.edge[series]][passed]
                total += weight * doubt * self.doubted(series, hands)
                believed[hands] = weight * (1.0 - doubt)
            return total + (self.accepted(series, believed) if series[-1] < self.top else 0.0)
        total = 0.0
        unseen: dict[Any, dict[Any, float]] = defaultdict(dict)
        for hands, weight in histories.items():
            unseen[self.seen(hands[:-1])][hands] = weight  # the last throw is still under the cup
        for group in unseen.values():
            doubt = sum(weight * self.doubted(series, hands) for hands, weight in group.items())
            total += max(doubt, self.accepted(series, group)) if series[-1] < self.top else doubt
        return total

    def doubted(self, series: Any, hands: Any) -> float:
        true = int(self.cup.own[hands[-1]] >= series[-1])
        return float(self.payoffs[(len(series) - 1) % self.players, true, self.seat])


@pytest.mark.parametrize(("players", "faces"), [(2, 3), (3, 4), (4, 4), (5, 3), (6, 2)])
def test_a_best_answer_by_brute_force_over_all_that_a_player_may_remember(players: int, faces: int) -> None:
    rules = liar_of(faces=faces)
    policy = random_policy(rules, players)
    payoffs = np.random.default_rng(3).random((players, 2, players))
    for seat in range(players):
        brute = Game(rules, players, seat, policy, payoffs).accepted((), {(): 1.0})
        found = best_value(rules, players, seat, policy, payoffs)
        assert found == pytest.approx(brute, abs=1e-12)
        # It wins no less than the policy itself.
        assert found >= liar_series.evaluate(rules, players, policy, payoffs, seat)[0].item()


def test_a_best_answer_by_all_pure_strategies_of_one_die_with_two_faces() -> None:
    rules = liar_of(faces=2)
    policy, payoffs = random_policy(rules, 3), np.random.default_rng(5).random((3, 2, 3))
    wins = []
    for one in range(2):  # what the first announces with each hand, low or high
        for other in range(2):
            policy.announces[0][:, 0, :] = [[one == 0, other == 0], [one == 1, other == 1]]
            wins.append(liar_series.evaluate(rules, 3, policy, payoffs, 0)[0].item())
    assert best_value(rules, 3, 0, policy, payoffs) == pytest.approx(max(wins), abs=1e-12)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def match(cache: Path) -> liar_many.Match:
    """One die of four faces, one stake each, three players."""
    assert cache.exists()
    return liar_many.solve(liar_of(faces=4), 3)


def test_nobody_gains_more_than_a_ten_thousandth_from_an_answer_of_his_own(match: liar_many.Match) -> None:
    assert match.worth((1, 1, 1)).sum() == pytest.approx(1.0, abs=1e-9)
    assert match.gains.min() >= 0.0
    assert match.gains.max() < 1e-4


def test_what_was_solved_is_kept_for_the_next_time(match: liar_many.Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(liar_many, "_solved", {})
    monkeypatch.setattr(liar_many, "Rounds", None)
    again = liar_many.solve(match.rules, 3)
    assert again is not match
    assert (again.gains == match.gains).all()


def test_an_interrupted_solve_goes_on_from_the_series_that_are_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rules = liar_of(faces=2, stakes=2)
    solved: list[liar_many.Ring] = []
    usual = liar_many.solve_series

    def counted(rules: liar.Rules, ring: liar_many.Ring, worth: Any, best: Any) -> liar_many.Series:
        solved.append(ring)
        return usual(rules, ring, worth, best)

    def stop(number: int, _residual: float, _share: float) -> None:
        if number == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(liar_many, "solve_series", counted)
    with pytest.raises(KeyboardInterrupt, match="is kept"):
        liar_many.solve(rules, 3, stop)
    liar_many.solve(rules, 3)
    assert solved == [ring for ring in liar_many.rings((2, 2, 2)) if len(ring) == 3]


def play_series(match: liar_many.Match, ring: liar_many.Ring, dice: np.random.Generator) -> tuple[int, bool]:
    """One series with dice: who announced last, before somebody doubted, and whether it was true."""
    known, policy, players = liar.cup(match.rules), match.series[ring].policy, len(ring)
    numbers = Game(match.rules, players, 0, policy, None)
    series: tuple[int, ...] = ()
    hands: tuple[int, ...] = ()
    while True:
        number, cup = len(series), hands[-1] if hands else 0
        keep = dice.choice(len(known.keeps) if hands else 1, p=policy.keeps[number][numbers.node[series]][cup])
        new = int(dice.choice(len(known.hands), p=known.chances[keep]))
        claims = range(series[-1] + 1 if series else 0, len(known.announcements))
        shares = [policy.announces[number][numbers.edge[(*series, claim)]][cup, new] for claim in claims]
        series, hands = (*series, int(dice.choice(claims, p=shares))), (*hands, new)
        passed = hands[-players] if len(hands) >= players else 0
        if dice.random() < policy.doubts[number][numbers.edge[series]][passed]:
            return number % players, bool(known.own[new] >= series[-1])


def test_matches_played_with_dice_end_as_the_strategies_are_said_to(cache: Path) -> None:
    assert cache.exists()
    match = liar_many.solve(liar_of(faces=3, stakes=2), 3)
    dice, games = np.random.default_rng(11), 2_000
    wins = np.zeros(3)
    for _game in range(games):
        ring, seats = match.rings[-1], [0, 1, 2]
        while len(ring) > 2:
            holder, true = play_series(match, ring, dice)
            ring, left = liar_many.after(ring, holder, true=true)
            seats = [seats[seat] for seat in left]
        wins[seats[int(dice.random() >= match.worth(ring)[0])]] += 1
    error = np.sqrt(0.25 / games)
    assert np.abs(wins / games - match.worth(match.rings[-1])).max() < 3.0 * error


def test_odds_tell_what_best_answers_gain_and_that_other_strategies_may_hold(match: liar_many.Match) -> None:
    found = odds(match.rules, 3)
    assert [figure.quality for figure in found.figures[:3]] == ["estimated"] * 3
    assert [figure.to_json()["bound"] for figure in found.figures[:3]] == [None] * 3
    gains = [found.figure(f"gain_seat_{seat}").value for seat in (1, 2, 3)]
    assert found.figure("nash_conv").value == pytest.approx(sum(gains))
    assert any("other strategies may hold" in note for note in found.notes)


@pytest.mark.parametrize(("changes", "players"), [({"dice": 5}, 3), ({"dice": 3}, 3), ({"dice": 2}, 5)], ids=str)
def test_what_would_take_too_long_is_refused_with_a_figure(changes: dict[str, Any], players: int) -> None:
    with pytest.raises(PositionError, match=rf"^--players: {players}; allowed: .* takes \d\.\de\+\d\d products"):
        odds(liar_of(**changes), players)


@pytest.fixture
def file(match: liar_many.Match, tmp_path: Path) -> str:
    assert match
    (tmp_path / "four.toml").write_text('extends = "liar"\ndice = 1\nfaces = 4\nstakes = 1\n')
    return str(tmp_path / "four.toml")


def test_three_players_are_advised_in_every_position(file: str, match: liar_many.Match) -> None:
    begin = advise(file, players="3")
    assert float(begin.value) == match.worth((1, 1, 1))[0]
    announce = advise(file, players="3", dice="2")
    assert announce.to_json()["error_bound"] is None
    # Over all throws, announcing is worth what the start of the series is worth.
    each = [float(advise(file, players="3", dice=str(face)).value) for face in range(1, 5)]
    assert np.mean(each) == pytest.approx(float(begin.value), abs=1e-9)
    leave = advise(file, players="3", dice="3", claim="high 1/high 2")
    assert {option.facts["throw"] for option in leave.options} == {0, 1}
    raised = advise(file, players="3", dice="4", claim="high 1/high 2", state="before=3")
    assert [option.facts["announce"]["face"] for option in raised.options] in ([3, 4], [4, 3])
    doubt = advise(file, players="3", claim="high 1/high 3")
    assert {option.facts["do"] for option in doubt.options} == {"doubt", "accept"}
    again = advise(file, players="3", claim="high 1/high 2/high 3", state="passed=1")
    assert again.to_json()["state"]["passed"] == [1]
    top = advise(file, players="3", claim="high 4")
    assert [option.facts["do"] for option in top.options] == ["doubt"]


def test_mixes_add_up_to_one_although_what_hardly_ever_comes_is_left_out(file: str) -> None:
    # What the first announces with a low die is mixed, some of it once in millions of games.
    for face in range(1, 5):
        shares = [option.share or 0.0 for option in advise(file, players="3", dice=str(face)).options]
        assert sum(shares) == pytest.approx(1.0, abs=1e-12)
        assert all(share == 0.0 or share > 1e-7 for share in shares)


@pytest.mark.parametrize("players", [5, 6])
def test_the_most_players_that_are_allowed_find_strategies_that_hold(players: int, cache: Path) -> None:
    assert cache.exists()
    found = odds(liar_of(faces=2), players)
    assert sum(float(figure.value) for figure in found.figures[:players]) == pytest.approx(1.0, abs=1e-9)
    assert found.figure("nash_conv").value < 1e-4


def test_a_player_hardly_gains_by_any_single_choice_that_comes_up(file: str, match: liar_many.Match) -> None:
    for face in range(1, 5):
        answer = advise(file, players="3", dice=str(face))
        best = max(float(option.value) for option in answer.options)
        assert best - float(answer.value) <= 4.0 * match.gains[0] + 1e-9


def test_with_two_of_three_left_play_is_exact(file: str) -> None:
    answer = advise(file, players="3", vs="0/1", dice="3")
    alone = advise(file, dice="3")
    assert float(answer.value) == pytest.approx(float(alone.value), abs=1e-9)


@pytest.mark.parametrize(
    ("position", "complaint"),
    [
        ({"players": "7"}, "--players: '7'; allowed: a whole number from 2 to 6"),
        ({"vs": "1"}, "--vs: '1'; allowed: the stakes of 2 others"),
        ({"vs": "0/0"}, "--vs: '0/0'; allowed: somebody else"),
        ({"score": "2"}, "--score, --vs: '2/1/1'; allowed: stakes that can come up"),
        ({"score": "2", "vs": "1/0"}, "--score, --vs: '2/1'; allowed: stakes that can come up"),
        ({"claim": "high 3/high 2"}, "--claim: 'high 3/high 2'; allowed: each above"),
        ({"claim": "high 4", "dice": "4"}, "--claim: 'high 4'; allowed: not the highest"),
        ({"claim": "high 1/high 2/high 3"}, "--state: ''; allowed: passed="),
        ({"claim": "high 1", "state": "passed=2"}, "--state: 'passed=2'; allowed: passed only"),
        ({"state": "before=2", "dice": "2"}, "--state: 'before=2'; allowed: before only"),
        ({"state": "bolts=2"}, "--state: 'bolts=2'; allowed: before="),
        ({"table": "liar.safetensors"}, "--table: 'liar.safetensors'; allowed: only for two"),
    ],
    ids=str,
)
def test_what_does_not_fit_together_is_refused_by_name(file: str, position: dict[str, str], complaint: str) -> None:
    with pytest.raises(PositionError) as refused:
        advise(file, **{"players": "3", **position})
    assert str(refused.value).startswith(complaint)


def test_the_exact_values_of_two_are_those_of_their_table(match: liar_many.Match) -> None:
    table = liar_table.Values(match.rules, liar_table.make_table(match.rules))
    assert match.values.starts[1, 1] == pytest.approx(table.starts[1, 1], abs=1e-12)


def test_rounds_go_on_where_they_stopped() -> None:
    rules, payoffs = liar_of(faces=3), np.random.default_rng(2).random((3, 2, 3))
    one, other = Rounds(rules, 3, payoffs), Rounds(rules, 3, payoffs)
    one.play(10)
    other.play(4)
    other.play(6)
    for parts in zip(one.average(), other.average(), strict=True):
        for mine, theirs in zip(*parts, strict=True):
            assert (mine == theirs).all()
