"""Games of one signal: a sender sees what nobody else sees and sends a signal; a receiver doubts it or accepts it.

The sender first picks one of a few sources, unseen; the source draws his type; then he sends a signal. The receiver
sees the signal only. For each type and signal it is known what a doubt and what an acceptance are worth to the sender,
and that is what the receiver loses. The game is solved as a linear program in the sequence form, for the receiver:

    minimise v  such that  v >= sum of chance(type | source) u(type)      for every source
                           u(type) >= (1 - doubt(signal)) accepted + doubt(signal) doubted   for every signal

and the sender's strategy is its dual. Nothing is believed of that: ``conceded`` and ``guaranteed`` look for the best
answers to both strategies, and the value lies between what these find.

Source: Koller, Megiddo, von Stengel, Efficient Computation of Equilibria for Extensive Two-Person Games, 1996.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Signals(NamedTuple):
    """What the signals of one game are worth to the sender."""

    chances: Any
    """Of each type, for each source: sources by types."""
    doubted: Any
    """Types by signals."""
    accepted: Any
    """Types by signals."""
    must_doubt: Any
    """For each signal, whether it cannot be accepted."""


class Equilibrium(NamedTuple):
    """Strategies of both, and the interval in which the value lies."""

    doubt: Any
    """For each signal, how often the receiver doubts it."""
    sources: Any
    """How often the sender picks each source."""
    sent: Any
    """How likely each type arises and sends each signal: types by signals, adding up to 1."""
    low: float
    """What the sender's strategy wins at least."""
    high: float
    """What the receiver's strategy concedes at most."""


def reply_values(game: Signals, doubt: Any) -> Any:
    """For each type, what the best signal is worth against these doubts."""
    return (game.accepted + doubt * (game.doubted - game.accepted)).max(axis=1)


def conceded(game: Signals, doubt: Any) -> Any:
    """For each source, what the best signals win against these doubts."""
    return game.chances @ reply_values(game, doubt)


def guaranteed(game: Signals, sent: Any) -> float:
    """What these signals win against the best answer to each."""
    doubted = (sent * game.doubted).sum(axis=0)
    accepted = (sent * game.accepted).sum(axis=0)
    return float(np.where(game.must_doubt, doubted, np.minimum(doubted, accepted)).sum())


def solve(game: Signals) -> Equilibrium:
    """Equilibrium strategies, with what best answers to them make of the value."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    sources, types = game.chances.shape
    signals = game.doubted.shape[1]
    change = game.doubted - game.accepted
    # A signal that is no better for a type, doubted or not, than another at its worst need not be looked at.
    least = np.where(game.must_doubt, game.doubted, np.minimum(game.doubted, game.accepted)).max(axis=1)
    most = np.where(game.must_doubt, game.doubted, np.maximum(game.doubted, game.accepted))
    keep_types, keep_signals = np.nonzero(most >= least[:, None])
    rows = len(keep_types)
    # Unknowns: doubt of each signal, then the value of each type, then the value of the game.
    numbers = np.arange(rows)
    where, which = np.nonzero(game.chances)
    entries = np.concatenate(
        [change[keep_types, keep_signals], -np.ones(rows), game.chances[where, which], -np.ones(sources)]
    )
    row = np.concatenate([numbers, numbers, rows + where, rows + np.arange(sources)])
    column = np.concatenate([keep_signals, signals + keep_types, signals + which, np.full(sources, signals + types)])
    matrix = csr_array((entries, (row, column)), shape=(rows + sources, signals + types + 1))
    right = np.concatenate([-game.accepted[keep_types, keep_signals], np.zeros(sources)])
    lowest = np.concatenate([game.must_doubt.astype(float), np.full(types + 1, -np.inf)])
    highest = np.concatenate([np.ones(signals), np.full(types + 1, np.inf)])
    cost = np.zeros(signals + types + 1)
    cost[-1] = 1.0
    program: Any = linprog
    found = program(
        cost, matrix, right, bounds=np.stack([lowest, highest], axis=1), method="highs", options={"presolve": False}
    )
    if not found.success:
        raise ArithmeticError(f"the linear program was not solved: {found.message}")
    doubt = np.clip(found.x[:signals], lowest[:signals], 1.0)
    dual = np.maximum(-found.ineqlin.marginals, 0.0)
    picked = dual[rows:] / dual[rows:].sum()
    raw = np.zeros((types, signals))
    raw[keep_types, keep_signals] = dual[:rows]
    return rated(game, doubt, picked, raw)


def rated(game: Signals, doubt: Any, picked: Any, raw: Any) -> Equilibrium:
    """Strategies that are ones indeed, and what they are worth."""
    reached = picked @ game.chances
    total = raw.sum(axis=1)
    sent = raw * np.divide(reached, total, out=np.zeros_like(total), where=total > 0.0)[:, None]
    idle = np.flatnonzero((total <= 0.0) & (reached > 0.0))
    best = (game.accepted + doubt * (game.doubted - game.accepted)).argmax(axis=1)
    sent[idle, best[idle]] = reached[idle]
    return Equilibrium(doubt, picked, sent, guaranteed(game, sent), float(conceded(game, doubt).max()))
