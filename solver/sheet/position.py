"""One position of a sheet, as the options of ``advise`` state it."""

from typing import NamedTuple

import numpy as np

from solver.errors import PositionError
from solver.schema import one_of_names, quoted
from solver.sheet.lattice import DICE, EMPTY, FACES, THROWS, lattice
from solver.sheet.memory import Row
from solver.sheet.model import JOKER, NATURAL, NOTHING_ELSE, OWN_FACE_OPEN, SheetModel
from solver.sheet.rules import BONUS, POINTS, ROUNDS, SAVED, facts_of
from solver.text import _


class Position(NamedTuple):
    """A sheet between two turns."""

    state: int
    lane: int
    written: dict[str, int]
    """Points of the rows that are written."""
    facts: dict[str, int]
    """What else is known: rounds, saved throws, bonuses."""
    total: int
    """All points written so far, with what was paid for the school."""

    def to_json(self) -> dict[str, int]:
        """The sheet as plain data."""
        return {**self.written, **self.facts}


def read_sheet(model: SheetModel, option: str, text: str | None) -> Position:
    """A sheet such as ``ones=3,chance=22``. PositionError names the row or the points that cannot be."""
    rules = model.rules
    given: dict[str, int] = {}
    facts = facts_of(rules)
    names = [] if rules.sheet.rounds is not None else [row.name for row in model.rows]
    for piece in (text or "").split(","):
        if not piece.strip():
            if text and text.strip():
                raise _wrong(option, text, _("rows and their points such as {name}=3").format(name=(names + facts)[0]))
            continue
        name, sign, number = (part.strip() for part in piece.partition("="))
        if name not in names + facts:
            raise _wrong(option, name, one_of_names(name, names + facts))
        if not sign or not _is_whole(number):
            raise _wrong(option, piece.strip(), _("{name}=POINTS, a whole number").format(name=name))
        if name in given:
            raise _wrong(option, name, _("each name once"))
        given[name] = int(number)
    written = {name: points for name, points in given.items() if name in names}
    for row in model.rows:
        if row.name in written and written[row.name] not in (possible := _possible(model, written, row)):
            raise _wrong(option, f"{row.name}={written[row.name]}", _listed(possible))
    counts = [int(row.name in written) for row in model.rows]
    extra = {name: points for name, points in given.items() if name in facts}
    if rules.sheet.rounds is not None:
        counts = [_within(option, ROUNDS, extra.get(ROUNDS, 0), rules.sheet.rounds)]
    state = sum(count * step for count, step in zip(counts, model.stride, strict=True))
    if model.memory[state] < 0:
        raise _wrong(option, text or "", _("all rows of single faces before any other"))
    return _located(model, option, state, written, extra, sum(counts))


def _located(
    model: SheetModel, option: str, state: int, written: dict[str, int], extra: dict[str, int], rounds: int
) -> Position:
    rules, memories = model.rules, model.memories
    memory = int(model.memory[state])
    saved = extra.get(SAVED, 0)
    if SAVED in extra:
        _within(option, SAVED, saved, int(model.stocks[memory]) - 1 - _late(model, written))
    bonus = extra.get(BONUS, 0)
    made = rules.joker is not None and written.get(rules.joker.row, 0) > 0
    if BONUS in extra:
        assert rules.joker is not None
        most = rules.joker.bonus * _most_bonuses(model, written)
        if not made:
            allowed = _("multiples of {bonus}, and only if {row} was made")
        elif not most:
            allowed = _("0, since five alike can have filled none of the other rows with their points")
        else:
            allowed = _("multiples of {bonus} from 0 to {most}, one for each row that five alike can have filled")
        if bonus % rules.joker.bonus or not 0 <= bonus <= most:
            found = allowed.format(bonus=rules.joker.bonus, row=rules.joker.row, most=most)
            raise _wrong(option, f"{BONUS}={bonus}", found)
    school = [row for row in model.rows if row.face]
    total = sum(written[row.name] for row in school if row.name in written)
    complete = bool(school) and all(row.name in written for row in school)
    paid = int(memories.payment(total)) if complete else 0
    counts = tuple(int(model.rows[number].name in written) for number in memories.remembered)
    notes = model.notes[memory]
    flag = made and rules.joker is not None and rules.joker.bonus > 0
    lane = int(notes.find(np.array([flag]), np.array([memories.clip(counts, np.int64(total))]))[0])
    if lane >= len(notes.total) or notes.made[lane] != flag or notes.total[lane] != memories.clip(counts, total):
        raise _wrong(option, f"{total}", _("a total of the school that can occur"))
    lane = lane * int(model.stocks[memory]) + saved
    points = extra.get(POINTS, 0)
    if rules.sheet.rounds is not None and (POINTS in extra or rounds):
        sums = _sums(_possible(model, {}, model.rows[0]), rounds)
        if points not in sums:
            found = f"{POINTS}={points}" if POINTS in extra else f"{ROUNDS}={rounds}"
            raise _wrong(
                option, found, _("{name} of the rounds played: {sums}").format(name=POINTS, sums=_listed(sums))
            )
    return Position(state, lane, written, extra, sum(written.values()) + bonus + paid + points)


def read_throw(option: str, text: str) -> int:
    """The node of a throw of five dice."""
    return read_dice(option, text, exactly=DICE)


