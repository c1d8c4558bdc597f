"""A race ruleset compiled: every player state, and what each way of ending a turn leads to."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import RulesetError
from solver.race.endings import ANY_TOTALS, Outcome, Totals, Transitions, after_attack, attack_rules, transitions
from solver.race.player import Player, fields_in_use, payoff, start
from solver.race.rules import RaceRules
from solver.race.sections import MOST_STEPS
from solver.race.stops import TURN_ENDS
from solver.race.turn import TurnGraph, compile_turn, possible_totals
from solver.text import _

MOST_STATES = 100_000
MOST_OUTCOMES = 2_000_000
"""Limits on what is compiled; far above every known game, far below the memory of a small machine."""


class RaceModel(NamedTuple):
    """The two automata as arrays, for one number of players.

    Player states are numbered in ascending order of score, so that the players hit by an attack are a run of
    numbers. An outcome is one way to end a turn: first the stops of all states, by state, total and kind of stop, then
    the forced ends of all states.
    """

    rules: RaceRules
    players: int
    graph: TurnGraph
    states: list[Player]
    numbers: dict[Player, int]
    attacks: tuple[str, ...]
    """Rules by which the mover changes the waiter; none alone."""
    attack_target: NDArray[np.int32]
    """[attacks, states], the state of a waiter after the attack."""
    start: NDArray[np.int32]
    """[states], slot in which the turn begins."""
    payoff: NDArray[np.float64]
    """[states], stakes that a loser pays who is in this state when the match ends."""
    highest: NDArray[np.int32]
    """[states], highest turn total that matters, in steps."""
    total_ptr: NDArray[np.int64]
    """[states + 1], first total of each state in ``modes``."""
    modes: NDArray[np.uint8]
    """[totals of all states]."""
    outcome_row: NDArray[np.int32]
    """[outcomes], the mover's next state; ``len(states)`` stands for having won."""
    outcome_kept: NDArray[np.uint8]
    """[outcomes], 1 where the mover keeps the move."""
    outcome_low: NDArray[np.int32]
    """[outcomes, attacks], first waiter state hit by the attack."""
    outcome_high: NDArray[np.int32]
    """[outcomes, attacks], waiter state after the last one hit."""


def compile_race(rules: RaceRules, players: int, starts: Iterable[Player] = ()) -> RaceModel:
    """Compile rules for one or two players, from the beginning of the match or from other players' states.

    RulesetError if the game is too large.
    """
    graph = compile_turn(rules)
    found = _winnable(rules, players, graph, list(starts) or [start(rules)])
    states = sorted(found)
    index = {player: number for number, player in enumerate(states)}
    attacks = attack_rules(rules) if players > 1 else ()
    outcomes = [outcome for player in states for kinds in found[player].stops for outcome in kinds]
    outcomes += [outcome for player in states for outcome in found[player].ends]
    low, high = _attacked_states(states, attacks, outcomes)
    targets = np.array(
        [[index.get(after_attack(rules, player, rule), -1) for player in states] for rule in attacks],
        dtype=np.int32,
    ).reshape(len(attacks), len(states))
    for number in range(len(attacks)):
        hit = low[:, number] < high[:, number]
        if hit.any() and (targets[number, low[hit, number].min() : high[hit, number].max()] < 0).any():
            raise AssertionError("a state that an attack leads to is missing")
    rows = [0 if outcome is None else len(states) if outcome.won else index[outcome.player] for outcome in outcomes]
    lengths = [len(found[player].modes) for player in states]
    return RaceModel(
        rules=rules,
        players=players,
        graph=graph,
        states=states,
        numbers=index,
        attacks=attacks,
        attack_target=np.maximum(targets, 0),
        start=np.full(len(states), graph.start, dtype=np.int32),
        payoff=np.array([payoff(rules, player) for player in states], dtype=np.float64),
        highest=np.array(lengths, dtype=np.int32) - 1,
        total_ptr=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        modes=np.array([mode for player in states for mode in found[player].modes], dtype=np.uint8),
        outcome_row=np.array(rows, dtype=np.int32),
        outcome_kept=np.array([outcome is not None and outcome.kept for outcome in outcomes], dtype=np.uint8),
        outcome_low=low,
        outcome_high=high,
    )


