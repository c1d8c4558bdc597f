"""What a human rule is worth: its value, where it loses against best play, and how a clever opponent beats it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver._sweep import Choices
from solver.certify import Values
from solver.errors import ConvergenceError
from solver.policies.policy import BEST_PLAY, Policy
from solver.race.model import RaceModel, compile_race
from solver.race.player import Player, start, starting
from solver.race.position import state_index
from solver.race.rules import RaceRules
from solver.race.solve import RARELY, Solution, solve
from solver.race.study.arrays import as_buffer
from solver.race.study.choices import choices_of, choices_side_by_side, view_of
from solver.race.study.duel import Duel, Kind, duel_of, solve_duel
from solver.race.study.flow import EVERY, Flow, flow, lengths_alone, turns_about, visits_alone
from solver.race.study.planned import Departure, PlannedTurn
from solver.race.sweep import Progress, sweeper
from solver.race.worth import Worth, stake_worth, turns_worth, win_worth
from solver.table import Table
from solver.text import _

MOST_LOOKED_AT = 300
"""Match states in which departures are looked for, those that cost most."""
MOST_SIDE_BY_SIDE, SIDE_BY_SIDE_BYTES = 128, 1 << 27
"""Policies alone that are valued side by side, and the memory that their choices may take."""
FEW = 5
"""So few policies are sooner valued one by one."""


class Costly(NamedTuple):
    """A departure from best play, in the match state where it is made."""

    player: Player
    opponent: Player | None
    departure: Departure
    visits: float
    """How often a match comes to it."""

    @property
    def cost(self) -> float:
        """What it costs in a match, on average."""
        return self.visits * self.departure.loss


class Evaluation(NamedTuple):
    """A policy, valued from the start of a match. Values are chances to win, stakes, or turns."""

    policy: Policy
    against: Policy | None
    """Whom it was played against; None alone."""
    objective: str
    values: tuple[float, ...]
    """Moving first and moving second; alone the expected turns."""
    best: tuple[float, ...]
    """The same for the best play against the same opponent."""
    response: tuple[float, float] | None
    """What the best response to the policy makes of it, moving first and second; None if it was not asked for."""
    bound: float
    """No value is further from the truth than this."""
    costly: list[Costly]
    """Departures from best play, the costliest first."""
    told: float
    """The share of the whole loss that these departures make, good to about four digits; 1 where nothing is lost."""
    lengths: tuple[int | None, int | None, int | None]
    """Turns within which a tenth, half and nine tenths of matches are over; of both players, if there are two."""

    @property
    def loss(self) -> float:
        """What the policy costs against best play, on average of moving first and second."""
        lost = [best - value for best, value in zip(self.best, self.values, strict=True)]
        return abs(sum(lost) / len(lost)) if self.objective == "turns" else sum(lost) / len(lost)

    def to_json(self) -> dict[str, Any]:
        """The evaluation as plain data."""
        names = ("first", "second") if len(self.values) == 2 else ("alone",)
        return {
            "policy": self.policy.title,
            "rules": [rule.text for rule in self.policy.rules],
            "hold": self.policy.hold,
            "against": self.against.title if self.against else None,
            "objective": self.objective,
            "value": dict(zip(names, self.values, strict=True)),
            "best": dict(zip(names, self.best, strict=True)),
            "loss": self.loss,
            "best_response": dict(zip(names, self.response, strict=True)) if self.response else None,
            "error_bound": self.bound,
            "turns": dict(zip(("tenth", "half", "nine_tenths"), self.lengths, strict=True)),
            "departures_share": self.told,
            "departures": [
                {
                    "state": entry.player._asdict(),
                    "opponents": [entry.opponent._asdict()] if entry.opponent else [],
                    "turn_points": entry.departure.points,
                    "dice": entry.departure.dice,
                    "does": entry.departure.does,
                    **entry.departure.held_to_json(),
                    "loss": entry.departure.loss,
                    "visits": entry.visits,
                    "cost": entry.cost,
                }
                for entry in self.costly
            ],
        }


def evaluate_alone(
    rules: RaceRules,
    policy: Policy,
    table: Table,
    progress: Progress | None = None,
    looked_at: int = MOST_LOOKED_AT,
) -> Evaluation:
    """The expected turns of a policy alone; ``table`` are the turns of best play.

    Departures are looked for in the ``looked_at`` states where most is lost. ConvergenceError if matches need not end.
    """
    model = compile_race(rules, 1)
    played = model.rules.alone()
    best = numbered(rules, model, table)
    with sweeper(model, "turns") as sweep:
        inner = sweep.inner(best)
        own_model, choices = choices_of(model, policy, (inner, sweep.layers_of(inner)))
        solution = solve_alone(own_model, choices, progress)
    row = model.numbers[start(rules)]
    with sweeper(own_model, "turns", choices=choices) as own:
        lost = np.maximum(0.0, (inner - own.operator(inner))[:, 0])
        _residual, plans = own.plan(own.inner(solution.values), EVERY)
        visits = visits_alone(own_model, plans, row)
        over = lengths_alone(own_model, plans, row).cumsum()
        lengths = (_reached(over, 0.1), _reached(over, 0.5), _reached(over, 0.9))
    index = dict(model.numbers)
    worth = turns_worth(index, as_buffer(best))
    guide = worth if policy.guided else turns_worth(index, as_buffer(solution.values))
    costly: list[Costly] = []
    for number in _costliest(lost * visits, looked_at):
        turn = PlannedTurn(played, model.states[number], None, worth, policy, guide)
        for departure in turn.departures():
            costly.append(Costly(model.states[number], None, departure, visits[number] * departure.chance))
    value = float(solution.values[row])
    return _evaluation(policy, None, "turns", (value,), (float(best[row]),), None, solution.bound, costly, lengths)


def solve_alone(model: RaceModel, choices: Choices | None, progress: Progress | None = None) -> Solution:
    """The expected turns of fixed choices, proven as closely as can be. ConvergenceError if matches need not end."""
    try:
        return solve(model, "turns", progress=progress, choices=choices)
    except ConvergenceError as error:
        raise ConvergenceError(_("by this rule a match need not end: {why}").format(why=error)) from None


class ValuedPolicies:
    """Many policies of one game, valued one after the other from the start of a match."""

    def __init__(self, rules: RaceRules, table: Table) -> None:
        self.objective = table.info.objective
        self.model = compile_race(rules, table.info.players)
        self._values = numbered(rules, self.model, table)
        self._rows = first_rows(self.model)
        self._view = view_of(self.model)
        one = len(self.model.modes) * len(self.model.graph.slots)
        self._most_lanes = min(MOST_SIDE_BY_SIDE, max(1, SIDE_BY_SIDE_BYTES // one))
        self.bound = table.info.bound
        """No value is further from the truth than this."""
        self.best = 0.5 if self.objective == "win" else 0.0
        """What best play is worth; for two, on average of moving first and second."""
        if self.model.players == 1:
            self.best = float(self._values[self._rows[0]])
        else:
            with sweeper(self.model, self.objective) as sweep:
                guide = (self._values, sweep.layers_of(self._values))
            self._other = Kind(*choices_of(self.model, BEST_PLAY, guide))

    def about(self, policies: Sequence[Policy]) -> list[float]:
        """As ``value`` of each, minus infinity where a match need not end, found much sooner and not proven.

        Alone good to about six digits; no policy may look for what is best there.
        """
        if self.model.players == 2:
            return [self._value_or_worst(policy) for policy in policies]
        found: dict[Policy, float] = {}
        for hold in sorted({policy.hold for policy in policies}):
            alike = [policy for policy in policies if policy.hold == hold]
            size = self._most_lanes if len(alike) > FEW else 1
            for first in range(0, len(alike), size):
                some = alike[first : first + size]
                model, choices = choices_side_by_side(self.model, some, self._view)
                with sweeper(model, "turns", choices=choices, lanes=len(some)) as sweep:
                    turns = turns_about(sweep, sweep.inner(self._values))[self._rows[0]]
                found |= zip(some, (-turns).tolist(), strict=True)
        return [found[policy] for policy in policies]

    def _value_or_worst(self, policy: Policy) -> float:
        try:
            return self.value(policy)
        except ConvergenceError:
            return float("-inf")

    def value(self, policy: Policy) -> float:
        """What a policy without a guide is worth, more is better: turns, counted negative, or against best play."""
        model, choices = choices_of(self.model, policy, view=self._view)
        if self.model.players == 1:
            solution = solve_alone(model, choices)
            self.bound = max(self.bound, solution.bound)
            return -float(solution.values[self._rows[0]])
        with duel_of(Kind(model, choices), self._other, self.objective) as duel:
            found = solve_duel(duel, self._values)
        self.bound = max(self.bound, found.bound)
        return sum(_first_and_second(self.objective, found.values, self._rows)) / 2.0


def evaluate_duel(
    rules: RaceRules,
    policy: Policy,
    against: Policy,
    table: Table,
    *,
    response: bool = False,
    progress: Progress | None = None,
) -> Evaluation:
    """The chance of a policy to win against another, or its stakes; ``table`` holds the values of best play.

    With ``response`` also what the best response to the policy makes of it. ConvergenceError if a match of the two
    need not end.
    """
    objective = table.info.objective
    model = compile_race(rules, 2)
    values = numbered(rules, model, table)
    with sweeper(model, objective) as sweep:
        guide = (values, sweep.layers_of(values))
    one, other = Kind(*choices_of(model, policy, guide)), Kind(*choices_of(model, against, guide))
    free = Kind(model, None)
    rows = first_rows(model)
    with duel_of(one, other, objective) as duel:
        found = solve_duel(duel, values, progress=progress)
        went = _flow(duel, found.values, rows)
    bound = found.bound
    reference = np.stack([values, values])
    if not against.is_optimal:
        with duel_of(free, other, objective) as duel:
            answer = solve_duel(duel, values, progress=progress)
        reference, bound = answer.values, max(bound, answer.bound)
    reply = None
    if response:
        with duel_of(free, one, objective) as duel:
            answer = solve_duel(duel, values, progress=progress)
        reply, bound = _first_and_second(objective, answer.values, rows), max(bound, answer.bound)
    with duel_of(one, other, objective) as duel:
        lost = np.maximum(0.0, reference[0] - duel.operator(reference)[0])
    worth_of = stake_worth if objective == "stake" else win_worth
    costly: list[Costly] = []
    visits = went.visits[0]
    if policy.guided:
        guided = (np.ascontiguousarray(values), np.ascontiguousarray(values))
    else:
        guided = (np.ascontiguousarray(found.values[1]), np.ascontiguousarray(found.values[0]))
    theirs, ours = np.ascontiguousarray(reference[1]), np.ascontiguousarray(reference[0])
    for place in _costliest((lost * visits).ravel()):
        mover, waiter = divmod(place, len(model.states))
        player, opponent = model.states[mover], model.states[waiter]
        worth: Callable[..., Worth] = partial(worth_of, rules, opponent, model.numbers)
        turn = PlannedTurn(
            rules, player, opponent, worth(as_buffer(theirs), as_buffer(ours)), policy,
            worth(as_buffer(guided[0]), as_buffer(guided[1])),
        )  # fmt: skip
        for departure in turn.departures():
            costly.append(Costly(player, opponent, departure, float(visits[mover, waiter]) * departure.chance))
    lengths = (went.quantile(0.1), went.quantile(0.5), went.quantile(0.9))
    return _evaluation(
        policy, against, objective, _first_and_second(objective, found.values, rows),
        _first_and_second(objective, reference, rows), reply, bound, costly, lengths,
    )  # fmt: skip


def _evaluation(
    policy: Policy,
    against: Policy | None,
    objective: str,
    values: tuple[float, ...],
    best: tuple[float, ...],
    response: tuple[float, float] | None,
    bound: float,
    costly: list[Costly],
    lengths: tuple[int | None, int | None, int | None],
) -> Evaluation:
    costly.sort(key=lambda entry: -entry.cost)
    found = Evaluation(policy, against, objective, values, best, response, bound, costly, 0.0, lengths)
    # Departures are weighted by matches in which either may move first, half of them each.
    told = sum(entry.cost for entry in costly)
    return found._replace(told=told / found.loss if found.loss > 2.0 * bound else 1.0)


def numbered(rules: RaceRules, model: RaceModel, table: Table) -> Values:
    """The values of a table in the order of a model's states."""
    index = state_index(rules, table)
    order = [index[state] for state in model.states]
    values = np.asarray(table.values)
    return np.ascontiguousarray(values[np.ix_(order, order)] if model.players == 2 else values[order])


