"""Tables for two as [mover, waiter], whichever match states they hold."""

from collections.abc import Iterable
from itertools import accumulate
from typing import Protocol

from solver.errors import TableError
from solver.race.rules import RaceRules
from solver.table import Table
from solver.text import _


class MatchNumbers(Protocol):
    """Numbers of match states."""

    def __getitem__(self, place: tuple[int, int]) -> float: ...


def places(rules: RaceRules, scores: Iterable[int]) -> list[int]:
    """The first place of each waiter among the offers of a table, and their number.

    A waiter has one place for each turn total that he may leave: from 0, at which nobody stops, up to his score.
    """
    totals = ((score - rules.least_score()) // rules.match.step + 1 for score in scores)
    return list(accumulate(totals, initial=0))


class Offered:
    """The values of a table for a mover to whom dice and points have been left."""

    def __init__(self, rules: RaceRules, table: Table, scores: Iterable[int]) -> None:
        """``scores`` are those of the table's player states. TableError if its offers are not those of these rules."""
        self._dice, self._step = rules.dice.count - 1, rules.match.step
        self._places = places(rules, scores)
        self._values = table.offered
        if self._values is None or self._values.shape != (len(table.states), self._places[-1] * self._dice):
            raise TableError(_("the table does not have the offers of its ruleset"))

    def value(self, mover: int, waiter: int, dice: int, points: int) -> float:
        """Of a mover who may go on with so many dice and points of a waiter. TableError if the waiter has fewer."""
        place = self._places[waiter] + points // self._step
        if self._values is None or place >= self._places[waiter + 1]:
            raise TableError(_("the table does not hold this match state"))
        return float(self._values[mover, place * self._dice + dice - 1])


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


def match_offers(rules: RaceRules, table: Table) -> Offered | None:
    """The values of a table for two with offers of dice and points, if there are any."""
    if not table.info.offers:
        return None
    score = table.info.fields.index("score")
    return Offered(rules, table, [row[score] for row in table.rows()])


def match_margins(table: Table) -> MatchNumbers | None:
    """The margins of a table for two, if it has any."""
    if table.margins is None or not table.info.against:
        return table.margins
    return Held(table, table.margins)
