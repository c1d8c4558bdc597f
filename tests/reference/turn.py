"""One turn of a race: all its throws, and its value once its ends have values."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import NamedTuple

from .scoring import holds
from .standing import PlayerState, Rules, may_stop, over_at_once, saturation

CONFIRMATION = 0
"""Stands for the number of dice where all are thrown to confirm."""

Prefer = Callable[[Iterable[float]], float]
"""max for a chance to win, min for a number of turns."""


class Choice(NamedTuple):
    """Points and number of dice of one hold, and whether it takes every scoring die at its best."""

    points: int
    dice: int
    every: bool


class Throw(NamedTuple):
    """What is thrown next, and what is known of the turn."""

    dice: int
    tries: int = 0  # second tries left if it brings nothing
    confirms: bool = False  # the turn ends with it
    first: bool = False  # the first throw of a turn in which a blank one gives a bolt
    blank: bool = False  # that first throw was blank
    bonus: int = 0  # what it brings beside its points, if it brings any
    entering: bool = False  # it must bring enough to open


class End(NamedTuple):
    """One way in which a turn ends: stop, overshoot, dump truck, nothing, instant win."""

    kind: str
    total: int
    blank: bool
    dice: int = 0  # not set aside


class Position(NamedTuple):
    """A moment within a turn.

    `may_stop` tells about the dice only (not the first throw, no compulsory hot dice); pits,
    opening and the like come on top.
    """

    total: int
    throw: Throw
    may_stop: bool


Ends = frozenset[Position | End]
"""What the holds of a throw lead to."""


class Level(NamedTuple):
    """The throws that can come up at one turn total.

    `throws` counts, by what is thrown, the ordered throws with the same ends; `repeats` tells
    whether some end has the same turn total.
    """

    total: int
    throws: dict[Throw, Counter[Ends]]
    repeats: bool


TOXIC = "toxic"
Kind = frozenset[Choice] | str | None
"""The choices after a throw; TOXIC if it ends the turn, None if it wins the match."""


def choice_kinds(dice: int, rules: Rules, *, confirms: bool = False) -> Counter[Kind]:
    """Return how many of the ordered throws of `dice` dice are of the same kind."""
    faces = range(1, rules["dice"].get("faces", 6) + 1)
    multisets = Counter(tuple(sorted(throw)) for throw in product(faces, repeat=dice))
    kinds: Counter[Kind] = Counter()
    toxic = rules.get("toxic")
    for throw, orders in multisets.items():
        if wins_at_once(throw, rules):
            kinds[None] += orders
            continue
        if toxic and throw.count(toxic["face"]) >= toxic["dice"]:
            kinds[TOXIC] += orders
            continue
        held = holds(throw, rules)
        if confirms and rules["dice"].get("confirmed_by") == "single dice":  # QA2.3 (b)
            held = held if any(str(face) in rules["combinations"]["single"] for face in throw) else {}
        best = max(((points, len(chosen)) for chosen, points in held.items()), default=None)
        kinds[
            frozenset(
                Choice(points, len(chosen), every=(points, len(chosen)) == best) for chosen, points in held.items()
            )
        ] += orders
    return kinds


def throw_kinds(dice: int, rules: Rules) -> Counter[frozenset[tuple[int, int]]]:
    """Return how many of the ordered throws of `dice` dice offer the same points and numbers of dice."""
    kinds: Counter[frozenset[tuple[int, int]]] = Counter()
    for choices, orders in choice_kinds(dice, rules).items():
        assert choices != TOXIC
        kinds[frozenset((choice.points, choice.dice) for choice in choices or ())] += orders
    return kinds


def wins_at_once(throw: tuple[int, ...], rules: Rules) -> bool:
    """Return whether a throw wins the match by itself: so many equal dice, of one face or of any."""
    if "instant_win" not in rules:
        return False
    face, dice = rules["instant_win"].get("face", "any"), rules["instant_win"]["dice"]
    return any(count >= dice and face in ("any", shown) for shown, count in Counter(throw).items())


def first_throws(rules: Rules, player: PlayerState) -> list[tuple[int, Throw]]:
    """Return the first throws between which a player may choose, each with the turn total before it."""
    tries = rules.get("second_try", {}).get("retries", 1) if "second_try" in rules else 0
    counts = rules.get("bolts", {}).get("given_for") == "first throw"
    entering = rules.get("opening", {}).get("scope") == "first throw" and not player.opened  # QB5.1 (b)
    first = Throw(rules["dice"]["count"], tries, first=counts, entering=entering)
    if not player.offered:
        return [(0, first)]
    taken = first._replace(dice=player.offered, bonus=rules["inherited_dice"]["bonus"])
    return [(0, first), (player.banked, taken)]  # QB1.7; QB3.4: with the points as well


def after_blank(throw: Throw, total: int) -> Position | End:
    """Return what follows a throw that brings nothing."""
    blank = throw.blank or throw.first
    if throw.tries:
        return Position(total, throw._replace(tries=throw.tries - 1, first=False, blank=blank), may_stop=False)
    return End("nothing", 0, blank, throw.dice)


def after_hold(rules: Rules, player: PlayerState, total: int, throw: Throw, choice: Choice) -> Position | End | None:
    """Return what follows a hold, with the turn total before it; None if this hold is not allowed.

    Above the saturation point turn totals are counted as that point: all give the same.
    """
    hot_dice, counts_all = rules["dice"]["hot_dice"], rules["dice"].get("stop_with") == "all scoring dice"
    if throw.confirms and hot_dice == "confirm only":
        return last(rules, player, total, throw.blank)  # QA2.1 (c): its points do not count
    if throw.confirms and counts_all and not choice.every:
        return None  # the turn stops here, and a stop counts every scoring die
    gained = choice.points + throw.bonus
    if throw.entering and gained < rules["opening"]["points"]:
        return None
    total += gained
    if kind := over_at_once(rules, player, total):
        return End(kind, total, throw.blank, throw.dice - choice.dice)
    total = min(total, saturation(rules, player))
    if choice.dice < throw.dice:
        if throw.confirms:
            return last(rules, player, total, throw.blank)  # QA2.1 (b)
        # QA2.5: who stops must count every scoring die of the last throw.
        return Position(total, Throw(throw.dice - choice.dice, blank=throw.blank), choice.every or not counts_all)
    if hot_dice not in ("may", "must", "confirm and end", "confirm only"):
        raise ValueError(f"unknown hot_dice {hot_dice!r}")
    # QA1.3: a compulsory throw spares nobody, whatever aim has been reached. QA2.2: nor a confirmation.
    again = rules.get("second_try", {})
    tries = again.get("retries", 1) if again.get("throws") == "all dice" else 0
    fresh = Throw(rules["dice"]["count"], tries, confirms=hot_dice.startswith("confirm"), blank=throw.blank)
    return Position(total, fresh, hot_dice == "may" and (choice.every or not counts_all))


def last(rules: Rules, player: PlayerState, total: int, blank: bool) -> End:
    """Return the end of a turn that is over with this total, which may not suffice to be written."""
    return End("stop", total, blank) if may_stop(rules, player, total) else End("nothing", 0, blank)


def turn_levels(rules: Rules, kinds: dict[int, Counter[Kind]], player: PlayerState) -> list[Level]:
    """Return all throws of this player's turn, from the highest turn total down to 0."""
    found: defaultdict[int, dict[Throw, Counter[Ends]]] = defaultdict(dict)
    todo = first_throws(rules, player)
    while todo:
        total, throw = todo.pop()
        if throw in found[total]:
            continue
        throws = found[total][throw] = Counter()
        for choices, orders in kinds[CONFIRMATION if throw.confirms else throw.dice].items():
            ends: Ends
            if choices is None:
                ends = frozenset({End("instant win", 0, blank=False)})
            elif choices == TOXIC:
                ends = frozenset({End("nothing", 0, throw.blank or throw.first, throw.dice)})  # QB1.6
            elif not choices:
                ends = frozenset({after_blank(throw, total)})
            else:
                assert not isinstance(choices, str)
                allowed = (after_hold(rules, player, total, throw, choice) for choice in choices)
                ends = frozenset(end for end in allowed if end is not None)
                if not ends:  # not enough to enter
                    ends = frozenset({End("nothing", 0, throw.blank or throw.first, throw.dice)})
            throws[ends] += orders
            todo += [(end.total, end.throw) for end in ends if isinstance(end, Position)]
    levels: list[Level] = []
    for total in sorted(found, reverse=True):
        ends_here = {end for throws in found[total].values() for ends in throws for end in ends}
        repeats = any(isinstance(end, Position) and end.total == total for end in ends_here)
        levels.append(Level(total, dict(sorted(found[total].items())), repeats))
    return levels


