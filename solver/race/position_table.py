"""The table that a position needs: found, or solved now; and what is wrong where it does not hold the position."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from solver.errors import PositionError, SolverError, TableError
from solver.library import find_table
from solver.race.parts import MOST_TOGETHER, WHOLE, Starts, falls_apart, occur, part_of
from solver.race.player import Player, facts_of, fields_in_use, to_row
from solver.race.position import FLAGS
from solver.race.rules import RaceRules
from solver.table import Table, TableInfo
from solver.text import _

if TYPE_CHECKING:
    from pathlib import Path

Solve = Callable[..., Table]
"""``solve(rules, objective, starts=...)`` makes a table that does not exist yet, of a game or of a part of it."""

_SPELLED = {1: "yes", 0: "no"}


def table_for(
    ruleset: str,
    rules: RaceRules,
    objective: str,
    players: tuple[Player, Player | None],
    file: "Path | None",
    solve: Solve | None,
    check: Callable[[], None],
    warn: Callable[[str], None] | None,
) -> Table:
    """A table of the game, or of a part of it in which these players stay; ``check`` is called before a solve.

    Without ``solve`` it is solved without a word. Raises TableError.
    """

    @cache
    def part() -> Starts:
        player, opponent = players
        return WHOLE if opponent is None else part_of(rules, player, opponent)

    def make() -> Table:
        check()
        starts = part() if part() and occur(rules, part(), MOST_TOGETHER) else WHOLE
        if starts == WHOLE and players[1] is not None and falls_apart(rules):
            needed = _("{name}: before both are admitted a table is needed that takes hours; made by: {command}")
            raise TableError(needed.format(name=ruleset, command=f"kosti solve {ruleset} --players 2"))
        return (solve or _solve_now)(rules, objective, starts=starts)

    def suits(info: TableInfo) -> bool:
        return not info.against or any(player is not None and not player.opened for player in players)

    def begins() -> list[list[int]]:
        return [to_row(player, fields_in_use(rules)) for player in part()]

    return find_table(rules, objective, file=file, part=begins, suits=suits, solve=make, warn=warn)


def lacking(rules: RaceRules, table: Table, option: str, player: Player, index: Mapping[Player, int]) -> SolverError:
    """The error for a player whom a table does not hold: what would have to be said otherwise, if anything helps."""
    facts = _stated(rules, player)
    if table.info.starts:
        return TableError(_("the table is of a part of the game only, without {facts}").format(facts=facts))
    error = _("{option}: a position that cannot occur: {facts}").format(option=option, facts=facts)
    for flag in FLAGS:
        other: dict[str, Any] = {flag: 1 - getattr(player, flag)}
        if player._replace(**other) in index:
            where = "--vs" if option == "--vs" else "--state"
            stated = f"{flag}={_SPELLED[other[flag]]}"
            return PositionError(
                _("{error}; with {stated} in {where} it can").format(error=error, stated=stated, where=where)
            )
    return PositionError(error)


def _solve_now(rules: RaceRules, objective: str, starts: Starts) -> Table:
    from solver.race.tables import solve_table  # brings what only a solve needs

    return solve_table(rules, objective, starts=starts)[0]


@contextmanager
def named(table: "Path | None") -> Iterator[None]:
    """What is wrong with a table that the user chose is told of the option that named it."""
    try:
        yield
    except TableError as error:
        raise TableError(f"--table: {error}" if table is not None else str(error)) from None


def _stated(rules: RaceRules, player: Player) -> str:
    """A player as facts on the command line."""
    facts = facts_of(rules, player).items()
    return ", ".join(f"{name}={_SPELLED.get(value, value) if name in FLAGS else value}" for name, value in facts)
