"""What a player can do in one position of a race game, and what each choice is worth.

Only the values of match states are stored. The turn at hand is solved anew from them by
the kernel that solved the game, so advice cannot disagree with the solution.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from solver._turn import turn_values
from solver.dice import from_faces, to_faces
from solver.race.endings import Outcome, Totals, transitions
from solver.race.leads import last_turns
from solver.race.player import Player, turn_start, without_points
from solver.race.rules import INSTANT_WIN, End, RaceRules
from solver.race.slots import BOLT, Slot, TurnRules
from solver.race.stops import MAY_STOP, TURN_ENDS, Need, highest_total, needs
from solver.race.turn import (
    Option,
    TurnGraph,
    compile_turn,
    grid,
    possible_totals,
    reachable_totals,
)
from solver.race.worth import Worth

HOT_DICE, SECOND_TRY, FEWER_HELD = "hot dice", "second try", "fewer held"
"""Duties to throw: all dice have scored; the throw brought nothing; a stop would count dice that were not held."""


class Choice(NamedTuple):
    """One thing to do after a throw."""

    hold: tuple[int, ...]
    """Faces set aside; none where a throw that brought nothing is made again."""
    points: int
    """Points of the hold."""
    turn_points: int
    """Points of the turn with it."""
    dice: int
    """Number of dice thrown next; 0 ends the turn."""
    value: float
    """What it is worth; more is better."""
    bust: float
    """Chance that the next throw brings nothing, 0 on a stop."""
    outcome: Outcome | None
    """How the turn ends, on a stop."""
    forced: bool = False
    """Whether the turn ends whatever the player wants."""
    duty: str = ""
    """Why the dice forbid to stop instead of throwing, if they do: HOT_DICE, SECOND_TRY or FEWER_HELD."""

    @property
    def stop(self) -> bool:
        """Whether the turn ends."""
        return self.dice == 0


class Block(NamedTuple):
    """Why a stop is not allowed."""

    needs: list[Need]
    """Least turn totals that are not reached."""
    duty: str
    """Why the dice forbid it, if they do."""
    on_target: bool
    """Whether the score would be the target itself, where it must be passed."""


class Decision(NamedTuple):
    """A turn total between two throws, where a player decides whether to stop."""

    points: int
    """The turn total."""
    stop: float | None
    """What it is worth to stop; None where that is not allowed."""
    best: float
    """What the better choice is worth."""


class StopRule(NamedTuple):
    """Where to stop with a number of dice left."""

    dice: int
    totals: list[tuple[int, int | None]]
    """Runs of turn totals in points, both ends included; None for no upper end."""
    pool: tuple[int, ...] = ()
    """How many dice of each kind are left; nothing where all dice are alike."""


class Beginning(NamedTuple):
    """A way to begin a turn where there is a choice."""

    dice: int
    """Dice thrown first."""
    turn_points: int
    """The turn total before that throw: points that come with dice taken over."""
    value: float
    """What it is worth; more is better."""


class Waits(NamedTuple):
    """What a turn is worth that had better bring nothing."""

    stop: float
    """The best of all stops."""
    bust: float
    """A throw that brings nothing."""
    still: bool
    """Whether that leaves the player as he was."""


class Turn:
    """The turn of one player at one match state, solved."""

    def __init__(self, rules: RaceRules, player: Player, worth: Worth) -> None:
        self.rules = rules
        self.player = player
        self.step = rules.match.step
        self.graph: TurnGraph = compile_turn(rules)
        self._turn = TurnRules(rules)
        self._sides = rules.dice.faces * len(self._turn.kinds)
        # Only totals that dice can make: the table need not know what others would lead to.
        last = last_turns(rules)
        most_lead = last.most_lead if last else 0
        highest = highest_total(rules, player, most_lead) // self.step + max(self.graph.option_gain)
        self._reached = transitions(rules, player, Totals(*possible_totals(self.graph, highest), most_lead))
        plain = without_points(player)
        self._start = self.graph.starts[turn_start(rules, plain)]
        # Where points come with dice left over, that is the other way to begin.
        self._going_on = self.graph.starts[turn_start(rules, player)] if player.banked else None
        self.highest = len(self._reached.modes) - 1
        self._value_by(worth)

    def against(self, worth: Worth) -> "Turn":
        """The same turn where endings are worth something else, against another opponent; sooner than anew."""
        from copy import copy  # not on the way to advice

        turn = copy(self)
        turn._value_by(worth)
        return turn

    def _value_by(self, worth: Worth) -> None:
        graph = self.graph
        self._stops = grid(
            [[0.0 if outcome is None else worth(outcome) for outcome in kinds] for kinds in self._reached.stops]
        )
        self._ends = array("d", [worth(outcome) for outcome in self._reached.ends])
        self._values = grid([[0.0] * len(graph.slots)] * (self.highest + 1))
        turn_values(
            graph.roll_ptr, graph.roll_chance, graph.choice_ptr, graph.option_ptr, graph.option_gain,
            graph.option_slot, graph.option_offset, graph.end_chance, graph.stop_kind,
            array("B", self._reached.modes), self._stops, self._ends, self._values,
        )  # fmt: skip

    @property
    def value(self) -> float:
        """What the turn is worth before the first throw."""
        return max((begin.value for begin in self.beginnings()), default=float(self._values[0, self._start]))

    def beginnings(self) -> list[Beginning]:
        """The ways to begin where dice have been left over, a fresh turn first; none where there is no choice."""
        if not self.player.offered:
            return []
        dice, points = self.player.offered, self.player.banked
        if self._going_on is not None:
            total = min(points // self.step, self.highest)
            fresh, taken = self._values[0, self._start], self._values[total, self._going_on]
        else:
            fresh, taken = (
                self._throw_value(0, self.graph.slots.index(slot))
                for slot in self._turn.offers(self.graph.slots[self._start])
            )
        return [Beginning(self.rules.dice.count, 0, float(fresh)), Beginning(dice, points, float(taken))]

    @cached_property
    def _reached_totals(self) -> list[int]:
        return self._reachable(self.highest + max(self.graph.option_gain) + self.player.banked // self.step)

    def _reachable(self, highest: int) -> list[int]:
        """For each slot the totals up to ``highest`` at which this turn can be there, as the bits of an integer."""
        fresh = reachable_totals(self.graph, highest, self._start)
        banked = self.player.banked // self.step
        if self._going_on is None or banked > highest:
            return fresh
        going_on = reachable_totals(self.graph, highest - banked, self._going_on)
        return [bits | more << banked for bits, more in zip(fresh, going_on, strict=True)]

    def end(self, slot: int, throw: tuple[int, ...]) -> tuple[End, float, Outcome] | None:
        """How a throw in a slot ends the turn, if it does: the kind, what is left, and the outcome."""
        kind = self._turn.end(self.graph.slots[slot], from_faces(throw, self._sides))
        return None if kind is None else (kind, *self._ended(kind))

    def lost(self) -> Outcome:
        """How a turn ends that is lost before its first throw."""
        outcome = self._reached.stops[0][0]
        assert self.player.skips
        assert outcome is not None
        return outcome

    def pool(self, throw: tuple[int, ...]) -> tuple[int, ...]:
        """How many dice of each kind a throw is of; nothing where all dice are alike."""
        kinds = [(number - 1) // self.rules.dice.faces for number in throw]
        return tuple(map(kinds.count, range(len(self._turn.kinds)))) if len(self._turn.kinds) > 1 else ()

    def slot_of(
        self, dice: int, turn_points: int, tries: int = 0, *, blank: bool = False, pool: tuple[int, ...] = ()
    ) -> int | None:
        """The slot in which so many dice are thrown at a turn total, or None if no turn gets there.

        ``pool`` tells of which kinds the dice are; ``tries`` counts the second tries used for it; ``blank`` tells
        of a bolt for the first throw.
        """
        total = turn_points // self.step
        if turn_points % self.step or self._mode(total) == TURN_ENDS:
            return None
        retries = self._turn.retries(dice, first=total == 0) - tries
        blank = blank or (tries > 0 and total == 0 and self.rules.blank_counts())
        reached = self._reachable(total)
        for number in self._slots_of(dice, pool, retries, blank=blank):
            if reached[number] >> total & 1:
                return number
        return None

    def nearest_slot(self, dice: int, turn_points: int, pool: tuple[int, ...] = ()) -> int | None:
        """The slot in which so many dice are thrown in the middle of a turn, whatever its total; None if it is over."""
        total = turn_points // self.step
        if not total or turn_points % self.step or self._mode(total) == TURN_ENDS:
            return None
        found = self._slots_of(dice, pool, self._turn.retries(dice, first=False), blank=False)
        return next((number for number in found if self.graph.slots[number].may_stop), None)

    def _slots_of(self, dice: int, pool: tuple[int, ...], retries: int, *, blank: bool) -> list[int]:
        """Slots in which so many dice are thrown, dice taken over first."""
        found = [
            (not slot.inherited, number)
            for number, slot in enumerate(self.graph.slots)
            if (slot.dice, slot.pool, slot.retries, slot.bolt == BOLT) == (dice, pool, retries, blank) and dice
        ]
        return [number for _fresh, number in sorted(found)]

    def choices(self, slot: int, throw: tuple[int, ...], turn_points: int) -> list[Choice]:
        """Everything that the player may do after a throw in a slot; empty on a bust. Not sorted."""
        counts = from_faces(throw, self._sides)
        if (ended := self.end(slot, throw)) is not None:
            kind, worth, outcome = ended
            points = self._turn.scoring.best_reading(self._turn.shown(counts)).points
            won = Choice(throw, points, turn_points + points, 0, worth, 0.0, outcome, forced=True)
            return [won] if kind == INSTANT_WIN else []
        found = []
        for (points, following), holds in self._turn.options(self.graph.slots[slot], counts).items():
            for hold in holds:
                faces, gathered = to_faces(hold.dice), turn_points + points
                if stop := self._stop(following, gathered):
                    worth, outcome, forced = stop
                    found.append(Choice(faces, points, gathered, 0, worth, 0.0, outcome, forced))
                if stop is None or not forced:
                    found.append(self._throw(faces, points, gathered, following))
        return found

    def _stop(self, slot: Slot, turn_points: int) -> tuple[float, Outcome, bool] | None:
        """What a stop at a slot is worth and leads to, if there is one, and whether the turn ends there anyway."""
        mode, capped = self._mode(turn_points // self.step), min(turn_points // self.step, self.highest)
        forced = mode == TURN_ENDS or slot.ends
        kind = self._turn.stops.index(self._turn.stop_kind(slot))
        outcome = self._reached.stops[capped][kind]
        if mode == TURN_ENDS or (mode == MAY_STOP and slot.may_stop):
            assert outcome is not None
            return float(self._stops[capped, kind]), outcome, forced
        # A turn that is over before its points may be written brings nothing.
        return (*self._ended(self._turn.nothing(slot)), True) if forced else None

    def _throw(self, hold: tuple[int, ...], points: int, turn_points: int, slot: Slot) -> Choice:
        number = self.graph.slots.index(slot)
        worth = self._throw_value(min(turn_points // self.step, self.highest), number)
        duty = ""
        if not slot.may_stop:
            duty = SECOND_TRY if not hold else HOT_DICE if slot.dice == self._turn.first.dice else FEWER_HELD
        return Choice(hold, points, turn_points, slot.dice, worth, self.graph.bust_chance(number), None, duty=duty)

    def _ended(self, kind: End) -> tuple[float, Outcome]:
        number = self._turn.ends.index(kind)
        return float(self._ends[number]), self._reached.ends[number]

    def block(self, choice: Choice) -> Block:
        """Why the player may not stop where this choice throws on; nothing in it if he may."""
        missing = [need for need in needs(self.rules, self.player) if choice.turn_points < need.points]
        match = self.rules.match
        on_target = match.finish == "more than" and self.player.score + choice.turn_points == match.target
        return Block(missing, choice.duty, on_target and not any(need.rule == "barrel" for need in missing))

    def decisions(self, slot: int) -> Iterator[Decision]:
        """What the player decides in a slot, at every total with which a turn can be there, from the lowest on."""
        # The highest total that matters stands for all above it.
        reached = self._reached_totals[slot]
        for total in range(self.highest + 1):
            if reached >> total & (1 if total < self.highest else -1):
                stop = self._stop_value(total, slot) if self._mode(total) == MAY_STOP else None
                yield Decision(total * self.step, stop, float(self._values[total, slot]))

    def throw_value(self, slot: int, points: int) -> float:
        """What it is worth to throw in a slot at a turn total."""
        return self._throw_value(min(points // self.step, self.highest), slot)

    def plan(self, tie: float) -> list[StopRule]:
        """For each number of dice left, the totals at which to stop; ``tie`` is what counts as equal."""
        found = []
        for number, slot in self._stopping_slots():
            runs: list[tuple[int, int | None]] = []
            stopped = False
            for points, worth, best in self.decisions(number):
                stop = worth is not None and worth >= best - tie
                if stop and stopped:
                    runs[-1] = (runs[-1][0], points)
                elif stop:
                    runs.append((points, points))
                stopped = stop
            if runs and stopped:
                runs[-1] = (runs[-1][0], None)
            found.append(StopRule(slot.dice, runs, slot.pool))
        return sorted(found, key=lambda rule: (-rule.dice, rule.pool))

    def first_stops(self, tie: float) -> dict[int, int | None]:
        """By number of dice left, the lowest turn total at which to stop; None for none. ``tie`` as for ``plan``."""
        return {
            slot.dice: next(
                (points for points, stop, best in self.decisions(number) if stop is not None and stop >= best - tie),
                None,
            )
            for number, slot in sorted(self._stopping_slots(), key=lambda one: one[1].pool)
        }

    def _stopping_slots(self) -> list[tuple[int, Slot]]:
        """The slots in which to decide whether to stop, which the number of dice tells apart, or their kinds."""
        slots = enumerate(self.graph.slots)
        return [(number, slot) for number, slot in slots if slot.may_stop and slot.dice and slot.bolt != BOLT]

    def waits(self, tie: float) -> Waits | None:
        """What a bust and the best stop are worth, where a bust and throwing on beat every stop that is allowed.

        None where it does not, or where no stop is ever allowed, so that there is nothing to choose. ``tie`` is what
        counts as equal.
        """
        slots = (number for number, slot in enumerate(self.graph.slots) if slot.may_stop and slot.dice)
        stops, bust = [float("-inf")], self._ends[0]
        for decision in chain.from_iterable(map(self.decisions, slots)):
            if decision.stop is not None:
                if decision.stop >= min(bust, decision.best) - tie:
                    return None
                stops.append(decision.stop)
        still = self._reached.ends[0].player == self.player
        return Waits(max(stops), bust, still) if len(stops) > 1 else None

    def chances(self, tie: float) -> dict[tuple[int, int], float]:
        """By slot and turn total in points: the chance that a turn played best comes there.

        Only below the highest total that matters, above which a turn can come to the same slot again.
        """
        graph, found = self.graph, defaultdict(float, {(self._start, 0): 1.0})
        for total in range(self.highest):
            if self._mode(total) == TURN_ENDS:
                continue
            # An option that adds nothing leads to a lower slot.
            for slot in reversed(range(len(graph.slots))):
                chance = found.get((slot, total), 0.0)
                may_stop = graph.slots[slot].may_stop and self._mode(total) == MAY_STOP
                stops = may_stop and self._stop_value(total, slot) >= self._values[total, slot] - tie
                if stops or not chance or graph.slots[slot].ends:
                    continue
                ways = graph.roll_chance[graph.roll_ptr[slot] : graph.roll_ptr[slot + 1]]
                for way, roll in zip(ways, graph.rolls[slot], strict=True):
                    best = max(roll.options, key=lambda option: self._after(total, option))
                    if total + best.gain < self.highest:
                        found[best.slot, total + best.gain] += chance * way
        return {(slot, total * self.step): chance for (slot, total), chance in found.items()}

    def _mode(self, total: int) -> int:
        return self._reached.modes[min(total, self.highest)]

    def _throw_value(self, total: int, slot: int) -> float:
        graph = self.graph
        worth = sum(graph.end_chance[slot, end] * value for end, value in enumerate(self._ends))
        chances = graph.roll_chance[graph.roll_ptr[slot] : graph.roll_ptr[slot + 1]]
        for chance, roll in zip(chances, graph.rolls[slot], strict=True):
            worth += chance * max(self._after(total, option) for option in roll.options)
        return float(worth)

    def _stop_value(self, total: int, slot: int) -> float:
        return float(self._stops[total, self.graph.stop_kind[slot] % self.graph.stop_kinds])

    def _after(self, total: int, option: Option) -> float:
        return float(self._values[min(total + option.gain, self.highest), option.slot])
