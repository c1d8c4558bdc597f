"""What a ruleset of the race family may say, and which rules contradict each other."""

from collections.abc import Iterator
from math import comb, prod
from typing import Any, NamedTuple

from solver.combos import Combination, Scoring, any_doublet, equal_dice, groups, run_of_faces
from solver.dice import Die, fair_die
from solver.race.sections import (
    DEBT,
    EQUAL,
    FINE,
    MOST_POINTS,
    MOST_STEPS,
    POINTS,
    REPEATS,
    BarrelRules,
    BoltRules,
    CombinationRules,
    DiceRules,
    DumpTruckRules,
    InheritedDiceRules,
    InstantWinRules,
    MatchRules,
    ObstacleRules,
    OpeningRules,
    OvershootRules,
    OvertakingRules,
    PitRules,
    SecondTryRules,
    StakeRules,
    ToxicRules,
)
from solver.ruleset import Ruleset, report
from solver.schema import Problem, Section, key, one_of, quoted, read_section, section, words
from solver.text import _

MOST_THROWS = 50_000
"""Different throws of all dice: as many as six dice have of which none is like another."""

OBJECTIVES = {"win": 2, "stake": 2, "turns": 1, "points": 1}
"""What can be optimised, with the number of players whose states it is about.

``win``: chance to win for the player to move. ``stake``: stakes that he wins on average. ``turns``: fewest expected
turns to win, alone. ``points``: most expected points of one turn: the change of the player's own score, where points
beyond the target count nothing. Where turns without result in a row are counted, with
what they do to the points of later turns in the long run.
"""


class End(NamedTuple):
    """A kind of forced end of a turn."""

    name: str
    dice: int = 0
    """Dice of the throw that ended it, where that matters to what follows."""


BUST, BLANK, INSTANT_WIN = map(End, ("bust", "blank first throw", "instant win"))
"""Forced ends: by a throw that brings nothing, of which the first may be a case of its own, and by one that wins the
match."""


class Stop(NamedTuple):
    """A kind of stop."""

    blank: bool = False
    """Whether the first throw gave a bolt."""
    dice: int = 0
    """Dice that were not set aside, where that matters to what follows."""


class Start(NamedTuple):
    """How a turn begins."""

    entering: bool = False
    """Whether the first throw must bring enough to open."""
    offered: int = 0
    """Dice that the player before did not set aside, which may be thrown instead of all; 0 for none."""


