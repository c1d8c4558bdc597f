"""Showdown poker: players throw one after another, all dice open, and the best hand wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from solver.errors import PositionError
from solver.parlour.hands import Rank, rank
from solver.parlour.lattice import (
    WAYS,
    before_throw,
    best_keep,
    best_within,
    last_throw,
    lattice,
    opening,
)
from solver.parlour.odds import Figure, Odds, seat_figures
from solver.parlour.rules import ParlourRules, Seats, contradiction
from solver.schema import Problem, flag, key, one_of, whole
from solver.text import _

SEATS = Seats(2, 5, 2)
MOST_ROUNDS = 50


class Rules(ParlourRules):
    """Rules of showdown poker. Five dice with six faces."""

    throws: int = key(whole(1, 3), _("Most throws of a player."), default=3)
    locked: bool = key(
        flag(), _("Whether dice that were not thrown the second time may not be thrown the third time."), default=True
    )
    first_sets_limit: bool = key(
        flag(), _("Whether the others may take at most as many throws as the first player took."), default=False
    )
    lowest_wins: bool = key(flag(), _("Whether the worst hand wins."), default=False)
    triples: str = key(
        one_of("rank", "pair", "nothing"),
        _("Whether three equal dice are a rank of their own, count as a pair, or as nothing."),
        default="rank",
    )
    straights: bool = key(
        flag(), _("Whether five dice in a row rank between three equal and a full house."), default=False
    )
    ties: str = key(
        one_of("share", "replay"),
        _("Whether equal best hands share the win, or the game is played again."),
        default="share",
    )
    wins: int = key(whole(1, 2), _("Games to win; the loser of a game begins the next."), default=1)


def problems(rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys."""
    if rules.ties == "replay" and rules.first_sets_limit:
        yield contradiction("ties", rules.ties, _('"share" where the first player sets the limit'))
    if rules.wins > 1 and rules.ties != "replay":
        yield contradiction("wins", rules.wins, _("1 where ties share"))


def seats(rules: Rules) -> Seats:
    """How many players the game is solved for: two where it is played again."""
    return Seats(2, 2, 2) if rules.ties == "replay" else SEATS


def strength(rules: Rules, hand: Sequence[int]) -> Rank:
    """What a hand is worth: the higher wins."""
    found = rank(hand, straights=rules.straights, triples=rules.triples)
    return (-found[0], -found[1], -found[2], -found[3]) if rules.lowest_wins else found


class Levels(NamedTuple):
    """All strengths that a hand may have, from low to high."""

    strengths: list[Rank]
    of_hand: Any
    """For each hand, the number of its strength."""


@cache
def levels(rules: Rules) -> Levels:
    """The strengths of all hands."""
    each = [strength(rules, hand) for hand in lattice().hands]
    ordered = sorted(set(each))
    number = {found: index for index, found in enumerate(ordered)}
    return Levels(ordered, np.array([number[found] for found in each]))


class Plan(NamedTuple):
    """Best play of one player's throws."""

    start: Any
    """Value before the first throw, by case and functional."""
    keeps: list[Any]
    """After the first throw, the second, ...: for each keep, the value of throwing the other dice."""
    scale: int
    """The start is multiplied by this; what follows the t-th throw, by ``WAYS`` for each throw that may follow."""


def plan(rules: Rules, finals: Sequence[Any]) -> Plan:
    """Best play, from the values of a hand that is shown after one throw, after two, ...; one for each throw allowed.

    Each is indexed by hand, case and functional.
    """
    throws = len(finals)
    keeps: list[Any] = []
    after = finals[-1]
    for number in range(throws - 1, 0, -1):
        values = before_throw(after) if keeps else last_throw(after)
        keeps.insert(0, values)
        bound = rules.locked and number > 1  # by what was kept before, so that keep and hand make the case
        after = best_within(values) if bound else best_keep(values)
        if rules.first_sets_limit:
            stop = finals[number - 1] * WAYS ** (throws - number)
            stop = stop[[hand for _keep, hand in lattice().pairs]] if bound else stop
            after = np.where(stop[..., :1] >= after[..., :1], stop, after)
    return Plan(opening(after), keeps, WAYS**throws)


