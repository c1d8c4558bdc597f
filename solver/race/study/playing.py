"""One turn of many games at a time, thrown with dice: what the simulation does between two ends of turns.

Throws are drawn and scored here, from the rules alone. What the end of a turn changes is looked up in the model of the
game, and what a player chooses follows from his rules, or, where he plays as best play does, from its values.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import PositionError
from solver.policies.policy import BEST_PLAY, MOST_DICE, MOST_POINTS, Policy
from solver.race.model import RaceModel
from solver.race.player import Player, turn_start
from solver.race.rules import BLANK, BUST, INSTANT_WIN, End, Start
from solver.race.slots import BOLT, IF_BLANK, NO_BOLT, Slot
from solver.race.stops import MAY_STOP, MUST_THROW, TURN_ENDS, least_total
from solver.race.study.choices import (
    FREE,
    STOPS,
    THROWS,
    action_codes,
    seen_of_opponent,
    seen_of_player,
    seen_of_stop,
)
from solver.race.study.planned import PlannedTurn
from solver.race.study.throws import ThrowBook, Way
from solver.race.worth import last_turn_worth
from solver.text import _

TurnMaker = Callable[[int, int], PlannedTurn]
"""The turn of state number so and so against another, with what its player would choose; alone the other is 0."""


class Seat:
    """A kind of player, and what he sees, by number of his state."""

    def __init__(self, model: RaceModel, policy: Policy, turns: TurnMaker | None) -> None:
        self.policy, self.turns = policy, turns
        self.static = policy.hold in (MOST_POINTS, MOST_DICE)
        if (not self.static or policy.guided) and turns is None:
            raise ValueError("this policy needs turns to choose by")
        rules = model.rules
        self.own = _columns([seen_of_player(rules, state) for state in model.states])
        self.other = _columns([seen_of_opponent(rules, state) for state in model.states])
        step = rules.match.step
        stops = [
            seen_of_stop(rules, state, total * step)
            for state, highest in zip(model.states, model.highest.tolist(), strict=True)
            for total in range(highest + 1)
        ]
        self.stops = _columns(stops)
        self.holds: dict[tuple[bool, int], NDArray[np.int64]] = {}
        self.cache: dict[tuple[int, int], PlannedTurn] = {}

    def turn(self, mover: int, waiter: int) -> PlannedTurn:
        """The turn of a state against another, made once."""
        if (mover, waiter) not in self.cache:
            assert self.turns is not None
            self.cache[mover, waiter] = self.turns(mover, waiter)
        return self.cache[mover, waiter]

    def held_always(self, book: ThrowBook, *, confirms: bool, least: int) -> NDArray[np.int64]:
        """What he holds who always holds alike, as ``ThrowBook.holds`` tells it."""
        if (confirms, least) not in self.holds:
            self.holds[confirms, least] = book.holds(self.policy.hold, confirms=confirms, least=least)
        return self.holds[confirms, least]


def _columns(facts: list[dict[str, Any]]) -> dict[str, NDArray[Any]]:
    return {name: np.array([fact[name] for fact in facts]) for name in facts[0]}


class Turns(NamedTuple):
    """The turns at hand, one of each game: arrays [games]."""

    mover: NDArray[np.int64]
    waiter: NDArray[np.int64]
    """Numbers of states."""
    seat: NDArray[np.int64]
    """The kind of player who moves."""
    total: NDArray[np.int64]
    """Steps gathered, up to the highest total that matters."""
    dice: NDArray[np.int64]
    tries: NDArray[np.int64]
    confirms: NDArray[np.bool_]
    bolt: NDArray[np.int64]
    """What is thrown next, as a ``Slot`` has it."""
    least: NDArray[np.int64]
    """Points that this throw must bring."""
    bonus: NDArray[np.int64]
    """Points that it brings beside its own, if it brings any."""
    outcome: NDArray[np.int64]
    """How the turn has ended, -1 before that."""


class Table:
    """The games at play: one turn of each at a time, whoever moves in it.

    PositionError for dice of different kinds, of which a hold would have to say which ones it takes.
    """

    def __init__(self, model: RaceModel, seats: list[Seat], rng: np.random.Generator) -> None:
        self.model, self.rules, self.seats, self.rng = model, model.rules, seats, rng
        if len(self.rules.dice_set()) > 1 or self.rules.dice.loaded:
            raise PositionError(_("dice.loaded: in force; allowed: only fair dice in simulate, which throws no others"))
        self.book = ThrowBook(self.rules)
        self.wins, self.toxic = self.book.wins(), self.book.toxic()
        self.scoring = {confirms: self.book.scoring(confirms=confirms) for confirms in (False, True)}
        self.ends = self.rules.end_kinds()
        self.end_numbers = {end: number for number, end in enumerate(self.ends)}
        stops = self.rules.stop_kinds()
        self.kinds = len(stops)
        self.leaves = self.rules.inherited_dice is not None
        self.bonus = self.rules.inherited_dice.bonus if self.rules.inherited_dice else 0
        self.count = self.rules.dice.count
        # By whether the first throw gave a bolt, and by dice left.
        self.stop_number = np.zeros((2, self.count + 1), dtype=np.int64)
        for number, stop in enumerate(stops):
            self.stop_number[int(stop.blank), stop.dice] = number
        self.first_end = int(model.total_ptr[-1]) * self.kinds
        self.offered = np.array([state.offered for state in model.states])
        opening = self.rules.opening
        enters = opening is not None and opening.scope == "first throw"
        self.entrance = np.array([opening.points if enters and opening and not state.opened else 0
                                  for state in model.states])  # fmt: skip
        retry = self.rules.second_try
        self.retries = retry.retries if retry else 0
        self.hot_retries = self.retries if retry and retry.throws == "all dice" else 0
        self._last: dict[tuple[int, int, Start], PlannedTurn] = {}

    def outcomes(
        self, mover: NDArray[np.int64], waiter: NDArray[np.int64], seat: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Play one turn in every game; the number of the outcome of each, as the model numbers them."""
        games = len(mover)
        play = Turns(
            mover=mover,
            waiter=waiter,
            seat=seat,
            total=np.zeros(games, dtype=np.int64),
            dice=np.full(games, self.count),
            tries=np.full(games, self.retries),
            confirms=np.zeros(games, dtype=bool),
            bolt=np.full(games, IF_BLANK if BLANK.name in {end.name for end in self.ends} else NO_BOLT),
            least=self.entrance[mover],
            bonus=np.zeros(games, dtype=np.int64),
            outcome=np.full(games, -1),
        )
        over = self.model.modes[self.model.total_ptr[mover]] == TURN_ENDS
        play.outcome[over] = self.model.total_ptr[mover[over]] * self.kinds
        live = np.flatnonzero(~over)
        self._take_over(live[self.offered[mover[live]] > 0], play)
        while len(live):
            codes = self._thrown(play.dice[live])
            won = self.wins[codes]
            toxic = self.toxic[codes] & ~won
            scores = np.where(play.confirms[live], self.scoring[True][codes], self.scoring[False][codes])
            nothing = ~scores & ~won & ~toxic
            again = nothing & (play.tries[live] > 0)
            play.outcome[live[won]] = self._end(mover[live[won]], INSTANT_WIN)
            self._nothing(live[toxic | (nothing & ~again)], play)
            saved = live[again]
            play.tries[saved] -= 1
            play.bolt[saved] = np.where(play.bolt[saved] != NO_BOLT, BOLT, NO_BOLT)
            held = scores & ~won & ~toxic
            self._hold(live[held], codes[held], play)
            live = live[play.outcome[live] < 0]
        return play.outcome

    def last_turn(self, player: Player, leader: int) -> float:
        """Play a last turn against a leader's score as well as can be; the share of the match that it brings."""
        # Nothing matters but how much is missing, what must be gathered at least, and how the turn begins.
        alike = (leader - player.score, least_total(self.rules, player), turn_start(self.rules, player))
        if alike not in self._last:
            rules = self.rules.last_turn(leader)
            worth = last_turn_worth(self.rules, player._replace(score=leader))
            self._last[alike] = PlannedTurn(rules, player, None, worth, BEST_PLAY, worth)
        turn = self._last[alike]
        slot, total = turn.first_slot, 0
        least = int(self.entrance[self.model.numbers[player]])
        if slot.offered:
            fresh = slot._replace(dice=self.count, retries=self.retries, offered=0)
            ways = [(0, fresh), (0, slot._replace(dice=slot.offered, offered=0, inherited=True))]
            slot = ways[turn.prefers(0, ways)][1]
        while True:
            code = int(self._thrown(np.array([slot.dice]))[0])
            bonus = self.bonus if slot.inherited else 0
            if self.wins[code]:
                return 1.0
            ways_here = self.book.allowed(code, confirms=slot.confirms)
            if not self.toxic[code] and not ways_here and slot.retries:
                bolt = BOLT if slot.bolt else NO_BOLT
                slot = slot._replace(may_stop=False, retries=slot.retries - 1, bolt=bolt)
                continue
            ways_here = [way for way in ways_here if way.points + bonus >= least]
            if self.toxic[code] or not ways_here:
                return 0.0
            found = [self._after(slot.dice, slot.confirms, slot.bolt if slot.bolt == BOLT else NO_BOLT, way)
                     for way in ways_here]  # fmt: skip
            only = slot.confirms and self.rules.dice.hot_dice == "confirm only"
            gains = [(0 if only else way.points + bonus, after) for way, after in zip(ways_here, found, strict=True)]
            gain, slot = gains[turn.prefers(total, gains)]
            total, least = total + gain // self.rules.match.step, 0
            mode = turn.allows(total)
            if mode == TURN_ENDS or slot.ends or (slot.may_stop and mode == MAY_STOP and turn.stops(total, slot)):
                score = player.score + total * self.rules.match.step if mode != MUST_THROW else -1
                if score == leader:
                    return 0.5 if self.rules.match.ties == "shared" else 0.0
                return float(score > leader)

    def _thrown(self, dice: NDArray[np.int64]) -> NDArray[np.int64]:
        """The codes of throws of so many dice."""
        thrown = self.rng.integers(1, self.rules.dice.faces + 1, size=(len(dice), self.count))
        thrown[np.arange(self.count) >= dice[:, None]] = 0
        return self.book.codes_of(thrown)

    def _take_over(self, at: NDArray[np.int64], play: Turns) -> None:
        """Let everybody choose to whom dice are offered."""
        offered = self.offered[play.mover[at]]
        taken = offered >= self.count
        for number, player in enumerate(self.seats):
            for place in np.flatnonzero((play.seat[at] == number) & (not player.static)).tolist():
                game, left = int(at[place]), int(offered[place])
                turn = player.turn(int(play.mover[game]), int(play.waiter[game]))
                begin = turn.first_slot
                fresh = begin._replace(dice=self.count, retries=self.retries, offered=0)
                ways = [(0, fresh), (0, begin._replace(dice=left, offered=0, inherited=True))]
                taken[place] = turn.prefers(0, ways) == 1
        play.dice[at] = np.where(taken, offered, self.count)
        play.bonus[at] = np.where(taken, self.bonus, 0)

    def _end(self, mover: NDArray[np.int64], kind: End) -> NDArray[np.int64]:
        number = self.end_numbers.get(kind, 0)
        return np.asarray(self.first_end + mover * len(self.ends) + number)

    def _nothing(self, at: NDArray[np.int64], play: Turns) -> None:
        """End turns by a throw that brings nothing."""
        for name, mine in ((BLANK, at[play.bolt[at] != NO_BOLT]), (BUST, at[play.bolt[at] == NO_BOLT])):
            if not self.leaves:
                play.outcome[mine] = self._end(play.mover[mine], name)
                continue
            for dice in range(self.count + 1):
                these = mine[play.dice[mine] == dice]
                play.outcome[these] = self._end(play.mover[these], name._replace(dice=dice))

    def _hold(self, at: NDArray[np.int64], code: NDArray[np.int64], play: Turns) -> None:
        """Let everybody hold, and stop or go on."""
        rules, model, mover = self.rules, self.model, play.mover
        bolt_before = play.bolt[at]
        play.bolt[at] = np.where(bolt_before == BOLT, BOLT, NO_BOLT)
        points, used, whole = self._held(at, code, play)
        failed = points < 0  # not enough to enter
        play.bolt[at[failed]] = bolt_before[failed]
        self._nothing(at[failed], play)
        at, points, used, whole = at[~failed], points[~failed], used[~failed], whole[~failed]
        only = play.confirms[at] & (rules.dice.hot_dice == "confirm only")
        points = np.where(only, 0, points + play.bonus[at])
        left = play.dice[at] - used
        last = only | (play.confirms[at] & (left > 0))
        hot = (left == 0) & ~last
        may = whole.astype(bool) & (~hot | (rules.dice.hot_dice == "may"))
        play.total[at] = np.minimum(play.total[at] + points // rules.match.step, model.highest[mover[at]])
        play.dice[at] = np.where(hot, self.count, np.where(last, 0, left))
        play.tries[at] = np.where(hot, self.hot_retries, 0)
        play.confirms[at] = hot & rules.dice.hot_dice.startswith("confirm")
        play.least[at] = play.bonus[at] = 0
        row = model.total_ptr[mover[at]] + play.total[at]
        mode = model.modes[row]
        left_over = np.where(play.dice[at] < self.count, play.dice[at], 0) if self.leaves else np.zeros_like(at)
        kind = self.stop_number[(play.bolt[at] == BOLT).astype(np.int64), left_over]
        stops = (mode == TURN_ENDS) | (last & (mode == MAY_STOP))
        self._nothing(at[last & ~stops], play)
        ask = np.flatnonzero(may & ~stops & ~last & (mode == MAY_STOP))
        stops[ask] = self._stops(at[ask], row[ask], kind[ask], play)
        play.outcome[at[stops]] = row[stops] * self.kinds + kind[stops]

    def _held(self, at: NDArray[np.int64], code: NDArray[np.int64], play: Turns) -> NDArray[np.int64]:
        """[3, games], the points and the number of dice that each holds, and whether it is the whole reading."""
        held = np.zeros((len(at), 3), dtype=np.int64)
        least = np.maximum(play.least[at] - play.bonus[at], 0)
        for number, player in enumerate(self.seats):
            for confirms in (False, True):
                for needed in np.unique(least).tolist():
                    mine = np.flatnonzero(
                        (play.seat[at] == number) & (play.confirms[at] == confirms) & (least == needed)
                    )
                    if player.static and len(mine):
                        always = player.held_always(self.book, confirms=confirms, least=needed)
                        held[mine] = always[code[mine]]
                        continue
                    for place in mine.tolist():
                        ways = self.book.allowed(int(code[place]), confirms=confirms, least=needed)
                        held[place] = self._preferred(player, int(at[place]), ways, play) if ways else (-1, 0, 0)
        return held.T

    def _preferred(self, player: Seat, game: int, ways: list[Way], play: Turns) -> Way:
        """What a player holds who chooses by values."""
        dice, bolt, confirms = int(play.dice[game]), int(play.bolt[game]), bool(play.confirms[game])
        only = confirms and self.rules.dice.hot_dice == "confirm only"
        gains = [
            (0 if only else way.points + int(play.bonus[game]), self._after(dice, confirms, bolt, way)) for way in ways
        ]
        turn = player.turn(int(play.mover[game]), int(play.waiter[game]))
        return ways[turn.prefers(int(play.total[game]), gains)]

    def _after(self, dice: int, confirms: bool, bolt: int, way: Way) -> Slot:  # noqa: FBT001
        """What is thrown next after a hold of some of so many dice."""
        rules, left = self.rules.dice, dice - way.used
        if confirms and (left or rules.hot_dice == "confirm only"):
            return Slot(0, may_stop=True, bolt=bolt)
        if left:
            return Slot(left, way.whole, bolt=bolt)
        confirms = rules.hot_dice.startswith("confirm")
        return Slot(rules.count, way.whole and rules.hot_dice == "may", self.hot_retries, confirms, bolt)

    def _stops(
        self, at: NDArray[np.int64], row: NDArray[np.int64], kind: NDArray[np.int64], play: Turns
    ) -> NDArray[np.bool_]:
        """Whether each player stops who may."""
        model, found = self.model, np.zeros(len(at), dtype=bool)
        top = play.total[at] == model.highest[play.mover[at]]
        for number, player in enumerate(self.seats):
            mine = np.flatnonzero(play.seat[at] == number)
            games = at[mine]
            wins = model.outcome_row[row[mine] * self.kinds + kind[mine]] == len(model.states)
            dice = play.dice[games]
            seen: dict[str, Any] = {name: column[play.mover[games]] for name, column in player.own.items()}
            seen |= {name: column[row[mine]] for name, column in player.stops.items()}
            seen |= {"dice": dice, "all_dice": dice == self.count, "wins": wins}
            if model.players == 2:
                seen |= {name: column[play.waiter[games]] for name, column in player.other.items()}
                seen["lead"] = seen["written"] - seen["opponent"]
            codes = action_codes(player.policy, seen, (len(mine),))
            codes[(codes == THROWS) & (wins | top[mine])] = STOPS
            found[mine] = codes == STOPS
            for place in np.flatnonzero(codes == FREE).tolist():
                game = int(games[place])
                slot = Slot(
                    int(play.dice[game]),
                    may_stop=True,
                    retries=int(play.tries[game]),
                    confirms=bool(play.confirms[game]),
                    bolt=int(play.bolt[game]),
                )
                turn = player.turn(int(play.mover[game]), int(play.waiter[game]))
                found[mine[place]] = turn.stops(int(play.total[game]), slot)
        return found
