"""Advice in words."""

from solver.race.actions import FEWER_HELD, HOT_DICE, SECOND_TRY, Block, Choice, StopRule
from solver.race.advice import Advice, shown
from solver.race.endings import attacked_by, left_with_points
from solver.race.player import Player, fields_in_use, obstacle, pit
from solver.race.rules import RaceRules
from solver.race.stops import overshoots
from solver.text import _, plural

MOST_OTHERS = 12
"""Other choices that are listed; the rest is only counted."""


def describe(advice: Advice) -> str:
    """The whole answer for a person, as lines of text."""
    lines = [*_heading(advice), ""]
    if advice.throw is None:
        lines.append(_("This turn: {value}.").format(value=in_words(advice.objective, advice.value)))
        lines += _standing(advice)
        lines += _beginnings(advice)
        lines += [_("The turn is lost.")] if advice.player.skips else _plan(advice)
    elif advice.bust:
        lines.append(
            _("Nothing scores: the turn is over. {value}.").format(value=in_words(advice.objective, advice.value))
        )
        lines += _standing(advice)
        if advice.outcome and advice.outcome.player != advice.player:
            lines.append(_("You now have: {facts}.").format(facts=facts(advice.rules, advice.outcome.player)))
    else:
        best, block = advice.choices[0], advice.blocks[0]
        lines.append(f"{_action(advice, best)}  {in_words(advice.objective, best.value)}.")
        lines += _remarks(advice, best)
        if not best.stop and not any(choice.stop and choice.hold == best.hold for choice in advice.choices):
            lines += _why_no_stop(advice, best, block)
        lines += _waiting(advice)
        lines += _standing(advice)
        lines += _others(advice)
    return "\n".join(lines)


def _beginnings(advice: Advice) -> list[str]:
    """What to begin with where dice have been left over, best first."""
    lines = []
    for beginning in sorted(advice.beginnings, key=lambda beginning: -beginning.value):
        if beginning is advice.beginnings[0]:
            what = plural("Throw a fresh {dice} die", "Throw {dice} fresh dice", beginning.dice)
        elif beginning.turn_points:
            what = plural(
                "Take over {dice} die and {points} points",
                "Take over {dice} dice and {points} points",
                beginning.dice,
            )
        else:
            what = plural("Take over {dice} die", "Take over {dice} dice", beginning.dice)
        what = what.format(dice=beginning.dice, points=beginning.turn_points)
        lines.append(f"{what}: {in_words(advice.objective, beginning.value)}.")
    return lines


def in_words(objective: str, value: float) -> str:
    """A value with its unit."""
    number = shown(objective, value)
    if objective == "win":
        return _("{percent:.2f} % to win").format(percent=100.0 * number)
    if objective == "turns":
        return _("{turns:.2f} turns to go").format(turns=number)
    if objective == "stake":
        return _("{stakes:+.4f} stakes won on average").format(stakes=number)
    return _("{points:+.2f} points on average").format(points=number)


def stop_totals(rule: StopRule) -> str:
    """Where to stop, such as ``35 to 55, 65 or more``."""
    parts = []
    for low, high in rule.totals:
        if high is None:
            parts.append(_("{low} or more").format(low=low))
        else:
            parts.append(str(low) if low == high else _("{low} to {high}").format(low=low, high=high))
    return ", ".join(parts)


def _heading(advice: Advice) -> list[str]:
    target = advice.rules.match.target
    aims = {
        "win": _("For two, to {target}: the best chance to win."),
        "stake": _("For two, to {target}: the most stakes won."),
        "turns": _("Alone: the fewest turns to {target}."),
        "points": _("The most points per turn in the long run.")
        if advice.rules.bolts and advice.rules.bolts.consecutive
        else _("The most points in this turn."),
    }
    lines = [f"{advice.rules.title or advice.ruleset}. {aims[advice.objective].format(target=target)}"]
    lines.append(_("You: {facts}.").format(facts=facts(advice.rules, advice.player)))
    if advice.opponent:
        lines.append(_("Opponent: {facts}.").format(facts=facts(advice.rules, advice.opponent)))
    if advice.opponent and advice.opponent.score >= advice.rules.winning_score():
        lines.append(_("This is your last turn: you must get past {score}.").format(score=advice.opponent.score))
    if advice.throw is not None:
        throw = " ".join(advice.spelled(advice.throw))
        lines.append(
            plural(
                "This turn so far: {points} point. Thrown: {throw}.",
                "This turn so far: {points} points. Thrown: {throw}.",
                advice.turn_points,
            ).format(points=advice.turn_points, throw=throw)
        )
    if advice.miscounted and advice.throw is not None:
        text = plural(
            "No turn has {points} points with {count} die left; this is advice as if one had.",
            "No turn has {points} points with {count} dice left; this is advice as if one had.",
            len(advice.throw),
        )
        lines.append(text.format(points=advice.turn_points, count=len(advice.throw)))
    return lines


