"""The turn automaton: one turn of a race game as a small graph.

A turn state is ``(total, slot)``. The total is what the turn has gathered, in steps
of the ruleset; the slot says what is thrown next and whether stopping is allowed
there. Whatever a rule says about a turn ends up here as slots, rolls and options;
nothing here knows scores, players or opponents.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from functools import lru_cache, reduce
from itertools import accumulate
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from solver.errors import SolverError, UnplayableError
from solver.race.rules import INSTANT_WIN, End, RaceRules, Start
from solver.race.slots import Options, Slot, TurnRules
from solver.text import _, plural

if TYPE_CHECKING:
    from fractions import Fraction

Rolls = dict[int, dict[Options, int]]
"""By number of a slot: the options that a throw may bring, with the ways."""


class Option(NamedTuple):
    """One way to go on after a throw."""

    gain: int
    """Steps added to the turn total."""
    slot: int


class Roll(NamedTuple):
    """Throws that offer the same options."""

    ways: int
    options: tuple[Option, ...]


class TurnGraph(NamedTuple):
    """A turn, as Python objects for reading and as flat arrays for the kernels.

    The arrays are plain buffers, not NumPy's, whose import would take longer than most answers.
    """

    slots: tuple[Slot, ...]
    starts: dict[Start, int]
    """Slots in which a turn can begin; that of the first turn of a match comes first."""
    rolls: tuple[tuple[Roll, ...], ...]
    """By slot."""
    ways: tuple[int, ...]
    """By slot, those of all throws; 1 where nothing is thrown."""
    bust_ways: tuple[int, ...]
    """By slot, those of the throws that end the turn without result; 0 where nothing is thrown."""
    roll_ptr: array[int]
    """[slots + 1], first roll of each slot."""
    roll_chance: array[float]
    """[rolls], probability."""
    choice_ptr: array[int]
    """[slots], first roll of each slot that offers more than one option: those come last."""
    option_ptr: array[int]
    """[rolls + 1], first option of each roll."""
    option_gain: array[int]
    """[options], steps."""
    option_slot: array[int]
    """[options]."""
    option_offset: array[int]
    """[options], gain * slots + slot: where the option leads, counted in turn states from its total."""
    end_chance: memoryview[float]
    """[slots, ends] of float64, probability of each kind of forced end."""
    stop_kind: array[int]
    """[slots], the kind k of stop made there; -1 - k where stopping is not allowed, and ``stop_kinds`` + k where it
    must be done as soon as the total allows it."""
    stop_kinds: int
    """Number of kinds of stop."""
    end_names: tuple[End, ...]
    """The kinds of forced end."""

    @property
    def start(self) -> int:
        """Slot in which the first turn of a match begins."""
        return next(iter(self.starts.values()))

    @property
    def ends(self) -> int:
        """Number of kinds of forced end."""
        return grid_shape(self.end_chance)[1]

    @property
    def bust(self) -> tuple[Fraction, ...]:
        """By slot, the exact chance that the throw ends the turn without result."""
        from fractions import Fraction  # slow to import, and not on the way to advice

        return tuple(map(Fraction, self.bust_ways, self.ways))

    def bust_chance(self, slot: int) -> float:
        """The chance that the throw of a slot ends the turn without result, rounded once."""
        return self.bust_ways[slot] / self.ways[slot]


def compile_turn(rules: RaceRules) -> TurnGraph:
    """The graph of a turn under these rules. UnplayableError if a turn could go on for ever.

    It is the same for all that ends a match, and kept for whoever asks again.
    """
    return _compiled(rules.within_turns())


@lru_cache(maxsize=8)
def _compiled(rules: RaceRules) -> TurnGraph:
    turn = TurnRules(rules)
    rolls: Rolls = {}
    ends: dict[int, dict[End, int]] = {}
    waiting = [turn.number(turn.begin(start)) for start in turn.starts]
    while waiting:
        number = waiting.pop()
        if number in rolls:
            continue
        slot, here, over = turn.known[number], defaultdict[Options, int](int), defaultdict[End, int](int)
        rolls[number], ends[number] = here, over
        if slot.ends:  # where the total does not allow the stop, the turn brings nothing
            over[turn.nothing(slot)] = 1
        elif slot.offered:
            here[frozenset((0, turn.number(following)) for following in turn.offers(slot))] = 1
        else:
            for outcome, ways in turn.outcomes(slot):
                if isinstance(outcome, End):
                    over[outcome] += ways
                else:
                    here[outcome] += ways
        waiting += {following for options in here for _points, following in options} - set(rolls)
    order = _evaluation_order(turn, rolls)
    _check_turns_end(turn, rolls, ends, order)
    graph = _flatten(turn, order, rolls, ends)
    try:
        _most_throws(graph)
    except SolverError as error:
        where = "dice.loaded" if rules.dice.loaded else "combinations"
        raise UnplayableError(_("{where}: {why}").format(where=where, why=error)) from None
    return graph


def reachable_totals(graph: TurnGraph, highest: int, start: int | None = None) -> list[int]:
    """For each slot the totals up to ``highest`` at which a turn can be there, as the bits of an integer.

    The turn begins in the slot ``start``, or in any in which a turn can begin.
    """
    mask = (1 << (highest + 1)) - 1
    reached = [0] * len(graph.slots)
    fresh = list(graph.starts.values()) if start is None else [start]
    for slot in fresh:
        reached[slot] = 1
    options = [{option for roll in rolls for option in roll.options} for rolls in graph.rolls]
    while fresh:
        slot = fresh.pop()
        for gain, following in options[slot]:
            grown = reached[following] | (reached[slot] << gain & mask)
            if grown != reached[following]:
                reached[following] = grown
                if following not in fresh:
                    fresh.append(following)
    return reached


def may_leave(rules: RaceRules, dice: int, points: int) -> bool:
    """Whether a turn can be stopped with so many dice left and points gathered, as far as the dice are concerned."""
    graph, total = compile_turn(rules), points // rules.match.step
    reached = reachable_totals(graph, total, graph.start)
    return any(
        slot.may_stop and slot.dice == dice and bits >> total & 1
        for slot, bits in zip(graph.slots, reached, strict=True)
    )


def possible_totals(graph: TurnGraph, highest: int) -> tuple[int, int]:
    """The totals up to ``highest`` at which a turn can be, where stopping is allowed and at all, as bits."""
    reached = reachable_totals(graph, highest)
    stops = [bits for bits, slot in zip(reached, graph.slots, strict=True) if slot.may_stop]
    return reduce(or_, stops, 0), reduce(or_, reached, 0)


def rounding_bound(graph: TurnGraph, size: float) -> float:
    """Bound on the rounding error of the value of a turn, when no ending is worth more than ``size`` either way.

    A throw adds up one product for each roll and each forced end; each is off by at most a unit roundoff, and errors
    of later throws arrive weighted by their chance. So the error is at most the roundoff of one throw times the
    largest expected number of throws; doubled, to cover terms of second order.
    """
    terms = max(len(rolls) for rolls in graph.rolls) + graph.ends
    return 2.0 * 2.0**-53 * size * (terms + 4) * (_most_throws(graph) + 2.0)


def _most_throws(graph: TurnGraph) -> float:
    """An upper bound on the expected number of throws of a turn that is never stopped."""
    throws = [1.0] * len(graph.slots)
    chances = iter(graph.roll_chance)
    alike: list[defaultdict[tuple[int, ...], float]] = [defaultdict(float) for _slot in graph.slots]
    for found, rolls in zip(alike, graph.rolls, strict=True):
        for roll in rolls:
            found[tuple(sorted({option.slot for option in roll.options}))] += next(chances)
    for _round in range(10_000):
        more = [
            1.0 + sum(chance * max(map(throws.__getitem__, slots)) for slots, chance in found.items())
            for found in alike
        ]
        # With more <= (1 + d) throws, c throws bounds the limit if c d throws <= c - 1; here d = 1e-6 and c = 1.01.
        if all(now <= before * (1.0 + 1e-6) for now, before in zip(more, throws, strict=True)) and max(throws) < 9000.0:
            return max(throws) * 1.01
        throws = more
    raise SolverError(_("a turn may take too many throws"))


def _evaluation_order(turn: TurnRules, rolls: Rolls) -> list[int]:
    """Slots such that an option which adds nothing leads to an earlier one; UnplayableError if there is none."""
    order: list[int] = []
    visiting: set[int] = set()

    def visit(number: int) -> None:
        if number in order:
            return
        if number in visiting:
            text = plural(
                "combinations: a turn could go on for ever without points, throwing {count} die",
                "combinations: a turn could go on for ever without points, throwing {count} dice",
                turn.known[number].dice,
            )
            raise UnplayableError(text.format(count=turn.known[number].dice))
        visiting.add(number)
        for options in rolls[number]:
            for following in sorted((after for points, after in options if points == 0), key=turn.known.__getitem__):
                visit(following)
        order.append(number)

    for number in sorted(rolls, key=turn.known.__getitem__):
        visit(number)
    return order


def _check_turns_end(turn: TurnRules, rolls: Rolls, ends: dict[int, dict[End, int]], order: list[int]) -> None:
    """Refuse rules under which a player can be caught in a turn that neither busts nor may be stopped."""
    ending = {number for number in order if turn.known[number].may_stop or ends[number]}
    while grown := {
        number
        for number in order
        if number not in ending and any(f in ending for options in rolls[number] for _points, f in options)
    }:
        ending |= grown
    for number in order:
        if number not in ending:
            text = plural(
                "dice: a turn could never end, throwing {count} die",
                "dice: a turn could never end, throwing {count} dice",
                turn.known[number].dice,
            )
            raise UnplayableError(text.format(count=turn.known[number].dice))


def _flatten(turn: TurnRules, order: list[int], rolls_of: Rolls, ends: dict[int, dict[End, int]]) -> TurnGraph:
    slots = [turn.known[number] for number in order]
    place = {number: index for index, number in enumerate(order)}
    pairs = {pair for number in order for options in rolls_of[number] for pair in options}
    option_of = {pair: Option(pair[0] // turn.step, place[pair[1]]) for pair in pairs}
    index = {slot: number for number, slot in enumerate(slots)}
    throws = [1 if slot.ends or slot.offered else turn.ways(slot) for slot in slots]
    by_slot = []
    for number in order:
        merged = [
            Roll(count, tuple(sorted(map(option_of.__getitem__, options))))
            for options, count in rolls_of[number].items()
        ]
        by_slot.append(tuple(sorted(merged, key=lambda roll: (len(roll.options) > 1, roll.options))))
    rolls = [roll for group in by_slot for roll in group]
    options = [option for roll in rolls for option in roll.options]

    def pointers(lengths: list[int]) -> array[int]:
        return array("i", accumulate(lengths, initial=0))

    def stop_kind(slot: Slot) -> int:
        kind = turn.stops.index(turn.stop_kind(slot))
        if slot.ends:
            return len(turn.stops) + kind
        return kind if slot.may_stop else -1 - kind

    roll_ptr = pointers([len(group) for group in by_slot])
    forced = [sum(len(roll.options) == 1 for roll in group) for group in by_slot]
    return TurnGraph(
        slots=tuple(slots),
        starts={start: index[turn.begin(start)] for start in turn.starts},
        rolls=tuple(by_slot),
        ways=tuple(throws),
        bust_ways=tuple(
            0 if slot.ends else sum(ways for end, ways in ends[number].items() if end != INSTANT_WIN)
            for slot, number in zip(slots, order, strict=True)
        ),
        roll_ptr=roll_ptr,
        # Whole numbers are divided with one rounding, however large they are.
        roll_chance=array(
            "d", [roll.ways / count for group, count in zip(by_slot, throws, strict=True) for roll in group]
        ),
        choice_ptr=array("i", [first + count for first, count in zip(roll_ptr, forced, strict=False)]),
        option_ptr=pointers([len(roll.options) for roll in rolls]),
        option_gain=array("i", [option.gain for option in options]),
        option_slot=array("i", [option.slot for option in options]),
        option_offset=array("i", [option.gain * len(slots) + option.slot for option in options]),
        end_chance=grid(
            [
                [ends[number].get(end, 0) / count for end in turn.ends]
                for number, count in zip(order, throws, strict=True)
            ]
        ),
        stop_kind=array("i", map(stop_kind, slots)),
        stop_kinds=len(turn.stops),
        end_names=turn.ends,
    )


def grid(rows: list[list[float]]) -> memoryview[float]:
    """Rows of equal length as a two-dimensional buffer of float64."""
    flat = array("d", [number for row in rows for number in row])
    return memoryview(flat).cast("B").cast("d", shape=(len(rows), len(rows[0])))


def grid_shape(buffer: memoryview[float]) -> tuple[int, int]:
    """The shape of a two-dimensional buffer."""
    shape = buffer.shape
    assert shape is not None
    return shape[0], shape[1]
