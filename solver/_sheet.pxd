# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""A compiled score sheet, as the modules of ``ext`` share it; see ``ext/sheet.pyx``."""
from cython cimport final
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t
from sheet_kernels cimport THROWS, WIDEST, lattice_t, offers_t, sheet_kernels_t

cdef enum:
    MOST_ROWS = 20
    MOST_IDS = MOST_ROWS * 252


cdef struct lists_t:  # the storage behind the lists of offers_t
    int32_t all_ptr[THROWS + 1]
    int32_t few_ptr[THROWS + 1]
    int32_t early_ptr[THROWS + 1]
    int32_t all[MOST_IDS]
    int32_t few[MOST_IDS]
    int32_t early[MOST_IDS]
    int32_t least[MOST_ROWS]
    uint8_t forced[THROWS]
    int32_t rows  # open rows
    int32_t row[MOST_ROWS]
    int32_t base[MOST_ROWS]  # their first candidate
    int32_t written[MOST_IDS]  # the row of each candidate
    int32_t number[MOST_IDS]  # and its number among the classes of all rows


cdef struct totals_t:  # by lane, where its values begin, and the totals that it tells apart
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


@final
cdef class Work:
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

    cdef Py_ssize_t size(self) noexcept nogil
    cdef void begin(self, int64_t places) noexcept nogil


@final
cdef class Sheet:
    cdef dict arrays  # keeps the memory behind the pointers
    cdef lattice_t lattice
    cdef const int64_t *start  # [states], the number of the first lane of each
    cdef int32_t rows, throws, mems, joker_row
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

    cdef check(self, Py_ssize_t numbers)
    cdef bint open_row(self, int32_t state, int32_t row) noexcept nogil
    cdef int32_t stages_of(self, int32_t mem, int32_t stock) noexcept nogil
    cdef int32_t lanes_of(self, int32_t state) noexcept nogil
    cdef Work work(self)
    cdef Work offered(self, int32_t state)
    cdef Work given(self, int32_t state, const double[:, :, ::1] candidates)
    cdef void offer(self, int32_t state, Work work) noexcept nogil
    cdef void block(self, int32_t state, Work work, const totals_t *totals, int64_t place,
                    int64_t places) noexcept nogil
    cdef void fill(self, int32_t state, Work work, const double *values, double paid) noexcept nogil
    cdef void fill_totals(self, int32_t state, Work work, const totals_t *totals, const double *values) noexcept nogil
    cdef void solve_state(self, int32_t state, Work work, const totals_t *totals, int64_t places, const double *after,
                          double *values) noexcept nogil


cdef inline step_t step_of(Sheet sheet, int32_t state, Work work, int32_t kind, int32_t candidate) noexcept nogil:
    """What a candidate does that is written after a throw of one of the kinds."""
    cdef int32_t row = work.lists.written[candidate], j = work.lists.number[candidate], mem = sheet.memory[state]
    cdef int64_t at = sheet.map_ptr[mem * sheet.rows + row]
    cdef step_t step
    step.following = state + sheet.stride[row]
    step.points = sheet.first[j] if kind == 0 and work.offers.kinds > 1 else sheet.later[j]
    step.bonus = sheet.bonus + sheet.bonus_ptr[mem] if sheet.has_bonus[j] else NULL
    step.to = step.pay = NULL
    if at >= 0:
        at += <int64_t> (j - sheet.class_ptr[row]) * sheet.totals[mem]
        step.to, step.pay = sheet.map_to + at, sheet.map_pay + at
    step.saves, step.made, step.throws, step.usable = sheet.stock, kind + 1, sheet.throws, sheet.usable[mem]
    step.stocks, step.next_stocks = sheet.stocks[mem], sheet.stocks[sheet.memory[step.following]]
    return step


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
