"""One position of a sheet, as the options of ``advise`` state it."""

from typing import NamedTuple

import numpy as np

from solver.errors import PositionError
from solver.schema import nearest, quoted
from solver.sheet.lattice import DICE, FACES, THROWS, lattice
from solver.sheet.memory import Row
from solver.sheet.model import SheetModel
from solver.sheet.rules import SheetGameRules
from solver.text import _

ROUNDS, SAVED, BONUS, POINTS = "rounds", "saved", "bonus", "points"
"""What --sheet may say beside rows: rounds played, throws saved, bonuses written so far, points of rounds so far."""


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


def facts_of(rules: SheetGameRules) -> list[str]:
    """What a sheet of these rules may state beside its rows."""
    facts = []
    if rules.sheet.rounds is not None:
        facts += [ROUNDS, POINTS]
    if rules.saved_throws:
        facts.append(SAVED)
    if rules.joker and rules.joker.bonus:
        facts.append(BONUS)
    return facts


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
            raise _wrong(option, name, nearest(name, names + facts))
        if not sign or not _is_whole(number):
            raise _wrong(option, piece.strip(), _("{name}=POINTS, a whole number").format(name=name))
        if name in given:
            raise _wrong(option, name, _("each name once"))
        given[name] = int(number)
    written = {name: points for name, points in given.items() if name in names}
    for row in model.rows:
        if row.name in written and written[row.name] not in _possible(row):
            raise _wrong(option, f"{row.name}={written[row.name]}", _listed(_possible(row)))
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
        _within(option, SAVED, saved, int(model.stocks[memory]) - 1)
    bonus = extra.get(BONUS, 0)
    made = rules.joker is not None and written.get(rules.joker.row, 0) > 0
    if bonus and (not made or rules.joker is None or bonus % rules.joker.bonus or not 0 <= bonus <= 10_000):
        allowed = _("multiples of {bonus}, and only if {row} was made").format(
            bonus=rules.joker.bonus if rules.joker else 0, row=rules.joker.row if rules.joker else ""
        )
        raise _wrong(option, f"{BONUS}={bonus}", allowed)
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
    points = _within(option, POINTS, extra.get(POINTS, 0), 1000 * rounds)
    return Position(state, lane, written, extra, sum(written.values()) + bonus + paid + points)


def read_throw(option: str, text: str) -> int:
    """The node of a throw of five dice."""
    return read_dice(option, text, exactly=DICE)


def read_dice(option: str, text: str, *, exactly: int | None = None) -> int:
    """The node of some dice such as ``3,3,5``; none at all for an empty text."""
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


def _possible(row: Row) -> list[int]:
    return sorted({points for item in row.classes for points in item.worth})


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers))
    return (
        shown
        if len(numbers) <= 12
        else _("{low} to {high}, as the dice can give").format(low=numbers[0], high=numbers[-1])
    )


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
