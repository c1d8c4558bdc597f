"""The sections of race rulesets: each key with its kind, default and sentence.

What the sections say against each other is in ``solver.race.rules``.
"""

from solver.race.vocabulary import (
    DEBT,
    FACE_POINTS,
    FINE,
    LOADED,
    MOST_POINTS,
    OWED,
    POINTS,
    RUN_POINTS,
    UNLIMITED,
    UPPER,
)
from solver.schema import Section, flag, intervals, key, one_of, section, whole, whole_or
from solver.text import _

EQUAL = {"three": 3, "four": 4, "five": 5, "six": 6}
REPEATS = {"never": 1, "four plus two": 2, "any": 3}


class DiceRules(Section):
    """Section ``dice``: what is thrown, and what must happen to scoring dice."""

    count: int = key(whole(1, 6), _("Number of dice at the start of a turn."))
    faces: int = key(whole(2, 12), _("Faces of a die, numbered from 1, equally likely."), default=6)
    loaded: tuple[tuple[str, tuple[int, ...]], ...] = key(
        LOADED,
        _("Dice with faces of different weight, by name; whatever is left of the count are ordinary dice."),
        default=(),
        later=True,
    )
    hold: str = key(
        one_of("all", "any"),
        _("Whether every scoring die must be held, read at its best, or any non-empty set of scoring dice may be."),
        default="all",
    )
    hot_dice: str = key(
        one_of("must", "may", "confirm and end", "confirm only"),
        _(
            "When all dice of the turn have scored, whether all must or may be thrown again, or must be thrown once "
            'more to confirm, which ends the turn if it scores: "confirm and end" adds the points of that throw, and '
            'asks for one more if all dice of it are held as well; "confirm only" adds nothing.'
        ),
        default="must",
    )
    confirmed_by: str = key(
        one_of("any scoring dice", "single dice"),
        _("Whether any scoring dice confirm, or only a face that scores alone; nothing else counts without one."),
        default="any scoring dice",
        later=True,
    )
    farkle_continues: bool = key(
        flag(),
        _(
            "Whether a throw that brings nothing costs the points of the turn only, and the turn goes on. It is named "
            "here because some rules can be read so, and refused: no turn could fail."
        ),
        default=False,
        later=True,
    )
    stop_with: str = key(
        one_of("held dice", "all scoring dice"),
        _("Whether a stop counts the dice that were held, or every scoring die of the last throw."),
        default="held dice",
        later=True,
    )


class InheritedDiceRules(Section):
    """Section ``inherited_dice``: a turn may begin with the dice that the player before did not set aside."""

    bonus: int = key(POINTS, _("Points for the first throw with them, if it brings any."))
    points: bool = key(
        flag(),
        _(
            "Whether the points of the player before come with them, as a turn total to go on from; then only a stop "
            "that wrote points leaves dice."
        ),
        default=False,
        later=True,
    )


class ToxicRules(Section):
    """Section ``toxic``: so many dice of one face in a throw end the turn without result, whatever else scores."""

    dice: int = key(whole(1, 6), _("Number of dice."))
    face: int = key(whole(1, 99), _("The face that they show."))


class SecondTryRules(Section):
    """Section ``second_try``: a throw of all dice that brings nothing is made once more."""

    throws: str = key(
        one_of("first of the turn", "all dice"),
        _("Whether only the first throw of a turn is saved, or every throw of all dice."),
        default="first of the turn",
    )
    retries: int = key(whole(1, 9), _("How often one throw may be made again."), default=1)


