"""The table of a sheet as rows, for programs that want pure look-up."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from solver.sheet.actions import Turn
from solver.sheet.advice import rank
from solver.sheet.lattice import THROWS
from solver.sheet.model import SheetModel, compile_sheet
from solver.sheet.position import faces_of
from solver.sheet.rules import SheetGameRules
from solver.sheet.tables import all_values
from solver.table import Table


def value_rows(rules: SheetGameRules, table: Table) -> Iterator[dict[str, Any]]:
    """One row for each state of the sheet and each lane, with the points still to come."""
    model = compile_sheet(rules)
    values = all_values(model, table)
    for state, lane in _states(model):
        yield {**_facts(model, state, lane), "value": float(values[model.start[state] + lane])}


def decision_rows(rules: SheetGameRules, table: Table) -> Iterator[dict[str, Any]]:
    """One row for each state, lane, number of throws made and throw, with the best choice."""
    model = compile_sheet(rules)
    kernel, values = model.kernel(), all_values(model, table)
    for state, lane in _states(model):
        if state == int(model.levels[-1][0]):
            continue
        turn = Turn(model, kernel, state, lane, kernel.worths(state, lane, values))
        for made in range(1, turn.throws + 1):
            for throw in range(THROWS):
                best = rank(turn.choices(throw, made), 2.0 * table.info.bound)[0]
                yield {
                    **_facts(model, state, lane),
                    "throw": made,
                    "dice": "".join(map(str, faces_of(throw))),
                    "hold": None if best.hold is None else "".join(map(str, best.hold)),
                    "write": best.write,
                    "value": best.value,
                }


def _states(model: SheetModel) -> Iterator[tuple[int, int]]:
    for states in model.levels:
        for state in states.tolist():
            for lane in range(model.lanes(state)):
                yield state, lane


def _facts(model: SheetModel, state: int, lane: int) -> dict[str, Any]:
    memory = int(model.memory[state])
    note, saved = divmod(lane, int(model.stocks[memory]))
    counts = [state // step % (row.times + 1) for row, step in zip(model.rows, model.stride, strict=True)]
    notes = model.notes[memory]
    return {
        "written": " ".join(
            row.name if row.times == 1 else f"{row.name}:{count}"
            for row, count in zip(model.rows, counts, strict=True)
            if count
        ),
        "total": int(notes.total[note]),
        "made": bool(np.bool_(notes.made[note])),
        "saved": saved,
    }
