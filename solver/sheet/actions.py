"""One turn of a sheet, solved again from what the states are worth that it leads to."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.sheet.lattice import lattice
from solver.sheet.model import SheetModel
from solver.sheet.moves import moves_of
from solver.sheet.position import faces_of
from solver.sheet.rows import row_worth

Values = NDArray[np.float64]


class Choice(NamedTuple):
    """One thing to do with a throw."""

    hold: tuple[int, ...] | None
    """Faces kept while the other dice are thrown; None where a row is written."""
    write: str | None
    """The row that is written."""
    row_points: int
    """Points of the row, as they stand on the sheet."""
    points: int
    """These, and what is paid on top of them or taken off, as the bonus of the upper part."""
    value: float
    """What is still to come on average, these points included; or the chance to reach the goal or to win."""

    def written(self) -> dict[str, Any]:
        """The row that is written and its points, as plain data."""
        return {"write": self.write, "row_points": self.row_points, "points": self.points}


class Turn:
    """The turn of one state and lane; ``worths``: [kind, candidate], what each way to end it is worth."""

    def __init__(self, model: SheetModel, kernel: Any, state: int, lane: int, worths: Values) -> None:
        self.model, self.kernel, self.state, self.lane = model, kernel, state, lane
        self.worths = worths
        self.throws: int = kernel.throws_of(state, lane)
        self._open, self._classes = kernel.offers(state)
        self._base = np.cumsum([0, *(len(model.rows[number].classes) for number in self._open)])
        moves = moves_of(model, kernel, state)
        self._points, self._row_points = moves.points[:, :, lane], moves.row_points
        self._keeps: dict[int, Values] = {}

    @property
    def value(self) -> float:
        """What the turn is worth before the first throw."""
        return float(self.keeps(0)[-1])

    def keeps(self, made: int) -> Values:
        """[node], what each keep is worth after so many throws; before the first, only the empty one, the last."""
        if made not in self._keeps:
            self._keeps[made] = self.kernel.turn(self.state, self.worths[:, :, None], made)[:, 0]
        return self._keeps[made]

    def choices(self, throw: int, made: int) -> list[Choice]:
        """All choices with a throw, the ``made``-th of the turn; in a fixed order, not ranked."""
        found = [self._write(at, throw, made) for at in range(len(self._open)) if self._classes[at, throw] >= 0]
        if made < self.throws:
            keeps = self.keeps(made)
            found += [Choice(faces_of(node), None, 0, 0, float(keeps[node])) for node in lattice().within[throw]]
        return found

    def _write(self, at: int, throw: int, made: int) -> Choice:
        kinds = len(self.worths)
        candidate = int(self._base[at]) + int(self._classes[at, throw])
        kind = 0 if kinds == 1 else min(made - 1, 1) if kinds == 2 else made - 1
        name = self._name(self.model.rows[int(self._open[at])].name, throw, made)
        row_points, points = int(self._row_points[kind, candidate]), int(self._points[kind, candidate])
        return Choice(None, name, row_points, points, float(self.worths[kind, candidate]))

    def _name(self, name: str, throw: int, made: int) -> str:
        """The name of a row; of rounds that take the best row, that row."""
        rules = self.model.rules
        if rules.sheet.rounds is None:
            return name
        worths = [(row_worth(rules, row, lattice().nodes[throw]), row_name) for row_name, row in rules.named_rows()]
        return max(worths, key=lambda pair: pair[0].first if made == 1 else pair[0].later)[1]
