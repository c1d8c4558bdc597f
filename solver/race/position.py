"""Positions as people state them, checked one by one, and where they stand in a table."""

from typing import Any

from solver.errors import PositionError, TableError
from solver.race.player import Player, fields_in_use, from_row
from solver.race.rules import OBJECTIVES, RaceRules
from solver.schema import nearest, quoted
from solver.table import Table
from solver.text import _

YES = ("yes", "true", "1")
NO = ("no", "false", "0")


def read_player(rules: RaceRules, option: str, score: str, facts: dict[str, str], facts_option: str) -> Player:
    """A player with a written score and further facts.

    A fact that is not stated has its value at the start of the match, but who has points has opened.
    ``option`` and ``facts_option`` are what errors call the two. PositionError if something cannot be.
    """
    step = rules.match.step
    highest = (rules.barrel.start if rules.barrel else rules.match.target - step) // step * step
    allowed = _("a multiple of {step} from 0 to {highest}") if step > 1 else _("a whole number from 0 to {highest}")
    points = _whole(score)
    if points is None or points % step or not 0 <= points <= highest:
        raise _wrong(option, score, allowed.format(step=step, highest=highest))
    player = Player(score=points, opened=rules.opening is None or points > 0)
    known = [field for field in fields_in_use(rules) if field != "score"]
    for name, text in facts.items():
        if name not in known:
            raise _wrong(facts_option, name, nearest(name, known) if known else _("no facts in this game"))
        if name == "opened":
            if text.lower() not in YES + NO:
                raise _wrong(facts_option, f"{name}={text}", _("opened=yes or opened=no"))
            player = player._replace(opened=text.lower() in YES)
            continue
        most = _limit(rules, name) - 1
        count = _whole(text)
        if count is None or not 0 <= count <= most:
            raise _wrong(facts_option, f"{name}={text}", _("a whole number from 0 to {most}").format(most=most))
        counted: dict[str, Any] = {name: count}
        player = player._replace(**counted)
    if rules.dump_truck and points == rules.dump_truck.score:
        raise _impossible(option, score, _("the dump truck makes it 0"))
    if points > 0 and not player.opened:
        raise _impossible(facts_option, "opened=no", _("who has points has opened"))
    return player


def read_facts(option: str, text: str) -> dict[str, str]:
    """Facts such as ``bolts=2,opened=no``. PositionError if the text has another form."""
    facts: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not name or not value or name in facts:
            raise _wrong(option, part.strip() or text, _("name=value pairs with commas between them, each name once"))
        facts[name] = value
    return facts


def read_opponent(rules: RaceRules, option: str, text: str) -> Player:
    """An opponent, as a score or as facts that include the score."""
    if "=" not in text:
        return read_player(rules, option, text.strip(), {}, option)
    facts = read_facts(option, text)
    if "score" not in facts:
        raise _wrong(option, text, _("a score, or facts with a score, such as score=640,bolts=1"))
    return read_player(rules, option, facts.pop("score"), facts, option)


def read_dice(rules: RaceRules, option: str, text: str) -> tuple[int, ...]:
    """The faces of a throw, in ascending order; between them commas or spaces."""
    faces, most = rules.dice.faces, rules.dice.count
    allowed = _("{most} dice at most, faces from 1 to {faces}, with commas or spaces between them")
    allowed = allowed.format(most=most, faces=faces)
    parts = [part for piece in text.split(",") for part in (piece.split() or [""])]
    found = []
    for part in parts:
        face = _whole(part)
        if face is None or not 1 <= face <= faces:
            raise _wrong(option, part or text, allowed)
        found.append(face)
    if len(found) > most:
        raise _wrong(option, text, allowed)
    return tuple(sorted(found))


def read_turn_points(rules: RaceRules, option: str, text: str) -> int:
    """Points gathered in a turn."""
    step, most = rules.match.step, 10 * rules.match.target
    points = _whole(text)
    if points is None or points % step or not 0 <= points <= most:
        allowed = _("a multiple of {step} from 0 to {most}") if step > 1 else _("a whole number from 0 to {most}")
        raise _wrong(option, text, allowed.format(step=step, most=most))
    return points


def state_index(rules: RaceRules, table: Table) -> dict[Player, int]:
    """From each player state of a table to its number. TableError if they are not states of these rules."""
    fields = fields_in_use(rules)
    if tuple(table.info.fields) != fields or table.info.players != OBJECTIVES.get(table.info.objective):
        raise TableError(_("the table does not have the player states of its ruleset"))
    index = {from_row(row, fields): number for number, row in enumerate(table.rows())}
    if len(index) != len(table.states):
        raise TableError(_("the table has a player state twice"))
    return index


def _limit(rules: RaceRules, name: str) -> int:
    counters = {
        "bolts": rules.bolts and rules.bolts.limit,
        "attempts": rules.barrel and rules.barrel.attempts,
        "falls": (rules.barrel and rules.barrel.falls) or (rules.overshoot and rules.overshoot.falls),
        "marks": rules.overshoot and rules.overshoot.marks,
    }
    return counters[name] or 1


def _whole(text: str) -> int | None:
    digits = text[1:] if text.startswith("-") else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None


def _impossible(option: str, found: str, why: str) -> PositionError:
    return PositionError(
        _("{option}: {found}: a position that cannot occur: {why}").format(option=option, found=quoted(found), why=why)
    )


def _wrong(option: str, found: str, allowed: str) -> PositionError:
    return PositionError(
        _("{option}: {found}; allowed: {allowed}").format(option=option, found=quoted(found), allowed=allowed)
    )
