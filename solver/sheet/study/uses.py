"""How the rows of a sheet are used: when they are written, what they bring, which are crossed out."""

from typing import Any, NamedTuple

import numpy as np

from solver.sheet.model import SheetModel
from solver.sheet.position import Position
from solver.sheet.study.evaluation import LEAST_CHANCE, Player, walk
from solver.sheet.study.turns import Values


class RowUse(NamedTuple):
    """How often a row is written, by turn, throw and what the throw is to it."""

    name: str
    chances: Values
    """[turn, throw number, class], counted from 0; all of them add up to how often the row is written."""
    points: Values
    """[throw number, class], points of the row, without bonuses."""
    crossed: Any
    """bool [class], whether such a throw crosses the row out: it brings nothing, or, in a school that counts the
    difference from three dice, less."""
    first_crossed: float
    """The chance that of all rows this is the first to be crossed out."""

    @property
    def written(self) -> float:
        """How often the row is written: 1 unless it was written before, or rounds are counted."""
        return float(self.chances.sum())

    @property
    def mean(self) -> float:
        """Points of the row, on average."""
        return float((self.chances.sum(axis=0) * self.points).sum()) / self.written

    @property
    def crossing(self) -> float:
        """How often the row is crossed out when it is written."""
        return float(self.chances[:, :, self.crossed].sum()) / self.written

    @property
    def turn(self) -> float:
        """The number of the turn in which it is written, from 1, on average."""
        return float(self.chances.sum(axis=(1, 2)) @ np.arange(1, len(self.chances) + 1)) / self.written

    @property
    def crossing_turn(self) -> float:
        """The same, of games in which it is crossed out."""
        by_turn = self.chances[:, :, self.crossed].sum(axis=(1, 2))
        return float(by_turn @ np.arange(1, len(by_turn) + 1) / by_turn.sum()) if by_turn.sum() else float("nan")

    def after_throw(self, number: int) -> float:
        """How often it is written after this throw of the turn, from 1, when it is written."""
        return float(self.chances[:, number - 1].sum()) / self.written

    def of_class(self, wanted: Any) -> float:
        """How often it is written with classes of throws, given as bool [class], when it is written."""
        return float(self.chances[:, :, wanted].sum()) / self.written

    def last_turn(self) -> float:
        """How often it is written in the last turn of all."""
        return float(self.chances[-1].sum()) / self.written


def crossed_classes(model: SheetModel, row: int) -> Any:
    """Bool [class], whether a throw of a class crosses a row out."""
    later = np.array([item.worth.later for item in model.rows[row].classes])
    return later < 0 if later.min() < 0 < later.max() and model.rows[row].face else later == 0


def row_uses(player: Player, position: Position, least: float = LEAST_CHANCE) -> list[RowUse]:
    """How each row is used from a position on, in the order of the sheet; rows that are written already do not occur.

    Places that games come to less often than ``least`` are not followed, which makes all chances slightly too small.
    """
    model = player.turns.model
    crossed = [crossed_classes(model, row) for row in range(len(model.rows))]
    turns = sum(row.times for row in model.rows)
    saves = model.rules.saved_throws is not None
    throws = model.rules.turn.throws + (int(model.arrays["usable"].max()) if saves else 0)
    chances = [np.zeros((turns, throws, len(row.classes))) for row in model.rows]
    first = np.zeros(len(model.rows))
    for visit in walk(player, position, mark=lambda row, number: bool(crossed[row][number]), least=least):
        counts = [visit.state // step % (row.times + 1) for row, step in zip(model.rows, model.stride, strict=True)]
        by_candidate = visit.chances.sum(axis=3)  # [kind of game, throw number, candidate]
        most = by_candidate.shape[1]
        for place, row in enumerate(visit.open_rows.rows):
            begin = visit.open_rows.base[place]
            part = by_candidate[:, :, begin : begin + len(model.rows[row].classes)]
            chances[row][sum(counts), :most] += part.sum(axis=0)
            first[row] += part[0][:, crossed[row]].sum()
    return [
        RowUse(row.name, chances[number], _points(model, number, throws), crossed[number], float(first[number]))
        for number, row in enumerate(model.rows)
        if chances[number].any()
    ]


def _points(model: SheetModel, row: int, throws: int) -> Values:
    worth = model.rows[row].classes
    return np.array([[item.worth.first if made == 0 else item.worth.later for item in worth] for made in range(throws)],
                    dtype=np.float64)  # fmt: skip