def _attacked_states(
    states: list[Player], attacks: tuple[str, ...], outcomes: list[Outcome | None]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For each outcome and attack the run of states that are hit: its first one, and the one after its last."""
    scores = np.array([player.score for player in states])
    low = np.zeros((len(outcomes), len(attacks)), dtype=np.int32)
    high = np.zeros((len(outcomes), len(attacks)), dtype=np.int32)
    for number, rule in enumerate(attacks):
        hits = np.zeros((len(outcomes), 2), dtype=np.int64)
        for row, outcome in enumerate(outcomes):
            for attack in outcome.attacks if outcome else ():
                if attack.rule == rule:
                    hits[row] = attack.low, attack.high
        low[:, number], high[:, number] = np.searchsorted(scores, hits).T
        none = hits[:, 0] == hits[:, 1]
        low[none, number] = high[none, number] = 0
    if len(attacks) > 1:
        # The first attack that hits a player is the only one: later ones stop where it begins.
        np.minimum(high[:, 1], np.where(low[:, 0] < high[:, 0], low[:, 0], high[:, 1]), out=high[:, 1])
    return low, high


def _winnable(rules: RaceRules, players: int, graph: TurnGraph, starts: list[Player]) -> dict[Player, Transitions]:
    """Every player state, with its transitions. RulesetError if somebody could come to where he can never win."""
    totals = Totals(*possible_totals(graph, 2 * MOST_STEPS))
    found = explore(rules, players, starts)
    if _hopeless(found, totals):
        # Scores that no dice can make may be beyond hope; leave them out.
        found = explore(rules, players, starts, totals)
    for player in sorted(_hopeless(found, totals)):
        raise RulesetError(
            _("a player with {facts} can never win").format(
                facts=", ".join(f"{name} {int(getattr(player, name))}" for name in fields_in_use(rules))
            )
        )
    return found


def _hopeless(found: dict[Player, Transitions], totals: Totals) -> set[Player]:
    """States from which no turns lead to a win."""
    hopeful: set[Player] = set()
    left = sorted(found, reverse=True)
    count = -1
    while len(hopeful) > count:
        count = len(hopeful)
        for player in left:
            # Most find hope at once, in their best outcomes.
            if any(outcome.won or outcome.player in hopeful for outcome in _possible_outcomes(found[player], totals)):
                hopeful.add(player)
        left = [player for player in left if player not in hopeful]
    return set(left)


def _possible_outcomes(reached: Transitions, totals: Totals) -> Iterator[Outcome]:
    """All ways to end a turn, those with most points first."""
    highest = len(reached.modes) - 1
    for total in range(highest, -1, -1):
        possible = totals.all if reached.modes[total] == TURN_ENDS else totals.stops
        if possible >> total & (1 if total < highest else -1):
            yield from (outcome for outcome in reached.stops[total] if outcome)
    yield from reached.ends


def explore(
    rules: RaceRules, players: int, starts: Iterable[Player], totals: Totals = ANY_TOTALS
) -> dict[Player, Transitions]:
    """Every player state that can follow the given ones, with its transitions."""
    found: dict[Player, Transitions] = {}
    known: dict[Player, Transitions] = {}
    hit: dict[str, tuple[int, int]] = {}  # by rule: the scores at which somebody can be attacked
    waiting = list(starts)
    while waiting:
        _explore_turns(rules, totals, waiting, found, known, hit)
        waiting = [
            after
            for rule, (low, high) in hit.items()
            if players > 1
            for victim in found
            if low <= victim.score < high and (after := after_attack(rules, victim, rule)) not in found
        ]
    return found


def _explore_turns(
    rules: RaceRules,
    totals: Totals,
    waiting: list[Player],
    found: dict[Player, Transitions],
    known: dict[Player, Transitions],
    hit: dict[str, tuple[int, int]],
) -> None:
    size = sum(len(reached.modes) for reached in found.values())
    while waiting:
        player = waiting.pop()
        if player in found:
            continue
        found[player] = reached = transitions(rules, player, totals, known)
        size += len(reached.modes)
        if len(found) > MOST_STATES or size > MOST_OUTCOMES:
            raise RulesetError(
                _("the game has more than {states} player states or {outcomes} ways to end a turn").format(
                    states=MOST_STATES, outcomes=MOST_OUTCOMES
                )
            )
        for outcome in chain(*reached.stops, reached.ends):
            if outcome is None or outcome.won:
                continue
            waiting.append(outcome.player)
            for rule, low, high in outcome.attacks:
                widest = hit.get(rule, (low, high))
                hit[rule] = (min(widest[0], low), max(widest[1], high))


def forgetful(model: RaceModel) -> tuple[RaceModel, NDArray[np.intp]] | None:
    """A smaller game in which players forget their counters, for a first guess at the values of this one.

    Returns its model and, for each state of the full one, the number of the state that stands for it; None where
    there is nothing to forget.
    """
    stands = [
        model.numbers.get(state._replace(bolts=0, attempts=0, falls=0, marks=0, failures=0), number)
        for number, state in enumerate(model.states)
    ]
    keep, number_of = np.unique(stands, return_inverse=True)
    if len(keep) == len(model.states):
        return None
    stop_kinds, ends = model.graph.stop_kinds, model.graph.ends
    totals = np.concatenate([np.arange(*model.total_ptr[state : state + 2]) for state in keep])
    first_end = int(model.total_ptr[-1]) * stop_kinds
    stops = (totals[:, None] * stop_kinds + np.arange(stop_kinds)).ravel()
    outcomes = np.concatenate([stops, (first_end + keep[:, None] * ends + np.arange(ends)).ravel()])
    states = [model.states[state] for state in keep]
    small = model._replace(
        states=states,
        numbers={state: number for number, state in enumerate(states)},
        attack_target=np.ascontiguousarray(number_of[model.attack_target[:, keep]], dtype=np.int32),
        start=model.start[keep],
        payoff=model.payoff[keep],
        highest=model.highest[keep],
        total_ptr=np.concatenate([[0], np.cumsum(model.highest[keep] + 1)]).astype(np.int64),
        modes=model.modes[totals],
        outcome_row=np.append(number_of, len(keep))[model.outcome_row[outcomes]].astype(np.int32),
        outcome_kept=model.outcome_kept[outcomes],
        outcome_low=np.searchsorted(keep, model.outcome_low[outcomes]).astype(np.int32),
        outcome_high=np.searchsorted(keep, model.outcome_high[outcomes]).astype(np.int32),
    )
    return small, number_of
