"""What a sheet must remember beside its written rows: a total of the school, the joker's row, saved throws.

A *note* is a pair (made, total): whether the joker's row was made, and the total of the school as far as it matters.
Totals that lead to the same payments whatever comes count as one; each set of written rows has its own notes.
"""

from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.sheet.rows import Worth
from solver.sheet.rules import SheetGameRules


class ThrowClass(NamedTuple):
    """Throws that a row treats alike."""

    worth: Worth
    bonus: bool = False
    """Whether the joker's bonus is paid on top, if its row was made."""


class Row(NamedTuple):
    """One row with the classes of throws that it knows."""

    name: str
    times: int
    """How often it is written in a game."""
    face: int
    """Of a row of the school, its face; else 0."""
    classes: list[ThrowClass]
    class_of: list[list[int]]
    """[way to write][throw], class of the throw; -1 where the row may not take it."""


class Notes(NamedTuple):
    """The notes of one memory, in the order of the lanes: by made, then by total."""

    made: NDArray[np.bool_]
    total: NDArray[np.int64]

    def find(self, made: NDArray[np.bool_], total: NDArray[np.int64]) -> NDArray[np.int64]:
        """The lanes of these notes, which must be among them."""
        return np.searchsorted(_code(self.made, self.total), _code(made, total))


Counts = tuple[int, ...]
"""How often each remembered row is written."""
Key = tuple[int, ...]
"""The same, and last the number of all rows written where throws are saved, else 0."""
FAR = 1 << 20
"""More than any total."""


