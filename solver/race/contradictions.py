"""Which rules of a race contradict each other."""

from collections.abc import Iterator
from math import comb, prod

from solver.race.rules import RaceRules
from solver.race.sections import DEBT, EQUAL, FINE, MOST_STEPS, POINTS, BarrelRules, InheritedDiceRules
from solver.ruleset import Ruleset, report
from solver.schema import Problem, Section, quoted, read_section
from solver.text import _

MOST_THROWS = 50_000
"""Different throws of all dice: as many as six dice have of which none is like another."""


def contradictions(rules: RaceRules) -> Iterator[Problem]:
    """What the sections say against each other, each as a problem of one key."""
    yield from _combination_problems(rules)
    target, step = rules.match.target, rules.match.step
    if target // step > MOST_STEPS:
        yield Problem("match.step", quoted(step), _("at most {most} steps to the target").format(most=MOST_STEPS))
        return
    if (target - (least := rules.least_score())) // step > MOST_STEPS:
        where = "match.min_score" if least == rules.match.min_score else "opening.debt.min_score"
        yield Problem(where, quoted(least), _("at most {most} steps below the target").format(most=MOST_STEPS))
        return
    for where, points in _points(rules):
        if points % step:
            yield Problem(where, quoted(points), _("a multiple of match.step, {step}").format(step=step))
    for where, points in (
        ("dump_truck.score", rules.dump_truck.score if rules.dump_truck else 0),
        ("barrel.start", rules.barrel.start if rules.barrel else 0),
    ):
        if points >= target:
            yield Problem(where, quoted(points), _("below match.target, {target}").format(target=target))
    if rules.opening and rules.opening.points > target:
        allowed = _("at most match.target, {target}").format(target=target)
        yield Problem("opening.points", quoted(rules.opening.points), allowed)
    if rules.stakes and not rules.opening:
        yield Problem("stakes", _("in force"), _("only with opening"))
    if rules.dice.stop_with != "held dice" and rules.dice.hold == "all":
        yield Problem("dice.stop_with", quoted(rules.dice.stop_with), _('only with dice.hold = "any"'))
    if rules.dice.confirmed_by != "any scoring dice" and not rules.dice.hot_dice.startswith("confirm"):
        allowed = _('only with dice.hot_dice = "confirm and end" or "confirm only"')
        yield Problem("dice.confirmed_by", quoted(rules.dice.confirmed_by), allowed)
    if rules.dice.farkle_continues:
        allowed = _("false: no turn could fail, and whoever begins would go on until he wins")
        yield Problem("dice.farkle_continues", "true", allowed)
    yield from _stretch_problems(rules)
    yield from _finish_problems(rules)
    yield from _ending_problems(rules)
    yield from _turn_problems(rules)
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
                yield Problem(f"{name}.bounds[{index}]", quoted([low, high]), allowed)
            elif index and part and part.upper == "inside" and low == part.bounds[index - 1][1]:
                apart = _("above the one before, whose upper bound lies inside")
                yield Problem(f"{name}.bounds[{index}]", quoted([low, high]), apart)
    if rules.obstacles and rules.obstacles.fine and not rules.obstacles.extra_turn:
        yield Problem("obstacles.fine", quoted(rules.obstacles.fine), _("only with obstacles.extra_turn = true"))
    if rules.obstacles and rules.obstacles.extra_turn_comes != "at once" and not rules.obstacles.extra_turn:
        found = quoted(rules.obstacles.extra_turn_comes)
        yield Problem("obstacles.extra_turn_comes", found, _("only with obstacles.extra_turn = true"))


def _finish_problems(rules: RaceRules) -> Iterator[Problem]:
    if rules.match.finish != "exactly":
        allowed = _('only with match.finish = "exactly"')
        if rules.overshoot:
            yield Problem("overshoot", _("in force"), allowed)
        if rules.match.overshoot != "at once":
            yield Problem("match.overshoot", quoted(rules.match.overshoot), allowed)
    elif rules.barrel and rules.overshoot:  # both would count falls
        yield Problem("overshoot", _("in force"), _("only without barrel"))
    if rules.overshoot and rules.overshoot.reopen and not rules.opening:
        yield Problem("overshoot.reopen", quoted(rules.overshoot.reopen), _("only with opening"))


def _ending_problems(rules: RaceRules) -> Iterator[Problem]:
    match = rules.match
    if match.ending == "at once":
        if match.ties != "leader":
            yield Problem("match.ties", quoted(match.ties), _('only with match.ending other than "at once"'))
    else:
        allowed = _('only with match.ending = "at once"')
        if match.finish == "exactly":
            yield Problem("match.finish", quoted(match.finish), allowed)
        if match.win_at_once:
            yield Problem("match.win_at_once", quoted(match.win_at_once), allowed)
        for name in ("barrel", "obstacles", "overtaking", "stakes"):
            if getattr(rules, name):
                yield Problem(name, _("in force"), allowed)
    if match.overshoot == "given away":
        for name in ("barrel", "dump_truck", "inherited_dice", "obstacles", "overtaking", "overshoot", "stakes"):
            if getattr(rules, name):
                yield Problem(name, _("in force"), _('only with match.overshoot other than "given away"'))
    if match.teams:
        for name in ("opening", "bolts", "overshoot", "obstacles"):
            if getattr(rules, name):  # these are about one partner, not about the side
                yield Problem(name, _("in force"), _("only without match.teams"))


