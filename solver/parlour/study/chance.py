"""Small games of chance with dice, many at a time; nothing here but the rules is shared with how they are solved.

Each function takes rules, number of players, number of games and a source of dice, and gives for some figures of the
game, by their names, what each game brought.
"""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Samples = dict[str, NDArray[Any]]
Dice = np.random.Generator


def seats(name: str, shares: NDArray[Any]) -> Samples:
    """One figure for each seat, of [game, seat]."""
    return {f"{name}_seat_{seat + 1}": shares[:, seat] for seat in range(shares.shape[1])}


def shares_of_best(totals: NDArray[Any]) -> NDArray[Any]:
    """[game, seat], each player's share of the win: equal with all who have most."""
    best = totals == totals.max(axis=1, keepdims=True)
    return np.asarray(best / best.sum(axis=1, keepdims=True))


def aces(rules: Any, players: int, games: int, dice: Dice) -> Samples:
    """Who throws the last die into the centre loses."""
    hands = np.full((games, players), rules.dice)
    seat, turns = np.zeros(games, dtype=int), np.zeros(games)
    loser = np.full(games, -1)
    live = np.arange(games)
    while len(live):
        mine = seat[live]
        count = hands[live, mine]
        thrown = dice.integers(1, rules.faces + 1, size=(len(live), rules.dice * players))
        used = np.arange(thrown.shape[1]) < count[:, None]
        ones, twos, fives = (((thrown == face) & used).sum(axis=1) for face in (1, 2, 5))
        hands[live, mine] -= ones + twos + fives
        np.add.at(hands, (live, (mine + 1) % players), twos)
        np.add.at(hands, (live, (mine - 1) % players), fives)
        turns[live] += 1
        over = hands[live].sum(axis=1) == 0
        loser[live[over]] = mine[over]
        live, at = live[~over], (mine[~over] + 1) % players
        while (idle := hands[live, at] == 0).any():
            at[idle] = (at[idle] + 1) % players
        seat[live] = at
    return {**seats("lose", loser[:, None] == np.arange(players)), "expected_throws": turns}


def buck_dice(rules: Any, players: int, games: int, dice: Dice) -> Samples:
    """Marks for dice on the point; the last to reach the target pays the others."""
    marks = np.zeros((games, players), dtype=int)
    buck = np.zeros((games, players), dtype=bool)
    left = np.full((games, players), 1 << 30)  # when each left
    throws, turns = np.zeros((games, players)), np.zeros((games, players))
    clock = 0
    point = 1  # any face will do
    while (marks < rules.target).any():
        for seat in range(players):
            clock += 1
            live = np.flatnonzero(marks[:, seat] < rules.target)
            turns[live, seat] += 1
            while len(live):
                thrown = dice.integers(1, rules.faces + 1, size=(len(live), rules.dice))
                throws[live, seat] += 1
                hits = (thrown == point).sum(axis=1)
                big = hits == rules.dice
                little = (hits == 0) & (thrown == thrown[:, :1]).all(axis=1)
                gain = np.where(little, rules.little_buck, hits)
                after = np.where(big, rules.target, marks[live, seat] + gain)
                if rules.finish == "exactly":
                    after = np.where(after > rules.target, marks[live, seat], after)
                marks[live, seat] = after
                over = big | ((hits == 0) & ~little) | (little & rules.little_buck_ends) | (after >= rules.target)
                buck[live[big], seat] = True
                out = live[after >= rules.target]
                left[out, seat] = clock
                live = live[~over]
    loser = left.argmax(axis=1)
    payoff = np.where(buck & rules.double, 2.0, 1.0)
    payoff[np.arange(games), loser] = 0.0
    payoff[np.arange(games), loser] = -payoff.sum(axis=1)
    return {
        **seats("lose", loser[:, None] == np.arange(players)),
        **seats("payoff", payoff),
        "big_buck": buck[:, 0],
        "expected_throws": throws[:, 0],
        "expected_turns": turns[:, 0],
    }


def chicago(rules: Any, players: int, games: int, dice: Dice) -> Samples:
    """Round by round the dice must show the next sum."""
    points = np.zeros((games, players))
    throws = np.zeros(games)
    for number, wanted in enumerate(range(rules.dice, rules.dice * rules.faces + 1)):
        begin = number % players if rules.begins == "rotating" else 0
        live, turn = np.arange(games), 0
        while len(live):
            seat = (begin + turn) % players
            hit = dice.integers(1, rules.faces + 1, size=(len(live), rules.dice)).sum(axis=1) == wanted
            points[live[hit], seat] += wanted
            throws[live] += 1
            turn += 1
            if rules.who_scores == "first hit":
                live = live[~hit]
            elif turn == players:
                break
    shares = shares_of_best(points)
    tie = (points == points.max(axis=1, keepdims=True)).sum(axis=1) > 1
    found = {**seats("win", shares), "tie": tie, "expected_throws": throws}
    return {**found, "win_each_seat": shares[:, 0], "expected_total": points[:, 0], "nothing_scored": points[:, 0] == 0}


