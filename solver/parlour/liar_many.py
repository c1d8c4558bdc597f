"""Liar for more than two players: strategies by counterfactual regrets, series by series, and what they give away.

A ring holds the stakes of all who are in, from the player who begins a series on to the left. Every doubt takes a stake
from the table, so rings follow one another without cycles and are solved from the fewest stakes up. With two left the
exact values of linear programs take over.

With three players or more the game is not zero-sum: there is no one value, and what is found is one set of strategies
of many that could hold. Whether it does is measured: for each player, what a best answer in the whole match wins more
than his strategy, while the others stay with theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from solver.errors import PositionError, TableError
from solver.parlour.liar import Rules, Stakes, after_doubt, cup, stake_pairs
from solver.parlour.liar_best_answer import best_value
from solver.parlour.liar_rounds import Rounds
from solver.parlour.liar_series import Policy, evaluate, steps
from solver.parlour.liar_table import FINE, Values, method_for, nothing_found, solve_bounds
from solver.text import _
from solver.unfinished import read_unfinished, write_unfinished

Ring = tuple[int, ...]
Progress = Callable[..., None]

LARGEST = 100_000_000
"""Products of numbers in one round of all series, beyond which is refused: what takes an hour."""
CLOSE = 2e-5
"""Once best answers gain no more than this in a series, it is solved."""
ROUNDS = 600
"""Most rounds of counterfactual regrets in one series."""
CHUNK = 50
"""Rounds before the first measurement; then each is after half as many again."""
CALLS = 150_000
"""As many products as the calls of one seat's turn take, however small the series is."""


class Kept(NamedTuple):
    """A series as it is kept in the cache: all its arrays, one after another."""

    numbers: Any


class Series(NamedTuple):
    """One series, solved."""

    policy: Policy
    worth: Any
    """The chance of each seat to win the match, if all play so here and later."""
    best: Any
    """The same with a best answer of that seat, here and later."""


def after(ring: Ring, holder: int, *, true: bool) -> tuple[Ring, list[int]]:
    """The ring after a doubt, and which seats of the old one it holds; the left neighbour of ``holder`` has doubted."""
    order = [(holder + 1 + place) % len(ring) for place in range(len(ring))]
    stakes = list(ring)
    found = after_doubt(Stakes(ring[holder], ring[order[0]], 0), true=true)
    stakes[holder], stakes[order[0]] = found.announcer, found.doubter
    left = [seat for seat in order if stakes[seat]]
    return tuple(stakes[seat] for seat in left), left


def rings(start: Ring) -> list[Ring]:
    """All rings that can come up, those on which others rest first."""
    return sorted(_reached(start), key=lambda ring: (sum(ring), ring))


def _reached(start: Ring) -> Iterator[Ring]:
    """The same, one after another in any order, but ``start`` first."""
    found = {start}
    to_do = [start]
    while to_do:
        ring = to_do.pop()
        yield ring
        for holder in range(len(ring) if len(ring) > 1 else 0):
            following = {after(ring, holder, true=true)[0] for true in (True, False)}
            to_do += following - found
            found |= following


def check_size(rules: Rules, players: int) -> None:
    """PositionError if this would take too long, by a count that builds no tree and stops when it is too much."""
    known = cup(rules)
    work = 0
    for ring in _reached((rules.stakes,) * players):
        if len(ring) > 2:
            size = 2 ** len(known.announcements) * len(known.hands) ** (len(ring) - 1)
            work += len(ring) * (size + CALLS)
        if work > LARGEST:
            text = _(
                "--players: {players}; allowed: with more than two, fewer dice, faces or stakes; a round of these "
                "takes {work:.1e} products or more, and at most {most:.1e} are done in reasonable time"
            )
            raise PositionError(text.format(players=players, work=float(work), most=float(LARGEST)))


def payoffs(ring: Ring, worth: Callable[[Ring], Any]) -> Any:
    """What doubts in a series are worth: by holder, whether the announcement was true, and seat."""
    size = len(ring)
    found = np.zeros((size, 2, size))
    for holder in range(size):
        for true in (False, True):
            following, seats = after(ring, holder, true=true)
            found[holder, int(true), seats] = worth(following)
    return found


