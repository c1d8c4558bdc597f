"""Counterfactual regret minimisation in one series of liar, for any number of players.

Seat after seat plays against what the others do now, round after round. Wherever it decides it keeps the regret of
every choice: how much more that would have won so far than what was played; and plays each choice in proportion to
that, as if the last round came once more. Later rounds weigh more in the average. With three players or more there is
no proof that this comes to an equilibrium; what best answers gain is measured (``liar_best_answer``), and says how near
it came. Nothing is random.

Sources: Tammelin, Burch, Johanson, Bowling, Solving Heads-Up Limit Texas Hold'em, 2015 (CFR+); Farina, Kroer,
Sandholm, Faster Game Solving via Predictive Blackwell Approachability, 2021 (the last round once more).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.parlour.liar import Rules
from solver.parlour.liar_series import (
    TREMBLE,
    Policy,
    Step,
    announce_values,
    axes,
    doubt_payoffs,
    evaluate,
    forward,
    moves,
    replies,
    steps,
)

POWER = 4
"""Rounds weigh as this power of their numbers: measured gains then fall several times faster than with squares."""


def uniform(rules: Rules, players: int) -> Policy:
    """Every choice as often as every other; the highest announcement is always doubted."""
    policy = Policy([], [], [])
    for step in steps(rules, players):
        within = step.within / step.within.sum(axis=1, keepdims=True)
        policy.keeps.append(np.repeat(within[None], len(step.first), axis=0))
        share = 1.0 / np.bincount(step.parent)[step.parent]
        policy.announces.append(np.tile(share[:, None, None], (1, len(step.within), step.chances.shape[1])))
        policy.doubts.append(np.tile(np.where(step.goes_on, 0.5, 1.0)[:, None], (1, step.memory)))
    return policy


class Rounds:
    """Rounds of play that go on where they stopped."""

    def __init__(self, rules: Rules, players: int, payoffs: Any) -> None:
        """``payoffs[holder, true, seat]`` is what a doubt is worth to a seat."""
        self.rules, self.players, self.payoffs = rules, players, payoffs
        self.done = 0
        self._now = uniform(rules, players)
        # Of doubts both choices are kept: the first axis is that of doubt and belief.
        self._regrets = _empty(self._now)
        self._totals = _empty(self._now)

    def play(self, count: int) -> None:
        """Play so many more rounds."""
        for _round in range(count):
            self.done += 1
            for seat in range(self.players):
                self._turn(seat)

    def average(self) -> Policy:
        """The strategies of all rounds so far, later ones weighing more."""
        policy, start = Policy([], [], []), uniform(self.rules, self.players)
        for number, step in enumerate(steps(self.rules, self.players)):
            keeps, announces, doubts = (part[number] for part in self._totals)
            policy.keeps.append(_shares(keeps, keeps.sum(axis=2, keepdims=True), start.keeps[number]))
            policy.announces.append(_shares(announces, _over_node(step, announces), start.announces[number]))
            policy.doubts.append(_shares(doubts[0], doubts.sum(axis=0), start.doubts[number]))
            policy.doubts[-1][~step.goes_on] = 1.0
        return policy

    def _turn(self, seat: int) -> None:
        """Let one seat learn from what its choices would have won this round."""
        now, players = self._now, self.players
        worth = [*evaluate(self.rules, players, now, self.payoffs, seat), None]
        full = np.ones((1, *([1] * (players - 1))))
        others = full
        """As ``full``, without the seat's own choices to announce and to believe."""
        for number, step in enumerate(steps(self.rules, players)):
            keeps, announces, doubts = (part[number] for part in now)
            moved = moves(step, keeps, announces)
            doubted = doubt_payoffs(self.rules, step, self.payoffs, seat)
            here = full, others
            if worth[number + 1] is not None:
                on = step.goes_on
                chances = np.maximum(keeps @ step.chances, TREMBLE**2)[step.parent[on]]
                said = chances * np.maximum(announces[on], TREMBLE)
                believed = np.maximum(1.0 - doubts[on], TREMBLE)
                full = forward(players, step, full, said, believed)
                others = forward(
                    players,
                    step,
                    others,
                    chances if seat == step.holder else said,
                    np.ones_like(believed) if seat == step.doubter else believed,
                )
            if seat == step.holder:
                self._learn_to_announce(number, step, here, doubted, worth[number + 1])
            elif seat == step.doubter:
                self._learn_to_doubt(number, step, here, moved, doubted, worth[number + 1])

    def _learn_to_announce(self, number: int, step: Step, reach: tuple[Any, Any], doubted: Any, later: Any) -> None:
        names = axes(self.players)
        keeps, announces, doubts = (part[number] for part in self._now)
        at_cup = f"n{names.state}->n{names.cup}"
        own = np.einsum(at_cup, reach[0]) / np.einsum(at_cup, reach[1])
        # What the others have depends on what this seat did before: that weighs as it was played.
        shape = own.shape[0], *[1] * (len(names.state) - 1), own.shape[1]
        value = announce_values(self.players, step, reach[0] / own.reshape(shape), doubts, doubted, later)
        mean = np.add.reduceat(value * announces, step.first, axis=0)
        by_keep = mean @ step.chances.T
        gain_keep = np.where(step.within, by_keep - (by_keep * keeps).sum(axis=2, keepdims=True), 0.0)
        gain = value - mean[step.parent]
        weight = float(self.done) ** POWER * own[:, :, None]
        self._totals.keeps[number] += weight * keeps
        chances = np.maximum(keeps @ step.chances, TREMBLE**2)
        self._totals.announces[number] += (weight * chances)[step.parent] * announces
        wanted = _next(self._regrets.announces[number], gain)
        self._now.announces[number] = _shares(
            wanted, _over_node(step, wanted), 1.0 / np.bincount(step.parent)[step.parent][:, None, None]
        )
        wanted = _next(self._regrets.keeps[number], gain_keep)
        start = step.within / step.within.sum(axis=1, keepdims=True)
        self._now.keeps[number] = _shares(wanted, wanted.sum(axis=2, keepdims=True), start)

    def _learn_to_doubt(
        self, number: int, step: Step, reach: tuple[Any, Any], moved: Any, doubted: Any, later: Any
    ) -> None:
        if later is None:
            return  # the highest announcement must be doubted
        on = step.goes_on
        doubt = self._now.doubts[number]
        found = replies(self.players, step, reach[1], moved, doubted, later)
        names = axes(self.players)
        weight = np.einsum(f"e{names.state},e{names.cup}->e{names.oldest}", reach[0][step.parent], moved.sum(axis=2))
        own = float(self.done) ** POWER * weight / np.maximum(found.weight, np.finfo(float).tiny)
        self._totals.doubts[number] += own * np.stack([doubt, 1.0 - doubt])
        better = found.doubt[on] - found.accept
        gain = np.zeros((2, *doubt.shape))
        gain[:, on] = better * (1.0 - doubt[on]), -better * doubt[on]
        wanted = _next(self._regrets.doubts[number], gain)
        following = _shares(wanted[0], wanted.sum(axis=0), 0.5)
        following[~on] = 1.0
        self._now.doubts[number] = following


def _empty(policy: Policy) -> Policy:
    return Policy(
        [np.zeros_like(part) for part in policy.keeps],
        [np.zeros_like(part) for part in policy.announces],
        [np.zeros((2, *part.shape)) for part in policy.doubts],
    )


def _next(regrets: Any, gain: Any) -> Any:
    """Add what was gained to the regrets, which never fall below 0; and what they are if that comes once more."""
    np.maximum(regrets + gain, 0.0, out=regrets)
    return np.maximum(regrets + gain, 0.0)


def _over_node(step: Step, parts: Any) -> Any:
    """The sum over all announcements of a node, for each of its edges."""
    return np.add.reduceat(parts, step.first, axis=0)[step.parent]


def _shares(parts: Any, total: Any, otherwise: Any) -> Any:
    """Parts of the total; where that is 0, something else."""
    known = total > 0.0
    return np.where(known, parts / np.where(known, total, 1.0), otherwise)