def turn_ends(rules: Rules, player: PlayerState, levels: list[Level]) -> set[End]:
    """Return every way in which this turn can end, stops of the player's own choice included."""
    found: set[End] = set()
    for end in {end for level in levels for counter in level.throws.values() for ends in counter for end in ends}:
        if isinstance(end, End):
            found.add(end)
        elif end.may_stop and may_stop(rules, player, end.total):
            found.add(stop_end(rules, end))
    return found


def stop_end(rules: Rules, position: Position) -> End:
    """Return the end of a turn by a stop."""
    left = position.throw.dice
    return End("stop", position.total, position.throw.blank, left if left < rules["dice"]["count"] else 0)


def turn_value(
    rules: Rules, levels: list[Level], worth: Mapping[End, float], firsts: list[tuple[int, Throw]], prefer: Prefer
) -> float:
    """Return the value of a turn, given those of its ends, which are not negative.

    Turn totals never fall, so a throw leads to its own level or to levels solved before. A level
    that leads to itself (the saturated total; holds worth 0; second tries) is swept from 0 until
    nothing changes. Its values only rise, and as a throw of all dice can end the turn, the limit is unique.
    """
    throwing: dict[tuple[int, Throw], float] = {}

    def value(end: Position | End) -> float:
        if isinstance(end, End):
            return worth[end]
        go_on = throwing[end.total, end.throw]
        stop = worth.get(stop_end(rules, end)) if end.may_stop else None
        return go_on if stop is None else prefer((stop, go_on))

    for level in levels:
        for throw in level.throws:
            throwing[level.total, throw] = 0.0
        again = True
        while again:
            again = False
            for throw, throws in level.throws.items():
                weighted = sum(orders * prefer([value(end) for end in ends]) for ends, orders in throws.items())
                new = weighted / throws.total()
                again = again or (level.repeats and new != throwing[level.total, throw])
                throwing[level.total, throw] = new
    return prefer([throwing[first] for first in firsts])
