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
from solver.race.rules import BLANK, BUST, INSTANT_WIN, RaceRules
from solver.text import _

NO_BOLT, IF_BLANK, BOLT = range(3)
"""What is known of the bolt for a blank first throw: none will come of it; this is that throw; it has come."""


class Slot(NamedTuple):
    """What is thrown next."""

    dice: int
    """Number of dice; 0 where the turn ends."""
    may_stop: bool
    """Whether the turn may be ended instead; with no dice it must."""
    retries: int = 0
    """How often the throw may be made again if it brings nothing."""
    confirms: bool = False
    """Whether this throw ends the turn."""
    bolt: int = NO_BOLT
    """One of NO_BOLT, IF_BLANK, BOLT."""


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
    """By slot, the exact chance that the throw ends the turn without result; 0 where nothing is thrown."""
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
        self.ends = rules.end_kinds()
        self.stop_kinds = rules.stop_kinds()
        self._hot_dice = rules.dice.hot_dice
        self._confirming: frozenset[int] | None = None
        if rules.dice.confirmed_by == "single dice":
            self._confirming = frozenset(face for face, _points in rules.combinations.single)
        self._stop_counts_all = rules.dice.stop_with == "all scoring dice"
        self._win = rules.instant_win
        self._first_retries = rules.second_try.retries if rules.second_try else 0
        always = rules.second_try is not None and rules.second_try.throws == "all dice"
        self._hot_retries = self._first_retries if always else 0

    @property
    def first(self) -> Slot:
        """A turn begins with all dice and at least one throw."""
        bolt = IF_BLANK if BLANK in self.ends else NO_BOLT
        return Slot(len(self.dice), may_stop=False, retries=self._first_retries, bolt=bolt)

    def retries(self, dice: int, *, first: bool) -> int:
        """How often a throw of so many dice may be made again if it brings nothing."""
        if dice < len(self.dice):
            return 0
        return self._first_retries if first else self._hot_retries

    def throws(self, slot: Slot) -> dict[Multiset, int]:
        """Every throw of a slot with its ways."""
        return throw_ways(self.dice[: slot.dice])

    def end(self, slot: Slot, throw: Multiset) -> str | None:
        """The kind of forced end by which this throw ends the turn, if it does."""
        if self._wins(throw):
            return INSTANT_WIN
        if slot.retries or self._holds(slot, throw):
            return None
        return self.nothing(slot)

    def nothing(self, slot: Slot) -> str:
        """The kind of forced end by a throw of this slot that brings nothing."""
        return BLANK if slot.bolt else BUST

    def options(self, slot: Slot, throw: Multiset) -> dict[tuple[int, Slot], list[Hold]]:
        """The holds of a throw, grouped by what they lead to: points and the next slot. None where it ends the turn.

        A throw that is made again has one option, which holds no dice.
        """
        found: dict[tuple[int, Slot], list[Hold]] = defaultdict(list)
        if self._wins(throw):
            return found
        holds = self._holds(slot, throw)
        if not holds and slot.retries:
            again = slot._replace(may_stop=False, retries=slot.retries - 1, bolt=_given(slot.bolt and BOLT))
            return {(0, again): [Hold((0,) * len(throw), 0)]}
        if slot.confirms and self._hot_dice == "confirm only":
            return {(0, self._last(slot)): holds} if holds else found
        best = self.scoring.best_reading(throw).dice if self._stop_counts_all else None
        for hold in holds:
            all_count = best is None or hold.dice == best
            if all_count or not slot.confirms:  # the stop that a confirmation brings counts every scoring die as well
                found[hold.points, self._after(slot, hold, may_stop=all_count)].append(hold)
        return found

    def _holds(self, slot: Slot, throw: Multiset) -> list[Hold]:
        """The holds that a throw offers here."""
        if slot.confirms and self._confirming is not None and not any(throw[face - 1] for face in self._confirming):
            return []
        return self.scoring.holds(throw)

    def _after(self, slot: Slot, hold: Hold, *, may_stop: bool) -> Slot:
        """What is thrown next when these dice are held; all of them used brings all back."""
        left, bolt = slot.dice - sum(hold.dice), _given(slot.bolt)
        if left and slot.confirms:
            return self._last(slot)
        if left:
            return Slot(left, may_stop, bolt=bolt)
        confirms = self._hot_dice.startswith("confirm")
        may_stop = may_stop and self._hot_dice == "may"
        return Slot(len(self.dice), may_stop, self._hot_retries, confirms, bolt)

    def _last(self, slot: Slot) -> Slot:
        """No throw follows."""
        return Slot(0, may_stop=True, bolt=_given(slot.bolt))

    def _wins(self, throw: Multiset) -> bool:
        if self._win is None:
            return False
        most = throw[self._win.face - 1] if self._win.face else max(throw)
        return most >= self._win.dice


