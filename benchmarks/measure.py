"""What the benchmarks share: processor time, peak memory, tables and the page that shows them.

Times are processor time of all threads, the least of several repetitions, so that other work on the machine disturbs
little; where wall time is meant it says so.
"""

import argparse
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from solver.race.contradictions import read_rules
from solver.race.model import RaceModel, compile_race
from solver.ruleset import load_ruleset

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"


def least(work: Callable[[], object], repeat: int, clock: Callable[[], float] = time.process_time) -> float:
    """The least seconds of ``clock`` that some work takes."""
    found = []
    for _again in range(repeat):
        began = clock()
        work()
        found.append(clock() - began)
    return min(found)


def race(name: str) -> RaceModel:
    """A race game compiled for two players: a shipped ruleset or a file."""
    return compile_race(read_rules(load_ruleset(name)), 2)


def instruction_set() -> tuple[str, int, list[str]]:
    """The widest set of instructions that the kernels use here: its name, bytes of a register, flags for the compiler.

    The same choice as that of ``kernels_of_this_machine`` in ``ext/turn.h``.
    """
    flags = _cpu("flags").split()
    if "avx512f" in flags:
        return "AVX-512", 64, ["-mavx512f", "-mfma"]
    if "avx2" in flags and "fma" in flags:
        return "AVX2", 32, ["-mavx2", "-mfma"]
    return "basic", 16, []


def machine() -> str:
    """This machine in a few words."""
    cores = sum(line.startswith("processor") for line in _cpu_lines())
    name = _cpu("model name") or platform.machine()
    return f"{name}, {cores or 'unknown'} cores visible, kernels for {instruction_set()[0]}, {platform.system()}"


def _cpu(key: str) -> str:
    return next((line.partition(":")[2].strip() for line in _cpu_lines() if line.startswith(key)), "")


def _cpu_lines() -> list[str]:
    try:
        return Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return []


def peak_memory() -> int:
    """Most bytes of memory that this process has held at a time. Linux only: ``ru_maxrss`` counts the parent's too."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def seconds(value: float) -> str:
    """A time with three digits."""
    for size, unit in ((60.0, "min"), (1.0, "s"), (1e-3, "ms")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-6:.3g} µs"


def write(name: str, text: str) -> None:
    """Put text between the markers of that name on the page."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    page = PAGE.read_text()
    head, found, rest = page.partition(begin)
    _old, found_end, tail = rest.partition(end)
    if not (found and found_end):
        raise SystemExit(f"{PAGE}: no markers for {name}")
    PAGE.write_text(f"{head}{begin}\n\n{text}\n\n{end}{tail}")


def arguments(description: str | None) -> argparse.ArgumentParser:
    """Arguments of a benchmark that may write its tables to the page."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the tables into docs/performance.md")
    return parser
