"""Advice on a sheet in words."""

from solver.sheet.actions import Choice
from solver.sheet.advice import Advice
from solver.text import _, plural

MOST_OTHERS = 12
"""Other choices that are listed; the rest is only counted."""


def describe(advice: Advice) -> str:
    """The whole answer for a person, as lines of text."""
    lines = [*_heading(advice), ""]
    if not advice.choices:
        name = _("The sheet is full") if not advice.throws else _("This turn and all that follow")
        return "\n".join([*lines, f"{name}: {in_words(advice, advice.value)}."])
    best, *others = advice.choices
    lines.append(f"{_action(best)}  {in_words(advice, best.value)}.")
    if advice.keep:
        loss = max(0.0, best.value - advice.keep.value)
        lines.append(_("Asked for: {choice}").format(choice=_line(advice, advice.keep, loss)))
    if others:
        lines += ["", _("Other choices, and what they cost:")]
        lines += [f"  {_line(advice, choice, max(0.0, best.value - choice.value))}" for choice in others[:MOST_OTHERS]]
        hidden = len(others) - MOST_OTHERS
        if hidden > 0:
            lines.append(plural("  and {count} more", "  and {count} more", hidden).format(count=hidden))
    return "\n".join(lines)


def in_words(advice: Advice, value: float) -> str:
    """A value with its unit."""
    if advice.objective in ("reach", "win"):
        what = _("to win") if advice.objective == "win" else _("to reach {goal}").format(goal=advice.goal)
        chance = f"{100.0 * value:.2f} % {what}"
        return chance if advice.quality == "certified" else _("about {chance}").format(chance=chance)
    return _("{points:.2f} points to come").format(points=value)


def _heading(advice: Advice) -> list[str]:
    aims = {
        "points": _("The most points on average."),
        "settle": _("The most against the average of all players, which is the same play as for the most points."),
        "reach": _("The best chance of {goal} or more.").format(goal=advice.goal),
        "win": _("The best chance to end with more than the opponent; a tie counts half."),
    }
    lines = [f"{advice.rules.title or advice.ruleset}. {aims[advice.objective]}"]
    if advice.quality != "certified":
        lines.append(_("Estimated, without a proven bound: the opponent is taken to play for points, whatever you do."))
    lines.append(_("You: {sheet}.").format(sheet=_sheet(advice.sheet.to_json(), advice.sheet.total)))
    if advice.opponent:
        lines.append(_("Opponent: {sheet}.").format(sheet=_sheet(advice.opponent.to_json(), advice.opponent.total)))
    if advice.throw is not None:
        lines.append(
            _("Throw {made} of {most}: {dice}.").format(
                made=advice.made, most=advice.throws, dice=" ".join(map(str, advice.throw))
            )
        )
    return lines


def _sheet(facts: dict[str, int], total: int) -> str:
    if not facts:
        return _("an empty sheet")
    written = ", ".join(f"{name} {points}" for name, points in facts.items())
    return _("{written}; {total} points").format(written=written, total=total)


def _action(choice: Choice) -> str:
    if choice.write is not None:
        text = plural("Write {points} point in {row}", "Write {points} points in {row}", choice.row_points)
        return f"{text.format(points=choice.row_points, row=choice.write)}{on_top(choice)}."
    if not choice.hold:
        return _("Keep nothing and throw all dice.")
    count = 5 - len(choice.hold)
    text = plural("Keep {dice} and throw {count} die.", "Keep {dice} and throw {count} dice.", count)
    return text.format(dice=" ".join(map(str, choice.hold)), count=count)


def on_top(choice: Choice) -> str:
    """What is paid beside the points of the row that is written, as the end of a sentence; empty for nothing."""
    more = choice.points - choice.row_points
    if more > 0:
        return plural(
            "; a bonus of {count} point comes on top", "; a bonus of {count} points comes on top", more
        ).format(count=more)
    if more < 0:
        return plural("; {count} point more is taken off", "; {count} points more are taken off", -more).format(
            count=-more
        )
    return ""


def _line(advice: Advice, choice: Choice, loss: float) -> str:
    cost = f"{100.0 * loss:.2f} %" if advice.objective in ("reach", "win") else f"{loss:.2f}"
    return _("{action}  {value}, costs {cost}").format(
        action=_action(choice), value=in_words(advice, choice.value), cost=cost
    )
