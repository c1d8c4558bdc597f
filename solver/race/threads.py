"""The threads of a sweep, and the ways in which they share work. No result depends on how many there are."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, CancelledError, ThreadPoolExecutor, wait
from contextlib import contextmanager
from threading import Event
from typing import Any, TypeVar

from solver._relaxation import Team

_Found = TypeVar("_Found")


class Threads:
    """A number of threads, made by ``threads_of``, which also ends them."""

    def __init__(self, count: int, pool: ThreadPoolExecutor) -> None:
        self.count = count
        self._pool = pool
        self._stopping = Event()

    def each(self, work: Callable[[Any], _Found], pieces: Iterable[Any]) -> list[_Found]:
        """Do work on pieces, several at the same time; when this is interrupted, no work goes on."""
        started = [self._pool.submit(work, piece) for piece in pieces]
        try:
            return [one.result() for one in started]
        except BaseException:
            self._stopping.set()
            for one in started:
                one.cancel()
            wait(started)
            self._stopping.clear()
            raise

    def stop_if_interrupted(self) -> None:
        """Called now and then by long work, so that who has interrupted it need not wait. May raise CancelledError."""
        if self._stopping.is_set():
            raise CancelledError

    def in_parts(self, work: Callable[[int, int], None], parts: Iterable[tuple[int, int]]) -> None:
        """Do work on parts of a range, as threads become free."""
        list(self._pool.map(work, *zip(*parts, strict=True)))

    def in_pieces(self, work: Callable[[int, int], None], begin: int, end: int) -> None:
        """Do work on a range, in a piece for each thread if it is long enough to be worth the trouble."""
        if end - begin < self.count or self.count == 1:
            work(begin, end)
        else:
            edges = [begin + (end - begin) * piece // self.count for piece in range(self.count + 1)]
            list(self._pool.map(work, edges, edges[1:]))

    def in_step(self, work: Callable[[Team, int], None]) -> None:
        """Call ``work`` with a team and 0, 1, ... once for each thread at the same time, so that they can wait for
        one another.
        """
        team = Team(self.count)
        if self.count == 1:
            work(team, 0)
            return
        started = []
        try:
            for number in range(self.count):
                started.append(self._pool.submit(work, team, number))
            for one in wait(started, return_when=FIRST_EXCEPTION).done:
                one.result()
        except BaseException:
            team.give_up()  # or the others would wait for ever
            wait(started)
            raise


@contextmanager
def threads_of(count: int | None = None) -> Iterator[Threads]:
    """Threads, by default one for each processor that this process may use."""
    if count is None:
        count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    pool = ThreadPoolExecutor(max_workers=count)
    try:
        yield Threads(count, pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
