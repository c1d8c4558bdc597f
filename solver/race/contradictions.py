"""Which rules of a race contradict each other."""

from collections.abc import Callable, Iterator
from math import comb, prod

from solver.race.rules import RaceRules
from solver.race.sections import EQUAL, BarrelRules, InheritedDiceRules
from solver.race.vocabulary import DEBT, FINE, MOST_STEPS, MOST_STEPS_BELOW, OWED, POINTS
from solver.ruleset import Ruleset, report
from solver.schema import Condition, Problem, Section, quoted, read_section
from solver.text import _

MOST_THROWS = 50_000
"""Different throws of all dice: as many as six dice have of which none is like another."""


def _without(other: str, *rules: str, values: tuple[object, ...] = ()) -> Iterator[Condition]:
    """Conditions of rules that exclude another one."""
    section, _dot, name = other.partition(".")

    def met(rules: RaceRules) -> bool:
        found = getattr(rules, section)
        return not (getattr(found, name) if found and name else found)

    for rule in rules:
        yield Condition(rule, _("only without {other}").format(other=other), (other,), met, values)


def _with(allowed: str, other: str, met: Callable[[RaceRules], bool], *rules: str) -> Iterator[Condition]:
    """Conditions of rules that need another one to have some value."""
    for rule in rules:
        yield Condition(rule, _("only with {other}").format(other=allowed), (other,), met)


def _exact(rules: RaceRules) -> bool:
    return rules.match.finish == "exactly"


def _at_once(rules: RaceRules) -> bool:
    return rules.match.ending == "at once"


def _opens(rules: RaceRules) -> bool:
    return rules.opening is not None


def _extra_turns(rules: RaceRules) -> bool:
    return rules.obstacles is not None and rules.obstacles.extra_turn


CONFIRMATIONS = ("confirm and end", "confirm only")
CONDITIONS: tuple[Condition, ...] = (
    *_with('dice.hold = "any"', "dice.hold", lambda rules: rules.dice.hold == "any", "dice.stop_with"),
    *_with(
        'dice.hot_dice = "confirm and end" or "confirm only"',
        "dice.hot_dice",
        lambda rules: rules.dice.hot_dice in CONFIRMATIONS,
        "dice.confirmed_by",
    ),
    *_with('match.finish = "exactly"', "match.finish", _exact, "match.overshoot", "overshoot"),
    *_with(
        'match.ending other than "at once"', "match.ending", lambda rules: rules.match.ending != "at once", "match.ties"
    ),
    *_with(
        'match.ending = "at once"', "match.ending", _at_once,
        "match.win_at_once", "barrel", "obstacles", "overtaking", "stakes",
    ),
    Condition("match.finish", _('only with match.ending = "at once"'), ("match.ending",), _at_once, ("exactly",)),
    *_with(
        'match.overshoot other than "given away"', "match.overshoot",
        lambda rules: rules.match.overshoot != "given away",
        "barrel", "dump_truck", "inherited_dice", "obstacles", "overtaking", "overshoot", "stakes",
    ),
    # These are about one partner, not about the side.
    *_without("match.teams", "opening", "bolts", "overshoot", "obstacles"),
    *_without("inherited_dice", "overtaking", "barrel", "second_try"),
    *_without("inherited_dice", "dice.hot_dice", values=CONFIRMATIONS),
    # The first throw of such a turn was another player's, and he who takes over must throw.
    *_without("inherited_dice.points", "dump_truck", "obstacles", "match.win_at_once"),
    *_without("inherited_dice.points", "opening.scope", values=("first throw",)),
    Condition(
        "dice.loaded",
        _("only without {other}").format(other="inherited_dice"),
        ("inherited_dice",),
        lambda rules: not rules.inherited_dice or len(rules.dice_set()) == 1,
    ),
    *_without("barrel", "overshoot"),  # both would count falls
    *_with("opening", "opening", _opens, "stakes", "overshoot.reopen"),
    Condition("barrel.fall", _("only with {other}").format(other="opening"), ("opening",), _opens, ("admission",)),
    *_with(
        "a number of overshoot.falls", "overshoot.falls",
        lambda rules: rules.overshoot is not None and rules.overshoot.falls is not None,
        "overshoot.reopen",
    ),
    *_with(
        "obstacles.extra_turn = true", "obstacles.extra_turn", _extra_turns,
        "obstacles.fine", "obstacles.extra_turn_comes",
    ),
)  # fmt: skip
"""Every rule that needs or excludes another one, whatever the numbers."""


