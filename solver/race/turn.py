"""The turn automaton: one turn of a race game as a small graph.

A turn state is ``(total, slot)``. The total is what the turn has gathered, in steps
of the ruleset; the slot says what is thrown next and whether stopping is allowed
there. Whatever a rule says about a turn ends up here as slots, rolls and options;
nothing here knows scores, players or opponents.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from math import prod
from operator import or_
from typing import NamedTuple

from solver.combos import Hold, Scoring
from solver.dice import Die, Multiset, throw_ways
from solver.errors import RulesetError, SolverError
from solver.race.rules import RaceRules
from solver.text import _

BUST = 0
"""The forced end of a turn by a throw that brings nothing."""


class Slot(NamedTuple):
    """What is thrown next."""

    dice: int
    """Number of dice."""
    may_stop: bool
    """Whether the turn may be ended instead."""


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
    start: int
    """Slot of the first throw of a turn."""
    rolls: tuple[tuple[Roll, ...], ...]
    """By slot."""
    bust: tuple[Fraction, ...]
    """By slot, the exact chance that the throw ends the turn without result."""
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
    """[slots], the kind of stop made there, -1 where stopping is not allowed."""

    @property
    def stop_kinds(self) -> int:
        """Number of kinds of stop."""
        return 1

    @property
    def ends(self) -> int:
        """Number of kinds of forced end."""
        return grid_shape(self.end_chance)[1]


class TurnRules:
    """The part of the rules that a turn needs, and how a hold leads to the next slot."""

    def __init__(self, rules: RaceRules) -> None:
        self.dice: list[Die] = rules.dice_set()
        self.scoring: Scoring = rules.scoring()
        self.step = rules.match.step
        self.hot_must_throw = rules.dice.hot_dice == "must"

    @property
    def first(self) -> Slot:
        """A turn begins with all dice and at least one throw."""
        return Slot(len(self.dice), may_stop=False)

    def after(self, slot: Slot, hold: Hold) -> Slot:
        """What is thrown next when these dice are held; all of them used brings all back."""
        left = slot.dice - sum(hold.dice)
        return Slot(left, may_stop=True) if left else Slot(len(self.dice), may_stop=not self.hot_must_throw)

    def throws(self, slot: Slot) -> dict[Multiset, int]:
        """Every throw of a slot with its ways."""
        return throw_ways(self.dice[: slot.dice])

    def options(self, slot: Slot, throw: Multiset) -> dict[tuple[int, Slot], list[Hold]]:
        """The holds of a throw, grouped by what they lead to: points and the next slot."""
        found: dict[tuple[int, Slot], list[Hold]] = defaultdict(list)
        for hold in self.scoring.holds(throw):
            found[hold.points, self.after(slot, hold)].append(hold)
        return found


def compile_turn(rules: RaceRules) -> TurnGraph:
    """The graph of a turn under these rules. RulesetError if a turn could go on for ever."""
    turn = TurnRules(rules)
    rolls: dict[Slot, dict[frozenset[tuple[int, Slot]], int]] = {}
    waiting = [turn.first]
    while waiting:
        slot = waiting.pop()
        if slot in rolls:
            continue
        rolls[slot] = defaultdict(int)
        for throw, ways in turn.throws(slot).items():
            options = frozenset(turn.options(slot, throw))
            rolls[slot][options] += ways
            waiting += [following for _points, following in options if following not in rolls]
    order = _evaluation_order(rolls)
    _check_turns_end(rolls, order)
    index = {slot: number for number, slot in enumerate(order)}
    by_slot = []
    bust = []
    for slot in order:
        total = prod(sum(die.weights) for die in turn.dice[: slot.dice])
        merged = [
            Roll(ways, tuple(sorted(Option(points // turn.step, index[following]) for points, following in options)))
            for options, ways in rolls[slot].items()
            if options
        ]
        by_slot.append(tuple(sorted(merged, key=lambda roll: (len(roll.options) > 1, roll.options))))
        bust.append(Fraction(rolls[slot].get(frozenset(), 0), total))
    return _flatten(order, index[turn.first], by_slot, bust)


def reachable_totals(graph: TurnGraph, highest: int) -> list[int]:
    """For each slot the totals up to ``highest`` at which a turn can be there, as the bits of an integer."""
    mask = (1 << (highest + 1)) - 1
    reached = [0] * len(graph.slots)
    reached[graph.start] = 1
    options = [{option for roll in rolls for option in roll.options} for rolls in graph.rolls]
    fresh = [graph.start]
    while fresh:
        slot = fresh.pop()
        for gain, following in options[slot]:
            grown = reached[following] | (reached[slot] << gain & mask)
            if grown != reached[following]:
                reached[following] = grown
                if following not in fresh:
                    fresh.append(following)
    return reached


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
    for _round in range(10_000):
        chances = iter(graph.roll_chance)
        more = [
            1.0 + sum(next(chances) * max(throws[option.slot] for option in roll.options) for roll in rolls)
            for rolls in graph.rolls
        ]
        # With more <= (1 + d) throws, c throws bounds the limit if c d throws <= c - 1; here d = 1e-6 and c = 1.01.
        if all(now <= before * (1.0 + 1e-6) for now, before in zip(more, throws, strict=True)) and max(throws) < 9000.0:
            return max(throws) * 1.01
        throws = more
    raise SolverError(_("a turn may take too many throws"))


def _evaluation_order(rolls: dict[Slot, dict[frozenset[tuple[int, Slot]], int]]) -> list[Slot]:
    """Slots such that an option which adds nothing leads to an earlier one; RulesetError if there is none."""
    order: list[Slot] = []
    visiting: set[Slot] = set()

    def visit(slot: Slot) -> None:
        if slot in order:
            return
        if slot in visiting:
            raise RulesetError(_("a turn could go on for ever without points, throwing {n} dice").format(n=slot.dice))
        visiting.add(slot)
        for options in rolls[slot]:
            for points, following in sorted(options):
                if points == 0:
                    visit(following)
        order.append(slot)

    for slot in sorted(rolls):
        visit(slot)
    return order


def _check_turns_end(rolls: dict[Slot, dict[frozenset[tuple[int, Slot]], int]], order: list[Slot]) -> None:
    """Refuse rules under which a player can be caught in a turn that neither busts nor may be stopped."""
    ending = {slot for slot in order if slot.may_stop or frozenset() in rolls[slot]}
    while grown := {
        slot
        for slot in order
        if slot not in ending and any(f in ending for options in rolls[slot] for _points, f in options)
    }:
        ending |= grown
    for slot in order:
        if slot not in ending:
            raise RulesetError(_("a turn could never end, throwing {n} dice").format(n=slot.dice))


def _flatten(slots: list[Slot], start: int, by_slot: list[tuple[Roll, ...]], bust: list[Fraction]) -> TurnGraph:
    rolls = [roll for group in by_slot for roll in group]
    totals = [sum(roll.ways for roll in group) for group in by_slot]
    chances = [
        float(Fraction(roll.ways, total) * (1 - lost))
        for group, total, lost in zip(by_slot, totals, bust, strict=True)
        for roll in group
    ]
    options = [option for roll in rolls for option in roll.options]

    def pointers(lengths: list[int]) -> array[int]:
        return array("i", accumulate(lengths, initial=0))

    roll_ptr = pointers([len(group) for group in by_slot])
    forced = [sum(len(roll.options) == 1 for roll in group) for group in by_slot]
    return TurnGraph(
        slots=tuple(slots),
        start=start,
        rolls=tuple(by_slot),
        bust=tuple(bust),
        roll_ptr=roll_ptr,
        roll_chance=array("d", chances),
        choice_ptr=array("i", [first + count for first, count in zip(roll_ptr, forced, strict=False)]),
        option_ptr=pointers([len(roll.options) for roll in rolls]),
        option_gain=array("i", [option.gain for option in options]),
        option_slot=array("i", [option.slot for option in options]),
        option_offset=array("i", [option.gain * len(slots) + option.slot for option in options]),
        end_chance=grid([[float(lost)] for lost in bust]),
        stop_kind=array("i", [0 if slot.may_stop else -1 for slot in slots]),
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
