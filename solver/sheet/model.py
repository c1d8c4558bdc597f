"""A sheet as plain arrays: rows and their classes of throws, states and what they remember.

A *state* tells how often each row is written, as one number: the sum over rows of the count times the row's stride. Its
*lanes* tell what else is to be remembered: the *note*, a total of the school and whether the joker's row was made, and
the number of saved throws. Totals that lead to the same payments whatever comes count as one, and only notes that can
occur are lanes.
"""

from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import RulesetError
from solver.sheet.lattice import DICE, EMPTY, FACES, THROWS, lattice
from solver.sheet.rows import Worth, row_worth, school_payment
from solver.sheet.rules import SheetGameRules, is_school
from solver.sheet.sections import FACE_ROWS
from solver.text import _

MOST_STATES = 1 << 20
MOST_VALUES = 1 << 25
"""More than these are refused: 2 to the 25 values are 256 MB."""
NATURAL, OWN_FACE_OPEN, JOKER, NOTHING_ELSE = range(4)
"""How five equal dice may be written: as any throw; or, when the joker's row is written, with the row of their face
still open, with it written, and with no row but those of single faces open."""
BEST = "best"
"""The one row of a sheet whose rounds take the best of all rows."""


class Note(NamedTuple):
    """What a state remembers beside its rows and saved throws."""

    made: bool
    """Whether the joker's row was made."""
    total: int
    """Of the school, as far as it matters."""


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


class SheetModel(NamedTuple):
    """A compiled sheet."""

    rules: SheetGameRules
    rows: list[Row]
    stride: list[int]
    levels: list[NDArray[np.int32]]
    """States that can occur, by the number of rows written."""
    memory: NDArray[np.int32]
    """[states], number of the memory of each state; -1 for states that cannot occur."""
    notes: list[list[Note]]
    """The notes of each memory, in the order of the lanes."""
    stocks: list[int]
    """One more than the most saved throws, for each memory: lanes are notes times these."""
    start: NDArray[np.int64]
    """[states], where the values of a state begin."""
    size: int
    """Number of values."""
    arrays: dict[str, Any]
    """What the kernel is made of."""

    def kernel(self) -> Any:
        """The kernel of this sheet, ``solver._sheet.Sheet``."""
        from solver._sheet import Sheet

        return Sheet(**self.arrays)

    def lane(self, state: int, note: Note, saved: int = 0) -> int:
        """The lane of what is remembered in a state. ValueError if it cannot occur."""
        memory = int(self.memory[state])
        if memory < 0 or not 0 <= saved < self.stocks[memory]:
            raise ValueError("no such state")
        return self.notes[memory].index(note) * self.stocks[memory] + saved


