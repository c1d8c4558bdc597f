"""What a ruleset of the race family may say, and which rules contradict each other."""

from collections.abc import Iterator

from solver.combos import Combination, Scoring, any_doublet, equal_dice, groups, run_of_faces
from solver.dice import Die, fair_die
from solver.ruleset import Ruleset, report
from solver.schema import (
    NotAllowedError,
    Problem,
    Section,
    flag,
    intervals,
    key,
    one_of,
    quoted,
    read_section,
    section,
    table,
    whole,
    words,
)
from solver.text import _

OBJECTIVES = {"win": 2, "turns": 1, "points": 1}
"""What can be optimised, with the number of players whose states it is about.

``win``: chance to win for the player to move. ``turns``: fewest expected turns to win, alone. ``points``: most expected
points of one turn: the change of the player's own score, where points beyond the target count nothing.
"""

MOST_POINTS = 1_000_000
MOST_STEPS = 4_000
"""Longest track, in steps: a longer one could not be solved for two players anyway."""

POINTS = whole(0, MOST_POINTS)
FINE = whole(1, MOST_POINTS)


_FACES = tuple(str(face) for face in range(1, 100))


def _face(text: object) -> int:
    if isinstance(text, str) and text in _FACES:
        return int(text)
    raise NotAllowedError(_("faces as whole numbers"))


def _run(text: object) -> tuple[int, int]:
    if isinstance(text, str):
        low, dash, high = text.partition("-")
        if dash and _face(low) < _face(high):
            return _face(low), _face(high)
    raise NotAllowedError(_('runs of faces such as "1-5"'))


def _spell_run(run: tuple[int, int]) -> str:
    return f"{run[0]}-{run[1]}"


FACE_POINTS = table(POINTS, _face, str, _("a table from face to points, such as { 1 = 10, 5 = 5 }"))
RUN_POINTS = table(POINTS, _run, _spell_run, _('a table from run of faces to points, such as { "1-5" = 125 }'))
EQUAL = {"three": 3, "four": 4, "five": 5, "six": 6}
REPEATS = {"never": 1, "four plus two": 2, "any": 3}


class DiceRules(Section):
    """Section ``dice``: what is thrown, and what must happen to scoring dice."""

    count: int = key(whole(1, 6), _("Number of dice at the start of a turn."))
    faces: int = key(whole(2, 12), _("Faces of a die, numbered from 1, equally likely."), default=6)
    hold: str = key(
        one_of("all", "any"),
        _("Whether every scoring die must be held, read at its best, or any non-empty set of scoring dice may be."),
        default="all",
    )
    hot_dice: str = key(
        one_of("must", "may"),
        _("When all dice of the turn have scored, whether all must or may be thrown again."),
        default="must",
    )


class GroupRules(Section):
    """A combination of equal groups of dice, such as three pairs."""

    points: int = key(POINTS, _("Points of the combination."))
    repeats: str = key(
        one_of(*REPEATS), _("Whether four plus two equal dice, or six equal dice, count as well."), default="never"
    )


class DoubletRules(Section):
    """Two equal dice of a throw of exactly two."""

    points: int = key(POINTS, _("Points of the two dice; with 0 they count as scoring all the same."), default=0)


class CombinationRules(Section):
    """Section ``combinations``: what scores within one throw, in points."""

    single: tuple[tuple[int, int], ...] = key(FACE_POINTS, _("Points of one die, by face."), default=())
    three: tuple[tuple[int, int], ...] = key(FACE_POINTS, _("Points of three equal dice, by face."), default=())
    four: tuple[tuple[int, int], ...] = key(FACE_POINTS, _("Points of four equal dice, by face."), default=())
    five: tuple[tuple[int, int], ...] = key(FACE_POINTS, _("Points of five equal dice, by face."), default=())
    six: tuple[tuple[int, int], ...] = key(FACE_POINTS, _("Points of six equal dice, by face."), default=())
    straight: tuple[tuple[tuple[int, int], int], ...] = key(
        RUN_POINTS, _("Points of a run of faces, each once."), default=()
    )
    three_pairs: GroupRules | None = section(GroupRules, _("Three pairs."), default=None)
    two_triplets: GroupRules | None = section(GroupRules, _("Two triplets."), default=None)
    doublet: DoubletRules | None = section(
        DoubletRules, _("Two equal dice when exactly two were thrown."), default=None
    )


