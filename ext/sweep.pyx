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
turns, "I keep the dice" and its attacks (as many layers again).  An attack
reaches an interval of waiters, so gathering is copying runs of memory.

Only arrays cross this border; all functions release the GIL, and each call
works on its own movers, so results do not depend on the number of threads.
"""
from kernels cimport kernels_of_this_machine, kernels_t, posix_memalign
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

import numpy as np

cdef const kernels_t *KERNELS = kernels_of_this_machine()

cdef float MOST_BACK = <float> (1.0 - 1e-6)  # where both wait for ever, nothing can be solved at once


def padded(Py_ssize_t waiters):
    """Waiters in a row of match states: so many or more, whole blocks for all kernels."""
    cdef Py_ssize_t lanes = KERNELS.rough_narrow.lanes if waiters == 1 else KERNELS.rough_wide.lanes
    return (waiters + lanes - 1) // lanes * lanes


cdef class Plans:
    """The best plan of each match state, as the chances of all ways in which its turn can end.

    Blocks of waiters share their list of outcomes. Chances add up to one for each match state, up to those that are
    too rare to matter, and rare ways to stop are counted as likely ones with about as many points: good enough to
    correct values, and never used to prove them.
    """

    def __cinit__(self, Py_ssize_t movers, Py_ssize_t waiters):
        self.movers = movers
        self.lanes = KERNELS.rough_narrow.lanes if waiters == 1 else KERNELS.rough_wide.lanes
        self.blocks = blocks = padded(waiters) // self.lanes
        self.starts = <int32_t *> calloc(movers * (blocks + 1), sizeof(int32_t))
        self.outcomes = <int64_t **> calloc(movers, sizeof(int64_t *))
        self.chances = <float **> calloc(movers, sizeof(float *))
        self.stays = <float *> calloc(movers * blocks * self.lanes, sizeof(float))
        if not (self.starts and self.outcomes and self.chances and self.stays):
            raise MemoryError

    def __dealloc__(self):
        cdef int64_t mover
        for mover in range(self.movers):
            if self.outcomes:
                free(self.outcomes[mover])
            if self.chances:
                free(self.chances[mover])
        free(self.starts)
        free(self.outcomes)
        free(self.chances)
        free(self.stays)

    cdef bint keep(self, int64_t mover, int64_t entries, const int64_t *outcomes, const float *chances) noexcept nogil:
        """Take a copy of all entries of a mover; false if memory is short."""
        free(self.outcomes[mover])
        free(self.chances[mover])
        self.outcomes[mover] = <int64_t *> malloc(entries * sizeof(int64_t))
        self.chances[mover] = NULL
        if (posix_memalign(<void **> &self.chances[mover], 64, entries * self.lanes * sizeof(float))
                or not self.outcomes[mover]):
            return False
        memcpy(self.outcomes[mover], outcomes, entries * sizeof(int64_t))
        memcpy(self.chances[mover], chances, entries * self.lanes * sizeof(float))
        return True

    def alone(self):
        """The plans of a game with one block of one waiter: pointers [movers + 1], outcomes and chances [entries]."""
        cdef int64_t mover, entry, place = 0
        pointers = np.zeros(self.movers + 1, dtype=np.int64)
        cdef int64_t[::1] pointer = pointers
        for mover in range(self.movers):
            pointer[mover + 1] = pointer[mover] + self.starts[2 * mover + 1]
        outcomes, chances = np.zeros(pointer[self.movers], dtype=np.int64), np.zeros(pointer[self.movers])
        cdef int64_t[::1] outcome = outcomes
        cdef double[::1] chance = chances
        for mover in range(self.movers):
            for entry in range(self.starts[2 * mover + 1]):
                outcome[place] = self.outcomes[mover][entry]
                chance[place] = self.chances[mover][entry * self.lanes]
                place += 1
        return pointers, outcomes, chances


cdef class Machine:
    """The compiled rules of one race game, ready to sweep.

    Built from the arrays of ``solver.race.turn.TurnGraph`` and
    ``solver.race.model.RaceModel``; see there for their meaning.
    """

    def __init__(
        self, const int32_t[::1] roll_ptr, const double[::1] roll_chance, const int32_t[::1] choice_ptr,
        const int32_t[::1] option_ptr, const int32_t[::1] option_gain, const int32_t[::1] option_slot,
        const int32_t[::1] option_offset, const double[:, ::1] end_chance,
        const int32_t[::1] stop_kind, int stop_kinds, Py_ssize_t waiters, const int32_t[::1] start_slot,
        const int32_t[::1] highest, const int64_t[::1] total_ptr, const uint8_t[::1] modes,
        const int32_t[::1] outcome_row, const int32_t[::1] outcome_layer, const int32_t[:, ::1] outcome_low,
        const int32_t[:, ::1] outcome_high, Py_ssize_t verdicts,
    ):
        cdef Py_ssize_t p, attacks = outcome_low.shape[1]
        self.arrays = (roll_ptr, roll_chance, choice_ptr, option_ptr, option_gain, option_slot, option_offset,
                       end_chance, stop_kind, start_slot, highest, total_ptr, modes, outcome_row, outcome_layer,
                       outcome_low, outcome_high)
        self.turn.slots = <int32_t> stop_kind.shape[0]
        self.turn.stops = stop_kinds
        self.turn.ends = <int32_t> end_chance.shape[1]
        self.turn.roll_ptr, self.turn.roll_chance = &roll_ptr[0], &roll_chance[0]
        self.turn.choice_ptr = &choice_ptr[0]
        self.turn.option_ptr, self.turn.option_gain = &option_ptr[0], &option_gain[0]
        self.turn.option_slot, self.turn.option_offset = &option_slot[0], &option_offset[0]
        self.turn.end_chance = &end_chance[0, 0]
        self.turn.stop_kind = &stop_kind[0]
        self.movers, self.waiters, self.stride = highest.shape[0], waiters, padded(waiters)
        self.exact = KERNELS.exact_narrow if waiters == 1 else KERNELS.exact_wide
        self.rough = KERNELS.rough_narrow if waiters == 1 else KERNELS.rough_wide
        self.outcomes.attacks, self.outcomes.stride = attacks, self.stride
        self.next_rows = self.movers + verdicts
        self.outcomes.layer_size = self.next_rows * self.stride
        self.outcomes.layer, self.outcomes.row = &outcome_layer[0], &outcome_row[0]
        self.outcomes.low = &outcome_low[0, 0] if attacks else NULL
        self.outcomes.high = &outcome_high[0, 0] if attacks else NULL
        self.start_slot, self.highest, self.total_ptr = &start_slot[0], &highest[0], &total_ptr[0]
        self.modes = &modes[0]
        self.first_end = total_ptr[self.movers] * stop_kinds
        self.most_total = 0
        for p in range(self.movers):
            self.most_total = max(self.most_total, <int64_t> highest[p])
        if (outcome_row.shape[0] != self.first_end + self.movers * self.turn.ends
                or outcome_layer.shape[0] != outcome_row.shape[0] or outcome_low.shape[0] != outcome_row.shape[0]
                or outcome_high.shape[0] != outcome_row.shape[0] or start_slot.shape[0] != self.movers
                or modes.shape[0] != total_ptr[self.movers] or total_ptr.shape[0] != self.movers + 1):
            raise ValueError("the arrays of a race model do not fit together")

    cdef int64_t rows(self) noexcept nogil:
        """Most rows of a block in one turn: values of turn states, stops and ends."""
        return (self.most_total + 1) * (self.turn.slots + self.turn.stops) + self.turn.ends

    cdef check(self, layers, begin, end, values):
        if not 0 <= begin <= end <= self.movers:
            raise ValueError("movers out of range")
        if (layers.shape[0] % (1 + self.outcomes.attacks) or layers.shape[1] != self.next_rows
                or layers.shape[2] != self.stride or values.shape[0] != self.movers or values.shape[1] != self.stride):
            raise ValueError("values and layers do not fit together")

    def operator(self, const double[:, :, ::1] layers, Py_ssize_t begin, Py_ssize_t end, double[:, ::1] values):
        """Write ``values[mover, waiter]`` of the best play, for the movers in ``begin:end``."""
        cdef int64_t mover, block, first, kinds = self.turn.stops, lanes = self.exact.lanes
        cdef double *stops = NULL
        cdef double *ends
        cdef double *turn_values
        self.check(layers, begin, end, values)
        if posix_memalign(<void **> &stops, 64, self.rows() * lanes * sizeof(double)):
            raise MemoryError
        ends = stops + (self.most_total + 1) * kinds * lanes
        turn_values = ends + self.turn.ends * lanes
        with nogil:
            for mover in range(begin, end):
                for block in range(self.stride // lanes):
                    first = block * lanes
                    self.exact.gather(&self.outcomes, &layers[0, 0, 0], self.total_ptr[mover] * kinds,
                                      (self.highest[mover] + 1) * kinds, first, NULL, stops)
                    self.exact.gather(&self.outcomes, &layers[0, 0, 0], self.first_end + mover * self.turn.ends,
                                      self.turn.ends, first, NULL, ends)
                    self.exact.solve(&self.turn, turn_values, stops, ends, self.modes + self.total_ptr[mover],
                                     self.highest[mover])
                    memcpy(&values[mover, first], turn_values + self.start_slot[mover] * lanes, lanes * sizeof(double))
        free(stops)

    def plan(self, const double[:, :, ::1] layers, Py_ssize_t begin, Py_ssize_t end, const double[:, ::1] values,
             float[:, ::1] residual, Plans plans, double least):
        """Write the residual, by how much the best play gains on ``values``, and the best plans.

        Both are found in single precision; of the ways to stop, the plans keep those whose chance reaches ``least``.
        """
        cdef int64_t mover, first, entries, kinds = self.turn.stops, lanes = self.rough.lanes, block
        cdef int64_t blocks = self.stride // lanes
        cdef int64_t most_entries = (self.most_total + 1) * kinds + self.turn.ends
        cdef float *stops = NULL
        cdef float *ends
        cdef float *turn_values
        cdef float *stop_chances
        cdef float *end_chances
        cdef float *mass
        cdef float *chances = NULL
        cdef int64_t *likely = NULL
        cdef const uint8_t *modes
        cdef bint short = False
        self.check(layers, begin, end, values)
        self.check(layers, begin, end, residual)
        if (plans.movers != self.movers or plans.blocks * lanes != self.stride or plans.lanes != lanes):
            raise ValueError("these plans are of another game")
        likely = <int64_t *> malloc(most_entries * blocks * sizeof(int64_t))
        if (posix_memalign(<void **> &stops, 64, 2 * self.rows() * lanes * sizeof(float))
                or posix_memalign(<void **> &chances, 64, most_entries * blocks * lanes * sizeof(float))
                or not likely):
            free(stops)
            free(chances)
            free(likely)
            raise MemoryError
        ends = stops + (self.most_total + 1) * kinds * lanes
        turn_values = ends + self.turn.ends * lanes
        stop_chances = stops + self.rows() * lanes
        end_chances = stop_chances + (self.most_total + 1) * kinds * lanes
        mass = end_chances + self.turn.ends * lanes
        with nogil:
            for mover in range(begin, end):
                modes, entries = self.modes + self.total_ptr[mover], 0
                for block in range(blocks):
                    first = block * lanes
                    self.rough.gather(&self.outcomes, &layers[0, 0, 0], self.total_ptr[mover] * kinds,
                                      (self.highest[mover] + 1) * kinds, first, &values[mover, first],
                                      stops)
                    self.rough.gather(&self.outcomes, &layers[0, 0, 0], self.first_end + mover * self.turn.ends,
                                      self.turn.ends, first, &values[mover, first], ends)
                    self.rough.solve(&self.turn, turn_values, stops, ends, modes, self.highest[mover])
                    memcpy(&residual[mover, first], turn_values + self.start_slot[mover] * lanes, lanes * sizeof(float))
                    self.rough.push(&self.turn, turn_values, stops, modes, self.highest[mover], self.start_slot[mover],
                                    0.1 * least, mass, stop_chances, end_chances)
                    entries += self.enter(plans, mover, block, stop_chances, end_chances, least, likely + entries,
                                          chances + entries * lanes)
                    plans.starts[mover * (plans.blocks + 1) + block + 1] = <int32_t> entries
                if not plans.keep(mover, entries, likely, chances):
                    short = True
                    break
        free(stops)
        free(likely)
        free(chances)
        if short:
            raise MemoryError

    cdef int64_t enter(self, Plans plans, int64_t mover, int64_t block, const float *stop_chances,
                       const float *end_chances, double least, int64_t *likely, float *chances) noexcept nogil:
        """Write the likely outcomes of a block of waiters and their chances; returns how many there are."""
        cdef int64_t kinds = self.turn.stops, lanes = plans.lanes, count = 0, found, kind, i, lane
        cdef float *stays = plans.stays + (mover * plans.blocks + block) * lanes
        memset(stays, 0, lanes * sizeof(float))
        for kind in range(kinds):
            found = self.rough.merge(stop_chances + kind * lanes, self.highest[mover] * kinds + 1, kinds, least,
                                     likely + count, chances + count * lanes)
            for i in range(count, count + found):
                likely[i] += self.total_ptr[mover] * kinds + kind
            count += found
        memcpy(chances + count * lanes, end_chances, self.turn.ends * lanes * sizeof(float))
        for i in range(self.turn.ends):
            likely[count] = self.first_end + mover * self.turn.ends + i
            count += 1
        for i in range(count):
            if self.outcomes.row[likely[i]] == mover and self.outcomes.layer[likely[i]] == 0:
                for lane in range(lanes):
                    stays[lane] += chances[i * lanes + lane]
        return count

    def relax(self, Plans plans, float sign, const int32_t[::1] hit_ptr, const int32_t[::1] hit,
              const float[:, ::1] constants, float[:, :, ::1] layers, float[:, ::1] values,
              Py_ssize_t sum_of_blocks, Py_ssize_t begin, Py_ssize_t end):
        """A part of a Gauss-Seidel sweep over ``values = constants + expected values of the next match states``.

        For two players. Plans are fixed. ``layers``, as above with ``sign`` times the value for the waiter who moves
        next, are kept up to date: attack ``a`` moves the waiters ``hit[hit_ptr[a * movers + state] : hit_ptr[a *
        movers + state + 1]]`` to ``state``. The part are square blocks of match states: those of the movers' blocks
        ``begin:end`` in which the numbers of the mover's and the waiter's block add up to ``sum_of_blocks``.

        The order of a sweep is from the end of the match back: falling sums, and of each sum first the blocks in
        which the mover has the larger number, then those in which he has the smaller one. Blocks of one such kind do
        not know each other, and may be worked on at the same time.
        """
        cdef int64_t i, j, mover
        self.check(layers, 0, 0, values)
        if (constants.shape[0] != self.movers or constants.shape[1] != self.stride or plans.movers != self.movers
                or plans.blocks * plans.lanes != self.stride or self.waiters != self.movers
                or hit_ptr.shape[0] != self.outcomes.attacks * self.movers + 1):
            raise ValueError("the arrays of a relaxation do not fit together")
        if not max(0, sum_of_blocks - plans.blocks + 1) <= begin <= end <= min(plans.blocks, sum_of_blocks + 1):
            raise ValueError("blocks out of range")
        cdef bint kept = layers.shape[0] > 1 + self.outcomes.attacks
        cdef const int32_t *hits = &hit[0] if hit.shape[0] else NULL
        with nogil:
            for i in range(begin, end):
                j = sum_of_blocks - i
                for mover in range(min(self.movers, (i + 1) * plans.lanes) - 1, i * plans.lanes - 1, -1):
                    self.relax_row(plans, sign, mover, j, &constants[0, 0], &layers[0, 0, 0], &values[0, 0])
                    self.spread(mover, j * plans.lanes, sign, kept, &hit_ptr[0], hits, &values[0, 0],
                                &layers[0, 0, 0])

    cdef void relax_row(self, Plans plans, float sign, int64_t mover, int64_t block, const float *constants,
                        const float *layers, float *values) noexcept nogil:
        cdef int64_t i, first = block * plans.lanes, begin = plans.starts[mover * (plans.blocks + 1) + block]
        cdef int64_t count = plans.starts[mover * (plans.blocks + 1) + block + 1] - begin
        cdef float *sums = values + mover * self.stride + first
        cdef float before[128]  # the widest block
        cdef float back
        memcpy(before, sums, plans.lanes * sizeof(float))
        memcpy(sums, constants + mover * self.stride + first, plans.lanes * sizeof(float))
        self.rough.expect(&self.outcomes, layers, plans.outcomes[mover] + begin,
                          plans.chances[mover] + begin * plans.lanes, count, first, sums)
        # Where both may end their turns without a change, the pair of match states is solved at once.
        for i in range(first, min(first + plans.lanes, mover + 1)):
            back = plans.stays[mover * self.stride + i]
            back = back * sign if i == mover else back * plans.stays[i * self.stride + mover]
            back = min(back, MOST_BACK)
            sums[i - first] = (sums[i - first] - back * before[i - first]) / (<float> 1.0 - back)

    cdef void spread(self, int64_t mover, int64_t first, float sign, bint kept, const int32_t *hit_ptr,
                     const int32_t *hit, const float *values, float *layers) noexcept nogil:
        """Take new values of a mover against a block of waiters over into the layers."""
        cdef int64_t i, attack, h, size = self.outcomes.layer_size, attacks = self.outcomes.attacks
        cdef int64_t last = min(self.waiters, first + self.rough.lanes)
        cdef const float *found = values + mover * self.stride
        cdef float *layer = layers
        for i in range(first, last):
            layer[i * self.stride + mover] = sign * found[i]
        for attack in range(attacks):
            layer += size
            for h in range(hit_ptr[attack * self.movers + mover], hit_ptr[attack * self.movers + mover + 1]):
                for i in range(first, last):
                    layer[i * self.stride + hit[h]] = sign * found[i]
        if kept:
            layer += size + mover * self.stride
            memcpy(layer + first, found + first, (last - first) * sizeof(float))
            for attack in range(attacks):
                layer += size
                for i in range(first, last):
                    for h in range(hit_ptr[attack * self.movers + i], hit_ptr[attack * self.movers + i + 1]):
                        layer[hit[h]] = found[i]

    def decide(self, const double[:, :, ::1] layers, const int64_t[::1] movers, const int64_t[::1] waiters,
               const int64_t[::1] totals, const int64_t[::1] slots, const int64_t[::1] throws,
               const int64_t[::1] throw_ptr, const int32_t[::1] gains, const int32_t[::1] following,
               const int32_t[::1] throw_end, double tie, double[::1] values, int64_t[::1] options,
               uint8_t[::1] stops_now):
        """The best choice in many positions: what it is worth, the option taken (-1: the throw ends the turn), and
        whether to stop.

        Position i is that of a mover and a waiter with a turn total in steps, in a slot with a throw ``throws[i]``;
        throw ``t`` offers the options ``throw_ptr[t]:throw_ptr[t + 1]``, which gain so many steps and lead to a slot,
        or ends the turn by ``throw_end[t]`` if that is not negative. Choices that differ by at most ``tie`` are equal:
        stops come first, then the others, in the order of the options.
        """
        cdef const exact_kernels_t *kernels = KERNELS.exact_narrow
        cdef int64_t i, lane, first, mover, throw, begin, lanes = kernels.lanes, kinds = self.turn.stops
        cdef int64_t count = movers.shape[0], highest
        cdef double *stops = NULL
        cdef double *ends
        cdef double *turn_values
        if layers.shape[1] != self.next_rows or layers.shape[2] != self.stride:
            raise ValueError("values and layers do not fit together")
        if posix_memalign(<void **> &stops, 64, self.rows() * lanes * sizeof(double)):
            raise MemoryError
        ends = stops + (self.most_total + 1) * kinds * lanes
        turn_values = ends + self.turn.ends * lanes
        with nogil:
            for i in range(count):
                mover, throw = movers[i], throws[i]
                first = waiters[i] // lanes * lanes
                lane = waiters[i] - first
                # Only what can still follow: totals from the one at hand on.
                begin, highest = totals[i], self.highest[mover] - totals[i]
                kernels.gather(&self.outcomes, &layers[0, 0, 0], self.first_end + mover * self.turn.ends,
                               self.turn.ends, first, NULL, ends)
                if throw_end[throw] >= 0:
                    values[i], options[i], stops_now[i] = ends[throw_end[throw] * lanes + lane], -1, 1
                    continue
                kernels.gather(&self.outcomes, &layers[0, 0, 0], (self.total_ptr[mover] + begin) * kinds,
                               (highest + 1) * kinds, first, NULL, stops)
                kernels.solve(&self.turn, turn_values, stops, ends, self.modes + self.total_ptr[mover] + begin,
                              <int32_t> highest)
                self.choose(turn_values, stops, self.modes + self.total_ptr[mover] + begin, highest, lane, lanes,
                            throw_ptr[throw], throw_ptr[throw + 1], &gains[0], &following[0], tie, &values[i],
                            &options[i], &stops_now[i])
        free(stops)

    cdef void choose(self, const double *turn_values, const double *stops, const uint8_t *modes, int64_t highest,
                     int64_t lane, int64_t lanes, int64_t begin, int64_t end, const int32_t *gains,
                     const int32_t *following, double tie, double *value, int64_t *chosen,
                     uint8_t *stopped) noexcept nogil:
        cdef int64_t option, total
        cdef int32_t kind
        cdef double worth, best = 0.0
        cdef bint may, open = True
        for option in range(begin, end):
            total = min(gains[option], highest)
            worth = turn_values[(total * self.turn.slots + following[option]) * lanes + lane]
            if option == begin or worth > best:
                best = worth
        value[0], chosen[0], stopped[0] = best, begin, 0
        for option in range(begin, end):
            total = min(gains[option], highest)
            kind = self.turn.stop_kind[following[option]]
            worth = turn_values[(total * self.turn.slots + following[option]) * lanes + lane]
            if kind >= self.turn.stops and worth >= best - tie:  # no throw follows, whether points are written or not
                chosen[0], stopped[0] = option, 1
                return
            may = modes[total] == 2 or (modes[total] == 1 and kind >= 0)
            kind = -1 - kind if kind < 0 else kind % self.turn.stops
            if may and stops[(total * self.turn.stops + kind) * lanes + lane] >= best - tie:
                chosen[0], stopped[0] = option, 1
                return
            if open and worth >= best - tie:
                chosen[0], open = option, False