class Later(NamedTuple):
    """What is still to come when some players have shown their hands.

    Arrays are indexed by the number of players who share the best hand, less one, and by its level. Values are whole
    numbers over ``scale``.
    """

    holder: Any
    """Chance of each who has the best hand now to win in the end, ties shared."""
    seats: list[Any]
    """Chance of each player to come, in order."""
    scale: int


@cache
def later(rules: Rules, players: int, seat: int, throws: int) -> Later:
    """What is to come before the player of ``seat`` (from 1) throws, who may throw so often, as may all after him."""
    size = len(levels(rules).strengths)
    if seat > players:
        scale = lcm(*range(1, players + 1))
        return Later(np.array([[scale // holders] * size for holders in range(1, players + 1)]), [], scale)
    following = later(rules, players, seat + 1, throws)
    cases = [(holders, level) for holders in range(1, seat) for level in range(size)]
    final = later_final(rules, following, cases)
    # Whole numbers that could outgrow the machine's are Python's own.
    fits = following.scale * WAYS**throws < 2**62
    found = plan(rules, [final.astype(np.int64 if fits else object)] * throws)
    own, holder, *others = (found.start[:, column].reshape(seat - 1, size) for column in range(final.shape[2]))
    return Later(holder, [own, *others], following.scale * found.scale)


def later_final(rules: Rules, following: Later, cases: Sequence[tuple[int, int]]) -> Any:
    """Values of a final hand by case (holders and level of the best so far): own, of a holder, of later players."""
    reached = levels(rules).of_hand[:, None]
    holders = np.array([holders for holders, _level in cases])[None, :]
    level = np.array([level for _holders, level in cases])[None, :]
    better, equal = reached > level, reached == level
    where = np.where(better, 0, np.where(equal, holders, holders - 1)), np.where(better, reached, level)
    after = following.holder[where]
    nothing = np.zeros_like(after)
    columns = [np.where(better | equal, after, nothing), np.where(better, nothing, after)]
    columns += [values[where] for values in following.seats]
    return np.stack(columns, axis=-1)


def first_finals(rules: Rules, players: int) -> list[Any]:
    """Values of the first player's hand shown after one throw, two, ...: his own, and of each later player."""
    found = []
    reached = levels(rules).of_hand
    scale = first_scale(rules, players)
    for number in range(1, rules.throws + 1):
        following = later(rules, players, 2, number if rules.first_sets_limit else rules.throws)
        columns = [following.holder[0, reached], *(values[0, reached] for values in following.seats)]
        final = np.stack(columns, axis=-1)[:, None, :]
        found.append(final.astype(object) * (scale // following.scale))
    return found


def first_scale(rules: Rules, players: int) -> int:
    """The common denominator of what ``first_finals`` holds."""
    return later(rules, players, 2, rules.throws).scale


def shared_chances(rules: Rules, players: int) -> list[Fraction]:
    """Chance of each seat to win when ties share."""
    found = plan(rules, first_finals(rules, players))
    scale = found.scale * first_scale(rules, players)
    return [Fraction(int(value), scale) for value in found.start[0]]


class Replay(NamedTuple):
    """A game for two that is played again, by the same player first, when the hands are equal."""

    first: Fraction
    """Chance of the first player to win in the end."""
    tie: Fraction
    """Chance that one game is not decided."""


@cache
def replayed(rules: Rules) -> Replay:
    """The fixed point: both play so that a tie is worth what the game is worth.

    Policies are improved until the value is the very same fraction again; then both are best answers to each other.
    """
    value = Fraction(1, 2)
    for _round in range(MOST_ROUNDS):
        win, tie = (Fraction(int(part), replay_scale(rules, value)) for part in _game(rules, value))
        following = win / (1 - tie)
        if following == value:
            return Replay(value, tie)
        value = following
    raise ArithmeticError("the value of the replayed game was not found")  # pragma: no cover


def second_final(rules: Rules, value: Fraction, cases: Sequence[int]) -> Any:
    """Values of the second player's final hand by the level to beat, if ties are replayed for ``value``.

    His own chance to win, his chance to win this game, and the chance of a tie, the last two times the denominator
    of ``value`` as well.
    """
    reached, level = levels(rules).of_hand[:, None], np.array(cases)[None, :]
    whole_win, whole_tie = value.denominator, value.denominator - value.numerator
    won, tied = (reached > level).astype(object), (reached == level).astype(object)
    return np.stack([won * whole_win + tied * whole_tie, won * whole_win, tied * whole_win], axis=-1)


def first_final(rules: Rules, value: Fraction) -> Any:
    """The same for the first player, before the second throws."""
    second = plan(rules, [second_final(rules, value, range(len(levels(rules).strengths)))] * rules.throws)
    own, won, tied = (second.start[:, column] for column in range(3))
    unit = value.denominator * second.scale
    reached = levels(rules).of_hand
    return np.stack([(unit - own)[reached], (unit - won - tied)[reached], tied[reached]], axis=-1)[:, None, :]


def replay_scale(rules: Rules, value: Fraction) -> int:
    """The denominator of values before the first player's throws."""
    return value.denominator * int(WAYS ** (2 * rules.throws))


def _game(rules: Rules, value: Fraction) -> tuple[int, int]:
    """The first player's chance to win one game, and that of a tie, over ``replay_scale``."""
    start = plan(rules, [first_final(rules, value)] * rules.throws).start[0]
    return start[1], start[2]


def match_chance(rules: Rules, game: Fraction) -> Fraction:
    """Chance to win the match for who begins its first game; the loser of a game begins the next."""
    return _match(game, rules.wins, rules.wins)


def _match(game: Fraction, mine: int, theirs: int) -> Fraction:
    """Chance of the player who begins, and needs ``mine`` games."""
    if not mine or not theirs:
        return Fraction(int(not mine))
    # After a win the other begins, after a loss the same player again.
    return game * (1 - _match(game, theirs, mine - 1)) + (1 - game) * _match(game, mine, theirs - 1)


def odds(rules: Rules, players: int) -> Odds:
    """The chance of each seat."""
    if not seats(rules).low <= players <= seats(rules).high:
        raise PositionError(_("--players: {found}; allowed: 2 where ties are replayed").format(found=players))
    if rules.ties == "share":
        chances = shared_chances(rules, players)
        figures = [*seat_figures(list(chances), _("Chance of player {seat} to win, ties shared"))]
        if rules.first_sets_limit:
            figures += _stops(rules, players)
        return Odds(tuple(figures), (), _notes(rules))
    found = replayed(rules)
    figures = [
        *seat_figures([found.first, 1 - found.first], _("Chance of player {seat} to win one game, ties replayed")),
        Figure("tie", _("Chance that a game is a tie"), found.tie),
    ]
    if rules.wins > 1:
        match = match_chance(rules, found.first)
        figures += seat_figures([match, 1 - match], _("Chance of player {seat} to win the match"), name="match")
    return Odds(tuple(figures), (), _notes(rules))


def _stops(rules: Rules, players: int) -> list[Figure]:
    """How likely the first player stops with a throw that he might follow with another."""
    finals = first_finals(rules, players)
    found = plan(rules, finals)
    ways = lattice().ways[-len(lattice().hands) :]
    figures = []
    for number, keeps in enumerate(found.keeps, 1):
        stop = finals[number - 1][:, 0, 0] * WAYS ** (rules.throws - number)
        stops = stop >= best_keep(keeps)[:, 0, 0]
        sentence = _("Chance that five dice thrown at once are worth a stop after throw {number}").format(number=number)
        figures.append(Figure(f"stop_after_throw_{number}", sentence, Fraction(int(ways[stops].sum()), WAYS)))
    return figures


def _notes(rules: Rules) -> tuple[str, ...]:
    if rules.first_sets_limit:
        return (_("Player 1 throws first and may stop early; no later player may throw more often than he did."),)
    return (_("Player 1 throws first; every later player sees the hands that lie open."),)
