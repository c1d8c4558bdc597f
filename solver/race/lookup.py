"""Advice for many positions at a time, on NumPy arrays: for bots and for self-play.

Nothing is looked up but the values of match states: the rest of each turn is solved on the
spot by the kernel that solved the game, from the turn total at hand upwards. That is what
limits the rate: some thousand to ten thousand multiply-adds for a position of Thousand.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver._lookup import decide
from solver.dice import Multiset, throw_ways
from solver.errors import PositionError, TableError
from solver.library import find_table
from solver.race.contradictions import read_rules
from solver.race.model import compile_race
from solver.race.position import state_index
from solver.race.rules import OBJECTIVES, RaceRules
from solver.race.slots import BOLT, Slot, TurnRules
from solver.race.stops import TURN_ENDS
from solver.race.sweep import Sweep, sweeper
from solver.race.tables import solve_table
from solver.race.turn import reachable_totals
from solver.ruleset import load_ruleset
from solver.schema import quoted
from solver.table import Table
from solver.text import _

Numbers = NDArray[np.int64]


class Decisions(NamedTuple):
    """The best choice in each of n positions. Of equal choices it is the one that ``advise`` lists first."""

    hold: NDArray[np.uint8]
    """[n, faces], how many dice of each face to set aside; none where the throw ends the turn by itself."""
    stop: NDArray[np.bool_]
    """[n], whether to end the turn with that; also true where the throw ended it."""
    values: NDArray[np.float64]
    """[n], what that is worth to the mover: chance to win, stakes, or turns to go; the middle of a bracket."""


class Advisor:
    """A solved race game, ready for many questions.

    Positions are stated by arrays: the numbers of the player states of mover and waiter, as ``number`` tells them, the
    turn total before the throw in points, and the throw. All may be broadcast against one another.
    """

    def __init__(self, rules: RaceRules, table: Table) -> None:
        """``table`` must be a whole game's, for ``win``, ``stake`` or ``turns``; TableError if it is not.

        PositionError if the position before a throw is not told by its numbers: where the first throw must open, dice
        are left over for the next player, or dice differ.
        """
        if len(rules.starts()) > 1 or len(rules.dice_set()) > 1:
            why = _("turns of this game begin in several ways, or its dice are not all alike")
            raise PositionError(_("advice on many positions is not to be had: {why}").format(why=why))
        if table.info.objective == "points" or table.info.starts:
            raise TableError(_("only the table of a whole match can advise on many positions"))
        self.rules = rules
        self.objective = table.info.objective
        self._tie = 2.0 * table.info.bound if table.margins is None else 0.0
        self._model = model = compile_race(rules, OBJECTIVES[self.objective])
        self._fields = tuple(table.info.fields)
        if state_index(rules, table) != model.numbers:
            raise TableError(_("the table does not have the player states of its ruleset"))
        with sweeper(model, self.objective, 1) as sweep:
            self._layers = sweep.layers_of(sweep.inner(np.asarray(table.values)))
            self._machine = sweep.machine
        self._throws = _Throws(TurnRules(rules), model.graph.slots)
        self._slots = _slot_numbers(sweep)
        self._lost = np.array([bool(state.skips) for state in model.states])

    @property
    def states(self) -> NDArray[np.int32]:
        """[states, fields], all player states by their numbers; the fields are those of ``fields``."""
        rows = [[int(getattr(state, field)) for field in self._fields] for state in self._model.states]
        return np.array(rows, dtype=np.int32)

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the facts about a player: ``score``, ``opened``, ``bolts`` ..."""
        return self._fields

    def number(self, **facts: Any) -> int:
        """The number of a player state; what is not stated has its default. PositionError if there is none."""
        try:
            return self._model.numbers[type(self._model.states[0])(**facts)]
        except (TypeError, KeyError):
            stated = ", ".join(f"{name}={value}" for name, value in facts.items())
            raise PositionError(_("no such player state: {facts}").format(facts=stated)) from None

    def advise_many(
        self, mover: ArrayLike, waiter: ArrayLike, turn: ArrayLike, dice: ArrayLike, tries: ArrayLike = 0
    ) -> Decisions:
        """The best choice in each position.

        ``mover`` and ``waiter`` [n] are numbers of player states (alone the waiter is 0), ``turn`` [n] the points
        gathered before the throw, ``dice`` [n, most dice] the faces of the throw in any order with 0 for a die that
        was not thrown, ``tries`` [n] how many second tries the throw took. PositionError names the first position that
        cannot be.
        """
        faces = np.atleast_2d(np.asarray(dice, dtype=np.int64))
        shape = np.broadcast_shapes(np.shape(mover), np.shape(waiter), np.shape(turn), np.shape(tries), (len(faces),))
        mover, waiter, turn, tries = (
            np.ascontiguousarray(np.broadcast_to(np.asarray(part, dtype=np.int64), shape))
            for part in (mover, waiter, turn, tries)
        )
        faces = np.broadcast_to(faces, (*shape, faces.shape[1]))
        states = len(self._model.states)
        others = states if self._model.players == 2 else 1
        self._refuse((mover < 0) | (mover >= states) | (waiter < 0) | (waiter >= others), _("no such player state"))
        self._refuse(self._lost[mover], _("no throw, since this turn is lost"))
        step, most = self.rules.match.step, self._slots.shape[2] - 1
        self._refuse((turn % step != 0) | (turn < 0), _("turn totals are multiples of {step}").format(step=step))
        thrown = np.count_nonzero(faces, axis=1)
        fits = (thrown < self._slots.shape[0]) & (tries >= 0) & (tries < self._slots.shape[1])
        self._refuse(~fits, _("no turn comes to such a throw"))
        total = turn // step
        slots = self._slots[thrown, tries, np.minimum(total, most)]
        self._refuse(slots < 0, _("no turn comes to such a throw"))
        throws = self._throws.numbers(faces)
        self._refuse(throws < 0, _("no die here shows such a face"))
        total = np.minimum(total, self._model.highest[mover])
        modes = self._model.modes[self._model.total_ptr[mover] + total]
        self._refuse(modes == TURN_ENDS, _("the turn is over at this total"))
        values, option = np.empty(shape), np.empty(shape, dtype=np.int64)
        stop = np.empty(shape, dtype=np.uint8)
        decide(
            self._machine, self._layers, mover, waiter, total, slots.astype(np.int64),
            slots * self._throws.count + throws, self._throws.pointers, self._throws.gains, self._throws.slots,
            self._throws.ends, self._tie, values, option, stop,
        )  # fmt: skip
        shown = -values if self.objective == "turns" else values
        return Decisions(self._throws.held(option), stop.astype(np.bool_), shown)

    @staticmethod
    def _refuse(wrong: NDArray[np.bool_], why: str) -> None:
        if wrong.any():
            text = _("position {number}: cannot occur: {why}")
            raise PositionError(text.format(number=int(np.argmax(wrong)), why=why))


