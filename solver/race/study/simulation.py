"""Games played with dice, many at a time: an independent check of exact values.

Throws are drawn and scored here, from the rules alone. What the end of a turn changes is looked up in the model of the
game, and what a player chooses follows from his rules, or, where he plays as best play does, from its values.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import PolicyError
from solver.policies.policy import MOST_DICE, MOST_POINTS, Policy
from solver.race.model import RaceModel
from solver.race.rules import BLANK, BUST, INSTANT_WIN, End, RaceRules
from solver.race.slots import BOLT, IF_BLANK, NO_BOLT, Slot
from solver.race.stops import MAY_STOP, TURN_ENDS
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
from solver.race.study.throws import ThrowBook
from solver.text import _

AT_A_TIME = 100_000
"""Games that are played side by side."""
MOST_TURNS = 1_000_000
"""Turns after which a match counts as endless."""

TurnMaker = Callable[[int, int], PlannedTurn]
"""The turn of state number so and so against another, with what its player would choose; alone the other is 0."""


class Simulated(NamedTuple):
    """What many games brought."""

    games: int
    mean: float
    """Turns alone; for two the share of games that the first kind won, who moved first in every other one."""
    error: float
    """Standard error of the mean."""
    firsts: tuple[float, float] | None
    """For two, the shares won when moving first and second."""


class Seat:
    """A kind of player, and what he sees, by number of his state."""

    def __init__(self, model: RaceModel, policy: Policy, book: ThrowBook, turns: TurnMaker | None) -> None:
        self.policy, self.turns = policy, turns
        self.static = policy.hold in (MOST_POINTS, MOST_DICE)
        if (not self.static or policy.guided) and turns is None:
            raise ValueError("this policy needs turns to choose by")
        self.holds = [book.holds(policy.hold, confirms=confirms) for confirms in (False, True)] if self.static else []
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
        self.cache: dict[tuple[int, int], PlannedTurn] = {}

    def turn(self, mover: int, waiter: int) -> PlannedTurn:
        """The turn of a state against another, made once."""
        if (mover, waiter) not in self.cache:
            assert self.turns is not None
            self.cache[mover, waiter] = self.turns(mover, waiter)
        return self.cache[mover, waiter]


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
    outcome: NDArray[np.int64]
    """How the turn has ended, -1 before that."""


class Table:
    """The games at play: one turn of each at a time, whoever moves in it."""

    def __init__(self, model: RaceModel, seats: list[Seat], book: ThrowBook, rng: np.random.Generator) -> None:
        self.model, self.rules, self.seats, self.book, self.rng = model, model.rules, seats, book, rng
        self.wins = book.wins()
        self.scoring = np.zeros(len(self.wins), dtype=bool)
        self.scoring[[code for code, ways in book.ways.items() if ways]] = True
        self.ends = self.rules.end_kinds()
        self.kinds = len(self.rules.stop_kinds())
        self.first_end = int(model.total_ptr[-1]) * self.kinds
        retry = self.rules.second_try
        self.retries = retry.retries if retry else 0
        self.hot_retries = self.retries if retry and retry.throws == "all dice" else 0

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
            dice=np.full(games, self.rules.dice.count),
            tries=np.full(games, self.retries),
            confirms=np.zeros(games, dtype=bool),
            bolt=np.full(games, IF_BLANK if BLANK in self.ends else NO_BOLT),
            outcome=np.full(games, -1),
        )
        skips = self.model.modes[self.model.total_ptr[mover]] == TURN_ENDS
        play.outcome[skips] = self.model.total_ptr[mover[skips]] * self.kinds
        live = np.flatnonzero(~skips)
        while len(live):
            thrown = self.rng.integers(1, self.rules.dice.faces + 1, size=(len(live), self.rules.dice.count))
            thrown[np.arange(self.rules.dice.count) >= play.dice[live][:, None]] = 0
            codes = self.book.codes_of(thrown)
            won, nothing = self.wins[codes], ~self.scoring[codes]
            again = nothing & ~won & (play.tries[live] > 0)
            play.outcome[live[won]] = self._end(mover[live[won]], INSTANT_WIN)
            self._nothing(live[nothing & ~won & ~again], play)
            saved = live[again]
            play.tries[saved] -= 1
            play.bolt[saved] = np.where(play.bolt[saved] != NO_BOLT, BOLT, NO_BOLT)
            scored = ~won & ~nothing
            self._hold(live[scored], codes[scored], play)
            live = live[play.outcome[live] < 0]
        return play.outcome

    def _end(self, mover: NDArray[np.int64], kind: End) -> NDArray[np.int64]:
        number = self.ends.index(kind) if kind in self.ends else 0
        return np.asarray(self.first_end + mover * len(self.ends) + number)

    def _nothing(self, at: NDArray[np.int64], play: Turns) -> None:
        mover = play.mover[at]
        play.outcome[at] = np.where(play.bolt[at] != NO_BOLT, self._end(mover, BLANK), self._end(mover, BUST))

    def _hold(self, at: NDArray[np.int64], code: NDArray[np.int64], play: Turns) -> None:
        """Let everybody hold, and stop or go on."""
        rules, model, mover = self.rules, self.model, play.mover
        play.bolt[at] = np.where(play.bolt[at] == BOLT, BOLT, NO_BOLT)
        points, used, whole = self._held(at, code, play)
        only = play.confirms[at] & (rules.dice.hot_dice == "confirm only")
        points = np.where(only, 0, points)
        left = play.dice[at] - used
        last = only | (play.confirms[at] & (left > 0))
        hot = (left == 0) & ~last
        may = whole.astype(bool) & (~hot | (rules.dice.hot_dice == "may"))
        play.total[at] = np.minimum(play.total[at] + points // rules.match.step, model.highest[mover[at]])
        play.dice[at] = np.where(hot, rules.dice.count, left)
        play.tries[at] = np.where(hot, self.hot_retries, 0)
        play.confirms[at] = hot & rules.dice.hot_dice.startswith("confirm")
        row = model.total_ptr[mover[at]] + play.total[at]
        mode, kind = model.modes[row], np.where(play.bolt[at] == BOLT, 1, 0)
        stops = (mode == TURN_ENDS) | (last & (mode == MAY_STOP))
        self._nothing(at[last & ~stops], play)
        ask = np.flatnonzero(may & ~stops & ~last & (mode == MAY_STOP))
        stops[ask] = self._stops(at[ask], row[ask], play)
        play.outcome[at[stops]] = row[stops] * self.kinds + kind[stops]

    def _held(self, at: NDArray[np.int64], code: NDArray[np.int64], play: Turns) -> NDArray[np.int64]:
        """[3, games], the points and the number of dice that each holds, and whether it is the whole reading."""
        held = np.zeros((len(at), 3), dtype=np.int64)
        for number, player in enumerate(self.seats):
            for confirming in (False, True):
                mine = np.flatnonzero((play.seat[at] == number) & (play.confirms[at] == confirming))
                if player.static:
                    held[mine] = player.holds[confirming][code[mine]]
                    continue
                for place in mine.tolist():
                    game = int(at[place])
                    ways = self.book.allowed(self.book.ways[int(code[place])], confirms=confirming)
                    dice, bolt = int(play.dice[game]), int(play.bolt[game])
                    slots = [self._after(dice, way.used, way.whole, confirming, bolt) for way in ways]
                    turn = player.turn(int(play.mover[game]), int(play.waiter[game]))
                    gains = [(way.points, slot) for way, slot in zip(ways, slots, strict=True)]
                    held[place] = ways[turn.prefers(int(play.total[game]), gains)]
        return held.T

    def _after(self, dice: int, used: int, whole: bool, confirming: bool, bolt: int) -> Slot:  # noqa: FBT001
        """What is thrown next after a hold."""
        rules, left = self.rules, dice - used
        if confirming and (left or rules.dice.hot_dice == "confirm only"):
            return Slot(0, may_stop=True, bolt=bolt)
        if left:
            return Slot(left, whole, bolt=bolt)
        confirms = rules.dice.hot_dice.startswith("confirm")
        return Slot(rules.dice.count, whole and rules.dice.hot_dice == "may", self.hot_retries, confirms, bolt)

    def _stops(self, at: NDArray[np.int64], row: NDArray[np.int64], play: Turns) -> NDArray[np.bool_]:
        """Whether each player stops who may."""
        model, found = self.model, np.zeros(len(at), dtype=bool)
        top = play.total[at] == model.highest[play.mover[at]]
        for number, player in enumerate(self.seats):
            mine = np.flatnonzero(play.seat[at] == number)
            games = at[mine]
            kinds = np.where(play.bolt[games] == BOLT, 1, 0)
            wins = model.outcome_row[row[mine] * self.kinds + kinds] == len(model.states)
            dice = play.dice[games]
            seen: dict[str, Any] = {name: column[play.mover[games]] for name, column in player.own.items()}
            seen |= {name: column[row[mine]] for name, column in player.stops.items()}
            seen |= {"dice": dice, "all_dice": dice == self.rules.dice.count, "wins": wins}
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


def play(
    rules: RaceRules, model: RaceModel, policies: list[Policy], turns: list[TurnMaker | None], row: int,
    *, games: int, seed: int, progress: Callable[[int, float], None] | None = None,
) -> Simulated:  # fmt: skip
    """Play so many games from state number ``row``: alone with one policy, or with two against each other.

    PolicyError if a game takes too long.
    """
    rng = np.random.default_rng(seed)
    book = ThrowBook(rules)
    seats = [Seat(model, policy, book, maker) for policy, maker in zip(policies, turns, strict=True)]
    table = Table(model, seats, book, rng)
    results = []
    for begin in range(0, games, AT_A_TIME):
        count = min(AT_A_TIME, games - begin)
        results.append(_alone(table, count, row) if model.players == 1 else _duel(table, count, row, begin))
        if progress:
            progress(begin + count, 1.0 - (begin + count) / games + 1e-12)
    found = np.concatenate(results)
    mean, error = float(found.mean()), float(found.std(ddof=1) / np.sqrt(games)) if games > 1 else float("inf")
    firsts = (float(found[::2].mean()), float(found[1::2].mean())) if model.players == 2 and games > 1 else None
    return Simulated(games, mean, error, firsts)


def _alone(table: Table, games: int, row: int) -> NDArray[np.float64]:
    """The turns that each game takes."""
    model = table.model
    state, turns = np.full(games, row), np.zeros(games)
    live = np.arange(games)
    nobody = np.zeros(games, dtype=np.int64)
    for _turn in range(MOST_TURNS):
        outcome = table.outcomes(state[live], nobody[: len(live)], nobody[: len(live)])
        turns[live] += 1 - model.outcome_kept[outcome]
        state[live] = model.outcome_row[outcome]
        live = live[state[live] < len(model.states)]
        if not len(live):
            return turns
    raise PolicyError(_("a game takes more than {most} turns").format(most=MOST_TURNS))


def _duel(table: Table, games: int, row: int, begin: int) -> NDArray[np.float64]:
    """1 for each game that kind 0 wins, who moves first in even games."""
    model = table.model
    states = np.full((games, 2), row)  # by kind
    mover = (np.arange(games) + begin) % 2
    winner = np.full(games, -1)
    live = np.arange(games)
    for _turn in range(MOST_TURNS):
        seat = mover[live]
        own, other = states[live, seat], states[live, 1 - seat]
        outcome = table.outcomes(own, other, seat)
        after = model.outcome_row[outcome]
        won = after == len(model.states)
        winner[live[won]] = seat[won]
        victim = other.copy()
        for attack, target in enumerate(model.attack_target):
            hit = (model.outcome_low[outcome, attack] <= victim) & (victim < model.outcome_high[outcome, attack])
            other[hit] = target[victim[hit]]
        states[live, seat] = np.where(won, 0, after)
        states[live, 1 - seat] = other
        mover[live] = np.where(model.outcome_kept[outcome] > 0, seat, 1 - seat)
        live = live[~won]
        if not len(live):
            return np.asarray(winner == 0, dtype=np.float64)
    raise PolicyError(_("a game takes more than {most} turns").format(most=MOST_TURNS))
