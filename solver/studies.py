"""The study of play by family of games: what human rules are worth, reviews, rules for a card, pictures.

A family that offers it has a module with the verbs of ``Study``, named here; others are told which ones do.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from solver.errors import PositionError
from solver.text import _

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from solver.ruleset import Rules

    Progress = Callable[..., None]
    Solve = Callable[[Any, str], Any]

STUDIES = {
    "race": "solver.race.study.family",
    "sheet": "solver.sheet.study.family",
    "parlour": "solver.parlour.study.family",
}
"""From the name of a family to its module."""


class Study(Protocol):
    """What such a module offers. Each verb gives plain data and lines of text.

    Policies are given as on the command line. ``solve(rules, objective)`` makes the table of best play if there is
    none. Raises PolicyError, PositionError, TranscriptError or TableError.
    """

    def check_two(self, rules: Any, option: str, found: str) -> None:
        """PositionError, which names the option that asks for two players, if the game is not studied for two."""

    def evaluate(
        self, rules: Any, policy: str, against: str | None, *, response: bool, solve: Solve, progress: Progress
    ) -> tuple[dict[str, Any], str]:
        """What a policy is worth, alone or against another."""

    def simulate(
        self, rules: Any, policy: str, against: str | None, *, games: int, seed: int, solve: Solve, progress: Progress
    ) -> tuple[dict[str, Any], str]:
        """The same, found by playing many games with dice of its own."""

    def measure(
        self, rules: Any, policy: str | None, *, turns: int, before: str | None, count: str | None, solve: Solve
    ) -> tuple[dict[str, Any], str]:
        """How soon, and how surely, a player alone is done."""

    def review(self, rules: Any, game: Path, *, solve: Solve) -> tuple[dict[str, Any], str]:
        """A game that was played, with what each decision cost."""

    def simplify(
        self, rules: Any, *, thresholds: int, players: int, solve: Solve, progress: Progress
    ) -> tuple[dict[str, Any], str]:
        """The best rule with at most so many thresholds, and what it costs."""

    def plot(self, rules: Any, what: str, out: Path, *, dice: int | None, solve: Solve) -> None:
        """Draw a picture into a file, PNG or SVG as its name says."""


def study_of(rules: Rules, name: str, verb: str = "evaluate") -> Study:
    """The study of a game, which its user calls ``name``. PositionError if its family does not offer the verb."""
    offered = [family for family, module in STUDIES.items() if hasattr(import_module(module), verb)]
    if rules.family not in offered:
        allowed = ", ".join(offered)
        raise PositionError(
            _("{name}: family {family}; allowed: {allowed}").format(name=name, family=rules.family, allowed=allowed)
        )
    return cast("Study", import_module(STUDIES[rules.family]))
