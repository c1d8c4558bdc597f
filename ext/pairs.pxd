# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""A pair of match states, (p, q) and (q, p), as two equations for two numbers, and how these are solved.

With everything else known, what the first is worth depends only on the second, and the other way round:

    x = F(1 - y) - toll        y = G(1 - x) + toll

where F and G play one turn, and their argument is what it is worth to end the turn without a change. Both rise, by no
more than their argument, so ``H(y) = G(1 - F(1 - y) + toll) + toll`` does too, and ``H(y) - y`` falls: its zero is
found by the secant method, kept between the best bounds so far. F and G are piecewise linear, so that a secant within
one piece ends there.

A lane is a pair. Of the two sides of a block of lanes the first holds the match states (p, q), the second the (q, p):

    stops[total][kind][lane]   ends[end][lane]   modes[total]   mixed[total][lane]   stays[i] = place in stops and ends

``ordered.pyx`` and ``admissions.pyx`` fill in what stops and ends are worth, for lanes of their own kinds.
"""
from kernels cimport posix_memalign
from libc.stdint cimport int32_t, int64_t, uint8_t

from solver._sweep cimport Machine

cdef enum:
    MOST_LANES = 128
    PATIENCE = 12  # steps after which every other one is a bisection


cdef struct side_t:
    double *stops
    double *ends
    int32_t *stays
    uint8_t *modes
    uint8_t *mixed
    int64_t stay_count
    int64_t starts[MOST_LANES]  # where to find what the turn is worth
    int32_t highest


cdef struct pairs_t:
    const int32_t *near  # [states], one of the nearest states that may follow; the number of states for having won
    const double *verdicts  # [verdicts][states]
    double *first  # what the other reads, [states][stride]
    double *second
    double both_win, never, most, toll, precision
    int64_t stride, most_steps
    bint known  # whether the second of each pair is known roughly


cdef inline double *scratch(Machine machine, side_t *sides) except NULL:
    """Memory for the two sides and for the values of a turn, where it begins."""
    cdef int64_t lanes = machine.exact.lanes, totals = machine.most_total + 1, side
    cdef int64_t turn = totals * machine.turn.slots * lanes, ends = machine.rows() * lanes - turn
    cdef double *values = NULL
    if posix_memalign(<void **> &values, 64, (turn + 2 * ends) * sizeof(double) + 2 * ends * sizeof(int32_t)
                      + 2 * totals * (lanes + 1)):
        raise MemoryError
    for side in range(2):
        sides[side].stops = values + turn + side * ends
        sides[side].ends = sides[side].stops + totals * machine.turn.stops * lanes
        sides[side].stays = <int32_t *> (values + turn + 2 * ends) + side * ends
        sides[side].mixed = <uint8_t *> (<int32_t *> (values + turn + 2 * ends) + 2 * ends)
        sides[side].mixed += side * totals * (lanes + 1)
        sides[side].modes = sides[side].mixed + totals * lanes
    return values


cdef inline void settle(Machine machine, const pairs_t *pairs, side_t *sides, double *values, int64_t count,
                        double *guess, double *first, double *second, int64_t *counts) noexcept nogil:
    """Find the zeros of H(y) - y in all lanes at once, from a guess at y."""
    cdef int64_t lane, lanes = machine.exact.lanes, step, left = count
    cdef double last[MOST_LANES]
    cdef double last_gain[MOST_LANES]
    cdef double low[MOST_LANES]
    cdef double high[MOST_LANES]
    cdef double gain, slope, better
    for lane in range(count):
        low[lane], high[lane] = pairs.never, pairs.most + 1.0
        last[lane] = pairs.never - 1.0
    for step in range(pairs.most_steps):
        for lane in range(count, lanes):
            guess[lane] = guess[count - 1]
        play(machine, &sides[0], values, guess, pairs.both_win, -pairs.toll, first)
        play(machine, &sides[1], values, first, pairs.both_win, pairs.toll, second)
        counts[0] += 2
        left = 0
        for lane in range(count):
            gain = second[lane] - guess[lane]
            if -pairs.precision <= gain <= pairs.precision:
                continue
            left += 1
            if gain > 0.0:
                low[lane] = max(low[lane], guess[lane])
            else:
                high[lane] = min(high[lane], guess[lane])
            slope = 0.0
            if last[lane] >= pairs.never and last[lane] != guess[lane]:
                slope = 1.0 + (gain - last_gain[lane]) / (guess[lane] - last[lane])
                slope = min(max(slope, 0.0), 1.0)
            better = guess[lane] + gain / (1.0 - slope) if slope < 1.0 else pairs.never
            if not low[lane] < better < high[lane] or (step > PATIENCE and step % 2):
                better = 0.5 * (low[lane] + high[lane])
            last[lane], last_gain[lane], guess[lane] = guess[lane], gain, better
        if left == 0:
            break
    counts[1] += left


cdef inline double guessed(const pairs_t *pairs, int64_t states, int64_t mover, int64_t waiter, const double *second,
                           int64_t stride, int64_t width) noexcept nogil:
    """What the second of a pair may be worth, continued from three that follow it."""
    cdef int64_t mover_next = pairs.near[mover], waiter_next = pairs.near[waiter]
    cdef double least = pairs.both_win - pairs.most
    cdef double ahead = pairs.most, behind = least, both = 0.5 * pairs.both_win
    if mover_next < states:
        ahead = second[(mover_next * stride + waiter) * width]
    if waiter_next < states:
        behind = second[(mover * stride + waiter_next) * width]
    if mover_next < states and waiter_next < states:
        both = second[(mover_next * stride + waiter_next) * width]
    elif mover_next < states or waiter_next < states:
        both = least if mover_next < states else pairs.most
    return min(max(ahead + behind - both, least), pairs.most)


cdef inline void play(Machine machine, side_t *side, double *values, const double *other, double both_win, double toll,
                      double *found) noexcept nogil:
    """One turn in each lane, if the other of the pair is worth so much."""
    cdef int64_t i, lane, lanes = machine.exact.lanes
    for i in range(side.stay_count):
        side.stops[side.stays[i]] = both_win - other[side.stays[i] % lanes]
    machine.exact.solve_mixed(&machine.turn, values, side.stops, side.ends, side.modes, side.highest, side.mixed)
    for lane in range(lanes):
        found[lane] = values[side.starts[lane]] + toll
