"""Martinetti, also called Ohio: a chip goes from field to field while dice or their sums show the next number."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any, NamedTuple

from solver.parlour.answer import Answer, Option, Unit, percent, ranked
from solver.parlour.odds import Distribution, Figure, Odds, seat_figures
from solver.parlour.position import faces_of, read_faces, read_number
from solver.parlour.rules import ParlourRules, Seats, check_size, contradiction
from solver.parlour.sequences import first_out, occupancy, product_total, summed
from solver.schema import Problem, flag, key, one_of, whole
from solver.text import _

SEATS = Seats(1, 4, 2)
MOST_STATES = 108
"""Of all players together."""
POSITION = ("dice", "score", "vs")
THROWS = Unit(
    "throws",
    lambda value: _("{throws:.2f} throws to go").format(throws=value),
    lambda loss: _("{throws:.2f} throws").format(throws=loss),
    -1,
)


class Rules(ParlourRules):
    """Rules of Martinetti. A player throws on as long as his chip moves."""

    dice: int = key(whole(1, 4), _("Number of dice."), default=3)
    faces: int = key(whole(2, 12), _("Faces of a die."), default=6)
    fields: int = key(whole(1, 24), _("Fields of the board, numbered from 1."), default=12)
    die_reuse: bool = key(
        flag(), _("Whether a die may serve for several fields in one throw, as in 1, 2 and 1 + 2."), default=False
    )
    route: str = key(
        one_of("up", "up and back"),
        _("Whether the last field wins, or the chip must go back to 1; the last field then counts twice."),
        default="up",
    )


class Move(NamedTuple):
    """One way to use a throw."""

    position: int
    """Fields passed after it."""
    uses: tuple[tuple[int, ...], ...]
    """The dice that make each field, in order."""


def problems(rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys."""
    if rules.fields > rules.dice * rules.faces:
        yield contradiction("fields", rules.fields, _("at most the highest sum of the dice"))


def track(rules: Rules) -> list[int]:
    """The numbers needed, in order."""
    up = list(range(1, rules.fields + 1))
    return up if rules.route == "up" else [*up, *reversed(up)]


def moves(rules: Rules, position: int, throw: Sequence[int]) -> list[Move]:
    """All ways to use a throw from a position (fields passed), the farthest first; a move of no field is the last.

    Of several ways to the same field, the one that leaves most dice is told.
    """
    numbers = track(rules)
    found: dict[int, Move] = {position: Move(position, ())}
    open_ways = [(found[position], tuple(sorted(throw)))]
    while open_ways:
        following: dict[tuple[int, tuple[int, ...]], Move] = {}
        for move, dice in open_ways:
            if move.position == len(numbers):
                continue
            for used in _subsets(dice):
                if sum(used) == numbers[move.position]:
                    left = dice if rules.die_reuse else _without(dice, used)
                    following.setdefault((move.position + 1, left), Move(move.position + 1, (*move.uses, used)))
        for (place, left), move in following.items():
            known = found.get(place)
            if known is None or len(left) > len(throw) - sum(map(len, known.uses)):
                found[place] = move
        open_ways = [(move, left) for (_place, left), move in following.items()]
    return [found[place] for place in sorted(found, reverse=True)]


def advance(rules: Rules, position: int, throw: Sequence[int]) -> int:
    """The farthest position that a throw leads to; the same one if the turn is over."""
    return moves(rules, position, throw)[0].position


def odds(rules: Rules, players: int) -> Odds:
    """The chance of each seat to win, and how long one player takes."""
    check_size(players, len(track(rules)), MOST_STATES)
    turns = _turns(rules)
    present = summed(occupancy(turns.moves))
    seats = first_out(present, players) if players > 1 else []
    out = present.minus(present.shifted())
    return Odds(
        (
            *seat_figures(list(seats), _("Chance of player {seat} to win")),
            Figure("expected_throws", _("Throws of one player alone, on average"), turns.throws[0]),
            Figure("expected_turns", _("Turns of one player alone, on average"), product_total(present)),
        ),
        (
            Distribution(
                "turns",
                _("Turns of one player alone"),
                {number: out.at(number - 1) for number in range(1, 13)},
                present.at(12),
            ),
        ),
        (_("The farthest move is always best: a chip that is ahead has all the chances of one behind."),),
    )


