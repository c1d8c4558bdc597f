"""What a best answer wins in one series of liar, for any number of players.

The others play as their ``Policy`` says, and one seat answers as well as can be. He knows and remembers everything that
he may: all announcements, the dice that he accepted, threw and left. Of the dice that he passed on a round ago, and of
those that he has just accepted, he works out what the others are likely to have had; nothing that he saw before tells
him more, since nobody else plays by dice of before that time, and what was thrown after a hand depends on that alone.

This walks through the announcements one by one and takes the better of two choices wherever the seat decides. It shares
no code with what finds the strategies (``liar_rounds``), and none with ``liar_series`` but the form of the strategies.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.parlour.liar import Rules, cup
from solver.parlour.liar_series import Policy

Series = tuple[int, ...]
"""Numbers of the announcements so far."""
PASSED = "a"
"""The axis of the hand that the seat passed on last; those of the hands after it follow in alphabetical order."""
HANDS = "abcdefghij"
THROWN = "z"


def best_value(rules: Rules, players: int, seat: int, policy: Policy, payoffs: Any) -> float:
    """The most that a seat can win against the policy of the others.

    ``payoffs[holder, true, seat]`` is what a doubt of an announcement that is true or not is worth to the seat.
    """
    walk = _Walk(rules, players, seat, policy, payoffs)
    if seat == 0:
        return float(walk.hold((), np.ones([1] * players)).sum())
    before = players - 1 - seat
    return float(walk.pass_on((), before, np.ones([1] * (before + 1))).sum())


class _Walk:
    def __init__(self, rules: Rules, players: int, seat: int, policy: Policy, payoffs: Any) -> None:
        self.cup = cup(rules)
        self.players, self.seat, self.payoffs = players, seat, payoffs
        self.top = len(self.cup.announcements) - 1
        self.moves: dict[Series, Any] = {}
        """For each series, how likely each hand is thrown and the last announcement made: accepted by thrown hands."""
        self.doubts: dict[Series, Any] = {}
        """For each series, how often its last announcement is doubted, by the hand that the doubter passed on."""
        nodes: list[Series] = [()]
        for number in range(self.top + 1):
            chances = self.cup.chances if number else self.cup.chances[:1]
            following: list[Series] = []
            edge = 0
            for place, series in enumerate(nodes):
                thrown = policy.keeps[number][place] @ chances
                for after in self._raised(series):
                    self.moves[after] = thrown * policy.announces[number][edge]
                    self.doubts[after] = policy.doubts[number][edge]
                    edge += 1
                    if after[-1] < self.top:
                        following.append(after)
            nodes = following

    def hold(self, series: Series, chances: Any) -> Any:
        """What the seat wins when it has accepted the dice, times how likely it comes there.

        ``chances`` are those of the hand that it passed on, of all hands after that, the last of which is in the cup:
        one axis each. By the first and the last of them.
        """
        names = HANDS[: self.players]
        kept = f"{PASSED}{names[-1]}{THROWN}"
        best: Any = -np.inf
        for after in self._raised(series):
            doubt = self.doubts[after]  # by the hand that came next after the one passed on
            value = np.einsum(f"{names},{names[1]},{THROWN}->{kept}", chances, doubt, self._doubted(after))
            if after[-1] < self.top:
                later = self.pass_on(after, 0, np.ones(len(self.cup.hands)))
                believed = np.einsum(f"{names},{names[1]}->{PASSED}{names[2:] or names[1]}", chances, 1.0 - doubt)
                value = value + np.einsum(
                    f"{PASSED}{names[2:] or names[1]},{names[2:]}{THROWN}->{kept}", believed, later
                )
            best = np.maximum(best, value)
        throws, within = self.cup.chances, self.cup.within
        if not series:
            throws, within = throws[:1], within[:1, :1]
        by_keep = np.einsum(f"k{THROWN},{kept}->{PASSED}{names[-1]}k", throws, best)
        return np.where(within, by_keep, -np.inf).max(axis=2)

    def pass_on(self, series: Series, count: int, chances: Any) -> Any:
        """What the seat wins when another has accepted the dice, the ``count``-th after it from 0 on.

        ``chances`` are those of the hand that it passed on and of all after that, one axis each. By the hands that the
        others passed on before, as far as they are still to doubt, and by the seat's own.
        """
        names = HANDS[: count + 1]
        total: Any = 0.0
        for after in self._raised(series):
            grown = np.einsum(f"{names},{names[-1]}{THROWN}->{names}{THROWN}", chances, self.moves[after])
            doubted = np.einsum(f"{names}{THROWN},{THROWN}->{PASSED}", grown, self._doubted(after))
            goes_on = after[-1] < self.top
            if count == self.players - 2:
                # The seat itself is to doubt, and does what is better.
                total = total + (np.maximum(doubted, self.hold(after, grown).sum(axis=1)) if goes_on else doubted)
                continue
            others = self.players - 3 - count
            doubt = self.doubts[after].reshape(-1, *[1] * (others + 1))
            total = total + doubt * doubted.reshape(*[1] * (others + 1), -1)
            if goes_on:
                total = total + (1.0 - doubt) * self.pass_on(after, count + 1, grown)
        return total

    def _raised(self, series: Series) -> list[Series]:
        return [(*series, claim) for claim in range(series[-1] + 1 if series else 0, self.top + 1)]

    def _doubted(self, series: Series) -> Any:
        """What a doubt of the last announcement is worth, by what was thrown."""
        holder = (len(series) - 1) % self.players
        true, false = self.payoffs[holder, 1, self.seat], self.payoffs[holder, 0, self.seat]
        return np.where(self.cup.own >= series[-1], true, false)