class RaceRules(Section):
    """A ruleset of the race family. An absent section means that the rule is not in force."""

    family: str = key(one_of("race"), _("The family of the game."))
    title: str = key(words(100), _("What people call the game."), default="")
    about: str = key(words(), _("Anything worth knowing about these rules."), default="")
    dice: DiceRules = section(DiceRules, _("What is thrown and held."))
    combinations: CombinationRules = section(CombinationRules, _("What scores."))
    match: MatchRules = section(MatchRules, _("Where the race ends."))
    inherited_dice: InheritedDiceRules | None = section(
        InheritedDiceRules, _("Dice that the player before did not set aside."), default=None
    )
    toxic: ToxicRules | None = section(ToxicRules, _("A throw that ends the turn."), default=None)
    second_try: SecondTryRules | None = section(
        SecondTryRules, _("A throw that brings nothing is made again."), default=None
    )
    instant_win: InstantWinRules | None = section(InstantWinRules, _("A throw that wins the match."), default=None)
    opening: OpeningRules | None = section(
        OpeningRules, _("A least turn total before anything is written."), default=None
    )
    pits: PitRules | None = section(PitRules, _("Stretches to be left in one turn."), default=None)
    obstacles: ObstacleRules | None = section(
        ObstacleRules, _("Stretches in which a stop costs the next turn."), default=None
    )
    overtaking: OvertakingRules | None = section(OvertakingRules, _("A fine for being passed."), default=None)
    dump_truck: DumpTruckRules | None = section(DumpTruckRules, _("A score that becomes 0."), default=None)
    bolts: BoltRules | None = section(BoltRules, _("Fines for turns without result."), default=None)
    barrel: BarrelRules | None = section(BarrelRules, _("A last leg to be made in one turn."), default=None)
    overshoot: OvershootRules | None = section(OvershootRules, _("Marks for passing an exact target."), default=None)
    stakes: StakeRules | None = section(StakeRules, _("What the loser pays."), default=None)

    def dice_set(self) -> list[tuple[Die, int]]:
        """The dice of a fresh turn: each kind of die with its number, ordinary ones last."""
        kinds: dict[Die, int] = {}
        for _name, weights in self.dice.loaded:
            die = Die(weights)
            kinds[die] = kinds.get(die, 0) + 1
        fair = fair_die(self.dice.faces)
        ordinary = kinds.pop(fair, 0) + self.dice.count - len(self.dice.loaded)
        return [*kinds.items(), (fair, ordinary)] if ordinary else list(kinds.items())

    def kinds_by_name(self) -> dict[str, int]:
        """By name of a loaded die, the number of its kind in ``dice_set``."""
        dice = [die for die, _count in self.dice_set()]
        return {name: dice.index(Die(weights)) for name, weights in self.dice.loaded}

    def end_kinds(self) -> tuple[End, ...]:
        """Kinds of forced end that a turn can have; the bust comes first."""
        left = range(self.dice.count + 1) if self.inherited_dice else (0,)
        kinds = [bust._replace(dice=dice) for bust in (BUST, BLANK)[: 1 + self.blank_counts()] for dice in left]
        return (*kinds, INSTANT_WIN) if self.instant_win else tuple(kinds)

    def stop_kinds(self) -> tuple[Stop, ...]:
        """Kinds of stop; the usual one, of a turn without remarkable events, comes first."""
        left = range(self.dice.count) if self.inherited_dice else (0,)
        return tuple(Stop(blank, dice) for dice in left for blank in (False, True)[: 1 + self.blank_counts()])

    def starts(self) -> tuple[Start, ...]:
        """All ways in which a turn can begin; that of the first turn of a match comes first."""
        enters = self.opening is not None and self.opening.scope == "first throw"
        offers = range(self.dice.count + 1) if self.inherited_dice else (0,)
        return tuple(Start(entering, left) for left in offers for entering in (True, False)[1 - enters :])

    def alone(self) -> "RaceRules":
        """The same rules for a player without opponents, for whom the target is the end."""
        match = self.match
        if match.ending == "at once" and match.overshoot != "given away":
            return self
        overshoot = "on a stop" if match.overshoot == "given away" else match.overshoot
        return self._with_match(ending="at once", ties="leader", overshoot=overshoot)

    def last_turn(self, leader: int) -> "RaceRules":
        """The rules of a last turn against a leader with this score: who gets past him has won at once."""
        return self._with_match(ending="at once", ties="leader", target=leader + self.match.step, finish="at least")

    def within_turns(self) -> "RaceRules":
        """Rules that make the same turns, and are alike where only the match differs."""
        # Where the race ends is no matter of a turn.
        return self._with_match(ending="at once", ties="leader", target=MOST_POINTS, finish="at least")

    def _with_match(self, **changes: Any) -> "RaceRules":
        changed: dict[str, Any] = {**vars(self), "match": MatchRules(**{**vars(self.match), **changes})}
        return RaceRules(**changed)

    def blank_counts(self) -> bool:
        """Whether a first throw that brings nothing gives a bolt, whatever becomes of the turn."""
        return self.bolts is not None and self.bolts.given_for == "first throw"

    def winning_score(self) -> int:
        """The least score that wins."""
        return self.match.target + (self.match.step if self.match.finish == "more than" else 0)

    def least_score(self) -> int:
        """No score falls below this."""
        debt = self.opening.debt if self.opening else None
        return min(self.match.min_score, debt.min_score) if debt else self.match.min_score

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
        nothing = None if rules.nothing is None else (self.dice.count, rules.nothing)
        return Scoring(found, every_die=self.dice.hold == "all", nothing=nothing)


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


def _finish_problems(rules: RaceRules) -> Iterator[Problem]:
    if rules.match.finish != "exactly":
        allowed = _('only with match.finish = "exactly"')
        if rules.overshoot:
            yield Problem("overshoot", _("in force"), allowed)
        if rules.match.overshoot != "at once":
            yield Problem("match.overshoot", quoted(rules.match.overshoot), allowed)
    elif rules.barrel:
        yield Problem("barrel", _("in force"), _('only with match.finish "at least" or "more than"'))


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
        for name in ("dump_truck", "inherited_dice", "obstacles", "overtaking", "overshoot", "stakes"):
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
        if rules.dice.hot_dice.startswith("confirm"):
            yield Problem("dice.hot_dice", quoted(rules.dice.hot_dice), _("only without inherited_dice"))
    if (toxic := rules.toxic) and toxic.dice > rules.dice.count:
        yield Problem("toxic.dice", quoted(toxic.dice), _("at most dice.count, {count}").format(count=rules.dice.count))
    if toxic and toxic.face > rules.dice.faces:
        allowed = _("faces from 1 to {faces}").format(faces=rules.dice.faces)
        yield Problem("toxic.face", quoted(toxic.face), allowed)


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
