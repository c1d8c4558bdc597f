"""Matches played with dice, many at a time: an independent check of exact values."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import PolicyError
from solver.policies.policy import Policy
from solver.race.model import RaceModel
from solver.race.player import starting
from solver.race.study.playing import Seat, Table, TurnMaker
from solver.text import _

AT_A_TIME = 100_000
"""Games that are played side by side."""
MOST_TURNS = 1_000_000
"""Turns after which a match counts as endless."""


class Simulated(NamedTuple):
    """What many games brought."""

    games: int
    mean: float
    """Turns alone; for two the share of games that the first kind won, who moved first in every other one."""
    error: float
    """Standard error of the mean."""
    firsts: tuple[float, float] | None
    """For two, the shares won when moving first and second."""


def play(
    model: RaceModel, policies: list[Policy], turns: list[TurnMaker | None], *, games: int, seed: int,
    progress: Callable[..., None] | None = None,
) -> Simulated:  # fmt: skip
    """Play so many games from the start: alone with one policy, or with two against each other.

    PolicyError if a game takes too long, PositionError if the game has rules that are not known here.
    """
    rng = np.random.default_rng(seed)
    seats = [Seat(model, policy, maker) for policy, maker in zip(policies, turns, strict=True)]
    table = Table(model, seats, rng)
    results = []
    for begin in range(0, games, AT_A_TIME):
        count = min(AT_A_TIME, games - begin)

        def tell(over: int, before: int = begin) -> None:
            """So many games of these are over; they may take a minute."""
            if progress:
                progress(before + over, 0.0, (before + over) / games)

        results.append(_alone(table, count, tell) if model.players == 1 else _duel(table, count, begin, tell))
    found = np.concatenate(results)
    mean, error = float(found.mean()), float(found.std(ddof=1) / np.sqrt(games)) if games > 1 else float("inf")
    firsts = (float(found[::2].mean()), float(found[1::2].mean())) if model.players == 2 and games > 1 else None
    return Simulated(games, mean, error, firsts)


def _begin(model: RaceModel) -> tuple[int, int]:
    """The numbers of the states in which the first and the second player begin."""
    rows = [model.numbers[player] for player in starting(model.rules, model.players)]
    return rows[0], rows[-1]


def _alone(table: Table, games: int, tell: Callable[[int], None]) -> NDArray[np.float64]:
    """The turns that each game takes."""
    model = table.model
    state, turns = np.full(games, _begin(model)[0]), np.zeros(games)
    live = np.arange(games)
    nobody = np.zeros(games, dtype=np.int64)
    for _turn in range(MOST_TURNS):
        outcome = table.outcomes(state[live], nobody[: len(live)], nobody[: len(live)])
        turns[live] += 1 - model.outcome_kept[outcome]
        state[live] = model.outcome_row[outcome]
        live = live[state[live] < len(model.states)]
        tell(games - len(live))
        if not len(live):
            return turns
    raise PolicyError(_("a game takes more than {most} turns").format(most=MOST_TURNS))


def _duel(table: Table, games: int, begin: int, tell: Callable[[int], None]) -> NDArray[np.float64]:
    """The share of each game that kind 0 gets, who moves first in even games."""
    model = table.model
    first, second = _begin(model)
    mover = (np.arange(games) + begin) % 2
    states = np.full((games, 2), second)  # by kind
    states[np.arange(games), mover] = first
    share = np.zeros(games)
    live = np.arange(games)
    for _turn in range(MOST_TURNS):
        seat = mover[live]
        own, other = states[live, seat], states[live, 1 - seat]
        outcome = table.outcomes(own, other, seat)
        after = model.outcome_row[outcome]
        victim = other.copy()
        for attack, target in enumerate(model.attack_target):
            hit = (model.outcome_low[outcome, attack] <= victim) & (victim < model.outcome_high[outcome, attack])
            other[hit] = target[victim[hit]]
        over = after >= len(model.states)
        gained = np.ones(int(over.sum()))
        for place, game in enumerate(np.flatnonzero(over).tolist()):
            if lead := int(after[game]) - len(model.states):  # the other one has a last turn
                leader = model.rules.winning_score() + (lead - 1) * model.rules.match.step
                gained[place] = 1.0 - table.last_turn(model.states[int(other[game])], leader)
        share[live[over]] = np.where(seat[over] == 0, gained, 1.0 - gained)
        states[live, seat] = np.where(over, 0, after)
        states[live, 1 - seat] = other
        mover[live] = np.where(model.outcome_kept[outcome] > 0, seat, 1 - seat)
        live = live[~over]
        tell(games - len(live))
        if not len(live):
            return share
    raise PolicyError(_("a game takes more than {most} turns").format(most=MOST_TURNS))
