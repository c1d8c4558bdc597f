"""The figures that matter, as ratios, in about two minutes.

    python benchmarks/suite.py [--write]

value_iteration.py compares larger games with plain value iteration, which takes longer.
"""

import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from functools import partial
from tempfile import TemporaryDirectory

import numpy as np
from limits import Limits, limits_table, measure_limits
from measure import arguments, least, machine, race, seconds, table, write
from value_iteration import value_iteration

import solver
from solver.families import solve_table
from solver.library import find_table
from solver.race import relaxation
from solver.race.model import RaceModel
from solver.race.solve import OFTEN, Solution, solve
from solver.race.stops import TURN_ENDS
from solver.race.sweep import sweeper

GAME = "thousand-classic"
SMALL = "thousand-general-simple"
ALIKE = 1e-8
"""Values of value iteration, whose error nothing bounds, may differ from ours by this much."""
ADVISE = ["-c", "from solver.entry import advise; advise()"]
POSITIONS = {
    "alone": ["--score", "225", "--dice", "1,5,3,3,4"],
    "against an opponent": ["--score", "500", "--vs", "640", "--turn", "100", "--dice", "5,2,3"],
}
MEMORY = """
import sys
sys.path.insert(0, sys.argv[2])
from measure import peak_memory, race
from solver.race.solve import solve
import scipy.sparse.linalg
model = race(sys.argv[1])
before = peak_memory()
solution = solve(model, "win")
print((peak_memory() - before) / solution.values.nbytes)
"""


def multiply_adds(model: RaceModel) -> int:
    """Multiply-adds of one operator sweep for two: totals at which a turn goes on, by rolls and ends, by waiters.

    Those that repeat the highest total of a turn until it settles are not counted, nor what is beyond the last waiter.
    """
    graph, states = model.graph, len(model.states)
    a_total = len(graph.roll_chance) + np.size(graph.end_chance)
    return int(np.count_nonzero(model.modes != TURN_ENDS)) * a_total * states


def solved(model: RaceModel, threads: int | None, repeat: int) -> tuple[float, float, Solution]:
    """The least processor and wall seconds of a solve with its proof, and what it found."""
    cpu, wall = [], []
    for _again in range(repeat):
        began, began_wall = time.process_time(), time.perf_counter()
        solution = solve(model, "win", threads=threads)
        cpu.append(time.process_time() - began)
        wall.append(time.perf_counter() - began_wall)
    return min(cpu), min(wall), solution


def sweeps(model: RaceModel, values: np.ndarray, limits: Limits) -> list[list[str]]:
    """One sweep of each kind over all match states, on one thread."""
    with sweeper(model, "win", threads=1) as sweep:
        operator = least(lambda: sweep.operator(values), 5)
        plan = least(lambda: sweep.plan(values, OFTEN), 5)
        _residual, plans = sweep.plan(values, OFTEN)
        ones, usual = np.ones(sweep.shape), relaxation.MOST_SWEEPS
        taken = []
        for count in (2, 12):
            relaxation.MOST_SWEEPS = count
            taken.append(least(lambda: sweep.relaxed(plans, ones, 1.0, 0.0), 3))
        relaxation.MOST_SWEEPS = usual
    relax = (taken[1] - taken[0]) / 10
    rate, peak = multiply_adds(model) / operator, limits.peak["double", 1]
    fed = min(rate for (kind, _size), rate in limits.fed.items() if kind == "double")
    return [
        ["operator sweep, double precision", seconds(operator),
         f"{rate / 1e9:.2f} G multiply-adds/s: {rate / peak:.0%} of the peak, {rate / fed:.0%} of what the "
         "second-level cache can feed"],
        ["plan sweep, single precision: the same, then plans pushed forward", seconds(plan),
         f"{plan / operator:.2f} operator sweeps"],
        ["relaxation sweep, single precision, with its mixing", seconds(relax),
         f"{relax / operator:.3f} operator sweeps; {relax / model.highest.size**2 * 1e9:.0f} ns a match state"],
    ]  # fmt: skip