class InstantWinRules(Section):
    """Section ``instant_win``: so many equal dice in one throw win the match, whatever the score."""

    dice: int = key(whole(2, 6), _("Number of equal dice."))
    face: int | None = key(whole_or("any", 1, 99), _("The face that they must show."), default=None)


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
    nothing: int | None = key(
        whole_or("none", 1, MOST_POINTS),
        _("Points of a throw of all dice in which nothing else scores; they count as scoring together."),
        default=None,
        later=True,
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
    win_at_once: bool = key(
        flag(), _("Whether the target wins at once, even where dice must still be thrown."), default=False, later=True
    )
    overshoot: str = key(
        one_of("at once", "on a stop", "given away"),
        _(
            "Whether passing an exact target ends the turn at once, only makes a stop count nothing, or gives the "
            "points of the turn to the other player, unless they take him past the target."
        ),
        default="at once",
        later=True,
    )
    ending: str = key(
        one_of("at once", "one more turn", "equal turns"),
        _(
            "Whether the target wins at once; or every other player has one more turn to get past the leader; or the "
            "round is completed, so that all have had equally many turns."
        ),
        default="at once",
        later=True,
    )
    ties: str = key(
        one_of("leader", "shared"),
        _("Whether equal scores after the last turn win for the player who led, or count one half for each."),
        default="leader",
        later=True,
    )
    least_turn: int = key(POINTS, _("Least turn total that may be written."), default=0, later=True)
    teams: bool = key(
        flag(),
        _("Whether each side is a team of partners who take its turns by rotation and have one score together."),
        default=False,
        later=True,
    )
    min_score: int = key(DEBT, _("No fine takes a score below this."), default=0, later=True)
    most_players: int = key(whole(1, 99), _("Most players that the game is for."), default=99)


class DebtRules(Section):
    """Failed openings are counted and cost points, down to scores below 0."""

    fine: int = key(FINE, _("Points taken off."))
    failures: int = key(whole(1, 20), _("Failed openings that cost the fine; then they are counted anew."), default=3)
    min_score: int = key(OWED, _("No debt takes a score below this."))


class OpeningRules(Section):
    """Section ``opening``: nothing may be written before one turn of enough points."""

    points: int = key(FINE, _("Least turn total that opens."))
    scope: str = key(
        one_of("turn", "first throw"),
        _("Whether all throws of the turn count together, or the first one must bring that much or ends the turn."),
        default="turn",
        later=True,
    )
    debt: DebtRules | None = section(DebtRules, _("What failed openings cost."), default=None)


class PitRules(Section):
    """Section ``pits``: who sits in a pit must leave it in one turn."""

    bounds: tuple[tuple[int, int], ...] = key(intervals(POINTS, 20), _("Pits as pairs [low, high]: low lies inside."))
    upper: str = key(UPPER, _("Whether the upper bounds lie inside or outside."), default="outside", later=True)


class ObstacleRules(Section):
    """Section ``obstacles``: whoever stops inside loses the next turn, or must get out in an extra turn at once.

    Points moved within an obstacle are written.
    """

    bounds: tuple[tuple[int, int], ...] = key(
        intervals(POINTS, 20), _("Obstacles as pairs [low, high]: low lies inside.")
    )
    upper: str = key(UPPER, _("Whether the upper bounds lie inside or outside."), default="outside")
    costs: str = key(
        one_of("every stop", "arrival", "every turn"),
        _("Whether each stop inside costs, only the one that arrives there, or each turn that ends inside."),
        default="every stop",
        later=True,
    )
    extra_turn: bool = key(
        flag(), _("Whether there is an extra turn instead, and only one that does not leave costs."), default=False
    )
    extra_turn_comes: str = key(
        one_of("at once", "next round"),
        _("When the extra turn is played: at once, or in the next round before the usual one, which it may cost."),
        default="at once",
        later=True,
    )
    fine: int | None = key(
        whole_or("none", 1, MOST_POINTS),
        _("Points that a failed extra turn costs, instead of the next turn."),
        default=None,
    )


class OvertakingRules(Section):
    """Section ``overtaking``: who is passed by the player who moved pays."""

    fine: int = key(FINE, _("Points taken off each player passed."))


class DumpTruckRules(Section):
    """Section ``dump_truck``: a written score that falls to 0, however it came about."""

    score: int = key(FINE, _("The score that becomes 0."))
    mid_turn: bool = key(
        flag(),
        _("Whether a running sum that hits the score ends the turn at once, with the score at 0."),
        default=False,
        later=True,
    )


class BoltRules(Section):
    """Section ``bolts``: turns that bring nothing are counted and fined."""

    limit: int = key(whole(1, 20), _("Number of bolts that costs the fine; then they are counted anew."), default=3)
    fine: int = key(FINE, _("Points taken off."))
    given_for: str = key(
        one_of("turn", "first throw"),
        _("Whether a turn without result gives a bolt, or a first throw that brings nothing, even if it is saved."),
        default="turn",
        later=True,
    )
    consecutive: bool = key(
        flag(), _("Whether a written turn without a bolt clears the bolts."), default=False, later=True
    )
    in_pits: bool = key(flag(), _("Whether a turn without result in a pit gives a bolt."), default=False)
    on_barrel: bool = key(flag(), _("Whether a failed attempt on the barrel gives a bolt as well."), default=False)
    before_opening: bool = key(flag(), _("Whether a turn that fails to open gives a bolt."), default=False)


class BarrelRules(Section):
    """Section ``barrel``: the last leg must be made in one turn.

    Whoever reaches ``start`` sits on the barrel and must get the rest to the target in one turn. A fall comes after
    ``attempts`` failed turns, or when another player climbs on.
    """

    start: int = key(FINE, _("Score at which the barrel begins."))
    attempts: int | None = key(whole_or(UNLIMITED, 1, 20), _("Turns on the barrel before a fall."), default=3)
    fine: int = key(FINE, _("Points taken off by a fall."), default=100)
    falls: int | None = key(
        whole_or(UNLIMITED, 1, 20), _("The fall that costs the whole score; then falls are counted anew."), default=3
    )
    clamp: bool = key(
        flag(),
        _("Whether more than start is written as start, so that nobody wins from below."),
        default=True,
        later=True,
    )
    cumulative: bool = key(
        flag(),
        _("Whether the last leg may be made in several of the attempts together; with clamp a fall takes them back."),
        default=False,
        later=True,
    )
    thrown_off: str = key(
        one_of("fall", "one step"),
        _("Whether being thrown off is a fall, or only leads one step below start and is not counted."),
        default="fall",
        later=True,
    )
    fall: str = key(
        one_of("fine", "admission"),
        _("Whether a fall costs the fine, or leads back to the score after the turn that opened."),
        default="fine",
        later=True,
    )


class OvershootRules(Section):
    """Section ``overshoot``: passing the target gives a mark at once and ends the turn."""

    marks: int = key(whole(1, 50), _("Number of marks that makes a fall; then they are counted anew."), default=6)
    fine: int = key(FINE, _("Points taken off by a fall."), default=100)
    falls: int | None = key(
        whole_or(UNLIMITED, 1, 20), _("The fall that costs the whole score; then falls are counted anew."), default=1
    )
    reopen: bool = key(
        flag(), _("Whether a fall that costs the whole score also asks for a new opening."), default=False, later=True
    )


class StakeRules(Section):
    """Section ``stakes``: what the winner gets from the loser, who pays one stake otherwise."""

    unopened: int = key(whole(1, 99), _("Stakes that a loser pays who has not opened."))
