# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The best choices in many positions, from values of match states."""
from kernels cimport exact_kernels_t, posix_memalign
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free

from solver._sweep cimport Machine


def decide(
    Machine machine, const double[:, :, ::1] layers, const int64_t[::1] movers, const int64_t[::1] waiters,
    const int64_t[::1] totals, const int64_t[::1] slots, const int64_t[::1] throws, const int64_t[::1] throw_ptr,
    const int32_t[::1] gains, const int32_t[::1] following, const int32_t[::1] throw_end, double tie,
    double[::1] values, int64_t[::1] options, uint8_t[::1] stops_now,
):
    """The best choice in many positions: what it is worth, the option taken (-1: the throw ends the turn), and
    whether to stop.

    Position i is that of a mover and a waiter with a turn total in steps, in a slot with a throw ``throws[i]``;
    throw ``t`` offers the options ``throw_ptr[t]:throw_ptr[t + 1]``, which gain so many steps and lead to a slot,
    or ends the turn by ``throw_end[t]`` if that is not negative. Choices that differ by at most ``tie`` are equal:
    stops come first, then the others, in the order of the options.
    """
    cdef const exact_kernels_t *kernels = machine.narrow
    cdef int64_t i, lane, first, mover, throw, begin, lanes = kernels.lanes, kinds = machine.turn.stops
    cdef int64_t count = movers.shape[0], highest
    cdef double *stops = NULL
    cdef double *ends
    cdef double *turn_values
    if layers.shape[1] != machine.next_rows or layers.shape[2] != machine.stride:
        raise ValueError("values and layers do not fit together")
    if posix_memalign(<void **> &stops, 64, machine.rows() * lanes * sizeof(double)):
        raise MemoryError
    ends = stops + (machine.most_total + 1) * kinds * lanes
    turn_values = ends + machine.turn.ends * lanes
    with nogil:
        for i in range(count):
            mover, throw = movers[i], throws[i]
            first = waiters[i] // lanes * lanes
            lane = waiters[i] - first
            # Only what can still follow: totals from the one at hand on.
            begin, highest = totals[i], machine.highest[mover] - totals[i]
            kernels.gather(&machine.outcomes, &layers[0, 0, 0], machine.first_end + mover * machine.turn.ends,
                           machine.turn.ends, first, NULL, ends)
            if throw_end[throw] >= 0:
                values[i], options[i], stops_now[i] = ends[throw_end[throw] * lanes + lane], -1, 1
                continue
            kernels.gather(&machine.outcomes, &layers[0, 0, 0], (machine.total_ptr[mover] + begin) * kinds,
                           (highest + 1) * kinds, first, NULL, stops)
            kernels.solve(&machine.turn, turn_values, stops, ends, machine.modes + machine.total_ptr[mover] + begin,
                          <int32_t> highest)
            choose(machine, turn_values, stops, machine.modes + machine.total_ptr[mover] + begin, highest, lane, lanes,
                   throw_ptr[throw], throw_ptr[throw + 1], &gains[0], &following[0], tie, &values[i], &options[i],
                   &stops_now[i])
    free(stops)


cdef void choose(Machine machine, const double *turn_values, const double *stops, const uint8_t *modes, int64_t highest,
                 int64_t lane, int64_t lanes, int64_t begin, int64_t end, const int32_t *gains,
                 const int32_t *following, double tie, double *value, int64_t *chosen,
                 uint8_t *stopped) noexcept nogil:
    cdef int64_t option, total
    cdef int32_t kind
    cdef double worth, best = 0.0
    cdef bint may, open = True
    for option in range(begin, end):
        total = min(gains[option], highest)
        worth = turn_values[(total * machine.turn.slots + following[option]) * lanes + lane]
        if option == begin or worth > best:
            best = worth
    value[0], chosen[0], stopped[0] = best, begin, 0
    for option in range(begin, end):
        total = min(gains[option], highest)
        kind = machine.turn.stop_kind[following[option]]
        worth = turn_values[(total * machine.turn.slots + following[option]) * lanes + lane]
        if kind >= machine.turn.stops and worth >= best - tie:  # no throw follows, whether points are written or not
            chosen[0], stopped[0] = option, 1
            return
        may = modes[total] == 2 or (modes[total] == 1 and kind >= 0)
        kind = -1 - kind if kind < 0 else kind % machine.turn.stops
        if may and stops[(total * machine.turn.stops + kind) * lanes + lane] >= best - tie:
            chosen[0], stopped[0] = option, 1
            return
        if open and worth >= best - tie:
            chosen[0], open = option, False
