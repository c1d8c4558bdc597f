"""Tables as rows for programs that want pure look-up: values, or where to stop."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from solver.race.actions import Turn
from solver.race.held import columns, match_offers, match_values
from solver.race.player import Player, impossible_together
from solver.race.position import state_index
from solver.race.rules import RaceRules
from solver.race.worth import Worth, stake_worth, turns_worth, win_worth
from solver.table import Table

Row = dict[str, Any]

OPPONENT = "opponent_"
"""Before the names of the waiter's fields."""


def value_rows(rules: RaceRules, table: Table) -> Iterator[Row]:
    """One row for each match state: the player to move, the opponent if any, and the value."""
    fields = table.info.fields
    states = table.rows()
    facts = [dict(zip(fields, row, strict=True)) for row in states]
    if table.info.players == 1:
        for mover, me in enumerate(facts):
            yield {**me, "value": table.values[mover]}
        return
    values, offers = match_values(table), match_offers(rules, table)
    for mover, waiter in _held(table):
        yield {**facts[mover], **_opponent(facts[waiter]), "value": values[mover, waiter]}
        if offers is not None:
            for points, dice in product(
                range(rules.match.step, facts[waiter]["score"] - rules.least_score() + 1, rules.match.step),
                range(1, rules.dice.count),
            ):
                left = {"offered": dice, "banked": points}
                value = offers.value(mover, waiter, dice, points)
                yield {**facts[mover], **left, **_opponent(facts[waiter]), "value": value}


def _held(table: Table) -> Iterator[tuple[int, int]]:
    """The match states of a table for two."""
    everybody = range(len(table.states))
    if not table.info.against:
        yield from product(everybody, everybody)
        return
    waiters = columns(table)
    first = next(iter(waiters))
    for mover in everybody:
        yield from product((mover,), everybody if mover == first else waiters)


def _opponent(facts: Row) -> Row:
    return {OPPONENT + name: fact for name, fact in facts.items()}


def decision_rows(rules: RaceRules, table: Table) -> Iterator[Row]:
    """One row for each match state and number of dice left: the turn totals at which to stop.

    ``stop`` lists runs ``[low, high]`` of totals in points; a high end of None means: and all above.
    """
    index = state_index(rules, table)
    players = list(index)
    facts = [dict(zip(table.info.fields, row, strict=True)) for row in table.rows()]
    turns: Iterator[tuple[Row, Player, Worth]]
    played = rules
    if table.info.players == 1:
        played = rules.alone()
        turns = (({}, player, turns_worth(index, table.values)) for player in players)
    else:
        worth_of = stake_worth if table.info.objective == "stake" else win_worth
        values, offers = match_values(table), match_offers(rules, table)
        turns = (
            (_opponent(facts[waiter]), players[mover], worth_of(rules, players[waiter], index, values, None, offers))
            for mover, waiter in _decided(table)
            if not impossible_together(rules, players[mover], players[waiter])
        )
    turn: Turn | None = None
    for them, player, worth in turns:
        turn = Turn(played, player, worth) if turn is None or turn.player != player else turn.against(worth)
        for rule in turn.plan(2.0 * table.info.bound):
            yield {**facts[index[player]], **them, "dice": rule.dice, "stop": [list(run) for run in rule.totals]}


def _decided(table: Table) -> Iterator[tuple[int, int]]:
    """The match states of a table for two that also holds all that may follow them."""
    first = next(iter(columns(table))) if table.info.against else None
    return (place for place in _held(table) if first is None or first in place)
