"""What failures cost a player: bolts, falls off the barrel, failed openings, and fines with the dump truck below them.

Each of these leads from a player to a player, or to one and a fine that is still to be paid; ``solver.race.endings``
says when they come, and in which order.
"""

from solver.race.player import Player, on_barrel, pit
from solver.race.rules import RaceRules


def _dumped(rules: RaceRules, player: Player) -> tuple[Player, bool]:
    if rules.dump_truck and player.score == rules.dump_truck.score:
        return player._replace(score=0), True
    return player, False


def charge(rules: RaceRules, player: Player, fine: int) -> tuple[Player, bool]:
    """The player with a fine taken off, down to the floor; whether that brings the dump truck."""
    charged = player._replace(score=_lowered(player.score, fine, rules.match.min_score))
    if not on_barrel(rules, charged):
        charged = charged._replace(attempts=0)
    return _dumped(rules, charged)


def _lowered(score: int, fine: int, floor: int) -> int:
    """A score after a fine; one that is below the floor already stays as it is."""
    return min(score, max(floor, score - fine))


def fail_opening(rules: RaceRules, player: Player) -> Player:
    """The player after a turn that did not open, if he had to; debts have a floor of their own."""
    debt = rules.opening.debt if rules.opening else None
    if debt is None or player.opened:
        return player
    if player.failures + 1 < debt.failures:
        return player._replace(failures=player.failures + 1)
    return player._replace(failures=0, score=_lowered(player.score, debt.fine, debt.min_score))


def give_bolt(rules: RaceRules, before: Player, player: Player, fine: int) -> tuple[Player, int]:
    """The player with one more bolt, unless where he began the turn spares him, and what is to be paid now."""
    exempt = None
    if on_barrel(rules, before):
        exempt = "on_barrel"
    elif pit(rules, before):
        exempt = "in_pits"
    elif not before.opened:
        exempt = "before_opening"
    if rules.bolts is None or not (exempt is None or getattr(rules.bolts, exempt)):
        return player, fine
    if player.bolts + 1 < rules.bolts.limit:
        return player._replace(bolts=player.bolts + 1), fine
    return player._replace(bolts=0), fine + rules.bolts.fine


def fail_attempt(rules: RaceRules, player: Player) -> tuple[Player, int]:
    """The player after one more turn on the barrel that did not win, and the fine if he falls."""
    assert rules.barrel is not None
    if rules.barrel.attempts is None:
        return player, 0
    if player.attempts + 1 < rules.barrel.attempts:
        return player._replace(attempts=player.attempts + 1), 0
    return fall_off(rules, player)


def fall_off(rules: RaceRules, player: Player) -> tuple[Player, int]:
    """The player after a fall from the barrel, and the fine for it."""
    barrel = rules.barrel
    assert barrel is not None
    # What was gathered towards the last leg is lost where the score had been held at its start.
    score = barrel.start if barrel.clamp else player.score
    fallen, fine = count_fall(player._replace(score=score), barrel.falls, barrel.fine)
    if fine and barrel.fall == "admission":
        return fallen._replace(score=player.admission), 0
    return fallen, fine


def count_fall(player: Player, last: int | None, fine: int) -> tuple[Player, int]:
    """The player with one more fall counted, and the fine for it: the last fall costs everything."""
    if last is None:
        return player._replace(attempts=0), fine
    fallen = player._replace(falls=player.falls + 1, attempts=0)
    if fallen.falls >= last:
        return fallen._replace(score=min(player.score, 0), falls=0), 0
    return fallen, fine
