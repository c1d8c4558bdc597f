"""A played game, looked at move by move as chess games are: what each decision cost, and what was luck.

A decision is a hold and what follows it. Its loss is what the best choice is worth above the one that was made; luck
is by how much a throw changed what best play is worth. So, from the start of a game to its end,

    end = start + own luck - own losses - luck and losses of the other,

without anything left over.
"""

from typing import Any, NamedTuple

import numpy as np

from solver.certify import Values
from solver.errors import PositionError, TranscriptError
from solver.race.actions import Choice, Turn
from solver.race.endings import Outcome, after_attack, attacked_by
from solver.race.player import Player, by_himself, impossible_together, on_barrel, turn_start
from solver.race.position import state_index
from solver.race.rules import RaceRules
from solver.race.study.arrays import as_buffer
from solver.race.study.transcript import Throw, Transcript, TurnRecord
from solver.race.worth import last_turn_worth, stake_worth, turns_worth, win_worth
from solver.table import Table
from solver.text import _, plural

MARKS = {"win": {"??": 0.10, "?": 0.03, "?!": 0.01}, "stake": {"??": 0.20, "?": 0.06, "?!": 0.02},
         "turns": {"??": 1.0, "?": 0.3, "?!": 0.1}}  # fmt: skip
"""By objective, the losses from which a decision is a blunder, a mistake, or doubtful."""


INHERITED, FRESH = "inherited", "fresh"
"""Which dice are thrown where some were offered."""


class Move(NamedTuple):
    """One throw and the decision after it; more is better in all values."""

    throw: tuple[int, ...]
    """Its faces; none where dice were offered, and the decision is which to throw."""
    before: float
    """What it was worth to throw."""
    after: float
    """What the best choice was worth with these dice."""
    choice: Choice | None
    """What was done; None if the dice left no choice."""
    best: Choice | None
    value: float
    """What the decision was worth."""
    free: bool
    """Whether anything else could have been done."""

    @property
    def luck(self) -> float:
        """What the dice brought."""
        return self.after - self.before

    @property
    def loss(self) -> float:
        """What the decision cost."""
        return self.after - self.value


class ReviewedTurn(NamedTuple):
    """One turn, with the states before it."""

    record: TurnRecord
    mover: int
    players: tuple[Player, ...]
    """Both before the turn, or the one."""
    value: float
    """What the turn was worth to the mover before the first throw."""
    moves: list[Move]
    outcome: Outcome


class Review(NamedTuple):
    """A whole game."""

    names: list[str]
    objective: str
    bound: float
    turns: list[ReviewedTurn]
    players: list[Player]
    """Where they stand in the end."""
    winner: int | None
    drawn: bool = False
    """Whether the match ended with equal scores that are shared."""

    def mark(self, loss: float) -> str:
        """How bad a loss is: ``??``, ``?``, ``?!`` or nothing."""
        return next((mark for mark, least in MARKS[self.objective].items() if loss >= least), "")

    def losses(self, who: int) -> list[float]:
        """What each decision of a player cost; differences below what the table can tell are none.

        Where nothing else could have been done, nothing was decided.
        """
        return [
            0.0 if move.loss <= 2.0 * self.bound else move.loss
            for turn in self.turns
            for move in turn.moves
            if turn.mover == who and move.free
        ]

    def luck(self, who: int) -> float:
        """What the dice of a player brought him."""
        return sum(move.luck for turn in self.turns for move in turn.moves if turn.mover == who)

    def to_json(self) -> dict[str, Any]:
        """The review as plain data; values are the mover's."""
        return {
            "objective": self.objective,
            "error_bound": self.bound,
            "marks": MARKS[self.objective],
            "winner": None if self.winner is None else self.names[self.winner],
            "drawn": self.drawn,
            "players": [
                {
                    "name": name,
                    "luck": self.luck(who),
                    "loss": sum(self.losses(who)),
                    "decisions": len(self.losses(who)),
                    "marks": {
                        mark: [self.mark(loss) for loss in self.losses(who)].count(mark) for mark in ("??", "?", "?!")
                    },
                }
                for who, name in enumerate(self.names)
            ],
            "turns": [
                {
                    "line": turn.record.line,
                    "player": self.names[turn.mover],
                    "states": [player._asdict() for player in turn.players],
                    "value": turn.value,
                    "moves": [
                        {
                            "throw": list(move.throw),
                            "hold": list(move.choice.hold) if move.choice else [],
                            "stop": move.choice is None or move.choice.stop,
                            "before": move.before,
                            "after": move.after,
                            "value": move.value,
                            "loss": move.loss,
                            "luck": move.luck,
                            "mark": self.mark(move.loss),
                        }
                        for move in turn.moves
                    ],
                }
                for turn in self.turns
            ],
        }


