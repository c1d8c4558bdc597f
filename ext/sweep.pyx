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
from kernels cimport (
    cap_totals, capped_chances, capped_integers, exact_choices_t, kernels_t, posix_memalign, rough_choices_t,
)
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from solver._turn cimport kernels_of_this_machine

cdef const kernels_t *KERNELS = kernels_of_this_machine()


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
        self.room = <int64_t *> calloc(movers, sizeof(int64_t))
        if not (self.starts and self.outcomes and self.chances and self.stays and self.room):
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
        free(self.room)

    cdef bint keep(self, int64_t mover, int64_t entries, const int64_t *outcomes, const float *chances) noexcept nogil:
        """Take a copy of all entries of a mover; false if memory is short."""
        if entries > self.room[mover]:
            self.room[mover] = 0
            free(self.outcomes[mover])
            free(self.chances[mover])
            self.outcomes[mover] = <int64_t *> malloc(entries * sizeof(int64_t))
            self.chances[mover] = NULL
            if (posix_memalign(<void **> &self.chances[mover], 64, entries * self.lanes * sizeof(float))
                    or not self.outcomes[mover]):
                return False
            self.room[mover] = entries
        memcpy(self.outcomes[mover], outcomes, entries * sizeof(int64_t))
        memcpy(self.chances[mover], chances, entries * self.lanes * sizeof(float))
        return True

    def rewrite(self):
        """Tell that other plans will be written into the same memory."""
        self.version += 1

    def alone(self, Py_ssize_t waiter=0):
        """The plans against one waiter, or of one player alone: pointers [movers + 1], outcomes and chances [entries].

        Outcomes without a chance are left out.
        """
        cdef int64_t mover, entry, most = 0, place = 0, block = waiter // self.lanes, lane = waiter % self.lanes
        cdef int32_t *edges
        if not 0 <= block < self.blocks:
            raise ValueError("there is no such waiter")
        for mover in range(self.movers):
            edges = &self.starts[mover * (self.blocks + 1) + block]
            most += edges[1] - edges[0]
        pointers = np.zeros(self.movers + 1, dtype=np.int64)
        outcomes, chances = np.zeros(most, dtype=np.int64), np.zeros(most)
        cdef int64_t[::1] pointer = pointers
        cdef int64_t[::1] outcome = outcomes
        cdef double[::1] chance = chances
        for mover in range(self.movers):
            edges = &self.starts[mover * (self.blocks + 1) + block]
            for entry in range(edges[0], edges[1]):
                if self.chances[mover][entry * self.lanes + lane] != 0.0:
                    outcome[place] = self.outcomes[mover][entry]
                    chance[place] = self.chances[mover][entry * self.lanes + lane]
                    place += 1
            pointer[mover + 1] = place
        return pointers, outcomes[:place], chances[:place]