def craps(rules: Any, _players: int, games: int, dice: Dice) -> Samples:
    """Some sums win or lose at once, any other must come again before the seven."""

    def throw(count: int) -> NDArray[Any]:
        return np.asarray(dice.integers(1, rules.faces + 1, size=(count, rules.dice)).sum(axis=1))

    first = throw(games)
    won, lost = np.isin(first, rules.win_sums), np.isin(first, rules.lose_sums)
    pushed = first == rules.barred if rules.barred is not None else np.zeros(games, dtype=bool)
    throws = np.ones(games)
    live = np.flatnonzero(~won & ~lost)
    while len(live):
        total = throw(len(live))
        throws[live] += 1
        won[live] = total == first[live]
        lost[live] = (total == rules.seven) & ~won[live]
        live = live[~won[live] & ~lost[live]]
    against = lost & ~pushed
    return {
        "win_probability": won,
        "expected_payoff": won * 2.0 - 1.0,
        "against_win_probability": against,
        "against_push_probability": pushed,
        "against_expected_payoff": against * 1.0 - won,
        "expected_throws": throws,
    }


def dice_bank(rules: Any, _players: int, games: int, dice: Dice) -> Samples:
    """A stake on one number."""
    count = (dice.integers(1, rules.faces + 1, size=(games, rules.dice)) == 1).sum(axis=1)
    payoff = np.array([-1, *rules.pays])[count]
    return {"win_probability": count > 0, "expected_payoff": payoff, "house_edge": -payoff}


def drop_dead(rules: Any, players: int, games: int, dice: Dice) -> Samples:
    """A throw without dead faces scores; dice that show one are set aside."""
    scores, throws = np.zeros((games, players)), np.zeros((games, players))
    for seat in range(players):
        left = np.full(games, rules.dice)
        live = np.arange(games)
        while len(live):
            thrown = dice.integers(1, rules.faces + 1, size=(len(live), rules.dice))
            used = np.arange(rules.dice) < left[live, None]
            dead = (np.isin(thrown, rules.dead) & used).sum(axis=1)
            scores[live, seat] += np.where(dead == 0, (thrown * used).sum(axis=1), 0)
            throws[live, seat] += 1
            left[live] -= dead
            live = live[left[live] > 0]
    shares = shares_of_best(scores)
    return {
        "expected_score": scores[:, 0],
        "expected_throws": throws[:, 0],
        "nothing_scored": scores[:, 0] == 0,
        "win_each_seat": shares[:, 0],
        "tie": (shares.max(axis=1) < 1) & (players > 1),
        "expected_best": scores.max(axis=1),
    }


def four_dice(rules: Any, _players: int, games: int, dice: Dice) -> Samples:
    """Enough of the dice must show one face."""
    won = (dice.integers(1, rules.faces + 1, size=(games, rules.dice)) == 1).sum(axis=1) >= rules.needed
    return {"win_seat_1": won, "win_seat_2": ~won, "expected_payoff": won * 2.0 - 1.0}


def martinetti(rules: Any, players: int, games: int, dice: Dice) -> Samples:
    """A chip goes from field to field as far as a throw takes it, and the player throws on as long as it moves."""
    numbers = [*range(1, rules.fields + 1)]
    if rules.route == "up and back":
        numbers += numbers[::-1]
    known: dict[tuple[int, tuple[int, ...]], int] = {}

    def reach(place: int, thrown: tuple[int, ...]) -> int:
        """The farthest place, by trying every way to use the dice."""
        if place == len(numbers):
            return place
        key = place, thrown
        if key not in known:
            farthest = place
            for size in range(1, len(thrown) + 1):
                for part in combinations(range(len(thrown)), size):
                    if sum(thrown[at] for at in part) == numbers[place]:
                        rest = tuple(die for at, die in enumerate(thrown) if rules.die_reuse or at not in part)
                        farthest = max(farthest, reach(place + 1, rest))
            known[key] = farthest
        return known[key]

    place = np.zeros((games, players), dtype=int)
    throws, turns = np.zeros(games), np.zeros(games)
    done = np.full((games, players), 1 << 30)
    clock = 0
    while (place < len(numbers)).any():
        for seat in range(players):
            clock += 1
            live = np.flatnonzero(place[:, seat] < len(numbers))
            turns[live] += seat == 0
            while len(live):
                thrown = np.sort(dice.integers(1, rules.faces + 1, size=(len(live), rules.dice)), axis=1)
                throws[live] += seat == 0
                ways = zip(place[live, seat].tolist(), map(tuple, thrown.tolist()), strict=True)
                after = np.array([reach(at, one) for at, one in ways])
                moved = after > place[live, seat]
                place[live, seat] = after
                done[live[after == len(numbers)], seat] = clock
                live = live[moved & (after < len(numbers))]
    winner = done.argmin(axis=1)
    found = seats("win", winner[:, None] == np.arange(players)) if players > 1 else {}
    return {**found, "expected_throws": throws, "expected_turns": turns}