def contradictions(rules: RaceRules) -> Iterator[Problem]:
    """What the sections say against each other, each as a problem of one key."""
    yield from _combination_problems(rules)
    target, step = rules.match.target, rules.match.step
    if target // step > MOST_STEPS:
        allowed = _("at most {most} steps to match.target, {target}").format(most=MOST_STEPS, target=target)
        yield Problem("match.step", quoted(step), allowed, ("match.target",))
        return
    least = rules.least_score()
    for points, most, allowed in (
        (target, MOST_STEPS, _("at most {most} steps below match.target, {points}")),
        (0, MOST_STEPS_BELOW, _("at most {most} steps below 0")),
    ):
        if (points - least) // step > most:
            where = "match.min_score" if least == rules.match.min_score else "opening.debt.min_score"
            yield Problem(
                where, quoted(least), allowed.format(most=most, points=points), ("match.target", "match.step")
            )
            return
    for where, points in _points(rules):
        if points % step:
            allowed = _("a multiple of match.step, {step}").format(step=step)
            yield Problem(where, quoted(points), allowed, ("match.step",))
    for where, points in (
        ("dump_truck.score", rules.dump_truck.score if rules.dump_truck else 0),
        ("barrel.start", rules.barrel.start if rules.barrel else 0),
    ):
        if points >= target:
            allowed = _("below match.target, {target}").format(target=target)
            yield Problem(where, quoted(points), allowed, ("match.target",))
    for where, points in (
        ("opening.points", rules.opening.points if rules.opening else 0),
        ("match.least_turn", rules.match.least_turn),
    ):
        if points > target:
            allowed = _("at most match.target, {target}").format(target=target)
            yield Problem(where, quoted(points), allowed, ("match.target",))
    if rules.dice.farkle_continues:
        allowed = _("false: no turn could fail, and whoever begins would go on until he wins")
        yield Problem("dice.farkle_continues", "true", allowed)
    yield from filter(None, (condition.problem(rules) for condition in CONDITIONS))
    yield from _stretch_problems(rules)
    yield from _dice_problems(rules)
    if rules.barrel:
        yield from _barrel_problems(rules, rules.barrel)


def _stretch_problems(rules: RaceRules) -> Iterator[Problem]:
    where, ceiling = "match.target", rules.match.target
    if rules.barrel:
        where, ceiling = "barrel.start", rules.barrel.start
    for name, part in (("pits", rules.pits), ("obstacles", rules.obstacles)):
        # Whoever is in a pit at the target could not win; at the barrel's start the barrel prevails.
        beyond = bool(part and part.upper == "inside" and not rules.barrel)
        allowed = _("above 0 and below {where}, {ceiling}") if beyond else _("above 0 and up to {where}, {ceiling}")
        allowed = allowed.format(where=where, ceiling=ceiling)
        for index, (low, high) in enumerate(part.bounds if part else ()):
            if low <= 0 or high > ceiling - beyond:
                yield Problem(f"{name}.bounds[{index}]", quoted([low, high]), allowed, (where,))
            elif index and part and part.upper == "inside" and low == part.bounds[index - 1][1]:
                apart = _("above the one before, whose upper bound lies inside")
                yield Problem(f"{name}.bounds[{index}]", quoted([low, high]), apart)