class MatchRules(Section):
    """Section ``match``: where the race ends."""

    target: int = key(whole(1, MOST_POINTS), _("The score that the race is to."))
    step: int = key(whole(1, MOST_POINTS), _("All points and scores are multiples of this."), default=1)
    finish: str = key(
        one_of("at least", "more than", "exactly"),
        _("Whether the target wins when reached, only when passed, or only when hit exactly."),
        default="at least",
    )
    most_players: int = key(whole(1, 99), _("Most players that the game is for."), default=99)


class OpeningRules(Section):
    """Section ``opening``: nothing may be written before one turn of enough points."""

    points: int = key(FINE, _("Least turn total that opens."))


class PitRules(Section):
    """Section ``pits``: who sits in a pit must leave it in one turn."""

    bounds: tuple[tuple[int, int], ...] = key(
        intervals(POINTS, 20), _("Pits as pairs [low, high]: low lies inside, high outside.")
    )


class OvertakingRules(Section):
    """Section ``overtaking``: who is passed by the player who moved pays."""

    fine: int = key(FINE, _("Points taken off each player passed."))


class DumpTruckRules(Section):
    """Section ``dump_truck``: a written score that falls to 0, however it came about."""

    score: int = key(FINE, _("The score that becomes 0."))


class BoltRules(Section):
    """Section ``bolts``: turns that bring nothing are counted and fined."""

    limit: int = key(whole(1, 20), _("Number of bolts that costs the fine; then they are counted anew."), default=3)
    fine: int = key(FINE, _("Points taken off."))
    in_pits: bool = key(flag(), _("Whether a turn without result in a pit gives a bolt."), default=False)
    on_barrel: bool = key(flag(), _("Whether a failed attempt on the barrel gives a bolt as well."), default=False)
    before_opening: bool = key(flag(), _("Whether a turn that fails to open gives a bolt."), default=False)


class BarrelRules(Section):
    """Section ``barrel``: the last leg must be made in one turn.

    Whoever reaches ``start`` is written down at ``start`` and must get the rest to the target in one turn. A fall
    comes after ``attempts`` failed turns, or when another player climbs on.
    """

    start: int = key(FINE, _("Score at which the barrel begins; more is written as this."))
    attempts: int = key(whole(1, 20), _("Turns on the barrel before a fall."), default=3)
    fine: int = key(FINE, _("Points taken off by a fall."), default=100)
    falls: int = key(whole(1, 20), _("The fall that costs the whole score; then falls are counted anew."), default=3)


class OvershootRules(Section):
    """Section ``overshoot``: passing the target gives a mark at once and ends the turn."""

    marks: int = key(whole(1, 50), _("Number of marks that makes a fall; then they are counted anew."), default=6)
    fine: int = key(FINE, _("Points taken off by a fall."), default=100)
    falls: int = key(whole(1, 20), _("The fall that costs the whole score; then falls are counted anew."), default=1)


