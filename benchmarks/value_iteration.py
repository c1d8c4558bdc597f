"""Our solver against plain Gauss-Seidel value iteration with the same inner loop, in one run.

    python benchmarks/value_iteration.py [RULESET] [--sweeps N]

Both solve the two-player game to a residual of 1e-12 and are measured in processor time, so that other work on the
machine disturbs little. With --sweeps the baseline stops early and its time is extrapolated, which is then said.
"""

import argparse
import time
from math import log

import numpy as np

from solver.families import load_rules
from solver.race.model import RaceModel, compile_race
from solver.race.solve import solve
from solver.race.sweep import sweeper

GOAL = 1e-12


def value_iteration(model: RaceModel, most_sweeps: int) -> tuple[int, float, float]:
    """Sweep in place from the highest scores down; returns sweeps, processor seconds, and the last change."""
    with sweeper(model, "win", threads=1) as sweep:
        values = np.full(sweep.shape, 0.5)
        layers = sweep.layers_of(values)
        found = np.zeros(sweep.padded)
        found[:, : len(values)] = values
        hit = [[np.flatnonzero(target == state) for state in range(len(values))] for target in model.attack_target]
        began = time.process_time()
        for number in range(1, most_sweeps + 1):
            change = 0.0
            for mover in reversed(range(len(values))):
                before = found[mover].copy()
                sweep.machine.operator(layers, mover, mover + 1, found)
                change = max(change, float(np.abs(found[mover] - before)[: len(values)].max()))
                passed = 1.0 - found[mover, : len(values)]
                layers[0, : len(values), mover] = passed
                for layer, waiters in enumerate(hit, 1):
                    layers[layer, : len(values), waiters[mover]] = passed
            if number % 10 == 0:
                print(f"  sweep {number}: change {change:.1e}", flush=True)
            if change <= GOAL:
                break
        return number, time.process_time() - began, change


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ruleset", nargs="?", default="thousand-classic")
    parser.add_argument("--sweeps", type=int, default=1000)
    options = parser.parse_args()
    model = compile_race(load_rules(options.ruleset), 2)

    began = time.process_time()
    solution = solve(model, "win", tolerance=1e-9)
    ours = time.process_time() - began
    print(
        f"policy iteration: {solution.rounds} rounds, {ours:.2f} s CPU, {solution.seconds:.2f} s wall, "
        f"proof included, bound {solution.bound:.1e}"
    )

    sweeps, seconds, change = value_iteration(model, options.sweeps)
    if change > GOAL:
        needed = sweeps * log(GOAL) / log(change)
        print(f"value iteration: stopped after {sweeps} sweeps at {change:.1e}; extrapolated to {needed:.0f} sweeps")
        seconds *= needed / sweeps
    else:
        print(f"value iteration: {sweeps} sweeps")
    print(f"value iteration: {seconds:.2f} s CPU, without proof")
    print(f"ratio: {seconds / ours:.1f}")


if __name__ == "__main__":
    main()
