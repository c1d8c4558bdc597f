"""What a player of a sheet sees, by name, for all throws and lanes of a state at once."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.policies.expression import Names
from solver.sheet.lattice import FACES, THROWS, lattice
from solver.sheet.memory import remembers_total
from solver.sheet.model import SheetModel
from solver.sheet.sections import FACE_ROWS
from solver.sheet.study.turns import OpenRows, Whole

DICE_NAMES = (*FACE_ROWS, "pips", "equal", "pairs", "run")
"""Dice of each face; their sum; the most dice of one face; faces of which there are two or more; the longest run."""
TURN_NAMES = ("throw", "left", "turn", "open_rows")
"""Number of the throw, from 1; throws left after it; number of the turn, from 1; rows still open."""
SCHOOL, SAVED = "school", "saved"
"""The total of the single faces so far, as far as it matters; throws saved."""


def flag_of(name: str) -> str:
    """The name of the condition that a row is open."""
    return "open_" + name.replace("-", "_")


def points_of(name: str) -> str:
    """The name of the points that a row would bring now; 0 where it is written."""
    return "points_" + name.replace("-", "_")


def names_of(model: SheetModel) -> Names:
    """All names, and whether each is a condition."""
    names = dict.fromkeys((*DICE_NAMES, *TURN_NAMES), False)
    for row in model.rows:
        names[flag_of(row.name)] = True
        names[points_of(row.name)] = False
    if remembers_total(model.rules):
        names[SCHOOL] = False
    if model.rules.saved_throws is not None:
        names[SAVED] = False
    return names


class Sight(NamedTuple):
    """A state as its player sees it: arrays [throw, lane], either of which may be 1."""

    model: SheetModel
    state: int
    lanes: Whole
    open_rows: OpenRows
    throws: NDArray[np.int32]

    def seen(self, made: int, names: set[str]) -> dict[str, Any]:
        """What these names stand for after so many throws, from 0 on."""
        return {name: self._fact(name, made) for name in names}

    def points(self, place: int, made: int) -> Whole:
        """[throw], the points of an open row; 0 where it may not take the throw."""
        row = self.model.rows[self.open_rows.rows[place]]
        worth = np.array([[item.worth.later, item.worth.first] for item in row.classes], dtype=np.int64)
        classes = self.open_rows.classes[place]
        return np.where(classes >= 0, worth[np.maximum(classes, 0), int(made == 0)], 0)

    def _fact(self, name: str, made: int) -> Any:
        model = self.model
        if name in DICE_NAMES:
            return dice_facts()[name]
        if name == "throw":
            return np.array([[made + 1]])
        if name == "left":
            return np.maximum(self.throws - made - 1, 0)[None, :]
        if name in ("turn", "open_rows"):
            counts = [self.state // step % (row.times + 1) for row, step in zip(model.rows, model.stride, strict=True)]
            times = sum(row.times for row in model.rows)
            return np.array([[sum(counts) + 1 if name == "turn" else times - sum(counts)]])
        memory = int(model.memory[self.state])
        stocks = int(model.stocks[memory])
        if name == SCHOOL:
            return model.notes[memory].total[self.lanes // stocks][None, :]
        if name == SAVED:
            return (self.lanes % stocks)[None, :]
        for place, number in enumerate(self.open_rows.rows):
            if name == points_of(model.rows[number].name):
                return self.points(place, made)[:, None]
            if name == flag_of(model.rows[number].name):
                return np.array([[True]])
        return np.array([[False if name.startswith("open_") else 0]])


@cache
def dice_facts() -> dict[str, Whole]:
    """[throw, 1], what the dice of each throw show."""
    throws = np.array(lattice().nodes[:THROWS])
    facts = {name: throws[:, face - 1] for name, face in FACE_ROWS.items()}
    facts["pips"] = throws @ np.arange(1, FACES + 1)
    facts["equal"] = throws.max(axis=1)
    facts["pairs"] = (throws >= 2).sum(axis=1)
    facts["run"] = np.array([max(len(run) for run in _runs(throw)) for throw in throws.tolist()])
    return {name: array[:, None] for name, array in facts.items()}


@cache
def kept_dice(keep: str) -> Whole:
    """[throw], the node that a rule keeps of each throw."""
    dice = lattice()
    found = []
    for throw in dice.nodes[:THROWS]:
        if keep == "none":
            kept = [0] * FACES
        elif keep == "pairs":
            kept = [count if count > 1 else 0 for count in throw]
        elif keep == "equal":
            face = max(range(FACES), key=lambda face: (throw[face], face))
            kept = [count if place == face else 0 for place, count in enumerate(throw)]
        elif keep == "run":
            run = max(_runs(list(throw)), key=lambda run: (len(run), run))
            kept = [int(face in run) for face in range(FACES)]
        else:
            kept = [count if str(face) in keep else 0 for face, count in enumerate(throw, 1)]
        found.append(dice.number[tuple(kept)])
    return np.array(found)


def _runs(throw: list[int]) -> list[list[int]]:
    """The longest stretches of faces that are all there."""
    runs: list[list[int]] = [[]]
    for face in range(FACES):
        if throw[face]:
            runs[-1].append(face)
        elif runs[-1]:
            runs.append([])
    return runs
