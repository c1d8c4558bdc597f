"""What this machine can do at most: multiply-adds a second, and bytes of memory a second.

    python benchmarks/limits.py

Compiles ``limits.c`` for the instruction set that Kosti's kernels use here. Rates are per second of processor time,
summed over the threads, the best of several tries: what the cores can do while they belong to us.
"""

import ctypes
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from measure import instruction_set, machine, table

SUMS, ROW = 12, 8  # as in limits.c
FIRST_LEVEL, SECOND_LEVEL = 16 * 1024, 160 * 1024
"""Bytes that fit into these caches of every processor of the last ten years; a turn of Thousand takes about as many
as the second."""
LARGE = 16_000_000  # numbers: more than the caches hold
TRIES, BRIEF = 7, 0.05


class Limits(NamedTuple):
    """Rates of one machine; all of them are per second of processor time."""

    peak: dict[tuple[str, int], float]
    """By kind of number and threads: multiply-adds from registers alone."""
    fed: dict[tuple[str, int], float]
    """By kind of number and bytes: multiply-adds of one thread that read a register each."""
    triad: dict[int, float]
    """By threads: bytes of memory read and written."""


def measure_limits() -> Limits:
    """Measure; takes some seconds."""
    with tempfile.TemporaryDirectory() as folder:
        library = _compiled(Path(folder))
    peak, fed, triad = {}, {}, {}
    width = instruction_set()[1]
    for name, kind, size in (("double", ctypes.c_double, 8), ("float", ctypes.c_float, 4)):
        work = getattr(library, f"peak_{name}")
        work.argtypes, work.restype = [ctypes.c_int64, kind], kind
        rounds = _calibrated(partial(_peak, work))
        for threads in (1, 2):
            jobs = [partial(work, rounds, 0.5)] * threads
            peak[name, threads] = _rate(jobs, rounds * SUMS * width / size)
        work = getattr(library, f"fed_{name}")
        work.argtypes, work.restype = [ctypes.c_int64, kind, ctypes.c_void_p, ctypes.c_int64], kind
        for bytes_read in (FIRST_LEVEL, SECOND_LEVEL):
            numbers = _aligned(bytes_read // 8)
            rows = bytes_read // (ROW * width)
            read = partial(lambda n, work, data, rows: work(n, 0.5, data.ctypes.data, rows), work=work, data=numbers,
                           rows=rows)  # fmt: skip
            rounds = _calibrated(read)
            fed[name, bytes_read] = _rate([partial(read, rounds)], rounds * rows * ROW * width / size)
    library.triad.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_double, ctypes.c_int64]
    library.triad.restype = None
    arrays = [np.ones(LARGE) for _each in range(3)]
    for threads in (1, 2):
        part = LARGE // threads
        jobs = [partial(library.triad, *(one[i * part :].ctypes.data for one in arrays), 0.5, part)
                for i in range(threads)]  # fmt: skip
        triad[threads] = _rate(jobs, part * 24.0)
    return Limits(peak, fed, triad)


def _compiled(folder: Path) -> ctypes.CDLL:
    _name, width, flags = instruction_set()
    source, target = Path(__file__).with_name("limits.c"), folder / "limits.so"
    compiler = os.environ.get("CC", "cc")
    options = ["-O3", "-ffp-contract=fast", "-Wno-psabi", f"-DREGISTER={width}", *flags, "-shared", "-fPIC"]
    subprocess.run([compiler, *options, str(source), "-o", str(target)], check=True)
    return ctypes.CDLL(str(target))


def _peak(work: Callable[[int, float], object], rounds: int) -> object:
    return work(rounds, 0.5)


def _aligned(count: int) -> np.ndarray:
    """Ones at an address that any register may be read from."""
    raw = np.ones(count + 8)
    first = -(raw.ctypes.data // 8) % 8
    return raw[first : first + count]


def _calibrated(work: Callable[[int], object]) -> int:
    """So many rounds that work takes a brief while."""
    rounds = 1
    while True:
        began = time.thread_time()
        work(rounds)
        if time.thread_time() - began > BRIEF:
            return rounds
        rounds *= 2


def _rate(jobs: Sequence[Callable[[], object]], amount: float) -> float:
    """The sum of the rates of jobs that run at the same time, each of which does that amount."""

    def timed(job: Callable[[], object]) -> float:
        began = time.thread_time()
        job()
        return amount / (time.thread_time() - began)

    with ThreadPoolExecutor(len(jobs)) as pool:
        return max(sum(pool.map(timed, jobs)) for _again in range(TRIES))


def limits_table(limits: Limits) -> str:
    """All limits as a table."""
    rows = []
    for (name, threads), rate in limits.peak.items():
        rows.append([f"multiply-adds of registers, {name}, threads: {threads}", f"{rate / 1e9:.1f} G/s"])
    for (name, size), rate in limits.fed.items():
        share = rate / limits.peak[name, 1]
        what = f"multiply-adds that read a register each from {size // 1024} kB, {name}, one thread"
        rows.append([what, f"{rate / 1e9:.1f} G/s, {share:.0%} of the peak"])
    for threads, rate in limits.triad.items():
        rows.append([f"memory, triad, threads: {threads}", f"{rate / 1e9:.1f} GB/s"])
    return table(["limit", "measured"], rows)


if __name__ == "__main__":
    print(f"{machine()}.\n\n{limits_table(measure_limits())}")
