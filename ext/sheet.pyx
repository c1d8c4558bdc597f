# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Turns of score sheets: the states of a sheet backwards, one decision, and what the best plan leads to.

The arrays that a sheet is made of are those of ``solver.sheet.model``; the loops and their memory layout are described
in ``sheet.h``. A state of a sheet tells how often each row is written; its lanes are all that is to be remembered
beside that: for each note, such as a total of the school, and for each number of saved throws.

Only arrays cross this border. ``solve`` releases the GIL and writes only the values of its own states, so results do
not depend on the number of threads.
"""
from libc.math cimport INFINITY
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t
from libc.stdlib cimport free

import numpy as np

cdef extern from "stdlib.h" nogil:
    int posix_memalign(void **memory, size_t alignment, size_t size)

cdef extern from "sheet.h" nogil:
    enum:
        THROWS
        NODES
    ctypedef struct lattice_t:
        const int16_t *larger
        const int32_t *smaller_ptr
        const int16_t *smaller
        const int32_t *within_ptr
        const int16_t *within
        const double *chance

    ctypedef struct offers_t:
        int32_t throws, kinds, candidates
        const int32_t *all_ptr
        const int32_t *all
        const int32_t *few_ptr
        const int32_t *few
        const int32_t *early_ptr
        const int32_t *early
        const uint8_t *forced
        int32_t leasts
        const int32_t *least

    ctypedef struct sheet_kernels_t:
        int32_t lanes
        void (*turn)(const lattice_t *lattice, const offers_t *offers, const double *candidates, int32_t made,
                     double *nodes) noexcept nogil
        void (*plan)(const lattice_t *lattice, const offers_t *offers, const double *candidates, double *scratch,
                     double *chances) noexcept nogil

    const sheet_kernels_t *sheet_kernels_of_this_machine(int narrow)

cdef const sheet_kernels_t *WIDE = sheet_kernels_of_this_machine(0)
cdef const sheet_kernels_t *NARROW = sheet_kernels_of_this_machine(1)

cdef enum:
    MOST_ROWS = 20
    MOST_IDS = MOST_ROWS * 252


cdef struct lists_t:  # the storage behind the lists of offers_t
    int32_t all_ptr[253]
    int32_t few_ptr[253]
    int32_t early_ptr[253]
    int32_t all[MOST_IDS]
    int32_t few[MOST_IDS]
    int32_t early[MOST_IDS]
    int32_t least[MOST_ROWS]
    uint8_t forced[252]
    int32_t rows  # open rows
    int32_t row[MOST_ROWS]
    int32_t base[MOST_ROWS]  # their first candidate


cdef void *memory_for(size_t doubles) except NULL:
    cdef void *found = NULL
    if posix_memalign(&found, 64, doubles * sizeof(double)):
        raise MemoryError
    return found


def padded(Py_ssize_t lanes):
    """So many lanes or more: whole blocks for the kernels."""
    return (lanes + WIDE.lanes - 1) // WIDE.lanes * WIDE.lanes


cdef class Sheet:
    """A compiled sheet, ready to be solved; its arguments are the arrays of ``solver.sheet.model`` by name."""

    cdef dict arrays  # keeps the memory behind the pointers
    cdef lattice_t lattice
    cdef int32_t rows, throws, stages, mems, joker_row
    cdef bint stock, doubled, school_first
    cdef const int32_t *times
    cdef const int32_t *stride
    cdef const int32_t *class_ptr
    cdef const double *later
    cdef const double *first
    cdef const uint8_t *has_bonus
    cdef const int16_t *class_of  # [4][rows][THROWS]
    cdef const uint8_t *school
    cdef const uint8_t *ordered
    cdef const int32_t *face_row
    cdef const int16_t *five_equal  # [THROWS], face - 1 of five equal dice, or -1
    cdef const int32_t *memory
    cdef const int64_t *start
    cdef const int32_t *totals
    cdef const int32_t *stocks
    cdef const int32_t *usable
    cdef const int64_t *map_ptr
    cdef const int32_t *map_to
    cdef const double *map_pay
    cdef const int64_t *bonus_ptr
    cdef const double *bonus
    cdef readonly Py_ssize_t states, size

    def __init__(self, *, int throws, bint stock, bint doubled, bint school_first, int joker_row, size, **arrays):
        self.arrays = arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        cdef const int16_t[::1] short
        cdef const int32_t[::1] word
        cdef const int64_t[::1] wide
        cdef const double[::1] real
        cdef const uint8_t[::1] byte
        self.throws, self.stock, self.doubled, self.school_first = throws, stock, doubled, school_first
        self.joker_row = joker_row
        self.size = size
        short = arrays["larger"].ravel()
        self.lattice.larger = &short[0]
        word = arrays["smaller_ptr"]
        self.lattice.smaller_ptr = &word[0]
        short = arrays["smaller"]
        self.lattice.smaller = &short[0]
        word = arrays["within_ptr"]
        self.lattice.within_ptr = &word[0]
        short = arrays["within"]
        self.lattice.within = &short[0]
        real = arrays["chance"]
        self.lattice.chance = &real[0]
        word = arrays["times"]
        self.times = &word[0]
        self.rows = <int32_t> word.shape[0]
        word = arrays["stride"]
        self.stride = &word[0]
        word = arrays["class_ptr"]
        self.class_ptr = &word[0]
        real = arrays["later"]
        self.later = &real[0]
        real = arrays["first"]
        self.first = &real[0]
        byte = arrays["has_bonus"]
        self.has_bonus = &byte[0]
        short = arrays["class_of"].ravel()
        self.class_of = &short[0]
        byte = arrays["school"]
        self.school = &byte[0]
        byte = arrays["ordered"]
        self.ordered = &byte[0]
        word = arrays["face_row"]
        self.face_row = &word[0]
        short = arrays["five_equal"]
        self.five_equal = &short[0]
        word = arrays["memory"]
        self.memory = &word[0]
        self.states = word.shape[0]
        wide = arrays["start"]
        self.start = &wide[0]
        word = arrays["totals"]
        self.totals = &word[0]
        self.mems = <int32_t> word.shape[0]
        word = arrays["stocks"]
        self.stocks = &word[0]
        word = arrays["usable"]
        self.usable = &word[0]
        wide = arrays["map_ptr"].ravel()
        self.map_ptr = &wide[0]
        word = arrays["map_to"]
        self.map_to = &word[0]
        real = arrays["map_pay"]
        self.map_pay = &real[0]
        wide = arrays["bonus_ptr"]
        self.bonus_ptr = &wide[0]
        real = arrays["bonus"]
        self.bonus = &real[0]
        if self.rows > MOST_ROWS or arrays["class_of"].shape != (4, self.rows, THROWS):
            raise ValueError("the arrays of a sheet do not fit together")

    cdef bint open_row(self, int32_t state, int32_t row) noexcept nogil:
        return state // self.stride[row] % (self.times[row] + 1) < self.times[row]

    cdef int32_t stages_of(self, int32_t mem, int32_t stock) noexcept nogil:
        """Throws of a turn that begins with so many saved ones."""
        return self.throws + min(stock, self.usable[mem]) if self.stock else self.throws

    cdef void offer(self, int32_t state, lists_t *lists, offers_t *offers) noexcept nogil:
        """What the open rows of a state offer for each throw."""
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
            rows += 1
            candidates += self.class_ptr[row + 1] - self.class_ptr[row]
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

    cdef void fill(self, int32_t state, const lists_t *lists, const offers_t *offers, const double *values,
                   int32_t lane, int32_t lanes, int32_t width, double *candidates) noexcept nogil:
        """What candidates are worth in ``lanes`` lanes from ``lane`` on: candidates[kind][candidate][width]."""
        cdef int32_t mem = self.memory[state], stocks = self.stocks[mem], totals = self.totals[mem]
        cdef int32_t count = totals * stocks, kind, i, j, row, c, at, t, s, next_mem, made
        cdef int64_t map_at
        cdef const double *worth
        cdef double *out = candidates
        cdef double points, extra
        for kind in range(offers.kinds):
            made = kind + 1
            for i in range(lists.rows):
                row = lists.row[i]
                worth = values + self.start[state + self.stride[row]]
                next_mem = self.memory[state + self.stride[row]]
                for c in range(self.class_ptr[row + 1] - self.class_ptr[row]):
                    j = self.class_ptr[row] + c
                    points = self.first[j] if kind == 0 and offers.kinds > 1 else self.later[j]
                    map_at = self.map_ptr[mem * self.rows + row]
                    if map_at >= 0:
                        map_at += <int64_t> c * totals
                    for at in range(lanes):
                        t = min(lane + at, count - 1)
                        s = 0
                        if self.stock:
                            s = t % stocks
                            t //= stocks
                            if made > self.stages_of(mem, s):
                                out[at] = -INFINITY
                                continue
                            s += self.throws - made
                        extra = self.bonus[self.bonus_ptr[mem] + t] if self.has_bonus[j] else 0.0
                        if map_at >= 0:
                            extra += self.map_pay[map_at + t]
                            t = self.map_to[map_at + t]
                        out[at] = worth[t * self.stocks[next_mem] + s] + (points + extra)
                    out += width

    cdef int32_t lanes_of(self, int32_t state) noexcept nogil:
        return self.totals[self.memory[state]] * self.stocks[self.memory[state]]

    cdef Py_ssize_t most_candidates(self) noexcept nogil:
        return <Py_ssize_t> self.class_ptr[self.rows] * self.most_kinds()

    cdef int32_t most_kinds(self) noexcept nogil:
        cdef int32_t most = 3, mem
        if not self.stock:
            return 2 if self.doubled else 1
        for mem in range(self.mems):
            most = max(most, self.stages_of(mem, self.stocks[mem] - 1))
        return most

    def solve(self, const int32_t[::1] states, double[::1] values):
        """Fill in what the lanes of these states are worth, from the states with one more row written."""
        if values.shape[0] < self.size:
            raise ValueError("the values of a sheet have too few numbers")
        cdef const sheet_kernels_t *kernels
        cdef double *candidates = <double *> memory_for((self.most_candidates() + NODES) * WIDE.lanes)
        cdef double *nodes = candidates + self.most_candidates() * WIDE.lanes
        cdef lists_t *lists = <lists_t *> memory_for(sizeof(lists_t) // sizeof(double) + 1)
        cdef offers_t offers
        cdef int32_t lane, count, at, width, state
        cdef Py_ssize_t i
        with nogil:
            for i in range(states.shape[0]):
                state = states[i]
                self.offer(state, lists, &offers)
                count = self.lanes_of(state)
                kernels = WIDE if count > NARROW.lanes else NARROW
                width = kernels.lanes
                lane = 0
                while lane < count:
                    self.fill(state, lists, &offers, &values[0], lane, width, width, candidates)
                    kernels.turn(&self.lattice, &offers, candidates, 0, nodes)
                    for at in range(min(width, count - lane)):
                        values[self.start[state] + lane + at] = nodes[(NODES - 1) * width + at]
                    lane += width
        free(candidates)
        free(lists)

    def decide(self, int32_t state, int32_t lane, int32_t made, int32_t throw, const double[::1] values):
        """The best choice with a throw: its value, and its candidate and -1, or -1 and the keep that it throws from."""
        if values.shape[0] < self.size or not 0 <= throw < THROWS or not 0 <= lane < self.lanes_of(state) or made < 1:
            raise ValueError("no such decision")
        cdef int32_t width = NARROW.lanes, i, id, kind, chosen = -1, kept = -1
        cdef double *candidates = <double *> memory_for((self.most_candidates() + NODES) * width)
        cdef double *nodes = candidates + self.most_candidates() * width
        cdef lists_t *lists = <lists_t *> memory_for(sizeof(lists_t) // sizeof(double) + 1)
        cdef offers_t offers
        cdef double best = -INFINITY, worth
        with nogil:
            self.offer(state, lists, &offers)
            self.fill(state, lists, &offers, &values[0], lane, width, width, candidates)
            kind = 0 if offers.kinds == 1 else min(made - 1, 1) if offers.kinds == 2 else made - 1
            for i in range(offers.all_ptr[throw], offers.all_ptr[throw + 1]):
                id = offers.all[i]
                worth = candidates[(kind * offers.candidates + id) * width]
                if worth > best:
                    best, chosen = worth, id
            if made < self.stages_of(self.memory[state], lane % self.stocks[self.memory[state]]):
                NARROW.turn(&self.lattice, &offers, candidates, made, nodes)
                for i in range(self.lattice.within_ptr[throw], self.lattice.within_ptr[throw + 1]):
                    worth = nodes[self.lattice.within[i] * width]
                    if worth > best:
                        best, chosen, kept = worth, -1, self.lattice.within[i]
        free(candidates)
        free(lists)
        return best, chosen, kept

    def worths(self, int32_t state, int32_t lane, const double[::1] values):
        """What each candidate is worth in one lane: float64 [kinds, candidates]."""
        if values.shape[0] < self.size or not 0 <= lane < self.lanes_of(state):
            raise ValueError("no such decision")
        cdef lists_t *lists = <lists_t *> memory_for(sizeof(lists_t) // sizeof(double) + 1)
        cdef offers_t offers
        self.offer(state, lists, &offers)
        found = np.empty((offers.kinds, offers.candidates))
        cdef double[:, ::1] view = found
        if offers.candidates:
            with nogil:
                self.fill(state, lists, &offers, &values[0], lane, 1, 1, &view[0, 0])
        free(lists)
        return found

    def throws_of(self, int32_t state, int32_t lane):
        """Most throws of a turn that begins in this state and lane."""
        return self.stages_of(self.memory[state], lane % self.stocks[self.memory[state]])

    def offers(self, int32_t state):
        """The open rows of a state, and for each row and throw its class, or -1: int32 [rows], int16 [rows, throws]."""
        cdef lists_t *lists = <lists_t *> memory_for(sizeof(lists_t) // sizeof(double) + 1)
        cdef offers_t offers
        cdef int32_t i, d, j, candidate
        self.offer(state, lists, &offers)
        rows = np.array([lists.row[i] for i in range(lists.rows)], dtype=np.int32)
        classes = np.full((lists.rows, THROWS), -1, dtype=np.int16)
        cdef int16_t[:, ::1] view = classes
        for d in range(THROWS):
            for j in range(lists.all_ptr[d], lists.all_ptr[d + 1]):
                candidate = lists.all[j]
                i = lists.rows - 1
                while lists.base[i] > candidate:
                    i -= 1
                view[i, d] = <int16_t> (candidate - lists.base[i])
        free(lists)
        return rows, classes

    def candidates(self, int32_t state, const double[::1] values):
        """What every candidate of a state is worth in each of its lanes: float64 [kinds, candidates, padded lanes]."""
        cdef lists_t *lists = <lists_t *> memory_for(sizeof(lists_t) // sizeof(double) + 1)
        cdef offers_t offers
        self.offer(state, lists, &offers)
        cdef int32_t width = <int32_t> padded(self.lanes_of(state))
        found = np.empty((offers.kinds, offers.candidates, width))
        cdef double[:, :, ::1] view = found
        with nogil:
            self.fill(state, lists, &offers, &values[0], 0, width, width, &view[0, 0, 0])
        free(lists)
        return found

    def turn(self, int32_t state, const double[:, :, ::1] candidates, int32_t made=0):
        """What each keep is worth after ``made`` throws, if the candidates of a state are worth this.

        ``candidates``: float64 [kinds, candidates, lanes], lanes in whole blocks. Gives float64 [nodes, lanes];
        before the first throw only the empty keep, [1, lanes], which is what the turn is worth.
        """
        cdef lists_t *lists = <lists_t *> memory_for(sizeof(lists_t) // sizeof(double) + 1)
        cdef offers_t offers
        cdef int32_t width = WIDE.lanes
        cdef Py_ssize_t lanes = candidates.shape[2], size, at, lane, i, j, k
        self.offer(state, lists, &offers)
        if candidates.shape[0] != offers.kinds or candidates.shape[1] != offers.candidates or lanes % width:
            free(lists)
            raise ValueError("these are not the candidates of the state")
        size = offers.kinds * offers.candidates
        cdef double *block = <double *> memory_for((size + NODES) * width)
        cdef double *nodes = block + size * width
        cdef bint whole = made > 0
        cdef Py_ssize_t count = NODES if whole else 1
        found = np.empty((count, lanes))
        cdef double[:, ::1] view = found
        with nogil:
            for at in range(lanes // width):
                lane = at * width
                for i in range(offers.kinds):
                    for j in range(offers.candidates):
                        for k in range(width):
                            block[(i * offers.candidates + j) * width + k] = candidates[i, j, lane + k]
                WIDE.turn(&self.lattice, &offers, block, made, nodes)
                for i in range(count):
                    for k in range(width):
                        view[i, lane + k] = nodes[(NODES - count + i) * width + k]
        free(block)
        free(lists)
        return found

    def plan(self, int32_t state, const double[:, :, ::1] candidates):
        """The chance that the best plan writes each candidate, of each kind: shaped like ``candidates``.

        Of equal choices writing comes first, in the order of the rows, then the keep with the most dice.
        """
        cdef lists_t *lists = <lists_t *> memory_for(sizeof(lists_t) // sizeof(double) + 1)
        cdef offers_t offers
        cdef int32_t width = WIDE.lanes
        cdef Py_ssize_t lanes = candidates.shape[2], size, at, lane, i, j, k
        self.offer(state, lists, &offers)
        if candidates.shape[0] != offers.kinds or candidates.shape[1] != offers.candidates or lanes % width:
            free(lists)
            raise ValueError("these are not the candidates of the state")
        size = offers.kinds * offers.candidates
        cdef double *block = <double *> memory_for((2 * size + (offers.throws + 2) * NODES) * width)
        cdef double *chances = block + size * width
        cdef double *scratch = chances + size * width
        found = np.empty((offers.kinds, offers.candidates, lanes))
        cdef double[:, :, ::1] view = found
        with nogil:
            for at in range(lanes // width):
                lane = at * width
                for i in range(offers.kinds):
                    for j in range(offers.candidates):
                        for k in range(width):
                            block[(i * offers.candidates + j) * width + k] = candidates[i, j, lane + k]
                WIDE.plan(&self.lattice, &offers, block, scratch, chances)
                for i in range(offers.kinds):
                    for j in range(offers.candidates):
                        for k in range(width):
                            view[i, j, lane + k] = chances[(i * offers.candidates + j) * width + k]
        free(block)
        free(lists)
        return found


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
