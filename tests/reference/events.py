"""Race matches: who may stop, and what a turn changes.

Order of events on a stop: the new score, clamped at the barrel; win; the mover's dump truck; the
mover's climb and the fall of the sitter; overtaking; floor; dump truck of those charged.
On a bust or an overshoot: attempt, bolt or mark; its penalty; floor; the mover's dump truck.

Labels such as QA1.14 name questions that the rules leave open; the default reading is taken.
"""

from typing import Any, Literal, NamedTuple

Rules = dict[str, Any]


class PlayerState(NamedTuple):
    """All that a match remembers of one player."""

    score: int = 0
    opened: bool = True
    bolts: int = 0
    attempts: int = 0
    falls: int = 0
    marks: int = 0


Others = tuple[PlayerState, ...]


def start(rules: Rules) -> PlayerState:
    """Return a player before the first turn."""
    return PlayerState(opened="opening" not in rules)


# ---- one player's standing ----


def wins(rules: Rules, score: int) -> bool:
    """Return whether this written score wins."""
    target, finish = rules["match"]["target"], rules["match"]["finish"]
    if finish == "at least":
        return bool(score >= target)
    if finish == "more than":
        return bool(score > target)
    if finish == "exactly":
        return bool(score == target)
    raise ValueError(f"unknown finish {finish!r}")


def on_barrel(rules: Rules, player: PlayerState) -> bool:
    """Return whether the player sits on the barrel, where scores are clamped to its start."""
    return "barrel" in rules and player.score == rules["barrel"]["start"]


def in_pit(rules: Rules, player: PlayerState) -> bool:
    """Return whether the score lies in a pit; at a score that is both, the barrel prevails."""
    bounds = rules.get("pits", {}).get("bounds", [])
    return not on_barrel(rules, player) and any(low <= player.score < high for low, high in bounds)


def overshoots(rules: Rules, player: PlayerState, points: int) -> bool:
    """Return whether a turn total of `points` ends the turn by passing an exact target."""
    total = player.score + points
    return bool(rules["match"]["finish"] == "exactly" and total > rules["match"]["target"])


def written_score(rules: Rules, player: PlayerState, points: int) -> int:
    """Return the score a stop would write: from below nobody gets past the barrel's start."""
    total = player.score + points
    # QA1.18 to QA1.20: the start itself is on the barrel, and one sits down before one wins.
    if "barrel" in rules and player.score < rules["barrel"]["start"]:
        return min(total, int(rules["barrel"]["start"]))
    return total


def may_stop(rules: Rules, player: PlayerState, points: int) -> bool:
    """Return whether the player may stop with this turn total, compulsory hot dice aside."""
    if points <= 0 or overshoots(rules, player, points):
        return False  # QA1.32: no stop at 0, which a doublet may bring
    if not player.opened and points < rules["opening"]["points"]:
        return False
    score = written_score(rules, player, points)
    if on_barrel(rules, player):
        return wins(rules, score)  # one leap to the target
    for low, high in rules.get("pits", {}).get("bounds", []):
        # QA1.1: the lower bound is inside, the upper outside. QA1.2: one turn must do.
        # The leap is measured before a barrel clamps the score.
        if low <= player.score < high and player.score + points < high:
            return False
    # "More than": the target itself may not be written (QA4.5).
    return not (rules["match"]["finish"] == "more than" and score == rules["match"]["target"])


