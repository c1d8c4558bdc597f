"""Small games with choices, many at a time: what to choose is asked of the solver, all else follows from the rules."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.parlour import bluff as bluff_game
from solver.parlour import high_dice as high_dice_game
from solver.parlour import showdown as showdown_game
from solver.parlour import thirteen as thirteen_game
from solver.parlour.hands import rank
from solver.parlour.lattice import WAYS, lattice
from solver.parlour.study.chance import Dice, Samples, seats, shares_of_best

STOP = -1
"""In place of a keep: the player stops."""


def high_dice(rules: Any, _players: int, games: int, dice: Dice) -> Samples:
    """The punter must get more than the banker, with one throw or several."""

    def throw(count: int) -> NDArray[Any]:
        return np.asarray(dice.integers(1, rules.faces + 1, size=(count, rules.dice)).sum(axis=1))

    banker = throw(games)
    failed, payoff = np.zeros(games, dtype=int), np.zeros(games)
    won = np.zeros(games, dtype=bool)
    live = np.arange(games)
    for number in range(1, rules.throws + 1):
        hit = throw(len(live)) > banker[live]
        payoff[live[hit]] = 1 if rules.gain == "one stake" else number
        won[live[hit]] = True
        live = live[~hit]
        failed[live] = number
        payoff[live] = -number
        if number < rules.throws:
            wants = {}
            for total in np.unique(banker[live]).tolist():
                found = high_dice_game.plan(rules, total, number)
                wants[total] = found.throw is not None and found.throw == found.payoff
            live = live[[wants[total] for total in banker[live].tolist()]] if len(live) else live
    return {"expected_payoff": payoff, "win_probability": won}


def thirteen(rules: Any, players: int, games: int, dice: Dice) -> Samples:
    """Five throws, each added, subtracted, multiplied or divided, towards a multiple of the divisor."""
    most = thirteen_game.most_marks(rules)
    mean = _Series(rules, np.arange(most + 1, dtype=float))
    found: Samples = {"expected_marks": _marks(rules, [mean] * games, dice)}
    alone = thirteen_game.alone(rules).values
    needed, count = np.full(games, rules.marks), np.zeros(games)
    by_needed = {
        each: _Series(rules, -alone[np.maximum(each - np.arange(each + 1), 0)]) for each in range(1, rules.marks + 1)
    }
    while (live := np.flatnonzero(needed > 0)).size:
        count[live] += 1
        gained = _marks(rules, [by_needed[each] for each in needed[live].tolist()], dice)
        needed[live] = np.maximum(needed[live] - gained, 0)
    found["expected_series"] = count
    if players == 2:
        values = thirteen_game.for_two(rules).values

        @cache
        def series(mine: int, other: int) -> _Series:
            return _Series(rules, np.append(1.0 - values[other, mine:0:-1], 1.0))

        both = np.full((games, 2), rules.marks)
        seat = 0
        while (live := np.flatnonzero((both > 0).all(axis=1))).size:
            pairs = both[live][:, [seat, 1 - seat]].tolist()
            gained = _marks(rules, [series(mine, other) for mine, other in pairs], dice)
            both[live, seat] = np.maximum(both[live, seat] - gained, 0)
            seat = 1 - seat
        found |= seats("win", both == 0)
    return found


class _Series:
    """Best play of one series, for what each number of marks is worth."""

    def __init__(self, rules: Any, worth: NDArray[Any]) -> None:
        self.worth, self.stages = worth, thirteen_game.stages(rules, worth[:, None])
        self.lowest = thirteen_game.board(rules).lowest

    def value(self, made: int, total: int, marks: int) -> float:
        """What it is worth to stand at a total after so many throws."""
        return float(self.stages[made - 1][total - self.lowest, min(marks, len(self.worth) - 1), 0])


def _marks(rules: Any, plans: list[_Series], dice: Dice) -> NDArray[Any]:
    """Marks of one series of each player."""
    games = len(plans)
    low = np.array([1, rules.second_die])
    thrown = (low + dice.integers(0, rules.faces, size=(rules.throws, games, 2))).sum(axis=2)
    found = np.zeros(games, dtype=int)
    known: dict[Any, tuple[int, int]] = {}
    for game, plan in enumerate(plans):
        total = int(thrown[0, game])
        marks = _scored(rules, 0, total)
        for made in range(2, rules.throws + 1):
            key = id(plan), made, total, marks, int(thrown[made - 1, game])
            if key not in known:
                options = []
                for target in _targets(total, key[-1]):
                    after = _scored(rules, marks, target)
                    options.append((plan.value(made, target, after), target, after))
                known[key] = max(options)[1:]
            total, marks = known[key]
        found[game] = marks
    return found


def _targets(total: int, thrown: int) -> list[int]:
    """The totals that a throw may lead to."""
    found = [total + thrown, total - thrown]
    for number in (2, 3, 4):
        found.append(total + number * thrown)
        if thrown % number == 0:
            found.append(total + thrown // number)
    return found


def _scored(rules: Any, marks: int, total: int) -> int:
    """Marks after standing at a total."""
    here = total // rules.divisor if total > 0 and total % rules.divisor == 0 else 0
    return max(marks, here) if rules.counting == "best" else marks + here


class _Keeper:
    """Who keeps dice by the values of a plan; cases are what he plays against."""

    def __init__(self, keeps: list[Any], stops: list[Any] | None) -> None:
        self.keeps, self.stops = keeps, stops
        self.known: dict[tuple[int, int, int, int], int] = {}
        found = lattice()
        self.within: list[list[int]] = [[] for _hand in found.hands]
        for keep, hand in found.pairs:
            self.within[hand].append(keep)
        self.counts = np.array([[keep.count(face) for face in range(1, 7)] for keep in found.keeps])

    def keep(self, made: int, hand: int, case: int, locked: int) -> int:
        """The keep after so many throws, which contains the locked dice; or STOP."""
        key = made, hand, case, locked
        if key not in self.known:
            allowed = [keep for keep in self.within[hand] if (self.counts[keep] >= self.counts[locked]).all()]
            values = [self.keeps[made - 1][keep, case, 0] for keep in allowed]
            best = max(range(len(allowed)), key=values.__getitem__)
            self.known[key] = allowed[best]
            if self.stops is not None:
                stop = self.stops[made - 1][hand, case, 0] * WAYS ** (len(self.keeps) + 1 - made)
                if stop >= values[best]:
                    self.known[key] = STOP
        return self.known[key]


def _throw(hands: NDArray[Any], keeps: list[int], dice: Dice) -> NDArray[Any]:
    """Hands by number after throwing all dice that are not kept."""
    found = lattice()
    kept = np.zeros((len(keeps), 5), dtype=int)
    for at, keep in enumerate(keeps):
        faces = found.keeps[keep]
        kept[at, : len(faces)] = faces
    thrown = np.sort(np.where(kept > 0, kept, dice.integers(1, 7, size=kept.shape)), axis=1)
    return np.array([found.hand_number[tuple(hand)] for hand in thrown.tolist()], dtype=hands.dtype)


def _hand(keeper: _Keeper, cases: NDArray[Any], throws: NDArray[Any], dice: Dice, *, locked: bool) -> Any:
    """The final hands of players who may throw so often, and how often they threw."""
    nothing = lattice().keep_number[()]
    games = len(cases)
    hands = _throw(np.zeros(games, dtype=int), [nothing] * games, dice)
    used = np.ones(games, dtype=int)
    held = [nothing] * games
    live = np.flatnonzero(throws > 1)
    made = 1
    while len(live):
        fixed = held if locked and made > 1 else [nothing] * games
        picks = [keeper.keep(made, int(hands[at]), int(cases[at]), fixed[at]) for at in live.tolist()]
        on = [(at, keep) for at, keep in zip(live.tolist(), picks, strict=True) if keep != STOP]
        live = np.array([at for at, _keep in on], dtype=int)
        if not len(live):
            break
        for at, keep in on:
            held[at] = keep
        hands[live] = _throw(hands, [keep for _at, keep in on], dice)
        used[live] += 1
        made += 1
        live = live[throws[live] > made]
    return hands, used


def showdown(rules: Any, players: int, games: int, dice: Dice) -> Samples:
    """Players throw one after another, all dice open, and the best hand wins."""
    if rules.ties == "share":
        return seats("win", shares_of_best(_shown(rules, players, games, dice)))
    value = showdown_game.replayed(rules).first
    first, tied = _replayed(rules, value, games, dice)
    found = {**seats("win", np.stack([first, ~first], axis=1)), "tie": tied}
    if rules.wins > 1:
        wins, begins = np.zeros((games, 2), dtype=int), np.zeros(games, dtype=int)
        while (live := np.flatnonzero((wins < rules.wins).all(axis=1))).size:
            won, _tied = _replayed(rules, value, len(live), dice)
            winner = np.where(won, begins[live], 1 - begins[live])
            wins[live, winner] += 1
            begins[live] = 1 - winner
        found |= seats("match", wins == rules.wins)
    return found


def _strengths(rules: Any) -> NDArray[Any]:
    """[hand], an order of all hands, the best last, by ranks told from the dice."""
    ranks = [rank(hand, straights=rules.straights, triples=rules.triples) for hand in lattice().hands]
    ordered = sorted(set(ranks), reverse=rules.lowest_wins)
    return np.array([ordered.index(found) for found in ranks])


def _shown(rules: Any, players: int, games: int, dice: Dice) -> NDArray[Any]:
    """[game, seat], the strengths of all hands."""
    strength = _strengths(rules)
    shown = np.zeros((games, players), dtype=int)
    limit = np.full(games, rules.throws)
    for seat in range(players):
        for most in np.unique(limit).tolist():
            live = np.flatnonzero(limit == most)
            keeper = _keeper(rules, players, seat + 1, most)
            best = shown[live, :seat].max(axis=1) if seat else np.zeros(len(live), dtype=int)
            holders = (shown[live, :seat] == best[:, None]).sum(axis=1)
            # Cases are the number of those who hold the best hand so far, then how good it is.
            cases = (holders - 1) * (strength.max() + 1) + best if seat else np.zeros(len(live), dtype=int)
            hands, used = _hand(keeper, cases, limit[live], dice, locked=rules.locked)
            shown[live, seat] = strength[hands]
            if rules.first_sets_limit and seat == 0:
                limit[live] = used
    return shown


@cache
def _keeper(rules: Any, players: int, seat: int, throws: int) -> _Keeper:
    """What a player of a seat keeps who may throw so often."""
    if seat == 1:
        finals = showdown_game.first_finals(rules, players)
    else:
        following = showdown_game.later(rules, players, seat + 1, throws)
        levels = range(len(showdown_game.levels(rules).strengths))
        cases = [(holders, level) for holders in range(1, seat) for level in levels]
        finals = [showdown_game.later_final(rules, following, cases).astype(object)] * throws
    found = showdown_game.plan(rules, finals)
    return _Keeper(found.keeps, finals if rules.first_sets_limit else None)


def _replayed(rules: Any, value: Any, games: int, dice: Dice) -> tuple[NDArray[Any], NDArray[Any]]:
    """Whether the first of two wins in the end, and whether the first game was a tie."""
    strength = _strengths(rules)
    one = showdown_game.plan(rules, [showdown_game.first_final(rules, value)] * rules.throws)
    final = showdown_game.second_final(rules, value, range(int(strength.max()) + 1))
    two = showdown_game.plan(rules, [final] * rules.throws)
    keepers = _Keeper(one.keeps, None), _Keeper(two.keeps, None)
    won, tied = np.zeros(games, dtype=bool), np.zeros(games, dtype=bool)
    live, again = np.arange(games), False
    while len(live):
        throws = np.full(len(live), rules.throws)
        first, _used = _hand(keepers[0], np.zeros(len(live), dtype=int), throws, dice, locked=rules.locked)
        second, _used = _hand(keepers[1], strength[first], throws, dice, locked=rules.locked)
        equal = strength[first] == strength[second]
        won[live] = strength[first] > strength[second]
        if not again:
            tied[:] = equal
        live, again = live[equal], True
    return won, tied


def bluff(rules: Any, _players: int, games: int, dice: Dice) -> Samples:
    """The leader throws unseen and announces; the other doubts, or throws against the announcement."""
    known = bluff_game.ranks(rules.straights)
    ranks = [rank(hand, straights=rules.straights) for hand in lattice().hands]
    ordered = sorted(set(ranks))
    own_rank = np.array([ordered.index(found) for found in ranks])
    real = rules.must_beat == "real dice"
    payoffs = bluff_game.rank_payoffs(rules)
    worth = np.array([float(part) for part in payoffs])[known.of_hand][:, None, None]
    leader = _Keeper(bluff_game.best_throws(worth, rules.leader_throws)[1], None)
    nobody = np.zeros(games, dtype=int)
    hands, _used = _hand(leader, nobody, np.full(games, rules.leader_throws), dice, locked=False)
    own = own_rank[hands]
    if real:
        target, doubts, lies = own, np.zeros(games, dtype=bool), np.zeros(games, dtype=bool)
    else:
        plan, doubt = bluff_game.leader(rules), bluff_game.solve(rules).doubt
        honest = np.array([float(part) for part in plan.honest])[own]
        lies = dice.random(games) >= honest
        parts = np.array([float(part) for part in plan.lies])
        lie = np.searchsorted(np.cumsum(parts) / parts.sum(), dice.random(games), side="right")
        target = np.where(lies, lie, own)
        doubts = dice.random(games) < np.array([float(part) for part in doubt])[target]
    aims = _answerer(rules, len(ordered))
    cases = np.zeros(games, dtype=int) if real else target
    answers, _used = _hand(aims, cases, np.full(games, rules.answer_throws), dice, locked=False)
    won = np.where(doubts, own >= target, own_rank[answers] <= target)
    found = seats("win", np.stack([won, ~won], axis=1))
    # Where the leader throws several times he mixes plans that are equally good; here he keeps to one of them.
    return found if rules.leader_throws > 1 else {**found, "lies": lies, "doubts": doubts}


def _answerer(rules: Any, ranks: int) -> _Keeper:
    """Who throws to beat an announcement, or real dice that he does not know."""
    of_hand = bluff_game.ranks(rules.straights).of_hand
    if rules.must_beat == "announcement":
        beaten = (of_hand[:, None] > np.arange(ranks)).astype(np.int64)[:, :, None]
    else:
        counts = np.bincount(of_hand, weights=lattice().ways[-len(of_hand) :])
        beaten = (np.cumsum(counts) - counts)[of_hand][:, None, None]
    return _Keeper(bluff_game.best_throws(beaten, rules.answer_throws)[1], None)
