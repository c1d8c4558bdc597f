"""Values of race matches for one or two players, by plain value iteration.

Alone: V(s) = 1 + least expected V over the ends of one turn; a won match needs 0 turns more.
For two: V(mover, waiter) = best chance over the ends of one turn, where a win is worth 1 and any
other end 1 - V(waiter', mover'). Inside a turn the player chooses a hold after every throw and
then takes the better of stopping (where allowed) and throwing on.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from .events import (
    goes_on,
    outcome_of_bust,
    outcome_of_dump,
    outcome_of_overshoot,
    outcome_of_skip,
    outcome_of_stop,
)
from .standing import MOST_LEAD, PlayerState, Rules, least_stop, overshoots, start, wins
from .turn import (
    CONFIRMATION,
    TOXIC,
    Choice,
    End,
    Level,
    Prefer,
    Throw,
    choice_kinds,
    first_throws,
    turn_ends,
    turn_levels,
    turn_value,
)

__all__ = [
    "Choice",
    "NotConvergedError",
    "PlayerState",
    "bracket",
    "least_stop",
    "outcome_of_bust",
    "outcome_of_overshoot",
    "outcome_of_stop",
    "solve",
    "solve_stakes",
]

Match = tuple[PlayerState, ...]
"""The mover, then the waiter if there is one."""


class Next(NamedTuple):
    """What follows a turn: a match state, or the end; `kept` if the mover goes on at once with an extra turn."""

    match: Match | None
    kept: bool = False
    share: float = 1.0  # what the mover gets of the match at its end


class Move(NamedTuple):
    """The throws of one match state's turn and what its ends lead to; a lost turn has no throws and one end."""

    levels: list[Level]
    ends: dict[End, Next]
    firsts: list[tuple[int, Throw]]


LOST = End("lost turn", 0, blank=False)


class NotConvergedError(ArithmeticError):
    """The tolerance was not reached; `low` and `high` are bounds on the values."""

    def __init__(self, low: dict[Match, float], high: dict[Match, float]) -> None:
        """Keep the bounds by match state, (player,) or (mover, waiter)."""
        super().__init__("tolerance not reached")
        self.low = low
        self.high = high


def move_of(rules: Rules, levels: list[Level], match: Match) -> Move:
    """Return where this turn can end; the mover goes to the end of the line."""
    if match[0].skips:
        after, others = outcome_of_skip(rules, match[0].fresh(), match[1:])
        return Move([], {LOST: Next((*others, after))}, [])
    ends = {end: after_end(rules, match, end) for end in turn_ends(rules, match[0], levels)}
    return Move(levels, ends, first_throws(rules, match[0]))


def after_end(rules: Rules, match: Match, end: End) -> Next:
    """Return what follows one end of a turn."""
    mover, others = match[0].fresh(), match[1:]
    if points_are_left(rules):
        wrote = end.kind == "stop" and end.dice and not overshoots(rules, mover, end.total)  # QB3.4
        left = {"offered": end.dice, "banked": end.total} if wrote else {}
        others = tuple(other._replace(**left) for other in others)
    elif "inherited_dice" in rules:
        others = tuple(other._replace(offered=end.dice) for other in others)
    if end.kind == "instant win":
        return Next(None)
    if others and wins(rules, others[0].score):
        return Next(None, share=last_share(rules, mover.score + end.total, others[0].score))
    if end.kind == "stop":
        after, left = outcome_of_stop(rules, mover, others, end.total, blank=end.blank)
        if left == "win":
            return after_win(rules, after, others)
        others = left
        if others and rules["match"].get("overshoot") == "given away" and overshoots(rules, mover, end.total):
            # QB1.8: what would take him past the target is void.
            gifted = others[0]._replace(score=others[0].score + end.total, opened=True)
            if gifted.score == rules["match"]["target"]:
                return Next(None, share=0.0)
            others = (gifted,) if gifted.score < rules["match"]["target"] else others
    else:
        happens = {"overshoot": outcome_of_overshoot, "dump truck": outcome_of_dump, "nothing": outcome_of_bust}
        after, others = happens[end.kind](rules, mover, others, blank=end.blank)
    return Next((after, *others), kept=True) if goes_on(rules, mover, after) else Next((*others, after))


def after_win(rules: Rules, leader: PlayerState, others: Match) -> Next:
    """Return what follows when a player has reached the target: the end, or a last turn of the other one."""
    ending = rules["match"].get("ending", "at once")
    if not others or ending == "at once" or (ending == "equal turns" and leader.second):
        return Next(None)
    highest = rules["match"]["target"] + MOST_LEAD * rules["match"]["step"]
    if points_are_left(rules):
        return Next((*others, leader))  # how far he came in this turn matters, not only where he stands
    return Next((*others, leader._replace(score=min(leader.score, highest))))


def points_are_left(rules: Rules) -> bool:
    """Return whether a player may go on with the points of the player before."""
    return bool(rules.get("inherited_dice", {}).get("points"))


def last_share(rules: Rules, score: int, leader: int) -> float:
    """Return what a player gets of the match who ends his last turn with a score."""
    if score == leader:
        return 0.5 if rules["match"].get("ties") == "shared" else 0.0
    return 1.0 if score > leader else 0.0


