# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Turns of five dice with some choices fixed: what they are worth, what is chosen, and how they end.

For each throw n of a turn, throw of five dice d and lane, a choice is fixed or free:

    X_n(d) = worth_n(c)            where candidate c is to be written
             E_{n+1}(k)            where keep k is to be kept
             the best of what is not barred, where the choice is free
    E_n(k) = the mean of X_n over the throws that keep k may become, one die at a time

Memory: worths[throw][candidate][lane]; fixed and barred [throw][252][lane]; nodes [462][BLOCK] for each throw, blocks
of lanes side by side. A choice is one number: a candidate from 0 on, FREE, or KEEP - k for keep k. In ``barred`` bit i
bars the i-th open row and the last bit bars every keep; where all is barred, nothing is. Of free choices within ``tie``
of the best the first counts: writing, in the order of the rows, then the keep with the most dice.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int16_t, int32_t, uint32_t
from libc.stdlib cimport calloc, free

import numpy as np

FREE = -1
KEEP = -2

cdef enum:
    THROWS = 252
    NODES = 462
    FACES = 6
    BLOCK = 8
    NO_KEEP = 31


cdef class Board:
    """The lattice of five dice, whose arrays it is made of by name, as ``solver.sheet.model`` has them."""

    cdef dict arrays
    cdef const int16_t[:, ::1] larger
    cdef const int32_t[::1] smaller_ptr
    cdef const int16_t[::1] smaller
    cdef const int32_t[::1] within_ptr
    cdef const int16_t[::1] within
    cdef const double[::1] chance

    def __init__(self, *, larger, smaller_ptr, smaller, within_ptr, within, chance):
        self.larger, self.smaller_ptr, self.smaller = larger, smaller_ptr, smaller
        self.within_ptr, self.within, self.chance = within_ptr, within, chance

    def play(
        self, const int32_t[::1] row_ptr, const int32_t[::1] rows, const int32_t[::1] ids,
        const double[:, :, ::1] worths, const int32_t[::1] throws, const int16_t[:, :, ::1] fixed,
        const uint32_t[:, :, ::1] barred, double tie=0.0, bint forward=False,
    ):
        """What turns are worth, what is chosen in them, and how likely that is.

        ``row_ptr``, ``rows``, ``ids``: for each throw the open rows that may take it and their candidates.
        ``throws``: of each lane. Gives float64 [lanes]; int16 shaped like ``fixed``; and with ``forward`` two more,
        else empty: float64 shaped like ``worths``, the chance that a turn ends with each candidate after each throw,
        and float64 shaped like ``fixed``, the chance that a turn comes to each throw of five dice.
        """
        cdef int32_t most = <int32_t> worths.shape[0], lanes = <int32_t> worths.shape[2], n, d, k, v, i, f, at, code
        cdef int32_t width, place, first_lane = 0
        cdef uint32_t bar
        cdef double best, worth
        if fixed.shape[0] != most or fixed.shape[1] != THROWS or fixed.shape[2] != lanes or throws.shape[0] != lanes:
            raise ValueError("the choices of a turn do not fit its worths")
        values = np.zeros(lanes)
        chosen = np.full((most, THROWS, lanes), FREE, dtype=np.int16)
        chances = np.zeros((most if forward else 0, worths.shape[1], lanes))
        cdef double[::1] value = values
        cdef int16_t[:, :, ::1] picks = chosen
        met = np.zeros((most if forward else 0, THROWS, lanes))
        cdef double[:, :, ::1] ends = chances
        cdef double[:, :, ::1] visits = met
        cdef double *nodes = <double *> calloc(<size_t> (most + 2) * NODES * BLOCK, sizeof(double))
        cdef double *bests = <double *> calloc(2 * NODES * BLOCK, sizeof(double))
        if not nodes or not bests:
            free(nodes)
            free(bests)
            raise MemoryError
        cdef double *here
        cdef double *then
        cdef double *mass = bests
        cdef double *following = bests + NODES * BLOCK
        cdef double total
        with nogil:
            while first_lane < lanes:
                width = min(BLOCK, lanes - first_lane)
                for n in range(most - 1, -1, -1):
                    here, then = nodes + n * NODES * BLOCK, nodes + (n + 1) * NODES * BLOCK
                    for i in range(NODES * BLOCK):  # the best keep within each keep, where there is a throw to come
                        bests[i] = then[i]
                    for k in range(NODES - 1, -1, -1):
                        for i in range(self.smaller_ptr[k], self.smaller_ptr[k + 1]):
                            at = self.smaller[i] * BLOCK
                            for v in range(BLOCK):
                                bests[k * BLOCK + v] = max(bests[k * BLOCK + v], bests[at + v])
                    for v in range(width):
                        at = first_lane + v
                        if n >= throws[at]:
                            continue
                        for d in range(THROWS):
                            code = fixed[n, d, at]
                            if code >= 0:
                                worth = worths[n, code, at]
                            elif code <= -2 and n + 1 < throws[at]:
                                worth = then[(-2 - code) * BLOCK + v]
                            else:
                                bar = barred[n, d, at]
                                while True:
                                    best = -INFINITY
                                    for i in range(row_ptr[d], row_ptr[d + 1]):
                                        if not bar >> rows[i] & 1:
                                            best = max(best, worths[n, ids[i], at])
                                    if n + 1 < throws[at] and not bar >> NO_KEEP & 1:
                                        best = max(best, bests[d * BLOCK + v])
                                    if best > -INFINITY or not bar:
                                        break
                                    bar = 0
                                code = -1
                                for i in range(row_ptr[d], row_ptr[d + 1]):
                                    if not bar >> rows[i] & 1 and worths[n, ids[i], at] >= best - tie:
                                        code = ids[i]
                                        break
                                if code >= 0:
                                    worth = worths[n, code, at]
                                elif then[d * BLOCK + v] >= best - tie:
                                    code = -2 - d
                                    worth = then[d * BLOCK + v]
                                else:
                                    worth = best
                                    for i in range(self.within_ptr[d], self.within_ptr[d + 1]):
                                        if then[self.within[i] * BLOCK + v] >= best - tie:
                                            code = -2 - self.within[i]
                                            worth = then[self.within[i] * BLOCK + v]
                                            break
                            here[d * BLOCK + v] = worth
                            picks[n, d, at] = code
                    for k in range(THROWS, NODES):
                        for v in range(BLOCK):
                            total = 0.0
                            for f in range(FACES):
                                total += here[self.larger[k - THROWS, f] * BLOCK + v]
                            here[k * BLOCK + v] = total * (1.0 / 6.0)
                for v in range(width):
                    value[first_lane + v] = nodes[(NODES - 1) * BLOCK + v]
                if forward:
                    for d in range(THROWS):
                        for v in range(BLOCK):
                            mass[d * BLOCK + v] = self.chance[d]
                    for n in range(most):
                        for i in range(NODES * BLOCK):
                            following[i] = 0.0
                        for v in range(width):
                            at = first_lane + v
                            if n >= throws[at]:
                                continue
                            for d in range(THROWS):
                                code = picks[n, d, at]
                                visits[n, d, at] = mass[d * BLOCK + v]
                                if code >= 0:
                                    ends[n, code, at] += mass[d * BLOCK + v]
                                else:
                                    following[(-2 - code) * BLOCK + v] += mass[d * BLOCK + v]
                        for k in range(NODES - 1, THROWS - 1, -1):
                            for f in range(FACES):
                                place = self.larger[k - THROWS, f]
                                for v in range(BLOCK):
                                    following[place * BLOCK + v] += following[k * BLOCK + v] * (1.0 / 6.0)
                        for i in range(NODES * BLOCK):
                            mass[i] = following[i]
                first_lane += BLOCK
        free(nodes)
        free(bests)
        return values, chosen, chances, met
