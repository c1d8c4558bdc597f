"""One turn of a race: all its throws, and its value once its ends have values."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import product
from typing import NamedTuple

from .events import PlayerState, Rules, overshoots, saturation
from .scoring import holds

Prefer = Callable[[Iterable[float]], float]
"""max for a chance to win, min for a number of turns."""

Choice = tuple[int, int]
"""Points and number of dice of one hold."""


class Position(NamedTuple):
    """A moment within a turn: `dice` may be thrown next.

    `may_stop` tells about the dice only (not the first throw, no compulsory hot dice); pits,
    opening and the like come on top.
    """

    total: int
    dice: int
    may_stop: bool


Ends = frozenset[Position | None]
"""What the holds of a throw lead to, None for passing an exact target; empty for a bust."""


class Level(NamedTuple):
    """The throws that can come up at one turn total.

    `throws` counts, by number of dice, the ordered throws with the same ends; `repeats` tells
    whether some end has the same turn total.
    """

    total: int
    throws: dict[int, Counter[Ends]]
    repeats: bool


def throw_kinds(dice: int, rules: Rules) -> Counter[frozenset[Choice]]:
    """Return how many of the ordered throws of `dice` dice offer the same holds."""
    faces = range(1, rules["dice"].get("faces", 6) + 1)
    multisets = Counter(tuple(sorted(throw)) for throw in product(faces, repeat=dice))
    kinds: Counter[frozenset[Choice]] = Counter()
    for throw, orders in multisets.items():
        held = holds(throw, rules)
        kinds[frozenset((points, len(chosen)) for chosen, points in held.items())] += orders
    return kinds


def after_hold(rules: Rules, player: PlayerState, total: int, left: int) -> Position | None:
    """Return the position with this turn total and `left` dice not held, None for an overshoot.

    Above the saturation point turn totals are counted as that point: all give the same.
    """
    if overshoots(rules, player, total):
        return None  # judged before hot dice; QA1.27: an exact hit does not spare the throw
    if rules["match"]["finish"] != "exactly":
        total = min(total, saturation(rules, player))
    if left > 0:
        return Position(total, left, True)
    if rules["dice"]["hot_dice"] not in ("may", "must"):
        raise ValueError(f"unknown hot_dice {rules['dice']['hot_dice']!r}")
    # QA1.3: a compulsory throw spares nobody, whatever aim has been reached.
    return Position(total, rules["dice"]["count"], rules["dice"]["hot_dice"] == "may")


def turn_levels(rules: Rules, kinds: dict[int, Counter[frozenset[Choice]]], player: PlayerState) -> list[Level]:
    """Return all throws of this player's turn, from the highest turn total down to 0."""
    found: defaultdict[int, dict[int, Counter[Ends]]] = defaultdict(dict)
    todo = [(0, int(rules["dice"]["count"]))]
    while todo:
        total, dice = todo.pop()
        if dice in found[total]:
            continue
        throws = found[total][dice] = Counter()
        for choices, orders in kinds[dice].items():
            ends = frozenset(after_hold(rules, player, total + points, dice - held) for points, held in choices)
            throws[ends] += orders
            todo += [(end.total, end.dice) for end in ends if end is not None]
    levels: list[Level] = []
    for total in sorted(found, reverse=True):
        by_dice = dict(sorted(found[total].items()))
        ends_here = {end for throws in by_dice.values() for ends in throws for end in ends}
        repeats = any(end is not None and end.total == total for end in ends_here)
        levels.append(Level(total, by_dice, repeats))
    return levels


def turn_ends(levels: list[Level]) -> Ends:
    """Return everything that a hold can lead to in this turn."""
    throws = [counter for level in levels for counter in level.throws.values()]
    return frozenset(end for counter in throws for ends in counter for end in ends)


def turn_value(levels: list[Level], stops: dict[int, float], bust: float, overshoot: float, prefer: Prefer) -> float:
    """Return the value of a turn, given those of a stop by turn total, a bust, an overshoot.

    Turn totals never fall, so a throw leads to its own level or to levels solved before. A level
    that leads to itself (the saturated total; holds worth 0) is swept from 0 until nothing
    changes. Its values only rise, and as a throw of all dice can bust, the limit is unique.
    """
    throwing: dict[tuple[int, int], float] = {}

    def value(end: Position | None) -> float:
        if end is None:
            return overshoot
        go_on = throwing[end.total, end.dice]
        if end.may_stop and end.total in stops:
            return prefer((stops[end.total], go_on))
        return go_on

    for level in levels:
        for dice in level.throws:
            throwing[level.total, dice] = 0.0
        again = True
        while again:
            again = False
            for dice, throws in level.throws.items():
                weighted = 0.0
                for ends, orders in throws.items():
                    best = prefer([value(end) for end in ends]) if ends else bust
                    weighted += orders * best
                new = weighted / throws.total()
                again = again or (level.repeats and new != throwing[level.total, dice])
                throwing[level.total, dice] = new
    return throwing[0, max(levels[-1].throws)]  # total 0, all dice
