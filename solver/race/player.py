"""One player between turns: everything that outlives a turn, and where the score puts him.

Nothing here knows dice. Scores and totals are in points.
"""

from collections.abc import Iterable
from itertools import repeat
from typing import Any, NamedTuple

from solver.race.rules import RaceRules, Start
from solver.race.sections import ObstacleRules
from solver.schema import Section


class Player(NamedTuple):
    """One player between turns; what a ruleset does not use keeps its default."""

    score: int = 0
    opened: bool = True
    bolts: int = 0
    """Turns without result since the last fine."""
    attempts: int = 0
    """Turns on the barrel that did not win."""
    falls: int = 0
    """Falls from the barrel, or by overshooting, since the last one that cost everything."""
    marks: int = 0
    """Overshoots since the last fall."""
    failures: int = 0
    """Failed openings since the last debt."""
    admission: int = 0
    """The score after the turn that opened, to which a fall leads back; 0 before."""
    skips: int = 0
    """1 if the next turn is lost."""
    extra: int = 0
    """1 if the turn to come is an extra turn."""
    offered: int = 0
    """Dice that the player before did not set aside; 0 for none."""
    banked: int = 0
    """Points that come with them; 0 for none."""
    second: int = 0
    """1 for the player who moves second in each round."""


def start(rules: RaceRules, *, second: bool = False) -> Player:
    """A player before the first turn; where it matters, the one who moves second."""
    return Player(opened=rules.opening is None, second=int(second and rules.match.ending == "equal turns"))


def starting(rules: RaceRules, players: int) -> list[Player]:
    """All players before the first turn, as far as they differ; the one who begins comes first."""
    return list(dict.fromkeys([start(rules), start(rules, second=players > 1)]))


def without_points(player: Player) -> Player:
    """The same player if no points had been left to him; dice alone are part of a state."""
    return without_offer(player) if player.banked else player


def without_offer(player: Player) -> Player:
    """The same player if nothing had been left to him."""
    if not player.offered and not player.banked:  # which is asked at every turn total
        return player
    return player._replace(offered=0, banked=0)


def turn_start(rules: RaceRules, player: Player) -> Start:
    """How the next turn of a player begins."""
    enters = rules.opening is not None and rules.opening.scope == "first throw" and not player.opened
    return Start(enters, player.offered)


def may_lead(rules: RaceRules, player: Player) -> bool:
    """Whether a player who reaches the target must wait for a last turn of the other one."""
    return rules.match.ending == "one more turn" or (rules.match.ending == "equal turns" and not player.second)


def counters(rules: RaceRules) -> dict[str, int]:
    """By name of a counting field of ``Player``, its highest value; 0 if it is not in use."""
    barrel, overshoot, obstacles = rules.barrel, rules.overshoot, rules.obstacles
    debt = rules.opening.debt if rules.opening else None
    most = {
        "bolts": rules.bolts and rules.bolts.limit,
        "attempts": barrel and barrel.attempts,
        "falls": (barrel and barrel.falls) or (overshoot and overshoot.falls),
        "marks": overshoot and overshoot.marks,
        "failures": debt and debt.failures,
        "skips": 2 if obstacles and loses_turns(obstacles) else 0,
        "extra": 2 if obstacles and obstacles.extra_turn else 0,
        "offered": rules.dice.count + 1 - rules.points_are_left() if rules.inherited_dice else 0,
        "second": 2 if rules.match.ending == "equal turns" else 0,
    }
    return {name: (limit or 1) - 1 for name, limit in most.items()}


def counting_keys(rules: RaceRules) -> dict[str, Any]:
    """By path, the keys that multiply what there is to know of a player, with their values."""
    found: dict[str, Any] = {"barrel.fall": rules.barrel.fall if rules.barrel and rules.barrel.fall != "fine" else None}
    parts: dict[str, Section | None] = {"opening.debt": rules.opening.debt if rules.opening else None}
    parts |= {name: getattr(rules, name) for name in ("bolts", "barrel", "overshoot")}
    for where, part in parts.items():
        for name in ("limit", "attempts", "marks", "falls", "failures"):
            found[f"{where}.{name}"] = getattr(part, name, None)
    return {key: value for key, value in found.items() if value not in (None, 1)}