def solve_series(rules: Rules, ring: Ring, worth: Callable[[Ring], Any], best: Callable[[Ring], Any]) -> Series:
    """Strategies of one series upon the values of later ones, and what they and best answers win in the match."""
    size = len(ring)
    usual, most = payoffs(ring, worth), payoffs(ring, best)
    rounds = Rounds(rules, size, usual)
    nearest, least = None, np.inf
    while nearest is None or (rounds.done < ROUNDS and least > CLOSE):
        rounds.play(min(max(CHUNK, rounds.done // 2), ROUNDS - rounds.done))
        policy = rounds.average()
        found = np.array([evaluate(rules, size, policy, usual, seat)[0].item() for seat in range(size)])
        answers = np.array([best_value(rules, size, seat, policy, usual) for seat in range(size)])
        if (gain := float((answers - found).max())) < least:
            nearest, least = Series(policy, found, answers), gain
    answers = np.array([best_value(rules, size, seat, nearest.policy, most) for seat in range(size)])
    return nearest._replace(best=np.maximum(answers, nearest.worth))


class Match:
    """A match of liar for more than two, as far as it is solved."""

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.rings = rings((rules.stakes,) * players)
        self.series: dict[Ring, Series] = {}
        pairs = [ring for ring in self.rings if len(ring) == 2]
        self.values = _values(rules, tuple((ring[0], ring[1]) for ring in pairs))
        """The exact values with two left."""

    def worth(self, ring: Ring) -> Any:
        """The chance of each seat of a ring to win, if all play as was found."""
        if len(ring) == 1:
            return np.ones(1)
        if len(ring) == 2:
            start = self.values.starts[ring[0], ring[1]]
            return np.array([start, 1.0 - start])
        return self.series[ring].worth

    def best(self, ring: Ring) -> Any:
        """The most that each seat of a ring can win, if all others play as was found."""
        if len(ring) == 2:
            return self.worth(ring) + 2.0 * self.values.bound
        return self.worth(ring) if len(ring) == 1 else self.series[ring].best

    def payoffs(self, ring: Ring) -> Any:
        """What doubts in a series are worth, if all play as was found."""
        return payoffs(ring, self.worth)

    @property
    def gains(self) -> Any:
        """What best answers of each seat gain in the whole match."""
        start = self.rings[-1]
        return self.best(start) - self.worth(start)

    def solve(self, progress: Progress | None) -> None:
        """Solve all series, or take them from the cache; each that is solved is kept there at once."""
        larger = [ring for ring in self.rings if len(ring) > 2]
        for number, ring in enumerate(larger, 1):
            objective = f"win.{'_'.join(map(str, ring))}"
            kept = read_unfinished(self.rules, objective, Kept(np.empty(_size(self.rules, len(ring)))))
            if kept is None:
                found = solve_series(self.rules, ring, self.worth, self.best)
                kept = Kept(np.concatenate([array.ravel() for array in _arrays(found)]))
                with suppress(TableError):  # what cannot be kept is solved anew the next time
                    write_unfinished(self.rules, objective, kept)
            self.series[ring] = _unpack(self.rules, len(ring), kept.numbers)
            if progress:
                progress(number, 0.0, number / len(larger))


_solved: dict[tuple[Rules, int], Match] = {}


def solve(rules: Rules, players: int, progress: Progress | None = None) -> Match:
    """The whole match. Series that were solved before are taken from the cache. PositionError if it is too large."""
    if (rules, players) not in _solved:
        check_size(rules, players)
        match = Match(rules, players)
        try:
            match.solve(progress)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                _("stopped; every series that has been solved is kept, and the same command goes on from there")
            ) from None
        _solved[rules, players] = match
    return _solved[rules, players]


def _values(rules: Rules, starts: tuple[tuple[int, int], ...]) -> Values:
    """The exact values with two left, from linear programs."""
    pairs = stake_pairs(rules, starts)
    method = method_for(rules, FINE)
    bounds = nothing_found(rules, method.close, pairs)
    solve_bounds(rules, method, bounds, pairs=pairs)
    return Values.of(pairs, bounds)


def _arrays(series: Series) -> list[Any]:
    return [*series.policy.keeps, *series.policy.announces, *series.policy.doubts, series.worth, series.best]


def _shapes(rules: Rules, players: int) -> list[tuple[int, ...]]:
    """The shapes of all arrays of a series, in the order of ``_arrays``."""
    tree = steps(rules, players)
    return [
        *((len(step.first), *step.within.shape) for step in tree),
        *((len(step.parent), len(step.within), step.chances.shape[1]) for step in tree),
        *((len(step.parent), step.memory) for step in tree),
        (players,),
        (players,),
    ]


def _size(rules: Rules, players: int) -> int:
    return sum(int(np.prod(shape)) for shape in _shapes(rules, players))


def _unpack(rules: Rules, players: int, numbers: Any) -> Series:
    found, place = [], 0
    for shape in _shapes(rules, players):
        count = int(np.prod(shape))
        found.append(numbers[place : place + count].reshape(shape))
        place += count
    count = len(steps(rules, players))
    return Series(Policy(found[:count], found[count : 2 * count], found[2 * count : 3 * count]), *found[3 * count :])
