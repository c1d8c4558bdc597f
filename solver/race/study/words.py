"""The study of play in words."""

from typing import Any

from solver.policies.policy import MOST_POINTS, Policy
from solver.race.actions import Choice
from solver.race.endings import after_attack, attacked_by
from solver.race.rules import RaceRules
from solver.race.study.card import Card
from solver.race.study.evaluation import Costly, Evaluation
from solver.race.study.measures import Measured
from solver.race.study.review import FRESH, INHERITED, MARKS, Move, Review, ReviewedTurn
from solver.race.study.simulation import Simulated
from solver.race.wording import facts
from solver.text import _, plural

MOST_TOLD = 8
"""Departures that are told in words."""
_TURNS_TOLD = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000)


def amount(objective: str, value: float) -> str:
    """A value, or a difference of values, with its unit."""
    if objective == "win":
        return _("{percent:.4f} %").format(percent=100.0 * value)
    if objective == "stake":
        return _("{stakes:+.6f} stakes").format(stakes=value)
    return _("{turns:.4f} turns").format(turns=value)


def describe_evaluation(rules: RaceRules, found: Evaluation) -> str:
    """An evaluation for a person, as lines of text."""
    lines = [f"{rules.title}. {found.policy.title}"]
    if found.against is None:
        lines.append(_("Alone, expected turns to {target}:").format(target=rules.match.target))
        lines.append(_("  this rule   {value}").format(value=amount("turns", found.values[0])))
        lines.append(_("  best play   {value}").format(value=amount("turns", found.best[0])))
    else:
        heading = _("Against {other}, moving first, moving second, and on average of both:")
        lines.append(heading.format(other=_("best play") if found.against.is_optimal else found.against.title))
        rows = [(_("this rule"), found.values), (_("best play against it"), found.best)]
        if found.response:
            rows.append((_("whoever knows this rule, against it"), found.response))
        width = max(len(name) for name, _pair in rows)
        for name, pair in rows:
            numbers = "  ".join(amount(found.objective, value) for value in (*pair, sum(pair) / 2.0))
            lines.append(f"  {name:{width}}  {numbers}")
    lines.append(_("The rule costs {loss}.").format(loss=amount(found.objective, found.loss)))
    lines.append(_("All values are proven to {bound:.1e}.").format(bound=found.bound))
    lines.append(_lengths(found))
    if found.costly and found.loss > 2.0 * found.bound:
        told = _("Where it is lost, the costliest first (these departures make {percent:.0f} % of the loss):")
        lines += ["", told.format(percent=100.0 * found.told)]
        lines += [line for entry in found.costly[:MOST_TOLD] for line in _costly(rules, found, entry)]
    return "\n".join(lines)


def _lengths(found: Evaluation) -> str:
    tenth, half, most = (_("many") if turns is None else str(turns) for turns in found.lengths)
    if found.against is None:
        text = _(
            "Turns that a game takes: at most {tenth} for a tenth of games, {half} for half, {most} for nine tenths."
        )
    else:
        text = _(
            "Turns that a match takes, those of both counted: at most {tenth} for a tenth of matches, {half} for half, "
            "{most} for nine tenths."
        )
    return text.format(tenth=tenth, half=half, most=most)


def _costly(rules: RaceRules, found: Evaluation, entry: Costly) -> list[str]:
    made = entry.departure
    where = facts(rules, entry.player)
    if entry.opponent:
        where += _(", against {facts}").format(facts=facts(rules, entry.opponent))
    left = plural("{dice} die", "{dice} dice", made.dice).format(dice=made.dice)
    texts = {
        "stop": _("with {points} in this turn it stops, and should throw {left}"),
        "throw": _("with {points} in this turn it throws {left}, and should stop"),
        "hold": _(
            "with {before} in this turn it holds {held} and throws {left}, and should hold {better} and throw {others}"
        ),
    }
    text = texts[made.does].format(
        points=made.points, left=left, before=made.points - made.held, held=made.held, better=made.better[0],
        others=made.better[1],
    )  # fmt: skip
    cost = _("costs {loss} each time, {total} in all").format(
        loss=amount(found.objective, made.loss), total=amount(found.objective, entry.cost)
    )
    return [f"  {where}:", f"    {text}: {cost}"]


