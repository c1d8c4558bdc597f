"""Where a turn may be stopped, where it must go on, and where it ends at once.

Only the turn total and the player matter here, not the dice: those may forbid a stop that the total allows.
"""

from typing import NamedTuple

from solver.race.player import Player, may_lead, on_barrel, pit
from solver.race.rules import RaceRules

MUST_THROW, MAY_STOP, TURN_ENDS = range(3)
"""What a turn total allows, as the kernels know it."""


class Need(NamedTuple):
    """A least turn total before the player may stop."""

    points: int
    rule: str
    """The section that asks for it: ``opening``, ``pits``, ``barrel``, or ``match`` for a least turn."""


def needs(rules: RaceRules, player: Player) -> list[Need]:
    """What a turn total must reach before the player may stop."""
    found = [Need(rules.match.least_turn, "match")] if rules.match.least_turn else []
    if rules.opening and not player.opened:
        found.append(Need(rules.opening.points, "opening"))
    if rules.pits and (inside := pit(rules, player)):
        beyond = rules.match.step if rules.pits.upper == "inside" else 0
        found.append(Need(inside[1] + beyond - player.score, "pits"))
    if rules.barrel and on_barrel(rules, player) and not rules.barrel.cumulative:
        found.append(Need(rules.winning_score() - player.score, "barrel"))
    return found


def written_score(rules: RaceRules, player: Player, points: int) -> int:
    """The score that a stop at a turn total writes, before the dump truck comes."""
    new = player.score + points
    barrel = rules.barrel
    if barrel and barrel.clamp and player.score < barrel.start < new:
        return barrel.start
    return new


def overshoots(rules: RaceRules, player: Player, points: int) -> bool:
    """Whether a turn total passes an exact target."""
    return rules.match.finish == "exactly" and player.score + points > rules.match.target


def dumps_at_once(rules: RaceRules, player: Player, points: int) -> bool:
    """Whether the dump truck comes in the middle of a turn, at this running sum."""
    truck = rules.dump_truck
    return truck is not None and truck.mid_turn and points > 0 and player.score + points == truck.score


def highest_total(rules: RaceRules, player: Player, most_lead: int = 0) -> int:
    """The turn total from which on every larger one gives the same result.

    ``most_lead`` are the points beyond the target that are told apart where a leader waits for the last turn.
    """
    if player.skips or player.score >= rules.winning_score():
        return 0
    barrel, truck, step = rules.barrel, rules.dump_truck, rules.match.step
    top = rules.winning_score()
    if may_lead(rules, player):
        top += most_lead
    if rules.match.finish == "exactly":
        top += step
        if rules.match.overshoot == "given away":  # until the gift would take any other player past the target
            top = player.score + rules.match.target - rules.least_score() + step
    elif barrel and barrel.clamp and not on_barrel(rules, player):
        top = barrel.start
    if truck and truck.mid_turn:
        top = max(top, truck.score + step)
    return max([top - player.score, *(need.points for need in needs(rules, player))])


def least_total(rules: RaceRules, player: Player) -> int:
    """The turn total below which the player may not stop: nobody may stop with nothing."""
    return max([rules.match.step, *(need.points for need in needs(rules, player))])


def total_mode(rules: RaceRules, player: Player, points: int, least: int | None = None) -> int:
    """What the player may do at a turn total: MUST_THROW, MAY_STOP, or TURN_ENDS at once.

    ``least`` is ``least_total``, for callers who ask about many totals.
    """
    if player.skips or player.score >= rules.winning_score():
        return TURN_ENDS
    if overshoots(rules, player, points):
        return TURN_ENDS if rules.match.overshoot == "at once" else MAY_STOP
    if dumps_at_once(rules, player, points):
        return TURN_ENDS
    if points < (least_total(rules, player) if least is None else least):
        return MUST_THROW
    score = written_score(rules, player, points)
    if rules.match.finish == "more than" and score == rules.match.target:
        return MUST_THROW
    if rules.match.win_at_once and score >= rules.winning_score():
        return TURN_ENDS
    return MAY_STOP