def facts(rules: RaceRules, player: Player) -> str:
    """All that is known of a player, such as ``score 640, opened, 1 bolt``."""
    words = []
    for field in fields_in_use(rules):
        value = getattr(player, field)
        if field == "opened":
            words.append(_("opened") if value else _("not opened"))
        elif field == "score" or value:
            names = {
                "score": _("score {count}"),
                "bolts": plural("{count} bust in a row", "{count} busts in a row", value)
                if rules.bolts and rules.bolts.consecutive
                else plural("{count} bolt", "{count} bolts", value),
                "attempts": plural("{count} failed attempt", "{count} failed attempts", value),
                "falls": plural("{count} fall", "{count} falls", value),
                "marks": plural("{count} mark", "{count} marks", value),
                "failures": plural("{count} failed opening", "{count} failed openings", value),
                "admission": _("admitted with {count}"),
                "skips": _("the next turn lost"),
                "extra": _("an extra turn"),
                "offered": plural("{count} die left over", "{count} dice left over", value),
                "banked": _("{count} points with them"),
                "second": _("second in each round"),
            }
            words.append(names[field].format(count=value))
    return ", ".join(words)


def _action(advice: Advice, choice: Choice) -> str:
    hold = " ".join(advice.spelled(choice.hold))
    if choice.duty == SECOND_TRY:
        return _("Nothing scores, but there is a second try: throw all {dice} dice again.").format(dice=choice.dice)
    if choice.forced:
        return _("Hold {hold} for {points}: the turn ends at {total}.").format(
            hold=hold, points=choice.points, total=choice.turn_points
        )
    if choice.stop:
        return _("Hold {hold} for {points} and stop with {total}.").format(
            hold=hold, points=choice.points, total=choice.turn_points
        )
    return plural(
        "Hold {hold} for {points} and throw {dice} die.", "Hold {hold} for {points} and throw {dice} dice.", choice.dice
    ).format(hold=hold, points=choice.points, dice=choice.dice)


def _remarks(advice: Advice, choice: Choice) -> list[str]:
    if not choice.stop:
        return [_("The chance to bust is {percent:.1f} %.").format(percent=100.0 * choice.bust)]
    lines: list[str] = []
    outcome = choice.outcome
    if outcome is None:
        return lines
    void = overshoots(advice.rules, advice.player, choice.turn_points) and not outcome.won
    if void:
        lines.append(_("That passes the target, and nothing is written."))
    elif choice.forced and outcome.player.score == advice.player.score and not outcome.won:
        lines.append(_("That is not enough to be written."))
    if (void or choice.forced) and not outcome.won and outcome.player != advice.player:
        lines.append(_("You then have: {facts}.").format(facts=facts(advice.rules, outcome.player)))
    if outcome.won:
        lines.append(_("That wins."))
    if outcome.leads and advice.opponent:
        text = _("That reaches the target. The opponent has one more turn, and {percent:.2f} % of the match in it.")
        lines.append(text.format(percent=100.0 * (1.0 - choice.value)))
    if outcome.attacks and outcome.attacks[0].rule.startswith("offer"):
        lines.append(
            _("The dice left over are offered to the opponent, and these points with them.")
            if left_with_points(outcome)
            else _("The dice left over are offered to the opponent.")
        )
    if outcome.dumped:
        lines.append(_("The dump truck takes it: the score becomes 0."))
    if outcome.kept:
        lines.append(_("That is on an obstacle: an extra turn follows at once, and must leave it."))
    elif outcome.player.skips:
        lines.append(_("That is on an obstacle, which costs the next turn."))
    elif advice.player.extra and obstacle(advice.rules, outcome.player) and not outcome.won:
        lines.append(_("That does not leave the obstacle, and costs the fine."))
    rule = attacked_by(outcome, advice.opponent.score) if advice.opponent else None
    if rule == "barrel":
        lines.append(_("That throws the opponent off the barrel."))
    elif rule == "overtaking":
        lines.append(_("That overtakes the opponent, who pays the fine."))
    return lines


