"""What a human rule for a sheet is worth, exactly, and which of its departures from best play cost most.

Values of the rule follow backwards over the states like those of best play, with its choices fixed. Forwards, the
chance that a game comes to each decision times what the decision gives away adds up to the whole loss: the value of
best play less that of the rule is the sum of all departures.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from solver._choices import KEEP
from solver.sheet.lattice import NODES
from solver.sheet.model import PADDING, SheetModel
from solver.sheet.position import Position, faces_of
from solver.sheet.solve import end_values, rounding_bound
from solver.sheet.study.choices import rule_choices
from solver.sheet.study.policy import SheetPolicy
from solver.sheet.study.turns import OpenRows, Played, Turns, Values, Whole, keep_of
from solver.sheet.totals import levels_from

Progress = Callable[..., None]
LEAST_CHANCE = 1e-9
"""Places that a game comes to less often are not followed any further."""
LEAST_LOSS = 1e-9
"""Smaller losses are rounding."""


class Departure(NamedTuple):
    """A decision of a rule that gives something away."""

    cost: float
    """Points that it costs in a game: how often it comes up, times ``loss``."""
    chance: float
    loss: float
    """Points that it gives away when it comes up."""
    written: str
    """The rows that are written, as names."""
    throw: tuple[int, ...]
    made: int
    does: str
    """What the rule does."""
    better: str
    """What best play does."""
    rule: str
    """The rule that decided."""


class Evaluation(NamedTuple):
    """A rule valued."""

    policy: SheetPolicy
    value: float
    """Expected points still to come from the position, for the rule."""
    best: float
    """The same for best play."""
    bound: float
    """Neither is further from the truth than this."""
    departures: list[Departure]
    """The costliest first."""
    by_rule: dict[str, float]
    """What the decisions of each rule cost in a game, places left out that hardly any game comes to."""

    @property
    def loss(self) -> float:
        """Points that the rule costs."""
        return self.best - self.value

    def to_json(self) -> dict[str, Any]:
        """The evaluation as plain data."""
        return {
            "policy": self.policy.title,
            "rules": [rule.text for rule in self.policy.rules],
            "value": self.value,
            "best": self.best,
            "loss": self.loss,
            "error_bound": self.bound,
            "by_rule": self.by_rule,
            "departures": [{**found._asdict(), "throw": list(found.throw)} for found in self.departures],
        }


class Player:
    """One who keeps a rule, or plays as well as can be where there is none."""

    def __init__(self, turns: Turns, policy: SheetPolicy | None, best: Values, own: Values) -> None:
        self.turns, self.policy, self.best, self.own = turns, policy, best, own

    def play(self, state: int, lanes: Whole, *, forward: bool, open_rows: OpenRows | None = None) -> tuple[Played, Any]:
        """The turn of some lanes of a state, and by which rule each choice was made."""
        turns = self.turns
        if self.policy is None:
            return turns.play(state, lanes, self.own, open_rows=open_rows, tie=1e-9, forward=forward), None
        offered = open_rows or turns.open_rows(state)
        found = rule_choices(turns, self.policy, state, lanes, offered, self.best)
        played = turns.play(state, lanes, self.own, found.fixed, found.barred, open_rows=offered, forward=forward)
        return played, found.rule


def rule_values(
    turns: Turns, policy: SheetPolicy, best: Values, start: int = 0, progress: Progress | None = None
) -> Values:
    """Expected points still to come under a rule, for every state that may follow from one, and every lane."""
    model = turns.model
    own = end_values(model)
    player = Player(turns, policy, best, own)
    levels = levels_from(model, start)[:-1]
    done = 0
    for states in reversed(levels):
        for state in states:
            lanes = np.arange(model.lanes(state))
            played, _rule = player.play(state, lanes, forward=False)
            own[model.start[state] : model.start[state] + len(lanes)] = played.values
        done += len(states)
        if progress:
            progress(done, 0.0, done / sum(map(len, levels)))
    return own


def evaluate(
    turns: Turns,
    policy: SheetPolicy,
    best: Values,
    bound: float,
    position: Position,
    *,
    looked_at: int = 10,
    own: Values | None = None,
) -> Evaluation:
    """What a rule is worth from a position, and its costliest departures, so many of them.

    ``best`` are the values of best play, with their bound; ``own`` those of the rule, if they are known.
    """
    model = turns.model
    at = int(model.start[position.state]) + position.lane
    if own is None:
        own = best if policy.is_optimal else rule_values(turns, policy, best, position.state)
    found = _Departures(turns, Player(turns, policy, best, own), looked_at)
    if looked_at and not policy.is_optimal:
        for visit in walk(found.player, position):
            found.add(visit)
    error = max(bound, rounding_bound(model, np.where(np.isfinite(own), own, 0.0)))
    departures = sorted(found.listed, key=lambda departure: -departure.cost)[:looked_at]
    by_rule = dict(sorted(found.by_rule.items(), key=lambda pair: -pair[1]))
    return Evaluation(policy, float(own[at]), float(best[at]), error, departures, by_rule)


class Visit(NamedTuple):
    """One state that games come to."""

    state: int
    lanes: Whole
    mass: Values
    """[kind of game, lane], how likely a game comes to each lane."""
    played: Played
    rule: Any
    """[throw number, throw, lane], the rule that decided; None for best play."""
    open_rows: OpenRows
    chances: Values
    """[kind of game, throw number, candidate, lane], how likely games end the turn there so."""


Mark = Callable[[int, int], bool]
"""Whether to write a row with a class of throws turns a game of the first kind into one of the second."""


def walk(player: Player, position: Position, mark: Mark | None = None, least: float = LEAST_CHANCE) -> Iterator[Visit]:
    """Go through all states that games come to, by the number of rows written; yields each ``Visit``.

    With ``mark`` games are of two kinds: all are of the first until they write what ``mark(row, class)`` tells.
    """
    turns = player.turns
    model = turns.model
    kinds = 2 if mark else 1
    mass = np.zeros((kinds, model.size + PADDING))
    mass[0, model.start[position.state] + position.lane] = 1.0
    for states in levels_from(model, position.state)[:-1]:
        for state in states:
            begin, count = int(model.start[state]), model.lanes(state)
            here = mass[:, begin : begin + count]
            lanes = np.flatnonzero(here.sum(axis=0) >= least)
            if not len(lanes):
                continue
            offered = turns.open_rows(state)
            played, rule = player.play(state, lanes, forward=True, open_rows=offered)
            chances = played.ends[None] * here[:, None, None, lanes]
            yield Visit(state, lanes, here[:, lanes], played, rule, offered, chances)
            _push(turns, state, lanes, offered, chances, mass, mark)


def _push(
    turns: Turns, state: int, lanes: Whole, offered: OpenRows, chances: Values, mass: Values, mark: Mark | None
) -> None:
    model = turns.model
    moves = turns.moves(state)
    kind_of = turns.kinds(len(moves.lane), chances.shape[1])
    marked = np.zeros(len(offered.owner), dtype=bool)
    if mark:
        for place, row in enumerate(offered.rows):
            for number in range(len(model.rows[row].classes)):
                marked[offered.base[place] + number] = mark(row, number)
    made, candidate, at = np.nonzero(chances.sum(axis=0))
    target = moves.lane[np.array(kind_of)[made], candidate, lanes[at]] + model.start[moves.state[candidate]]
    for kind in range(len(mass)):
        chance = chances[kind, made, candidate, at]
        after = np.where(marked[candidate], len(mass) - 1, kind)
        np.add.at(mass, (after, target), chance)


class _Departures:
    def __init__(self, turns: Turns, player: Player, most: int) -> None:
        self.turns, self.player, self.most = turns, player, most
        self.listed: list[Departure] = []
        self.by_rule: dict[str, float] = {}
        self.least = 0.0

    def add(self, visit: Visit) -> None:
        turns, model = self.turns, self.turns.model
        most = len(visit.played.picks)
        options = turns.option_values(visit.state, visit.lanes, self.player.best, most)
        candidates = options.shape[1] - NODES
        picks = visit.played.picks.astype(np.int64)
        rows = np.where(picks >= 0, picks, candidates + KEEP - picks)
        taken = np.take_along_axis(options, rows, axis=1)
        mass = visit.mass.sum(axis=0)
        bests = self.turns.play(visit.state, visit.lanes, self.player.best, open_rows=visit.open_rows, tie=1e-9).picks
        best_rows = np.where(bests >= 0, bests, candidates + KEEP - bests.astype(np.int64))
        chance = visit.played.visits * mass
        met = chance > 0.0  # elsewhere a turn may have fewer throws
        loss = np.where(met, np.take_along_axis(options, best_rows, axis=1), 0.0) - np.where(met, taken, 0.0)
        cost = np.where(loss > LEAST_LOSS, chance * loss, 0.0)
        for number, rule in enumerate([*self.player.policy.rules, None] if self.player.policy else []):
            part = float(cost[visit.rule == (number if rule else -1)].sum())
            if part > 0.0:
                name = rule.text if rule else "write most"
                self.by_rule[name] = self.by_rule.get(name, 0.0) + part
        for flat in np.argsort(-cost, axis=None)[: self.most].tolist():
            made, throw, at = (int(index) for index in np.unravel_index(flat, cost.shape))
            if cost[made, throw, at] <= max(self.least, 0.0):
                break
            number = int(visit.rule[made, throw, at])
            rules = self.player.policy.rules if self.player.policy else ()
            self.listed.append(
                Departure(
                    float(cost[made, throw, at]),
                    float(chance[made, throw, at]),
                    float(loss[made, throw, at]),
                    written_rows(model, visit.state),
                    faces_of(throw),
                    made + 1,
                    spoken_pick(model, visit.open_rows, int(picks[made, throw, at])),
                    spoken_pick(model, visit.open_rows, int(bests[made, throw, at])),
                    rules[number].text if number >= 0 else "write most",
                )
            )
        if len(self.listed) > 10 * self.most:
            self.listed = sorted(self.listed, key=lambda found: -found.cost)[: self.most]
            self.least = self.listed[-1].cost


def written_rows(model: SheetModel, state: int) -> str:
    """The names of the rows that are written, or how often the one row of rounds is."""
    counts = [state // step % (row.times + 1) for row, step in zip(model.rows, model.stride, strict=True)]
    if model.rules.sheet.rounds is not None:
        return f"rounds={counts[0]}"
    return ", ".join(row.name for row, count in zip(model.rows, counts, strict=True) if count)


def spoken_pick(model: SheetModel, open_rows: OpenRows, pick: int) -> str:
    """A choice in words of the rules: ``write pair`` or ``keep 5 5``."""
    node = keep_of(pick)
    if node is None:
        return f"write {model.rows[open_rows.rows[int(open_rows.owner[pick])]].name}"
    return "keep " + (" ".join(map(str, faces_of(node))) or "none")
