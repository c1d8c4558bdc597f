"""A race ruleset compiled: every player state, and what each way of ending a turn leads to."""

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import RulesetError
from solver.race import player as automaton
from solver.race.player import Player, Transitions, transitions
from solver.race.rules import RaceRules
from solver.race.turn import TurnGraph, compile_turn
from solver.text import _

MOST_STATES = 100_000
MOST_OUTCOMES = 20_000_000
"""Limits on what is compiled; far above every known game, far below the memory of a small machine."""


class RaceModel(NamedTuple):
    """The two automata as arrays, for one number of players.

    Player states are numbered in ascending order of score, so that the players hit by an attack are a run of
    numbers. An outcome is one way to end a turn: first the stops of all states, state by state and total by total,
    then the forced ends of all states.
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
    highest: NDArray[np.int32]
    """[states], highest turn total that matters, in steps."""
    total_ptr: NDArray[np.int64]
    """[states + 1], first total of each state in ``modes``."""
    modes: NDArray[np.uint8]
    """[totals of all states]."""
    outcome_row: NDArray[np.int32]
    """[outcomes], the mover's next state; ``len(states)`` stands for having won."""
    outcome_low: NDArray[np.int32]
    """[outcomes, attacks], first waiter state hit by the attack."""
    outcome_high: NDArray[np.int32]
    """[outcomes, attacks], waiter state after the last one hit."""


def compile_race(rules: RaceRules, players: int) -> RaceModel:
    """Compile rules for one or two players. RulesetError if the game is too large."""
    graph = compile_turn(rules)
    found = explore(rules, players)
    states = sorted(found)
    index = {player: number for number, player in enumerate(states)}
    scores = np.array([player.score for player in states])
    attacks = automaton.attack_rules(rules) if players > 1 else ()
    outcomes = [outcome for player in states for outcome in found[player].stops]
    outcomes += [outcome for player in states for outcome in found[player].ends]
    low = np.zeros((len(outcomes), len(attacks)), dtype=np.int32)
    high = np.zeros((len(outcomes), len(attacks)), dtype=np.int32)
    for number, rule in enumerate(attacks):
        hits = [
            next(((attack.low, attack.high) for attack in outcome.attacks if attack.rule == rule), (0, 0))
            if outcome
            else (0, 0)
            for outcome in outcomes
        ]
        bounds = np.searchsorted(scores, np.array(hits))
        low[:, number], high[:, number] = bounds[:, 0], bounds[:, 1]
    if len(attacks) > 1:
        # The first attack that hits a player is the only one: later ones stop where it begins.
        np.minimum(high[:, 1], np.where(low[:, 0] < high[:, 0], low[:, 0], high[:, 1]), out=high[:, 1])
    rows = [0 if outcome is None else len(states) if outcome.won else index[outcome.player] for outcome in outcomes]
    lengths = [len(found[player].modes) for player in states]
    return RaceModel(
        rules=rules,
        players=players,
        graph=graph,
        states=states,
        numbers=index,
        attacks=attacks,
        attack_target=np.array(
            [[index.get(automaton.after_attack(rules, p, rule), 0) for p in states] for rule in attacks], dtype=np.int32
        ).reshape(len(attacks), len(states)),
        highest=np.array(lengths, dtype=np.int32) - 1,
        total_ptr=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        modes=np.array([mode for player in states for mode in found[player].modes], dtype=np.uint8),
        outcome_row=np.array(rows, dtype=np.int32),
        outcome_low=low,
        outcome_high=high,
    )


def explore(rules: RaceRules, players: int) -> dict[Player, Transitions]:
    """Every player state that can occur, from the start on, with its transitions."""
    found: dict[Player, Transitions] = {}
    waiting = deque([automaton.start(rules)])
    hit: dict[str, tuple[int, int]] = {}  # by rule: the scores at which somebody can be attacked
    size = 0
    while waiting:
        player = waiting.popleft()
        if player in found:
            continue
        found[player] = reached = transitions(rules, player)
        size += len(reached.modes)
        if len(found) > MOST_STATES or size > MOST_OUTCOMES:
            raise RulesetError(
                _("the game has more than {states} player states or {outcomes} ways to end a turn").format(
                    states=MOST_STATES, outcomes=MOST_OUTCOMES
                )
            )
        for outcome in (*reached.stops, *reached.ends):
            if outcome is None or outcome.won:
                continue
            waiting.append(outcome.player)
            for rule, low, high in outcome.attacks if players > 1 else ():
                known = hit.get(rule, (low, high))
                hit[rule] = (min(known[0], low), max(known[1], high))
        if not waiting:
            waiting.extend(
                after
                for rule, (low, high) in hit.items()
                for victim in found
                if low <= victim.score < high and (after := automaton.after_attack(rules, victim, rule)) not in found
            )
    return found
