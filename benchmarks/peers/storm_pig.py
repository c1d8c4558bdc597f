"""Two-player Pig with Storm, through stormpy, which must be in the environment of the interpreter.

    python storm_pig.py GOAL

Stormpy 2.0.0 reads and builds stochastic games but answers no reachability question about them, so this is strategy
iteration (A. J. Hoffman, R. M. Karp, 1966) around what it can do: Storm solves the Markov decision process of one
player against a fixed plan of the other, whose plan is then improved, until it does not change. Prints what came out
as JSON; the time that this script takes to write the processes down and to improve plans is counted apart.
"""

import json
import sys
import time
from collections import defaultdict

import stormpy
from stormpy.developer import storage

FACES = range(2, 7)
State = tuple[int, int, int, int]
"""Whose turn it is, the mover's score, the other's, and the points of the turn."""
WON, LOST = -1, -2


def transitions(goal: int, state: State) -> tuple[dict[State | int, float], dict[State | int, float] | None]:
    """What a throw leads to, and holding if it is allowed: before the first throw it is not."""
    who, mine, other, points = state
    throw: dict[State | int, float] = defaultdict(float)
    throw[1 - who, other, mine, 0] += 1 / 6
    for face in FACES:
        reached = mine + points + face >= goal  # he will hold, and has won
        throw[(WON if who == 0 else LOST) if reached else (who, mine, other, points + face)] += 1 / 6
    return throw, {(1 - who, other, mine + points, 0): 1.0} if points else None


def process(choices: list[list[dict[int, float]]], winning: int) -> stormpy.models.SparseMdp:
    builder = storage.SparseMatrixBuilder(has_custom_row_grouping=True)
    row = 0
    for group in choices:
        builder.new_row_group(row)
        for choice in group:
            for column in sorted(choice):
                builder.add_next_value(row, column, choice[column])
            row += 1
    labels = storage.StateLabeling(len(choices))
    labels.add_label("init")
    labels.add_label_to_state("init", 0)
    labels.add_label("won")
    labels.add_label_to_state("won", winning)
    return storage.SparseMdp(storage.SparseModelComponents(builder.build(), labels))


def solve(goal: int) -> dict[str, float]:
    states: list[State] = [
        (who, mine, other, points)
        for who in range(2)
        for mine in range(goal)
        for other in range(goal)
        for points in range(goal - mine)
    ]
    number: dict[State | int, int] = {state: place for place, state in enumerate(states)}
    number[WON], number[LOST] = len(states), len(states) + 1
    groups = [
        [{number[to]: chance for to, chance in choice.items()} for choice in transitions(goal, state) if choice]
        for state in states
    ]
    ends = [[{number[end]: 1.0}] for end in (WON, LOST)]
    holds = [state[3] >= 20 for state in states]  # a plan of the second player to begin with
    question = stormpy.parse_properties('Pmax=? [F "won"]')[0]
    seconds, rounds = 0.0, 0
    while True:
        rounds += 1
        fixed = [
            group if state[0] == 0 or len(group) == 1 else [group[hold]]
            for state, group, hold in zip(states, groups, holds, strict=True)
        ]
        model = process(fixed + ends, number[WON])
        began = time.process_time()
        result = stormpy.model_checking(model, question)
        seconds += time.process_time() - began
        values = [result.get_value(place) for place in range(len(states) + 2)]
        changed = False
        for place, group in enumerate(groups):
            if states[place][0] == 1 and len(group) == 2:
                throw, hold = (sum(chance * values[to] for to, chance in choice.items()) for choice in group)
                better = hold < throw if abs(hold - throw) > 1e-7 else holds[place]
                changed |= better != holds[place]
                holds[place] = better
        if not changed:
            return {"value": values[0], "rounds": rounds, "seconds": seconds, "states": len(states)}


if __name__ == "__main__":
    began = time.process_time()
    found = solve(int(sys.argv[1]))
    print(json.dumps(found | {"apart": time.process_time() - began - found["seconds"]}))