def loses_turns(obstacles: ObstacleRules) -> bool:
    """Whether an obstacle can cost the next turn."""
    return not obstacles.extra_turn or (obstacles.fine is None and obstacles.extra_turn_comes == "at once")


def fields_in_use(rules: RaceRules) -> tuple[str, ...]:
    """Names of the fields of ``Player`` that can differ under these rules."""
    used: dict[str, object] = {
        **counters(rules),
        "score": True,
        "opened": rules.opening,
        "admission": rules.barrel and rules.barrel.fall == "admission",
        # Counted even where the first one is fined at once, as tables have always had them.
        "bolts": rules.bolts,
        "attempts": rules.barrel and rules.barrel.attempts,
        "marks": rules.overshoot,
        "banked": rules.points_are_left(),
    }
    return tuple(name for name in Player._fields if used[name])


def facts_of(rules: RaceRules, player: Player) -> dict[str, int | bool]:
    """What there is to know of a player under these rules, by name."""
    return {field: getattr(player, field) for field in fields_in_use(rules)}


def to_row(player: Player, fields: tuple[str, ...]) -> list[int]:
    """A player as numbers, in the order of ``fields``; opened is 1."""
    return [int(getattr(player, field)) for field in fields]


def from_row(row: list[int], fields: tuple[str, ...]) -> Player:
    """The inverse of ``to_row``."""
    (player,) = from_rows([row], fields)
    return player


def from_rows(rows: list[list[int]], fields: tuple[str, ...]) -> list[Player]:
    """A player for each row, as ``from_row`` gives him; of many rows in far less time."""
    columns: dict[str, Iterable[Any]] = dict(zip(fields, zip(*rows, strict=True), strict=True)) if rows else {}
    if "opened" in columns:
        columns["opened"] = [opened == 1 for opened in columns["opened"]]
    unused = {name: repeat(default, len(rows)) for name, default in Player._field_defaults.items()}
    return list(map(Player, *({**unused, **columns}[name] for name in Player._fields)))


def by_himself(rules: RaceRules, player: Player) -> Player:
    """The player with nothing but what matters without opponents."""
    fields = fields_in_use(rules.alone())
    return from_row(to_row(player, fields), fields)


def on_barrel(rules: RaceRules, player: Player) -> bool:
    """Whether the player sits on the barrel."""
    return rules.barrel is not None and player.score >= rules.barrel.start


def pit(rules: RaceRules, player: Player) -> tuple[int, int] | None:
    """The pit in which the player sits, with the bounds that the rules state, if any."""
    return None if rules.pits is None else _stretch(rules, player, rules.pits.bounds, rules.pits.upper)


def obstacle(rules: RaceRules, player: Player) -> tuple[int, int] | None:
    """The obstacle in which the player sits, with the bounds that the rules state, if any."""
    return None if rules.obstacles is None else _stretch(rules, player, rules.obstacles.bounds, rules.obstacles.upper)


def _stretch(
    rules: RaceRules, player: Player, bounds: tuple[tuple[int, int], ...], upper: str
) -> tuple[int, int] | None:
    if on_barrel(rules, player):  # the barrel prevails
        return None
    more = rules.match.step if upper == "inside" else 0
    return next(((low, high) for low, high in bounds if low <= player.score < high + more), None)


def payoff(rules: RaceRules, player: Player) -> int:
    """The stakes that this player pays if he loses now."""
    return rules.stakes.unopened if rules.stakes and not player.opened else 1


def impossible_together(rules: RaceRules, one: Player, other: Player) -> bool:
    """Whether a mover and another player can never be in these states at the same time.

    Two on the same barrel, two in one seat, or one who waits while dice are offered to him.
    """
    in_one_seat = rules.match.ending == "equal turns" and one.second == other.second
    return (on_barrel(rules, one) and on_barrel(rules, other)) or in_one_seat or other.offered > 0