def review(rules: RaceRules, transcript: Transcript, table: Table) -> Review:
    """Look at every decision of a game. TranscriptError, without the file's name, if the game cannot have been.

    PositionError for loaded dice, since a record does not say which dice are which.
    """
    if rules.dice.loaded:
        raise PositionError(_("dice.loaded: in force; allowed: only fair dice in review, whose records name no dice"))
    objective = table.info.objective
    index = state_index(rules, table)
    players = list(transcript.starts)
    if len(players) == 1:
        players = [by_himself(rules, players[0])]
    for player in players:
        if player not in index:
            raise TranscriptError(_("start: a position that cannot occur"))
    if len(players) == 2 and all(on_barrel(rules, player) for player in players):
        raise TranscriptError(_("start: a position that cannot occur: only one player sits on the barrel"))
    values = np.asarray(table.values)
    mover, winner, drawn = 0, None, False
    found: list[ReviewedTurn] = []
    if transcript.turns[0].name is not None:
        mover = transcript.names.index(transcript.turns[0].name)
    if len(players) == 2 and impossible_together(rules, players[mover], players[1 - mover]):
        players[1 - mover] = players[1 - mover]._replace(second=1 - players[mover].second)
    for record in transcript.turns:
        try:
            if drawn:
                raise TranscriptError(_("the game is over: it is drawn"))
            if winner is not None:
                raise TranscriptError(_("the game is over: {name} has won").format(name=transcript.names[winner]))
            if record.name not in (None, transcript.names[mover]):
                text = _("{found}; allowed: {name}, whose turn it is")
                raise TranscriptError(text.format(found=record.name, name=transcript.names[mover]))
            leader = players[1 - mover] if len(players) == 2 else None
            if leader is not None and leader.score < rules.winning_score():
                leader = None
            turn = _turn(rules, players, mover, index, values, objective)
            moves, outcome = _moves(turn, record)
            before = (players[mover], *(players[1 - mover :][:1] if len(players) == 2 else ()))
            found.append(ReviewedTurn(record, mover, before, turn.value, moves, outcome))
            _take_over(rules, players, mover, outcome)
            _check_score(record, before[0], players[mover], moves, outcome)
        except TranscriptError as error:
            raise TranscriptError(_("line {line}: {why}").format(line=record.line, why=error)) from None
        if outcome.won:
            winner = mover
        elif leader is not None:
            drawn = rules.match.ties == "shared" and outcome.player.score == leader.score
            winner = None if drawn else 1 - mover
        elif len(players) == 2 and not outcome.leads and players[1 - mover].score >= rules.winning_score():
            winner = 1 - mover  # by a gift
        elif not outcome.kept:
            mover = (mover + 1) % len(players)
    return Review(transcript.names, objective, table.info.bound, found, players, winner, drawn)


def _turn(
    rules: RaceRules, players: list[Player], mover: int, index: dict[Player, int], values: Values, objective: str
) -> Turn:
    """The turn of a player, solved for what it leads to; it may be the last one of the match."""
    if len(players) == 1:
        return Turn(rules.alone(), players[0], turns_worth(index, as_buffer(values)))
    other = players[1 - mover]
    if other.score >= rules.winning_score():
        return Turn(rules.last_turn(other.score), players[mover], last_turn_worth(rules, other))
    worth_of = stake_worth if objective == "stake" else win_worth
    return Turn(rules, players[mover], worth_of(rules, other, index, as_buffer(values)))


def _take_over(rules: RaceRules, players: list[Player], mover: int, outcome: Outcome) -> None:
    """Write down what a turn changed."""
    players[mover] = outcome.player
    if len(players) == 2 and (rule := attacked_by(outcome, players[1 - mover].score)) is not None:
        players[1 - mover] = after_attack(rules, players[1 - mover], rule)


def _check_score(record: TurnRecord, player: Player, after: Player, moves: list[Move], outcome: Outcome) -> None:
    """TranscriptError unless the score that is said to be written, if any, is the one that the turn leads to.

    Who has won has the target in all tables, and more on most sheets of paper.
    """
    right = {after.score}
    if outcome.won and moves and moves[-1].choice:
        right.add(player.score + moves[-1].choice.turn_points)
    if record.score is not None and record.score not in right:
        text = _("= {found}; allowed: {score}, the score that this turn leads to")
        raise TranscriptError(text.format(found=record.score, score=max(right)))