class _Turns(NamedTuple):
    moves: list[dict[int, Fraction]]
    """From each position, the chance of each position after a turn."""
    throws: list[Fraction]
    """From each position, the expected throws to the end of the track."""


def _turns(rules: Rules) -> _Turns:
    length = len(track(rules))
    throws: dict[tuple[int, ...], int] = {}
    for throw in product(range(1, rules.faces + 1), repeat=rules.dice):
        ordered = tuple(sorted(throw))
        throws[ordered] = throws.get(ordered, 0) + 1
    ways = rules.faces**rules.dice
    ends: list[dict[int, Fraction]] = [{} for _position in range(length)]
    needed = [Fraction(0)] * (length + 1)
    for position in reversed(range(length)):
        counts: dict[int, int] = {}
        for throw, count in throws.items():
            target = advance(rules, position, throw)
            counts[target] = counts.get(target, 0) + count
        missed = Fraction(counts.pop(position, 0), ways)
        row = {position: missed}
        further = Fraction(1)
        for target, count in counts.items():
            chance = Fraction(count, ways)
            further += chance * needed[target]
            if target < length:
                for place, part in ends[target].items():
                    row[place] = row.get(place, Fraction(0)) + chance * part
        ends[position] = row
        needed[position] = further / (1 - missed)
    return _Turns(ends, needed)


def _subsets(dice: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    seen: set[Any] = set()
    for size in range(1, len(dice) + 1):
        for used in combinations(dice, size):
            if used not in seen:
                seen.add(used)
                yield used


def _without(dice: tuple[int, ...], used: tuple[int, ...]) -> tuple[int, ...]:
    left = list(dice)
    for face in used:
        left.remove(face)
    return tuple(left)


def advise(rules: Rules, ruleset: str, **stated: str) -> Answer:
    """Which field to move to with a throw. PositionError if the position cannot be."""
    length = len(track(rules))
    position = read_number("--score", stated.get("score", "0"), 0, length - 1)
    opponent = read_number("--vs", stated["vs"], 0, length - 1) if "vs" in stated else None
    turns = _turns(rules)

    def worth(place: int, *, throwing: bool) -> Fraction:
        """Chance to win, or the negative of the throws still needed, with the dice in hand or passed on."""
        if place == length:
            return Fraction(int(opponent is not None))
        if opponent is None:
            return -turns.throws[place]
        mine = summed(occupancy(turns.moves, place))
        theirs = summed(occupancy(turns.moves, opponent))
        first, second = (mine, theirs) if throwing else (theirs, mine)
        win = product_total(first.minus(first.shifted()), second)
        return win if throwing else 1 - win

    unit = percent(_("to win")) if opponent is not None else THROWS
    heading = [_("{count} of {length} fields passed.").format(count=position, length=length)]
    if opponent is not None:
        heading.append(_("The opponent has passed {count}.").format(count=opponent))
    state = {"position": position, "opponent": opponent}
    if "dice" not in stated:
        value = worth(position, throwing=True)
        return Answer(ruleset, rules, unit, state, None, tuple(heading), (), value)
    throw = read_faces("--dice", stated["dice"], faces_of(rules.faces), (rules.dice,))
    heading.append(_("Thrown: {dice}.").format(dice=" ".join(map(str, throw))))
    options = []
    for move in moves(rules, position, throw):
        value = worth(move.position, throwing=move.position > position)
        facts = {"position": move.position, "uses": [list(used) for used in move.uses]}
        options.append(Option(_move_in_words(rules, position, move), {**facts, "throws_again": bool(move.uses)}, value))
    best = ranked(options)
    return Answer(ruleset, rules, unit, state, throw, tuple(heading), best, best[0].value)


def _move_in_words(rules: Rules, position: int, move: Move) -> str:
    if not move.uses:
        return _("Stay, and pass the dice on")
    numbers = track(rules)[position : move.position]
    made = ", ".join(
        f"{number} = {' + '.join(map(str, used))}" if len(used) > 1 else str(number)
        for number, used in zip(numbers, move.uses, strict=True)
    )
    return _("Move to field {field} ({made}), and throw on").format(field=numbers[-1], made=made)
