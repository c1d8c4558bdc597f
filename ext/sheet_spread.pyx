# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What the best plan of a score sheet leads to, and with what chances: see ``solver.sheet.spread``."""
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy
from sheet_kernels cimport WIDEST

import numpy as np

from solver._sheet cimport Sheet, Work, follow, step_of, step_t


def vary(Sheet sheet, const int32_t[::1] states, const double[::1] values, double[::1] variances):
    """Fill in how much the points to come vary under the best plan, from the states with one more row written."""
    sheet.check(min(values.shape[0], variances.shape[0]))
    cdef Work work = sheet.work()
    cdef double sums[WIDEST]
    cdef double chance, apart
    cdef int32_t lane, count, width, state, at
    cdef Py_ssize_t i, j
    with nogil:
        for i in range(states.shape[0]):
            state = states[i]
            count = sheet.lanes_of(state)
            sheet.offer(state, work)
            work.begin(count)
            width = work.kernels.lanes
            lane = 0
            while lane < count:
                sheet.block(state, work, NULL, lane, count)
                sheet.fill(state, work, &values[0], 1.0)
                work.kernels.plan(&sheet.lattice, &work.offers, work.candidates, work.nodes, work.chances)
                for at in range(width):
                    sums[at] = 0.0
                for j in range(work.size()):
                    for at in range(width):
                        chance = work.chances[j * width + at]
                        if chance > 0.0:
                            apart = work.candidates[j * width + at]
                            apart -= values[sheet.start[state] + work.lane[at]]
                            sums[at] += chance * apart * apart
                sheet.fill(state, work, &variances[0], 0.0)
                for j in range(work.size()):
                    for at in range(width):
                        chance = work.chances[j * width + at]
                        if chance > 0.0:
                            sums[at] += chance * work.candidates[j * width + at]
                memcpy(&variances[sheet.start[state] + lane], sums, min(width, count - lane) * sizeof(double))
                lane += width


def edges(Sheet sheet, int32_t state, const int32_t[::1] lanes, const double[::1] values):
    """Where the best plan leads from some lanes of a state.

    For every such edge: int64 [4, edges], its number in the list of lanes, the next state and its lane, and the
    points on the way; and float64 [edges], its chance.
    """
    sheet.check(values.shape[0])
    cdef Work work = sheet.offered(state)
    cdef Py_ssize_t first, most = work.size() * lanes.shape[0], found = 0, place
    cdef int32_t width, at, kind, candidate
    cdef double points = 0.0
    cdef step_t step
    facts, chances = np.empty((4, most), dtype=np.int64), np.empty(most)
    cdef int64_t[:, ::1] fact = facts
    cdef double[::1] chance = chances
    with nogil:
        work.begin(lanes.shape[0])
        width = work.kernels.lanes
        first = 0
        while first < lanes.shape[0]:
            for at in range(width):
                work.lane[at] = lanes[min(first + at, lanes.shape[0] - 1)]
            sheet.fill(state, work, &values[0], 1.0)
            work.kernels.plan(&sheet.lattice, &work.offers, work.candidates, work.nodes, work.chances)
            place = 0
            for kind in range(work.offers.kinds):
                for candidate in range(work.offers.candidates):
                    step = step_of(sheet, state, work, kind, candidate)
                    for at in range(<int32_t> min(width, lanes.shape[0] - first)):
                        if work.chances[place + at] > 0.0:
                            fact[0, found], fact[1, found] = first + at, step.following
                            fact[2, found] = follow(&step, work.lane[at], &points)
                            fact[3, found] = <int64_t> points
                            chance[found] = work.chances[place + at]
                            found += 1
                    place += width
            first += width
    return facts[:, :found].copy(), chances[:found].copy()


def push(
    const int64_t[::1] source, const int64_t[::1] target, const int64_t[::1] shift, const double[::1] chance,
    const int64_t[::1] source_at, const int64_t[::1] source_low, const int64_t[::1] source_size,
    const int64_t[::1] target_at, const int64_t[::1] target_low, const double[::1] before, double[::1] after,
):
    """Move distributions of scores along edges: after[target] += chance * before[source], shifted by points.

    The distribution of a place begins at ``at`` in its array, with the chance of the score ``low``.
    """
    cdef Py_ssize_t e, i
    cdef const double *origin
    cdef double *end
    with nogil:
        for e in range(source.shape[0]):
            origin = &before[source_at[source[e]]]
            end = &after[target_at[target[e]]] + (source_low[source[e]] + shift[e] - target_low[target[e]])
            for i in range(source_size[source[e]]):
                end[i] += chance[e] * origin[i]
