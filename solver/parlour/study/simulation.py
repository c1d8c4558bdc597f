"""Small games played with dice: which game by which function, and how the results compare with the exact ones."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from solver.parlour.games import load_game
from solver.parlour.odds import Figure
from solver.parlour.rules import ParlourRules
from solver.parlour.study import chance, choice, hidden

GAMES: dict[str, Callable[..., chance.Samples]] = {
    "aces": chance.aces,
    "bluff": choice.bluff,
    "buck dice": chance.buck_dice,
    "chicago": chance.chicago,
    "craps": chance.craps,
    "dice bank": chance.dice_bank,
    "drop dead": chance.drop_dead,
    "four dice": chance.four_dice,
    "high dice": choice.high_dice,
    "liar": hidden.liar,
    "liar's dice": hidden.liars_dice,
    "martinetti": chance.martinetti,
    "showdown": choice.showdown,
    "thirteen": choice.thirteen,
}
"""From the name of a game to what plays it."""
AT_A_TIME = 20_000
"""Games that are played side by side."""


class Compared(NamedTuple):
    """One figure of a game, as it was found by playing."""

    figure: Figure
    """With the exact value."""
    mean: float
    error: float
    """Standard error of the mean."""

    @property
    def distance(self) -> float:
        """How many standard errors the exact value is away."""
        apart = abs(self.mean - float(self.figure.value)) - self.figure.bound
        return max(0.0, apart) / self.error if self.error else (0.0 if apart <= 1e-12 else float("inf"))

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return {
            "name": self.figure.name,
            "meaning": self.figure.sentence,
            "mean": self.mean,
            "standard_error": self.error,
            "exact": float(self.figure.value),
        }


def play(
    rules: ParlourRules, players: int, games: int, seed: int, progress: Callable[..., None] | None = None
) -> list[Compared]:
    """Play so many games, each player as well as can be, and compare what is known exactly."""
    dice = np.random.default_rng(seed)
    sums: dict[str, Any] = {}
    for begin in range(0, games, AT_A_TIME):
        count = min(AT_A_TIME, games - begin)
        for name, found in GAMES[rules.game](rules, players, count, dice).items():
            values = np.asarray(found, dtype=np.float64)
            sums[name] = sums.get(name, 0.0) + np.array([values.sum(), (values**2).sum()])
        if progress:
            progress(begin + count, 0.0, (begin + count) / games)
    compared = []
    for figure in load_game(rules.game).odds(rules, players).figures:
        if figure.name in sums:
            total, squares = sums[figure.name].tolist()
            mean = total / games
            spread = max(0.0, squares / games - mean**2)
            error = float(np.sqrt(spread / (games - 1))) if games > 1 else float("inf")
            compared.append(Compared(figure, mean, error))
    return compared
