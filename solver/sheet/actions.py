"""One turn of a sheet, solved again from the values of the states that it leads to."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.sheet.lattice import EMPTY, NODES, lattice
from solver.sheet.model import SheetModel
from solver.sheet.position import faces_of
from solver.sheet.rows import row_worth

Values = NDArray[np.float64]


class Choice(NamedTuple):
    """One thing to do with a throw."""

    hold: tuple[int, ...] | None
    """Faces kept while the other dice are thrown; None where a row is written."""
    write: str | None
    """The row that is written."""
    points: int
    """Points of the row, bonuses that are paid with it included."""
    value: float
    """What is still to come on average, these points included; or the chance to reach the goal or to win."""


class Turn:
    """The turn of one state and lane."""

    def __init__(self, model: SheetModel, kernel: Any, state: int, lane: int, values: Values) -> None:
        self.model, self.kernel, self.state, self.lane, self.values = model, kernel, state, lane, values
        self.open, self._classes = kernel.offers(state)
        self.throws: int = kernel.throws_of(state, lane)
        self._worths = kernel.worths(state, lane, values)
        self._keeps: dict[int, Values] = {}
        sizes = [len(model.rows[number].classes) for number in self.open]
        self._base = np.cumsum([0, *sizes])

    @property
    def value(self) -> float:
        """What the turn is worth before the first throw."""
        return float(self.keeps(0)[EMPTY])

    def keeps(self, made: int) -> Values:
        """[node], what each keep is worth after so many throws."""
        if made not in self._keeps:
            found = np.empty(NODES)
            self.kernel.keeps(self.state, self.lane, made, self.values, found)
            self._keeps[made] = found
        return self._keeps[made]

    def choices(self, throw: int, made: int) -> list[Choice]:
        """All choices with a throw, the ``made``-th of the turn; in a fixed order, not ranked."""
        found = [self._write(at, throw, made) for at in range(len(self.open)) if self._classes[at, throw] >= 0]
        if made < self.throws:
            keeps = self.keeps(made)
            found += [Choice(faces_of(node), None, 0, float(keeps[node])) for node in lattice().within[throw]]
        return found

    def _write(self, at: int, throw: int, made: int) -> Choice:
        number, kind = int(self.open[at]), int(self._classes[at, throw])
        row, kinds = self.model.rows[number], len(self._worths)
        item = row.classes[kind]
        as_kind = 0 if kinds == 1 else min(made - 1, 1) if kinds == 2 else made - 1
        points = item.worth.first if made == 1 else item.worth.later
        memory = int(self.model.memory[self.state])
        note = self.lane // int(self.model.stocks[memory])
        rules = self.model.rules
        if item.bonus and rules.joker and self.model.notes[memory].made[note]:
            points += rules.joker.bonus
        if number in self.model.memories.remembered:
            counts = tuple(
                self.state // self.model.stride[other] % (self.model.rows[other].times + 1)
                for other in self.model.memories.remembered
            )
            points += int(self.model.memories.steps[counts, number][1][kind, note])
        value = float(self._worths[as_kind, self._base[at] + kind])
        return Choice(None, self._name(row.name, throw, made), points, value)

    def _name(self, name: str, throw: int, made: int) -> str:
        """The name of a row; of rounds that take the best row, that row."""
        rules = self.model.rules
        if rules.sheet.rounds is None:
            return name
        worths = [(row_worth(rules, row, lattice().nodes[throw]), row_name) for row_name, row in rules.named_rows()]
        return max(worths, key=lambda pair: pair[0].first if made == 1 else pair[0].later)[1]