def against_value_iteration(model: RaceModel, name: str, ours: float, solution: Solution) -> list[str]:
    """Plain value iteration with the same inner loop, to the end."""
    count, plain, values = value_iteration(model)
    apart = float(np.abs(values - solution.values).max())
    if apart > ALIKE:
        raise SystemExit(f"{name}: value iteration ends {apart:.1e} from our solver")
    return [f"`{name}`, plain Gauss-Seidel value iteration to 1e-12, unproven", seconds(plain),
            f"{count} sweeps; {plain / ours:.1f} times our solver"]  # fmt: skip


def solves() -> list[list[str]]:
    """Whole games for two, solved and proven to 1e-9."""
    rows = []
    for name, repeat, baseline in (("pig", 5, True), (SMALL, 3, True), (GAME, 2, False)):
        model = race(name)
        cpu, _wall, solution = solved(model, 1, repeat)
        _cpu, wall, _solution = solved(model, None, repeat)
        how = f"{solution.rounds} rounds, bound {solution.bound:.0e}; {seconds(wall)} wall on all cores"
        rows.append([f"`{name}` solved and proven, one thread", seconds(cpu), how])
        if baseline:
            rows.append(against_value_iteration(model, name, cpu, solution))
    return rows


def children(command: list[str], env: dict[str, str]) -> float:
    """Processor seconds of a program, shell to shell."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env=env, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands() -> list[list[str]]:
    """The command ``advise``, beside a bare interpreter, with bytecode as whoever installs Kosti has it."""
    bare = ["-c", "pass"]
    words = {where: [*ADVISE, *position] for where, position in POSITIONS.items()}
    with TemporaryDirectory() as folder:
        # Whatever this shell says of bytecode: it is written here by a first run, and read by those that are measured.
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        env["PYTHONPYCACHEPREFIX"] = folder
        times: dict[str, list[float]] = defaultdict(list)
        for again in range(16):
            for where, call in {"": bare, **words}.items():
                taken = children([sys.executable, *call], env)
                if again:
                    times[where].append(taken)
    least_of = {where: min(found) for where, found in times.items()}
    return [
        [f"`advise` {where}, shipped table, shell to shell", seconds(least_of[where]),
         f"{seconds(least_of[''])} of it are the bare interpreter, {seconds(least_of[where] - least_of[''])} ours"]
        for where in POSITIONS
    ]  # fmt: skip


def answers() -> list[list[str]]:
    """Advice: a command, one call, many positions at a time."""
    bot = solver.advisor(GAME)
    random = np.random.default_rng(1)
    count = 20_000
    playable = np.flatnonzero(bot.states[:, bot.fields.index("score")] < 880)
    mover, waiter = random.choice(playable, count), random.choice(len(bot.states), count)
    dice = random.integers(1, 7, (count, 5))
    single = least(lambda: [bot.advise_many(mover[:1], waiter[:1], 0, dice[:1]) for _call in range(200)], 5) / 200
    many = least(lambda: bot.advise_many(mover, waiter, 0, dice), 3) / count
    return [
        *commands(),
        [f"`advise_many`, a batch of {count} first throws", f"{seconds(many)} a position",
         f"{1 / many:.0f} positions/s on one core"],
        ["`advise_many`, one first throw a call", seconds(single), f"{single / many:.1f} times as long as in a batch"],
    ]  # fmt: skip


def memory() -> list[list[str]]:
    """Peak memory of a solve beyond that of the compiled model, in a process of its own."""
    here = sys.path[0]
    rows = []
    for name in ("pig", GAME):
        run = subprocess.run([sys.executable, "-c", MEMORY, name, here], check=True, stdout=subprocess.PIPE, text=True)
        rows.append([f"`{name}`, memory of a solve", f"{float(run.stdout):.1f} tables", "a table is 8 bytes a pair"])
    return rows


def main() -> None:
    options = arguments(__doc__).parse_args()
    limits = measure_limits()
    model = race(GAME)
    values = np.asarray(find_table(model.rules, "win", solve=lambda: solve_table(model.rules, "win")[0]).values)
    rows = []
    for part in (partial(sweeps, model, values, limits), solves, answers, memory):
        for row in part():
            print(*row, sep=" | ", flush=True)
            rows.append(row)
    text = f"{machine()}.\n\n{limits_table(limits)}\n\n{table(['work', 'CPU time', 'as a ratio'], rows)}"
    print(text)
    if options.write:
        write("suite", text)


if __name__ == "__main__":
    main()
