"""A sheet as plain arrays: rows and their classes of throws, states and what they remember.

A *state* tells how often each row is written, as one number: the sum over rows of the count times the row's stride. Its
*lanes* tell what else is to be remembered: the note of ``solver.sheet.memory``, and the number of saved throws. Only
notes that can occur are lanes.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import RulesetError
from solver.sheet.lattice import DICE, FACES, THROWS, lattice
from solver.sheet.memory import Memories, Notes, Row, ThrowClass, remembers_total
from solver.sheet.rows import Worth, row_worth
from solver.sheet.rules import SheetGameRules, is_school
from solver.sheet.sections import FACE_ROWS, RowRules
from solver.text import _

MOST_STATES = 1 << 20
MOST_VALUES = 1 << 25
"""More than these are refused: 2 to the 25 values are 256 MB."""
PADDING = 64
"""Numbers after the values of all states, so that blocks of lanes may be read beyond the last."""
WAYS = range(4)
NATURAL, OWN_FACE_OPEN, JOKER, NOTHING_ELSE = WAYS
"""How five equal dice may be written: as any throw; or, when the joker's row is written, with the row of their face
still open, with it written, and with no row but those of single faces open."""
BEST = "best"
"""The one row of a sheet whose rounds take the best of all rows."""


class SheetModel(NamedTuple):
    """A compiled sheet."""

    rules: SheetGameRules
    rows: list[Row]
    stride: list[int]
    levels: list[NDArray[np.int32]]
    """States that can occur, by the number of rows written."""
    memory: NDArray[np.int32]
    """[states], number of the memory of each state; -1 for states that cannot occur."""
    notes: list[Notes]
    """The notes of each memory."""
    stocks: NDArray[np.int32]
    """[memories], one more than the most saved throws: lanes are notes times these."""
    start: NDArray[np.int64]
    """[states], where the values of a state begin."""
    size: int
    """Number of values."""
    arrays: dict[str, Any]
    """What the kernel is made of."""
    memories: Memories

    def kernel(self) -> Any:
        """The kernel of this sheet, ``solver._sheet.Sheet``."""
        from solver._sheet import Sheet

        return Sheet(**self.arrays)

    def lanes(self, state: int) -> int:
        """Number of lanes of a state."""
        memory = int(self.memory[state])
        return len(self.notes[memory].total) * int(self.stocks[memory])


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
    level: NDArray[np.int32] = np.asarray(np.sum(counts, axis=0, dtype=np.int32))
    memories = Memories(rules, rows)
    memory, keys = memories.number(counts, level, occurs)
    arrays = {
        **_lattice_arrays(),
        **_row_arrays(rules, rows, stride),
        **memories.arrays(keys),
    }
    lanes = arrays["totals"].astype(np.int64) * arrays["stocks"]
    lengths = np.where(occurs, lanes[memory], 0)
    size = int(lengths.sum())
    if size > MOST_VALUES:
        raise _too_many(rules, size, MOST_VALUES)
    start = np.cumsum(lengths) - lengths
    arrays |= {"memory": memory, "start": start, "size": size}
    order = np.argsort(np.where(occurs, level, level.max() + 1), kind="stable").astype(np.int32)
    sizes = np.bincount(level[occurs], minlength=int(level.max()) + 1)
    levels = np.split(order[: int(sizes.sum())], np.cumsum(sizes)[:-1])
    notes = [memories.notes[key[:-1]] for key in keys]
    return SheetModel(rules, rows, stride, levels, memory, notes, arrays["stocks"], start, size, arrays, memories)


def _too_many(rules: SheetGameRules, found: int, most: int) -> RulesetError:
    return RulesetError(
        _("{title}: sheet.rows: {found} states; allowed: at most {most}").format(
            title=rules.title or _("this game"), found=found, most=most
        )
    )


def _rows(rules: SheetGameRules) -> list[Row]:
    named = rules.named_rows()
    if rules.sheet.rounds is None:
        return [_row(rules, name, row) for name, row in named]
    each = [[row_worth(rules, row, throw) for _name, row in named] for throw in lattice().nodes[:THROWS]]
    best = [ThrowClass(Worth(max(w.later for w in worths), max(w.first for w in worths))) for worths in each]
    numbers = {item: number for number, item in enumerate(sorted(set(best)))}
    return [Row(BEST, rules.sheet.rounds, 0, list(numbers), [[numbers[item] for item in best] for _way in WAYS])]


def _row(rules: SheetGameRules, name: str, row: RowRules) -> Row:
    throws = lattice().nodes[:THROWS]
    face = FACE_ROWS[row.combination] if is_school(row) else 0
    natural = [ThrowClass(row_worth(rules, row, throw)) for throw in throws]
    found: list[list[ThrowClass | None]] = [[*natural] for _way in WAYS]
    if rules.joker:
        counts, forced = rules.joker.use != "none", rules.joker.use == "forced"
        for number, throw in enumerate(throws):
            if DICE not in throw:
                continue
            own = face == throw.index(DICE) + 1
            plain = ThrowClass(natural[number].worth, bonus=rules.joker.bonus > 0)
            joker = plain._replace(worth=row_worth(rules, row, throw, joker=counts))
            found[OWN_FACE_OPEN][number] = plain if own or not forced else None
            found[JOKER][number] = joker if not (face and forced) else None
            found[NOTHING_ELSE][number] = joker
    numbers = {item: number for number, item in enumerate(sorted({i for way in found for i in way if i is not None}))}
    return Row(name, 1, face, list(numbers), [[-1 if i is None else numbers[i] for i in way] for way in found])


def _occurs(rules: SheetGameRules, rows: list[Row], counts: list[NDArray[np.int32]]) -> NDArray[np.bool_]:
    """Which states can occur: where the school comes first, nothing else is written before it is complete."""
    others = [count for row, count in zip(rows, counts, strict=True) if not row.face]
    if not rules.sheet.school_first or not others:
        return np.ones(counts[0].shape, dtype=np.bool_)
    complete = np.all([count == row.times for row, count in zip(rows, counts, strict=True) if row.face], axis=0)
    return np.asarray(complete | ~np.any(others, axis=0))


def _lattice_arrays() -> dict[str, Any]:
    dice = lattice()
    equal = [node.index(DICE) if DICE in node else -1 for node in dice.nodes[:THROWS]]
    return {
        "larger": np.array(dice.larger[THROWS:], dtype=np.int16),
        "smaller_ptr": np.cumsum([0, *map(len, dice.smaller)], dtype=np.int32),
        "smaller": np.concatenate(dice.smaller).astype(np.int16),
        "within_ptr": np.cumsum([0, *map(len, dice.within)], dtype=np.int32),
        "within": np.concatenate(dice.within).astype(np.int16),
        "chance": np.array(dice.ways, dtype=np.float64) / FACES**DICE,
        "five_equal": np.array(equal, dtype=np.int16),
    }


def _row_arrays(rules: SheetGameRules, rows: list[Row], stride: list[int]) -> dict[str, Any]:
    classes = [item for row in rows for item in row.classes]
    faces = {row.face: number for number, row in enumerate(rows) if row.face}
    joker = next((number for number, row in enumerate(rows) if rules.joker and row.name == rules.joker.row), -1)
    total = remembers_total(rules)
    flagged = joker if rules.joker and rules.joker.bonus else -1
    # In a row that nothing but points depends on, no class is worth less than the first, whenever it is written. A
    # first class with a bonus on top is worth more than it says: where a joker loses points, as with dice taken off.
    ordered = [
        not (row.face and total)
        and number != flagged
        and not row.classes[0].bonus
        and all(item.worth.first >= row.classes[0].worth.first for item in row.classes)
        for number, row in enumerate(rows)
    ]
    return {
        "throws": rules.turn.throws,
        "stock": rules.saved_throws is not None,
        "doubled": any(item.worth.first > item.worth.later for item in classes),
        "school_first": rules.sheet.school_first,
        "joker_row": joker,
        "times": np.array([row.times for row in rows], dtype=np.int32),
        "stride": np.array(stride, dtype=np.int32),
        "class_ptr": np.cumsum([0, *(len(row.classes) for row in rows)], dtype=np.int32),
        "later": np.array([item.worth.later for item in classes], dtype=np.float64),
        "first": np.array([item.worth.first for item in classes], dtype=np.float64),
        "has_bonus": np.array([item.bonus for item in classes], dtype=np.uint8),
        "class_of": np.array([[row.class_of[way] for row in rows] for way in WAYS], dtype=np.int16),
        "school": np.array([row.face > 0 for row in rows], dtype=np.uint8),
        "ordered": np.array(ordered, dtype=np.uint8),
        "face_row": np.array([faces.get(face, -1) for face in range(1, FACES + 1)], dtype=np.int32),
    }
