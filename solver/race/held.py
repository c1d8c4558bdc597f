"""Tables for two as [mover, waiter], whichever match states they hold."""

from typing import Protocol

from solver.errors import TableError
from solver.table import Table
from solver.text import _


class MatchNumbers(Protocol):
    """Numbers of match states."""

    def __getitem__(self, place: tuple[int, int]) -> float: ...


class Held:
    """The numbers of a table that holds some match states only, see ``solver.table``."""

    def __init__(self, table: Table, numbers: "memoryview[float]") -> None:
        self._numbers = numbers
        self._columns = columns(table)
        self._last = len(table.info.against)
        self._first = next(iter(self._columns))

    def __getitem__(self, place: tuple[int, int]) -> float:
        """Of a mover against a waiter. TableError if the table does not hold it."""
        mover, waiter = place
        if waiter in self._columns:
            return self._numbers[mover, self._columns[waiter]]
        if mover == self._first:
            return self._numbers[waiter, self._last]
        raise TableError(_("the table does not hold this match state"))


def columns(table: Table) -> dict[int, int]:
    """By number of a waiter, his column in a table that holds some match states only. TableError if one is missing."""
    numbers = {tuple(row): number for number, row in enumerate(table.rows())}
    found = {numbers.get(tuple(row), -1): column for column, row in enumerate(table.info.against)}
    if -1 in found or len(found) != len(table.info.against):
        raise TableError(_("the table does not have the player states of its ruleset"))
    return found


def match_values(table: Table) -> MatchNumbers:
    """The values of a table for two."""
    return Held(table, table.values) if table.info.against else table.values


def match_margins(table: Table) -> MatchNumbers | None:
    """The margins of a table for two, if it has any."""
    if table.margins is None or not table.info.against:
        return table.margins
    return Held(table, table.margins)