def first_rows(model: RaceModel) -> tuple[int, int]:
    """The numbers of the states in which the first and the second player of a match begin."""
    rows = [model.numbers[player] for player in starting(model.rules, model.players)]
    return rows[0], rows[-1]


def _first_and_second(objective: str, values: Values, rows: tuple[int, int]) -> tuple[float, float]:
    """What kind 0 gets from the start of a match, moving first and moving second."""
    second = float(values[1, rows[0], rows[1]])
    return float(values[0, rows[0], rows[1]]), -second if objective == "stake" else 1.0 - second


def _flow(duel: Duel, values: Values, rows: tuple[int, int]) -> Flow:
    """Where matches go in which one kind or the other moves first, half of them each."""
    begin = np.zeros(duel.shape)
    begin[:, rows[0], rows[1]] = 0.5
    _residual, plans = duel.plan(values, RARELY)
    return flow(duel.sweeps, plans, begin)


def _costliest(costs: NDArray[np.float64], most: int = MOST_LOOKED_AT) -> list[int]:
    order = np.argsort(-costs, kind="stable")[:most]
    return [int(place) for place in order if costs[place] > 0.0]


def _reached(over: Values, share: float) -> int | None:
    """Turns within which so large a share of games is over; None if more than are counted."""
    places = np.flatnonzero(over >= share)
    return int(places[0]) + 1 if len(places) else None