def read_keep(option: str, text: str) -> int:
    """The node of some dice such as ``3,3,5``, or ``none``."""
    if text.strip() == "none":
        return EMPTY
    if not text.strip(", "):
        raise _wrong(option, text, _("dice of the throw such as {dice}, or {none}").format(dice="3,3", none="none"))
    return read_dice(option, text)


def read_dice(option: str, text: str, *, exactly: int | None = None) -> int:
    """The node of some dice such as ``3,3,5``."""
    parts = [part for piece in text.split(",") for part in piece.split()]
    if not all(part in "123456" and len(part) == 1 for part in parts) or (
        len(parts) != exactly if exactly is not None else len(parts) > DICE
    ):
        allowed = _("{count} dice, faces from 1 to {faces}, with commas or spaces between them")
        count = exactly if exactly is not None else _("at most {most}").format(most=DICE)
        raise _wrong(option, text, allowed.format(count=count, faces=FACES))
    counts = [0] * FACES
    for part in parts:
        counts[int(part) - 1] += 1
    return lattice().number[tuple(counts)]


def read_whole(option: str, text: str, low: int, high: int) -> int:
    """A whole number in a range."""
    if not _is_whole(text.strip()) or not low <= int(text) <= high:
        raise _wrong(option, text, _("a whole number from {low} to {high}").format(low=low, high=high))
    return int(text)


def faces_of(node: int) -> tuple[int, ...]:
    """The faces of a node in ascending order."""
    return tuple(face for face, count in enumerate(lattice().nodes[node], 1) for _die in range(count))


def is_throw(node: int) -> bool:
    """Whether a node keeps all five dice."""
    return node < THROWS


class _Brought(NamedTuple):
    """What a row can have brought, and whether the joker's bonus can have come with it."""

    points: int
    bonus: bool = False


def _brought(model: SheetModel, written: dict[str, int], row: Row) -> set[_Brought]:
    """All that a row can have brought, on a sheet where these rows are written now, it among them.

    It may have been written before or after the row for five equal dice, and after that with a joker.
    """
    rules = model.rules
    joker = rules.joker is not None and rules.joker.row in written and row.name != rules.joker.row
    found = {(NATURAL, throw) for throw in range(THROWS)}
    for face in range(1, FACES + 1) if joker else ():
        throw = lattice().number[tuple(DICE * (number == face) for number in range(1, FACES + 1))]
        own = next((other.name for other in model.rows if other.face == face), None)
        if own:
            found.add((OWN_FACE_OPEN, throw))
        if own != row.name and (own is None or own in written):
            found.add((JOKER, throw))
        others = [other.name for other in model.rows if not other.face and other is not row]
        if own != row.name and (own is None or own in written) and all(name in written for name in others):
            found.add((NOTHING_ELSE, throw))
    numbers = {row.class_of[way][throw] for way, throw in found}
    items = [row.classes[number] for number in numbers if number >= 0]
    # A turn of one throw has no later one.
    return {_Brought(worth, item.bonus) for item in items for worth in item.worth[rules.turn.throws == 1 :]}


def _possible(model: SheetModel, written: dict[str, int], row: Row) -> list[int]:
    return sorted({found.points for found in _brought(model, written, row)})


def _most_bonuses(model: SheetModel, written: dict[str, int]) -> int:
    """How many of the written rows further five equal dice can have filled, after their own row was made."""
    joker = model.rules.joker
    if joker is None or written.get(joker.row, 0) <= 0:
        return 0
    rows = [row for row in model.rows if row.name in written]
    return sum(_Brought(written[row.name], bonus=True) in _brought(model, written, row) for row in rows)


def _late(model: SheetModel, written: dict[str, int]) -> int:
    """Throws that cannot have been saved, since rows have points that a first throw does not bring."""
    rows = [row for row in model.rows if row.name in written]
    return sum(all(written[row.name] != item.worth.first for item in row.classes) for row in rows)


def _sums(numbers: list[int], count: int) -> list[int]:
    """All sums of so many of the numbers."""
    found = {0}
    for _number in range(count):
        found = {total + number for total in found for number in numbers}
    return sorted(found)


def _listed(numbers: list[int]) -> str:
    """Whole numbers in ascending order as words: all of them if they are few, else those in a row by their ends."""
    if len(numbers) <= 12:
        return ", ".join(map(str, numbers))
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    pieces = [_("{low} to {high}").format(low=run[0], high=run[-1]) if run[1:] else str(run[0]) for run in runs]
    before = ", ".join(pieces[:-1])
    return _("{before}, or {last}").format(before=before, last=pieces[-1]) if before else pieces[-1]


def _within(option: str, name: str, number: int, most: int) -> int:
    if not 0 <= number <= most:
        raise _wrong(option, f"{name}={number}", _("{name} from 0 to {most}").format(name=name, most=most))
    return number


def _is_whole(text: str) -> bool:
    digits = text[1:] if text[:1] == "-" else text
    return digits.isascii() and digits.isdigit() and len(digits) <= 9


def _wrong(option: str, found: str, allowed: str) -> PositionError:
    return PositionError(
        _("{option}: {found}; allowed: {allowed}").format(option=option, found=quoted(found), allowed=allowed)
    )
