# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Sweeps over all match states of a race game.

Match states are pairs (mover, waiter) of player states; alone there is one
waiter.  For a fixed mover every waiter faces the same turn, so the waiters are
the lanes of ``turn.h``.  For each mover a sweep

1. gathers what every way of ending the turn is worth against each waiter,
2. runs the turn backwards,
3. scatters the values of the turn's start.

What an ending is worth comes from ``layers[layer, mover's next state, waiter]``:
the driver writes there "I pass the dice on" (layer 0), the same with the waiter
moved by attack 1, 2, ... (layers 1, 2, ...), and, where the rules have extra
turns, "I keep the dice" (the last layer).  An attack reaches an interval of
waiters, so gathering is copying runs of memory.

Only arrays cross this border; all functions release the GIL, and each call
works on its own movers, so results do not depend on the number of threads.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

cdef extern from "stdlib.h" nogil:
    int posix_memalign(void **memory, size_t alignment, size_t size)

cdef extern from "turn.h" nogil:
    enum:
        LANES
        WIDE
    enum:
        MUST_THROW
    ctypedef struct turn_t:
        int32_t slots, stops, ends
        const int32_t *roll_ptr
        const double *roll_chance
        const int32_t *choice_ptr
        const int32_t *option_ptr
        const int32_t *option_gain
        const int32_t *option_slot
        const int32_t *option_offset
        const double *end_chance
        const int32_t *stop_kind
    void solve_turn(const turn_t *turn, double *values, const double *stops, const double *ends,
                    const uint8_t *modes, int32_t highest, int width)
    void fingerprint_turn(const turn_t *turn, const double *values, const double *stops,
                          const uint8_t *modes, int32_t highest, const uint8_t *relevant, int64_t *fingerprints)
    void push_turn(const turn_t *turn, const double *values, const double *stops, const uint8_t *modes,
                   int32_t highest, int32_t start_slot, double *mass, double *stop_chances, double *end_chances)
    void pick_chances(const double *chances, const int32_t *plans, double *picked)
    void add_expectation(const double *chances, const double *values, double *sums)

LANES_IN_BLOCK = LANES


cdef class Machine:
    """The compiled rules of one race game, ready to sweep.

    Built from the arrays of ``solver.race.turn.TurnGraph`` and
    ``solver.race.model.RaceModel``; see there for their meaning.
    """

    cdef turn_t turn
    cdef object arrays  # keeps the memory alive
    cdef int64_t attacks, waiters, movers
    cdef const int32_t *start_slot
    cdef const int32_t *highest
    cdef const int64_t *total_ptr
    cdef const uint8_t *modes
    cdef const int32_t *outcome_row
    cdef const int32_t *outcome_layer
    cdef const int32_t *outcome_low
    cdef const int32_t *outcome_high
    cdef const uint8_t *relevant
    cdef int64_t first_end
    cdef int32_t most_total

    def __init__(
        self, const int32_t[::1] roll_ptr, const double[::1] roll_chance, const int32_t[::1] choice_ptr,
        const int32_t[::1] option_ptr, const int32_t[::1] option_gain, const int32_t[::1] option_slot,
        const int32_t[::1] option_offset, const double[:, ::1] end_chance,
        const int32_t[::1] stop_kind, int stop_kinds, Py_ssize_t waiters, const int32_t[::1] start_slot,
        const int32_t[::1] highest, const int64_t[::1] total_ptr, const uint8_t[::1] modes,
        const int32_t[::1] outcome_row, const int32_t[::1] outcome_layer, const int32_t[:, ::1] outcome_low,
        const int32_t[:, ::1] outcome_high, const uint8_t[:, ::1] relevant,
    ):
        cdef Py_ssize_t p
        self.arrays = (roll_ptr, roll_chance, choice_ptr, option_ptr, option_gain, option_slot, option_offset,
                       end_chance, stop_kind, start_slot, highest, total_ptr, modes, outcome_row, outcome_layer,
                       outcome_low, outcome_high, relevant)
        self.relevant = &relevant[0, 0]
        self.turn.slots = <int32_t> stop_kind.shape[0]
        self.turn.stops = stop_kinds
        self.turn.ends = <int32_t> end_chance.shape[1]
        self.turn.roll_ptr, self.turn.roll_chance = &roll_ptr[0], &roll_chance[0]
        self.turn.choice_ptr = &choice_ptr[0]
        self.turn.option_ptr, self.turn.option_gain = &option_ptr[0], &option_gain[0]
        self.turn.option_slot, self.turn.option_offset = &option_slot[0], &option_offset[0]
        self.turn.end_chance = &end_chance[0, 0]
        self.turn.stop_kind = &stop_kind[0]
        self.movers, self.waiters, self.attacks = highest.shape[0], waiters, outcome_low.shape[1]
        self.start_slot, self.highest, self.total_ptr = &start_slot[0], &highest[0], &total_ptr[0]
        self.modes, self.outcome_row, self.outcome_layer = &modes[0], &outcome_row[0], &outcome_layer[0]
        self.outcome_low = &outcome_low[0, 0] if self.attacks else NULL
        self.outcome_high = &outcome_high[0, 0] if self.attacks else NULL
        self.first_end = total_ptr[self.movers] * stop_kinds
        self.most_total = 0
        for p in range(self.movers):
            self.most_total = max(self.most_total, highest[p])
        if (outcome_row.shape[0] != self.first_end + self.movers * self.turn.ends
                or outcome_layer.shape[0] != outcome_row.shape[0] or outcome_low.shape[0] != outcome_row.shape[0]
                or outcome_high.shape[0] != outcome_row.shape[0] or start_slot.shape[0] != self.movers
                or relevant.shape[0] <= self.most_total or relevant.shape[1] != self.turn.slots
                or modes.shape[0] != total_ptr[self.movers] or total_ptr.shape[0] != self.movers + 1):
            raise ValueError("the arrays of a race model do not fit together")

    cdef void gather(self, const double[:, :, ::1] layers, int64_t outcome, int64_t first,
                     double *block) noexcept nogil:
        """Copy what one outcome is worth against LANES waiters, the first of them ``first``."""
        cdef int64_t attack, low, high, row = self.outcome_row[outcome]
        memcpy(block, &layers[self.outcome_layer[outcome], row, first], LANES * sizeof(double))
        for attack in range(self.attacks):
            low = max(<int64_t> self.outcome_low[outcome * self.attacks + attack], first)
            high = min(<int64_t> self.outcome_high[outcome * self.attacks + attack], first + LANES)
            if low < high:
                memcpy(block + (low - first), &layers[attack + 1, row, low], (high - low) * sizeof(double))

    cdef void gather_turn(self, const double[:, :, ::1] layers, int64_t mover, int64_t first, double *stops,
                          double *ends) noexcept nogil:
        cdef int64_t i, start = self.total_ptr[mover], kinds = self.turn.stops
        for i in range((self.highest[mover] + 1) * kinds):
            if self.modes[start + i // kinds] != MUST_THROW:
                self.gather(layers, start * kinds + i, first, stops + i * LANES)
        for i in range(self.turn.ends):
            self.gather(layers, self.first_end + mover * self.turn.ends + i, first, ends + i * LANES)

    cdef void gather_lanes(self, const double[:, :, ::1] layers, int64_t outcome, const int32_t *waiters, int64_t count,
                           double *block) noexcept nogil:
        """The same against any waiters, one by one."""
        cdef int64_t row = self.outcome_row[outcome], attack, i, layer
        for i in range(count):
            layer = 0
            for attack in range(self.attacks):
                if (self.outcome_low[outcome * self.attacks + attack] <= waiters[i]
                        < self.outcome_high[outcome * self.attacks + attack]):
                    layer = attack + 1
            if layer == 0:
                layer = self.outcome_layer[outcome]
            block[i] = layers[layer, row, waiters[i]]
        for i in range(count, LANES):  # idle lanes do as the first: what they do decides what is negligible
            block[i] = block[0]

    cdef size_t scratch_size(self) noexcept nogil:
        return ((<size_t> self.most_total + 1) * (self.turn.slots + self.turn.stops) + self.turn.ends + 2) * LANES

    cdef int32_t number_plans(self, const int64_t *prints, int64_t size, int32_t *buckets, int32_t *plans,
                              int32_t *examples) noexcept nogil:
        """Number different fingerprints in order of appearance; returns how many there are.

        ``buckets[size]`` is a hash table, ``size`` a power of two of at least twice the number of waiters.
        """
        cdef int32_t count = 0
        cdef int64_t waiter, place
        memset(buckets, 0xFF, size * sizeof(int32_t))
        for waiter in range(self.waiters):
            place = prints[waiter] & (size - 1)
            while buckets[place] >= 0 and prints[examples[buckets[place]]] != prints[waiter]:
                place = (place + 1) & (size - 1)
            if buckets[place] < 0:
                buckets[place] = count
                examples[count] = <int32_t> waiter
                count += 1
            plans[waiter] = buckets[place]
        return count

    def improve(self, const double[:, :, ::1] layers, Py_ssize_t begin, Py_ssize_t end, double[:, ::1] values,
                int32_t[:, ::1] plans=None, int32_t[:, ::1] examples=None, int32_t[::1] counts=None):
        """Write ``values[mover, waiter]`` of the best play, for the movers in ``begin:end``; rows are whole blocks.

        If asked, also ``plans[mover, waiter]``, the number of the best plan among the different ones of the mover,
        ``examples[mover, plan]``, a waiter who meets it, and ``counts[mover]``, how many there are.
        """
        cdef double *stops = NULL
        cdef double *turn_values
        cdef double *ends
        cdef int64_t *prints = NULL
        cdef int64_t mover, first, block, size = 1, stride = layers.shape[2]
        cdef bint wanted = plans is not None
        self.check(layers, begin, end)
        if values.shape[0] < end or values.shape[1] != stride or (wanted and (
                plans.shape[0] < end or plans.shape[1] != stride or examples.shape[0] < end
                or examples.shape[1] != stride or counts.shape[0] < end)):
            raise ValueError("values and layers do not fit together")
        while size < 2 * self.waiters:
            size *= 2
        if posix_memalign(<void **> &stops, 64, self.scratch_size() * sizeof(double)):
            raise MemoryError
        if posix_memalign(<void **> &prints, 64, stride * sizeof(int64_t) + size * sizeof(int32_t)):
            free(stops)
            raise MemoryError
        ends = stops + (<int64_t> self.most_total + 1) * self.turn.stops * LANES
        turn_values = ends + self.turn.ends * LANES
        with nogil:
            memset(stops, 0, self.scratch_size() * sizeof(double))
            for mover in range(begin, end):
                for block in range(stride // LANES):
                    first = block * LANES
                    self.gather_turn(layers, mover, first, stops, ends)
                    solve_turn(&self.turn, turn_values, stops, ends, self.modes + self.total_ptr[mover],
                               self.highest[mover], WIDE)
                    memcpy(&values[mover, first], turn_values + self.start_slot[mover] * LANES, LANES * sizeof(double))
                    if wanted:
                        fingerprint_turn(&self.turn, turn_values, stops, self.modes + self.total_ptr[mover],
                                         self.highest[mover], self.relevant, prints + first)
                if wanted:
                    counts[mover] = self.number_plans(prints, size, <int32_t *> (prints + stride), &plans[mover, 0],
                                                      &examples[mover, 0])
        free(stops)
        free(prints)

    def push(self, const double[:, :, ::1] layers, Py_ssize_t begin, Py_ssize_t end, const int32_t[:, ::1] examples,
             const int64_t[::1] chance_ptr, const int32_t[::1] counts, double[::1] chances):
        """Chances of every way of ending the turn, under the plans that ``improve`` found.

        From ``chance_ptr[mover]`` on go the chances ``[outcome, plan]`` of each mover in ``begin:end``: first the
        stops ``[total, kind]``, then the forced ends.
        """
        cdef double *stops = NULL
        cdef double *ends
        cdef double *turn_values
        cdef double *mass
        cdef double *pushed
        cdef double *out
        cdef int64_t mover, i, first, block, count, kinds = self.turn.stops, reach, start
        cdef const uint8_t *modes
        self.check(layers, begin, end)
        if posix_memalign(<void **> &stops, 64, 2 * self.scratch_size() * sizeof(double)):
            raise MemoryError
        ends = stops + (<int64_t> self.most_total + 1) * kinds * LANES
        turn_values = ends + self.turn.ends * LANES
        mass = stops + self.scratch_size()
        with nogil:
            memset(stops, 0, 2 * self.scratch_size() * sizeof(double))
            for mover in range(begin, end):
                start = self.total_ptr[mover]
                modes, reach = self.modes + start, self.highest[mover] + 1
                pushed = mass + reach * self.turn.slots * LANES
                for block in range((counts[mover] + LANES - 1) // LANES):
                    first = block * LANES
                    count = min(<int64_t> LANES, counts[mover] - first)
                    for i in range(reach * kinds):
                        if modes[i // kinds] != MUST_THROW:
                            self.gather_lanes(layers, start * kinds + i, &examples[mover, first], count,
                                              stops + i * LANES)
                    for i in range(self.turn.ends):
                        self.gather_lanes(layers, self.first_end + mover * self.turn.ends + i, &examples[mover, first],
                                          count, ends + i * LANES)
                    solve_turn(&self.turn, turn_values, stops, ends, modes, self.highest[mover], WIDE)
                    push_turn(&self.turn, turn_values, stops, modes, self.highest[mover], self.start_slot[mover], mass,
                              pushed, pushed + reach * kinds * LANES)
                    out = &chances[chance_ptr[mover] + first]
                    for i in range(reach * kinds + self.turn.ends):
                        memcpy(out + i * counts[mover], pushed + i * LANES, count * sizeof(double))
        free(stops)

    cdef void relax_block(self, double *passed, int64_t stride, double sign, int64_t begin, int64_t end, int64_t first,
                          const int64_t *entry_ptr, const int64_t *entry_outcome, const int64_t *entry_chances,
                          const double *chances, const int32_t *plans, const int32_t *targets, const double *constants,
                          const double *returns, double *values, double *picked, double *worth,
                          double *before) noexcept nogil:
        cdef int64_t mover, entry, outcome, attack, low, high, i, last = min(self.waiters, first + LANES)
        cdef double back
        cdef const double *row
        cdef double *sums
        for mover in range(end - 1, begin - 1, -1):
            sums = values + mover * stride + first
            memcpy(before, sums, LANES * sizeof(double))
            memcpy(sums, constants + mover * stride + first, LANES * sizeof(double))
            for entry in range(entry_ptr[mover], entry_ptr[mover + 1]):
                outcome = entry_outcome[entry]
                row = passed + self.outcome_row[outcome] * stride
                memcpy(worth, row + first, LANES * sizeof(double))
                for attack in range(self.attacks):
                    low = max(<int64_t> self.outcome_low[outcome * self.attacks + attack], first)
                    high = min(<int64_t> self.outcome_high[outcome * self.attacks + attack], last)
                    for i in range(low, high):
                        worth[i - first] = row[targets[attack * self.movers + i]]
                pick_chances(chances + entry_chances[entry], plans + mover * stride + first, picked)
                add_expectation(picked, worth, sums)
            for i in range(first, min(last, mover + 1)):
                back = returns[mover * stride + i] * (sign if i == mover else 1.0)
                sums[i - first] = (sums[i - first] - back * before[i - first]) / (1.0 - back)
            for i in range(first, last):
                passed[i * stride + mover] = sign * sums[i - first]

    def relax(self, double[:, ::1] passed, double sign, const int64_t[::1] entry_ptr,
              const int64_t[::1] entry_outcome, const int64_t[::1] entry_chances, const double[::1] chances,
              const int32_t[:, ::1] plans, const double[:, ::1] returns, const int32_t[:, ::1] targets,
              const double[:, ::1] constants, double[:, ::1] values):
        """One Gauss-Seidel sweep over ``values = constants + expected values of the next match states``, for two.

        Plans are fixed: ``plans[mover, waiter]`` numbers those of a mover, and an entry of a mover is one outcome
        with its chance under each of his plans, ``chances[entry_chances[entry] + plan]``. ``passed[mover's next
        state, waiter]`` is ``sign`` times the value for the waiter, who moves next, and is kept up to date. The order
        is from the end of the match back: falling sums of the numbers of both states, in square blocks.
        """
        cdef int64_t blocks, diagonal, i, j, stride = values.shape[1]
        cdef double *worth = NULL
        if (passed.shape[1] != stride or constants.shape[1] != stride or plans.shape[1] != stride or stride % LANES
                or stride < self.waiters or passed.shape[0] <= self.movers or constants.shape[0] < self.movers
                or values.shape[0] < self.movers or plans.shape[0] < self.movers
                or returns.shape[0] < self.movers or returns.shape[1] != stride
                or targets.shape[0] < self.attacks or entry_ptr.shape[0] != self.movers + 1
                or entry_chances.shape[0] != entry_outcome.shape[0] or self.waiters != self.movers):
            raise ValueError("the arrays of a relaxation do not fit together")
        if posix_memalign(<void **> &worth, 64, 3 * LANES * sizeof(double)):
            raise MemoryError
        blocks = stride // LANES
        with nogil:
            for diagonal in range(2 * blocks - 2, -1, -1):
                for i in range(min(diagonal, blocks - 1), max(diagonal - blocks, -1), -1):
                    j = diagonal - i
                    self.relax_block(
                        &passed[0, 0], stride, sign, i * LANES, min(self.movers, (i + 1) * LANES), j * LANES,
                        &entry_ptr[0], &entry_outcome[0], &entry_chances[0], &chances[0], &plans[0, 0],
                        &targets[0, 0] if self.attacks else NULL, &constants[0, 0], &returns[0, 0], &values[0, 0],
                        worth + LANES, worth, worth + 2 * LANES)
        free(worth)

    def check(self, const double[:, :, ::1] layers, Py_ssize_t begin, Py_ssize_t end):
        if not 0 <= begin <= end <= self.movers:
            raise ValueError("movers out of range")
        if layers.shape[2] % LANES or layers.shape[2] < self.waiters or layers.shape[0] <= self.attacks:
            raise ValueError("layers do not fit the model")
