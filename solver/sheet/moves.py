"""What writing a row does to a sheet: points and what is remembered, for every candidate of a state at once."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.sheet.model import SheetModel

Whole = NDArray[np.int64]


class Moves(NamedTuple):
    """The candidates of a state, in the order of the kernel: open rows, and for each row its classes of throws."""

    state: Whole
    """[candidate], the state that follows."""
    lane: Whole
    """[kind, candidate, lane], the lane that follows; -1 where a turn has not so many throws."""
    points: Whole
    """[kind, candidate, lane], with bonuses and what is paid for the school."""
    row_points: Whole
    """[kind, candidate], those of the row alone, as they stand on the sheet."""


def moves_of(model: SheetModel, kernel: Any, state: int) -> Moves:
    """What every candidate of a state leads to."""
    memory = int(model.memory[state])
    notes, stocks = model.notes[memory], int(model.stocks[memory])
    rules, memories = model.rules, model.memories
    counts = tuple(state // model.stride[number] % (model.rows[number].times + 1) for number in memories.remembered)
    lanes = np.arange(len(notes.total) * stocks)
    note, saved = np.divmod(lanes, stocks)
    throws = int(kernel.throws_of(state, len(lanes) - 1))
    stock = rules.saved_throws is not None
    kinds = max(3, throws) if stock else 2 if model.arrays["doubled"] else 1
    made_bonus = model.arrays["bonus"][model.arrays["bonus_ptr"][memory] :][: len(notes.total)].astype(np.int64)
    after, targets, points, row_points = [], [], [], []
    for number in kernel.offers(state)[0].tolist():
        row, following = model.rows[number], state + model.stride[number]
        classes = len(row.classes)
        next_note = np.broadcast_to(note, (classes, len(lanes)))
        paid: Whole = np.array([[int(item.bonus)] for item in row.classes]) * made_bonus[note]
        if number in memories.remembered:
            step, payment = memories.steps[counts, number]
            next_note, paid = step[:, note], paid + payment[:, note]
        next_stocks = int(model.stocks[model.memory[following]])
        by_kind, points_by_kind, worth_by_kind = [], [], []
        for kind in range(kinds):
            first = kind == 0 and kinds > 1
            worth = np.array([[item.worth.first if first else item.worth.later] for item in row.classes])
            left = saved + rules.turn.throws - kind - 1 if stock else saved
            may = kind < _throws_of(model, memory, saved) if stock else np.ones(len(lanes), dtype=np.bool_)
            by_kind.append(np.where(may, next_note * next_stocks + left, -1))
            points_by_kind.append(worth + paid)
            worth_by_kind.append(worth[:, 0])
        after += [following] * classes
        targets.append(np.array(by_kind))
        points.append(np.array(points_by_kind))
        row_points.append(np.array(worth_by_kind))
    return Moves(np.array(after), *(np.concatenate(parts, axis=1) for parts in (targets, points, row_points)))


def _throws_of(model: SheetModel, memory: int, saved: Whole) -> Whole:
    return np.asarray(model.rules.turn.throws + np.minimum(saved, int(model.arrays["usable"][memory])))


def following(model: SheetModel, states: list[int]) -> list[int]:
    """The states that one more written row may lead to, in ascending order."""
    after = {
        state + step
        for state in states
        for row, step in zip(model.rows, model.stride, strict=True)
        if state // step % (row.times + 1) < row.times
    }
    return sorted(state for state in after if model.memory[state] >= 0)
