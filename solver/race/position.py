"""Positions as people state them, checked one by one, and where they stand in a table."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from solver.errors import PositionError, TableError
from solver.race.contradictions import read_rules
from solver.race.player import Player, counters, fields_in_use, from_rows, may_lead
from solver.race.rules import OBJECTIVES, RaceRules
from solver.ruleset import Ruleset
from solver.schema import one_of_names, quoted, write_section
from solver.table import Table
from solver.text import _

FLAGS = ("opened", "skips", "extra", "second")
"""Facts that are stated with yes or no."""
YES = ("yes", "true", "1")
NO = ("no", "false", "0")


def read_loaded(rules: RaceRules, option: str, dice: Iterable[str]) -> RaceRules:
    """The same rules with loaded dice, each as ``name=weight,weight,...``. PositionError or RulesetError if wrong."""
    data = write_section(rules)
    stated: set[str] = set()
    for text in dice:
        name, equals, weights = text.partition("=")
        parts = [part.strip() for part in weights.split(",")]
        if not equals:
            raise _wrong(option, text, _("a name and the weights of the faces, such as lucky=2,1,1,1,1,1"))
        if name in stated:
            raise _wrong(option, text, _("each die once"))
        stated.add(name)
        loaded = data["dice"].setdefault("loaded", {})
        loaded[name] = [int(part) if part.isascii() and part.isdigit() and len(part) < 20 else part for part in parts]
    return read_rules(Ruleset(option, data, {}))


def read_player(
    rules: RaceRules, option: str, score: str, facts: dict[str, str], facts_option: str, highest: int | None = None
) -> Player:
    """A player with a written score and further facts.

    A fact that is not stated has its value at the start of the match, but who has points has opened.
    ``highest`` is the highest score that he can have, by default the highest that does not win.
    ``option`` and ``facts_option`` are what errors call the two. PositionError if something cannot be.
    """
    barrel, step, least = rules.barrel, rules.match.step, rules.least_score()
    held = barrel is not None and barrel.clamp and not barrel.cumulative
    if highest is None:
        highest = (barrel.start if barrel and held else rules.match.target - 1) // step * step
    points = _multiple(rules, option, score, least, highest)
    opened = rules.opening is None or points > 0
    player = Player(score=points, opened=opened)
    most = counters(rules)
    known = [field for field in fields_in_use(rules) if field != "score"]
    for name, text in facts.items():
        if name not in known:
            raise _wrong(facts_option, name, one_of_names(name, known) if known else _("no facts in this game"))
        value: int = (
            _flag(facts_option, name, text)
            if name in FLAGS
            else _multiple(rules, facts_option, text, 0, highest, name)
            if name == "admission"
            else _multiple(rules, facts_option, text, 0, 2 * rules.match.target, name)
            if name == "banked"
            else _count(facts_option, name, text, most[name])
        )
        stated: dict[str, Any] = {name: value}
        player = player._replace(**stated)
    if "admission" in known and player.opened and "admission" not in facts:
        assert rules.opening is not None
        player = player._replace(admission=rules.opening.points)
    if "banked" in known and (player.offered > 0) != (player.banked > 0):
        raise _wrong(facts_option, _spelled_facts(facts), _("dice and points together, such as offered=3,banked=400"))
    if rules.dump_truck and points == rules.dump_truck.score:
        raise _impossible(option, score, _("the dump truck makes it 0"))
    if points > 0 and not player.opened:
        raise _impossible(facts_option, "opened=no", _("who has points has opened"))
    if rules.opening and not rules.opening.debt and player.opened and "admission" in known:
        least = rules.opening.points
        if player.admission < least:
            why = _("nobody opens with less than {points}").format(points=least)
            raise _impossible(facts_option, f"admission={player.admission}", why)
    return player


class TurnFacts(NamedTuple):
    """What the points of a turn do not tell about it."""

    tries: int = 0
    """Second tries used for the throw at hand."""
    blank: bool = False
    """Whether the first throw brought nothing, and a bolt."""


def take_turn_facts(rules: RaceRules, option: str, facts: dict[str, str]) -> TurnFacts:
    """Take the facts about the turn at hand out of ``facts``. PositionError if something cannot be."""
    tries, blank = 0, False
    if rules.second_try and "tries" in facts:
        tries = _count(option, "tries", facts.pop("tries"), rules.second_try.retries)
    if rules.blank_counts() and "blank" in facts:
        blank = _flag(option, "blank", facts.pop("blank"))
    return TurnFacts(tries, blank)


def read_facts(option: str, text: str) -> dict[str, str]:
    """Facts such as ``bolts=2,opened=no``. PositionError if the text has another form."""
    facts: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not name or not value or name in facts:
            raise _wrong(option, part.strip() or text, _("name=value pairs with commas between them, each name once"))
        facts[name] = value
    return facts


def read_opponent(rules: RaceRules, option: str, text: str, player: Player) -> Player:
    """The opponent of a player, as a score or as facts that include the score.

    Who has reached the target has an opponent left with a last turn, where the rules grant one.
    """
    facts = read_facts(option, text) if "=" in text else {"score": text.strip()}
    if "score" not in facts:
        raise _wrong(option, text, _("a score, or facts with a score, such as score=640,bolts=1"))
    if "offered" in facts or "banked" in facts:
        raise _wrong(option, text, _("dice left over are offered to the player who moves"))
    waits = player._replace(second=1 - player.second)
    highest = 2 * rules.match.target if may_lead(rules, waits) else None
    opponent = read_player(rules, option, facts.pop("score"), facts, option, highest)
    if "second" in facts and opponent.second != waits.second:
        raise _impossible(option, f"second={facts['second']}", _("one of the two players is second in each round"))
    return opponent._replace(second=waits.second) if rules.match.ending == "equal turns" else opponent


def side(rules: RaceRules, face: int, kind: int = 0) -> int:
    """The number of a side of a kind of die: its face, counted on from kind to kind."""
    return kind * rules.dice.faces + face


def side_in_words(rules: RaceRules, number: int) -> str:
    """A side as its face, with the names of the dice that are meant if these are not ordinary ones."""
    kind, face = divmod(number - 1, rules.dice.faces)
    names = "/".join(name for name, known in rules.kinds_by_name().items() if known == kind)
    return f"{names}={face + 1}" if names else str(face + 1)


def faces_of(rules: RaceRules, sides: tuple[int, ...]) -> list[int]:
    """The faces of some sides."""
    return [(number - 1) % rules.dice.faces + 1 for number in sides]


def read_dice(rules: RaceRules, option: str, text: str) -> tuple[int, ...]:
    """The sides of a throw, in ascending order; between them commas or spaces.

    A die with a name is stated as ``name=face``.
    """
    named: list[tuple[str, str]] = []
    plain: list[str] = []
    kinds = rules.kinds_by_name()
    for part in text.replace(",", " ").split() if kinds else ():
        name, equals, face = part.partition("=")
        if equals and name not in kinds:
            raise _wrong(option, part, _("{names}, and faces of ordinary dice").format(names=", ".join(kinds)))
        if equals:
            named.append((name, face))
        else:
            plain.append(part)
    if not kinds:
        return _read_faces(rules, option, text)
    if len({name for name, _face in named}) < len(named):
        raise _wrong(option, text, _("each die once"))
    fair = len(rules.dice_set()) - 1
    if len(plain) > rules.dice.count - len(kinds):
        allowed = _("{names} by name, such as {name}=1").format(names=", ".join(kinds), name=next(iter(kinds)))
        raise _wrong(option, text, allowed)
    found = [side(rules, face, fair) for face in (_read_faces(rules, option, " ".join(plain)) if plain else ())]
    for name, written in named:
        shows = _read_faces(rules, option, written)[0]
        weights = rules.dice_set()[kinds[name]][0].weights
        if not weights[shows - 1]:
            shown = ", ".join(str(number) for number, weight in enumerate(weights, 1) if weight)
            raise _wrong(option, f"{name}={written}", _("for {name} the faces {faces}").format(name=name, faces=shown))
        found.append(side(rules, shows, kinds[name]))
    if not found:
        raise _wrong(option, text, _("at least one die"))
    return tuple(sorted(found))


def _read_faces(rules: RaceRules, option: str, text: str) -> tuple[int, ...]:
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
    return _multiple(rules, option, text, 0, 10 * rules.match.target)


def state_index(rules: RaceRules, table: Table) -> dict[Player, int]:
    """From each player state of a table to its number. TableError if they are not states of these rules."""
    fields = fields_in_use(rules if table.info.players > 1 else rules.alone())
    if tuple(table.info.fields) != fields or table.info.players != OBJECTIVES.get(table.info.objective):
        raise TableError(_("the table does not have the player states of its ruleset"))
    index = {player: number for number, player in enumerate(from_rows(table.rows(), fields))}
    if len(index) != len(table.states):
        raise TableError(_("the table has a player state twice"))
    return index


def _spelled_facts(facts: dict[str, str]) -> str:
    return ",".join(f"{name}={value}" for name, value in facts.items())


def _flag(option: str, name: str, text: str) -> bool:
    if text.lower() not in YES + NO:
        raise _wrong(option, f"{name}={text}", _("{name}=yes or {name}=no").format(name=name))
    return text.lower() in YES


def _count(option: str, name: str, text: str, most: int) -> int:
    count = _whole(text)
    if count is None or not 0 <= count <= most:
        raise _wrong(option, f"{name}={text}", _("a whole number from 0 to {most}").format(most=most))
    return count


def _multiple(rules: RaceRules, option: str, text: str, least: int, most: int, name: str = "") -> int:
    step, points = rules.match.step, _whole(text)
    if points is None or points % step or not least <= points <= most:
        whole = _("a whole number from {least} to {most}")
        allowed = _("a multiple of {step} from {least} to {most}") if step > 1 else whole
        found = f"{name}={text}" if name else text
        raise _wrong(option, found, allowed.format(step=step, least=least, most=most))
    return points


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
