"""Parts of a game: two players who can never leave some small class of states play a game of their own.

A class are player states that lead to one another and nowhere else, be it by a player's own turns or by what others do
to him: once a score to fall back to is written down for ever, say, or a counter that never returns. The match states
of two classes then make a game that knows nothing of the rest. It is solved instead of the whole where that is large.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice

from solver.race.player import Player, start, starting
from solver.race.rules import RaceRules
from solver.race.states import attacked, explore, outcomes_of, widen

MOST_TOGETHER = 3000
"""Player states of a game for two that are solved together, though they might be parted."""

Starts = tuple[Player, ...]
"""The least state of each class of a part, in ascending order, from which all others follow; none for a whole game."""

WHOLE: Starts = ()


def part_of(rules: RaceRules, mover: Player, waiter: Player) -> Starts:
    """The part in which two players stay; WHOLE if they are not in small classes.

    Nothing is said of players who cannot be in these states.
    """
    most = MOST_TOGETHER // 2
    found = dict(islice(explore(rules, 2, (mover, waiter)), most + 1))
    if len(found) > most:
        return WHOLE
    hit: dict[str, tuple[int, int]] = {}
    for reached in found.values():
        widen(rules, hit, reached)
    steps = [(player, outcome.player) for player, reached in found.items() for outcome in outcomes_of(reached)]
    steps += attacked(rules, found, hit)
    ahead, behind = defaultdict[Player, set[Player]](set), defaultdict[Player, set[Player]](set)
    for before, after in steps:
        ahead[before].add(after)
        behind[after].add(before)
    classes = [_reached(ahead, player) for player in (mover, waiter)]
    if not all(states <= _reached(behind, player) for states, player in zip(classes, (mover, waiter), strict=True)):
        return WHOLE
    return tuple(sorted({min(states) for states in classes}))


def falls_apart(rules: RaceRules) -> bool:
    """Whether a match of two is too large to be held together, and falls into classes by the players' admissions."""
    barrel = rules.barrel
    apart = barrel is not None and barrel.fall == "admission" and rules.overtaking is None
    return apart and occur(rules, (start(rules),), MOST_TOGETHER)


def occur(rules: RaceRules, starts: Iterable[Player], least: int = 0) -> bool:
    """Whether all these states can occur in a match of two, in a game of more than ``least`` player states."""
    missing = set(starts)
    for count, (player, _turns) in enumerate(explore(rules, 2, starting(rules, 2)), 1):
        missing.discard(player)
        if not missing and count > least:
            return True
    return False


def _reached(steps: dict[Player, set[Player]], player: Player) -> set[Player]:
    found, waiting = {player}, [player]
    while waiting:
        new = steps.get(waiting.pop(), set()) - found
        found |= new
        waiting.extend(new)
    return found