def _given(bolt: int) -> int:
    """What is known of the bolt after the first throw."""
    return BOLT if bolt == BOLT else NO_BOLT


def compile_turn(rules: RaceRules) -> TurnGraph:
    """The graph of a turn under these rules. RulesetError if a turn could go on for ever."""
    turn = TurnRules(rules)
    rolls: dict[Slot, dict[frozenset[tuple[int, Slot]], int]] = {}
    ends: dict[Slot, dict[str, int]] = {}
    waiting = [turn.first]
    while waiting:
        slot = waiting.pop()
        if slot in rolls:
            continue
        rolls[slot], ends[slot] = defaultdict(int), defaultdict(int)
        if not slot.dice:  # where the total does not allow the stop, the turn brings nothing
            ends[slot][turn.nothing(slot)] = 1
            continue
        for throw, ways in turn.throws(slot).items():
            if end := turn.end(slot, throw):
                ends[slot][end] += ways
                continue
            options = frozenset(turn.options(slot, throw))
            rolls[slot][options] += ways
            waiting += [following for _points, following in options if following not in rolls]
    order = _evaluation_order(rolls)
    _check_turns_end(rolls, ends, order)
    return _flatten(turn, order, rolls, ends)


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


def _check_turns_end(
    rolls: dict[Slot, dict[frozenset[tuple[int, Slot]], int]], ends: dict[Slot, dict[str, int]], order: list[Slot]
) -> None:
    """Refuse rules under which a player can be caught in a turn that neither busts nor may be stopped."""
    ending = {slot for slot in order if slot.may_stop or ends[slot]}
    while grown := {
        slot
        for slot in order
        if slot not in ending and any(f in ending for options in rolls[slot] for _points, f in options)
    }:
        ending |= grown
    for slot in order:
        if slot not in ending:
            raise RulesetError(_("a turn could never end, throwing {n} dice").format(n=slot.dice))


def _flatten(
    turn: TurnRules,
    slots: list[Slot],
    ways: dict[Slot, dict[frozenset[tuple[int, Slot]], int]],
    ends: dict[Slot, dict[str, int]],
) -> TurnGraph:
    index = {slot: number for number, slot in enumerate(slots)}
    throws = [prod(sum(die.weights) for die in turn.dice[: slot.dice]) for slot in slots]
    by_slot = []
    for slot in slots:
        merged = [
            Roll(count, tuple(sorted(Option(points // turn.step, index[following]) for points, following in options)))
            for options, count in ways[slot].items()
        ]
        by_slot.append(tuple(sorted(merged, key=lambda roll: (len(roll.options) > 1, roll.options))))
    rolls = [roll for group in by_slot for roll in group]
    options = [option for roll in rolls for option in roll.options]
    chances = [
        [Fraction(ends[slot].get(end, 0), count) for end in turn.ends]
        for slot, count in zip(slots, throws, strict=True)
    ]

    def pointers(lengths: list[int]) -> array[int]:
        return array("i", accumulate(lengths, initial=0))

    def stop_kind(slot: Slot) -> int:
        kind = 1 if slot.bolt == BOLT else 0
        if not slot.dice:
            return turn.stop_kinds + kind
        return kind if slot.may_stop else -1 - kind

    roll_ptr = pointers([len(group) for group in by_slot])
    forced = [sum(len(roll.options) == 1 for roll in group) for group in by_slot]
    return TurnGraph(
        slots=tuple(slots),
        start=index[turn.first],
        rolls=tuple(by_slot),
        bust=tuple(
            sum((chance for chance, end in zip(row, turn.ends, strict=True) if end != INSTANT_WIN), Fraction(0))
            if slot.dice
            else Fraction(0)
            for slot, row in zip(slots, chances, strict=True)
        ),
        roll_ptr=roll_ptr,
        roll_chance=array(
            "d",
            [float(Fraction(r.ways, count)) for group, count in zip(by_slot, throws, strict=True) for r in group],
        ),
        choice_ptr=array("i", [first + count for first, count in zip(roll_ptr, forced, strict=False)]),
        option_ptr=pointers([len(roll.options) for roll in rolls]),
        option_gain=array("i", [option.gain for option in options]),
        option_slot=array("i", [option.slot for option in options]),
        option_offset=array("i", [option.gain * len(slots) + option.slot for option in options]),
        end_chance=grid([[float(chance) for chance in row] for row in chances]),
        stop_kind=array("i", map(stop_kind, slots)),
        stop_kinds=turn.stop_kinds,
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
