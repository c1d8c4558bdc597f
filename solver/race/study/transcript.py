"""Played games as people write them down: one line for each turn.

    players: Anna, Boris
    start Anna: score=50
    start Boris: score=640,bolts=1
    Anna: 1 5 3 3 4 hold 1 5; 2 2 5 stop = 70
    Boris: 22344                                # brings nothing

Throws stand between semicolons or slashes, their dice with or without spaces. After ``hold`` come the dice that were
set aside; without it, all that score. A turn ends with ``stop``, with a throw that ends it, or where the line ends.
After ``=`` may stand the score that was written, which is checked. With one player the names may be left out; with
two, whoever is to move is meant. What follows ``#`` is a remark, and empty lines mean nothing.
"""

import re
from pathlib import Path
from typing import NamedTuple

from solver.errors import TranscriptError
from solver.race.player import Player, start
from solver.race.position import read_dice, read_facts, read_player
from solver.race.rules import RaceRules
from solver.schema import quoted
from solver.text import _
from solver.transcripts import check_beginning, check_turns, named_line, throws_of, written_lines

_TURN = re.compile(
    r"(?P<throws>.*?)(?P<stop>\b(?:stops?|banks?)\b)?\s*(?:=\s*(?P<score>-?[0-9]+))?\s*", re.IGNORECASE | re.DOTALL
)
_HOLD = re.compile(r"\b(?:holds?|keeps?)\b", re.IGNORECASE)


class Throw(NamedTuple):
    """One throw, and what was held of it."""

    dice: tuple[int, ...]
    hold: tuple[int, ...] | None
    """None where nothing is said."""


class TurnRecord(NamedTuple):
    """One turn as it was written down."""

    line: int
    name: str | None
    throws: list[Throw]
    stop: bool
    """Whether the turn is said to end by a stop."""
    score: int | None
    """The score that is said to be written."""


class Transcript(NamedTuple):
    """A whole record."""

    names: list[str]
    starts: list[Player]
    """By name, where each begins."""
    turns: list[TurnRecord]


def read_transcript(rules: RaceRules, file: Path) -> Transcript:
    """The record in a file. TranscriptError names the file and the line where something is wrong."""
    names: list[str] = []
    begins: dict[str, Player] = {}
    turns: list[TurnRecord] = []
    for number, text in written_lines(file):
        with named_line(file, number):
            head, colon, rest = (part.strip() for part in text.partition(":"))
            if colon and head.lower() == "players":
                check_beginning(_("players: stated"), early=not names and not turns)
                names = _names(rest)
            elif colon and head.lower().split(" ")[0] == "start":
                name = _known(names, head[len("start") :].strip())
                check_beginning(_("start {name}: stated").format(name=name), early=name not in begins and not turns)
                begins[name] = _start_of(rules, rest)
            else:
                name = head if colon else ""
                turns.append(_turn(rules, number, _known(names, name) if colon else None, rest if colon else text))
    check_turns(file, turns)
    names = names or [_("the player")]
    return Transcript(names, [begins.get(name, start(rules)) for name in names], turns)


def _start_of(rules: RaceRules, text: str) -> Player:
    """Where somebody begins: a score, or facts that include it."""
    facts = read_facts("start", text) if "=" in text else {"score": text.strip()}
    return read_player(rules, "start", facts.pop("score", "0"), facts, "start")


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not 1 <= len(names) <= 2 or not all(names) or len({name.lower() for name in names}) < len(names):
        raise TranscriptError(
            _("players: {found}; allowed: one name, or two with a comma between them").format(found=quoted(text))
        )
    return names


def _known(names: list[str], name: str) -> str:
    """The name as first written; new ones are taken in, up to two."""
    for known in names:
        if known.lower() == name.lower():
            return known
    if len(names) == 2 or not name:
        allowed = ", ".join(names) or _("a name")
        raise TranscriptError(_("{found}; allowed: {allowed}").format(found=quoted(name), allowed=allowed))
    names.append(name)
    return name


def _turn(rules: RaceRules, number: int, name: str | None, text: str) -> TurnRecord:
    match = _TURN.fullmatch(text)
    assert match is not None
    parts = throws_of(match["throws"])
    throws = []
    for part in parts:
        dice, *holds = (_dice(rules, piece) for piece in _HOLD.split(part))
        if len(holds) > 1 or not dice:
            raise TranscriptError(_("{found}; allowed: a throw, such as 1 5 3 3 4 hold 1 5").format(found=quoted(part)))
        throws.append(Throw(dice, holds[0] if holds else None))
    score = match["score"]
    if score is not None and len(score) > 9:
        raise TranscriptError(_("{found}; allowed: a score").format(found=quoted(score)))
    return TurnRecord(number, name, throws, match["stop"] is not None, None if score is None else int(score))


def _dice(rules: RaceRules, text: str) -> tuple[int, ...]:
    text = text.strip()
    if not text:
        return ()
    if rules.dice.faces < 10:
        if not re.fullmatch(r"[0-9\s,]+", text):
            allowed = _("throws such as 1 5 3 3 4, hold, stop, and = with the score")
            raise TranscriptError(_("{found}; allowed: {allowed}").format(found=quoted(text), allowed=allowed))
        text = " ".join(re.findall("[0-9]", text))
    return read_dice(rules, _("dice"), text)
