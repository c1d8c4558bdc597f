"""From a human rule to the choices that it makes in a state, as ``solver._choices`` wants them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._choices import FREE, KEEP
from solver.sheet.lattice import THROWS
from solver.sheet.study.policy import (
    BEST,
    KEEP_DICE,
    NEVER_THROW,
    NEVER_WRITE,
    OPTIMAL,
    SCORE,
    WRITE,
    SheetPolicy,
    SheetRule,
)
from solver.sheet.study.seen import Sight, kept_dice
from solver.sheet.study.turns import TIE, Choices, OpenRows, Turns, Values, Whole

NO_KEEP = np.uint32(1 << 31)
UNDECIDED = -32_000
DEFAULT = -1
"""In place of the number of a rule: none applied, so the row that brings most is written."""


class RuleChoices(NamedTuple):
    """What a rule does in a state."""

    fixed: Choices
    """[throw number, throw, lane], choices; FREE where it does what is best for it."""
    barred: NDArray[np.uint32]
    """The same shape, which open rows it never writes there; the last bit for further throws."""
    rule: NDArray[np.int16]
    """The same shape, the number of the rule that decided."""


def rule_choices(
    turns: Turns, policy: SheetPolicy, state: int, lanes: Whole, open_rows: OpenRows, best: Values | None
) -> RuleChoices:
    """The choices of a policy in some lanes of a state; ``best`` are the values of best play, if it is guided by it."""
    throws = turns.throws(state, lanes)
    most = int(throws.max())
    shape = most, THROWS, len(lanes)
    fixed = np.full(shape, UNDECIDED, dtype=np.int16)
    barred = np.zeros(shape, dtype=np.uint32)
    decided_by = np.full(shape, DEFAULT, dtype=np.int16)
    sight = Sight(turns.model, state, lanes, open_rows, throws)
    allowed = np.array([(open_rows.classes[place] >= 0) << place for place in range(len(open_rows.rows))]).sum(axis=0)
    optimal: Choices | None = None
    if policy.guided:
        assert best is not None
        optimal = turns.play(state, lanes, best, open_rows=open_rows, tie=TIE).picks
    for made in range(most):
        may_throw = (made + 1 < throws)[None, :]
        for number, rule in enumerate(policy.rules):
            where = fixed[made] == UNDECIDED
            if not where.any():
                break
            if rule.condition is not None:
                where = where & rule.condition.value_for(sight.seen(made, rule.condition.names()))
            if rule.verb in (NEVER_WRITE, NEVER_THROW):
                barred[made][where] |= NO_KEEP if rule.verb == NEVER_THROW else _bits(rule, open_rows)
                _drop(barred[made], allowed)
                continue
            if rule.verb in (BEST, OPTIMAL):
                chosen = np.full(shape[1:], FREE) if optimal is None else optimal[made]
            elif rule.verb == KEEP_DICE:
                node = kept_dice(rule.keep)[:, None]
                # To keep all five dice is to wait, and no rule means that.
                where = where & may_throw & (node != np.arange(THROWS)[:, None]) & (barred[made] & NO_KEEP == 0)
                chosen = np.broadcast_to(KEEP - node, shape[1:])
            else:
                chosen = _written(sight, rule, made, barred[made])
                where = where & (chosen >= 0)
            fixed[made][where] = chosen[where]
            decided_by[made][where] = number
        rest = fixed[made] == UNDECIDED
        if rest.any():
            fixed[made][rest] = _written(sight, SheetRule(WRITE, (), "", None, ""), made, barred[made])[rest]
    return RuleChoices(fixed, barred, decided_by)


def _bits(rule: SheetRule, open_rows: OpenRows) -> np.uint32:
    bits = sum(1 << place for place, number in enumerate(open_rows.rows) if number in rule.rows)
    return np.uint32(bits)


def _drop(barred: NDArray[np.uint32], allowed: Whole) -> None:
    """Bar no row where every row that may take a throw is barred; ``allowed`` has a bit for each of these."""
    nothing_left = allowed.astype(np.uint32)[:, None] & ~barred == 0
    barred[nothing_left] &= NO_KEEP


def _written(sight: Sight, rule: SheetRule, made: int, barred: NDArray[np.uint32]) -> Choices:
    """[throw, lane], the candidate that a rule writes; -1 where it writes none."""
    found = np.full(barred.shape, -1, dtype=np.int16)
    rows = sight.open_rows.rows
    points = [sight.points(place, made) for place in range(len(rows))]
    order = [rows.index(number) for number in rule.rows or rows if number in rows]
    most = np.full(barred.shape, np.iinfo(np.int64).min)
    for place in order:
        candidate = sight.open_rows.candidate(place)[:, None]
        may = (candidate >= 0) & (barred >> np.uint32(place) & np.uint32(1) == 0)
        if rule.verb == SCORE:
            may &= points[place][:, None] > 0
        if rule.rows:
            may &= found < 0
        else:
            may &= points[place][:, None] > most
            most = np.where(may, points[place][:, None], most)
        found = np.where(may, candidate, found)
    return found