def _turn_problems(rules: RaceRules) -> Iterator[Problem]:
    if rules.match.least_turn > rules.match.target:
        allowed = _("at most match.target, {target}").format(target=rules.match.target)
        yield Problem("match.least_turn", quoted(rules.match.least_turn), allowed)
    yield from _loaded_problems(rules)
    if rules.inherited_dice:
        if len(rules.dice_set()) > 1:
            yield Problem("dice.loaded", _("in force"), _("only without inherited_dice"))
        for name in ("overtaking", "barrel", "second_try"):
            if getattr(rules, name):
                yield Problem(name, _("in force"), _("only without inherited_dice"))
        if rules.points_are_left():
            yield from _problems_of_points_left(rules, rules.inherited_dice)
        if rules.dice.hot_dice.startswith("confirm"):
            yield Problem("dice.hot_dice", quoted(rules.dice.hot_dice), _("only without inherited_dice"))
    if (toxic := rules.toxic) and toxic.dice > rules.dice.count:
        yield Problem("toxic.dice", quoted(toxic.dice), _("at most dice.count, {count}").format(count=rules.dice.count))
    if toxic and toxic.face > rules.dice.faces:
        allowed = _("faces from 1 to {faces}").format(faces=rules.dice.faces)
        yield Problem("toxic.face", quoted(toxic.face), allowed)


def _problems_of_points_left(rules: RaceRules, inherited: InheritedDiceRules) -> Iterator[Problem]:
    allowed = _("only without inherited_dice.points")
    if inherited.bonus:
        yield Problem("inherited_dice.bonus", quoted(inherited.bonus), _("0 with inherited_dice.points"))
    if rules.dice.count < 2:
        yield Problem("inherited_dice.points", "true", _("only with at least {size} dice").format(size=2))
    for name in ("dump_truck", "obstacles"):
        if getattr(rules, name):
            yield Problem(name, _("in force"), allowed)
    if rules.opening and rules.opening.scope != "turn":  # the first throw of such a turn was another player's
        yield Problem("opening.scope", quoted(rules.opening.scope), allowed)
    if rules.match.win_at_once:  # he who takes over must throw
        yield Problem("match.win_at_once", quoted(rules.match.win_at_once), allowed)


def _loaded_problems(rules: RaceRules) -> Iterator[Problem]:
    count, faces = rules.dice.count, rules.dice.faces
    if len(rules.dice.loaded) > count:
        yield Problem("dice.loaded", quoted(len(rules.dice.loaded)), _("at most {most} dice").format(most=count))
        return
    for name, weights in rules.dice.loaded:
        if len(weights) != faces:
            allowed = _("a weight for each of the {faces} faces").format(faces=faces)
            yield Problem(f"dice.loaded.{name}", quoted(list(weights)), allowed)
    throws = prod(comb(number + faces - 1, number) for _die, number in rules.dice_set())
    if throws > MOST_THROWS:
        allowed = _("dice with at most {most} different throws").format(most=MOST_THROWS)
        yield Problem("dice.loaded", quoted(throws), allowed)


def _barrel_problems(rules: RaceRules, barrel: BarrelRules) -> Iterator[Problem]:
    if rules.dump_truck and rules.dump_truck.score == barrel.start:
        yield Problem("dump_truck.score", quoted(rules.dump_truck.score), _("another score than barrel.start"))
    # A player who has fallen must be off the barrel, or two could sit there.
    highest = barrel.start if barrel.clamp else rules.match.target - rules.match.step
    if barrel.fall == "admission":
        if not rules.opening:
            yield Problem("barrel.fall", quoted(barrel.fall), _("only with opening"))
        elif rules.opening.points >= barrel.start:
            allowed = _('below barrel.start, {start}, with barrel.fall = "admission"').format(start=barrel.start)
            yield Problem("opening.points", quoted(rules.opening.points), allowed)
    elif highest - barrel.fine >= barrel.start:
        allowed = _("more than {points}, so that a fall leads off the barrel").format(points=highest - barrel.start)
        yield Problem("barrel.fine", quoted(barrel.fine), allowed)


def _combination_problems(rules: RaceRules) -> Iterator[Problem]:
    faces, count = rules.dice.faces, rules.dice.count
    every_face = set(range(1, faces + 1))
    for name, size in (("single", 1), *EQUAL.items()):
        given = {face for face, _points in getattr(rules.combinations, name)}
        where = f"combinations.{name}"
        if given - every_face:
            found = _("face {face}").format(face=min(given - every_face))
            yield Problem(where, found, _("faces from 1 to {faces}").format(faces=faces))
        elif given and size > 1 and given != every_face:
            found = _("face {face} is missing").format(face=min(every_face - given))
            yield Problem(where, found, _("points for every face from 1 to {faces}").format(faces=faces))
        if given and size > count:
            yield Problem(where, _("in force"), _("only with at least {size} dice").format(size=size))
    for (low, high), _points in rules.combinations.straight:
        if high > faces or high - low + 1 > count:
            allowed = _("at most {count} faces, from 1 to {faces}").format(count=count, faces=faces)
            yield Problem("combinations.straight", f"{low}-{high}", allowed)
    for name in ("three_pairs", "two_triplets"):
        if getattr(rules.combinations, name) and count < 6:
            yield Problem(f"combinations.{name}", _("in force"), _("only with at least {size} dice").format(size=6))
    if rules.combinations.doublet and count < 2:
        yield Problem("combinations.doublet", _("in force"), _("only with at least {size} dice").format(size=2))
    if (win := rules.instant_win) and win.dice > count:
        yield Problem("instant_win.dice", quoted(win.dice), _("at most dice.count, {count}").format(count=count))
    if win and win.face and win.face > faces:
        yield Problem("instant_win.face", quoted(win.face), _("faces from 1 to {faces}").format(faces=faces))
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
            if known.kind in (POINTS, FINE, DEBT):
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