def _why_no_stop(advice: Advice, choice: Choice, block: Block) -> list[str]:
    low, high = pit(advice.rules, advice.player) or (0, 0)
    wants = {
        "match": _("a turn needs {needed} points to be written, and this one has {points}"),
        "opening": _("to open, a turn needs {needed} points, and this one has {points}"),
        "pits": _("in the pit {low}-{high} a turn needs {needed} points, and this one has {points}"),
        "barrel": _("on the barrel a turn needs {needed} points, and this one has {points}"),
    }
    reasons = [
        wants[need.rule].format(needed=need.points, points=choice.turn_points, low=low, high=high)
        for need in block.needs
    ]
    if block.on_target:
        reasons.append(_("the target must be passed, not hit"))
    duties = {
        HOT_DICE: _("all dice have scored, so all must be thrown again"),
        SECOND_TRY: _("nothing has scored, so all must be thrown again"),
        FEWER_HELD: _("a stop would count every scoring die of the throw"),
    }
    if block.duty:
        reasons.append(duties[block.duty])
    elsewhere = any(other.stop for other in advice.choices)
    if block.duty == FEWER_HELD and not elsewhere:  # nor may who holds every scoring die
        most = max(range(len(advice.choices)), key=lambda number: len(advice.choices[number].hold))
        if advice.blocks[most].duty == HOT_DICE:
            reasons.append(_("with every one of them all dice must be thrown again"))
    text = _("With this hold you may not stop: {reasons}.") if elsewhere else _("You may not stop: {reasons}.")
    return [text.format(reasons="; ".join(reasons))] if reasons else []


def _others(advice: Advice) -> list[str]:
    others = advice.choices[1:]
    if not others:
        return [_("There is no other choice.")]
    best = max(choice.value for choice in advice.choices)
    lines = ["", _("Other choices, and what they cost:")]
    for choice in others[:MOST_OTHERS]:
        loss = best - choice.value
        if loss > 2.0 * advice.bound:
            cost = _("costs {loss}").format(loss=_loss(advice, loss))
        else:
            cost = _("not known to be worse") if advice.interval else _("as good")
        lines.append(f"  {_action(advice, choice)}  {in_words(advice.objective, choice.value)}, {cost}")
    if len(others) > MOST_OTHERS:
        lines.append(_("  and {count} more, which cost no less").format(count=len(others) - MOST_OTHERS))
    return lines


def _standing(advice: Advice) -> list[str]:
    """What is known where the match may stand still."""
    if advice.interval is None:
        return []
    low, high = (in_words(advice.objective, value) for value in advice.interval)
    text = _(
        "Both may do better by waiting, so this match need not end. Proven, whatever endless play counts: {bounds}."
    )
    return [text.format(bounds=_("from {low} to {high}").format(low=low, high=high))]


def _waiting(advice: Advice) -> list[str]:
    """What a turn that is never stopped is for, where the player could stop it."""
    waits = advice.waits
    if waits is None or advice.interval is not None:  # that play may stand still is said with its bounds
        return []
    text = _("No stop is worth as much as a bust: throw until the turn busts.")
    if waits.still:
        text = _("Best is to wait: to stand still is worth more than any stop, so throw until the turn busts.")
    cost = _("The best stop costs {loss}.").format(loss=_loss(advice, waits.bust - waits.stop))
    return [f"{text} {cost}"]


def _loss(advice: Advice, loss: float) -> str:
    if advice.objective == "win":
        return _("{percent:.2f} %").format(percent=100.0 * loss)
    if advice.objective == "turns":
        return _("{turns:.2f} turns").format(turns=loss)
    if advice.objective == "stake":
        return _("{stakes:.4f} stakes").format(stakes=loss)
    return _("{points:.2f} points").format(points=loss)


def _plan(advice: Advice) -> list[str]:
    lines = [*_waiting(advice), _("When to stop:")]
    for rule in advice.plan:
        left = plural("{dice} die left", "{dice} dice left", rule.dice).format(dice=rule.dice)
        left += f" ({_pool(advice.rules, rule.pool)})" if rule.pool else ""
        where = _("with {totals}").format(totals=stop_totals(rule)) if rule.totals else _("never")
        lines.append(f"  {left}: {where}")
    return lines


def _pool(rules: RaceRules, pool: tuple[int, ...]) -> str:
    """Dice of several kinds, such as ``2 ordinary, 1 lucky``."""
    names = [""] * len(pool)
    for name, kind in rules.kinds_by_name().items():
        names[kind] += f"/{name}" if names[kind] else name
    return ", ".join(f"{count} {name or _('ordinary')}" for name, count in zip(names, pool, strict=True) if count)
