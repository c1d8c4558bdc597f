# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Many games of pairs of match states, that differ only in what it is worth to have been attacked: a lane is a game.

What they are is told in ``solver.race.admissions``; the equations of a pair are those of ``pairs.pxd``.
"""
from kernels cimport MUST_THROW
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memcpy
from pairs cimport MOST_LANES, guessed, pairs_t, scratch, settle, side_t

from solver._sweep cimport Machine


def solve_games(
    Machine machine, const double[::1] payoff, const int32_t[::1] near, const int32_t[:, ::1] order,
    double[:, :, ::1] first, double[:, :, ::1] second, const double[::1] first_thrown,
    const double[::1] second_thrown, double both_win, double most, double toll, double precision,
    Py_ssize_t most_steps, bint known,
):
    """Solve pairs of match states of many games that differ in one thing: what it is worth to have been attacked.

    A lane is a game: ``first[mover, waiter, game]`` and ``second[waiter, mover, game]``, for the pairs ``order[i]``
    one by one, each when all that may follow it is known. ``first_thrown[game]`` is what it is worth to the first
    player to move after an attack on him, and ``second_thrown`` likewise. Returns as ``solve_pairs`` does.
    """
    cdef pairs_t pairs
    cdef side_t sides[2]
    cdef int64_t counts[2]
    cdef Py_ssize_t states = machine.movers, games = first.shape[2], i, game
    cdef int64_t lanes = machine.exact.lanes
    cdef double *values = NULL
    if (near.shape[0] != states or payoff.shape[0] != states or order.shape[1] != 2 or lanes > MOST_LANES
            or first.shape[0] != states or first.shape[1] != states or second.shape[0] != states
            or second.shape[1] != states or second.shape[2] != games or first_thrown.shape[0] != games
            or second_thrown.shape[0] != games or games % lanes):
        raise ValueError("the arrays of games do not fit together")
    for i in range(order.shape[0]):
        if not (0 <= order[i, 0] < states and 0 <= order[i, 1] < states):
            raise ValueError("pairs out of range")
    if order.shape[0] == 0 or games == 0:
        return 0, 0
    pairs.near, pairs.verdicts = &near[0], &payoff[0]
    pairs.first, pairs.second, pairs.stride = &first[0, 0, 0], &second[0, 0, 0], games
    pairs.both_win, pairs.most, pairs.never = both_win, most, both_win - most - 1.0
    pairs.toll, pairs.precision, pairs.most_steps, pairs.known = toll, precision, most_steps, known
    counts[0] = counts[1] = 0
    values = scratch(machine, sides)
    with nogil:
        game = 0
        while game < games:
            for i in range(order.shape[0]):
                solve_row(machine, &pairs, order[i, 0], order[i, 1], game, &first_thrown[game], &second_thrown[game],
                          sides, values, counts)
            game += lanes
    free(values)
    return counts[0], counts[1]


cdef void solve_row(Machine machine, const pairs_t *pairs, int64_t p, int64_t q, int64_t game,
                    const double *first_thrown, const double *second_thrown, side_t *sides, double *values,
                    int64_t *counts) noexcept nogil:
    cdef int64_t lane, lanes = machine.exact.lanes, states = machine.movers
    cdef double guess[MOST_LANES]
    cdef double *first = pairs.first + (p * states + q) * pairs.stride + game
    cdef double *second = pairs.second + (q * states + p) * pairs.stride + game
    gather_row(machine, pairs, p, q, game, pairs.second, pairs.first, second_thrown, &sides[0])
    gather_row(machine, pairs, q, p, game, pairs.first, pairs.second, first_thrown, &sides[1])
    for lane in range(lanes):
        guess[lane] = second[lane]
        if not pairs.known:
            guess[lane] = guessed(pairs, states, q, p, pairs.second + game + lane, states, pairs.stride)
    settle(machine, pairs, sides, values, lanes, guess, first, second, counts)


cdef void gather_row(Machine machine, const pairs_t *pairs, int64_t mover, int64_t waiter, int64_t game,
                     const double *passed, const double *kept, const double *thrown, side_t *side) noexcept nogil:
    """What all ways to end the turn are worth in each game."""
    cdef int64_t kinds = machine.turn.stops, lanes = machine.exact.lanes, total, kind, lane
    cdef int64_t own = machine.total_ptr[mover]
    side.highest, side.stay_count = machine.highest[mover], 0
    for lane in range(lanes):
        side.starts[lane] = machine.start_slot[mover] * lanes + lane
    for total in range(side.highest + 1):
        side.modes[total] = machine.modes[own + total]
        if side.modes[total] == MUST_THROW:
            continue
        for kind in range(kinds):
            set_row(machine, pairs, side, (own + total) * kinds + kind, mover, waiter, game, passed, kept, thrown,
                    (total * kinds + kind) * lanes)
    for kind in range(machine.turn.ends):
        set_row(machine, pairs, side, machine.first_end + mover * machine.turn.ends + kind, mover, waiter, game, passed,
                kept, thrown, ((machine.most_total + 1) * kinds + kind) * lanes)


cdef inline void set_row(Machine machine, const pairs_t *pairs, side_t *side, int64_t outcome, int64_t mover,
                         int64_t waiter, int64_t game, const double *passed, const double *kept, const double *thrown,
                         int64_t place) noexcept nogil:
    cdef int64_t after = machine.outcomes.row[outcome], attacks = machine.outcomes.attacks, states = machine.movers
    cdef int64_t i, lane, lanes = machine.exact.lanes
    cdef const double *row = passed + (waiter * states + after) * pairs.stride + game
    cdef double *stops = side.stops + place
    if after == states:
        for lane in range(lanes):
            stops[lane] = pairs.verdicts[waiter]
        return
    for i in range(outcome * attacks, (outcome + 1) * attacks):
        if machine.outcomes.low[i] <= waiter < machine.outcomes.high[i]:
            row = thrown
    if machine.outcomes.layer[outcome]:
        memcpy(stops, kept + (after * states + waiter) * pairs.stride + game, lanes * sizeof(double))
    elif after == mover and row != thrown:
        for lane in range(lanes):
            side.stays[side.stay_count] = <int32_t> (place + lane)
            side.stay_count += 1
    else:
        for lane in range(lanes):
            stops[lane] = pairs.both_win - row[lane]