def compile_sheet(rules: SheetGameRules) -> SheetModel:
    """The arrays of a sheet. RulesetError if there would be too many states."""
    rows = _rows(rules)
    radix = [row.times + 1 for row in rows]
    stride = [int(number) for number in np.cumprod([1, *radix[:-1]])]
    states = int(np.prod(radix, dtype=object))
    if states > MOST_STATES:
        raise _too_many(rules, states, MOST_STATES)
    numbers = np.arange(states, dtype=np.int32)
    counts = [(numbers // step % base).astype(np.int32) for step, base in zip(stride, radix, strict=True)]
    occurs = _occurs(rules, rows, counts)
    level = sum(counts, start=np.zeros(states, dtype=np.int32))
    memories = _Memories(rules, rows)
    memory, keys = memories.number(counts, level, occurs)
    notes = [memories.notes[key[:-1]] for key in keys]
    stocks = [memories.most_saved(rows, key) + 1 for key in keys]
    lanes = np.array([len(found) for found in notes], dtype=np.int64) * stocks
    lengths = np.where(occurs, lanes[memory], 0)
    size = int(lengths.sum())
    if size > MOST_VALUES:
        raise _too_many(rules, size, MOST_VALUES)
    start = np.cumsum(lengths) - lengths
    arrays = {
        **_lattice_arrays(),
        **_row_arrays(rules, rows, stride),
        **memories.maps(rows, keys, notes),
        "memory": memory,
        "start": start,
        "totals": np.array([len(found) for found in notes], dtype=np.int32),
        "stocks": np.array(stocks, dtype=np.int32),
        "usable": np.array([memories.usable(rows, key) for key in keys], dtype=np.int32),
        "size": size,
    }
    levels = [numbers[occurs & (level == count)] for count in range(int(level.max()) + 1)]
    return SheetModel(rules, rows, stride, levels, memory, notes, stocks, start, size, arrays)


def _too_many(rules: SheetGameRules, found: int, most: int) -> RulesetError:
    return RulesetError(
        _("{title}: sheet.rows: {found} states; allowed: at most {most}").format(
            title=rules.title or _("this game"), found=found, most=most
        )
    )


def _rows(rules: SheetGameRules) -> list[Row]:
    named = rules.named_rows()
    throws = lattice().nodes[:THROWS]
    if rules.sheet.rounds is not None:
        each = [[row_worth(rules, row, throw) for _name, row in named] for throw in throws]
        worths = [Worth(max(worth.later for worth in of), max(worth.first for worth in of)) for of in each]
        classes = sorted({ThrowClass(worth) for worth in worths})
        plain = [classes.index(ThrowClass(worth)) for worth in worths]
        return [Row(BEST, rules.sheet.rounds, 0, classes, [plain] * 4)]
    return [_row(rules, name) for name in rules.sheet.rows]


def _row(rules: SheetGameRules, name: str) -> Row:
    described = dict(rules.rows)[name]
    throws = lattice().nodes[:THROWS]
    joker = rules.joker
    face = FACE_ROWS[described.combination] if is_school(described) else 0
    found: list[list[ThrowClass | None]] = []
    for way in range(4):
        classes: list[ThrowClass | None] = []
        for throw in throws:
            if way == NATURAL or joker is None or DICE not in throw:
                classes.append(ThrowClass(row_worth(rules, described, throw)))
                continue
            own = face == throw.index(DICE) + 1
            forced = joker.use == "forced"
            refused = forced and ((way == OWN_FACE_OPEN and not own) or (way == JOKER and face > 0))
            counts = joker.use != "none" and way in (JOKER, NOTHING_ELSE)
            worth = row_worth(rules, described, throw, joker=counts)
            classes.append(None if refused else ThrowClass(worth, bonus=joker.bonus > 0))
        found.append(classes)
    known = sorted({item for classes in found for item in classes if item is not None})
    return Row(
        name, 1, face, known, [[-1 if item is None else known.index(item) for item in classes] for classes in found]
    )


def _occurs(rules: SheetGameRules, rows: list[Row], counts: list[NDArray[np.int32]]) -> NDArray[np.bool_]:
    """Which states can occur: where the school comes first, nothing else is written before it is complete."""
    if not rules.sheet.school_first:
        return np.ones(counts[0].shape, dtype=np.bool_)
    school = np.all([count == row.times for row, count in zip(rows, counts, strict=True) if row.face], axis=0)
    others = [count for row, count in zip(rows, counts, strict=True) if not row.face]
    return school | ~np.any(others, axis=0) if others else np.ones(counts[0].shape, dtype=np.bool_)


class _Memories:
    """What is remembered, for each set of written rows that matters for it.

    A key tells how often each remembered row is written, and last the number of all rows written where throws are
    saved, else 0.
    """

    def __init__(self, rules: SheetGameRules, rows: list[Row]) -> None:
        self.rules = rules
        school = rules.school
        self.pays = any((school.bonus, school.below, school.negative_times != 1))
        self.flag = rules.joker is not None and rules.joker.bonus > 0
        self.remembered = [
            number
            for number, row in enumerate(rows)
            if (row.face and self.pays) or (self.flag and rules.joker and row.name == rules.joker.row)
        ]
        self.school = [number for number in self.remembered if rows[number].face]
        self.saves = rules.saved_throws is not None
        self.notes: dict[tuple[int, ...], list[Note]] = {}
        sets: dict[tuple[int, ...], set[Note]] = {}
        order = sorted(product(*(range(rows[number].times + 1) for number in self.remembered)), key=sum)
        for counts in order:
            notes = sets.setdefault(counts, {Note(made=False, total=self._clip(rows, counts, 0))} if not any(counts) else set())
            self.notes[counts] = sorted(notes)
            for place, number in enumerate(self.remembered):
                if counts[place] < rows[number].times:
                    after = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
                    target = sets.setdefault(after, set())
                    for item in rows[number].classes:
                        target.update(self.after(rows, counts, number, item, note)[0] for note in notes)
        self.index = {counts: {note: lane for lane, note in enumerate(notes)} for counts, notes in self.notes.items()}

    def _clip(self, rows: list[Row], counts: tuple[int, ...], total: int) -> int:
        """The total that stands for all that lead to the same payments."""
        open_rows = [
            rows[number]
            for number, count in zip(self.remembered, counts, strict=True)
            if rows[number].face and count < rows[number].times
        ]
        if not open_rows:
            return 0
        least = sum(min(item.worth.later for item in row.classes) for row in open_rows)
        most = sum(max(item.worth.later for item in row.classes) for row in open_rows)
        school = self.rules.school
        if school.negative_times == 1:
            return min(max(total, school.threshold - most - 1), school.threshold - least)
        enough = max(0, school.threshold if school.bonus != school.below else 0)
        return min(total, enough - least)

    def after(
        self, rows: list[Row], counts: tuple[int, ...], number: int, item: ThrowClass, note: Note
    ) -> tuple[Note, int]:
        """The note after a remembered row is written, and what is paid for that beside its points."""
        place = self.remembered.index(number)
        after = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
        if not rows[number].face:
            return Note(item.worth.later > 0, note.total), 0
        total = note.total + item.worth.later
        at = dict(zip(self.remembered, after, strict=True))
        complete = all(at[other] == rows[other].times for other in self.school)
        payment = school_payment(self.rules, total) if complete else 0
        return Note(note.made, self._clip(rows, after, total)), payment

    def number(
        self, counts: list[NDArray[np.int32]], level: NDArray[np.int32], occurs: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int32], list[tuple[int, ...]]]:
        """The number of the memory of each state, -1 where it cannot occur, and the keys by number."""
        columns = [counts[number] for number in self.remembered]
        columns.append(level if self.saves else np.zeros_like(level))
        # One number for each key, so that sorting is quick.
        base = [int(column.max()) + 1 for column in columns]
        mixed = np.zeros(level.shape, dtype=np.int64)
        for column, size in zip(columns, base, strict=True):
            mixed = mixed * size + column
        found, first, inverse = np.unique(mixed[occurs], return_index=True, return_inverse=True)
        memory = np.full(level.shape, -1, dtype=np.int32)
        memory[occurs] = inverse.astype(np.int32)
        rows = [column[occurs][first] for column in columns]
        keys = [tuple(int(row[place]) for row in rows) for place in range(len(found))]
        return memory, keys

    def usable(self, rows: list[Row], key: tuple[int, ...]) -> int:
        """How many saved throws a turn may use."""
        saved = self.rules.saved_throws
        if saved is None or (not saved.in_school and not self._school_done(rows, key[-1])):
            return 0
        most = self.most_saved(rows, key)
        return most if saved.most is None else min(saved.most, most)

    def most_saved(self, rows: list[Row], key: tuple[int, ...]) -> int:
        """The most throws that can have been saved."""
        return key[-1] * (self.rules.turn.throws - 1) if self.saves else 0

    def _school_done(self, rows: list[Row], written: int) -> bool:
        return written >= sum(row.times for row in rows if row.face)

    def maps(self, rows: list[Row], keys: list[tuple[int, ...]], notes: list[list[Note]]) -> dict[str, Any]:
        """Where the notes of each memory lead when a remembered row is written, and what is paid for that."""
        pointer = np.full((len(keys), len(rows)), -1, dtype=np.int64)
        targets: list[int] = []
        payments: list[int] = []
        known: dict[tuple[tuple[int, ...], int], int] = {}
        for place, key in enumerate(keys):
            for at, number in enumerate(self.remembered):
                counts = key[:-1]
                if counts[at] >= rows[number].times:
                    continue
                if (counts, number) not in known:
                    known[counts, number] = len(targets)
                    after = (*counts[:at], counts[at] + 1, *counts[at + 1 :])
                    for item in rows[number].classes:
                        for note in self.notes[counts]:
                            then, payment = self.after(rows, counts, number, item, note)
                            targets.append(self.index[after][then])
                            payments.append(payment)
                pointer[place, number] = known[counts, number]
        bonus = self.rules.joker.bonus if self.rules.joker else 0
        flags = [float(bonus * note.made) for found in notes for note in found]
        lengths = np.array([0, *(len(found) for found in notes)], dtype=np.int64)
        return {
            "remembered": _bytes(number in self.remembered for number in range(len(rows))),
            "map_ptr": pointer,
            "map_to": np.array(targets or [0], dtype=np.int32),
            "map_pay": np.array(payments or [0], dtype=np.float64),
            "bonus_ptr": np.cumsum(lengths)[:-1],
            "bonus": np.array(flags, dtype=np.float64),
        }


def _bytes(flags: Any) -> NDArray[np.uint8]:
    return np.array(list(flags), dtype=np.uint8)


def _lattice_arrays() -> dict[str, Any]:
    dice = lattice()
    equal = [node.index(DICE) if DICE in node else -1 for node in dice.nodes[:THROWS]]
    return {
        "larger": np.array(dice.larger[THROWS:], dtype=np.int16),
        "smaller_ptr": np.cumsum([0, *map(len, dice.smaller)], dtype=np.int32),
        "smaller": np.array(sum(dice.smaller, []), dtype=np.int16),
        "within_ptr": np.cumsum([0, *map(len, dice.within)], dtype=np.int32),
        "within": np.array(sum(dice.within, []), dtype=np.int16),
        "chance": np.array(dice.ways, dtype=np.float64) / FACES**DICE,
        "five_equal": np.array(equal, dtype=np.int16),
    }


def _row_arrays(rules: SheetGameRules, rows: list[Row], stride: list[int]) -> dict[str, Any]:
    classes = [item for row in rows for item in row.classes]
    faces = {row.face: number for number, row in enumerate(rows) if row.face}
    joker = next((number for number, row in enumerate(rows) if rules.joker and row.name == rules.joker.row), -1)
    saved = rules.saved_throws
    remembers = any((rules.school.bonus, rules.school.below, rules.school.negative_times != 1))
    flagged = {joker} if rules.joker and rules.joker.bonus else set()
    return {
        "throws": rules.turn.throws,
        "stock": saved is not None,
        "doubled": any(item.worth.first > item.worth.later for item in classes),
        "school_first": rules.sheet.school_first,
        "joker_row": joker,
        "times": np.array([row.times for row in rows], dtype=np.int32),
        "stride": np.array(stride, dtype=np.int32),
        "class_ptr": np.cumsum([0, *(len(row.classes) for row in rows)], dtype=np.int32),
        "later": np.array([item.worth.later for item in classes], dtype=np.float64),
        "first": np.array([item.worth.first for item in classes], dtype=np.float64),
        "has_bonus": _bytes(item.bonus for item in classes),
        "class_of": np.array([[row.class_of[way] for row in rows] for way in range(4)], dtype=np.int16),
        "school": _bytes(row.face > 0 for row in rows),
        # In a row that nothing but points depends on, no class is worth less than the first, whenever it is written.
        "ordered": _bytes(
            not (row.face and remembers)
            and number not in flagged
            and all(item.worth.first >= row.classes[0].worth.first for item in row.classes)
            for number, row in enumerate(rows)
        ),
        "face_row": np.array([faces.get(face, -1) for face in range(1, FACES + 1)], dtype=np.int32),
    }


assert EMPTY == len(lattice().nodes) - 1
