"""What may be thrown in a turn of a race game, and what a hold leads to.

A slot says what is thrown next and whether stopping is allowed there. Nothing here
knows scores, players or opponents.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from math import comb, prod
from operator import sub
from typing import NamedTuple

from solver.combos import Hold, Scoring
from solver.dice import Die, Multiset, shared_out, throw_ways
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


class TurnRules:
    """The part of the rules that a turn needs, and how a hold leads to the next slot."""

    def __init__(self, rules: RaceRules) -> None:
        dice_set = rules.dice_set()
        self.kinds: list[Die] = [die for die, _count in dice_set]
        self._count, self._faces = rules.dice.count, rules.dice.faces
        self._pool = tuple(count for _die, count in dice_set) if len(dice_set) > 1 else ()
        self._known_holds: dict[Multiset, list[Hold]] = {}
        self._known_face_holds: dict[Multiset, list[Hold]] = {}
        self._known_faces: dict[tuple[int, ...], dict[Multiset, int]] = {}
        self._known_shares: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
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

    def throws(self, slot: Slot) -> dict[Multiset, int]:
        """Throws of a slot with their ways.

        A throw is a multiset of faces; of dice of several kinds, one for each kind in a row. There one throw stands
        for all that differ only in which dice show faces that do not score: they offer the same.
        """
        if not slot.pool:
            return throw_ways(self.kinds[:1] * slot.dice)
        found: dict[Multiset, int] = {}
        for scoring, idle in self._alike(slot.pool).values():
            known: dict[tuple[int, ...], int] = {}
            for shown in product(*(self._shares(count, slot.pool) for count in scoring)):
                parts = list(zip(*shown, strict=True))
                left = tuple(map(sub, slot.pool, map(sum, parts)))
                if min(left) < 0:
                    continue
                if left not in known:
                    rest = self._faces_of(left)
                    known[left] = sum(rest.get(faces, 0) for faces in idle)
                if known[left] and (ways := known[left] * prod(map(self._part_ways, self.kinds, slot.pool, parts))):
                    found[self._filled(parts, left, idle[0])] = ways
        return found

    def _alike(self, pool: tuple[int, ...]) -> dict[object, tuple[Multiset, list[Multiset]]]:
        """What a pool can show, in groups that offer the same: the faces that score, and all sets of the others."""
        found: dict[object, tuple[Multiset, list[Multiset]]] = {}
        for faces in self._faces_of(pool):
            holds = self._holds_of(faces)
            used = [max(column) > 0 for column in zip(*(hold.dice for hold in holds), strict=True)] or [False] * len(
                faces
            )
            scoring = tuple(count if used[face] else 0 for face, count in enumerate(faces))
            key = (scoring, tuple(holds), self._shown_wins(faces), self._shown_is_toxic(faces))
            found.setdefault(key, (scoring, []))[1].append(tuple(map(sub, faces, scoring)))
        return found

    def _faces_of(self, pool: tuple[int, ...]) -> dict[Multiset, int]:
        """What a pool of dice can show, with the ways, whichever dice show it."""
        if pool not in self._known_faces:
            dice = [die for die, count in zip(self.kinds, pool, strict=True) for _each in range(count)]
            self._known_faces[pool] = throw_ways(dice) if dice else {(0,) * self._faces: 1}
        return self._known_faces[pool]

    def _part_ways(self, die: Die, count: int, part: Multiset) -> int:
        """The ways in which some of so many equal dice show just these faces."""
        ways: int = prod(weight**number for weight, number in zip(die.weights, part, strict=True))
        for number in part:
            ways *= comb(count, number)
            count -= number
        return ways

    def _filled(self, parts: list[Multiset], left: tuple[int, ...], idle: Multiset) -> Multiset:
        """A throw of which these are the parts that score, and the other dice show the idle faces."""
        rest = [face for face, count in enumerate(idle) for _each in range(count)]
        found: list[int] = []
        for part, count in zip(parts, left, strict=True):
            whole = list(part)
            for face in rest[:count]:
                whole[face] += 1
            rest = rest[count:]
            found += whole
        return tuple(found)

    def ways(self, slot: Slot) -> int:
        """The sum of the ways of all throws of a slot."""
        counts = zip(self.kinds, slot.pool or (slot.dice,), strict=True)
        return prod(sum(die.weights) ** count for die, count in counts)

    def shown(self, throw: Multiset) -> Multiset:
        """The faces of a throw, whatever dice show them."""
        if not self._pool:
            return throw
        return tuple(map(sum, zip(*self._by_kind(throw), strict=True)))

    def _by_kind(self, throw: Multiset) -> list[Multiset]:
        return [throw[first : first + self._faces] for first in range(0, len(throw), self._faces)]

    def holds(self, throw: Multiset) -> list[Hold]:
        """Every legal way to hold dice of a throw, most points first; each tells which dice."""
        if not self._pool:
            return self._holds_of(throw)
        if throw not in self._known_holds:
            found = self._holds_of(self.shown(throw))
            self._known_holds[throw] = [each for hold in found for each in self._of_kinds(hold, throw)]
        return self._known_holds[throw]

    def _holds_of(self, faces: Multiset) -> list[Hold]:
        if faces not in self._known_face_holds:
            self._known_face_holds[faces] = self.scoring.holds(faces)
        return self._known_face_holds[faces]

    def _of_kinds(self, hold: Hold, throw: Multiset) -> Iterator[Hold]:
        """The same hold by each choice of dice that show these faces."""
        columns = list(zip(*self._by_kind(throw), strict=True))
        for shares in product(*map(self._shares, hold.dice, columns)):
            yield Hold(tuple(count for kind in zip(*shares, strict=True) for count in kind), hold.points)

    def _shares(self, number: int, column: tuple[int, ...]) -> list[tuple[int, ...]]:
        key = (number, *column)
        if key not in self._known_shares:
            self._known_shares[key] = list(shared_out(number, column))
        return self._known_shares[key]

    def end(self, slot: Slot, throw: Multiset) -> End | None:
        """The kind of forced end by which this throw ends the turn, if it does."""
        if self._wins(throw):
            return INSTANT_WIN
        if self._is_toxic(throw):
            return self.nothing(slot)
        holds = self.holds(throw) if self._confirms(slot, throw) else []
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
        if self._wins(throw) or self._is_toxic(throw):
            return found
        offered = self.holds(throw) if self._confirms(slot, throw) else []
        holds = [hold for hold in offered if self._enters(slot, hold)]
        if not holds and slot.retries:
            again = slot._replace(may_stop=False, retries=slot.retries - 1, bolt=_given(slot.bolt and BOLT))
            return {(0, again): [Hold((0,) * len(throw), 0)]}
        if slot.confirms and self._hot_dice == "confirm only":
            return {(0, self._last(slot)): holds} if holds else found
        best = self.scoring.best_reading(self.shown(throw)).dice if self._stop_counts_all else None
        for hold in holds:
            all_count = best is None or self.shown(hold.dice) == best
            if all_count or not slot.confirms:  # the stop that a confirmation brings counts every scoring die as well
                found[self._gain(slot, hold), self._after(slot, hold, may_stop=all_count)].append(hold)
        return found

    def offers(self, slot: Slot) -> list[Slot]:
        """What the player may throw where dice are offered: a fresh set, or those."""
        fresh = slot._replace(dice=self._count, retries=self._first_retries, offered=0)
        return [fresh, slot._replace(dice=slot.offered, offered=0, inherited=True)]

    def _gain(self, slot: Slot, hold: Hold) -> int:
        return hold.points + (self._bonus if slot.inherited else 0)

    def _confirms(self, slot: Slot, throw: Multiset) -> bool:
        """Whether a throw has the face that it may need to confirm, if it must."""
        if not slot.confirms or self._confirming is None:
            return True
        faces = self.shown(throw)
        return any(faces[face - 1] for face in self._confirming)

    def _enters(self, slot: Slot, hold: Hold) -> bool:
        return not slot.entering or self._gain(slot, hold) >= self._entrance

    def _after(self, slot: Slot, hold: Hold, *, may_stop: bool) -> Slot:
        """What is thrown next when these dice are held; all of them used brings all back."""
        left, bolt = slot.dice - sum(hold.dice), _given(slot.bolt)
        if left and slot.confirms:
            return self._last(slot)
        if left:
            pool = slot.pool and tuple(map(sub, slot.pool, map(sum, self._by_kind(hold.dice))))
            return Slot(left, may_stop, bolt=bolt, pool=pool)
        confirms = self._hot_dice.startswith("confirm")
        may_stop = may_stop and self._hot_dice == "may"
        return Slot(self._count, may_stop, self._hot_retries, confirms, bolt, pool=self._pool)

    def _last(self, slot: Slot) -> Slot:
        """No throw follows."""
        return Slot(0, may_stop=True, bolt=_given(slot.bolt))

    def _is_toxic(self, throw: Multiset) -> bool:
        return self._toxic is not None and self._shown_is_toxic(self.shown(throw))

    def _wins(self, throw: Multiset) -> bool:
        return self._win is not None and self._shown_wins(self.shown(throw))

    def _shown_is_toxic(self, faces: Multiset) -> bool:
        return self._toxic is not None and faces[self._toxic.face - 1] >= self._toxic.dice

    def _shown_wins(self, faces: Multiset) -> bool:
        if self._win is None:
            return False
        most = faces[self._win.face - 1] if self._win.face else max(faces)
        return most >= self._win.dice


def _given(bolt: int) -> int:
    """What is known of the bolt after the first throw."""
    return BOLT if bolt == BOLT else NO_BOLT
