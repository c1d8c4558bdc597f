"""What a ruleset of the race family may say, and which rules contradict each other."""

from typing import Any, NamedTuple

from solver.combos import Combination, Scoring, any_doublet, equal_dice, groups, run_of_faces
from solver.dice import Die, fair_die
from solver.race.sections import (
    EQUAL,
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
from solver.race.vocabulary import MOST_POINTS
from solver.ruleset import Rules
from solver.schema import key, one_of, section, words
from solver.text import _

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
    """Dice that the player before did not set aside, which may be thrown instead of all; 0 for none. Where his points
    come with them, that they are."""


class RaceRules(Rules):
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
        left = range(self.dice.count + 1) if self.inherited_dice and not self.points_are_left() else (0,)
        kinds = [bust._replace(dice=dice) for bust in (BUST, BLANK)[: 1 + self.blank_counts()] for dice in left]
        return (*kinds, INSTANT_WIN) if self.instant_win else tuple(kinds)

    def stop_kinds(self) -> tuple[Stop, ...]:
        """Kinds of stop; the usual one, of a turn without remarkable events, comes first."""
        left = range(self.dice.count) if self.inherited_dice else (0,)
        return tuple(Stop(blank, dice) for dice in left for blank in (False, True)[: 1 + self.blank_counts()])

    def starts(self) -> tuple[Start, ...]:
        """All ways in which a turn can begin; that of the first turn of a match comes first."""
        enters = self.opening is not None and self.opening.scope == "first throw"
        # Whose points come along has stopped before all his dice had scored.
        most = self.dice.count - self.points_are_left() if self.inherited_dice else 0
        offers = range(most + 1)
        return tuple(Start(entering, left) for left in offers for entering in (True, False)[1 - enters :])

    def alone(self) -> "RaceRules":
        """The same rules for a player without opponents: the target is the end, and only turns end on the barrel."""
        match, barrel, rules = self.match, self.barrel, self
        if match.ending != "at once" or match.overshoot == "given away":
            overshoot = "on a stop" if match.overshoot == "given away" else match.overshoot
            rules = self._with_match(ending="at once", ties="leader", overshoot=overshoot)
        if barrel and barrel.attempts is None and barrel.fall == "admission":
            # Only others throw players off, so none need remember what he would fall back to.
            usual = BarrelRules(**{**vars(barrel), "fall": "fine", "fine": match.step})
            rules = RaceRules(**{**vars(rules), "barrel": usual})
        return rules

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

    def points_are_left(self) -> bool:
        """Whether the next player may go on with the points of a turn, and the dice that were not set aside."""
        return self.inherited_dice is not None and self.inherited_dice.points

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