def _moves(turn: Turn, record: TurnRecord) -> tuple[list[Move], Outcome]:
    """The decisions of a turn, and how it ended."""
    if turn.player.skips:
        if record.throws:
            raise TranscriptError(_("a throw; allowed: none, since this turn is lost"))
        return [], turn.lost()
    moves: list[Move] = []
    points, dice, tries, blank = 0, turn.rules.dice.count, 0, False
    if turn.player.offered and record.throws:
        moves.append(_taken(turn, len(record.throws[0].dice)))
        dice = moves[0].choice.dice if moves[0].choice else dice
    for number, throw in enumerate(record.throws):
        slot = turn.slot_of(dice, points, tries, blank=blank)
        if slot is None or len(throw.dice) != dice:
            text = plural(
                "{count} die thrown; allowed: {dice}", "{count} dice thrown; allowed: {dice}", len(throw.dice)
            )
            raise TranscriptError(text.format(count=len(throw.dice), dice=dice))
        before = turn.throw_value(slot, points)
        last = number == len(record.throws) - 1
        choices = turn.choices(slot, throw.dice, points)
        if not choices:
            ended = turn.end(slot, throw.dice)
            assert ended is not None
            if not last or throw.hold or record.stop:
                raise TranscriptError(_("the turn is over: {dice} brings nothing").format(dice=_spelled(throw.dice)))
            return [*moves, Move(throw.dice, before, ended[1], None, None, ended[1], free=False)], ended[2]
        best = max(choices, key=lambda choice: choice.value)
        choice = _chosen(turn, throw, choices, stops=last)
        moves.append(Move(throw.dice, before, best.value, choice, best, choice.value, free=len(choices) > 1))
        if choice.stop:
            if not last:
                raise TranscriptError(_("the turn is over with {points} points").format(points=choice.turn_points))
            assert choice.outcome is not None
            return moves, choice.outcome
        again = not choice.hold
        tries = tries + 1 if again else 0
        blank = blank or (again and points == 0 and turn.rules.blank_counts())
        points, dice = choice.turn_points, choice.dice
    raise TranscriptError(_("the turn has no throw; allowed: one at least"))


def _taken(turn: Turn, thrown: int) -> Move:
    """The decision whether to throw the dice that were left over, or all; which it was is told by their number."""
    ways = []
    for option in turn.graph.rolls[turn.graph.starts[turn_start(turn.rules, turn.player)]][0].options:
        slot = turn.graph.slots[option.slot]
        value, bust = turn.throw_value(option.slot, 0), turn.graph.bust_chance(option.slot)
        ways.append(Choice((), 0, 0, slot.dice, value, bust, None, duty=INHERITED if slot.inherited else FRESH))
    best = max(ways, key=lambda choice: choice.value)
    # As many dice as there are all in all are taken over: they bring the bonus as well.
    made = [choice for choice in ways if choice.dice == thrown]
    if not made:
        allowed = " / ".join(sorted({str(choice.dice) for choice in ways}))
        raise TranscriptError(_("{count} dice thrown; allowed: {dice}").format(count=thrown, dice=allowed))
    choice = max(made, key=lambda choice: choice.duty == INHERITED)
    return Move((), best.value, best.value, choice, best, choice.value, free=len(ways) > 1)


def _chosen(turn: Turn, throw: Throw, choices: list[Choice], *, stops: bool) -> Choice:
    """The choice that a record means."""
    hold = throw.hold
    if hold is None:
        hold = max(choices, key=lambda choice: (choice.points, len(choice.hold))).hold
    held = [choice for choice in choices if choice.hold == hold]
    if not held:
        known = ", ".join(sorted({_spelled(choice.hold) for choice in choices}))
        raise TranscriptError(_("hold {found}; allowed: {known}").format(found=_spelled(hold), known=known))
    wanted = [choice for choice in held if choice.stop == stops]
    if wanted or (not stops and held[0].forced):
        return (wanted or held)[0]
    block = turn.block(held[0])
    needed = max((need.points for need in block.needs), default=0)
    if needed:
        text = _("a stop with {points} points; allowed: with {needed} at least")
        raise TranscriptError(text.format(points=held[0].turn_points, needed=needed))
    raise TranscriptError(_("a stop; allowed: another throw, of {dice} dice").format(dice=held[0].dice))


def _spelled(dice: tuple[int, ...]) -> str:
    return " ".join(map(str, dice)) or _("nothing")
