"""What the difference between two games means for play: what they are worth, and where their best plans part."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from solver.errors import TableError
from solver.race.actions import Turn
from solver.race.player import Player, fields_in_use, impossible_together, start, starting
from solver.race.position import state_index
from solver.race.rules import RaceRules
from solver.race.slots import Slot
from solver.race.wording import facts
from solver.race.worth import turns_worth, win_worth
from solver.ruleset import digest
from solver.table import Table
from solver.text import _, plural

MOST_SCORES = {1: 400, 2: 14}
"""By number of players: scores that are looked at, for each of the players, spread evenly over the game."""


MOST_TOLD = 6
"""Positions that are told in words."""


class Position(NamedTuple):
    """A position between two throws in which the best plan of one game stops, and that of the other throws."""

    player: Player
    opponent: Player | None
    turn_points: int
    dice: int
    """Number of dice left."""
    stops: tuple[bool, bool]
    """By game: whether the best plan stops."""
    losses: tuple[float, float]
    """By game: what the choice of the other game costs here."""
    chances: tuple[float, float]
    """By game: the chance that a turn of this player, played best, comes here."""

    @property
    def weight(self) -> float:
        """What the wrong choice here costs on average in a turn of this player, in both games together."""
        return sum(loss * chance for loss, chance in zip(self.losses, self.chances, strict=True))


class Comparison(NamedTuple):
    """Two games side by side; pairs are in the order in which they were named."""

    rules: tuple[RaceRules, RaceRules]
    objective: str
    """``win`` for two players, ``turns`` alone."""
    starts: tuple[float, float]
    """Chance to win for the player who moves first, or expected turns to the end."""
    bounds: tuple[float, float]
    """No value is further from the truth than this."""
    lengths: tuple[float, float] | None
    """For two, about how many turns of both players a match takes; alone the starts say so."""
    looked_at: int
    """Scores, or pairs of scores, that occur in both games and were looked at."""
    positions: list[Position]
    """For each of those where best plans part, the position in which it matters most; in that order."""

    @property
    def same(self) -> bool:
        """Whether the two are the same rules."""
        return digest(self.rules[0]) == digest(self.rules[1])

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return {
            "objective": self.objective,
            "same": self.same,
            "start": list(self.starts),
            "error_bounds": list(self.bounds),
            **({"turns": list(self.lengths)} if self.lengths else {}),
            "looked_at": self.looked_at,
            "positions": [
                {
                    "state": _facts(self.rules, position.player),
                    "opponents": [_facts(self.rules, position.opponent)] if position.opponent else [],
                    "turn_points": position.turn_points,
                    "dice": position.dice,
                    "best": ["stop" if stops else "throw" for stops in position.stops],
                    "losses": list(position.losses),
                    "chances": list(position.chances),
                }
                for position in self.positions
            ],
        }


def compare(rules: tuple[RaceRules, RaceRules], tables: tuple[Table, Table]) -> Comparison:
    """Compare two games by their tables, which must be of one objective, ``win`` or ``turns``.

    TableError if the tables are not those of the games.
    """
    objective, players = tables[0].info.objective, tables[0].info.players
    games = (_Game(rules[0], tables[0]), _Game(rules[1], tables[1]))
    scores = _known_to_both(games, MOST_SCORES[players])
    pairs: list[tuple[Player, Player | None]] = [(player, None) for player in scores]
    if players == 2:
        pairs = [(player, other) for player in scores for other in scores if _may_meet(rules, player, other)]
    found = []
    for player, opponent in pairs:
        parting = _parting(games, player, opponent)
        if most := max(parting, key=lambda position: position.weight, default=None):
            found.append(most)
    return Comparison(
        rules=rules,
        objective=objective,
        starts=(games[0].start, games[1].start),
        bounds=(tables[0].info.bound, tables[1].info.bound),
        lengths=(_length(rules[0], tables[0]), _length(rules[1], tables[1])) if players == 2 else None,
        looked_at=len(pairs),
        positions=sorted(found, key=lambda position: -position.weight),
    )


def _length(rules: RaceRules, table: Table) -> float:
    from solver.race.tables import match_length  # brings what only a solve needs

    return match_length(rules, table)


class _Game:
    """A game with its table, ready to solve turns."""

    def __init__(self, rules: RaceRules, table: Table) -> None:
        if table.info.against or table.info.offers:
            raise TableError(_("{title}: too large to be compared for two").format(title=rules.title))
        self.rules, self.values = rules, table.values
        self.index = state_index(rules, table)
        self.tie = 2.0 * table.info.bound
        seats = starting(rules, table.info.players)
        if not all(seat in self.index for seat in seats):
            raise TableError(_("the table lacks a player state of its game"))
        row, other = self.index[seats[0]], self.index[seats[-1]]
        self.start = float(table.values[row, other] if table.info.players == 2 else table.values[row])

    def turn(self, player: Player, opponent: Player | None) -> Turn:
        if opponent is None:
            return Turn(self.rules.alone(), player, turns_worth(self.index, self.values))
        return Turn(self.rules, player, win_worth(self.rules, opponent, self.index, self.values))


def _known_to_both(games: tuple[_Game, _Game], most: int) -> list[Player]:
    """The players that occur in both games, one for each score: the first mover, or who has the least else to tell."""
    first, usual = start(games[0].rules), Player()

    def remarkable(player: Player) -> tuple[bool, int]:
        return player != first, sum(fact != plain for fact, plain in zip(player, usual, strict=True))

    plainest: dict[int, Player] = {}
    for player in games[0].index:
        if player in games[1].index:
            plainest[player.score] = min(plainest.get(player.score, player), player, key=remarkable)
    found = [plainest[score] for score in sorted(plainest)]
    if len(found) <= most:
        return found
    return [found[number * (len(found) - 1) // (most - 1)] for number in range(most)]


def _may_meet(rules: tuple[RaceRules, RaceRules], player: Player, other: Player) -> bool:
    return not any(impossible_together(game, player, other) for game in rules)


def _parting(games: tuple[_Game, _Game], player: Player, opponent: Player | None) -> list[Position]:
    """The positions of a turn in which best plans part by more than the bounds, and to which best play can come."""
    turns = (games[0].turn(player, opponent), games[1].turn(player, opponent))
    ours, theirs = _choices(turns[0]), _choices(turns[1])
    chances: list[dict[tuple[int, int], float]] = []
    found = []
    for (slot, points), one in ours.items():
        other = theirs.get((slot, points))
        if other is None or one.stops == other.stops:
            continue
        losses = (one.loss(turns[0]), other.loss(turns[1]))
        if any(loss <= game.tie for loss, game in zip(losses, games, strict=True)):
            continue
        chances = chances or [turn.chances(game.tie) for turn, game in zip(turns, games, strict=True)]
        come = (chances[0].get((one.slot, points), 0.0), chances[1].get((other.slot, points), 0.0))
        if any(come):
            stops = (one.stops, other.stops)
            found.append(Position(player, opponent, points, slot.dice, stops, losses, come))
    return found


class _Choice(NamedTuple):
    """A choice between stopping and throwing in the turn of one game."""

    slot: int
    points: int
    stop: float
    best: float

    @property
    def stops(self) -> bool:
        return self.stop >= self.best

    def loss(self, turn: Turn) -> float:
        """What it costs to choose the other."""
        return abs(self.stop - turn.throw_value(self.slot, self.points))


def _choices(turn: Turn) -> dict[tuple[Slot, int], _Choice]:
    """By slot and turn total, below the highest that matters: where the player of a turn may stop or throw."""
    return {
        (slot, points): _Choice(number, points, stop, best)
        for number, slot in enumerate(turn.graph.slots)
        if slot.may_stop and slot.dice
        for points, stop, best in turn.decisions(number)
        if stop is not None and points < turn.highest * turn.step
    }


def _facts(rules: tuple[RaceRules, RaceRules], player: Player) -> dict[str, int | bool]:
    fields = {field: None for game in rules for field in fields_in_use(game)}
    return {field: getattr(player, field) for field in fields}


def describe(names: tuple[str, str], comparison: Comparison) -> str:
    """The comparison for a person, as lines of text."""
    found, count = comparison.positions, comparison.looked_at
    lines = [
        _("For two: the chance to win for the player who moves first, under best play.")
        if comparison.objective == "win"
        else _("Alone: the expected number of turns to the end, under best play.")
    ]
    ours, theirs = comparison.starts
    lines.append(f"  {names[0]}: {_amount(comparison, ours)}")
    if abs(theirs - ours) <= sum(comparison.bounds):
        lines.append(_("  {name}: the same").format(name=names[1]))
    else:
        changes = (_("{amount} more"), _("{amount} less"))
        if comparison.objective == "turns":
            changes = (_("{amount} longer"), _("{amount} shorter"))
        change = changes[theirs < ours].format(amount=_amount(comparison, abs(theirs - ours)))
        lines.append(f"  {names[1]}: {_amount(comparison, theirs)}, {change}")
    if comparison.lengths:
        text = _("A match takes about {ours:.0f} turns of both players by {one}, {theirs:.0f} by {other}.")
        ours, theirs = comparison.lengths
        lines.append(text.format(ours=ours, theirs=theirs, one=names[0], other=names[1]))
    if comparison.same:
        return "\n".join([*lines, "", _("These are the same rules.")])
    looked = _("scores") if comparison.objective == "turns" else _("pairs of scores")
    if not count:
        lines += ["", _("No score occurs in both games, so their plans cannot be compared.")]
    elif not found:
        lines += [
            "",
            _("When to stop is the same at all {count} {looked} looked at.").format(count=count, looked=looked),
        ]
    else:
        told = _("Best plans part at {some} of {count} {looked} looked at. Where it matters most:")
        lines += ["", told.format(some=len(found), count=count, looked=looked)]
    # Neighbouring scores often part alike: of those the first will do.
    kinds = {(position.turn_points, position.dice, position.stops): position for position in reversed(found)}
    for position in [position for position in found if position in kinds.values()][:MOST_TOLD]:
        lines += _position(names, comparison, position)
    return "\n".join(lines)


def _position(names: tuple[str, str], comparison: Comparison, position: Position) -> Iterator[str]:
    rules = comparison.rules[0]
    where = _("  {facts}").format(facts=facts(rules, position.player))
    if position.opponent:
        where += _(", against {facts}").format(facts=facts(rules, position.opponent))
    left = plural("{dice} die left", "{dice} dice left", position.dice).format(dice=position.dice)
    yield _("{where}; {points} points in this turn, {left}:").format(
        where=where, points=position.turn_points, left=left
    )
    for name, stops, loss in zip(names, position.stops, position.losses, strict=True):
        text = _("    {name}: stop; to throw costs {loss}") if stops else _("    {name}: throw; to stop costs {loss}")
        yield text.format(name=name, loss=_amount(comparison, loss))


def _amount(comparison: Comparison, value: float) -> str:
    if comparison.objective == "win":
        return _("{percent:.3f} %").format(percent=100.0 * value)
    return _("{turns:.3f} turns").format(turns=value)
