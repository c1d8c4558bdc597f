# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What a player leaves to the other one, dice and points, where a stop leaves them: what that is worth.

Where a stop leaves its dice and its points to the other player, he has the better of two beginnings: a fresh turn, or
the throw that the other did not make. What that throw is worth at every total is known as soon as his turn is solved,
so that such match states cost no turn of their own:

    offered[mover][place of waiter + total][dice - 1] = max(first[mover][waiter], values[total][slot of dice] - toll)
"""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t

from solver._sweep cimport Machine


cdef struct offers_t:
    const uint8_t *left  # [outcomes], dice that are left to the other player, with the points of the turn; 0 for none
    const int64_t *places  # [states + 1], first place of each waiter, which has one for each total that he may leave
    const int32_t *slots  # [dice], where so many dice are thrown that were taken over
    const int32_t *scores  # [states], steps
    const int32_t *least  # [states], least turn total that may be written, in steps
    const double *beyond  # [steps][dice], see ``solver.race.leads.LastTurns``
    const double *level
    double *first  # what the other reads, [states][places][dice]
    double *second
    int64_t dice, all_places
    bint shared  # whether equal scores after the last turn share the match


cdef inline double *offers_to(const offers_t *offers, int64_t mover, int64_t waiter, bint second,
                              int64_t *totals) noexcept nogil:
    """What a waiter may leave to a mover: [totals][dice]."""
    totals[0] = offers.places[waiter + 1] - offers.places[waiter]
    return (offers.second if second else offers.first) + (
        mover * offers.all_places + offers.places[waiter]) * offers.dice


cdef inline double taken_over(Machine machine, const offers_t *offers, const double *values, int64_t mover,
                              int64_t total, int64_t dice, int64_t lane) noexcept nogil:
    """What it is worth to take so many dice over with so many points."""
    total = min(total, <int64_t> machine.highest[mover])
    return values[(total * machine.turn.slots + offers.slots[dice]) * machine.exact.lanes + lane]


cdef inline void write_offers(Machine machine, const offers_t *offers, const int32_t *movers, const int32_t *waiters,
                              int64_t count, const double *values, const double *fresh, double toll,
                              bint second) noexcept nogil:
    """Write what all that may be left is worth in so many lanes, from the values of a turn and of a fresh one."""
    cdef int64_t lane, total, dice, totals
    cdef double *to
    for lane in range(count):
        to = offers_to(offers, movers[lane], waiters[lane], second, &totals)
        for total in range(totals):
            for dice in range(offers.dice):
                to[total * offers.dice + dice] = max(
                    fresh[lane], taken_over(machine, offers, values, movers[lane], total, dice, lane) + toll)


cdef inline double margin_of_offers(Machine machine, const offers_t *offers, const int32_t *movers,
                                    const int32_t *waiters, int64_t count, const double *values, const double *fresh,
                                    bint second) noexcept nogil:
    """The least distance of what is written to what one more turn makes of it."""
    cdef int64_t lane, total, dice, totals
    cdef double found, known, margin = INFINITY
    cdef const double *to
    if offers == NULL:
        return margin
    for lane in range(count):
        to = offers_to(offers, movers[lane], waiters[lane], second, &totals)
        for total in range(totals):
            for dice in range(offers.dice):
                known = to[total * offers.dice + dice]
                found = max(fresh[lane], taken_over(machine, offers, values, movers[lane], total, dice, lane))
                margin = smaller(margin, known - found if second else found - known)
    return margin


cdef inline double smaller(double margin, double other) noexcept nogil:
    """The smaller of two; what is no number proves nothing."""
    return other if other < margin or other != other else margin


cdef inline double caught(const offers_t *offers, int64_t leader, int64_t waiter, int64_t total,
                          int64_t left) noexcept nogil:
    """The chance of a waiter to get past a leader who has left him these dice, with the points of his turn."""
    cdef int64_t missing = offers.scores[leader] - offers.scores[waiter], least = offers.least[waiter] - total
    if offers.shared and missing >= max(least, 0):
        return offers.level[missing * offers.dice + left - 1]
    return offers.beyond[max(max(missing + 1, least), 0) * offers.dice + left - 1]