def describe_simulation(rules: RaceRules, policies: list[Policy], found: Simulated) -> str:
    """A simulation for a person, as lines of text."""
    names = " - ".join(policy.title for policy in policies)
    lines = [f"{rules.title}. {names}"]
    if found.firsts is None and len(policies) == 1:
        text = _("{mean:.4f} turns on average of {games} games, with a standard error of {error:.4f}.")
        lines.append(text.format(mean=found.mean, games=found.games, error=found.error))
        return "\n".join(lines)
    text = _("{mean:.3f} % of {games} games won, with a standard error of {error:.3f} %.")
    lines.append(text.format(mean=100.0 * found.mean, games=found.games, error=100.0 * found.error))
    if found.firsts:
        first, second = (100.0 * share for share in found.firsts)
        lines.append(_("{first:.3f} % moving first, {second:.3f} % moving second.").format(first=first, second=second))
    return "\n".join(lines)


def describe_measured(
    rules: RaceRules, policy: Policy | None, found: Measured, before: str | None, count: str | None
) -> str:
    """Measures of play alone for a person, as lines of text."""
    played = _("played for this chance as well as can be") if policy is None else policy.title
    heading = _("Chance to have won alone, before {event}") if before else _("Chance to have won alone")
    lines = [f"{rules.title}. {played}", heading.format(event=before) + ":"]
    last = len(found.chances) - 1
    shown = [turns for turns in _TURNS_TOLD if turns < last] + [last]
    for turns in shown:
        text = plural("after {turns} turn: {percent:.3f} %", "after {turns} turns: {percent:.3f} %", turns)
        lines.append("  " + text.format(turns=turns, percent=100.0 * found.chances[turns]))
    if found.counted is not None:
        text = _("Turns that begin with {event}, in a whole game by this rule: {turns:.4f} on average.")
        if policy is None:
            text = _("Turns that begin with {event}, in a whole game of fewest turns: {turns:.4f} on average.")
        lines.append(text.format(event=count, turns=found.counted))
    return "\n".join(lines)


def describe_review(rules: RaceRules, found: Review) -> str:
    """A reviewed game for a person, as lines of text."""
    objective = found.objective
    lines = [rules.title, _aim(objective), ""]
    for number, turn in enumerate(found.turns, 1):
        lines += _reviewed_turn(rules, found, number, turn)
    if found.winner is not None:
        lines += [_("{name} has won.").format(name=found.names[found.winner]), ""]
    if found.drawn:
        lines += [_("The match is drawn."), ""]
    limits = MARKS[objective]
    marks = _("Marks: {doubtful} costs {least} or more, {mistake} {more}, {blunder} {most}.")
    lines.append(
        marks.format(
            doubtful="?!", mistake="?", blunder="??", least=_short(objective, limits["?!"]),
            more=_short(objective, limits["?"]), most=_short(objective, limits["??"]),
        )
    )  # fmt: skip
    for who, name in enumerate(found.names):
        losses = found.losses(who)
        counted = [[found.mark(loss) for loss in losses].count(mark) for mark in ("??", "?", "?!")]
        told = ", ".join(
            (
                plural("{count} blunder", "{count} blunders", counted[0]).format(count=counted[0]),
                plural("{count} mistake", "{count} mistakes", counted[1]).format(count=counted[1]),
                _("{count} doubtful").format(count=counted[2]),
            )
        )
        text = plural(
            "{name}: luck {luck}, lost by decisions {lost}; {count} decision, of them {marks}.",
            "{name}: luck {luck}, lost by decisions {lost}; {count} decisions, of them {marks}.",
            len(losses),
        )
        luck = _short(objective, found.luck(who), sign=True)
        lost = _loss(objective, sum(losses))
        lines.append(text.format(name=name, luck=luck, lost=lost, count=len(losses), marks=told))
    lines += _worst(found)
    return "\n".join(lines)


def _worst(found: Review) -> list[str]:
    """The decision of the whole game that cost most, if one is marked."""
    moves = [(move.loss, number, turn.mover, move) for number, turn in enumerate(found.turns, 1) for move in turn.moves]
    loss, number, mover, move = max(moves, key=lambda entry: entry[:2], default=(0.0, 0, 0, None))
    if move is None or move.best is None or not found.mark(loss):
        return []
    text = _("The costliest decision was in turn {number}: {name} lost {loss}; best: {best}.")
    told = {"number": number, "loss": _loss(found.objective, loss), "name": found.names[mover]}
    return [text.format(**told, best=_done(move.best))]


def _aim(objective: str) -> str:
    told = {
        "win": _("Percentages are chances to win, under best play from there on, for the player whose turn it is."),
        "stake": _("Numbers are stakes won on average, under best play from there on, by the player whose turn it is."),
        "turns": _("Numbers are turns still to come on average, under best play from there on."),
    }[objective]
    return told + "\n" + _("In brackets after a throw: its luck, by how much it changed that for its thrower.")


