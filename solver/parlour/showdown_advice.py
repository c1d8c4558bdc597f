"""Advice for showdown poker: which dice to keep, or whether to stop."""

from fractions import Fraction
from typing import Any, NamedTuple

from solver.parlour.answer import Answer, Option, percent, ranked
from solver.parlour.hands import POKER_FACES
from solver.parlour.lattice import DICE, WAYS, Dice, lattice
from solver.parlour.position import faces_of, read_faces, read_facts, read_number, refuse
from solver.parlour.showdown import (
    Rules,
    first_final,
    first_finals,
    first_scale,
    later,
    levels,
    plan,
    replayed,
    seats,
    second_final,
    strength,
)
from solver.text import _, plural

POSITION = ("dice", "throw", "locked", "vs", "players", "state")
FACES = {**faces_of(6), **POKER_FACES}


class Position(NamedTuple):
    """Where a player stands."""

    players: int
    shown: list[Dice]
    """Hands that lie open already, in the order of the players."""
    throw: int
    """Which of the player's throws has just been made; 0 before the first."""
    limit: int
    """How many he may make."""
    hand: Dice | None
    locked: Dice
    """Dice that may not be thrown again."""


def advise(rules: Rules, ruleset: str, **stated: str) -> Answer:
    """Advice for one position. PositionError if it cannot be."""
    position = _read(rules, stated)
    finals, scale = _finals(rules, position)
    found = plan(rules, finals)
    total = Fraction(int(found.start[0, 0]), scale * found.scale)
    options: tuple[Option, ...] = ()
    names = _names(stated)
    if position.hand is not None:
        options = ranked(_options(position, finals, found.keeps, scale, names))
        total = Fraction(max(option.value for option in options))
    return Answer(
        ruleset,
        rules,
        percent(_("to win one game") if rules.ties == "replay" else _("to win, ties shared")),
        {
            "players": position.players,
            "seat": len(position.shown) + 1,
            "shown": [list(hand) for hand in position.shown],
            "throw": position.throw,
            "throws_allowed": position.limit,
            "locked": list(position.locked),
        },
        position.hand,
        tuple(_heading(rules, position, names)),
        options,
        total,
    )


def _finals(rules: Rules, position: Position) -> tuple[list[Any], int]:
    """Values of the player's final hand after each number of throws, and their denominator."""
    seat = len(position.shown) + 1
    if rules.ties == "replay":
        value = replayed(rules).first
        if seat == 1:
            return [first_final(rules, value)] * rules.throws, value.denominator * WAYS**rules.throws
        target = levels(rules).strengths.index(strength(rules, position.shown[0]))
        return [second_final(rules, value, [target])] * rules.throws, value.denominator
    if seat == 1:
        return first_finals(rules, position.players), first_scale(rules, position.players)
    best = max(strength(rules, hand) for hand in position.shown)
    holders = sum(strength(rules, hand) == best for hand in position.shown)
    following = later(rules, position.players, seat + 1, position.limit)
    level, reached = levels(rules).strengths.index(best), levels(rules).of_hand
    final = following.holder[0, reached] * (reached > level) + following.holder[holders, reached] * (reached == level)
    return [final.astype(object)[:, None, None]] * position.limit, following.scale


def _options(
    position: Position, finals: list[Any], keeps: list[Any], scale: int, names: dict[int, str]
) -> list[Option]:
    """All ways to go on, a stop first, then those that keep more dice."""
    found = lattice()
    hand, throw = position.hand, position.throw
    assert hand is not None
    stop = Fraction(int(finals[throw - 1][found.hand_number[hand], 0, 0]), scale)
    options = [Option(_("Stop"), {"hold": list(hand), "throw": 0}, stop)]
    if throw == position.limit:
        return options
    ways = scale * WAYS ** (position.limit - throw)
    number = found.hand_number[hand]
    for keep in sorted((keep for keep, other in found.pairs if other == number), key=_order):
        dice = found.keeps[keep]
        if len(dice) == DICE or not _contains(dice, position.locked):
            continue
        count = DICE - len(dice)
        words = plural("Keep {dice} and throw {count} die", "Keep {dice} and throw {count} dice", count)
        kept = " ".join(names[face] for face in dice) if dice else _("nothing")
        value = Fraction(int(keeps[throw - 1][keep, 0, 0]), ways)
        options.append(Option(words.format(dice=kept, count=count), {"hold": list(dice), "throw": count}, value))
    return options


def _order(keep: int) -> tuple[int, Dice]:
    dice = lattice().keeps[keep]
    return -len(dice), dice


def _contains(dice: Dice, part: Dice) -> bool:
    return all(dice.count(face) >= part.count(face) for face in part)


def _read(rules: Rules, stated: dict[str, str]) -> Position:
    low, high, default = seats(rules)
    players = read_number("--players", stated["players"], low, high) if "players" in stated else default
    shown = [read_faces("--vs", hand, FACES, (DICE,)) for hand in stated["vs"].split("/")] if "vs" in stated else []
    if len(shown) >= players:
        allowed = _("the hands of the players before, with / between them: fewer than the {count} players")
        raise refuse("--vs", stated["vs"], allowed.format(count=players))
    limit = rules.throws
    if "state" in stated:
        if not (rules.first_sets_limit and shown):
            allowed = _("only limit=1 and so on, where a first player has set the limit")
            raise refuse("--state", stated["state"], allowed)
        limit = read_facts("--state", stated["state"], {"limit": (1, rules.throws)}).get("limit", limit)
    if "dice" not in stated:
        for option in ("throw", "locked"):
            if option in stated:
                raise refuse(f"--{option}", stated[option], _("only together with --dice"))
        return Position(players, shown, 0, limit, None, ())
    hand = read_faces("--dice", stated["dice"], FACES, (DICE,))
    throw = read_number("--throw", stated.get("throw", "1"), 1, limit)
    locked: Dice = ()
    if "locked" in stated:
        if not rules.locked or throw < 2:
            raise refuse("--locked", stated["locked"], _("only after the second throw, where kept dice are locked"))
        locked = read_faces("--locked", stated["locked"], FACES, range(1, DICE + 1))
        if not _contains(hand, locked):
            raise refuse("--locked", stated["locked"], _("dice of the hand"))
    return Position(players, shown, throw, limit, hand, locked)


def _names(stated: dict[str, str]) -> dict[int, str]:
    """How faces are told: as poker dice if the player did so."""
    text = ",".join(stated.get(option, "") for option in ("dice", "vs", "locked")).replace("/", ",")
    poker = any(part.strip().upper() in POKER_FACES for part in text.split(","))
    return {face: name for name, face in (POKER_FACES if poker else faces_of(6)).items()}


def _heading(rules: Rules, position: Position, names: dict[int, str]) -> list[str]:
    lines = [_("Player {seat} of {players}.").format(seat=len(position.shown) + 1, players=position.players)]
    for number, hand in enumerate(position.shown, 1):
        shown = " ".join(names[face] for face in hand)
        lines.append(_("Player {number} has shown {hand}.").format(number=number, hand=shown))
    if position.hand is not None:
        thrown = " ".join(names[face] for face in position.hand)
        text = _("Throw {throw} of {limit}: {hand}.")
        lines.append(text.format(throw=position.throw, limit=position.limit, hand=thrown))
    if rules.locked and position.throw > 1:
        kept = " ".join(names[face] for face in position.locked) or _("none")
        lines.append(_("Dice that may not be thrown again: {dice}.").format(dice=kept))
    return lines
