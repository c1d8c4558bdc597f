"""Advice for the game of 13: which operation to choose."""

from fractions import Fraction
from typing import Any

import numpy as np

from solver.parlour.answer import Answer, Option, Unit, percent, ranked
from solver.parlour.position import faces_of, read_faces, read_facts, read_number, refuse
from solver.parlour.thirteen import (
    OPERATIONS,
    Rules,
    alone,
    apply,
    board,
    for_two,
    gained,
    most_marks,
    possible,
    rounding,
    stages,
    start_values,
    ways_of_series,
)
from solver.text import _, plural

POSITION = ("dice", "state", "score", "vs", "objective")
MARKS = Unit(
    "marks",
    lambda value: _("{marks:.4f} marks on average").format(marks=value),
    lambda loss: _("{marks:.4f} marks").format(marks=loss),
)
SERIES = Unit(
    "series",
    lambda value: _("{series:.4f} series to go, this one included").format(series=value),
    lambda loss: _("{series:.4f} series").format(series=loss),
    -1,
)
WIN = percent(_("to win"))
UNITS = {unit.objective: unit for unit in (MARKS, SERIES, WIN)}


def advise(rules: Rules, ruleset: str, **stated: str) -> Answer:
    """Advice for one position. PositionError if it cannot be."""
    score = read_number("--score", stated.get("score", "0"), 0, rules.marks - 1)
    other = read_number("--vs", stated["vs"], 0, rules.marks - 1) if "vs" in stated else None
    unit = _unit(stated, other)
    worth, bound = _worth(rules, unit, rules.marks - score, other)
    found = stages(rules, worth[:, None])
    lowest = board(rules).lowest
    known = {
        "throw": (1, rules.throws),
        "total": (lowest, lowest + len(board(rules).marks) - 1),
        "marks": (0, most_marks(rules)),
    }
    facts = read_facts("--state", stated.get("state"), known)
    throw, before = facts.get("throw", 1), facts.get("marks", 0)
    if ("total" in facts) != (throw > 1) or (before and throw == 1):
        raise refuse("--state", stated.get("state", ""), _("throw=2 or more with total=..., or neither and no marks"))
    if throw > 1:
        can_be = possible(rules, throw - 1)[facts["total"] - lowest]
        before = facts.get("marks", int(can_be.argmax()))  # the fewest
        if not can_be[before]:
            allowed = _("a total that a series can have before throw {throw}, and marks that it can have brought")
            raise refuse("--state", stated["state"], allowed.format(throw=throw))
    state = {"score": score, "opponent": other, "throw": throw, "total": facts.get("total"), "marks": before}
    heading = [_("You have {score} of {marks} marks.").format(score=score, marks=rules.marks)]
    if other is not None:
        heading.append(_("The opponent has {score}.").format(score=other))
    if throw > 1:
        text = plural(
            "The series stands at {total}, with {marks} mark so far.",
            "The series stands at {total}, with {marks} marks so far.",
            before,
        )
        heading.append(text.format(total=facts["total"], marks=before))
    ways = ways_of_series(rules)
    if "dice" not in stated:
        if throw > 1:
            raise refuse("--state", stated["state"], _("throw and total only together with --dice"))
        value = _number(start_values(rules, found)[0], ways)
        return Answer(ruleset, rules, unit, state, None, tuple(heading), (), value, bound)
    thrown = _thrown(rules, stated["dice"])
    heading.append(_("Throw {throw} of {throws}: {sum}.").format(throw=throw, throws=rules.throws, sum=thrown))
    left = rules.faces ** (2 * (rules.throws - throw))
    options: list[Option] = []
    for operation in OPERATIONS if throw > 1 else ("+",):
        total = apply(operation, facts["total"], thrown) if throw > 1 else thrown
        if total is None:
            continue
        index = total - lowest
        after = gained(rules, before, total)
        value = _number(found[throw - 1][index, min(after, len(worth) - 1), 0], left)
        words = _in_words(operation, thrown, total) if throw > 1 else _("Begin with {sum}").format(sum=thrown)
        facts_of = {"operation": operation if throw > 1 else None, "total": total, "marks": after}
        options.append(Option(words, facts_of, value))
    best = ranked(options, 2.0 * bound)
    top = max(option.value for option in options)
    return Answer(ruleset, rules, unit, state, (thrown,), tuple(heading), best, top, bound)


def _unit(stated: dict[str, str], other: int | None) -> Unit:
    if "objective" not in stated:
        return WIN if other is not None else SERIES if "score" in stated else MARKS
    unit = UNITS.get(stated["objective"])
    if unit is None or (unit is WIN) != (other is not None):
        raise refuse("--objective", stated["objective"], _("marks or series, or with --vs win"))
    return unit


def _worth(rules: Rules, unit: Unit, needed: int, other: int | None) -> tuple[Any, float]:
    """What 0, 1, ... marks of this series are worth, and a bound on the error of values that follow."""
    if unit is MARKS:
        return np.arange(most_marks(rules) + 1), 0.0
    if unit is SERIES:
        found = alone(rules)
        worth = -1.0 - found.values[needed::-1]
        return worth, float(found.errors.max()) + rounding(rules) * float(found.values[-1] + 1.0)
    assert other is not None
    both = for_two(rules)
    worth = np.ones(needed + 1)
    worth[:needed] = 1.0 - both.values[rules.marks - other, needed:0:-1]
    return worth, float(both.errors.max()) + rounding(rules)


def _number(value: Any, ways: int) -> Fraction | float:
    return float(value) / ways if isinstance(value, np.floating) else Fraction(int(value), ways)


def _thrown(rules: Rules, text: str) -> int:
    """The sum of a throw, stated as such or as the faces of the two dice."""
    low, high = 1 + rules.second_die, 2 * rules.faces + rules.second_die - 1
    if "," not in text:
        return read_number("--dice", text, low, high)
    names = faces_of(max(rules.faces, rules.second_die + rules.faces - 1))
    one, other = read_faces("--dice", text, names, (2,))
    if any(first <= rules.faces and second >= rules.second_die for first, second in ((one, other), (other, one))):
        return one + other
    allowed = _("the sum of the dice, or a face from 1 to {faces} and one from {low} to {high}")
    raise refuse(
        "--dice", text, allowed.format(faces=rules.faces, low=rules.second_die, high=rules.second_die + rules.faces - 1)
    )


def _in_words(operation: str, thrown: int, total: int) -> str:
    words = {
        "+": _("Add {sum}: {total}"),
        "-": _("Subtract {sum}: {total}"),
        "*": _("Add {number} times {sum}: {total}"),
        "/": _("Add {sum} divided by {number}: {total}"),
    }
    return words[operation[0]].format(sum=thrown, total=total, number=operation[1:])