def _loss(objective: str, value: float) -> str:
    """A loss, with digits enough to tell on which side of a limit it is."""
    return f"{100.0 * value:.2f} %" if objective == "win" else _short(objective, value)


def _short(objective: str, value: float, *, sign: bool = False) -> str:
    shown = "{:+.1f}" if sign else "{:.1f}"
    if objective == "win":
        return shown.format(100.0 * value) + " %"
    return shown.replace("1f", "2f").format(value)


def _value(objective: str, value: float) -> str:
    return _short(objective, -value if objective == "turns" else value)


def _reviewed_turn(rules: RaceRules, found: Review, number: int, turn: ReviewedTurn) -> list[str]:
    objective = found.objective
    who = facts(rules, turn.players[0])
    if len(turn.players) == 2:
        who += _(", against {facts}").format(facts=facts(rules, turn.players[1]))
    heading = _("{number}. {name} ({facts}): {value}")
    lines = [
        heading.format(number=number, name=found.names[turn.mover], facts=who, value=_value(objective, turn.value))
    ]
    lines += [_move(found, move) for move in turn.moves]
    if not turn.moves:
        lines.append(_("   the turn is lost"))
    else:
        end = _("   -> {facts}: {value}")
        value = turn.moves[-1].value
        if not turn.outcome.won:
            lines.append(end.format(facts=facts(rules, turn.outcome.player), value=_value(objective, value)))
            if len(turn.players) > 1:
                lines += _hit(rules, found.names[1 - turn.mover], turn)
    return [*lines, ""]


def _hit(rules: RaceRules, name: str, turn: ReviewedTurn) -> list[str]:
    """What the turn did to the other player."""
    if (rule := attacked_by(turn.outcome, turn.players[1].score)) is None:
        return []
    texts = {"overtaking": _("   {name} is overtaken: {facts}"), "barrel": _("   {name} falls off the barrel: {facts}")}
    after = facts(rules, after_attack(rules, turn.players[1], rule))
    return [texts.get(rule, _("   {name} has now: {facts}")).format(name=name, facts=after)]


def _move(found: Review, move: Move) -> str:
    objective = found.objective
    throw = " ".join(map(str, move.throw))
    luck = _short(objective, move.luck, sign=True)
    if move.choice is None:
        return _("   {throw}: nothing ({luck})").format(throw=throw, luck=luck)
    choice, best = move.choice, move.best
    text = _("   {throw} ({luck}): {done}, {value}") if move.throw else _("   dice are left over: {done}, {value}")
    text = text.format(throw=throw, luck=luck, done=_done(choice), value=_value(objective, move.value))
    if best is not None and move.loss > 2.0 * found.bound:
        mark = found.mark(move.loss)
        text += (
            _("  {mark} loses {loss}; best: {best}, {value}")
            .format(mark=mark, loss=_loss(objective, move.loss), best=_done(best), value=_value(objective, move.after))
            .replace("   ", "  ")
        )
    return text


def _done(choice: Choice) -> str:
    hold = " ".join(map(str, choice.hold))
    if choice.duty == INHERITED:
        return plural("takes {dice} die over", "takes {dice} dice over", choice.dice).format(dice=choice.dice)
    if choice.duty == FRESH:
        return _("throws a fresh set")
    if not choice.hold:
        return _("throws all again")
    if choice.stop:
        return _("holds {hold}, stops with {points}").format(hold=hold, points=choice.turn_points)
    return plural("holds {hold}, throws {dice} die", "holds {hold}, throws {dice} dice", choice.dice).format(
        hold=hold, dice=choice.dice
    )


def describe_card(rules: RaceRules, objective: str, card: Card, found: dict[str, Any]) -> str:
    """A rule for a card, as lines of text."""
    lines = [rules.title, "", *(f"  {line}" for line in card.words())]
    if rules.dice.hold == "any":
        lines.append(
            _("  Hold what scores most.") if card.hold == MOST_POINTS else _("  Throw as many dice as you can.")
        )
    lines.append("")
    if objective == "turns":
        lines.append(_("Alone: {value}; best play {best}.").format(
            value=amount("turns", found["value"]), best=amount("turns", found["best"])))  # fmt: skip
    else:
        text = _("Against best play, on average of moving first and second: {value}.")
        lines.append(text.format(value=amount(objective, found["value"])))
    text = _("The card costs {loss}, proven to {bound:.1e}; {count} cards were tried.")
    lines.append(text.format(loss=amount(objective, found["loss"]), count=found["tried"], bound=found["error_bound"]))
    return "\n".join(lines)
