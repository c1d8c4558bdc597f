"""The study of small games, as ``solver.studies`` calls it: they can be played with dice, and no more."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from solver.errors import PositionError
from solver.parlour.rules import ParlourRules
from solver.text import _

Progress = Callable[..., None]
OPTIMAL = "optimal"


def check_two(rules: ParlourRules, option: str, found: str) -> None:
    """PositionError if the game is not for two players."""
    from solver.parlour.games import load_game

    if load_game(rules.game).SEATS.high < 2:  # there is none for three or more alone
        raise PositionError(
            _("{option}: {found}; allowed: only without, in a game for one").format(option=option, found=found)
        )


def simulate(
    rules: ParlourRules, policy: str, against: str | None, *, games: int, seed: int, solve: Any, progress: Progress
) -> tuple[dict[str, Any], str]:
    """Play many games, each player as well as can be, and compare what is known exactly."""
    from solver.parlour.games import load_game
    from solver.parlour.study.simulation import play

    del solve  # small games solve themselves
    for option, found in (("--policy", policy), ("--against", against or OPTIMAL)):
        if found != OPTIMAL:
            raise PositionError(
                _("{option}: {found}; allowed: {optimal}, in games of this family").format(
                    option=option, found=found, optimal=OPTIMAL
                )
            )
    seats = load_game(rules.game).SEATS
    players = 2 if against else seats.default
    compared = play(rules, players, games, seed, progress)
    lines = [
        rules.title,
        _("{games} games with dice, best play of all: the mean, its standard error, and what is known exactly.").format(
            games=games
        ),
    ]
    width = max(len(found.figure.sentence) for found in compared)
    lines += [
        f"{found.figure.sentence:<{width}}  {found.mean:.5f}  {found.error:.5f}  {float(found.figure.value):.5f}"
        for found in compared
    ]
    told = {"players": players, "games": games, "seed": seed, "figures": [found.to_json() for found in compared]}
    return told, "\n".join(lines)


def evaluate(
    rules: ParlourRules, _policy: str, _against: str | None, *, response: bool, solve: Any, progress: Progress
) -> tuple[dict[str, Any], str]:
    """PositionError: rules of people are not told for games of this family."""
    del response, solve, progress
    _none(rules, "evaluate")


def review(rules: ParlourRules, _game: Path, *, solve: Any) -> tuple[dict[str, Any], str]:
    """PositionError: there are no records of games of this family."""
    del solve
    _none(rules, "review")


def simplify(
    rules: ParlourRules, *, thresholds: int, players: int, solve: Any, progress: Progress
) -> tuple[dict[str, Any], str]:
    """PositionError: there are no cards for games of this family."""
    del thresholds, players, solve, progress
    _none(rules, "simplify")


def plot(rules: ParlourRules, _what: str, _out: Path, *, dice: int | None, solve: Any) -> None:
    """PositionError: there are no pictures of games of this family."""
    del dice, solve
    _none(rules, "plot")


def _none(rules: ParlourRules, verb: str) -> NoReturn:
    raise PositionError(
        _("{title}: {verb}; allowed for small games: simulate, and kosti odds").format(
            title=rules.title or rules.game, verb=verb
        )
    )
