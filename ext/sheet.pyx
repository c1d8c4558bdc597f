# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Turns of score sheets: the states of a sheet backwards, one decision, and what the best plan leads to.

The arrays that a sheet is made of are those of ``solver.sheet.model``; the loops and their memory layout are described
in ``sheet.h``. A state of a sheet tells how often each row is written; its lanes are all that is to be remembered
beside that: for each note, such as a total of the school, and for each number of saved throws.

Only arrays cross this border. Methods that take a list of states release the GIL and write only the values of those
states, so results do not depend on the number of threads.
"""
from cython cimport final
from libc.math cimport INFINITY
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy
from memory cimport posix_memalign
from sheet_kernels cimport NODES, THROWS, WIDEST, kind_of_throw, lattice_t, offers_t, sheet_kernels_of_this_machine
from sheet_kernels cimport sheet_kernels_t

import numpy as np

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


cdef struct totals_t:  # by lane, where its values begin, and the totals that it tells apart; NULL: one value each
    const int64_t *start
    const int32_t *low
    const int32_t *size  # 0: a lane that is never met


cdef struct step_t:  # what writing a row with one class of throw does
    int32_t following  # the next state
    double points
    const double *bonus  # [note], points on top; NULL: none
    const int32_t *to  # [note], the next note; NULL: the same
    const double *pay  # [note], points for the school
    bint saves
    int32_t made, throws, usable, stocks, next_stocks


cdef inline int32_t follow(const step_t *step, int32_t lane, double *points) noexcept nogil:
    """The lane that a lane is led to, and the points on the way; -1 if its turn has not so many throws."""
    cdef int32_t note = lane, saved = 0
    cdef double extra
    if step.saves:
        note, saved = lane // step.stocks, lane % step.stocks
        if step.made > step.throws + min(saved, step.usable):
            return -1
        saved += step.throws - step.made
    extra = step.bonus[note] if step.bonus else 0.0
    if step.to:
        extra += step.pay[note]
        note = step.to[note]
    points[0] = step.points + extra
    return note * step.next_stocks + saved


@final
cdef class Work:
    """The memory of one thread: what a state offers, and a block of its lanes, wide or narrow."""

    cdef lists_t *lists
    cdef offers_t offers
    cdef const sheet_kernels_t *kernels
    cdef double *candidates  # [kind][candidate][lane]
    cdef double *chances  # the same
    cdef double *nodes  # [throws + 2][NODES][lane]
    cdef int32_t lane[WIDEST]  # the lanes of the state that are in the block
    cdef int64_t total[WIDEST]  # and the points written so far, where they matter
    cdef int32_t next_lane  # where the next block of lanes and totals begins
    cdef int64_t next_total

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


cdef inline void copy_columns(double *target, Py_ssize_t target_step, const double *source, Py_ssize_t source_step,
                              Py_ssize_t rows, Py_ssize_t columns) noexcept nogil:
    cdef Py_ssize_t row
    for row in range(rows):
        memcpy(target + row * target_step, source + row * source_step, columns * sizeof(double))


cdef const int16_t *shorts(const int16_t[::1] array):
    return &array[0]


cdef const int32_t *words(const int32_t[::1] array):
    return &array[0]


cdef const int64_t *wides(const int64_t[::1] array):
    return &array[0]


cdef const double *reals(const double[::1] array):
    return &array[0]


cdef const uint8_t *flags(const uint8_t[::1] array):
    return &array[0]


def padded(Py_ssize_t lanes):
    """So many lanes or more: whole blocks for the kernels."""
    return (lanes + WIDE.lanes - 1) // WIDE.lanes * WIDE.lanes


@final
cdef class Sheet:
    """A compiled sheet, ready to be solved; its arguments are the arrays of ``solver.sheet.model`` by name."""

    cdef dict arrays  # keeps the memory behind the pointers
    cdef lattice_t lattice
    cdef totals_t alone  # no totals, only lanes
    cdef const int64_t *start  # [states], the number of the first lane of each
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
        self.throws, self.stock, self.doubled, self.school_first = throws, stock, doubled, school_first
        self.joker_row = joker_row
        self.size = size
        self.rows, self.states, self.mems = len(arrays["times"]), len(arrays["memory"]), len(arrays["totals"])
        if self.rows > MOST_ROWS or arrays["class_of"].shape != (4, self.rows, THROWS):
            raise ValueError("the arrays of a sheet do not fit together")
        self.lattice.larger = shorts(arrays["larger"].ravel())
        self.lattice.smaller_ptr = words(arrays["smaller_ptr"])
        self.lattice.smaller = shorts(arrays["smaller"])
        self.lattice.within_ptr = words(arrays["within_ptr"])
        self.lattice.within = shorts(arrays["within"])
        self.lattice.chance = reals(arrays["chance"])
        self.times = words(arrays["times"])
        self.stride = words(arrays["stride"])
        self.class_ptr = words(arrays["class_ptr"])
        self.later = reals(arrays["later"])
        self.first = reals(arrays["first"])
        self.has_bonus = flags(arrays["has_bonus"])
        self.class_of = shorts(arrays["class_of"].ravel())
        self.school = flags(arrays["school"])
        self.ordered = flags(arrays["ordered"])
        self.face_row = words(arrays["face_row"])
        self.five_equal = shorts(arrays["five_equal"])
        self.memory = words(arrays["memory"])
        self.start = wides(arrays["start"])
        self.alone.start, self.alone.low, self.alone.size = NULL, NULL, NULL
        self.totals = words(arrays["totals"])
        self.stocks = words(arrays["stocks"])
        self.usable = words(arrays["usable"])
        self.map_ptr = wides(arrays["map_ptr"].ravel())
        self.map_to = words(arrays["map_to"])
        self.map_pay = reals(arrays["map_pay"])
        self.bonus_ptr = wides(arrays["bonus_ptr"])
        self.bonus = reals(arrays["bonus"])

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

    cdef int32_t lanes_of(self, int32_t state) noexcept nogil:
        return self.totals[self.memory[state]] * self.stocks[self.memory[state]]

    cdef inline step_t step(self, int32_t state, int32_t row, int32_t c, int32_t kind, int32_t kinds) noexcept nogil:
        """What writing a row with one of its classes does, after a throw of one of the kinds."""
        cdef int32_t mem = self.memory[state], j = self.class_ptr[row] + c
        cdef int64_t at = self.map_ptr[mem * self.rows + row]
        cdef step_t step
        step.following = state + self.stride[row]
        step.points = self.first[j] if kind == 0 and kinds > 1 else self.later[j]
        step.bonus = self.bonus + self.bonus_ptr[mem] if self.has_bonus[j] else NULL
        step.to = step.pay = NULL
        if at >= 0:
            at += <int64_t> c * self.totals[mem]
            step.to, step.pay = self.map_to + at, self.map_pay + at
        step.saves, step.made, step.throws, step.usable = self.stock, kind + 1, self.throws, self.usable[mem]
        step.stocks, step.next_stocks = self.stocks[mem], self.stocks[self.memory[step.following]]
        return step

    cdef void fill(self, int32_t state, Work work, const totals_t *totals, const double *values,
                   double paid) noexcept nogil:
        """What candidates are worth in the block: ``values`` of what follows, and points times ``paid`` on top.

        Where totals are told apart, points only lead from one total to another.
        """
        cdef lists_t *lists = work.lists
        cdef int32_t width = work.kernels.lanes, kind, i, c, row, at, to
        cdef double *out = work.candidates
        cdef const double *worth
        cdef double points = 0.0
        cdef int64_t total, first
        cdef step_t step
        for kind in range(work.offers.kinds):
            for i in range(lists.rows):
                row = lists.row[i]
                for c in range(self.class_ptr[row + 1] - self.class_ptr[row]):
                    step = self.step(state, row, c, kind, work.offers.kinds)
                    first = self.start[step.following]
                    if totals.size:
                        for at in range(width):
                            to = follow(&step, work.lane[at], &points)
                            if to < 0:
                                out[at] = -INFINITY
                                continue
                            total = work.total[at] + <int64_t> points - totals.low[first + to]
                            total = max(0, min(total, totals.size[first + to] - 1))
                            out[at] = values[totals.start[first + to] + total]
                    else:
                        worth = values + first
                        for at in range(width):
                            to = follow(&step, work.lane[at], &points)
                            out[at] = worth[to] + paid * points if to >= 0 else -INFINITY
                    out += width

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

    cdef Work decision(self, int32_t state, int32_t lane, const double[::1] values):
        """The same, and what the candidates of one lane are worth: a block of one lane."""
        cdef Work work = self.offered(state)
        if values.shape[0] < self.size or not 0 <= lane < self.lanes_of(state):
            raise ValueError("no such decision")
        work.kernels = NARROW
        self.block(work, lane, lane + 1)
        self.fill(state, work, &self.alone, &values[0], 1.0)
        return work

    cdef void begin(self, int32_t state, Work work, int64_t count) noexcept nogil:
        """Turn to so many places of a state; blocks are wide unless a narrow one has room for all."""
        self.offer(state, work)
        work.kernels = WIDE if count > NARROW.lanes else NARROW

    cdef void block(self, Work work, int32_t lane, int32_t count) noexcept nogil:
        """Choose lanes from one on, of so many; beyond the last it is repeated."""
        cdef int32_t at
        for at in range(work.kernels.lanes):
            work.lane[at] = min(lane + at, count - 1)

    cdef void block_of_totals(self, Work work, const int32_t *low, const int32_t *size, int64_t left) noexcept nogil:
        """Choose the next of so many lanes and totals that are left of a state; beyond the last it is repeated."""
        cdef int32_t at
        for at in range(work.kernels.lanes):
            while work.next_total == size[work.next_lane]:
                work.next_lane, work.next_total = work.next_lane + 1, 0
            work.lane[at], work.total[at] = work.next_lane, low[work.next_lane] + work.next_total
            if at + 1 < left:
                work.next_total += 1

    def solve(self, const int32_t[::1] states, double[::1] values):
        """Fill in what the lanes of these states are worth, from the states with one more row written."""
        if values.shape[0] < self.size:
            raise ValueError("the values of a sheet have too few numbers")
        cdef Work work = self.work()
        cdef int32_t state, lane, count, width
        cdef Py_ssize_t i
        with nogil:
            for i in range(states.shape[0]):
                state = states[i]
                count = self.lanes_of(state)
                self.begin(state, work, count)
                width = work.kernels.lanes
                lane = 0
                while lane < count:
                    self.block(work, lane, count)
                    self.fill(state, work, &self.alone, &values[0], 1.0)
                    work.kernels.turn(&self.lattice, &work.offers, work.candidates, 0, work.nodes)
                    memcpy(&values[self.start[state] + lane], work.nodes + (NODES - 1) * width,
                           min(width, count - lane) * sizeof(double))
                    lane += width

    def solve_totals(self, const int32_t[::1] states, const int64_t[::1] start, const int32_t[::1] low,
                     const int32_t[::1] size, const double[::1] after, double[::1] values):
        """The same where the points written so far matter: values[start[lane] + total - low[lane]].

        ``start``, ``low`` and ``size``: [lanes of the sheet], those of a state one after another; lanes of size 0 are
        never met. ``after`` are the values of the next level, and totals below the first or above the last of a lane
        are worth the same as that.
        """
        if min(start.shape[0], low.shape[0], size.shape[0]) < self.size:
            raise ValueError("the totals of a sheet have too few numbers")
        cdef Work work = self.work()
        cdef totals_t totals
        cdef int32_t state, width, lane
        cdef int64_t first, count, place
        cdef Py_ssize_t i
        totals.start, totals.low, totals.size = &start[0], &low[0], &size[0]
        with nogil:
            for i in range(states.shape[0]):
                state = states[i]
                first, count, place = self.start[state], 0, 0
                for lane in range(self.lanes_of(state)):
                    count += size[first + lane]
                self.begin(state, work, count)
                width = work.kernels.lanes
                work.next_lane, work.next_total = 0, 0
                while place < count:
                    self.block_of_totals(work, totals.low + first, totals.size + first, count - place)
                    self.fill(state, work, &totals, &after[0], 1.0)
                    work.kernels.turn(&self.lattice, &work.offers, work.candidates, 0, work.nodes)
                    memcpy(&values[start[first] + place], work.nodes + (NODES - 1) * width,
                           min(width, count - place) * sizeof(double))
                    place += width

    def range_totals(self, const int32_t[::1] states, int32_t[::1] low, int32_t[::1] high, bint forward):
        """Least and most points of lanes, whatever is thrown and written: those made on the way, or those to come.

        int32 [lanes of the sheet], with the least above the most where there are none. Forwards these states widen
        those with one more row written; else they take theirs from them.
        """
        if min(low.shape[0], high.shape[0]) < self.size:
            raise ValueError("the totals of a sheet have too few numbers")
        cdef Work work = self.work()
        cdef int32_t state, kind, i, c, row, lane, to, gained
        cdef int64_t here, there
        cdef double points = 0.0
        cdef step_t step
        cdef Py_ssize_t at
        with nogil:
            for at in range(states.shape[0]):
                state = states[at]
                self.offer(state, work)
                for kind in range(work.offers.kinds):
                    for i in range(work.lists.rows):
                        row = work.lists.row[i]
                        for c in range(self.class_ptr[row + 1] - self.class_ptr[row]):
                            step = self.step(state, row, c, kind, work.offers.kinds)
                            for lane in range(self.lanes_of(state)):
                                to = follow(&step, lane, &points)
                                here, there = self.start[state] + lane, self.start[step.following] + to
                                if to < 0 or (forward and low[here] > high[here]):
                                    continue
                                gained = <int32_t> points
                                if forward:
                                    low[there] = min(low[there], low[here] + gained)
                                    high[there] = max(high[there], high[here] + gained)
                                else:
                                    low[here] = min(low[here], low[there] + gained)
                                    high[here] = max(high[here], high[there] + gained)

    def vary(self, const int32_t[::1] states, const double[::1] values, double[::1] variances):
        """Fill in how much the points to come vary under the best plan, from the states with one more row written."""
        if values.shape[0] < self.size or variances.shape[0] < self.size:
            raise ValueError("the values of a sheet have too few numbers")
        cdef Work work = self.work()
        cdef double sums[WIDEST]
        cdef double chance, apart
        cdef int32_t lane, count, width, state, at
        cdef Py_ssize_t i, j
        with nogil:
            for i in range(states.shape[0]):
                state = states[i]
                count = self.lanes_of(state)
                self.begin(state, work, count)
                width = work.kernels.lanes
                lane = 0
                while lane < count:
                    self.block(work, lane, count)
                    self.fill(state, work, &self.alone, &values[0], 1.0)
                    work.kernels.plan(&self.lattice, &work.offers, work.candidates, work.nodes, work.chances)
                    for at in range(width):
                        sums[at] = 0.0
                    for j in range(work.size()):
                        for at in range(width):
                            chance = work.chances[j * width + at]
                            if chance > 0.0:
                                apart = work.candidates[j * width + at]
                                apart -= values[self.start[state] + work.lane[at]]
                                sums[at] += chance * apart * apart
                    self.fill(state, work, &self.alone, &variances[0], 0.0)
                    for j in range(work.size()):
                        for at in range(width):
                            chance = work.chances[j * width + at]
                            if chance > 0.0:
                                sums[at] += chance * work.candidates[j * width + at]
                    memcpy(&variances[self.start[state] + lane], sums, min(width, count - lane) * sizeof(double))
                    lane += width

    def edges(self, int32_t state, const int32_t[::1] lanes, const double[::1] values):
        """Where the best plan leads from some lanes of a state.

        For every such edge: int64 [4, edges], its number in the list of lanes, the next state and its lane, and the
        points on the way; and float64 [edges], its chance.
        """
        if values.shape[0] < self.size:
            raise ValueError("the values of a sheet have too few numbers")
        cdef Work work = self.offered(state)
        cdef Py_ssize_t first, most = work.size() * lanes.shape[0], found = 0, j
        cdef int32_t width, at, kind, i, c, row
        cdef double points = 0.0
        cdef step_t step
        facts, chances = np.empty((4, most), dtype=np.int64), np.empty(most)
        cdef int64_t[:, ::1] fact = facts
        cdef double[::1] chance = chances
        with nogil:
            work.kernels = WIDE if lanes.shape[0] > NARROW.lanes else NARROW
            width = work.kernels.lanes
            first = 0
            while first < lanes.shape[0]:
                for at in range(width):
                    work.lane[at] = lanes[min(first + at, lanes.shape[0] - 1)]
                self.fill(state, work, &self.alone, &values[0], 1.0)
                work.kernels.plan(&self.lattice, &work.offers, work.candidates, work.nodes, work.chances)
                j = 0
                for kind in range(work.offers.kinds):
                    for i in range(work.lists.rows):
                        row = work.lists.row[i]
                        for c in range(self.class_ptr[row + 1] - self.class_ptr[row]):
                            step = self.step(state, row, c, kind, work.offers.kinds)
                            for at in range(<int32_t> min(width, lanes.shape[0] - first)):
                                if work.chances[j * width + at] > 0.0:
                                    fact[0, found], fact[1, found] = first + at, step.following
                                    fact[2, found] = follow(&step, work.lane[at], &points)
                                    fact[3, found] = <int64_t> points
                                    chance[found] = work.chances[j * width + at]
                                    found += 1
                            j += 1
                first += width
        return facts[:, :found].copy(), chances[:found].copy()

    def decide(self, int32_t state, int32_t lane, int32_t made, int32_t throw, const double[::1] values):
        """The best choice with a throw: its value, and its candidate and -1, or -1 and the keep that it throws from."""
        cdef Work work = self.decision(state, lane, values)
        if not 0 <= throw < THROWS or made < 1:
            raise ValueError("no such decision")
        cdef int32_t width = NARROW.lanes, i, id, kind, chosen = -1, kept = -1
        cdef double best = -INFINITY, worth
        with nogil:
            kind = kind_of_throw(&work.offers, made)
            for i in range(work.offers.all_ptr[throw], work.offers.all_ptr[throw + 1]):
                id = work.offers.all[i]
                worth = work.candidates[(kind * work.offers.candidates + id) * width]
                if worth > best:
                    best, chosen = worth, id
            if made < self.stages_of(self.memory[state], lane % self.stocks[self.memory[state]]):
                NARROW.turn(&self.lattice, &work.offers, work.candidates, made, work.nodes)
                for i in range(self.lattice.within_ptr[throw], self.lattice.within_ptr[throw + 1]):
                    worth = work.nodes[self.lattice.within[i] * width]
                    if worth > best:
                        best, chosen, kept = worth, -1, self.lattice.within[i]
        return best, chosen, kept

    def worths(self, int32_t state, int32_t lane, const double[::1] values):
        """What each candidate is worth in one lane: float64 [kinds, candidates]."""
        cdef Work work = self.decision(state, lane, values)
        found = np.empty((work.offers.kinds, work.offers.candidates))
        cdef double[:, ::1] view = found
        if work.size():
            copy_columns(&view[0, 0], 1, work.candidates, NARROW.lanes, work.size(), 1)
        return found

    def throws_of(self, int32_t state, int32_t lane):
        """Most throws of a turn that begins in this state and lane."""
        return self.stages_of(self.memory[state], lane % self.stocks[self.memory[state]])

    def offers(self, int32_t state):
        """The open rows of a state, and for each row and throw its class, or -1: int32 [rows], int16 [rows, throws]."""
        cdef Work work = self.offered(state)
        cdef lists_t *lists = work.lists
        cdef int32_t i, d, j, candidate
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
        return rows, classes

    def candidates(self, int32_t state, const double[::1] values):
        """What every candidate of a state is worth in each of its lanes: float64 [kinds, candidates, padded lanes]."""
        if values.shape[0] < self.size:
            raise ValueError("the values of a sheet have too few numbers")
        cdef Work work = self.offered(state)
        cdef int32_t width = WIDE.lanes, count = self.lanes_of(state), lane = 0
        cdef Py_ssize_t lanes = padded(count)
        found = np.empty((work.offers.kinds, work.offers.candidates, lanes))
        cdef double[:, :, ::1] view = found
        work.kernels = WIDE
        while lane < count and work.size():
            self.block(work, lane, count)
            self.fill(state, work, &self.alone, &values[0], 1.0)
            copy_columns(&view[0, 0, lane], lanes, work.candidates, width, work.size(), width)
            lane += width
        return found

    def plan(self, int32_t state, const double[:, :, ::1] candidates):
        """The chance that the best plan writes each candidate, of each kind: shaped like ``candidates``.

        Of equal choices writing comes first, in the order of the rows, then the keep with the most dice.
        """
        cdef Work work = self.offered(state)
        cdef Py_ssize_t lanes = candidates.shape[2], lane = 0, width = WIDE.lanes, columns
        if candidates.shape[0] != work.offers.kinds or candidates.shape[1] != work.offers.candidates:
            raise ValueError("these are not the candidates of the state")
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
        cdef Work work = self.offered(state)
        cdef Py_ssize_t lanes = candidates.shape[2], lane, width, columns, count = NODES if made > 0 else 1
        if candidates.shape[0] != work.offers.kinds or candidates.shape[1] != work.offers.candidates:
            raise ValueError("these are not the candidates of the state")
        found = np.empty((count, lanes))
        cdef double[:, ::1] view = found
        if not lanes or not work.size():
            return found
        with nogil:
            work.kernels = WIDE if lanes > NARROW.lanes else NARROW
            width = work.kernels.lanes
            lane = 0
            while lane < lanes:
                columns = min(width, lanes - lane)  # what stands in the others does not matter
                copy_columns(work.candidates, width, &candidates[0, 0, lane], lanes, work.size(), columns)
                work.kernels.turn(&self.lattice, &work.offers, work.candidates, made, work.nodes)
                copy_columns(&view[0, lane], lanes, work.nodes + (NODES - count) * width, width, count, columns)
                lane += width
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
