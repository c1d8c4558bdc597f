"""A played game of a sheet, decision by decision: what each was worth, what it cost, and what was luck.

Luck is by how much a throw changed the expected final total of best play, a loss what a decision gave away. The final
total is what could be expected at the beginning, and all luck, less all losses.
"""

from typing import Any, NamedTuple

from solver.errors import TranscriptError
from solver.sheet.actions import Choice, Turn
from solver.sheet.advice import rank
from solver.sheet.model import SheetModel
from solver.sheet.moves import moves_of
from solver.sheet.position import Position, faces_of
from solver.sheet.study.transcript import SheetGame, SheetTurn
from solver.text import _

MARKS = {"?!": 0.5, "?": 2.0, "??": 5.0}
"""From how many points on a loss gets each mark."""


class SheetMove(NamedTuple):
    """One throw and what was done with it. Values are expected final totals."""

    throw: tuple[int, ...]
    luck: float
    """By how much the throw changed the value."""
    choice: Choice
    best: Choice
    value: float
    """After the choice."""
    loss: float


class ReviewedSheetTurn(NamedTuple):
    """One turn."""

    who: int
    value: float
    """Before it."""
    total: int
    """Points after it."""
    moves: list[SheetMove]


class SheetReview(NamedTuple):
    """A whole game."""

    names: list[str]
    begins: list[float]
    """The expected final total of each at the beginning."""
    ends: list[float]
    """The same at the end of the record, which is the final total if the sheet is full."""
    full: list[bool]
    turns: list[ReviewedSheetTurn]
    bound: float

    def losses(self, who: int) -> list[float]:
        """What each decision of a player cost; less than the bound counts as nothing."""
        return [
            move.loss if move.loss > 2.0 * self.bound else 0.0
            for turn in self.turns
            if turn.who == who
            for move in turn.moves
        ]

    def luck(self, who: int) -> float:
        """Points that the throws of a player brought beyond what could be expected."""
        return sum(move.luck for turn in self.turns if turn.who == who for move in turn.moves)

    def mark(self, loss: float) -> str:
        """The mark of a loss; empty for a small one."""
        return next((mark for mark, least in reversed(MARKS.items()) if loss >= least), "")

    def to_json(self) -> dict[str, Any]:
        """The review as plain data."""
        return {
            "players": [
                {
                    "name": name,
                    "start": self.begins[who],
                    "end": self.ends[who],
                    "full": self.full[who],
                    "luck": self.luck(who),
                    "lost": sum(self.losses(who)),
                }
                for who, name in enumerate(self.names)
            ],
            "turns": [
                {
                    "player": self.names[turn.who],
                    "value": turn.value,
                    "total": turn.total,
                    "moves": [
                        {
                            "throw": list(move.throw),
                            "luck": move.luck,
                            "done": _plain(move.choice),
                            "best": _plain(move.best),
                            "value": move.value,
                            "loss": move.loss,
                            "mark": self.mark(move.loss),
                        }
                        for move in turn.moves
                    ],
                }
                for turn in self.turns
            ],
            "error_bound": self.bound,
        }


def _plain(choice: Choice) -> dict[str, Any]:
    return choice.written() if choice.write else {"keep": list(choice.hold or ())}


def review(model: SheetModel, game: SheetGame, values: Any, bound: float) -> SheetReview:
    """Look at every decision of a record. TranscriptError tells the line of what cannot be."""
    kernel = model.kernel()
    end = int(model.levels[-1][0])
    places = list(game.starts)

    def worth(position: Position) -> float:
        return position.total + float(values[model.start[position.state] + position.lane])

    begins = [worth(position) for position in places]
    turns = []
    for record in game.turns:
        position = places[record.who]
        if position.state == end:
            raise TranscriptError(_("line {line}: the sheet is full; allowed: no more turns").format(line=record.line))
        turn = Turn(model, kernel, position.state, position.lane, kernel.worths(position.state, position.lane, values))
        moves = _moves(turn, record, position, bound)
        places[record.who] = _written(model, kernel, turn, record, position)
        turns.append(ReviewedSheetTurn(record.who, worth(position), places[record.who].total, moves))
    full = [position.state == end for position in places]
    return SheetReview(game.names, begins, [worth(position) for position in places], full, turns, bound)


def _moves(turn: Turn, record: SheetTurn, position: Position, bound: float) -> list[SheetMove]:
    before = position.total + turn.value
    moves = []
    for made, throw in enumerate(record.throws, 1):
        if made > turn.throws:
            raise TranscriptError(
                _("line {line}: throw {made}; allowed: at most {most} throws").format(
                    line=record.line, made=made, most=turn.throws
                )
            )
        choices = rank(turn.choices(throw.node, made), 2.0 * bound)
        hold = None if throw.keep is None else faces_of(throw.keep)
        if hold is None:
            found = next((choice for choice in choices if choice.write == record.row), None)
        elif made == turn.throws:
            raise TranscriptError(
                _("line {line}: throw {made}; allowed: at most {most} throws").format(
                    line=record.line, made=made + 1, most=turn.throws
                )
            )
        else:
            found = next((choice for choice in choices if choice.hold == hold), None)
            if found is None and len(hold) == len(faces_of(throw.node)):  # all dice: nothing is thrown again
                found = Choice(hold, None, 0, 0, float(turn.keeps(made)[throw.node]))
        if found is None:
            names = ", ".join(choice.write for choice in choices if choice.write)
            raise TranscriptError(
                _("line {line}: write {row}; allowed: {names}").format(line=record.line, row=record.row, names=names)
            )
        if hold is None and record.points is not None and record.points != found.row_points:
            raise TranscriptError(
                _("line {line}: {row} = {found}; allowed: {points}, as the dice give").format(
                    line=record.line, row=record.row, found=record.points, points=found.row_points
                )
            )
        after = position.total + choices[0].value
        value = position.total + found.value
        moves.append(SheetMove(faces_of(throw.node), after - before, found, choices[0], value, max(0.0, after - value)))
        before = value
    return moves


def _written(model: SheetModel, kernel: Any, turn: Turn, record: SheetTurn, position: Position) -> Position:
    """The sheet after a turn."""
    made, node = len(record.throws), record.throws[-1].node
    moves = moves_of(model, kernel, position.state)
    kinds = len(moves.lane)
    kind = 0 if kinds == 1 else min(made - 1, 1) if kinds == 2 else made - 1
    rounds = model.rules.sheet.rounds is not None
    rows, classes = kernel.offers(position.state)
    base = 0
    for place, number in enumerate(rows.tolist()):
        if rounds or model.rows[number].name == record.row:
            candidate = base + int(classes[place, node])
            lane = int(moves.lane[kind, candidate, position.lane])
            points = int(moves.points[kind, candidate, position.lane])
            written = {**position.written, record.row: int(moves.row_points[kind, candidate])}
            return Position(int(moves.state[candidate]), lane, written, position.facts, position.total + points)
        base += len(model.rows[number].classes)
    raise AssertionError(turn)
