"""What it is worth to end a turn, by what is aimed at."""

from __future__ import annotations

from collections.abc import Callable

from solver.errors import TableError
from solver.race.endings import Outcome, after_attack, attacked_by
from solver.race.held import MatchNumbers, Offered
from solver.race.leads import last_turns
from solver.race.player import Player, payoff, without_points
from solver.race.rules import RaceRules
from solver.text import _

Worth = Callable[[Outcome], float]
"""What it is worth to end a turn with an outcome; more is better."""
ALLOWANCE = 1e-8
"""How far bounds on values may lie beyond what values can be."""


class Shifted:
    """Values of match states with their margins added or taken off."""

    def __init__(self, values: MatchNumbers, margins: MatchNumbers, sign: float) -> None:
        self._values, self._margins, self._sign = values, margins, sign

    def __getitem__(self, place: tuple[int, int]) -> float:
        return self._values[place] + self._sign * self._margins[place]


def win_worth(
    rules: RaceRules,
    waiter: Player,
    index: dict[Player, int],
    values: MatchNumbers,
    kept: MatchNumbers | None = None,
    offered: Offered | None = None,
) -> Worth:
    """Chance to win for the mover of a turn, from the table of the match.

    ``kept`` are the values where the mover keeps the dice, by default ``values``: a lower bound for the mover needs
    upper bounds for the other player and lower ones for himself. ``offered`` are those where points may be left.
    """
    own = values if kept is None else kept

    def worth(outcome: Outcome) -> float:
        if outcome.won:
            return 1.0
        left = _attacked(rules, outcome, waiter)
        if outcome.leads:
            return 1.0 - caught(rules, left, outcome.player)
        if outcome.kept:
            return _within(own[_row(index, outcome.player), _row(index, left)], 0.0, 1.0)
        return 1.0 - _within(_passed(index, values, offered, left, outcome.player), 0.0, 1.0)

    return worth


def caught(rules: RaceRules, player: Player, leader: Player) -> float:
    """The share of the match that a player gets in his last turn against a leader."""
    last = last_turns(rules)
    assert last is not None
    return last.chance(rules, player, leader.score)


def last_turn_worth(rules: RaceRules, leader: Player) -> Worth:
    """The share of the match that the mover gets whose last turn it is, against a leader."""

    def worth(outcome: Outcome) -> float:
        if outcome.player.score == leader.score and not outcome.won:
            return 0.5 if rules.match.ties == "shared" else 0.0
        return float(outcome.won or outcome.player.score > leader.score)

    return worth


def stake_worth(
    rules: RaceRules,
    waiter: Player,
    index: dict[Player, int],
    values: MatchNumbers,
    kept: MatchNumbers | None = None,
    offered: Offered | None = None,
) -> Worth:
    """Stakes that the mover of a turn wins on average, from the table of the match; ``kept`` as for ``win_worth``."""
    own = values if kept is None else kept
    most = float(rules.stakes.unopened if rules.stakes else 1)

    def worth(outcome: Outcome) -> float:
        if outcome.won:
            return float(payoff(rules, waiter))
        left = _attacked(rules, outcome, waiter)
        if outcome.kept:
            return _within(own[_row(index, outcome.player), _row(index, left)], -most, most)
        return -_within(_passed(index, values, offered, left, outcome.player), -most, most)

    return worth


def _passed(
    index: dict[Player, int], values: MatchNumbers, offered: Offered | None, mover: Player, waiter: Player
) -> float:
    """The value of a match state, with the offer that the mover may have."""
    row, other = _row(index, without_points(mover)), _row(index, waiter)
    if offered is None or not mover.banked:
        return values[row, other]
    return offered.value(row, other, mover.offered, mover.banked)


def _attacked(rules: RaceRules, outcome: Outcome, waiter: Player) -> Player:
    rule = attacked_by(outcome, waiter.score)
    return waiter if rule is None else after_attack(rules, waiter, rule)


def turns_worth(index: dict[Player, int], values: memoryview[float]) -> Worth:
    """Expected turns to go, this one included, counted negative; an extra turn costs none."""

    def worth(outcome: Outcome) -> float:
        left = 0.0 if outcome.won else _within(values[_row(index, outcome.player)], 0.0, 1e12)
        return -left if outcome.kept else -1.0 - left

    return worth


def points_worth(rules: RaceRules, player: Player, phases: tuple[float, ...] = (0.0,)) -> Worth:
    """Change of the player's own score; points beyond the target count nothing.

    ``phases`` are what turns without result in a row, by their number, do to the points of later turns.
    """

    def worth(outcome: Outcome) -> float:
        after = outcome.player
        later = 0.0 if outcome.won else phases[min(after.bolts, len(phases) - 1)]
        return min(after.score, rules.match.target) - player.score + later

    return worth


def _row(index: dict[Player, int], player: Player) -> int:
    if player not in index:
        raise TableError(_("the table lacks a player state of its game"))
    return index[player]


def _within(value: float, least: float, most: float) -> float:
    if not least - ALLOWANCE <= value <= most + ALLOWANCE:
        raise TableError(_("the table holds a value that cannot be: {value}").format(value=value))
    return min(max(value, least), most)
