"""A race ruleset compiled: every player state, and what each way of ending a turn leads to."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.race.endings import Outcome, after_attack, attack_rules, left_with_points
from solver.race.leads import last_turns
from solver.race.player import Player, payoff, starting, turn_start
from solver.race.rules import RaceRules
from solver.race.states import winnable
from solver.race.turn import TurnGraph, compile_turn


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
    verdicts: NDArray[np.float64]
    """[verdicts, states], what the mover gets of the match against each waiter if his turn ends it: first by a win,
    then, where others have a last turn, by so many steps beyond the target."""
    doubt: float
    """Bound on what the verdicts and the lead that counts as the largest may change in the value of a turn."""
    highest: NDArray[np.int32]
    """[states], highest turn total that matters, in steps."""
    total_ptr: NDArray[np.int64]
    """[states + 1], first total of each state in ``modes``."""
    modes: NDArray[np.uint8]
    """[totals of all states]."""
    outcome_row: NDArray[np.int32]
    """[outcomes], the mover's next state; ``len(states)`` and above stand for the verdicts."""
    outcome_kept: NDArray[np.uint8]
    """[outcomes], 1 where the mover keeps the move."""
    outcome_left: NDArray[np.uint8]
    """[outcomes], dice that the waiter may go on with, from the points of the turn; 0 for none."""
    outcome_low: NDArray[np.int32]
    """[outcomes, attacks], first waiter state hit by the attack."""
    outcome_high: NDArray[np.int32]
    """[outcomes, attacks], waiter state after the last one hit."""


def compile_race(rules: RaceRules, players: int, starts: Iterable[Player] = ()) -> RaceModel:
    """Compile rules for one or two players, from the beginning of the match or from other players' states.

    RulesetError if the game is too large.
    """
    played = rules if players > 1 else rules.alone()
    graph = compile_turn(played)
    found = winnable(played, players, graph, list(starts) or starting(played, players))
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
    verdicts, doubt = _verdicts(played, states)
    most_lead, winning, step = len(verdicts) - 2, rules.winning_score(), rules.match.step

    def row(outcome: Outcome | None) -> int:
        if outcome is None:
            return 0
        if outcome.leads:
            return len(states) + 1 + min((outcome.player.score - winning) // step, most_lead)
        return len(states) if outcome.won else index[outcome.player]

    rows = [row(outcome) for outcome in outcomes]
    lengths = [len(found[player].modes) for player in states]
    return RaceModel(
        rules=rules,
        players=players,
        graph=graph,
        states=states,
        numbers=index,
        attacks=attacks,
        attack_target=np.maximum(targets, 0),
        start=np.array([graph.starts[turn_start(rules, player)] for player in states], dtype=np.int32),
        payoff=np.array([payoff(rules, player) for player in states], dtype=np.float64),
        verdicts=verdicts,
        doubt=doubt,
        highest=np.array(lengths, dtype=np.int32) - 1,
        total_ptr=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        modes=np.array([mode for player in states for mode in found[player].modes], dtype=np.uint8),
        outcome_row=np.array(rows, dtype=np.int32),
        outcome_kept=np.array([outcome is not None and outcome.kept for outcome in outcomes], dtype=np.uint8),
        outcome_left=np.array([0 if outcome is None else left_with_points(outcome) for outcome in outcomes], np.uint8),
        outcome_low=low,
        outcome_high=high,
    )


def _verdicts(rules: RaceRules, states: list[Player]) -> tuple[NDArray[np.float64], float]:
    """The verdicts of a model, and their doubt."""
    last, winning, step = last_turns(rules), rules.winning_score(), rules.match.step
    if last is None:
        return np.ones((1, len(states))), 0.0
    leads = range(winning, winning + last.most_lead + 1, step)
    caught = [[last.chance(rules, player, leader) for player in states] for leader in leads]
    return np.vstack([np.ones(len(states)), 1.0 - np.array(caught)]), last.doubt


def _attacked_states(
    states: list[Player], attacks: tuple[str, ...], outcomes: list[Outcome | None]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For each outcome and attack the run of states that are hit: its first one, and the one after its last."""
    scores = np.array([player.score for player in states])
    low = np.zeros((len(outcomes), len(attacks)), dtype=np.int32)
    high = np.zeros((len(outcomes), len(attacks)), dtype=np.int32)
    numbers = {rule: number for number, rule in enumerate(attacks)}
    for row, outcome in enumerate(outcomes):
        for attack in outcome.attacks if outcome and attacks else ():
            hits = np.searchsorted(scores, (attack.low, attack.high))
            if hits[0] < hits[1]:
                low[row, numbers[attack.rule]], high[row, numbers[attack.rule]] = hits
    if "barrel" in numbers and "overtaking" in numbers:
        # The first attack that hits a player is the only one: later ones stop where it begins.
        np.minimum(high[:, 1], np.where(low[:, 0] < high[:, 0], low[:, 0], high[:, 1]), out=high[:, 1])
    return low, high


def waiting_is_free(model: RaceModel) -> bool:
    """Whether all who can attack the other player may wait instead, at no cost and for ever."""
    if not model.attacks:
        return False
    states, kinds = len(model.states), model.graph.stop_kinds
    first_end = int(model.total_ptr[-1]) * kinds
    waits = np.all(model.outcome_row[first_end:].reshape(states, -1) == np.arange(states)[:, None], axis=1)
    hits = np.any(model.outcome_low[:first_end] < model.outcome_high[:first_end], axis=1)
    attackers = np.repeat(np.arange(states), np.diff(model.total_ptr) * kinds)[hits]
    return bool(np.all(waits[attackers]))


def forgetful(model: RaceModel) -> tuple[RaceModel, NDArray[np.intp]] | None:
    """A smaller game in which players forget one of their counters, for a first guess at the values of this one.

    Returns its model and, for each state of the full one, the number of the state that stands for it; None where
    there is nothing to forget. Those counters come first that matter least; the attempts on the barrel, without which
    one could sit there for ever, come last.
    """
    for counter in ("falls", "failures", "marks", "bolts", "attempts"):
        none: dict[str, Any] = {counter: 0}
        forgotten = [state._replace(**none) for state in model.states]
        stands = [model.numbers.get(state, number) for number, state in enumerate(forgotten)]
        keep, number_of = np.unique(stands, return_inverse=True)
        if len(keep) < len(model.states):
            break
    else:
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
        verdicts=np.ascontiguousarray(model.verdicts[:, keep]),
        highest=model.highest[keep],
        total_ptr=np.concatenate([[0], np.cumsum(model.highest[keep] + 1)]).astype(np.int64),
        modes=model.modes[totals],
        outcome_row=np.append(number_of, len(keep) + np.arange(len(model.verdicts)))[
            model.outcome_row[outcomes]
        ].astype(np.int32),
        outcome_kept=model.outcome_kept[outcomes],
        outcome_left=model.outcome_left[outcomes],
        outcome_low=np.searchsorted(keep, model.outcome_low[outcomes]).astype(np.int32),
        outcome_high=np.searchsorted(keep, model.outcome_high[outcomes]).astype(np.int32),
    )
    return small, number_of
