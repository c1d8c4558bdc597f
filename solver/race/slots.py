"""What may be thrown in a turn of a race game, and what a hold leads to.

A slot says what is thrown next and whether stopping is allowed there. Nothing here
knows scores, players or opponents.
"""

from collections import defaultdict
from typing import NamedTuple

from solver.combos import Hold, Scoring
from solver.dice import Die, Multiset, throw_ways
from solver.race.rules import BLANK, BUST, INSTANT_WIN, End, RaceRules, Start, Stop

NO_BOLT, IF_BLANK, BOLT = range(3)
"""What is known of the bolt for a blank first throw: none will come of it; this is that throw; it has come."""


class Slot(NamedTuple):
    """What is thrown next."""

    dice: int
    """Number of dice; 0 where the turn ends, or where dice are offered."""
    may_stop: bool
    """Whether the turn may be ended instead; with no dice it must."""
    retries: int = 0
    """How often the throw may be made again if it brings nothing."""
    confirms: bool = False
    """Whether this throw ends the turn."""
    bolt: int = NO_BOLT
    """One of NO_BOLT, IF_BLANK, BOLT."""
    entering: bool = False
    """Whether this throw must bring enough to open."""
    inherited: bool = False
    """Whether this throw is of dice that the player before did not set aside."""
    offered: int = 0
    """Nothing is thrown here: the player takes so many dice over, or a fresh set."""

    @property
    def ends(self) -> bool:
        """Whether the turn is over here."""
        return not self.dice and not self.offered


class TurnRules:
    """The part of the rules that a turn needs, and how a hold leads to the next slot."""

    def __init__(self, rules: RaceRules) -> None:
        self.dice: list[Die] = rules.dice_set()
        self.scoring: Scoring = rules.scoring()
        self.step = rules.match.step
        self.ends = rules.end_kinds()
        self.stops = rules.stop_kinds()
        self.starts = rules.starts()
        self._hot_dice = rules.dice.hot_dice
        self._stop_counts_all = rules.dice.stop_with == "all scoring dice"
        self._win = rules.instant_win
        self._toxic = rules.toxic
        self._leaves = rules.inherited_dice is not None
        self._bonus = rules.inherited_dice.bonus if rules.inherited_dice else 0
        self._entrance = rules.opening.points if rules.opening else 0
        self._first_retries = rules.second_try.retries if rules.second_try else 0
        always = rules.second_try is not None and rules.second_try.throws == "all dice"
        self._hot_retries = self._first_retries if always else 0

    @property
    def first(self) -> Slot:
        """The first turn of a match begins with all dice and at least one throw."""
        return self.begin(self.starts[0])

    def begin(self, start: Start) -> Slot:
        """Where a turn begins."""
        bolt = IF_BLANK if BLANK in self.ends else NO_BOLT
        if start.offered:
            return Slot(0, may_stop=False, bolt=bolt, entering=start.entering, offered=start.offered)
        return Slot(len(self.dice), may_stop=False, retries=self._first_retries, bolt=bolt, entering=start.entering)

    def stop_kind(self, slot: Slot) -> Stop:
        """The kind of stop that belongs to a slot, whether or not it may be made there."""
        left = slot.dice if self._leaves and slot.dice < len(self.dice) else 0
        return Stop(slot.bolt == BOLT, left)

    def retries(self, dice: int, *, first: bool) -> int:
        """How often a throw of so many dice may be made again if it brings nothing."""
        if dice < len(self.dice):
            return 0
        return self._first_retries if first else self._hot_retries

    def throws(self, slot: Slot) -> dict[Multiset, int]:
        """Every throw of a slot with its ways."""
        return throw_ways(self.dice[: slot.dice])

    def end(self, slot: Slot, throw: Multiset) -> End | None:
        """The kind of forced end by which this throw ends the turn, if it does."""
        if self._wins(throw):
            return INSTANT_WIN
        if self._is_toxic(throw):
            return self.nothing(slot)
        holds = self.scoring.holds(throw)
        if not holds and slot.retries:
            return None
        if not holds or (slot.entering and self._gain(slot, holds[0]) < self._entrance):
            return self.nothing(slot)
        return None

    def nothing(self, slot: Slot) -> End:
        """The kind of forced end by a throw of this slot that brings nothing."""
        return (BLANK if slot.bolt else BUST)._replace(dice=slot.dice if self._leaves else 0)

    def options(self, slot: Slot, throw: Multiset) -> dict[tuple[int, Slot], list[Hold]]:
        """The holds of a throw, grouped by what they lead to: points and the next slot. None where it ends the turn.

        A throw that is made again has one option, which holds no dice.
        """
        found: dict[tuple[int, Slot], list[Hold]] = defaultdict(list)
        if self._wins(throw) or self._is_toxic(throw):
            return found
        holds = [hold for hold in self.scoring.holds(throw) if self._enters(slot, hold)]
        if not holds and slot.retries:
            again = slot._replace(may_stop=False, retries=slot.retries - 1, bolt=_given(slot.bolt and BOLT))
            return {(0, again): [Hold((0,) * len(throw), 0)]}
        if slot.confirms and self._hot_dice == "confirm only":
            return {(0, self._last(slot)): holds} if holds else found
        best = self.scoring.best_reading(throw).dice if self._stop_counts_all else None
        for hold in holds:
            all_count = best is None or hold.dice == best
            if all_count or not slot.confirms:  # the stop that a confirmation brings counts every scoring die as well
                found[self._gain(slot, hold), self._after(slot, hold, may_stop=all_count)].append(hold)
        return found

    def offers(self, slot: Slot) -> list[Slot]:
        """What the player may throw where dice are offered: a fresh set, or those."""
        fresh = slot._replace(dice=len(self.dice), retries=self._first_retries, offered=0)
        return [fresh, slot._replace(dice=slot.offered, offered=0, inherited=True)]

    def _gain(self, slot: Slot, hold: Hold) -> int:
        return hold.points + (self._bonus if slot.inherited else 0)

    def _enters(self, slot: Slot, hold: Hold) -> bool:
        return not slot.entering or self._gain(slot, hold) >= self._entrance

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

    def _is_toxic(self, throw: Multiset) -> bool:
        return self._toxic is not None and throw[self._toxic.face - 1] >= self._toxic.dice

    def _wins(self, throw: Multiset) -> bool:
        if self._win is None:
            return False
        most = throw[self._win.face - 1] if self._win.face else max(throw)
        return most >= self._win.dice


def _given(bolt: int) -> int:
    """What is known of the bolt after the first throw."""
    return BOLT if bolt == BOLT else NO_BOLT
