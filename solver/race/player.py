"""The player automaton: everything about one player that outlives a turn.

How a turn total becomes a new score, what a bust costs, and what a player does to
another. The order of events is that of the game's rules:

on a stop: new score (held at the barrel), win, dump truck of the mover, climb onto
the barrel and fall of whoever sat there, overtaking, dump truck of those charged;
on a bust: barrel attempt or bolt, its penalty, floor, dump truck.

Nothing here knows dice. Scores and totals are in points.
"""

from typing import Any, NamedTuple

from solver.race.rules import RaceRules

MUST_THROW, MAY_STOP, TURN_ENDS = range(3)
"""What a turn total allows, as the kernels know it."""

NO_END = 1 << 40
"""Upper end of an interval of scores without bound."""


class Player(NamedTuple):
    """One player between turns; what a ruleset does not use keeps its default."""

    score: int = 0
    opened: bool = True
    bolts: int = 0
    """Turns without result since the last fine."""
    attempts: int = 0
    """Failed turns on the barrel."""
    falls: int = 0
    """Falls from the barrel, or by overshooting, since the last one that cost everything."""
    marks: int = 0
    """Overshoots since the last fall."""


class Need(NamedTuple):
    """A least turn total before the player may stop."""

    points: int
    rule: str
    """The section that asks for it: ``opening``, ``pits`` or ``barrel``."""


class Attack(NamedTuple):
    """What a mover does to every other player whose score is in ``low <= score < high``."""

    rule: str
    """``overtaking`` or ``barrel``."""
    low: int
    high: int


class Outcome(NamedTuple):
    """How a turn ended for the mover."""

    player: Player
    won: bool = False
    attacks: tuple[Attack, ...] = ()
    dumped: bool = False


class Transitions(NamedTuple):
    """What one player state can lead to."""

    modes: list[int]
    """By turn total in steps, up to the highest that matters: MUST_THROW, MAY_STOP or TURN_ENDS."""
    stops: list[Outcome | None]
    """By turn total: how the turn ends there, None where it cannot."""
    ends: list[Outcome]
    """By kind of forced end: the bust."""


def start(rules: RaceRules) -> Player:
    """A player before the first turn."""
    return Player(opened=rules.opening is None)


def fields_in_use(rules: RaceRules) -> tuple[str, ...]:
    """Names of the fields of ``Player`` that can differ under these rules."""
    used = {
        "score": True,
        "opened": rules.opening,
        "bolts": rules.bolts,
        "attempts": rules.barrel,
        "falls": (rules.barrel and rules.barrel.falls > 1) or (rules.overshoot and rules.overshoot.falls > 1),
        "marks": rules.overshoot,
    }
    return tuple(name for name in Player._fields if used[name])


def to_row(player: Player, fields: tuple[str, ...]) -> list[int]:
    """A player as numbers, in the order of ``fields``; opened is 1."""
    return [int(getattr(player, field)) for field in fields]


def from_row(row: list[int], fields: tuple[str, ...]) -> Player:
    """The inverse of ``to_row``."""
    facts: dict[str, Any] = dict(zip(fields, row, strict=True))
    return Player(**{**facts, "opened": facts.get("opened", 1) == 1})


def on_barrel(rules: RaceRules, player: Player) -> bool:
    """Whether the player sits on the barrel."""
    return rules.barrel is not None and player.score >= rules.barrel.start


def pit(rules: RaceRules, player: Player) -> tuple[int, int] | None:
    """The pit in which the player sits, if any."""
    bounds = rules.pits.bounds if rules.pits else ()
    return next(((low, high) for low, high in bounds if low <= player.score < high), None)


def needs(rules: RaceRules, player: Player) -> list[Need]:
    """What a turn total must reach before the player may stop."""
    found = []
    if rules.opening and not player.opened:
        found.append(Need(rules.opening.points, "opening"))
    if inside := pit(rules, player):
        found.append(Need(inside[1] - player.score, "pits"))
    if on_barrel(rules, player):
        found.append(Need(_winning_score(rules) - player.score, "barrel"))
    return found


def highest_total(rules: RaceRules, player: Player) -> int:
    """The turn total from which on every larger one gives the same result."""
    top = _winning_score(rules)
    if rules.barrel and not on_barrel(rules, player):
        top = rules.barrel.start
    elif rules.match.finish == "exactly":
        top += rules.match.step
    return max([top - player.score, *(need.points for need in needs(rules, player))])


def least_total(rules: RaceRules, player: Player) -> int:
    """The turn total below which the player may not stop: nobody may stop with nothing."""
    return max([rules.match.step, *(need.points for need in needs(rules, player))])


def total_mode(rules: RaceRules, player: Player, points: int, least: int | None = None) -> int:
    """What the player may do at a turn total: MUST_THROW, MAY_STOP, or TURN_ENDS at once.

    ``least`` is ``least_total``, for callers who ask about many totals.
    """
    new = player.score + points
    if rules.match.finish == "exactly" and new > rules.match.target:
        return TURN_ENDS
    if points < (least_total(rules, player) if least is None else least):
        return MUST_THROW
    if rules.match.finish == "more than" and new == rules.match.target and not rules.barrel:
        return MUST_THROW
    return MAY_STOP


def after_total(rules: RaceRules, player: Player, points: int) -> Outcome:
    """How the turn ends when it ends at this total, by a stop or at once."""
    if total_mode(rules, player, points) == TURN_ENDS:
        return after_overshoot(rules, player)
    return after_stop(rules, player, points)