def moves_from_start(rules: Rules, players: int) -> dict[Match, Move]:
    """Return the move of every match state reachable from the start, high scores first."""
    if "barrel" in rules and "overshoot" in rules:
        raise ValueError("barrel and overshoot share the count of falls")
    kinds = {dice: choice_kinds(dice, rules) for dice in range(1, rules["dice"]["count"] + 1)}
    kinds[CONFIRMATION] = choice_kinds(rules["dice"]["count"], rules, confirms=True)
    if not {frozenset(), None, TOXIC} & set(kinds[rules["dice"]["count"]]):
        raise ValueError("a throw of all dice must be able to end the turn")
    levels: dict[PlayerState, list[Level]] = {}
    moves: dict[Match, Move] = {}
    seats = rules["match"].get("ending") == "equal turns" and players > 1
    todo: list[Match] = [tuple(start(rules)._replace(second=int(seats and seat)) for seat in range(players))]
    while todo:
        match = todo.pop()
        if match in moves:
            continue
        # The throws depend on nothing else.
        key = match[0]._replace(bolts=0, attempts=0, falls=0, marks=0, failures=0, admission=0, skips=0, extra=0)
        if key not in levels:
            levels[key] = turn_levels(rules, kinds, match[0])
        move = moves[match] = move_of(rules, levels[key], match)
        todo += [following.match for following in move.ends.values() if following.match is not None]
    order = sorted(moves, key=lambda match: -sum(player.score for player in match))
    return {match: moves[match] for match in order}


def move_value(rules: Rules, move: Move, worth: Callable[[Next], float], prefer: Prefer) -> float:
    """Return the value of a turn from what that which follows it is worth, never less than 0."""
    values = {end: worth(following) for end, following in move.ends.items()}
    if not move.levels:
        return values[LOST]
    return turn_value(rules, move.levels, values, move.firsts, prefer)


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
            new = 1 + move_value(rules, move, lambda following: turns_after(values, following), min)
            growth = max(growth, new - values[match])
            values[match] = new
    return values


def turns_after(values: dict[Match, float], following: Next) -> float:
    """Return the turns that follow a turn; an extra turn belongs to the one that earned it and costs none."""
    if following.match is None:
        return 0.0
    # While values rise from 0 they may be too low to hold the turn that is taken off.
    return max(0.0, values[following.match] - 1.0) if following.kept else values[following.match]


def stakes_of(rules: Rules, loser: PlayerState) -> int:
    """Return what a player pays who loses now: more than one stake if he never entered."""
    return int(rules["stakes"]["unopened"]) if "stakes" in rules and not loser.opened else 1


def bracket(
    rules: Rules, sweeps: int | None = None, tolerance: float = 1e-12, *, most: int | None = None
) -> tuple[dict[Match, float], dict[Match, float]]:
    """Return lower and upper bounds on the mover's chance in every match state for two.

    With `most`, the largest loss, what he wins on average in stakes, counted from there so that it is never
    negative. Play without end counts as lost for the mover in the lower bound and as won in the upper one, so the
    bounds stay apart where somebody gains by waiting. Ends when they are within the tolerance, when a sweep changes
    nothing, or after `sweeps` sweeps.
    """
    moves = moves_from_start(rules, 2)
    top = 1.0 if most is None else 2.0 * most
    low = dict.fromkeys(moves, 0.0)
    high = dict.fromkeys(moves, top)

    def worth(match: Match, following: Next, own: dict[Match, float], opposed: dict[Match, float]) -> float:
        if following.match is None:
            return following.share if most is None else float(most + stakes_of(rules, match[1]))
        return own[following.match] if following.kept else top - opposed[following.match]

    changed = True
    sweep = 0
    while changed and sweep != sweeps and gap(low, high) > tolerance:
        sweep += 1
        changed = False
        for match, move in moves.items():
            if sweep > 1 and all(following.match is None for following in move.ends.values()):
                continue  # a last turn, whose value cannot change any more
            at_least = move_value(rules, move, partial(worth, match, own=low, opposed=high), max)
            at_most = move_value(rules, move, partial(worth, match, own=high, opposed=low), max)
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
        return middle(*bracket(rules, sweeps, tolerance), tolerance)
    raise ValueError(f"one or two players, not {players}")


def solve_stakes(rules: Rules, sweeps: int | None = None, tolerance: float = 1e-12) -> dict[Match, float]:
    """Return what the mover wins on average, in stakes, by (mover, waiter); errors as of `solve`."""
    most = int(rules.get("stakes", {}).get("unopened", 1))
    found = middle(*bracket(rules, sweeps, tolerance, most=most), tolerance)
    return {match: value - most for match, value in found.items()}


def middle(low: dict[Match, float], high: dict[Match, float], tolerance: float) -> dict[Match, float]:
    """Return the middle of two bounds, which must be within the tolerance."""
    if gap(low, high) > tolerance:
        raise NotConvergedError(low, high)
    return {match: (low[match] + high[match]) / 2 for match in low}
