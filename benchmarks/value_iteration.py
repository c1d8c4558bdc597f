"""Our solver against plain Gauss-Seidel value iteration with the same inner loop, in one run.

    python benchmarks/value_iteration.py [RULESET] [--write]

Value iteration sweeps in place until nothing changes by more than 1e-12; our solver proves a bound of 1e-9. Both run on
one thread and are measured in processor time, so that other work on the machine disturbs little.
"""

import time

import numpy as np
from measure import arguments, machine, race, seconds, table, write

from solver.race.model import RaceModel
from solver.race.solve import solve
from solver.race.sweep import sweeper

GOAL = 1e-12
MOST_SWEEPS = 1000


def value_iteration(model: RaceModel) -> tuple[int, float, np.ndarray]:
    """Sweep in place from the highest scores down; returns sweeps, processor seconds, and the values."""
    with sweeper(model, "win", threads=1) as sweep:
        values = np.full(sweep.shape, 0.5)
        layers = sweep.layers_of(values)
        found = np.zeros(sweep.padded)
        found[:, : len(values)] = values
        hit = [[np.flatnonzero(target == state) for state in range(len(values))] for target in model.attack_target]
        began = time.process_time()
        for number in range(1, MOST_SWEEPS + 1):
            change = 0.0
            for mover in reversed(range(len(values))):
                before = found[mover].copy()
                sweep.machine.operator(layers, mover, mover + 1, found)
                change = max(change, float(np.abs(found[mover] - before)[: len(values)].max()))
                passed = 1.0 - found[mover, : len(values)]
                layers[0, : len(values), mover] = passed
                for layer, waiters in enumerate(hit, 1):
                    layers[layer, : len(values), waiters[mover]] = passed
            if change <= GOAL:
                return number, time.process_time() - began, found[:, : len(values)]
    raise SystemExit(f"value iteration: no end after {MOST_SWEEPS} sweeps, the last change was {change:.1e}")


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("ruleset", nargs="?", default="thousand-classic")
    options = parser.parse_args()
    model = race(options.ruleset)

    began = time.process_time()
    solution = solve(model, "win", tolerance=1e-9, threads=1)
    ours = time.process_time() - began
    print(f"our solver: {solution.rounds} rounds, {ours:.3f} s CPU", flush=True)

    sweeps, plain, values = value_iteration(model)
    apart = float(np.abs(values - solution.values).max())
    rows = [
        ["our solver, proof included", f"{solution.rounds} rounds", seconds(ours), f"{solution.bound:.1e}, proven"],
        ["plain Gauss-Seidel value iteration", f"{sweeps} sweeps", seconds(plain), f"{apart:.1e} from ours, unproven"],
        ["ratio", "", f"{plain / ours:.1f}", ""],
    ]
    text = f"{machine()}. Game: `{options.ruleset}` for two.\n\n{table(['how', 'steps', 'CPU', 'error'], rows)}"
    print(text)
    if options.write:
        write("value-iteration", text)


if __name__ == "__main__":
    main()