def _code(made: NDArray[np.bool_], total: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray(made * FAR + total)


def _distinct(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Distinct numbers in ascending order, where each is found first, and which of them each number is.

    As ``numpy.unique``, which imports masked arrays first: a quick answer cannot wait for that.
    """
    order = np.argsort(codes, kind="stable")
    ranked = codes[order]
    new = np.concatenate([[True], ranked[1:] != ranked[:-1]])
    inverse = np.empty(len(codes), dtype=np.int64)
    inverse[order] = np.cumsum(new) - 1
    return ranked[new], order[new], inverse


def remembers_total(rules: SheetGameRules) -> bool:
    """Whether anything is paid for the total of the school."""
    return any((rules.school.bonus, rules.school.below, rules.school.negative_times != 1))


class Memories:
    """The notes of a sheet, and where they lead."""

    def __init__(self, rules: SheetGameRules, rows: list[Row]) -> None:
        self.rules, self.rows = rules, rows
        total = remembers_total(rules)
        joker = rules.joker.row if rules.joker and rules.joker.bonus else None
        self.remembered = [number for number, row in enumerate(rows) if (row.face and total) or row.name == joker]
        self.saves = rules.saved_throws is not None
        self.later = [np.array([item.worth.later for item in row.classes], dtype=np.int64) for row in rows]
        self.range = [(int(points.min()), int(points.max())) for points in self.later]
        """Least and most points of each row."""
        self.notes: dict[Counts, Notes] = {}
        self.steps: dict[tuple[Counts, int], tuple[NDArray[np.int64], NDArray[np.int64]]] = {}
        """[class, lane] of the notes, for each remembered row to write: the lanes it leads to, and what is paid."""
        self._walk()

    def _walk(self) -> None:
        none = (0,) * len(self.remembered)
        codes: dict[Counts, list[NDArray[np.int64]]] = {none: [np.array([self.clip(none, 0)])]}
        moves: dict[tuple[Counts, int], tuple[Any, Any, Any]] = {}
        for counts in sorted(product(*(range(self.rows[number].times + 1) for number in self.remembered)), key=sum):
            found = _distinct(np.concatenate([array.ravel() for array in codes.pop(counts)]))[0]
            made = found > FAR // 2
            notes = self.notes[counts] = Notes(made, found - made * FAR)
            for place, number in enumerate(self.remembered):
                if counts[place] < self.rows[number].times:
                    made, total, paid = moves[counts, number] = self._write(counts, number, notes)
                    codes.setdefault(_grown(counts, place), []).append(_code(made, total))
        for (counts, number), (made, total, paid) in moves.items():
            after = self.notes[_grown(counts, self.remembered.index(number))]
            self.steps[counts, number] = after.find(made, total), paid

    def _write(self, counts: Counts, number: int, notes: Notes) -> tuple[Any, Any, Any]:
        """[class, lane], what notes become when a row is written, and what is paid beside its points."""
        points, shape = self.later[number][:, None], (len(self.later[number]), len(notes.total))
        if not self.rows[number].face:
            made = np.broadcast_to(points > 0, shape)
            return made, np.broadcast_to(notes.total, shape), np.zeros(shape, dtype=np.int64)
        after = _grown(counts, self.remembered.index(number))
        total = notes.total + points
        paid = self.payment(total) if not self._open_faces(after) else np.zeros(shape, dtype=np.int64)
        return np.broadcast_to(notes.made, shape), self.clip(after, total), paid

    def payment(self, total: Any) -> Any:
        """What is paid on top when the last row of the school is written, for the total of its rows."""
        school = self.rules.school
        multiplied = np.where(total < 0, (school.negative_times - 1) * total, 0)
        return multiplied + np.where(total >= school.threshold, school.bonus, school.below)

    def _open_faces(self, counts: Counts) -> list[int]:
        return [
            number
            for number, count in zip(self.remembered, counts, strict=True)
            if self.rows[number].face and count < self.rows[number].times
        ]

    def clip(self, counts: Counts, total: Any) -> Any:
        """The total that stands for all that lead to the same payments."""
        faces = self._open_faces(counts)
        if not faces:
            return np.zeros_like(total)
        least = sum(self.range[number][0] for number in faces)
        most = sum(self.range[number][1] for number in faces)
        school = self.rules.school
        if school.negative_times == 1:
            return np.clip(total, school.threshold - most - 1, school.threshold - least)
        enough = max(0, school.threshold if school.bonus != school.below else 0)
        return np.minimum(total, enough - least)

    def number(
        self, counts: list[NDArray[np.int32]], level: NDArray[np.int32], occurs: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int32], list[Key]]:
        """The number of the memory of each state, -1 where it cannot occur, and the keys by number."""
        columns = [counts[number] for number in self.remembered]
        columns.append(level if self.saves else np.zeros_like(level))
        mixed = np.zeros(level.shape, dtype=np.int64)  # one number for each key, so that sorting is quick
        for column in columns:
            mixed = mixed * (int(column.max()) + 1) + column
        found, first, inverse = _distinct(mixed[occurs])
        memory = np.full(level.shape, -1, dtype=np.int32)
        memory[occurs] = inverse.astype(np.int32)
        rows = [column[occurs][first] for column in columns]
        return memory, [tuple(int(row[place]) for row in rows) for place in range(len(found))]

    def most_saved(self, key: Key) -> int:
        """The most throws that can have been saved."""
        return key[-1] * (self.rules.turn.throws - 1) if self.saves else 0

    def usable(self, key: Key) -> int:
        """How many saved throws a turn may use."""
        saved = self.rules.saved_throws
        if saved is None or (not saved.in_school and key[-1] < sum(row.times for row in self.rows if row.face)):
            return 0
        most = self.most_saved(key)
        return most if saved.most is None else min(saved.most, most)

    def arrays(self, keys: list[Key]) -> dict[str, Any]:
        """What the kernel is told of all this."""
        place: dict[tuple[Counts, int], int] = {}
        size = 0
        for step, (lanes, _paid) in self.steps.items():
            place[step] = size
            size += lanes.size
        pointer = np.full((len(keys), len(self.rows)), -1, dtype=np.int64)
        for at, key in enumerate(keys):
            for number in self.remembered:
                pointer[at, number] = place.get((key[:-1], number), -1)
        bonus = self.rules.joker.bonus if self.rules.joker else 0
        notes = [self.notes[key[:-1]] for key in keys]
        lengths = np.array([0, *(len(found.total) for found in notes)], dtype=np.int64)
        none = np.zeros(1)
        return {
            "map_ptr": pointer,
            "map_to": np.concatenate([none, *(to.ravel() for to, _p in self.steps.values())])[1:].astype(np.int32)
            if size
            else none.astype(np.int32),
            "map_pay": np.concatenate([none, *(paid.ravel() for _t, paid in self.steps.values())])[1:]
            if size
            else none,
            "bonus_ptr": np.cumsum(lengths)[:-1],
            "bonus": np.concatenate([found.made.astype(np.float64) * bonus for found in notes]),
            "totals": lengths[1:].astype(np.int32),
            "stocks": np.array([self.most_saved(key) + 1 for key in keys], dtype=np.int32),
            "usable": np.array([self.usable(key) for key in keys], dtype=np.int32),
        }


def _grown(counts: Counts, place: int) -> Counts:
    return (*counts[:place], counts[place] + 1, *counts[place + 1 :])
