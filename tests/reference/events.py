"""Race matches: what the end of a turn changes.

Order of events on a stop: the new score, clamped at the barrel; win; the mover's dump truck; the mover's climb and the
fall of the sitter; overtaking; floor; dump truck of those charged. On a turn without result: attempt, failed opening,
bolt or mark; its penalty; floor; the mover's dump truck. Last, what an obstacle costs.
"""

from typing import Literal

from .standing import PlayerState, Rules, may_stop, on_barrel, overshoots, wins, within, written_score

Others = tuple[PlayerState, ...]
Owing = tuple[PlayerState, int]
"""A player and the points that he has still to pay."""


def outcome_of_stop(
    rules: Rules, mover: PlayerState, others: Others, points: int, *, blank: bool = False
) -> tuple[PlayerState, Others | Literal["win"]]:
    """Return mover and others after a stop with this turn total, "win" for the others at the end.

    `blank` tells that the first throw of the turn brought nothing.
    """
    if not may_stop(rules, mover, points):
        raise ValueError(f"{mover} may not stop with {points}")
    if overshoots(rules, mover, points):
        return outcome_of_overshoot(rules, mover, others, blank=blank)
    score = written_score(rules, mover, points)
    if wins(rules, score):
        return mover._replace(score=score, opened=True), "win"
    return outcome_of_writing(rules, mover, others, score, blank=blank)


def outcome_of_writing(
    rules: Rules, mover: PlayerState, others: Others, score: int, *, blank: bool
) -> tuple[PlayerState, Others]:
    """Return mover and others after a turn that writes a score which does not win."""
    # QA1.14: he is dumped before he overtakes; QA1.17: he counts as opened.
    after = dumped(rules, mover._replace(score=score, opened=True, failures=0))
    climbed = on_barrel(rules, after) and not on_barrel(rules, mover)
    others_after = tuple(passed(rules, mover, after, other, climbed=climbed) for other in others)
    if not mover.opened and rules.get("barrel", {}).get("fall") == "admission":
        # QA2.8: an admission turn that leads to the barrel counts as the least that admits.
        admission = rules["opening"]["points"] if on_barrel(rules, after) else after.score
        after = after._replace(admission=admission)
    owing: Owing = (after, 0)
    if on_barrel(rules, after) and not climbed:
        owing = attempted(rules, after)  # QA4.6 (b): one of the turns in which the leg may be gathered
    bolts = rules.get("bolts", {})
    if bolts.get("given_for") == "first throw" and blank:
        owing = bolted(rules, mover, owing)
    elif bolts.get("consecutive"):
        owing = (owing[0]._replace(bolts=0), owing[1])  # QA1.5 (b)
    return delayed(rules, mover, paid(rules, owing), written=True), others_after


def passed(rules: Rules, mover: PlayerState, after: PlayerState, other: PlayerState, *, climbed: bool) -> PlayerState:
    """Return another player after the mover has climbed the barrel or passed him."""
    if climbed and on_barrel(rules, other):
        # QA1.21: the same fall as after failed attempts. QA1.13: no overtaking fine on top.
        if rules["barrel"].get("thrown_off") == "one step":  # QA6.7 (b)
            return paid(rules, (other._replace(score=rules["barrel"]["start"] - rules["match"]["step"]), 0))
        return paid(rules, fallen_off(rules, other))
    if "overtaking" in rules and mover.score < other.score < after.score:
        # QA1.10, QA1.11: only the mover passes, from strictly below to strictly above.
        return paid(rules, (other, rules["overtaking"]["fine"]))
    return other


def outcome_of_dump(
    rules: Rules, mover: PlayerState, others: Others, *, blank: bool = False
) -> tuple[PlayerState, Others]:
    """Return mover and others after a running sum that meets the dump truck in mid-turn."""
    return outcome_of_writing(rules, mover, others, rules["dump_truck"]["score"], blank=blank)


