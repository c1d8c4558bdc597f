"""Played games of a sheet as people write them down: one line for each turn.

    players: Anna
    start Anna: ones=3,chance=22
    Anna: 1 3 3 4 6 keep 3 3; 2 3 6 keep 3 3 3; 5 5 write threes = 9
    33355 write full                           # after the first throw

Throws stand between semicolons or slashes, their dice with or without spaces: all five, or only those that were thrown
again. After ``keep`` come the dice that were kept, or ``none``. A turn ends with ``write`` and the row; after ``=`` may
stand its points, which are checked. With one player the name may be left out. What follows ``#`` is a remark.
"""

import re
from pathlib import Path
from typing import NamedTuple

from solver.errors import TranscriptError
from solver.schema import one_of_names, quoted
from solver.sheet.lattice import DICE, lattice
from solver.sheet.model import SheetModel
from solver.sheet.position import Position, faces_of, read_sheet
from solver.text import _
from solver.transcripts import check_beginning, check_turns, named_line, throws_of, written_lines

MOST_PLAYERS = 8

_TURN = re.compile(
    r"(?P<throws>.*?)\b(?:writes?|row|into)\s+(?P<row>[A-Za-z0-9-]+)\s*(?:=\s*(?P<points>-?[0-9]{1,6}))?\s*",
    re.IGNORECASE | re.DOTALL,
)
_KEEP = re.compile(r"\b(?:keeps?|holds?)\b", re.IGNORECASE)


class Throw(NamedTuple):
    """One throw of a turn."""

    node: int
    """The five dice that lie there."""
    keep: int | None
    """The dice that are kept for the next one; None after the last."""


class SheetTurn(NamedTuple):
    """One turn as it was written down."""

    line: int
    who: int
    throws: list[Throw]
    row: str
    points: int | None
    """The points that are said to be written."""


class SheetGame(NamedTuple):
    """A whole record."""

    names: list[str]
    starts: list[Position]
    turns: list[SheetTurn]


def read_game(model: SheetModel, file: Path) -> SheetGame:
    """The record in a file. TranscriptError names the file and the line where something is wrong."""
    names: list[str] = []
    starts: dict[str, Position] = {}
    turns: list[SheetTurn] = []
    most = MOST_PLAYERS
    for number, text in written_lines(file):
        with named_line(file, number):
            head, colon, rest = (part.strip() for part in text.partition(":"))
            if colon and head.lower() == "players":
                check_beginning(_("players: stated"), early=not names and not turns)
                names = _names(rest)
                most = len(names)
            elif colon and head.lower().split(" ")[0] == "start":
                name = names[_known(names, head[len("start") :].strip(), most)]
                check_beginning(_("start {name}: stated").format(name=name), early=name not in starts and not turns)
                starts[name] = read_sheet(model, "start", rest)
            elif colon:
                turns.append(_turn(model, number, _known(names, head, most), rest))
            elif len(names) <= 1:
                turns.append(_turn(model, number, 0, text))
            else:
                raise TranscriptError(_("{found}; allowed: NAME: and the turn").format(found=quoted(text)))
    check_turns(file, turns)
    names = names or [_("the player")]
    return SheetGame(names, [starts.get(name) or read_sheet(model, "start", None) for name in names], turns)


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not 1 <= len(names) <= MOST_PLAYERS or not all(names) or len({name.lower() for name in names}) < len(names):
        allowed = _("at most {most} names, all different, with commas between them").format(most=MOST_PLAYERS)
        raise TranscriptError(_("players: {found}; allowed: {allowed}").format(found=quoted(text), allowed=allowed))
    return names


def _known(names: list[str], name: str, most: int) -> int:
    """The number of a name; new ones are taken in, up to ``most`` in all."""
    for number, known in enumerate(names):
        if known.lower() == name.lower():
            return number
    if not name or len(names) >= most:
        allowed = ", ".join(names) or _("a name")
        raise TranscriptError(_("{found}; allowed: {allowed}").format(found=quoted(name), allowed=allowed))
    names.append(name)
    return len(names) - 1


def _turn(model: SheetModel, number: int, who: int, text: str) -> SheetTurn:
    match = _TURN.fullmatch(text)
    if match is None:
        allowed = _("throws such as 1 3 3 4 6 keep 3 3, and last write with a row")
        raise TranscriptError(_("{found}; allowed: {allowed}").format(found=quoted(text), allowed=allowed))
    rows = [name for name, _row in model.rules.named_rows()]
    row = match["row"].lower()
    if row not in rows:
        raise TranscriptError(_("write {found}; allowed: {allowed}").format(found=row, allowed=one_of_names(row, rows)))
    parts = throws_of(match["throws"])
    if not parts:
        raise TranscriptError(_("no dice; allowed: at least one throw of five dice"))
    throws: list[Throw] = []
    for at, part in enumerate(parts):
        thrown, *kept_dice = _KEEP.split(part)
        pieces = [_faces(thrown), *map(_kept, kept_dice)]
        last = at == len(parts) - 1
        if len(pieces) > 2 or (len(pieces) == 1 and not last):
            allowed = _("a throw and what is kept of it, such as 1 3 3 4 6 keep 3 3")
            raise TranscriptError(_("{found}; allowed: {allowed}").format(found=quoted(part), allowed=allowed))
        kept = throws[-1].keep if throws else None
        node = _thrown(pieces[0], kept)
        keep = lattice().number[_counts(pieces[1])] if len(pieces) == 2 and len(pieces[1]) <= DICE else None
        if len(pieces) == 2 and (keep is None or keep not in [node, *lattice().within[node]]):
            raise TranscriptError(_("keep {found}; allowed: some of the dice thrown").format(found=_spoken(pieces[1])))
        throws.append(Throw(node, None if last else keep))
    points = match["points"]
    return SheetTurn(number, who, throws, row, None if points is None else int(points))


def _kept(text: str) -> tuple[int, ...]:
    return () if text.strip().lower() == "none" else _faces(text)


def _faces(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"[1-6\s,]*", text) or len(text) > 100:
        raise TranscriptError(_("{found}; allowed: faces from 1 to 6").format(found=quoted(text.strip())))
    return tuple(int(die) for die in text if die in "123456")


def _counts(dice: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(dice.count(face) for face in range(1, 7))


def _spoken(dice: tuple[int, ...]) -> str:
    return " ".join(map(str, dice)) or _("nothing")


def _thrown(dice: tuple[int, ...], kept: int | None) -> int:
    """The node of all five dice that lie there after a throw."""
    held = faces_of(kept) if kept is not None else ()
    if len(dice) == DICE - len(held):
        dice = (*held, *dice)
    elif len(dice) != DICE:
        allowed = _("five dice") if kept is None else _("five dice, or the {count} that were thrown again")
        allowed = allowed.format(count=DICE - len(held))
        raise TranscriptError(_("{found}; allowed: {allowed}").format(found=quoted(_spoken(dice)), allowed=allowed))
    counts = _counts(dice)
    if any(have < held.count(face) for face, have in enumerate(counts, 1)):
        raise TranscriptError(
            _("{found}; allowed: dice with {held} among them, which were kept").format(
                found=quoted(_spoken(dice)), held=_spoken(held)
            )
        )
    return lattice().number[counts]
