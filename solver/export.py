"""Tables as CSV or JSON, for programs that want pure look-up."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from solver.families import rules_of
from solver.race.actions import Turn
from solver.race.player import impossible_together
from solver.race.position import state_index
from solver.race.worth import stake_worth, turns_worth, win_worth
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


def decision_rows(table: Table) -> Iterator[Row]:
    """One row for each match state and number of dice left: the turn totals at which to stop.

    ``stop`` lists runs ``[low, high]`` of totals in points; a high end of None means: and all above.
    """
    rules = rules_of(table)
    index = state_index(rules, table)
    fields = table.info.fields
    numbers = table.rows()
    for player, mover in index.items():
        me = dict(zip(fields, numbers[mover], strict=True))
        for opponent, waiter in index.items() if table.info.players == 2 else [(None, 0)]:
            if opponent is not None and impossible_together(rules, player, opponent):
                continue
            if opponent is None:
                worth, them, played = turns_worth(index, table.values), {}, rules.alone()
            else:
                worth_of = stake_worth if table.info.objective == "stake" else win_worth
                worth, played = worth_of(rules, opponent, index, table.values), rules
                them = {OPPONENT + name: fact for name, fact in zip(fields, numbers[waiter], strict=True)}
            for rule in Turn(played, player, worth).plan(2.0 * table.info.bound):
                yield {**me, **them, "dice": rule.dice, "stop": [list(run) for run in rule.totals]}


def write_rows(rows: Iterator[Row], file: TextIO, kind: str) -> None:
    """Write rows as ``csv`` or ``json``, one at a time."""
    if kind == "json":
        for number, row in enumerate(rows):
            file.write("[\n" if number == 0 else ",\n")
            file.write(json.dumps(row))
        file.write("\n]\n")
        return
    writer = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(file, row.keys(), lineterminator="\n")
            writer.writeheader()
        writer.writerow({name: _cell(value) for name, value in row.items()})


def _cell(value: object) -> object:
    if not isinstance(value, list):
        return repr(value) if isinstance(value, float) else value
    return " ".join(f"{low}-{'' if high is None else high}" for low, high in value)


def rows_of(table: Table, what: str) -> Iterator[Row]:
    """The rows of ``values`` or ``decisions``."""
    return value_rows(table) if what == "values" else decision_rows(table)


def suffix(path: Path) -> str | None:
    """The kind of file that a name asks for, if it does."""
    return path.suffix.lower().lstrip(".") if path.suffix.lower() in (".csv", ".json") else None