class RaceRules(Section):
    """A ruleset of the race family. An absent section means that the rule is not in force."""

    family: str = key(one_of("race"), _("The family of the game."))
    title: str = key(words(100), _("What people call the game."), default="")
    about: str = key(words(), _("Anything worth knowing about these rules."), default="")
    dice: DiceRules = section(DiceRules, _("What is thrown and held."))
    combinations: CombinationRules = section(CombinationRules, _("What scores."))
    match: MatchRules = section(MatchRules, _("Where the race ends."))
    opening: OpeningRules | None = section(
        OpeningRules, _("A least turn total before anything is written."), default=None
    )
    pits: PitRules | None = section(PitRules, _("Stretches to be left in one turn."), default=None)
    overtaking: OvertakingRules | None = section(OvertakingRules, _("A fine for being passed."), default=None)
    dump_truck: DumpTruckRules | None = section(DumpTruckRules, _("A score that becomes 0."), default=None)
    bolts: BoltRules | None = section(BoltRules, _("Fines for turns without result."), default=None)
    barrel: BarrelRules | None = section(BarrelRules, _("A last leg to be made in one turn."), default=None)
    overshoot: OvershootRules | None = section(OvershootRules, _("Marks for passing an exact target."), default=None)

    def dice_set(self) -> list[Die]:
        """The dice of a fresh turn."""
        return [fair_die(self.dice.faces)] * self.dice.count

    def scoring(self) -> Scoring:
        """The combinations of the game, ready to read throws."""
        faces, rules = self.dice.faces, self.combinations
        found: list[Combination] = [equal_dice(faces, face, 1, points) for face, points in rules.single]
        for name, count in EQUAL.items():
            found += [equal_dice(faces, face, count, points) for face, points in getattr(rules, name)]
        found += [run_of_faces(faces, low, high, points) for (low, high), points in rules.straight]
        if rules.three_pairs:
            found += groups(faces, 2, 3, rules.three_pairs.points, REPEATS[rules.three_pairs.repeats])
        if rules.two_triplets:
            found += groups(faces, 3, 2, rules.two_triplets.points)
        if rules.doublet:
            found += any_doublet(faces, rules.doublet.points)
        return Scoring(found, every_die=self.dice.hold == "all")


def contradictions(rules: RaceRules) -> Iterator[Problem]:
    """What the sections say against each other, each as a problem of one key."""
    yield from _combination_problems(rules)
    target, step = rules.match.target, rules.match.step
    if target // step > MOST_STEPS:
        yield Problem("match.step", quoted(step), _("at most {most} steps to the target").format(most=MOST_STEPS))
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
    ceiling = rules.barrel.start if rules.barrel else target
    for index, (low, high) in enumerate(rules.pits.bounds if rules.pits else ()):
        if low <= 0 or high > ceiling:
            where = "barrel.start" if rules.barrel else "match.target"
            allowed = _("above 0 and up to {where}, {ceiling}").format(where=where, ceiling=ceiling)
            yield Problem(f"pits.bounds[{index}]", quoted([low, high]), allowed)
    if rules.overshoot and rules.match.finish != "exactly":
        yield Problem("overshoot", _("in force"), _('only with match.finish = "exactly"'))
    if rules.barrel and rules.match.finish == "exactly":
        yield Problem("barrel", _("in force"), _('only with match.finish "at least" or "more than"'))
    if rules.dump_truck and rules.barrel and rules.dump_truck.score == rules.barrel.start:
        yield Problem("dump_truck.score", quoted(rules.dump_truck.score), _("another score than barrel.start"))


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
    yield "match.target", rules.match.target
    for index, bounds in enumerate(rules.pits.bounds if rules.pits else ()):
        for end in bounds:
            yield f"pits.bounds[{index}]", end
    for name in ("opening", "overtaking", "dump_truck", "bolts", "barrel", "overshoot"):
        if part := getattr(rules, name):
            for field, known in part.keys.items():
                if known.kind in (POINTS, FINE):
                    yield f"{name}.{field}", getattr(part, field)


def read_rules(ruleset: Ruleset) -> RaceRules:
    """The rules that a ruleset states. RulesetError, with every problem, if it may not say so."""
    problems: list[Problem] = []
    rules = read_section(RaceRules, ruleset.data, problems)
    if rules is not None:
        problems += contradictions(rules)
    if rules is None or problems:
        raise report(ruleset, problems)
    return rules
