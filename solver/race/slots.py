"""What may be thrown in a turn of a race game, and what a hold leads to.

A slot says what is thrown next and whether stopping is allowed there. Nothing here
knows scores, players or opponents.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from math import prod
from operator import mul, sub
from typing import NamedTuple

from solver.combos import Hold, Scoring
from solver.dice import Die, Multiset
from solver.race.kinds import Code, Kinds, Pool
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
    pool: tuple[int, ...] = ()
    """By kind of die, how many are thrown; empty where all dice are alike."""
    offered: int = 0
    """Nothing is thrown here: the player takes so many dice over, or a fresh set."""

    @property
    def ends(self) -> bool:
        """Whether the turn is over here."""
        return not self.dice and not self.offered


Options = frozenset[tuple[int, int]]
"""Points and numbers of the slots that follow, between which a player may choose."""


class TurnRules:
    """The part of the rules that a turn needs, and how a hold leads to the next slot."""

    def __init__(self, rules: RaceRules) -> None:
        dice_set = rules.dice_set()
        self.kinds: list[Die] = [die for die, _count in dice_set]
        self._count = rules.dice.count
        self._dice = Kinds(self.kinds)
        self._alike = cache(self._find_alike)  # several slots are of the same dice
        self.known: list[Slot] = []
        self._numbers: dict[Slot, int] = {}
        self._pool = tuple(count for _die, count in dice_set) if len(dice_set) > 1 else ()
        self._known_holds: dict[Multiset, list[Hold]] = {}
        self.scoring: Scoring = rules.scoring()
        self.step = rules.match.step
        self.ends = rules.end_kinds()
        self.stops = rules.stop_kinds()
        self.starts = rules.starts()
        self._hot_dice = rules.dice.hot_dice
        self._confirming: frozenset[int] | None = None
        if rules.dice.confirmed_by == "single dice":
            self._confirming = frozenset(face for face, _points in rules.combinations.single)
        self._stop_counts_all = rules.dice.stop_with == "all scoring dice"
        self._win = rules.instant_win
        self._toxic = rules.toxic
        self._leaves = rules.inherited_dice is not None
        self._points_are_left = rules.points_are_left()
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
        if start.offered and self._points_are_left:  # the turn goes on where the other one ended
            return Slot(start.offered, may_stop=False, bolt=bolt, entering=start.entering, inherited=True)
        if start.offered:
            return Slot(0, may_stop=False, bolt=bolt, entering=start.entering, offered=start.offered)
        return Slot(
            self._count,
            may_stop=False,
            retries=self._first_retries,
            bolt=bolt,
            entering=start.entering,
            pool=self._pool,
        )

    def stop_kind(self, slot: Slot) -> Stop:
        """The kind of stop that belongs to a slot, whether or not it may be made there."""
        left = slot.dice if self._leaves and slot.dice < self._count else 0
        return Stop(slot.bolt == BOLT, left)

    def retries(self, dice: int, *, first: bool) -> int:
        """How often a throw of so many dice may be made again if it brings nothing."""
        if dice < self._count:
            return 0
        return self._first_retries if first else self._hot_retries

    def number(self, slot: Slot) -> int:
        """The number of a slot in ``known``, which may be new."""
        if slot not in self._numbers:
            self._numbers[slot] = len(self.known)
            self.known.append(slot)
        return self._numbers[slot]

    def outcomes(self, slot: Slot) -> Iterator[tuple[End | Options, int]]:
        """What the throws of a slot bring, with their ways: a forced end, or the options between which to choose.

        Throws that differ only in faces which do not score bring the same, and are looked at once.
        """
        pool = slot.pool or (slot.dice,)
        following: dict[tuple[Code, bool], int] = {}

        def after(code: Code, may_stop: bool) -> int:  # noqa: FBT001 (one of a pair)
            if (code, may_stop) not in following:
                slot_after = self._after(slot, self._dice.pool_of(code), may_stop=may_stop)
                following[code, may_stop] = self.number(slot_after)
            return following[code, may_stop]

        shown = self._dice.faces_of(pool)
        for throws in self._alike(pool):
            ended, allowed = self._end_of(slot, throws[0]), self._allowed(slot, throws[0])
            alike = self._same_for_all(slot, allowed)
            if ended is not None or alike is not None:
                ways = sum(map(shown.__getitem__, throws))
                yield ended or frozenset({(0, self.number(alike))} if alike else ()), ways
                continue
            holds = tuple((self._gain(slot, hold), hold.dice, may_stop) for hold, may_stop in allowed)
            used = _used(hold.dice for hold in self.holds(throws[0]))
            for columns, ways in self._dice.shares(pool, used, throws):
                held = self._dice.held_by_points(columns, holds)
                yield frozenset([(points, after(code, may_stop)) for points, code, may_stop in held]), ways

    def _find_alike(self, pool: Pool) -> list[list[Multiset]]:
        """The faces that a pool can show, in groups that offer the same."""
        might_score = self.scoring.might_score(sum(pool))
        throws: dict[tuple[Multiset, bool, bool], list[Multiset]] = defaultdict(list)
        for faces in self._dice.faces_of(pool):
            throws[might_score(faces), self._wins(faces), self._is_toxic(faces)].append(faces)
        found: dict[tuple[Multiset, bool, bool], list[Multiset]] = defaultdict(list)
        for (dice, wins, toxic), same in throws.items():
            used = _used(hold.dice for hold in self.holds(same[0]))
            found[tuple(map(mul, dice, used)), wins, toxic] += same
        return list(found.values())

    def ways(self, slot: Slot) -> int:
        """The sum of the ways of all throws of a slot."""
        counts = zip(self.kinds, slot.pool or (slot.dice,), strict=True)
        return prod(sum(die.weights) ** count for die, count in counts)

    def shown(self, throw: Multiset) -> Multiset:
        """The faces of a throw, whatever dice show them."""
        return self._dice.shown(throw) if self._pool else throw

    def holds(self, faces: Multiset) -> list[Hold]:
        """Every legal way to hold faces of those shown, most points first."""
        if faces not in self._known_holds:
            self._known_holds[faces] = self.scoring.holds(faces)
        return self._known_holds[faces]

    def end(self, slot: Slot, throw: Multiset) -> End | None:
        """The kind of forced end by which this throw ends the turn, if it does."""
        return self._end_of(slot, self.shown(throw))

    def _end_of(self, slot: Slot, faces: Multiset) -> End | None:
        if self._wins(faces):
            return INSTANT_WIN
        if self._is_toxic(faces):
            return self.nothing(slot)
        holds = self.holds(faces) if self._confirms(slot, faces) else []
        if not holds and slot.retries:
            return None
        if not holds or (slot.entering and self._gain(slot, holds[0]) < self._entrance):
            return self.nothing(slot)
        return None

    def nothing(self, slot: Slot) -> End:
        """The kind of forced end by a throw of this slot that brings nothing."""
        left = slot.dice if self._leaves and not self._points_are_left else 0
        return (BLANK if slot.bolt else BUST)._replace(dice=left)

    def options(self, slot: Slot, throw: Multiset) -> dict[tuple[int, Slot], list[Hold]]:
        """The holds of a throw, grouped by what they lead to: points and the next slot. None where it ends the turn.

        A throw that is made again has one option, which holds no dice.
        """
        found: dict[tuple[int, Slot], list[Hold]] = defaultdict(list)
        faces = self.shown(throw)
        if self._wins(faces) or self._is_toxic(faces):
            return found
        allowed = self._allowed(slot, faces)
        alike = self._same_for_all(slot, allowed)
        if alike and not allowed:
            return {(0, alike): [Hold((0,) * len(throw), 0)]}
        for hold, may_stop in allowed:
            for dice in self._dice.held(throw, hold.dice) if self._pool else (hold.dice,):
                taken = self._dice.dice_of(dice) if self._pool else (sum(dice),)
                option = (0, alike) if alike else (self._gain(slot, hold), self._after(slot, taken, may_stop=may_stop))
                found[option].append(Hold(dice, hold.points))
        return found

    def _allowed(self, slot: Slot, faces: Multiset) -> list[tuple[Hold, bool]]:
        """The holds from which a player may choose, each with whether a stop would count all that must be counted."""
        holds = self.holds(faces) if self._confirms(slot, faces) else []
        holds = [hold for hold in holds if self._enters(slot, hold)]
        best = self.scoring.best_reading(faces).dice if self._stop_counts_all else None
        found = [(hold, best is None or hold.dice == best) for hold in holds]
        if slot.confirms and self._hot_dice != "confirm only":
            # The stop that a confirmation brings counts every scoring die as well.
            return [(hold, all_count) for hold, all_count in found if all_count]
        return found

    def _same_for_all(self, slot: Slot, allowed: list[tuple[Hold, bool]]) -> Slot | None:
        """What follows, without points, whatever is held; None if that matters."""
        if not allowed and slot.retries:
            return slot._replace(may_stop=False, retries=slot.retries - 1, bolt=_given(slot.bolt and BOLT))
        return self._last(slot) if allowed and slot.confirms and self._hot_dice == "confirm only" else None

    def offers(self, slot: Slot) -> list[Slot]:
        """What the player may throw where dice are offered: a fresh set, or those."""
        fresh = slot._replace(dice=self._count, retries=self._first_retries, offered=0)
        return [fresh, slot._replace(dice=slot.offered, offered=0, inherited=True)]

    def _gain(self, slot: Slot, hold: Hold) -> int:
        return hold.points + (self._bonus if slot.inherited else 0)

    def _confirms(self, slot: Slot, faces: Multiset) -> bool:
        """Whether a throw has the face that it may need to confirm, if it must."""
        if not slot.confirms or self._confirming is None:
            return True
        return any(faces[face - 1] for face in self._confirming)

    def _enters(self, slot: Slot, hold: Hold) -> bool:
        return not slot.entering or self._gain(slot, hold) >= self._entrance

    def _after(self, slot: Slot, taken: Pool, *, may_stop: bool) -> Slot:
        """What is thrown next when so many dice of each kind are held; all of them used brings all back."""
        left, bolt = slot.dice - sum(taken), _given(slot.bolt)
        if left and slot.confirms:
            return self._last(slot)
        if left:
            return Slot(left, may_stop, bolt=bolt, pool=slot.pool and tuple(map(sub, slot.pool, taken)))
        confirms = self._hot_dice.startswith("confirm")
        may_stop = may_stop and self._hot_dice == "may"
        return Slot(self._count, may_stop, self._hot_retries, confirms, bolt, pool=self._pool)

    def _last(self, slot: Slot) -> Slot:
        """No throw follows."""
        return Slot(0, may_stop=True, bolt=_given(slot.bolt))

    def _is_toxic(self, faces: Multiset) -> bool:
        return self._toxic is not None and faces[self._toxic.face - 1] >= self._toxic.dice

    def _wins(self, faces: Multiset) -> bool:
        if self._win is None:
            return False
        most = faces[self._win.face - 1] if self._win.face else max(faces)
        return most >= self._win.dice


def _used(holds: Iterable[Multiset]) -> Iterator[bool]:
    """For each face whether any of the holds has dice that show it; nothing if there are no holds."""
    return map(any, zip(*holds, strict=True))


def _given(bolt: int) -> int:
    """What is known of the bolt after the first throw."""
    return BOLT if bolt == BOLT else NO_BOLT
