"""Race matches: what is remembered of a player, where he stands, and when his turn may or must end.

Labels such as QA1.14 name questions that the rules leave open; the default reading is taken, or the option that
a ruleset states.
"""

from typing import Any, NamedTuple

Rules = dict[str, Any]


class PlayerState(NamedTuple):
    """All that a match remembers of one player."""

    score: int = 0
    opened: bool = True
    bolts: int = 0
    attempts: int = 0
    falls: int = 0
    marks: int = 0
    failures: int = 0  # failed openings towards the next debt
    admission: int = 0  # what the opening turn wrote
    skips: int = 0  # the next turn is lost
    extra: int = 0  # the turn at hand is an extra turn
    offered: int = 0  # dice that the player before did not set aside
    banked: int = 0  # points that come with them
    second: int = 0  # the player moves second in each round

    def fresh(self) -> "PlayerState":
        """Return the same player without what only the turn at hand is about."""
        return self._replace(offered=0, banked=0)


MOST_LEAD = 24
"""Steps beyond the target that are told apart where others have a last turn; the games here hardly get there."""


def start(rules: Rules) -> PlayerState:
    """Return a player before the first turn."""
    return PlayerState(opened="opening" not in rules)


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
    """Return whether the player sits on the barrel: a score that is held at its start, or any above."""
    return "barrel" in rules and player.score >= rules["barrel"]["start"]


def within(rules: Rules, section: str, player: PlayerState) -> list[int] | None:
    """Return the bounds of the pit or obstacle that holds the score, if any; the barrel prevails."""
    part = rules.get(section, {})
    for low, high in part.get("bounds", []):
        inside = low <= player.score < high or (part.get("upper") == "inside" and player.score == high)
        if inside and not on_barrel(rules, player):
            return [low, high]
    return None


def in_pit(rules: Rules, player: PlayerState) -> bool:
    """Return whether the score lies in a pit."""
    return within(rules, "pits", player) is not None


def overshoots(rules: Rules, player: PlayerState, points: int) -> bool:
    """Return whether a turn total of `points` passes an exact target."""
    total = player.score + points
    return bool(rules["match"]["finish"] == "exactly" and total > rules["match"]["target"])


def written_score(rules: Rules, player: PlayerState, points: int) -> int:
    """Return the score a stop would write: from below nobody gets past the start of a barrel that clamps."""
    total = player.score + points
    # QA1.18 to QA1.20: the start itself is on the barrel, and one sits down before one wins. QA6.5: or not.
    barrel = rules.get("barrel")
    if barrel and barrel.get("clamp", True) and player.score < barrel["start"]:
        return min(total, int(barrel["start"]))
    return total


def may_stop(rules: Rules, player: PlayerState, points: int) -> bool:
    """Return whether the player may stop with this turn total, whatever the dice ask for."""
    if points <= 0:
        return False  # QA1.32: no stop at 0, which a doublet may bring
    if overshoots(rules, player, points):
        return rules["match"].get("overshoot") in ("on a stop", "given away")  # QA3.7, QB1.8
    if points < rules["match"].get("least_turn", 0):
        return False
    if not player.opened and points < rules["opening"]["points"]:
        return False
    score = written_score(rules, player, points)
    if on_barrel(rules, player):
        # QA4.6: one leap to the target, or the sum of several turns.
        if not rules["barrel"].get("cumulative") and not wins(rules, score):
            return False
    elif (pit := within(rules, "pits", player)) is not None:
        # QA1.1: the lower bound is inside, the upper outside; QA4.2: or inside. QA1.2: one turn must do.
        # The leap is measured before a barrel clamps the score.
        reached = player.score + points
        if reached < pit[1] or (rules["pits"].get("upper") == "inside" and reached == pit[1]):
            return False
    # "More than": the target itself may not be written (QA4.5).
    return not (rules["match"]["finish"] == "more than" and score == rules["match"]["target"])


def over_at_once(rules: Rules, player: PlayerState, points: int) -> str | None:
    """Return why the turn ends at this turn total, before anything else is asked: overshoot, dump truck, win."""
    if overshoots(rules, player, points):
        return "overshoot" if rules["match"].get("overshoot", "at once") == "at once" else None
    truck = rules.get("dump_truck", {})
    if truck.get("mid_turn") and points > 0 and player.score + points == truck["score"]:
        return "dump truck"  # QA1.16, QA6.11
    score = written_score(rules, player, points)
    if rules["match"].get("win_at_once") and may_stop(rules, player, points) and wins(rules, score):
        return "stop"  # QA1.3 (b), QA1.27
    return None


def saturation(rules: Rules, player: PlayerState) -> int:
    """Return a turn total from which on every larger one gives the same.

    With t at least this: the opening is met; score + t is above every pit and the dump truck, at or above the start
    of a barrel, and above the target. So neither the permission to stop nor its outcome depends on t any more.
    """
    match = rules["match"]
    step = match["step"]
    above = [match["target"] + step]
    above += [high + step for _, high in rules.get("pits", {}).get("bounds", [])]
    above += [rules["barrel"]["start"]] if "barrel" in rules else []
    above += [rules["dump_truck"]["score"] + step] if "dump_truck" in rules else []
    enough = max(max(above) - player.score, rules.get("opening", {}).get("points", 0), match.get("least_turn", 0))
    if match.get("ending", "at once") != "at once":
        enough += (MOST_LEAD + 1) * step  # a leader goes as far as that, and has to be passed
    if match.get("overshoot") == "given away":
        enough = max(enough, match["target"] - match.get("min_score", 0) + step)  # any gift is void
    enough += player.banked  # the turn goes on from there
    return int(-(-enough // step) * step)  # rounded up


def least_stop(rules: Rules, player: PlayerState) -> int:
    """Return the least turn total at which the player may stop, compulsory hot dice aside."""
    step = rules["match"]["step"]
    for points in range(step, saturation(rules, player) + 1, step):
        if may_stop(rules, player, points):
            return int(points)
    raise ValueError(f"{player} may never stop")
