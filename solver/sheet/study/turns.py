"""Turns of a sheet for many lanes at a time, with choices fixed or free."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._choices import FREE, KEEP, Board
from solver.sheet.lattice import NODES, THROWS
from solver.sheet.model import SheetModel
from solver.sheet.moves import Moves, moves_of

Values = NDArray[np.float64]
Whole = NDArray[np.int64]
Choices = NDArray[np.int16]
TIE = 1e-9
"""Choices that best play holds for equal: rounding must not decide between them."""


class OpenRows(NamedTuple):
    """What the open rows of a state offer."""

    rows: list[int]
    """Their numbers, from top to bottom."""
    classes: Any
    """int16 [open row, throw], the class of each throw, -1 where the row may not take it."""
    base: list[int]
    """The first candidate of each."""
    owner: Whole
    """[candidate], its place among the open rows."""

    def candidate(self, place: int) -> Choices:
        """[throw], the candidate by which an open row takes each throw; -1 where it may not."""
        classes = self.classes[place]
        return np.where(classes >= 0, classes + self.base[place], -1).astype(np.int16)


class Played(NamedTuple):
    """A turn of some lanes as it is played."""

    values: Values
    """[lane], what the turn is worth."""
    picks: Choices
    """[throw number, throw, lane]: a candidate, or ``KEEP - k`` for keep k."""
    ends: Values
    """[throw number, candidate, lane], the chance that the turn ends so."""
    visits: Values
    """[throw number, throw, lane], the chance that the turn comes to the throw."""


class Turns:
    """All turns of a sheet."""

    def __init__(self, model: SheetModel) -> None:
        self.model = model
        self.kernel = model.kernel()
        names = ("larger", "smaller_ptr", "smaller", "within_ptr", "within", "chance")
        self.board = Board(**{name: model.arrays[name] for name in names})
        self.full = int(model.levels[-1][0])

    def open_rows(self, state: int) -> OpenRows:
        """What the open rows of a state offer."""
        rows, classes = self.kernel.offers(state)
        counts = [len(self.model.rows[number].classes) for number in rows]
        base = np.cumsum([0, *counts])
        return OpenRows(rows.tolist(), classes, base[:-1].tolist(), np.repeat(np.arange(len(rows)), counts))

    def throws(self, state: int, lanes: Whole) -> NDArray[np.int32]:
        """Most throws of a turn of each lane."""
        model = self.model
        memory = int(model.memory[state])
        found = np.full(len(lanes), model.rules.turn.throws, dtype=np.int32)
        if model.rules.saved_throws is not None:
            found += np.minimum(lanes % int(model.stocks[memory]), int(model.arrays["usable"][memory])).astype(np.int32)
        return found

    def kinds(self, count: int, most: int) -> list[int]:
        """Of each throw number, from 0 on, the kind of candidates in the arrays of the model."""
        if count <= 2:
            return [min(made, count - 1) for made in range(most)]
        return list(range(most))

    def worths(self, state: int, lanes: Whole, values: Values, most: int) -> Values:
        """[throw number, candidate, lane], what each way to end a turn is worth by the values given."""
        found = self.kernel.candidates(state, values)
        return np.ascontiguousarray(found[self.kinds(len(found), most)][:, :, lanes])

    def moves(self, state: int) -> Moves:
        """Where each way to end a turn leads."""
        return moves_of(self.model, self.kernel, state)

    def play(
        self,
        state: int,
        lanes: Whole,
        values: Values,
        fixed: Choices | None = None,
        barred: NDArray[np.uint32] | None = None,
        *,
        open_rows: OpenRows | None = None,
        tie: float = 0.0,
        forward: bool = False,
    ) -> Played:
        """The turn of some lanes; where nothing is fixed, as well as can be by the values given."""
        offered = open_rows or self.open_rows(state)
        throws = self.throws(state, lanes)
        most = int(throws.max())
        shape = most, THROWS, len(lanes)
        allowed = offered.classes >= 0  # [open row, throw]
        throw, place = np.nonzero(allowed.T)
        ids = offered.classes[place, throw] + np.array(offered.base)[place]
        row_ptr = np.concatenate([[0], np.cumsum(allowed.sum(axis=0))])
        return Played(
            *self.board.play(
                row_ptr.astype(np.int32),
                place.astype(np.int32),
                ids.astype(np.int32),
                self.worths(state, lanes, values, most),
                throws,
                np.full(shape, FREE, dtype=np.int16) if fixed is None else fixed,
                np.zeros(shape, dtype=np.uint32) if barred is None else barred,
                tie,
                forward,
            )
        )

    def option_values(self, state: int, lanes: Whole, values: Values, most: int) -> Values:
        """[throw number, option, lane], what every choice is worth to best play: candidates, then keeps.

        After the last throw keeps are worth nothing sensible.
        """
        from solver._sheet import padded

        candidates = self.kernel.candidates(state, values)
        met = np.concatenate([lanes, np.repeat(lanes[-1:], padded(len(lanes)) - len(lanes))])
        lanes_only = np.ascontiguousarray(candidates[:, :, met])
        found = np.full((most, candidates.shape[1] + NODES, len(lanes)), -np.inf)
        found[:, : candidates.shape[1]] = self.worths(state, lanes, values, most)
        for made in range(1, most):
            found[made - 1, candidates.shape[1] :] = self.kernel.turn(state, lanes_only, made)[:, : len(lanes)]
        return found


def keep_of(pick: int) -> int | None:
    """The node that a choice keeps; None where it writes."""
    return KEEP - pick if pick <= KEEP else None
