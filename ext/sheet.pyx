# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Turns of score sheets: the states of a sheet backwards, and one turn for advice.

The arrays that a sheet is made of are those of ``solver.sheet.model``; the loops and their memory layout are described
in ``sheet.h``. A state of a sheet tells how often each row is written; its lanes are all that is to be remembered
beside that: for each note, such as a total of the school, and for each number of saved throws.

Play for the final total is in ``sheet_totals.pyx``, what the best plan leads to in ``sheet_spread.pyx``.

Only arrays cross this border. Methods that take a list of states release the GIL and write only the values of those
states, so results do not depend on the number of threads.
"""
from cython cimport final
from libc.math cimport INFINITY
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy
from memory cimport posix_memalign
from sheet_kernels cimport NODES, THROWS, offers_t, sheet_kernels_t

import numpy as np

cdef extern from "sheet_kernels.h" nogil:
    const sheet_kernels_t *sheet_kernels_of_this_machine(int narrow)

cdef const sheet_kernels_t *WIDE = sheet_kernels_of_this_machine(0)
cdef const sheet_kernels_t *NARROW = sheet_kernels_of_this_machine(1)


@final
cdef class Work:
    """The memory of one thread: what a state offers, and a block of its lanes, wide or narrow."""

    def __cinit__(self, Py_ssize_t candidates, Py_ssize_t throws):
        cdef Py_ssize_t doubles = sizeof(lists_t) // sizeof(double) + 1
        doubles += (2 * candidates + (throws + 2) * NODES) * WIDE.lanes
        cdef void *memory = NULL
        if posix_memalign(&memory, 64, (doubles + 8) * sizeof(double)):
            raise MemoryError
        self.candidates = <double *> memory
        self.chances = self.candidates + candidates * WIDE.lanes
        self.nodes = self.chances + candidates * WIDE.lanes
        self.lists = <lists_t *> (self.nodes + (throws + 2) * NODES * WIDE.lanes)

    def __dealloc__(self):
        free(self.candidates)

    cdef Py_ssize_t size(self) noexcept nogil:
        return <Py_ssize_t> self.offers.kinds * self.offers.candidates

    cdef void begin(self, int64_t places) noexcept nogil:
        """Turn to so many places; blocks are wide unless a narrow one has room for all."""
        self.kernels = WIDE if places > NARROW.lanes else NARROW
        self.next_lane, self.next_total = 0, 0


cdef inline void copy_columns(double *target, Py_ssize_t target_step, const double *source, Py_ssize_t source_step,
                              Py_ssize_t rows, Py_ssize_t columns) noexcept nogil:
    cdef Py_ssize_t row
    for row in range(rows):
        memcpy(target + row * target_step, source + row * source_step, columns * sizeof(double))


ctypedef fused number:
    int16_t
    int32_t
    int64_t
    uint8_t
    double


cdef const number *pointer(const number[::1] array):
    return &array[0]


def padded(Py_ssize_t lanes):
    """So many lanes or more: whole blocks for the kernels."""
    return (lanes + WIDE.lanes - 1) // WIDE.lanes * WIDE.lanes


@final
cdef class Sheet:
    """A compiled sheet, ready to be solved; its arguments are the arrays of ``solver.sheet.model`` by name."""

    def __init__(self, *, int throws, bint stock, bint doubled, bint school_first, int joker_row, size, **arrays):
        self.arrays = arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        self.throws, self.stock, self.doubled, self.school_first = throws, stock, doubled, school_first
        self.joker_row = joker_row
        self.size = size
        self.rows, self.states, self.mems = len(arrays["times"]), len(arrays["memory"]), len(arrays["totals"])
        if self.rows > MOST_ROWS or arrays["class_of"].shape != (4, self.rows, THROWS):
            raise ValueError("the arrays of a sheet do not fit together")
        self.lattice.larger = pointer[int16_t](arrays["larger"].ravel())
        self.lattice.smaller_ptr = pointer[int32_t](arrays["smaller_ptr"])
        self.lattice.smaller = pointer[int16_t](arrays["smaller"])
        self.lattice.within_ptr = pointer[int32_t](arrays["within_ptr"])
        self.lattice.within = pointer[int16_t](arrays["within"])
        self.lattice.chance = pointer[double](arrays["chance"])
        self.times = pointer[int32_t](arrays["times"])
        self.stride = pointer[int32_t](arrays["stride"])
        self.class_ptr = pointer[int32_t](arrays["class_ptr"])
        self.later = pointer[double](arrays["later"])
        self.first = pointer[double](arrays["first"])
        self.has_bonus = pointer[uint8_t](arrays["has_bonus"])
        self.class_of = pointer[int16_t](arrays["class_of"].ravel())
        self.school = pointer[uint8_t](arrays["school"])
        self.ordered = pointer[uint8_t](arrays["ordered"])
        self.face_row = pointer[int32_t](arrays["face_row"])
        self.five_equal = pointer[int16_t](arrays["five_equal"])
        self.memory = pointer[int32_t](arrays["memory"])
        self.start = pointer[int64_t](arrays["start"])
        self.totals = pointer[int32_t](arrays["totals"])
        self.stocks = pointer[int32_t](arrays["stocks"])
        self.usable = pointer[int32_t](arrays["usable"])
        self.map_ptr = pointer[int64_t](arrays["map_ptr"].ravel())
        self.map_to = pointer[int32_t](arrays["map_to"])
        self.map_pay = pointer[double](arrays["map_pay"])
        self.bonus_ptr = pointer[int64_t](arrays["bonus_ptr"])
        self.bonus = pointer[double](arrays["bonus"])

    cdef check(self, Py_ssize_t numbers):
        """ValueError unless there are so many numbers as lanes."""
        if numbers < self.size:
            raise ValueError("the arrays of a sheet have too few numbers")

    cdef bint open_row(self, int32_t state, int32_t row) noexcept nogil:
        return state // self.stride[row] % (self.times[row] + 1) < self.times[row]

    cdef int32_t stages_of(self, int32_t mem, int32_t stock) noexcept nogil:
        """Throws of a turn that begins with so many saved ones."""
        return self.throws + min(stock, self.usable[mem]) if self.stock else self.throws

    cdef void offer(self, int32_t state, Work work) noexcept nogil:
        """What the open rows of a state offer for each throw."""
        cdef lists_t *lists = work.lists
        cdef offers_t *offers = &work.offers
        cdef int32_t rows = 0, candidates = 0, row, i, d, c, variant, mem = self.memory[state]
        cdef int32_t full = 0, few = 0, early = 0, leasts = 0
        cdef bint school_open = False, lower_open = False, joker = False, ordered
        cdef uint8_t forced
        for row in range(self.rows):
            if self.school[row] and self.open_row(state, row):
                school_open = True
        for row in range(self.rows):
            if not self.open_row(state, row) or (self.school_first and school_open and not self.school[row]):
                continue
            lists.row[rows], lists.base[rows] = row, candidates
            candidates += self.class_ptr[row + 1] - self.class_ptr[row]
            for i in range(lists.base[rows], candidates):
                lists.written[i], lists.number[i] = row, self.class_ptr[row] + i - lists.base[rows]
            rows += 1
            lower_open |= not self.school[row]
        lists.rows = rows
        joker = self.joker_row >= 0 and not self.open_row(state, self.joker_row)
        for i in range(rows):
            if self.ordered[lists.row[i]]:
                lists.least[leasts] = lists.base[i]
                leasts += 1
        for d in range(THROWS):
            lists.all_ptr[d], lists.few_ptr[d], lists.early_ptr[d] = full, few, early
            variant, forced = 0, 0
            if joker and self.five_equal[d] >= 0:
                row = self.face_row[self.five_equal[d]]
                variant = 1 if row >= 0 and self.open_row(state, row) else 2 if lower_open else 3
                for i in range(rows):
                    forced |= self.class_of[(variant * self.rows + lists.row[i]) * THROWS + d] < 0
            for i in range(rows):
                row = lists.row[i]
                c = self.class_of[(variant * self.rows + row) * THROWS + d]
                if c < 0:
                    continue
                ordered = self.ordered[row]
                lists.all[full] = lists.base[i] + c
                full += 1
                if forced or c or not ordered:
                    lists.few[few] = lists.base[i] + c
                    few += 1
                if self.first[self.class_ptr[row] + c] > self.later[self.class_ptr[row] + c]:
                    lists.early[early] = lists.base[i] + c
                    early += 1
            lists.forced[d] = forced
        lists.all_ptr[THROWS], lists.few_ptr[THROWS], lists.early_ptr[THROWS] = full, few, early
        offers.throws = self.stages_of(mem, self.stocks[mem] - 1)
        offers.kinds = max(3, offers.throws) if self.stock else 2 if self.doubled else 1
        offers.candidates, offers.leasts = candidates, leasts
        offers.all_ptr, offers.few_ptr, offers.early_ptr = lists.all_ptr, lists.few_ptr, lists.early_ptr
        offers.all, offers.few, offers.early = lists.all, lists.few, lists.early
        offers.forced, offers.least = lists.forced, lists.least

    cdef int32_t lanes_of(self, int32_t state) noexcept nogil:
        return self.totals[self.memory[state]] * self.stocks[self.memory[state]]

    cdef void block(self, int32_t state, Work work, const totals_t *totals, int64_t place,
                    int64_t places) noexcept nogil:
        """Choose the next places of a state, of so many; beyond the last it is repeated.

        Places are lanes, or, with ``totals``, lanes with each of their totals.
        """
        cdef int64_t first = self.start[state]
        cdef int32_t at
        for at in range(work.kernels.lanes):
            if totals == NULL:
                work.lane[at] = <int32_t> min(place + at, places - 1)
                continue
            while work.next_total == totals.size[first + work.next_lane]:
                work.next_lane, work.next_total = work.next_lane + 1, 0
            work.lane[at] = work.next_lane
            work.total[at] = totals.low[first + work.next_lane] + work.next_total
            if place + at + 1 < places:
                work.next_total += 1

    cdef void fill(self, int32_t state, Work work, const double *values, double paid) noexcept nogil:
        """What candidates are worth in the block: ``values`` of what follows, and points times ``paid`` on top."""
        cdef int32_t width = work.kernels.lanes, kind, candidate, at, to
        cdef double *out = work.candidates
        cdef const double *worth
        cdef double points = 0.0
        cdef step_t step
        for kind in range(work.offers.kinds):
            for candidate in range(work.offers.candidates):
                step = step_of(self, state, work, kind, candidate)
                worth = values + self.start[step.following]
                for at in range(width):
                    to = follow(&step, work.lane[at], &points)
                    out[at] = worth[to] + paid * points if to >= 0 else -INFINITY
                out += width

    cdef void fill_totals(self, int32_t state, Work work, const totals_t *totals, const double *values) noexcept nogil:
        """The same where totals are told apart: points only lead from one total to another."""
        cdef int32_t width = work.kernels.lanes, kind, candidate, at, to
        cdef double *out = work.candidates
        cdef double points = 0.0
        cdef int64_t total, first
        cdef step_t step
        for kind in range(work.offers.kinds):
            for candidate in range(work.offers.candidates):
                step = step_of(self, state, work, kind, candidate)
                first = self.start[step.following]
                for at in range(width):
                    to = follow(&step, work.lane[at], &points)
                    if to < 0:
                        out[at] = -INFINITY
                        continue
                    total = work.total[at] + <int64_t> points - totals.low[first + to]
                    total = max(0, min(total, totals.size[first + to] - 1))
                    out[at] = values[totals.start[first + to] + total]
                out += width

    cdef void solve_state(self, int32_t state, Work work, const totals_t *totals, int64_t places, const double *after,
                          double *values) noexcept nogil:
        """Fill in what the places of a state are worth, from the values of what may follow."""
        cdef int64_t place = 0, width
        self.offer(state, work)
        work.begin(places)
        width = work.kernels.lanes
        while place < places:
            self.block(state, work, totals, place, places)
            if totals == NULL:
                self.fill(state, work, after, 1.0)
            else:
                self.fill_totals(state, work, totals, after)
            work.kernels.turn(&self.lattice, &work.offers, work.candidates, 0, work.nodes)
            memcpy(values + place, work.nodes + (NODES - 1) * width, min(width, places - place) * sizeof(double))
            place += width

    cdef Work work(self):
        """Memory for one thread."""
        cdef int32_t throws = self.throws, mem
        if self.stock:
            for mem in range(self.mems):
                throws = max(throws, self.stages_of(mem, self.stocks[mem] - 1))
        kinds = max(3, throws) if self.stock else 2 if self.doubled else 1
        return Work(self.class_ptr[self.rows] * kinds, throws)

    cdef Work offered(self, int32_t state):
        """Memory for one thread with what a state offers."""
        if not 0 <= state < self.states or self.memory[state] < 0:
            raise ValueError("no such state")
        cdef Work work = self.work()
        self.offer(state, work)
        return work

    cdef Work given(self, int32_t state, const double[:, :, ::1] candidates):
        """The same, for candidates that somebody else has valued."""
        cdef Work work = self.offered(state)
        if candidates.shape[0] != work.offers.kinds or candidates.shape[1] != work.offers.candidates:
            raise ValueError("these are not the candidates of the state")
        return work

    def solve(self, const int32_t[::1] states, double[::1] values):
        """Fill in what the lanes of these states are worth, from the states with one more row written."""
        self.check(values.shape[0])
        cdef Work work = self.work()
        cdef Py_ssize_t i
        with nogil:
            for i in range(states.shape[0]):
                self.solve_state(states[i], work, NULL, self.lanes_of(states[i]), &values[0],
                                 &values[self.start[states[i]]])

    def worths(self, int32_t state, int32_t lane, const double[::1] values):
        """What each candidate is worth in one lane: float64 [kinds, candidates]."""
        self.check(values.shape[0])
        cdef Work work = self.offered(state)
        if not 0 <= lane < self.lanes_of(state):
            raise ValueError("no such lane")
        found = np.empty((work.offers.kinds, work.offers.candidates))
        cdef double[:, ::1] view = found
        if work.size():
            work.begin(1)
            self.block(state, work, NULL, lane, lane + 1)
            self.fill(state, work, &values[0], 1.0)
            copy_columns(&view[0, 0], 1, work.candidates, NARROW.lanes, work.size(), 1)
        return found

    def throws_of(self, int32_t state, int32_t lane):
        """Most throws of a turn that begins in this state and lane."""
        return self.stages_of(self.memory[state], lane % self.stocks[self.memory[state]])

    def offers(self, int32_t state):
        """The open rows of a state, and for each row and throw its class, or -1: int32 [rows], int16 [rows, throws]."""
        cdef Work work = self.offered(state)
        cdef lists_t *lists = work.lists
        cdef int32_t i, d, j
        rows = np.array([lists.row[i] for i in range(lists.rows)], dtype=np.int32)
        classes = np.full((lists.rows, THROWS), -1, dtype=np.int16)
        cdef int16_t[:, ::1] view = classes
        for d in range(THROWS):
            for j in range(lists.all_ptr[d], lists.all_ptr[d + 1]):
                i = lists.rows - 1
                while lists.base[i] > lists.all[j]:
                    i -= 1
                view[i, d] = <int16_t> (lists.all[j] - lists.base[i])
        return rows, classes

    def candidates(self, int32_t state, const double[::1] values):
        """What every candidate of a state is worth in each of its lanes: float64 [kinds, candidates, padded lanes]."""
        self.check(values.shape[0])
        cdef Work work = self.offered(state)
        cdef int32_t width = WIDE.lanes, count = self.lanes_of(state), lane = 0
        cdef Py_ssize_t lanes = padded(count)
        found = np.empty((work.offers.kinds, work.offers.candidates, lanes))
        cdef double[:, :, ::1] view = found
        work.kernels = WIDE
        while lane < count and work.size():
            self.block(state, work, NULL, lane, count)
            self.fill(state, work, &values[0], 1.0)
            copy_columns(&view[0, 0, lane], lanes, work.candidates, width, work.size(), width)
            lane += width
        return found

    def plan(self, int32_t state, const double[:, :, ::1] candidates):
        """The chance that the best plan writes each candidate, of each kind: shaped like ``candidates``.

        Of equal choices writing comes first, in the order of the rows, then the keep with the most dice.
        """
        cdef Work work = self.given(state, candidates)
        cdef Py_ssize_t lanes = candidates.shape[2], lane = 0, width = WIDE.lanes, columns
        found = np.empty((work.offers.kinds, work.offers.candidates, lanes))
        cdef double[:, :, ::1] view = found
        while lane < lanes and work.size():
            columns = min(width, lanes - lane)
            copy_columns(work.candidates, width, &candidates[0, 0, lane], lanes, work.size(), columns)
            WIDE.plan(&self.lattice, &work.offers, work.candidates, work.nodes, work.chances)
            copy_columns(&view[0, 0, lane], lanes, work.chances, width, work.size(), columns)
            lane += width
        return found

    def turn(self, int32_t state, const double[:, :, ::1] candidates, int32_t made=0):
        """What each keep is worth after ``made`` throws, if the candidates of a state are worth this.

        ``candidates``: float64 [kinds, candidates, lanes], any number of lanes. Gives float64 [nodes, lanes];
        before the first throw only the empty keep, [1, lanes], which is what the turn is worth.
        """
        cdef Work work = self.given(state, candidates)
        cdef Py_ssize_t lanes = candidates.shape[2], lane, width, columns, count = NODES if made > 0 else 1
        found = np.empty((count, lanes))
        cdef double[:, ::1] view = found
        if not lanes or not work.size():
            return found
        with nogil:
            work.begin(lanes)
            width = work.kernels.lanes
            lane = 0
            while lane < lanes:
                columns = min(width, lanes - lane)  # what stands in the others does not matter
                copy_columns(work.candidates, width, &candidates[0, 0, lane], lanes, work.size(), columns)
                work.kernels.turn(&self.lattice, &work.offers, work.candidates, made, work.nodes)
                copy_columns(&view[0, lane], lanes, work.nodes + (NODES - count) * width, width, count, columns)
                lane += width
        return found