cdef class Choices:
    """What the mover does by a fixed plan, instead of what is best.

    ``forced[class, total of all movers, slot]`` says at every turn state where he may stop whether he throws (0), stops
    (1) or is free to choose (2), by class of his opponent, ``class_of[waiter]``. What is free, and what to hold, he
    chooses as somebody would who thinks that match states are worth ``values`` and endings ``layers``; without these
    he chooses what is best for him.
    """

    def __init__(self, const uint8_t[:, :, ::1] forced, const int32_t[::1] class_of,
                 const double[:, :, ::1] layers=None, const double[:, ::1] values=None):
        self.forced, self.class_of, self.layers, self.values = forced, class_of, layers, values
        self.guided = layers is not None
        if self.guided != (values is not None):
            raise ValueError("a guide needs values and layers")
        self.free = bool(np.any(np.asarray(forced) > 1))
        cdef Py_ssize_t i
        for i in range(class_of.shape[0]):
            if not 0 <= class_of[i] < forced.shape[0]:
                raise ValueError("a class of waiters is out of range")

    cdef void fill(self, int64_t first_total, int64_t totals, int64_t first, int64_t lanes,
                   uint8_t *block) noexcept nogil:
        """Write what is forced in one block, [total, slot, lane]."""
        cdef int64_t lane, row, slots = self.forced.shape[2]
        cdef const uint8_t *source
        cdef bint alike = True
        for lane in range(1, lanes):
            alike = alike and self.class_of[first + lane] == self.class_of[first]
        if alike:
            source = &self.forced[self.class_of[first], first_total, 0]
            for row in range(totals * slots):
                memset(block + row * lanes, source[row], lanes)
            return
        for lane in range(lanes):
            source = &self.forced[self.class_of[first + lane], first_total, 0]
            for row in range(totals * slots):
                block[row * lanes + lane] = source[row]


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
        self.narrow = KERNELS.exact_narrow
        self.exact = KERNELS.exact_narrow if waiters == 1 else KERNELS.exact_wide
        self.rough = KERNELS.rough_narrow if waiters == 1 else KERNELS.rough_wide
        self.outcomes.attacks, self.outcomes.stride = attacks, self.stride
        self.next_rows = self.movers + verdicts
        self.outcomes.layer_size = self.next_rows * self.stride
        self.layers = 1 + attacks
        for p in range(outcome_layer.shape[0]):
            self.layers = max(self.layers, 1 + attacks + outcome_layer[p])
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
        cdef int32_t lefts = <int32_t> self.most_total + 1
        cdef int32_t[::1] integers = np.empty(capped_integers(&self.turn, lefts), dtype=np.int32)
        cdef double[::1] chances = np.empty(1 + capped_chances(&self.turn, lefts))
        self.caps = (integers, chances)
        cap_totals(&self.turn, lefts, &integers[0], &chances[0])

    cdef int64_t rows(self) noexcept nogil:
        """Most rows of a block in one turn: values of turn states, stops and ends."""
        return (self.most_total + 1) * (self.turn.slots + self.turn.stops) + self.turn.ends

    cdef check(self, layers, begin, end, values):
        if not 0 <= begin <= end <= self.movers:
            raise ValueError("movers out of range")
        if (layers.shape[0] != self.layers or layers.shape[1] != self.next_rows
                or layers.shape[2] != self.stride or values.shape[0] != self.movers or values.shape[1] != self.stride):
            raise ValueError("values and layers do not fit together")

    cdef check_choices(self, Choices choices):
        if choices is None:
            return
        if (choices.forced.shape[1] != self.total_ptr[self.movers] or choices.forced.shape[2] != self.turn.slots
                or choices.class_of.shape[0] != self.stride):
            raise ValueError("these choices are of another game")
        if choices.guided:
            self.check(choices.layers, 0, 0, choices.values)

    def operator(self, const double[:, :, ::1] layers, Py_ssize_t begin, Py_ssize_t end, double[:, ::1] values,
                 Choices choices=None):
        """Write ``values[mover, waiter]`` of the best play, or by fixed choices, for the movers in ``begin:end``."""
        cdef int64_t mover, block, first, kinds = self.turn.stops, lanes = self.exact.lanes
        cdef double *stops = NULL
        cdef double *ends
        cdef double *turn_values
        cdef double *guide = NULL
        cdef uint8_t *forced = NULL
        cdef exact_choices_t by
        cdef bint fixed = choices is not None
        self.check(layers, begin, end, values)
        self.check_choices(choices)
        if posix_memalign(<void **> &stops, 64, self.rows() * lanes * sizeof(double)):
            raise MemoryError
        ends = stops + (self.most_total + 1) * kinds * lanes
        turn_values = ends + self.turn.ends * lanes
        by.values, by.stops = turn_values, stops
        if fixed:
            forced = <uint8_t *> malloc((self.most_total + 1) * self.turn.slots * lanes)
            if not forced or (choices.guided
                              and posix_memalign(<void **> &guide, 64, self.rows() * lanes * sizeof(double))):
                free(stops)
                free(forced)
                raise MemoryError
            memset(stops, 0, self.rows() * lanes * sizeof(double))
            if choices.guided:
                memset(guide, 0, self.rows() * lanes * sizeof(double))
                by.stops = guide
                by.values = guide + (turn_values - stops)
        by.forced = forced
        with nogil:
            for mover in range(begin, end):
                for block in range(self.stride // lanes):
                    first = block * lanes
                    self.exact.gather(&self.outcomes, &layers[0, 0, 0], self.total_ptr[mover] * kinds,
                                      (self.highest[mover] + 1) * kinds, first, NULL, stops)
                    self.exact.gather(&self.outcomes, &layers[0, 0, 0], self.first_end + mover * self.turn.ends,
                                      self.turn.ends, first, NULL, ends)
                    if fixed:
                        choices.fill(self.total_ptr[mover], self.highest[mover] + 1, first, lanes, forced)
                        if choices.guided:
                            self.exact.gather(&self.outcomes, &choices.layers[0, 0, 0], self.total_ptr[mover] * kinds,
                                              (self.highest[mover] + 1) * kinds, first, NULL, guide)
                            self.exact.gather(&self.outcomes, &choices.layers[0, 0, 0],
                                              self.first_end + mover * self.turn.ends, self.turn.ends, first, NULL,
                                              guide + (ends - stops))
                            self.exact.follow(&self.turn, guide + (turn_values - stops), guide, guide + (ends - stops),
                                              self.modes + self.total_ptr[mover], self.highest[mover], &by)
                        self.exact.follow(&self.turn, turn_values, stops, ends, self.modes + self.total_ptr[mover],
                                          self.highest[mover], &by)
                    else:
                        self.exact.solve(&self.turn, turn_values, stops, ends, self.modes + self.total_ptr[mover],
                                         self.highest[mover])
                    memcpy(&values[mover, first], turn_values + self.start_slot[mover] * lanes, lanes * sizeof(double))
        free(stops)
        free(guide)
        free(forced)

    def plan(self, const double[:, :, ::1] layers, Py_ssize_t begin, Py_ssize_t end, const double[:, ::1] values,
             float[:, ::1] residual, Plans plans, double least, Choices choices=None):
        """Write the residual, by how much the best play gains on ``values``, and the best plans; or by fixed choices.

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
        cdef bint short = False, fixed = choices is not None
        cdef float *guide = NULL
        cdef uint8_t *forced = NULL
        cdef rough_choices_t by
        self.check(layers, begin, end, values)
        self.check(layers, begin, end, residual)
        self.check_choices(choices)
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
        by.values, by.stops = turn_values, stops
        if fixed:
            forced = <uint8_t *> malloc((self.most_total + 1) * self.turn.slots * lanes)
            if not forced or (choices.guided
                              and posix_memalign(<void **> &guide, 64, self.rows() * lanes * sizeof(float))):
                free(stops)
                free(chances)
                free(likely)
                free(forced)
                raise MemoryError
            memset(stops, 0, self.rows() * lanes * sizeof(float))
            if choices.guided:
                memset(guide, 0, self.rows() * lanes * sizeof(float))
                by.stops = guide
                by.values = guide + (turn_values - stops)
        by.forced = forced
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
                    if fixed:
                        choices.fill(self.total_ptr[mover], self.highest[mover] + 1, first, lanes, forced)
                        if choices.guided:
                            self.rough.gather(&self.outcomes, &choices.layers[0, 0, 0], self.total_ptr[mover] * kinds,
                                              (self.highest[mover] + 1) * kinds, first, &choices.values[mover, first],
                                              guide)
                            self.rough.gather(&self.outcomes, &choices.layers[0, 0, 0],
                                              self.first_end + mover * self.turn.ends, self.turn.ends, first,
                                              &choices.values[mover, first], guide + (ends - stops))
                            self.rough.follow(&self.turn, guide + (turn_values - stops), guide, guide + (ends - stops),
                                              modes, self.highest[mover], &by)
                        self.rough.follow(&self.turn, turn_values, stops, ends, modes, self.highest[mover], &by)
                    else:
                        self.rough.solve(&self.turn, turn_values, stops, ends, modes, self.highest[mover])
                    memcpy(&residual[mover, first], turn_values + self.start_slot[mover] * lanes, lanes * sizeof(float))
                    self.rough.push(&self.turn, &by, modes, self.highest[mover], self.start_slot[mover], 0.1 * least,
                                    mass, stop_chances, end_chances)
                    entries += self.enter(plans, mover, block, stop_chances, end_chances, least, likely + entries,
                                          chances + entries * lanes)
                    plans.starts[mover * (plans.blocks + 1) + block + 1] = <int32_t> entries
                if not plans.keep(mover, entries, likely, chances):
                    short = True
                    break
        free(stops)
        free(likely)
        free(chances)
        free(guide)
        free(forced)
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