def outcome_of_bust(
    rules: Rules, mover: PlayerState, others: Others, *, blank: bool = False
) -> tuple[PlayerState, Others]:
    """Return mover and others after a turn without result.

    `blank` tells that its first throw brought nothing, which matters where bolts are given for that.
    """
    owing: Owing = (mover, 0)
    if on_barrel(rules, mover):
        owing = attempted(rules, mover)
    owing = opening_failed(rules, owing)
    if rules.get("bolts", {}).get("given_for", "turn") == "turn" or blank:
        # QA1.5: bolts pile up over the match; only their fine takes them away.
        # With bolts.on_barrel a bust there costs an attempt and gives a bolt as well; the fine
        # then takes the sitter off without a counted fall (QA1.31).
        owing = bolted(rules, mover, owing)
    return delayed(rules, mover, paid(rules, owing), written=False), others


def outcome_of_overshoot(
    rules: Rules, mover: PlayerState, others: Others, *, blank: bool = False
) -> tuple[PlayerState, Others]:
    """Return mover and others after a running sum above an exact target; QA1.30: not a bolt in itself."""
    if rules["match"]["finish"] != "exactly":
        raise ValueError("only an exact finish can be overshot")
    owing: Owing = attempted(rules, mover) if on_barrel(rules, mover) else (mover, 0)
    owing = opening_failed(rules, owing)  # QA1.9: any turn that ends without opening
    if "overshoot" in rules:
        section = rules["overshoot"]
        after = owing[0]._replace(marks=owing[0].marks + 1)
        owing = (after, 0)
        if after.marks >= section["marks"]:
            # QA1.28: no marks are left. QA1.26: opened stays what it was, yes or no.
            owing = fallen(after._replace(marks=0), section)
            if section.get("reopen") and not owing[1]:  # QA1.26 (b): afresh
                owing = (owing[0]._replace(opened=False), 0)
    if rules.get("bolts", {}).get("given_for") == "first throw" and blank:
        owing = bolted(rules, mover, owing)  # QA4.4: it came with the throw
    return delayed(rules, mover, paid(rules, owing), written=False), others


def outcome_of_skip(rules: Rules, mover: PlayerState, others: Others) -> tuple[PlayerState, Others]:
    """Return mover and others after a lost turn."""
    return mover._replace(skips=0), others


# ---- penalties ----


def gives_bolt(rules: Rules, player: PlayerState) -> bool:
    """Return whether a blank turn of this player is a bolt; where not, bolts are kept (QA1.6)."""
    if "bolts" not in rules:
        return False
    if not player.opened:
        return bool(rules["bolts"].get("before_opening", False))
    if on_barrel(rules, player):
        return bool(rules["bolts"].get("on_barrel", False))
    if within(rules, "pits", player):
        return bool(rules["bolts"].get("in_pits", False))
    return True


def bolted(rules: Rules, before: PlayerState, owing: Owing) -> Owing:
    """Return the player with one more bolt; where he was before the turn tells whether it counts."""
    if not gives_bolt(rules, before):
        return owing
    player, owes = owing
    player = player._replace(bolts=player.bolts + 1)
    if player.bolts < rules["bolts"]["limit"]:
        return player, owes
    return player._replace(bolts=0), owes + rules["bolts"]["fine"]


def opening_failed(rules: Rules, owing: Owing) -> Owing:
    """Return the player after one more failed opening, if he has not opened: every so many cost a debt."""
    player, owes = owing
    debt = rules.get("opening", {}).get("debt")
    if player.opened or not debt:
        return owing
    player = player._replace(failures=player.failures + 1)
    if player.failures >= debt.get("failures", 3):
        # QA1.7 (c): debts alone lead below 0, down to a floor of their own.
        player = player._replace(failures=0, score=lowered(player.score, debt["fine"], debt["min_score"]))
    return player, owes


def attempted(rules: Rules, player: PlayerState) -> Owing:
    """Return the player after one more turn on the barrel that did not win."""
    attempts = rules["barrel"]["attempts"]
    if attempts == "unlimited":
        return player, 0
    player = player._replace(attempts=player.attempts + 1)
    return fallen_off(rules, player) if player.attempts >= attempts else (player, 0)