def _dice_problems(rules: RaceRules) -> Iterator[Problem]:
    yield from _loaded_problems(rules)
    if rules.inherited_dice and rules.points_are_left():
        yield from _problems_of_points_left(rules, rules.inherited_dice)
    if (toxic := rules.toxic) and toxic.dice > rules.dice.count:
        allowed = _("at most dice.count, {count}").format(count=rules.dice.count)
        yield Problem("toxic.dice", quoted(toxic.dice), allowed, ("dice.count",))
    if toxic and toxic.face > rules.dice.faces:
        allowed = _("faces from 1 to {faces}").format(faces=rules.dice.faces)
        yield Problem("toxic.face", quoted(toxic.face), allowed, ("dice.faces",))


def _problems_of_points_left(rules: RaceRules, inherited: InheritedDiceRules) -> Iterator[Problem]:
    if inherited.bonus:
        allowed = _("0 with inherited_dice.points")
        yield Problem("inherited_dice.bonus", quoted(inherited.bonus), allowed, ("inherited_dice.points",))
    if rules.dice.count < 2:
        allowed = _("only with at least {size} dice").format(size=2)
        yield Problem("inherited_dice.points", "true", allowed, ("dice.count",))


def _loaded_problems(rules: RaceRules) -> Iterator[Problem]:
    count, faces = rules.dice.count, rules.dice.faces
    if len(rules.dice.loaded) > count:
        allowed = _("at most {most} dice").format(most=count)
        yield Problem("dice.loaded", quoted(len(rules.dice.loaded)), allowed, ("dice.count",))
        return
    for name, weights in rules.dice.loaded:
        if len(weights) != faces:
            allowed = _("a weight for each of the {faces} faces").format(faces=faces)
            yield Problem(f"dice.loaded.{name}", quoted(list(weights)), allowed, ("dice.faces",))
    throws = prod(comb(number + faces - 1, number) for _die, number in rules.dice_set())
    if throws > MOST_THROWS:
        allowed = _("dice with at most {most} different throws").format(most=MOST_THROWS)
        yield Problem("dice.loaded", quoted(throws), allowed, ("dice.count", "dice.faces"))


def _barrel_problems(rules: RaceRules, barrel: BarrelRules) -> Iterator[Problem]:
    if rules.dump_truck and rules.dump_truck.score == barrel.start:
        allowed = _("another score than barrel.start")
        yield Problem("dump_truck.score", quoted(rules.dump_truck.score), allowed, ("barrel.start",))
    # A player who has fallen must be off the barrel, or two could sit there.
    highest = barrel.start if barrel.clamp else rules.match.target - rules.match.step
    if barrel.fall == "admission":
        if rules.opening and rules.opening.points >= barrel.start:
            allowed = _('below barrel.start, {start}, with barrel.fall = "admission"').format(start=barrel.start)
            yield Problem("opening.points", quoted(rules.opening.points), allowed, ("barrel.start", "barrel.fall"))
    elif highest - barrel.fine >= barrel.start:
        allowed = _("more than {points}, so that a fall leads off the barrel").format(points=highest - barrel.start)
        against = ("barrel.start", "barrel.clamp", "match.target", "match.step")
        yield Problem("barrel.fine", quoted(barrel.fine), allowed, against)
    if barrel.attempts is None and barrel.thrown_off == "one step" and barrel.falls is not None:
        allowed = _('"unlimited" where barrel.attempts = "unlimited" and barrel.thrown_off = "one step": nobody falls')
        yield Problem("barrel.falls", quoted(barrel.falls), allowed, ("barrel.attempts", "barrel.thrown_off"))