class Totals(NamedTuple):
    """Turn totals that can occur, in steps, as the bits of integers; -1 for all."""

    stops: int
    """Totals at which a turn can be where stopping is allowed."""
    all: int
    """Totals at which a turn can be at all."""


ANY_TOTALS = Totals(-1, -1)


def transitions(rules: RaceRules, player: Player, totals: Totals = ANY_TOTALS) -> Transitions:
    """Everything that a turn of this player can lead to, with the turn totals that can occur."""
    least = least_total(rules, player)
    overshoot = after_overshoot(rules, player)
    modes: list[int] = []
    stops: list[Outcome | None] = []
    highest = highest_total(rules, player)
    for points in range(0, highest + 1, rules.match.step):
        mode = total_mode(rules, player, points, least)
        possible = totals.all if mode == TURN_ENDS else totals.stops
        # The highest total stands for all above it.
        if not possible >> points // rules.match.step & (1 if points < highest else -1):
            mode = MUST_THROW
        modes.append(mode)
        stops.append(
            None if mode == MUST_THROW else overshoot if mode == TURN_ENDS else after_stop(rules, player, points)
        )
    return Transitions(modes, stops, [after_bust(rules, player)])


def after_stop(rules: RaceRules, player: Player, points: int) -> Outcome:
    """How the turn ends when the player writes its points down; he must be allowed to."""
    new = player.score + points
    climbs = rules.barrel is not None and not on_barrel(rules, player) and new >= rules.barrel.start
    if rules.barrel and climbs:
        new = rules.barrel.start
    if new >= _winning_score(rules):
        return Outcome(player._replace(score=new, opened=True), won=True)
    after, dumped = _dumped(rules, player._replace(score=new, opened=True, attempts=0))
    attacks = []
    if rules.barrel and climbs:
        attacks.append(Attack("barrel", rules.barrel.start, NO_END))
    if rules.overtaking and player.score + rules.match.step < after.score:
        attacks.append(Attack("overtaking", player.score + rules.match.step, after.score))
    return Outcome(after, attacks=tuple(attacks), dumped=dumped)


def after_bust(rules: RaceRules, player: Player) -> Outcome:
    """How the turn ends for a player whose throw brings nothing."""
    exempt = None
    if on_barrel(rules, player):
        exempt = "on_barrel"
    elif pit(rules, player):
        exempt = "in_pits"
    elif not player.opened:
        exempt = "before_opening"
    fine = 0
    if rules.barrel and exempt == "on_barrel":
        player = player._replace(attempts=player.attempts + 1)
        if player.attempts == rules.barrel.attempts:
            player, fine = _fallen(player, rules.barrel.falls, rules.barrel.fine)
    if rules.bolts and (exempt is None or getattr(rules.bolts, exempt)):
        player = player._replace(bolts=player.bolts + 1)
        if player.bolts == rules.bolts.limit:
            player, fine = player._replace(bolts=0), fine + rules.bolts.fine
    after, dumped = _charged(rules, player, fine)
    return Outcome(after, dumped=dumped)


def after_overshoot(rules: RaceRules, player: Player) -> Outcome:
    """How the turn ends for a player whose running sum passes an exact target: it counts nothing."""
    if rules.overshoot is None:
        return Outcome(player)
    player = player._replace(marks=player.marks + 1)
    if player.marks < rules.overshoot.marks:
        return Outcome(player)
    after, dumped = _charged(rules, *_fallen(player._replace(marks=0), rules.overshoot.falls, rules.overshoot.fine))
    return Outcome(after, dumped=dumped)


def after_attack(rules: RaceRules, player: Player, rule: str) -> Player:
    """What becomes of a player whom another one overtakes, or throws off the barrel."""
    if rule == "barrel":
        assert rules.barrel is not None
        return _charged(rules, *_fallen(player, rules.barrel.falls, rules.barrel.fine))[0]
    assert rules.overtaking is not None
    return _charged(rules, player, rules.overtaking.fine)[0]


def attack_rules(rules: RaceRules) -> tuple[str, ...]:
    """Names of the rules by which a mover changes another player, in the order in which they act."""
    return tuple(name for name in ("barrel", "overtaking") if getattr(rules, name))


def attacked_by(outcome: Outcome, score: int) -> str | None:
    """The rule by which an outcome changes another player with this score, if any: the first one counts."""
    return next((attack.rule for attack in outcome.attacks if attack.low <= score < attack.high), None)


def impossible_together(rules: RaceRules, one: Player, other: Player) -> bool:
    """Whether two players can never be in these states at the same time: two on the same barrel."""
    return on_barrel(rules, one) and on_barrel(rules, other)


def _winning_score(rules: RaceRules) -> int:
    return rules.match.target + (rules.match.step if rules.match.finish == "more than" else 0)


def _dumped(rules: RaceRules, player: Player) -> tuple[Player, bool]:
    if rules.dump_truck and player.score == rules.dump_truck.score:
        return player._replace(score=0), True
    return player, False


def _charged(rules: RaceRules, player: Player, fine: int) -> tuple[Player, bool]:
    """The player with a fine taken off, not below 0; whether that brings the dump truck."""
    charged = player._replace(score=max(0, player.score - fine))
    if not on_barrel(rules, charged):
        charged = charged._replace(attempts=0)
    return _dumped(rules, charged)


def _fallen(player: Player, last: int, fine: int) -> tuple[Player, int]:
    """The player with one more fall counted, and the fine for it: the last fall costs everything."""
    fallen = player._replace(falls=player.falls + 1, attempts=0)
    if fallen.falls >= last:
        return fallen._replace(score=0, falls=0), 0
    return fallen, fine
