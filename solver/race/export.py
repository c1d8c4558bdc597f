"""Tables as rows for programs that want pure look-up: values, or where to stop."""

from collections.abc import Iterator
from typing import Any

from solver.race.actions import Turn, stake_worth, turns_worth, win_worth
from solver.race.position import state_index
from solver.race.rules import RaceRules
from solver.table import Table

Row = dict[str, Any]

OPPONENT = "opponent_"
"""Before the names of the waiter's fields."""


def value_rows(table: Table) -> Iterator[Row]:
    """One row for each match state: the player to move, the opponent if any, and the value."""
    fields = table.info.fields
    states = table.rows()
    for mover, row in enumerate(states):
        me = dict(zip(fields, row, strict=True))
        if table.info.players == 1:
            yield {**me, "value": table.values[mover]}
            continue
        for waiter, other in enumerate(states):
            them = {OPPONENT + name: fact for name, fact in zip(fields, other, strict=True)}
            yield {**me, **them, "value": table.values[mover, waiter]}


def decision_rows(rules: RaceRules, table: Table) -> Iterator[Row]:
    """One row for each match state and number of dice left: the turn totals at which to stop.

    ``stop`` lists runs ``[low, high]`` of totals in points; a high end of None means: and all above.
    """
    index = state_index(rules, table)
    fields = table.info.fields
    numbers = table.rows()
    for player, mover in index.items():
        me = dict(zip(fields, numbers[mover], strict=True))
        for opponent, waiter in index.items() if table.info.players == 2 else [(None, 0)]:
            if opponent is None:
                worth, them = turns_worth(index, table.values), {}
            else:
                worth_of = stake_worth if table.info.objective == "stake" else win_worth
                worth = worth_of(rules, opponent, index, table.values)
                them = {OPPONENT + name: fact for name, fact in zip(fields, numbers[waiter], strict=True)}
            for rule in Turn(rules, player, worth).plan(2.0 * table.info.bound):
                yield {**me, **them, "dice": rule.dice, "stop": [list(run) for run in rule.totals]}