def _combination_problems(rules: RaceRules) -> Iterator[Problem]:
    faces, count = rules.dice.faces, rules.dice.count
    every_face = set(range(1, faces + 1))
    for name, size in (("single", 1), *EQUAL.items()):
        given = {face for face, _points in getattr(rules.combinations, name)}
        where = f"combinations.{name}"
        if given - every_face:
            found = _("face {face}").format(face=min(given - every_face))
            yield Problem(where, found, _("faces from 1 to {faces}").format(faces=faces), ("dice.faces",))
        elif given and size > 1 and given != every_face:
            found = _("face {face} is missing").format(face=min(every_face - given))
            allowed = _("points for every face from 1 to {faces}").format(faces=faces)
            yield Problem(where, found, allowed, ("dice.faces",))
        if given and size > count:
            allowed = _("only with at least {size} dice").format(size=size)
            yield Problem(where, _("in force"), allowed, ("dice.count",))
    for (low, high), _points in rules.combinations.straight:
        if high > faces or high - low + 1 > count:
            allowed = _("at most {count} faces, from 1 to {faces}").format(count=count, faces=faces)
            yield Problem("combinations.straight", f"{low}-{high}", allowed, ("dice.count", "dice.faces"))
    for name, size in (("three_pairs", 6), ("two_triplets", 6), ("doublet", 2)):
        if getattr(rules.combinations, name) and count < size:
            allowed = _("only with at least {size} dice").format(size=size)
            yield Problem(f"combinations.{name}", _("in force"), allowed, ("dice.count",))
    if (win := rules.instant_win) and win.dice > count:
        allowed = _("at most dice.count, {count}").format(count=count)
        yield Problem("instant_win.dice", quoted(win.dice), allowed, ("dice.count",))
    if win and win.face and win.face > faces:
        allowed = _("faces from 1 to {faces}").format(faces=faces)
        yield Problem("instant_win.face", quoted(win.face), allowed, ("dice.faces",))
    combinations = rules.scoring().combinations if not _out_of_range(rules) else None
    if combinations is not None and not any(combination.points for combination in combinations):
        yield Problem("combinations", _("nothing scores"), _("at least one combination with points"))


def _out_of_range(rules: RaceRules) -> bool:
    faces = rules.dice.faces
    named = (face for name in ("single", *EQUAL) for face, _points in getattr(rules.combinations, name))
    return any(face > faces for face in named) or any(high > faces for (_low, high), _p in rules.combinations.straight)


def _points(rules: RaceRules) -> Iterator[tuple[str, int]]:
    """Every number of points that the rules name, with its path."""
    for name in ("single", *EQUAL):
        for face, points in getattr(rules.combinations, name):
            yield f"combinations.{name}.{face}", points
    for (low, high), points in rules.combinations.straight:
        yield f"combinations.straight.{low}-{high}", points
    for name in ("three_pairs", "two_triplets", "doublet"):
        if group := getattr(rules.combinations, name):
            yield f"combinations.{name}.points", group.points
    yield "combinations.nothing", rules.combinations.nothing or 0
    yield "inherited_dice.bonus", rules.inherited_dice.bonus if rules.inherited_dice else 0
    yield "match.target", rules.match.target
    yield "match.least_turn", rules.match.least_turn
    yield "match.min_score", rules.match.min_score
    for name, part in (("pits", rules.pits), ("obstacles", rules.obstacles)):
        for index, bounds in enumerate(part.bounds if part else ()):
            for end in bounds:
                yield f"{name}.bounds[{index}]", end
    yield "obstacles.fine", (rules.obstacles and rules.obstacles.fine) or 0
    parts: dict[str, Section | None] = {"opening.debt": rules.opening.debt if rules.opening else None}
    parts |= {name: getattr(rules, name) for name in ("opening", "overtaking", "dump_truck", "bolts", "barrel")}
    for where, stated in {**parts, "overshoot": rules.overshoot}.items():
        for field, known in stated.keys.items() if stated else ():
            if known.kind in (POINTS, FINE, DEBT, OWED):
                yield f"{where}.{field}", getattr(stated, field)


def read_rules(ruleset: Ruleset) -> RaceRules:
    """The rules that a ruleset states. RulesetError, with every problem, if it may not say so."""
    problems: list[Problem] = []
    rules = read_section(RaceRules, ruleset.data, problems)
    if rules is not None:
        problems += contradictions(rules)
    if rules is None or problems:
        raise report(ruleset, problems)
    return rules
