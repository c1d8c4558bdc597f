"""Counterfactual regret minimisation in games of one signal, for which a linear program takes too long.

Both sides play round after round. Each keeps, wherever it decides, the regret of every choice: how much more that would
have won so far than what was played; and plays each choice in proportion to its regret, which never falls below 0. The
strategies of all rounds, later ones weighing more, come ever nearer to an equilibrium. How near is not taken from
the theory but measured by best answers to both (``signals.conceded`` and ``signals.guaranteed``), so the value lies
between what these find, however the strategies were found. Nothing is random.

Source: Tammelin, Burch, Johanson, Bowling, Solving Heads-Up Limit Texas Hold'em, 2015 (CFR+). Its weights are the
numbers of the rounds; their fourth powers are taken here, with which measured gains fall several times faster.
"""

from __future__ import annotations

import numpy as np

from solver._regret import signal_rounds
from solver.parlour.signals import Equilibrium, Signals, rated

LEAST_SOURCE = 1e-3
"""Sources that are picked less often are left out: they are the remains of the first rounds."""
CHUNK = 50
"""Rounds before the first measurement; then each is after half as many again."""


def solve(game: Signals, *, close: float, rounds: int) -> Equilibrium:
    """Strategies of both after at most ``rounds`` rounds, or as soon as best answers gain at most ``close``."""
    sources, types = game.chances.shape
    signals = game.doubted.shape[1]
    where, which = np.nonzero(game.chances)
    picked, doubt = np.zeros(sources), np.zeros(signals)
    sent = np.zeros((signals, types), dtype=np.float32)
    arrays = (
        np.searchsorted(where, np.arange(sources + 1)).astype(np.int32),
        which.astype(np.int32),
        game.chances[where, which].astype(np.float32),
        np.ascontiguousarray(game.doubted.T, dtype=np.float32),
        np.ascontiguousarray(game.accepted.T, dtype=np.float32),
        np.asarray(game.must_doubt, dtype=np.uint8),
        np.zeros(sources),
        np.zeros((signals, types), dtype=np.float32),
        np.zeros((signals, 2)),
        picked,
        sent,
        doubt,
        np.zeros((4, types), dtype=np.float32),
    )
    done = 0
    while True:
        count = min(max(CHUNK, done // 2), rounds - done)
        signal_rounds(*arrays, done + 1, count)
        done += count
        share = picked / picked.sum()
        share = np.where(share < min(LEAST_SOURCE, share.max()), 0.0, share)
        doubts = np.where(game.must_doubt, 1.0, doubt / (np.arange(1.0, done + 1.0) ** 4).sum())
        found = rated(game, doubts, share / share.sum(), sent.T.astype(float))
        if done >= rounds or found.high - found.low <= close:
            return found
