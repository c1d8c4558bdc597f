# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Play of a score sheet for the final total, where the points written so far matter: see ``solver.sheet.totals``.

A place is a lane of a state together with one of its totals. All functions release the GIL and write only what belongs
to the states that they are given, so results do not depend on the number of threads.
"""
from libc.stdint cimport int32_t, int64_t

from solver._sheet cimport Sheet, Work, follow, step_of, step_t, totals_t


def solve_totals(
    Sheet sheet, const int32_t[::1] states, const int64_t[::1] start, const int32_t[::1] low,
    const int32_t[::1] size, const double[::1] after, double[::1] values,
):
    """Fill in what the totals of the lanes of these states are worth: values[start[lane] + total - low[lane]].

    ``start``, ``low`` and ``size``: [lanes of the sheet], those of a state one after another; lanes of size 0 are
    never met. ``after`` are the values of the next level, and totals below the first or above the last of a lane
    are worth the same as that.
    """
    sheet.check(min(start.shape[0], low.shape[0], size.shape[0]))
    cdef Work work = sheet.work()
    cdef totals_t totals
    cdef int32_t lane
    cdef int64_t first, count
    cdef Py_ssize_t i
    totals.start, totals.low, totals.size = &start[0], &low[0], &size[0]
    with nogil:
        for i in range(states.shape[0]):
            first, count = sheet.start[states[i]], 0
            for lane in range(sheet.lanes_of(states[i])):
                count += size[first + lane]
            sheet.solve_state(states[i], work, &totals, count, &after[0], &values[start[first]])


def range_totals(Sheet sheet, const int32_t[::1] states, int32_t[::1] low, int32_t[::1] high, bint forward):
    """Least and most points of lanes, whatever is thrown and written: those made on the way, or those to come.

    int32 [lanes of the sheet], with the least above the most where there are none. Forwards these states widen
    those with one more row written; else they take theirs from them.
    """
    sheet.check(min(low.shape[0], high.shape[0]))
    cdef Work work = sheet.work()
    cdef int32_t state, kind, candidate, lane, to, gained
    cdef int64_t here, there
    cdef double points = 0.0
    cdef step_t step
    cdef Py_ssize_t i
    with nogil:
        for i in range(states.shape[0]):
            state = states[i]
            sheet.offer(state, work)
            for kind in range(work.offers.kinds):
                for candidate in range(work.offers.candidates):
                    step = step_of(sheet, state, work, kind, candidate)
                    for lane in range(sheet.lanes_of(state)):
                        to = follow(&step, lane, &points)
                        here, there = sheet.start[state] + lane, sheet.start[step.following] + to
                        if to < 0 or (forward and low[here] > high[here]):
                            continue
                        gained = <int32_t> points
                        if forward:
                            low[there] = min(low[there], low[here] + gained)
                            high[there] = max(high[there], high[here] + gained)
                        else:
                            low[here] = min(low[here], low[there] + gained)
                            high[here] = max(high[here], high[there] + gained)
