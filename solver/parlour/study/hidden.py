"""Games of hidden dice, many at a time: both draw by the solver's strategies, all else follows from the rules."""

from functools import cache
from typing import Any

import numpy as np

from solver.library import find_table
from solver.parlour import liar as liar_game
from solver.parlour.hands import CLASSES
from solver.parlour.liar_table import Values, make_table
from solver.parlour.liars_dice import bids, tree
from solver.parlour.liars_dice_solve import solve
from solver.parlour.study.chance import Dice, Samples, seats


def liars_dice(rules: Any, _players: int, games: int, dice: Dice) -> Samples:
    """Bids on all dice together, ever more, until one calls."""
    found, strategies, every = tree(rules), solve(rules).strategies, bids(rules)
    thrown = [np.sort(dice.integers(1, rules.faces + 1, size=(games, count)), axis=1) for count in rules.dice]
    number = [
        np.array([throws.index(tuple(one)) for one in hands.tolist()])
        for throws, hands in zip(found.throws, thrown, strict=True)
    ]
    table = np.concatenate(thrown, axis=1)
    payoff = np.zeros(games)
    at: dict[int, Any] = {0: np.arange(games)}
    for place, node in enumerate(found.nodes):  # every node comes after the one that it follows
        here = at.pop(place, None)
        if here is None:
            continue
        strategy, own = strategies[node.mover], number[node.mover][here]
        parts = [strategy.bids[child][own] for child in node.children] + [strategy.calls[place][own]]
        steps = np.cumsum(np.stack(parts, axis=1), axis=1)
        chosen = (dice.random(len(here))[:, None] * steps[:, -1:] >= steps).sum(axis=1)
        for index, child in enumerate(node.children):
            if (taken := here[chosen == index]).size:
                at[child] = taken
        calls = here[chosen == len(node.children)]
        if len(calls):
            bid = every[node.bid]
            holds = _shown(rules, table[calls], bid.face) >= bid.dice
            payoff[calls] = np.where(holds == (node.mover == 1), 1.0, -1.0)  # the first wins if he bid and it holds
    return {"expected_payoff": payoff, "win_seat_1": payoff > 0}


def _shown(rules: Any, table: Any, face: int) -> Any:
    """How many dice count for a face."""
    plain, ones = (table == face).sum(axis=1), (table == 1).sum(axis=1)
    if rules.ones == "stairs":
        return 2 * ones + (0 if face == 1 else plain)
    return plain + (ones if rules.ones == "wild" and face != 1 else 0)


def liar(rules: Any, _players: int, games: int, dice: Dice) -> Samples:
    """Dice pass hidden with an ever higher announcement, until somebody doubts; each doubt takes a stake."""
    values = Values(rules, find_table(rules, "win", solve=lambda: make_table(rules)))
    won = np.array([_liar(rules, values, dice) for _game in range(games)])
    return seats("win", np.stack([won, ~won], axis=1))


@cache
def _position(rules: Any, values: Values, stakes: tuple[int, int], hand: int | None, claim: int) -> Any:
    return values.solved(rules, stakes, hand, claim)


def _liar(rules: Any, values: Values, dice: Dice) -> bool:
    """One game; whether the one who begins wins it."""
    known = liar_game.cup(rules)
    stakes = [rules.stakes, rules.stakes]
    mover = 0
    while all(stakes):
        hand: int | None = None
        claim = -1
        while True:
            solved, keeps = _position(rules, values, (stakes[mover], stakes[1 - mover]), hand, claim)
            kept = known.keeps[int(keeps[_draw(solved.sources, dice)])]
            thrown = dice.integers(1, rules.faces + 1, size=rules.dice - len(kept)).tolist()
            hand = known.hand_number[tuple(sorted([*kept, *thrown]))]
            signal = _draw(solved.sent[hand], dice) if solved.sent[hand].sum() > 0 else 0
            top = signal == solved.sent.shape[1] - 1
            doubts = top or dice.random() < solved.doubt[signal]
            claim += 1 + signal
            if doubts:
                break
            mover = 1 - mover
        true = _holds(rules, known.hands[hand], known.announcements[claim])
        announcer, doubter = mover, 1 - mover
        if true:
            stakes[doubter] -= 1
        elif stakes[announcer] == 1:
            stakes[announcer] = 0
        else:
            stakes[announcer] -= 2
            stakes[doubter] += 1
        mover = doubter
    return bool(stakes[0] > 0)


def _draw(parts: Any, dice: Dice) -> int:
    steps = np.cumsum(np.maximum(parts, 0.0))
    return int(min(np.searchsorted(steps, dice.random() * steps[-1], side="right"), len(steps) - 1))


def _holds(rules: Any, hand: tuple[int, ...], said: liar_game.Announcement) -> bool:
    """Whether a hand is at least as good as what was announced."""
    best = liar_game.highest(rules, hand)
    return bool((CLASSES.index(best.name), best.face) >= (CLASSES.index(said.name), said.face))
