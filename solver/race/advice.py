"""Positions in, ranked options out."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.errors import PositionError
from solver.race.actions import Beginning, Block, Choice, StopRule, Turn, Waits
from solver.race.endings import Outcome
from solver.race.held import match_margins, match_offers, match_values
from solver.race.player import Player, by_himself, facts_of, impossible_together, without_points
from solver.race.position import (
    TurnFacts,
    faces_of,
    read_dice,
    read_facts,
    read_loaded,
    read_opponent,
    read_player,
    read_turn_points,
    side_in_words,
    state_index,
    take_turn_facts,
)
from solver.race.position_table import Solve, lacking, named, table_for
from solver.race.rules import OBJECTIVES, RaceRules
from solver.race.turn import may_leave, rounding_bound
from solver.race.worth import Shifted, last_turn_worth, points_worth, stake_worth, turns_worth, win_worth
from solver.schema import quoted, write_section
from solver.text import _, plural

if TYPE_CHECKING:
    from pathlib import Path

NARROW = 1e-6
"""An interval narrower than twice this needs no words."""


class Advice(NamedTuple):
    """What to do in a position. Values are those of the objective: chance to win, turns to go, or points."""

    ruleset: str
    rules: RaceRules
    objective: str
    player: Player
    opponent: Player | None
    throw: tuple[int, ...] | None
    """Sides of the dice thrown, as ``solver.race.position`` counts them: faces, where all dice are alike."""
    turn_points: int
    choices: list[Choice]
    """Best first; empty without a throw, or if the throw brings nothing."""
    blocks: list[Block]
    """For each choice, why a stop is not allowed there."""
    bust: bool
    """Whether the throw brings nothing."""
    value: float
    """What the position is worth: before the turn, or with this throw."""
    plan: list[StopRule]
    """Without a throw, where to stop with each number of dice left."""
    outcome: Outcome | None
    """What a throw that brings nothing led to."""
    bound: float
    """No value is further from the truth than this."""
    beginnings: list[Beginning]
    """Without a throw, where dice have been left over: a fresh turn, and the one that takes them over."""
    miscounted: bool = False
    """Whether no turn has this total with this number of dice; the advice is as if one had."""
    interval: tuple[float, float] | None = None
    """Proven bounds on the value, where the match may stand still; the value is then their middle, more or less."""
    waits: Waits | None = None
    """What a bust and the best stop are worth, where the turn had better bring nothing although it could be stopped."""

    def to_json(self) -> dict[str, Any]:
        """The advice as plain data, in the documented schema."""
        found: dict[str, Any] = {
            "ruleset": self.ruleset,
            "objective": self.objective,
            "state": facts_of(self.rules, self.player),
            "opponents": [facts_of(self.rules, self.opponent)] if self.opponent else [],
            "throw": faces_of(self.rules, self.throw) if self.throw is not None else None,
            "turn_points": self.turn_points,
            "options": [
                {
                    "hold": faces_of(self.rules, choice.hold),
                    **({"dice_held": self.spelled(choice.hold)} if self.rules.dice.loaded else {}),
                    "points": choice.points,
                    "turn_points": choice.turn_points,
                    "then": "stop" if choice.stop else "throw",
                    "dice": choice.dice,
                    "value": shown(self.objective, choice.value),
                    "loss": max(0.0, max(other.value for other in self.choices) - choice.value),
                    "bust": choice.bust,
                }
                for choice in self.choices
            ],
            "bust": self.bust,
            "value": shown(self.objective, self.value),
            "error_bound": self.bound,
            **({"interval": list(self.interval)} if self.interval else {}),
            **({"miscounted": True} if self.miscounted else {}),
            "rules_in_force": write_section(self.rules),
        }
        if self.beginnings:
            found["beginnings"] = [
                {**beginning._asdict(), "value": shown(self.objective, beginning.value)}
                for beginning in self.beginnings
            ]
        if self.throw is None:
            found["plan"] = [
                {
                    "dice": rule.dice,
                    **({"pool": list(rule.pool)} if rule.pool else {}),
                    "stop": [[low, high] for low, high in rule.totals],
                }
                for rule in self.plan
            ]
        return found

    def spelled(self, sides: tuple[int, ...]) -> list[str]:
        """Sides of dice as players name them."""
        return [side_in_words(self.rules, number) for number in sides]


def advise(
    rules: RaceRules,
    ruleset: str,
    *,
    score: str = "0",
    turn: str = "0",
    dice: str | None = None,
    vs: str | None = None,
    state: str | None = None,
    objective: str | None = None,
    table: "Path | None" = None,
    die: tuple[str, ...] = (),
    solve: Solve | None = None,
    warn: Callable[[str], None] | None = None,
) -> Advice:
    """Advice for one position, stated as on the command line.

    The objective is by default ``win`` against an opponent, or ``stake`` where not all losses are equal, and ``turns``
    alone. Each ``die`` is a loaded one, as name=weights. ``ruleset`` is what the user calls the rules. ``solve`` makes
    a table if there is none; by default it is solved now, without a word. Raises RulesetError, PositionError or
    TableError.
    """
    if die:
        rules = read_loaded(rules, "--die", die)
    objective = _objective(rules, objective, vs)
    facts = read_facts("--state", state) if state is not None else {}
    outer: tuple[Turn, Turn] | None = None  # turns of which one is worth too little and the other too much
    turn_facts = take_turn_facts(rules, "--state", facts)
    player, opponent = _players(rules, score, vs, facts)
    _check_offer(rules, player, opponent)
    throw = read_dice(rules, "--dice", dice) if dice is not None else None
    turn_points = _turn_points(rules, turn, throw, player)
    if opponent and impossible_together(rules, player, opponent):
        raise PositionError(_("--vs: a position that cannot occur: only one player sits on the barrel"))

    if objective == "points" or (opponent is not None and opponent.score >= rules.winning_score()):
        solved_turn, bound = _without_table(rules, objective, player, opponent, table)
    else:

        def check() -> None:  # refuse what cannot be before a long solve, not after it
            if throw is not None:
                _slot(Turn(rules, player, lambda _outcome: 0.0), throw, turn_points, turn_facts)

        with named(table):
            found = table_for(ruleset, rules, objective, (player, opponent), table, solve, check, warn)
            index = state_index(rules, found)
            mover = player if opponent else by_himself(rules, player)
            # Against an opponent, points that may be taken over are no part of a player's state.
            for option, who in (("--score", without_points(mover) if opponent else mover), ("--vs", opponent)):
                if who is not None and who not in index:
                    # If the score alone can be, it is the facts that cannot.
                    alone = facts and option == "--score" and read_player(rules, option, score, {}, "--state") in index
                    raise lacking(rules, found, "--state" if alone else option, who, index)
            if opponent is None:
                worth, played = turns_worth(index, found.values), rules.alone()
            else:
                played = rules
                worth_of = stake_worth if objective == "stake" else win_worth
                offers = match_offers(rules, found)
                worth = worth_of(rules, opponent, index, match_values(found), None, offers)
            solved_turn, bound = Turn(played, mover, worth), found.info.bound
            margins = match_margins(found) if opponent is not None else None
            if margins is not None and opponent is not None:
                upper, lower = (Shifted(match_values(found), margins, sign) for sign in (1.0, -1.0))
                outer = (
                    Turn(rules, player, worth_of(rules, opponent, index, upper, lower)),
                    Turn(rules, player, worth_of(rules, opponent, index, lower, upper)),
                )

    advice = Advice(
        ruleset=ruleset,
        rules=rules,
        objective=objective,
        player=player,
        opponent=opponent,
        throw=throw,
        turn_points=turn_points,
        choices=[],
        blocks=[],
        bust=False,
        value=solved_turn.value,
        plan=[],
        outcome=None,
        bound=bound,
        beginnings=solved_turn.beginnings() if throw is None else [],
    )
    tie = 2.0 * bound if outer is None else 0.0
    if throw is None:
        planned = advice._replace(plan=solved_turn.plan(tie), waits=solved_turn.waits(tie))
        return _bracketed(planned, outer, lambda turn: turn.value)
    slot, miscounted = _slot(solved_turn, throw, turn_points, turn_facts)
    advice = advice._replace(miscounted=miscounted)
    choices = rank(solved_turn.choices(slot, throw, turn_points), tie)
    if not choices:
        ended = solved_turn.end(slot, throw)
        assert ended is not None
        advice = advice._replace(bust=True, value=ended[1], outcome=ended[2])
        return _bracketed(advice, outer, lambda turn: _end_worth(turn, slot, throw))
    advice = advice._replace(
        choices=choices,
        blocks=[solved_turn.block(choice) for choice in choices],
        value=max(choice.value for choice in choices),
        waits=None if choices[0].stop else solved_turn.waits(tie),
    )
    return _bracketed(
        advice, outer, lambda turn: max(choice.value for choice in turn.choices(slot, throw, turn_points))
    )


def _players(rules: RaceRules, score: str, vs: str | None, facts: dict[str, str]) -> tuple[Player, Player | None]:
    """Both players as stated; who is second in the round follows where only the second can be meant."""
    player = read_player(rules, "--score", score, facts, "--state")
    if vs is None:
        return player, None
    try:
        return player, read_opponent(rules, "--vs", vs, player)
    except PositionError:
        if rules.match.ending != "equal turns" or "second" in facts:
            raise
        # Only the second in the round can have an opponent who has reached the target, or who is first.
        player = player._replace(second=1)
        return player, read_opponent(rules, "--vs", vs, player)


def _turn_points(rules: RaceRules, turn: str, throw: tuple[int, ...] | None, player: Player) -> int:
    """The turn total before a throw."""
    points = read_turn_points(rules, "--turn", turn)
    if throw is None and points:
        raise PositionError(_("--turn: {turn}; allowed: only together with --dice").format(turn=points))
    if throw is not None and not points and len(throw) == player.offered:
        return player.banked  # a turn begins with so many dice only by going on from there
    return points


def _check_offer(rules: RaceRules, player: Player, opponent: Player | None) -> None:
    """Whether points that come with dice may have been banked. PositionError if not."""
    if not player.banked:
        return
    facts = f"offered={player.offered},banked={player.banked}"
    if opponent is not None and player.banked > opponent.score - rules.least_score():
        why = _("the opponent has fewer points")
    elif not may_leave(rules, player.offered, player.banked):
        why = _("no turn leaves so many dice with these points")
    else:
        return
    raise PositionError(
        _("{option}: {found}: a position that cannot occur: {why}").format(
            option="--state", found=quoted(facts), why=why
        )
    )


def _without_table(
    rules: RaceRules, objective: str, player: Player, opponent: Player | None, table: "Path | None"
) -> tuple[Turn, float]:
    """A turn that is about nothing but itself, and the bound on its values: for points, or the last one."""
    if table is not None:
        allowed = _("only without --objective points, and before the last turn")
        raise PositionError(_("--table: {table}; allowed: {allowed}").format(table=table, allowed=allowed))
    if objective == "points" or opponent is None:
        from solver.race.longrun import phase_values  # which only this objective needs

        turn = Turn(rules.alone(), player, points_worth(rules, player, phase_values(rules)))
        return turn, rounding_bound(turn.graph, float(rules.match.target))
    turn = Turn(rules.last_turn(opponent.score), player, last_turn_worth(rules, opponent))
    return turn, rounding_bound(turn.graph, 1.0)


def _end_worth(turn: Turn, slot: int, throw: tuple[int, ...]) -> float:
    ended = turn.end(slot, throw)
    assert ended is not None
    return ended[1]


def _bracketed(advice: Advice, outer: tuple[Turn, Turn] | None, worth: Callable[[Turn], float]) -> Advice:
    """The advice with an interval of its own, if its table holds intervals."""
    if outer is None:
        return advice
    low, high = (worth(turn) for turn in outer)
    bound = (high - low) / 2.0
    return advice._replace(interval=(low, high) if bound > NARROW else None, bound=bound)


def _slot(turn: Turn, throw: tuple[int, ...], turn_points: int, facts: TurnFacts) -> tuple[int, bool]:
    """The slot of a throw, and whether the total must be miscounted."""
    if turn.player.skips:
        raise PositionError(_("--dice: {dice}; allowed: no throw, since this turn is lost").format(dice=_joined(throw)))
    pool = turn.pool(throw)
    slot, miscounted = turn.slot_of(len(throw), turn_points, facts.tries, blank=facts.blank, pool=pool), False
    if slot is None and turn.rules.dice.hold == "any" and facts == TurnFacts():
        # Where any dice may be held the sum is easily wrong, and the question makes sense all the same.
        slot, miscounted = turn.nearest_slot(len(throw), turn_points, pool), True
    if slot is None:
        raise PositionError(
            plural(
                "--dice: {count} die with a turn total of {points}: a position that cannot occur",
                "--dice: {count} dice with a turn total of {points}: a position that cannot occur",
                len(throw),
            ).format(count=len(throw), points=turn_points)
        )
    return slot, miscounted


def _joined(throw: tuple[int, ...]) -> str:
    return ",".join(map(str, throw))


def rank(choices: list[Choice], tie: float) -> list[Choice]:
    """Best first; of choices that differ by no more than ``tie``: stop first, then more dice, then lower faces."""
    left = sorted(choices, key=lambda choice: -choice.value)
    ranked: list[Choice] = []
    while left:
        equal = [choice for choice in left if left[0].value - choice.value <= tie]
        ranked += sorted(equal, key=lambda choice: (not choice.stop, -len(choice.hold), choice.hold))
        left = left[len(equal) :]
    return ranked


def shown(objective: str, value: float) -> float:
    """A value as people count it: turns to go are positive."""
    return -value if objective == "turns" else value


def _objective(rules: RaceRules, objective: str | None, vs: str | None) -> str:
    if objective is None:
        objective = "turns" if vs is None else "stake" if rules.stakes else "win"
    if objective not in OBJECTIVES:
        raise PositionError(
            _("--objective: {found}; allowed: {allowed}").format(found=quoted(objective), allowed=", ".join(OBJECTIVES))
        )
    if OBJECTIVES[objective] > 1 and vs is None:
        raise PositionError(
            _("--objective: {objective}; allowed: only with an opponent, --vs").format(objective=objective)
        )
    if vs is not None and rules.match.most_players < 2:
        raise PositionError(_("--vs: {found}; allowed: no opponent, this is a game for one").format(found=quoted(vs)))
    if vs is not None and objective == "turns":
        raise PositionError(_("--objective: turns; allowed: only alone, without --vs"))
    return objective
