"""The small games: the one place that knows them all."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Protocol, cast

from solver.parlour.answer import Answer
from solver.parlour.odds import Odds
from solver.parlour.rules import ParlourRules, Seats
from solver.schema import Problem

GAMES = {
    "aces": "solver.parlour.aces",
    "bluff": "solver.parlour.bluff",
    "buck dice": "solver.parlour.buck_dice",
    "chicago": "solver.parlour.chicago",
    "craps": "solver.parlour.craps",
    "dice bank": "solver.parlour.dice_bank",
    "drop dead": "solver.parlour.drop_dead",
    "four dice": "solver.parlour.four_dice",
    "high dice": "solver.parlour.high_dice",
    "liar": "solver.parlour.liar_odds",
    "liar's dice": "solver.parlour.liars_dice_odds",
    "martinetti": "solver.parlour.martinetti",
    "showdown": "solver.parlour.showdown",
    "thirteen": "solver.parlour.thirteen",
}
"""From the name of a game in a ruleset file to its module."""

ADVICE = {
    "bluff": "solver.parlour.bluff_advice",
    "high dice": "solver.parlour.high_dice",
    "liar": "solver.parlour.liar_many_advice",
    "liar's dice": "solver.parlour.liars_dice_advice",
    "martinetti": "solver.parlour.martinetti",
    "showdown": "solver.parlour.showdown_advice",
    "thirteen": "solver.parlour.thirteen_advice",
}
"""The same for games with choices, to the module that advises."""


class Game(Protocol):
    """What the module of a game offers."""

    @property
    def Rules(self) -> type[ParlourRules]:  # noqa: N802
        """All that a ruleset file of the game may say."""

    @property
    def SEATS(self) -> Seats:  # noqa: N802
        """How many players it may be asked for."""

    def problems(self, rules: Any) -> Iterator[Problem]:
        """Contradictions between the keys."""

    def odds(self, rules: Any, players: int) -> Odds:
        """All that is told about the game without a position."""


class Adviser(Protocol):
    """What the module that advises on a game offers."""

    @property
    def POSITION(self) -> tuple[str, ...]:  # noqa: N802
        """The options of ``advise`` that make sense for the game."""

    def advise(self, rules: Any, ruleset: str, **stated: str) -> Answer:
        """Advice for one position. PositionError if it cannot be."""


def load_game(name: str) -> Game:
    """The game of a name in ``GAMES``; it is imported now."""
    return cast("Game", import_module(GAMES[name]))


def load_adviser(name: str) -> Adviser:
    """Who advises on the game of a name in ``ADVICE``."""
    return cast("Adviser", import_module(ADVICE[name]))
