# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Pairs of match states, (p, q) and (q, p), solved to full precision when all that may follow them is known.

A lane is a pair; its equations are those of ``pairs.pxd``. The lanes of a block need not agree on anything but the
dice: what stops are worth, and what the total allows, is gathered for each lane.

The two may be bounds of different kinds: then ``first`` is a lower bound, ``second`` an upper one, and the toll makes
the proof of both (see ``solver.race.bracket``).
"""
from kernels cimport MAY_STOP, MIXED, MUST_THROW, TURN_ENDS
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from offers cimport caught, margin_of_offers, offers_t, smaller, write_offers
from pairs cimport MOST_LANES, guessed, pairs_t, play, scratch, settle, side_t

from solver._sweep cimport Machine


cdef struct listed_t:  # the pairs of a call, and what is particular to its game
    const int32_t *movers
    const int32_t *waiters
    const int32_t *attack_target  # [attacks][states]
    const offers_t *offers  # NULL where a stop leaves nothing to the other player


cdef class Offers:
    """What may be left to the other player: the arrays of ``offers_t``, and where to write what that is worth."""

    cdef offers_t arrays
    cdef object kept  # what the pointers point into

    def __init__(
        self, const uint8_t[::1] left, const int64_t[::1] places, const int32_t[::1] slots, const int32_t[::1] scores,
        const int32_t[::1] least, const double[:, ::1] beyond, const double[:, ::1] level, bint shared,
        double[:, :, ::1] first, double[:, :, ::1] second,
    ):
        cdef Py_ssize_t states = scores.shape[0], dice = slots.shape[0], i, most
        if (places.shape[0] != states + 1 or least.shape[0] != states or beyond.shape[1] != dice
                or level.shape[1] != dice or level.shape[0] != beyond.shape[0] or places[0] != 0
                or first.shape[0] != states or first.shape[1] != places[states] or first.shape[2] != dice
                or second.shape[0] != states or second.shape[1] != places[states] or second.shape[2] != dice):
            raise ValueError("the arrays of offers do not fit together")
        most = 0
        for i in range(states):
            most = max(most, scores[i] - scores[0] + 1, least[i])
            if places[i + 1] <= places[i] or scores[i] < scores[0]:
                raise ValueError("places or scores are not in order")
        if beyond.shape[0] <= most:
            raise ValueError("the last turn is not known to a distance of all scores")
        for i in range(left.shape[0]):
            if left[i] > dice:
                raise ValueError("more dice are left than can be")
        self.kept = (left, places, slots, scores, least, beyond, level, first, second)
        self.arrays.left, self.arrays.places, self.arrays.slots = &left[0], &places[0], &slots[0]
        self.arrays.scores, self.arrays.least = &scores[0], &least[0]
        self.arrays.beyond, self.arrays.level, self.arrays.shared = &beyond[0, 0], &level[0, 0], shared
        self.arrays.first, self.arrays.second = &first[0, 0, 0], &second[0, 0, 0]
        self.arrays.dice, self.arrays.all_places = dice, places[states]

    cdef bint fits(self, Machine machine):
        """Whether these are offers of the game of a machine."""
        cdef const int32_t[::1] slots = self.kept[2]
        cdef Py_ssize_t i
        for i in range(slots.shape[0]):
            if not 0 <= slots[i] < machine.turn.slots:
                return False
        return (len(self.kept[0]) == machine.first_end + machine.movers * machine.turn.ends
                and len(self.kept[3]) == machine.movers)


def solve_pairs(
    Machine machine, const int32_t[:, ::1] attack_target, const double[:, ::1] verdicts, const int32_t[::1] near,
    const int32_t[::1] movers, const int32_t[::1] waiters, const int64_t[::1] groups,
    double[:, ::1] first, double[:, ::1] second, double both_win, double most, double toll, double precision,
    Py_ssize_t most_steps, bint known, Offers offers=None,
):
    """Solve pairs of match states, group by group: ``first[mover, waiter]`` and ``second[waiter, mover]``.

    ``groups[i] : groups[i + 1]`` are pairs that do not follow from one another; all that may follow them must be known
    or come in an earlier group. ``known`` says that there are values already from which to begin. Returns
    how often a block of lanes was played, and how many pairs did not settle. Without steps, ``most_steps`` of 0,
    nothing is changed, and the second number is the least distance to what one more turn gives of a lower bound
    ``first``, which should be above, and of an upper bound ``second``, which should be below.
    """
    cdef pairs_t pairs
    cdef listed_t listed
    cdef Py_ssize_t states = machine.movers, i, group, begin, end
    cdef int64_t lanes = machine.exact.lanes
    cdef int64_t counts[2]
    cdef side_t sides[2]
    cdef double *values = NULL
    cdef double margin = INFINITY
    if (near.shape[0] != states or verdicts.shape[1] != states or movers.shape[0] != waiters.shape[0]
            or verdicts.shape[0] != machine.next_rows - machine.movers
            or (offers is not None and not offers.fits(machine))
            or first.shape[0] != states or first.shape[1] != second.shape[1] or second.shape[0] != states
            or first.shape[1] < states or attack_target.shape[0] != machine.outcomes.attacks
            or (attack_target.shape[0] and attack_target.shape[1] != states) or lanes > MOST_LANES
            or groups.shape[0] < 1 or groups[0] < 0 or groups[groups.shape[0] - 1] > movers.shape[0]):
        raise ValueError("the arrays of pairs do not fit together")
    for i in range(movers.shape[0]):
        if not (0 <= movers[i] < states and 0 <= waiters[i] < states):
            raise ValueError("pairs out of range")
    if movers.shape[0] == 0:
        return 0, 0
    listed.movers, listed.waiters = &movers[0], &waiters[0]
    listed.attack_target = &attack_target[0, 0] if attack_target.shape[0] else NULL
    listed.offers = &offers.arrays if offers is not None else NULL
    pairs.near, pairs.verdicts = &near[0], &verdicts[0, 0]
    pairs.first, pairs.second, pairs.stride = &first[0, 0], &second[0, 0], first.shape[1]
    pairs.both_win, pairs.most, pairs.never = both_win, most, both_win - most - 1.0
    pairs.toll, pairs.precision, pairs.most_steps, pairs.known = toll, precision, most_steps, known
    values = scratch(machine, sides)
    counts[0] = counts[1] = 0
    with nogil:
        for group in range(groups.shape[0] - 1):
            begin = groups[group]
            while begin < groups[group + 1]:
                end = min(begin + lanes, groups[group + 1])
                if most_steps == 0:
                    margin = min(margin, margin_of_block(machine, &pairs, &listed, begin, end, sides, values))
                else:
                    solve_block(machine, &pairs, &listed, begin, end, sides, values, counts)
                begin = end
    free(values)
    return counts[0], margin if most_steps == 0 else counts[1]


cdef void solve_block(Machine machine, const pairs_t *pairs, const listed_t *listed, int64_t begin, int64_t end,
                      side_t *sides, double *values, int64_t *counts) noexcept nogil:
    cdef int64_t lane, count = end - begin, p, q
    cdef const int32_t *movers = listed.movers + begin
    cdef const int32_t *waiters = listed.waiters + begin
    cdef double guess[MOST_LANES]
    cdef double first[MOST_LANES]
    cdef double second[MOST_LANES]
    gather(machine, pairs, listed, begin, count, &sides[0], False)
    gather(machine, pairs, listed, begin, count, &sides[1], True)
    for lane in range(count):
        p, q = movers[lane], waiters[lane]
        guess[lane] = pairs.second[q * pairs.stride + p]
        if not pairs.known:
            guess[lane] = guessed(pairs, machine.movers, q, p, pairs.second, pairs.stride, 1)
    settle(machine, pairs, sides, values, count, guess, first, second, counts)
    for lane in range(count):
        p, q = movers[lane], waiters[lane]
        pairs.second[q * pairs.stride + p] = second[lane]
        pairs.first[p * pairs.stride + q] = first[lane]
    if listed.offers != NULL:
        play(machine, &sides[0], values, second, pairs.both_win, 0.0, guess)
        write_offers(machine, listed.offers, movers, waiters, count, values, first, -pairs.toll, False)
        play(machine, &sides[1], values, first, pairs.both_win, 0.0, guess)
        write_offers(machine, listed.offers, waiters, movers, count, values, second, pairs.toll, True)
        counts[0] += 2


cdef double margin_of_block(Machine machine, const pairs_t *pairs, const listed_t *listed, int64_t begin, int64_t end,
                            side_t *sides, double *values) noexcept nogil:
    """The least distance of bounds to what one more turn makes of them."""
    cdef int64_t lane, count = end - begin, lanes = machine.exact.lanes, p, q
    cdef const int32_t *movers = listed.movers + begin
    cdef const int32_t *waiters = listed.waiters + begin
    cdef double first[MOST_LANES]
    cdef double second[MOST_LANES]
    cdef double found[MOST_LANES]
    cdef double margin = INFINITY
    gather(machine, pairs, listed, begin, count, &sides[0], False)
    gather(machine, pairs, listed, begin, count, &sides[1], True)
    for lane in range(lanes):
        p, q = movers[min(lane, count - 1)], waiters[min(lane, count - 1)]
        first[lane], second[lane] = pairs.first[p * pairs.stride + q], pairs.second[q * pairs.stride + p]
    play(machine, &sides[0], values, second, pairs.both_win, 0.0, found)
    for lane in range(count):
        margin = smaller(margin, found[lane] - first[lane])
    margin = smaller(margin, margin_of_offers(machine, listed.offers, movers, waiters, count, values, found, False))
    play(machine, &sides[1], values, first, pairs.both_win, 0.0, found)
    for lane in range(count):
        margin = smaller(margin, second[lane] - found[lane])
    return smaller(margin, margin_of_offers(machine, listed.offers, waiters, movers, count, values, found, True))


cdef void gather(Machine machine, const pairs_t *pairs, const listed_t *listed, int64_t begin, int64_t count,
                 side_t *side, bint second) noexcept nogil:
    """What all ways to end the turn are worth in each lane, and what every total allows there."""
    cdef int64_t lanes = machine.exact.lanes, kinds = machine.turn.stops, lane, mover, waiter, total, own, kind, outcome
    cdef int64_t i, place
    cdef const int32_t *movers = listed.waiters if second else listed.movers
    cdef const int32_t *waiters = listed.movers if second else listed.waiters
    cdef uint8_t mode
    cdef bint forced = False
    cdef int32_t highest = 0
    for lane in range(count):
        highest = max(highest, machine.highest[movers[begin + lane]])
    side.highest, side.stay_count = highest, 0
    for i in range(machine.turn.slots):
        forced = forced or machine.turn.stop_kind[i] >= kinds
    for lane in range(lanes):
        i = begin + min(lane, count - 1)
        mover, waiter = movers[i], waiters[i]
        side.starts[lane] = machine.start_slot[mover] * lanes + lane
        for total in range(highest + 1):
            own = machine.total_ptr[mover] + min(total, <int64_t> machine.highest[mover])
            mode = machine.modes[own]
            if lane == 0:
                side.modes[total] = mode
            elif side.modes[total] != mode:
                # A lane that must throw may share a total with those that may stop, unless it would have to stop.
                if mode == TURN_ENDS or side.modes[total] == TURN_ENDS or forced:
                    side.modes[total] = MAY_STOP + MIXED
                elif side.modes[total] != MAY_STOP + MIXED:
                    side.modes[total] = MAY_STOP
            side.mixed[total * lanes + lane] = mode
            for kind in range(kinds):
                place = (total * kinds + kind) * lanes + lane
                if mode == MUST_THROW:
                    side.stops[place] = pairs.never
                else:
                    set_worth(machine, pairs, listed, side, own * kinds + kind, mover, waiter, second, place,
                              own - machine.total_ptr[mover])
        for kind in range(machine.turn.ends):
            outcome = machine.first_end + mover * machine.turn.ends + kind
            place = (machine.most_total + 1) * kinds * lanes + kind * lanes + lane
            set_worth(machine, pairs, listed, side, outcome, mover, waiter, second, place, 0)


cdef inline void set_worth(Machine machine, const pairs_t *pairs, const listed_t *listed, side_t *side,
                           int64_t outcome, int64_t mover, int64_t waiter, bint second, int64_t place,
                           int64_t total) noexcept nogil:
    """Write what an outcome at a turn total is worth, or remember its place if it leads back to the pair."""
    cdef int64_t after = machine.outcomes.row[outcome], attacks = machine.outcomes.attacks, attack, i, hit = waiter
    cdef const double *passed = pairs.first if second else pairs.second
    cdef const double *kept = pairs.second if second else pairs.first
    cdef int64_t left = listed.offers.left[outcome] if listed.offers != NULL else 0
    if after >= machine.movers:
        side.stops[place] = pairs.verdicts[(after - machine.movers) * machine.movers + waiter]
        if left:
            side.stops[place] = min(side.stops[place], 1.0 - caught(listed.offers, mover, waiter, total, left))
        return
    if left:
        passed = listed.offers.first if second else listed.offers.second
        i = waiter * listed.offers.all_places + listed.offers.places[after] + total
        side.stops[place] = pairs.both_win - passed[i * listed.offers.dice + left - 1]
        return
    for attack in range(attacks):
        i = outcome * attacks + attack
        if machine.outcomes.low[i] <= waiter < machine.outcomes.high[i]:
            hit = listed.attack_target[attack * machine.movers + waiter]
    if machine.outcomes.layer[outcome]:
        side.stops[place] = kept[after * pairs.stride + hit]
    elif after == mover and hit == waiter:
        side.stays[side.stay_count] = <int32_t> place
        side.stay_count += 1
    else:
        side.stops[place] = pairs.both_win - passed[hit * pairs.stride + after]