def advisor(ruleset: str, objective: str | None = None) -> Advisor:
    """An advisor on a shipped ruleset or a file; its table is found, or solved now and kept.

    The objective is by default ``win``, or ``turns`` where the game is for one.
    """
    rules = read_rules(load_ruleset(ruleset))
    wanted = objective or ("win" if rules.match.most_players > 1 else "turns")
    if wanted not in (allowed := ("win", "stake", "turns")):
        text = _("objective: {found}; allowed: {allowed}")
        raise PositionError(text.format(found=quoted(wanted), allowed=", ".join(allowed)))
    return Advisor(rules, find_table(rules, wanted, solve=lambda: solve_table(rules, wanted)[0]))


class _Throws:
    """What every throw offers in every slot, as arrays; options are in the order in which equal ones are preferred."""

    def __init__(self, turn: TurnRules, slots: Sequence[Slot]) -> None:
        (die,), most = turn.kinds, turn.first.dice
        multisets = [throw for dice in range(1, most + 1) for throw in throw_ways([die] * dice)]
        self._weights = (most + 1) ** np.arange(die.faces, dtype=np.int64)
        keys = np.array(multisets, dtype=np.int64) @ self._weights
        self._order = np.argsort(keys)
        self._keys = keys[self._order]
        self.count = len(multisets)
        numbers = {slot: number for number, slot in enumerate(slots)}
        pointers, gains, following, holds, ends = [0], [], [], [], []
        for slot in numbers:
            for throw in multisets:
                fits = sum(throw) == slot.dice
                end = turn.end(slot, throw) if fits else None
                ends.append(-1 if end is None else turn.ends.index(end))
                offered = _offered(turn, slot, throw) if fits and end is None else []
                for hold, points, after in offered:
                    gains.append(points // turn.step)
                    following.append(numbers[after])
                    holds.append(hold)
                pointers.append(len(gains))
        self.pointers = np.array(pointers, dtype=np.int64)
        self.gains = np.array(gains, dtype=np.int32)
        self.slots = np.array(following, dtype=np.int32)
        self.ends = np.array(ends, dtype=np.int32)
        self._holds = np.array([*holds, (0,) * die.faces], dtype=np.uint8)

    def numbers(self, faces: Numbers) -> Numbers:
        """[n], the numbers of throws stated as [n, dice] faces, 0 for none; -1 where there is no such throw."""
        known = (faces >= 0) & (faces <= len(self._weights))
        weights = np.append(0, self._weights)
        keys = weights[np.where(known, faces, 0)].sum(axis=1)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        found = known.all(axis=1) & (self._keys[places] == keys)
        return np.where(found, self._order[places], -1)

    def held(self, option: Numbers) -> NDArray[np.uint8]:
        """[n, faces], what the options hold; -1 holds nothing."""
        return self._holds[option]


def _offered(turn: TurnRules, slot: Slot, throw: Multiset) -> list[tuple[Multiset, int, Slot]]:
    """The holds of a throw with their points and what follows: more dice first, then lower faces."""
    options = turn.options(slot, throw)
    found = [(hold.dice, points, after) for (points, after), holds in options.items() for hold in holds]
    return sorted(found, key=lambda one: (-sum(one[0]), [-count for count in one[0]]))


def _slot_numbers(sweep: Sweep) -> Numbers:
    """[dice, second tries taken, total in steps]: the slot in which so many dice are thrown, -1 where no turn comes."""
    graph, turn = sweep.model.graph, TurnRules(sweep.model.rules)
    most = int(sweep.model.highest.max()) + max(graph.option_gain)
    reached = reachable_totals(graph, most)
    retries = max(slot.retries for slot in graph.slots)
    found = np.full((turn.first.dice + 1, retries + 1, most + 1), -1, dtype=np.int64)
    for number in reversed(range(len(graph.slots))):
        slot = graph.slots[number]
        for total in range(most + 1):
            tries = turn.retries(slot.dice, first=total == 0) - slot.retries
            blank = tries > 0 and total == 0 and sweep.model.rules.blank_counts()
            if reached[number] >> total & 1 and tries >= 0 and (slot.bolt == BOLT) == blank:
                found[slot.dice, tries, total] = number
    return found
