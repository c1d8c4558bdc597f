"""Processor time to solve Yatzy here and with the package yatzy-solver, in one run.

pip install yatzy-solver && python benchmarks/beside_yatzy_solver.py
"""

import time
from collections.abc import Callable

import yatzy_solver  # type: ignore[import-not-found]

from solver.families import load_rules
from solver.sheet.model import compile_sheet
from solver.sheet.rules import SheetGameRules
from solver.sheet.solve import solve

START = "dice 1 3 3 5 6 | rolls 2 | upper 0 | filled -"


def timed(work: Callable[[], object]) -> tuple[float, float, object]:
    wall, processor = time.perf_counter(), time.process_time()
    found = work()
    return time.process_time() - processor, time.perf_counter() - wall, found


def ours() -> object:
    rules = load_rules("yatzy")
    assert isinstance(rules, SheetGameRules)
    return solve(compile_sheet(rules)).values[0]


def theirs() -> object:
    return yatzy_solver.Solver.build(yatzy_solver.Variant("yatzy-scandinavian")).option_values(START)[0]


if __name__ == "__main__":
    results = [timed(work) for work in (ours, theirs)]
    for name, (processor, wall, found) in zip(("kosti", "yatzy-solver"), results, strict=True):
        print(f"{name}: {processor:.2f} s of processor time, {wall:.2f} s, {found}")
    print(f"ratio of processor times: {results[1][0] / results[0][0]:.1f}")