def fallen_off(rules: Rules, player: PlayerState) -> Owing:
    """Return the player after a fall from the barrel, by himself or thrown off."""
    section = rules["barrel"]
    if section.get("clamp", True):
        player = player._replace(score=section["start"])  # QA4.7: what was gathered in parts is gone
    after, owes = fallen(player, section)
    if owes and section.get("fall") == "admission":
        return after._replace(score=player.admission), 0  # QA2.11
    return after, owes


def fallen(player: PlayerState, section: Rules) -> Owing:
    """Return the player after a fall from the barrel or by marks: the last one costs all."""
    player = player._replace(attempts=0)
    # QA6.12: falls may be without limit, and then are not counted.
    if section["falls"] == "unlimited":
        return player, section["fine"]
    # QA1.22: the last fall resets the count. QA1.25: with falls = 1 the first one costs all.
    if player.falls + 1 < section["falls"]:
        return player._replace(falls=player.falls + 1), section["fine"]
    return player._replace(score=min(0, player.score), falls=0), 0


def lowered(score: int, fine: int, floor: int) -> int:
    """Return a score after a fine that stops at the floor; who is below it already pays nothing."""
    return score if score <= floor else max(floor, score - fine)


def paid(rules: Rules, owing: Owing) -> PlayerState:
    """Return the player after what he owes is taken off: floor, dump truck, barrel status."""
    player, owes = owing
    score = lowered(player.score, owes, rules["match"].get("min_score", 0))
    player = dumped(rules, player._replace(score=score))
    return player if on_barrel(rules, player) else player._replace(attempts=0)


def dumped(rules: Rules, player: PlayerState) -> PlayerState:
    """Return the player with 0 instead of the dump truck's score; he stays opened.

    QA1.15: also through fines.
    """
    if "dump_truck" in rules and player.score == rules["dump_truck"]["score"]:
        return player._replace(score=0)
    return player


def delayed(rules: Rules, before: PlayerState, after: PlayerState, *, written: bool) -> PlayerState:
    """Return the mover after his turn with the turn that an obstacle costs or grants."""
    if "obstacles" not in rules:
        return after
    section = rules["obstacles"]
    here = within(rules, "obstacles", after)
    after = after._replace(extra=0)
    if before.extra and stayed(rules, before, after):
        # The extra turn did not leave the obstacle. QA3.6: the fine comes instead of the lost turn.
        fine = section.get("fine", "none")
        if fine != "none":
            return paid(rules, (after, fine))
        # QA3.4 (b): the usual turn of the same round is lost, and so he does not go on.
        return after if section.get("extra_turn_comes") == "next round" else after._replace(skips=1)
    if here is None:
        return after
    # QA3.3 (a), (b), (c)
    match section.get("costs", "every stop"):
        case "every stop":
            acts = written
        case "arrival":
            acts = written and not stayed(rules, before, after)
        case "every turn":
            acts = written or stayed(rules, before, after)
    if not acts:
        return after
    # QA3.5: another obstacle grants its own extra turn.
    return after._replace(extra=1) if section.get("extra_turn") else after._replace(skips=1)


def stayed(rules: Rules, before: PlayerState, after: PlayerState) -> bool:
    """Return whether a player is on the same obstacle as before his turn."""
    here = within(rules, "obstacles", after)
    return here is not None and here == within(rules, "obstacles", before)


def goes_on(rules: Rules, before: PlayerState, after: PlayerState) -> bool:
    """Return whether the mover has another turn at once. QA3.4: the extra turn (a), or the one that follows it (b)."""
    section = rules.get("obstacles", {})
    if section.get("extra_turn_comes", "at once") == "at once":
        return bool(after.extra)
    lost = section.get("fine", "none") == "none" and stayed(rules, before, after)
    return bool(before.extra) and not lost