def saturation(rules: Rules, player: PlayerState) -> int:
    """Return a turn total from which on every larger one gives the same (not with "exactly").

    With t at least this: the opening is met; score + t is at or above every pit's upper bound;
    from below a barrel score + t is at or above its start, so that exactly the start is written;
    otherwise score + t is above the target, which wins under "at least" and "more than". So
    neither the permission to stop nor its outcome depends on t any more.
    """
    match = rules["match"]
    above = [match["target"] + match["step"]]
    above += [high for _, high in rules.get("pits", {}).get("bounds", [])]
    above += [rules["barrel"]["start"]] if "barrel" in rules else []
    enough = max(max(above) - player.score, rules.get("opening", {}).get("points", 0))
    steps = -(-enough // match["step"])  # rounded up
    return int(steps * match["step"])


def least_stop(rules: Rules, player: PlayerState) -> int:
    """Return the least turn total at which the player may stop, compulsory hot dice aside."""
    step = rules["match"]["step"]
    for points in range(step, saturation(rules, player) + 1, step):
        if may_stop(rules, player, points):
            return int(points)
    raise ValueError(f"{player} may never stop")


# ---- what a turn changes ----


def outcome_of_stop(
    rules: Rules, mover: PlayerState, others: Others, points: int
) -> tuple[PlayerState, Others | Literal["win"]]:
    """Return mover and others after a stop with this turn total, "win" for the others at the end.

    Steps 4 to 7 are taken for one player after another: none depends on another's.
    """
    if not may_stop(rules, mover, points):
        raise ValueError(f"{mover} may not stop with {points}")
    after = mover._replace(score=written_score(rules, mover, points), opened=True)
    if wins(rules, after.score):
        return after, "win"
    after = dumped(rules, after)  # QA1.14: before he overtakes; QA1.17: he counts as opened
    climbed = on_barrel(rules, after)  # a stop that starts on the barrel wins: this is an arrival
    others_after: list[PlayerState] = []
    for other in others:
        charged = other
        if climbed and on_barrel(rules, other):
            # QA1.21: the same fall as after failed attempts. QA1.13: no overtaking fine on top.
            charged = floored_and_dumped(rules, fallen(other, rules["barrel"]))
        elif "overtaking" in rules and mover.score < other.score < after.score:
            # QA1.10, QA1.11: only the mover passes, from strictly below to strictly above.
            charged = other._replace(score=other.score - rules["overtaking"]["fine"])
            charged = floored_and_dumped(rules, charged)
        others_after.append(charged)
    return after, tuple(others_after)


def outcome_of_bust(rules: Rules, mover: PlayerState, others: Others) -> tuple[PlayerState, Others]:
    """Return mover and others after a throw without scoring dice."""
    after = attempted(rules, mover)
    if gives_bolt(rules, mover):
        # QA1.5: bolts pile up over the match; only their fine takes them away.
        # With bolts.on_barrel a bust there costs an attempt and gives a bolt as well; the fine
        # then takes the sitter off without a counted fall (QA1.31).
        after = after._replace(bolts=after.bolts + 1)
        if after.bolts >= rules["bolts"]["limit"]:
            after = after._replace(bolts=0, score=after.score - rules["bolts"]["fine"])
    return floored_and_dumped(rules, after), others


def outcome_of_overshoot(rules: Rules, mover: PlayerState, others: Others) -> tuple[PlayerState, Others]:
    """Return mover and others after a running sum above an exact target; never a bolt."""
    if rules["match"]["finish"] != "exactly":
        raise ValueError("only an exact finish can be overshot")
    # A void turn on a barrel is an attempt that failed (the catalogue has no such ruleset).
    after = attempted(rules, mover)
    if "overshoot" in rules:
        after = after._replace(marks=after.marks + 1)
        if after.marks >= rules["overshoot"]["marks"]:
            # QA1.28: no marks are left. QA1.26: opened stays what it was, yes or no.
            after = fallen(after._replace(marks=0), rules["overshoot"])
    return floored_and_dumped(rules, after), others


def gives_bolt(rules: Rules, player: PlayerState) -> bool:
    """Return whether a bust of this player is a bolt; where not, bolts are kept (QA1.6)."""
    if "bolts" not in rules:
        return False
    if not player.opened:
        return bool(rules["bolts"].get("before_opening", False))
    if on_barrel(rules, player):
        return bool(rules["bolts"].get("on_barrel", False))
    if in_pit(rules, player):
        return bool(rules["bolts"].get("in_pits", False))
    return True


def attempted(rules: Rules, player: PlayerState) -> PlayerState:
    """Return the player after one more failed attempt, if he sits on the barrel."""
    if not on_barrel(rules, player):
        return player
    player = player._replace(attempts=player.attempts + 1)
    if player.attempts >= rules["barrel"]["attempts"]:
        return fallen(player, rules["barrel"])
    return player


def fallen(player: PlayerState, section: Rules) -> PlayerState:
    """Return the player after a fall from the barrel or by marks: the last one costs all."""
    player = player._replace(attempts=0)
    # QA1.22: the last fall resets the count. QA1.25: with falls = 1 the first one costs all.
    if player.falls + 1 < section["falls"]:
        return player._replace(score=player.score - section["fine"], falls=player.falls + 1)
    return player._replace(score=0, falls=0)


def floored_and_dumped(rules: Rules, player: PlayerState) -> PlayerState:
    """Return the player after a possible charge: floor, dump truck, barrel status."""
    player = dumped(rules, player._replace(score=max(0, player.score)))
    return player if on_barrel(rules, player) else player._replace(attempts=0)


def dumped(rules: Rules, player: PlayerState) -> PlayerState:
    """Return the player with 0 instead of the dump truck's score; he stays opened.

    QA1.15, QA1.16: also through fines, but only on written scores, not within a turn.
    """
    if "dump_truck" in rules and player.score == rules["dump_truck"]["score"]:
        return player._replace(score=0)
    return player
