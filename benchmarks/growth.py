"""How cost grows with the target, with player states and with threads.

    python benchmarks/growth.py [--write]

With ``--write`` the tables go to docs/performance.md and the picture to docs/growth.svg, which needs matplotlib.
"""

import tempfile
import time
from functools import partial
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measure import PAGE, arguments, least, machine, race, seconds, table, write

from solver.race.solve import solve
from solver.race.sweep import sweeper

TARGETS = (50, 100, 200, 400)
RULESETS = (
    "thousand-general-simple",
    "thousand-raznoobrazie-extra-turn",
    "thousand-classic",
    "thousand-classic-debt-100",
)
THREADED = "thousand-classic"
PICTURE = PAGE.with_name("growth.svg")


class Cost(NamedTuple):
    """What a game for two costs, solved and proven to 1e-9 on one thread."""

    name: str
    states: int
    sweep: float
    """Processor seconds of one sweep of the operator."""
    solve: float
    """Processor seconds of the solve with its proof."""
    rounds: int


def cost(name: str, ruleset: str, repeat: int) -> Cost:
    model = race(ruleset)
    found = [_timed_solve(ruleset) for _again in range(repeat)]
    with sweeper(model, "win", threads=1) as sweep:
        values = np.full(sweep.shape, 0.5)
        taken = least(lambda: sweep.operator(values), 3)
    return Cost(name, len(model.states), taken, min(one for one, _rounds in found), found[0][1])


def _timed_solve(ruleset: str) -> tuple[float, int]:
    model = race(ruleset)
    began = time.process_time()
    solution = solve(model, "win", threads=1)
    return time.process_time() - began, solution.rounds


def costs_table(costs: list[Cost], head: str) -> str:
    """Costs with how they grow: the power of the player states by which time grows from one row to the next."""
    rows = []
    for before, one in zip([None, *costs], costs, strict=False):
        power = "" if before is None else f"{log(one.solve / before.solve) / log(one.states / before.states):.1f}"
        rows.append([
            one.name, one.states, one.states**2, seconds(one.solve), one.rounds, f"{one.solve / one.sweep:.1f}",
            f"{one.solve / one.states**2 * 1e6:.2f} µs", power,
        ])  # fmt: skip
    heads = ["player states", "match states", "CPU", "rounds", "in operator sweeps", "a match state", "power"]
    return table([head, *heads], rows)


def threads_table() -> str:
    """One sweep and a whole solve on one and on two threads; the values must be the same bytes."""
    model = race(THREADED)
    rows, whole, one_sweep, one_solve = [], [], 0.0, 0.0
    for threads in (1, 2):
        with sweeper(model, "win", threads=threads) as sweep:
            work = partial(sweep.operator, np.full(sweep.shape, 0.5))
            a_sweep, a_sweep_cpu = least(work, 7, time.perf_counter), least(work, 7)
        cpu, wall = [], []
        for _again in range(2):
            began, began_wall = time.process_time(), time.perf_counter()
            solution = solve(model, "win", threads=threads)
            cpu.append(time.process_time() - began)
            wall.append(time.perf_counter() - began_wall)
        whole.append(solution.values.tobytes())
        one_sweep, one_solve = one_sweep or a_sweep, one_solve or min(wall)
        rows.append([threads, seconds(a_sweep_cpu), seconds(a_sweep), f"{one_sweep / a_sweep:.2f}", seconds(min(cpu)),
                     seconds(min(wall)), f"{one_solve / min(wall):.2f}"])  # fmt: skip
    same = "the same bytes" if whole[0] == whole[1] else "DIFFERENT VALUES"
    heads = ["threads", "sweep, CPU", "sweep, wall", "times faster", "solve, CPU", "solve, wall", "times faster"]
    return f"{table(heads, rows)}\n\nThe values with one and with two threads: {same}."


def draw(pig: list[Cost], thousand: list[Cost]) -> None:
    import matplotlib as mpl  # a benchmark without --write does without it

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "kosti", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 3.8), layout="constrained")
    for label, costs, marker in (("Pig", pig, "o"), ("Thousand, by ruleset", thousand, "s")):
        ordered = sorted(costs, key=lambda one: one.states)
        pairs = [one.states**2 for one in ordered]
        lines = axes.loglog(pairs, [one.solve for one in ordered], marker + "-", label=f"{label}: solved and proven")
        axes.loglog(pairs, [one.sweep for one in ordered], marker + ":", color=lines[0].get_color(),
                    label=f"{label}: one sweep of the operator")  # fmt: skip
    axes.set(xlabel="match states (pairs of player states)", ylabel="CPU seconds, one thread")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(PICTURE, metadata={"Date": None})


def main() -> None:
    options = arguments(__doc__).parse_args()
    pig = []
    with tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            file = Path(folder) / f"pig-{target}.toml"
            file.write_text(f'extends = "pig"\n[match]\ntarget = {target}\n')
            pig.append(cost(f"Pig to {target}", str(file), 3 if target <= 200 else 1))
            print(pig[-1], flush=True)
    thousand = []
    for name in RULESETS:
        thousand.append(cost(f"`{name}`", name, 2))
        print(thousand[-1], flush=True)
    parts = {"growth-pig": costs_table(pig, "game"), "growth-thousand": costs_table(thousand, "ruleset"),
             "growth-threads": threads_table()}  # fmt: skip
    for name, text in parts.items():
        told = f"{machine()}.\n\n{text}"
        print(told, end="\n\n")
        if options.write:
            write(name, told)
    if options.write:
        draw(pig, thousand)


if __name__ == "__main__":
    main()
