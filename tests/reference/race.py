"""Values of race matches for one or two players, by plain value iteration.

Alone: V(s) = 1 + least expected V over the ends of one turn; a won match needs 0 turns more.
For two: V(mover, waiter) = best chance over the ends of one turn, where a win is worth 1 and any
other end 1 - V(waiter', mover'). Inside a turn the player chooses a hold after every throw and
then takes the better of stopping (where allowed) and throwing on.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from .events import (
    PlayerState,
    Rules,
    least_stop,
    may_stop,
    outcome_of_bust,
    outcome_of_overshoot,
    outcome_of_stop,
    start,
)
from .turn import Level, Prefer, throw_kinds, turn_ends, turn_levels, turn_value

__all__ = [
    "NotConvergedError",
    "PlayerState",
    "bracket",
    "least_stop",
    "outcome_of_bust",
    "outcome_of_overshoot",
    "outcome_of_stop",
    "solve",
]

Match = tuple[PlayerState, ...]
"""The mover, then the waiter if there is one."""


class Move(NamedTuple):
    """The throws of one match state's turn and the match states it leads to; None is a win."""

    levels: list[Level]
    stops: dict[int, Match | None]
    bust: Match
    overshoot: Match | None  # None where the turn cannot overshoot


class NotConvergedError(ArithmeticError):
    """The tolerance was not reached; `low` and `high` are bounds on the values."""

    def __init__(self, low: dict[Match, float], high: dict[Match, float]) -> None:
        """Keep the bounds by match state, (player,) or (mover, waiter)."""
        super().__init__("tolerance not reached")
        self.low = low
        self.high = high


def move_of(rules: Rules, levels: list[Level], match: Match) -> Move:
    """Return where this turn can end; the mover goes to the end of the line."""
    mover, others = match[0], match[1:]
    stops: dict[int, Match | None] = {}
    overshoot: Match | None = None
    for end in turn_ends(levels):
        if end is None:
            after, others_after = outcome_of_overshoot(rules, mover, others)
            overshoot = (*others_after, after)
        elif end.may_stop and may_stop(rules, mover, end.total):
            after, left = outcome_of_stop(rules, mover, others, end.total)
            stops[end.total] = None if left == "win" else (*left, after)
    after, others_after = outcome_of_bust(rules, mover, others)
    return Move(levels, stops, (*others_after, after), overshoot)


def moves_from_start(rules: Rules, players: int) -> dict[Match, Move]:
    """Return the move of every match state reachable from the start, high scores first."""
    if "barrel" in rules and "overshoot" in rules:
        raise ValueError("barrel and overshoot share the count of falls")
    kinds = {dice: throw_kinds(dice, rules) for dice in range(1, rules["dice"]["count"] + 1)}
    if frozenset() not in kinds[rules["dice"]["count"]]:
        raise ValueError("a throw of all dice must be able to bust")
    levels: dict[int, list[Level]] = {}  # by score, the only thing the throws depend on
    moves: dict[Match, Move] = {}
    todo: list[Match] = [(start(rules),) * players]
    while todo:
        match = todo.pop()
        if match in moves:
            continue
        score = match[0].score
        if score not in levels:
            levels[score] = turn_levels(rules, kinds, match[0])
        move = moves[match] = move_of(rules, levels[score], match)
        ends = [*move.stops.values(), move.bust, move.overshoot]
        todo += [end for end in ends if end is not None]
    order = sorted(moves, key=lambda match: -sum(player.score for player in match))
    return {match: moves[match] for match in order}


def move_value(move: Move, worth: Callable[[Match | None], float], prefer: Prefer) -> float:
    """Return the value of a turn from what the match states it leads to are worth."""
    stops = {total: worth(end) for total, end in move.stops.items()}
    overshoot = 0.0 if move.overshoot is None else worth(move.overshoot)
    return turn_value(move.levels, stops, worth(move.bust), overshoot, prefer)


def fewest_turns(rules: Rules, sweeps: int | None, tolerance: float) -> dict[Match, float]:
    """Return the fewest expected turns to win alone, from below.

    If a sweep raises no value by more than d < 1, the truth lies between V and V / (1 - d):
    with the play just found one turn more brings V / (1 - d) to at most itself. So the
    tolerance is a relative one.
    """
    moves = moves_from_start(rules, 1)
    values = dict.fromkeys(moves, 0.0)
    growth = 1.0
    sweep = 0
    while growth > tolerance:
        if sweep == sweeps:
            raise NotConvergedError(values, dict.fromkeys(values, float("inf")))
        sweep += 1
        growth = 0.0
        for match, move in moves.items():
            new = 1 + move_value(move, lambda end: 0.0 if end is None else values[end], min)
            growth = max(growth, new - values[match])
            values[match] = new
    return values


def bracket(
    rules: Rules, sweeps: int | None = None, tolerance: float = 1e-12
) -> tuple[dict[Match, float], dict[Match, float]]:
    """Return lower and upper bounds on the mover's chance in every match state for two.

    Play without end counts as lost for the mover in the lower bound and as won in the upper one,
    so the bounds stay apart where somebody gains by waiting. Ends when they are within the
    tolerance, when a sweep changes nothing, or after `sweeps` sweeps.
    """
    moves = moves_from_start(rules, 2)
    low = dict.fromkeys(moves, 0.0)
    high = dict.fromkeys(moves, 1.0)
    changed = True
    sweep = 0
    while changed and sweep != sweeps and gap(low, high) > tolerance:
        sweep += 1
        changed = False
        for match, move in moves.items():
            at_least = move_value(move, lambda end: 1.0 if end is None else 1 - high[end], max)
            at_most = move_value(move, lambda end: 1.0 if end is None else 1 - low[end], max)
            changed = changed or (at_least, at_most) != (low[match], high[match])
            low[match], high[match] = at_least, at_most
    return low, high


def gap(low: dict[Match, float], high: dict[Match, float]) -> float:
    """Return the largest distance between two bounds."""
    return max(high[match] - low[match] for match in low)


def solve(rules: Rules, players: int, sweeps: int | None = None, tolerance: float = 1e-12) -> dict[Any, float]:
    """Return the value of every match state that can be reached from the start.

    One player: the fewest expected turns by player state, to a relative tolerance. Two: the
    mover's chance to win by (mover, waiter), the middle of two bounds within the tolerance.
    Raises NotConvergedError if `sweeps` sweeps do not reach it, or if waiting keeps the bounds apart.
    Alone and without `sweeps` it never ends if some reachable state cannot win.
    """
    if players == 1:
        return {mover: turns for (mover,), turns in fewest_turns(rules, sweeps, tolerance).items()}
    if players == 2:
        low, high = bracket(rules, sweeps, tolerance)
        if gap(low, high) > tolerance:
            raise NotConvergedError(low, high)
        return {match: (low[match] + high[match]) / 2 for match in low}
    raise ValueError(f"one or two players, not {players}")
