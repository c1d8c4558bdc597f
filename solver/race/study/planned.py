"""One turn by a rule, looked at with the values of best play: where the rule departs, and what it costs."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.policies.policy import MOST_DICE, MOST_POINTS, Policy
from solver.race.actions import Turn
from solver.race.player import Player
from solver.race.rules import RaceRules
from solver.race.slots import Slot
from solver.race.stops import MAY_STOP, TURN_ENDS, highest_total
from solver.race.study.choices import (
    STOPS,
    THROWS,
    action_codes,
    liking,
    seen_of_opponent,
    seen_of_player,
    seen_of_stop,
)
from solver.race.turn import Option, Roll
from solver.race.worth import Worth

LEAST_CHANCE = 1e-13
"""Rarer ways through a turn are left out."""
MOST_ITERATIONS = 2000


class Departure(NamedTuple):
    """A decision of a turn in which a rule does something else than best play."""

    points: int
    """The turn total, with what is held."""
    dice: int
    """Number of dice to be thrown next."""
    does: str
    """``stop``, ``throw`` or ``hold``."""
    chance: float
    """That a turn comes to it."""
    loss: float
    """What it costs each time."""
    held: int = 0
    """For ``hold``, the points that the rule holds."""
    better: tuple[int, int] = (0, 0)
    """For ``hold``, the points that best play holds, and the dice that it leaves."""

    def held_to_json(self) -> dict[str, int]:
        """For ``hold``, the points held, and what best play holds and leaves to be thrown; nothing for others."""
        if self.does != "hold":
            return {}
        points, dice = self.better
        return {"held": self.held, "better_held": points, "better_dice": dice}


class PlannedTurn(Turn):
    """A turn with the values of best play, played by a policy.

    ``guide`` is what endings are worth to whoever chooses what the policy leaves free.
    """

    def __init__(
        self, rules: RaceRules, player: Player, opponent: Player | None, worth: Worth, policy: Policy, guide: Worth
    ) -> None:
        super().__init__(rules, player, worth)
        self._codes = self._forced(policy, opponent)
        self._hold = policy.hold
        self._one_hold = policy.hold in (MOST_POINTS, MOST_DICE)
        free = not self._one_hold or bool((self._codes > STOPS).any())
        self._liked: tuple[list[list[float]], list[list[float]], list[float]] | None = None
        if policy.is_optimal:
            self._liked = (_rows(self._values), _rows(self._stops), list(self._ends))
        elif free:
            self._liked = self._constrained(guide)

    @property
    def first_slot(self) -> Slot:
        """Where the turn begins."""
        return self.graph.slots[self._start]

    def prefers(self, total: int, ways: list[tuple[int, Slot]]) -> int:
        """Which of some holds the policy chooses at a total in steps: each with its points and what is thrown next."""
        assert self._liked is not None
        values = self._liked[0]
        worths = [
            values[min(total + points // self.step, self.highest)][self.graph.slots.index(slot)]
            for points, slot in ways
        ]
        return max(range(len(ways)), key=worths.__getitem__)

    def stops(self, total: int, slot: Slot) -> bool:
        """Whether the policy stops at a total in steps, where it may."""
        return self._stops_at(min(total, self.highest), self.graph.slots.index(slot))

    def allows(self, total: int) -> int:
        """What a total in steps allows: MUST_THROW, MAY_STOP or TURN_ENDS."""
        return self._mode(total)

    def departures(self) -> Iterator[Departure]:
        """Where the policy departs from best play, with the chance that its turn comes there."""
        mass: dict[tuple[int, int], float] = defaultdict(float, {(0, self._start): 1.0})
        held: dict[tuple[int, Option, Option], list[float]] = {}
        stops: dict[tuple[int, int], float] = defaultdict(float)
        for total in range(self.highest + 1):
            for _again in range(MOST_ITERATIONS):
                moved = False
                for slot in reversed(range(len(self.graph.slots))):
                    chance = mass.pop((total, slot), 0.0)
                    if chance <= LEAST_CHANCE or self._mode(total) == TURN_ENDS or self.graph.slots[slot].ends:
                        continue
                    if self._may_stop(total, slot):
                        stops[total, slot] += chance
                        if self._stops_at(total, slot):
                            continue
                    moved = True
                    for roll, way, option in self._rolls(slot, total):
                        best = max(roll.options, key=lambda other: self._after(total, other))
                        loss = self._after(total, best) - self._after(total, option)
                        mass[min(total + option.gain, self.highest), option.slot] += chance * way
                        if loss > 0.0:
                            entry = held.setdefault((total, option, best), [0.0, loss])
                            entry[0] += chance * way
                if not moved or total < self.highest:
                    break
        for (total, slot), chance in stops.items():
            stop, throw = self._stop_value(total, slot), self._throw_value(total, slot)
            does = "stop" if self._stops_at(total, slot) else "throw"
            loss = max(stop, throw) - (stop if does == "stop" else throw)
            if loss > 0.0:
                yield Departure(total * self.step, self.graph.slots[slot].dice, does, chance, loss)
        slots = self.graph.slots
        for (total, option, best), (chance, loss) in held.items():
            yield Departure(
                (total + option.gain) * self.step, slots[option.slot].dice, "hold", chance, loss,
                option.gain * self.step, (best.gain * self.step, slots[best.slot].dice),
            )  # fmt: skip

    def _forced(self, policy: Policy, opponent: Player | None) -> NDArray[np.uint8]:
        rules, player, slots = self.rules, self.player, self.graph.slots
        stops = [seen_of_stop(rules, player, total * self.step) for total in range(self.highest + 1)]
        seen = {
            **seen_of_player(rules, player),
            **{name: np.array([stop[name] for stop in stops])[:, None] for name in stops[0]},
            "dice": np.array([slot.dice for slot in slots])[None, :],
        }
        seen["all_dice"] = seen["dice"] == rules.dice.count
        if opponent is not None:
            seen |= seen_of_opponent(rules, opponent)
            seen["lead"] = seen["written"] - opponent.score
        wins = np.array([[outcome is not None and outcome.won for outcome in row] for row in self._reached.stops])
        may = np.array(self._reached.modes)[:, None] == MAY_STOP
        seen["wins"] = wins[:, [self._kind(slot) for slot in range(len(slots))]] & may
        codes = action_codes(policy, seen, (self.highest + 1, len(slots)))
        senseless = seen["wins"].copy()
        if self.highest * self.step == highest_total(rules, player):
            senseless[self.highest] = True
        codes[(codes == THROWS) & senseless] = STOPS
        return codes

    def _may_stop(self, total: int, slot: int) -> bool:
        return self._mode(total) == MAY_STOP and self.graph.slots[slot].may_stop

    def _stops_at(self, total: int, slot: int) -> bool:
        code = int(self._codes[total, slot])
        if code <= STOPS:
            return code == STOPS
        assert self._liked is not None
        values, stops, _ends = self._liked
        return values[total][slot] == stops[total][self._kind(slot)]

    def _rolls(self, slot: int, total: int) -> Iterator[tuple[Roll, float, Option]]:
        """The rolls of a slot, each with its chance and the option that the policy takes."""
        for roll, way in zip(self.graph.rolls[slot], self._chances(slot), strict=True):
            yield roll, way, self._option(roll, total)

    def _option(self, roll: Roll, total: int) -> Option:
        if len(roll.options) == 1:
            return roll.options[0]
        if self._one_hold:
            return max(roll.options, key=self._liking)
        assert self._liked is not None
        values = self._liked[0]
        return max(roll.options, key=lambda option: values[min(total + option.gain, self.highest)][option.slot])

    def _liking(self, option: Option) -> tuple[int, ...]:
        return liking(self.graph, self._hold, option)

    def _constrained(self, guide: Worth) -> tuple[list[list[float]], list[list[float]], list[float]]:
        """Values of the turn to the guide, who keeps to what is forced; those of stops and of forced ends."""
        graph, reached = self.graph, self._reached
        stops = [[0.0 if outcome is None else guide(outcome) for outcome in kinds] for kinds in reached.stops]
        ends = [guide(outcome) for outcome in reached.ends]
        least = min([*ends, *(worth for row in stops for worth in row)])
        values = [[least] * len(graph.slots) for _total in range(self.highest + 1)]
        for total in range(self.highest, -1, -1):
            mode = self._mode(total)
            for _again in range(MOST_ITERATIONS):
                change = 0.0
                for slot in range(len(graph.slots)):
                    stop = stops[total][self._kind(slot)]
                    found = stop
                    if mode != TURN_ENDS and not (mode == MAY_STOP and graph.slots[slot].ends):
                        found = self._expected(values, ends, total, slot)
                        if self._may_stop(total, slot):
                            code = int(self._codes[total, slot])
                            found = stop if code == STOPS else found if code == THROWS else max(found, stop)
                    change = max(change, abs(found - values[total][slot]))
                    values[total][slot] = found
                if total < self.highest or change <= LEAST_CHANCE:
                    break
        return values, stops, ends

    def _expected(self, values: list[list[float]], ends: list[float], total: int, slot: int) -> float:
        """What a throw is worth by these values, with the options that the policy takes."""
        graph = self.graph
        worth = sum(graph.end_chance[slot, end] * value for end, value in enumerate(ends))
        for roll, way in zip(graph.rolls[slot], self._chances(slot), strict=True):
            rows = [values[min(total + option.gain, self.highest)][option.slot] for option in roll.options]
            if len(rows) > 1 and self._one_hold:
                rows = [rows[roll.options.index(max(roll.options, key=self._liking))]]
            worth += way * max(rows)
        return worth

    def _kind(self, slot: int) -> int:
        kind = self.graph.stop_kind[slot]
        return (kind if kind >= 0 else -1 - kind) % self.graph.stop_kinds

    def _chances(self, slot: int) -> list[float]:
        return list(self.graph.roll_chance[self.graph.roll_ptr[slot] : self.graph.roll_ptr[slot + 1]])


def _rows(buffer: "memoryview[float]") -> list[list[float]]:
    rows: Any = buffer.tolist()
    found: list[list[float]] = rows
    return found
