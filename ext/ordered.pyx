# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Pairs of match states, (p, q) and (q, p), solved to full precision when all that may follow them is known.

With everything else known, what the first is worth depends only on the second, and the other way round:

    x = F(1 - y) - toll        y = G(1 - x) + toll

where F and G play one turn, and their argument is what it is worth to end the turn without a change. Both rise, by no
more than their argument, so ``H(y) = G(1 - F(1 - y) + toll) + toll`` does too, and ``H(y) - y`` falls: its zero is
found by the secant method, kept between the best bounds so far. F and G are piecewise linear, so that a secant within
one piece ends there.

A lane is a pair. The lanes of a block need not agree on anything but the dice: what stops are worth, and what the
total allows, is gathered for each lane. Of the two sides of a block, the first holds the match states (p, q), the
second the (q, p):

    stops[total][kind][lane]   ends[end][lane]   modes[total]   mixed[total][lane]   stays[i] = place in stops and ends

The two may be bounds of different kinds: then ``first`` is a lower bound, ``second`` an upper one, and the toll makes
the proof of both (see ``solver.race.bracket``).

Where a stop leaves its dice and its points to the other player, he has the better of two beginnings: a fresh turn, or
the throw that the other did not make. What that throw is worth at every total is known as soon as his turn is solved,
so that such match states cost no turn of their own:

    offered[mover][place of waiter + total][dice - 1] = max(first[mover][waiter], values[total][slot of dice] - toll)
"""
from kernels cimport posix_memalign
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from solver._sweep cimport Machine

cdef enum:
    MUST_THROW = 0
    MAY_STOP = 1
    TURN_ENDS = 2
    MIXED = 4
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
    const int32_t *movers
    const int32_t *waiters
    const int32_t *near  # [states], one of the nearest states that may follow; the number of states for having won
    const int32_t *attack_target  # [attacks][states]
    const double *verdicts  # [verdicts][states]
    double *first  # what the other reads, [states][stride]
    double *second
    double both_win, never, most, toll, precision
    int64_t stride, most_steps
    bint known  # whether the second of each pair is known roughly
    const offers_t *offers  # NULL where a stop leaves nothing to the other player

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
    pairs.movers, pairs.waiters, pairs.near, pairs.verdicts = &movers[0], &waiters[0], &near[0], &verdicts[0, 0]
    pairs.attack_target = &attack_target[0, 0] if attack_target.shape[0] else NULL
    pairs.first, pairs.second, pairs.stride = &first[0, 0], &second[0, 0], first.shape[1]
    pairs.both_win, pairs.most, pairs.never = both_win, most, both_win - most - 1.0
    pairs.toll, pairs.precision, pairs.most_steps, pairs.known = toll, precision, most_steps, known
    pairs.offers = &offers.arrays if offers is not None else NULL
    values = scratch(machine, sides)
    counts[0] = counts[1] = 0
    with nogil:
        for group in range(groups.shape[0] - 1):
            begin = groups[group]
            while begin < groups[group + 1]:
                end = min(begin + lanes, groups[group + 1])
                if most_steps == 0:
                    margin = min(margin, margin_of_block(machine, &pairs, begin, end, sides, values))
                else:
                    solve_block(machine, &pairs, begin, end, sides, values, counts)
                begin = end
    free(values)
    return counts[0], margin if most_steps == 0 else counts[1]


cdef double *scratch(Machine machine, side_t *sides) except NULL:
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


cdef void solve_block(Machine machine, const pairs_t *pairs, int64_t begin, int64_t end, side_t *sides, double *values,
                      int64_t *counts) noexcept nogil:
    cdef int64_t lane, count = end - begin, p, q
    cdef double guess[MOST_LANES]
    cdef double first[MOST_LANES]
    cdef double second[MOST_LANES]
    gather(machine, pairs, begin, count, &sides[0], False)
    gather(machine, pairs, begin, count, &sides[1], True)
    for lane in range(count):
        p, q = pairs.movers[begin + lane], pairs.waiters[begin + lane]
        guess[lane] = pairs.second[q * pairs.stride + p]
        if not pairs.known:
            guess[lane] = guessed(pairs, machine.movers, q, p, pairs.second, pairs.stride, 1)
    settle(machine, pairs, sides, values, count, guess, first, second, counts)
    for lane in range(count):
        p, q = pairs.movers[begin + lane], pairs.waiters[begin + lane]
        pairs.second[q * pairs.stride + p] = second[lane]
        pairs.first[p * pairs.stride + q] = first[lane]
    if pairs.offers != NULL:
        play(machine, &sides[0], values, second, pairs.both_win, 0.0, guess)
        write_offers(machine, pairs, begin, end, values, first, False)
        play(machine, &sides[1], values, first, pairs.both_win, 0.0, guess)
        write_offers(machine, pairs, begin, end, values, second, True)
        counts[0] += 2


cdef double margin_of_block(Machine machine, const pairs_t *pairs, int64_t begin, int64_t end, side_t *sides,
                            double *values) noexcept nogil:
    """The least distance of bounds to what one more turn makes of them."""
    cdef int64_t lane, count = end - begin, lanes = machine.exact.lanes, p, q
    cdef double first[MOST_LANES]
    cdef double second[MOST_LANES]
    cdef double found[MOST_LANES]
    cdef double margin = INFINITY
    gather(machine, pairs, begin, count, &sides[0], False)
    gather(machine, pairs, begin, count, &sides[1], True)
    for lane in range(lanes):
        p, q = pairs.movers[begin + min(lane, count - 1)], pairs.waiters[begin + min(lane, count - 1)]
        first[lane], second[lane] = pairs.first[p * pairs.stride + q], pairs.second[q * pairs.stride + p]
    play(machine, &sides[0], values, second, pairs.both_win, 0.0, found)
    for lane in range(count):
        margin = smaller(margin, found[lane] - first[lane])
    margin = smaller(margin, margin_of_offers(machine, pairs, begin, end, values, found, False))
    play(machine, &sides[1], values, first, pairs.both_win, 0.0, found)
    for lane in range(count):
        margin = smaller(margin, second[lane] - found[lane])
    return smaller(margin, margin_of_offers(machine, pairs, begin, end, values, found, True))


cdef inline double smaller(double margin, double other) noexcept nogil:
    """The smaller of two; what is no number proves nothing."""
    return other if other < margin or other != other else margin


cdef inline double *offers_to(Machine machine, const pairs_t *pairs, int64_t pair, bint second,
                              int64_t *totals) noexcept nogil:
    """What may be left to one of a pair: [totals][dice]."""
    cdef const offers_t *offers = pairs.offers
    cdef int64_t mover = pairs.waiters[pair] if second else pairs.movers[pair]
    cdef int64_t waiter = pairs.movers[pair] if second else pairs.waiters[pair]
    totals[0] = offers.places[waiter + 1] - offers.places[waiter]
    return (offers.second if second else offers.first) + (
        mover * offers.all_places + offers.places[waiter]) * offers.dice


cdef inline double taken_over(Machine machine, const pairs_t *pairs, const double *values, int64_t mover,
                              int64_t total, int64_t dice, int64_t lane) noexcept nogil:
    """What it is worth to take so many dice over with so many points."""
    total = min(total, <int64_t> machine.highest[mover])
    return values[(total * machine.turn.slots + pairs.offers.slots[dice]) * machine.exact.lanes + lane]


cdef void write_offers(Machine machine, const pairs_t *pairs, int64_t begin, int64_t end, const double *values,
                       const double *fresh, bint second) noexcept nogil:
    cdef int64_t lane, total, dice, totals, mover
    cdef double toll = pairs.toll if second else -pairs.toll
    cdef double *to
    for lane in range(end - begin):
        to = offers_to(machine, pairs, begin + lane, second, &totals)
        mover = pairs.waiters[begin + lane] if second else pairs.movers[begin + lane]
        for total in range(totals):
            for dice in range(pairs.offers.dice):
                to[total * pairs.offers.dice + dice] = max(
                    fresh[lane], taken_over(machine, pairs, values, mover, total, dice, lane) + toll)


cdef double margin_of_offers(Machine machine, const pairs_t *pairs, int64_t begin, int64_t end, const double *values,
                             const double *fresh, bint second) noexcept nogil:
    cdef int64_t lane, total, dice, totals, mover
    cdef double found, known, margin = INFINITY
    cdef const double *to
    if pairs.offers == NULL:
        return margin
    for lane in range(end - begin):
        to = offers_to(machine, pairs, begin + lane, second, &totals)
        mover = pairs.waiters[begin + lane] if second else pairs.movers[begin + lane]
        for total in range(totals):
            for dice in range(pairs.offers.dice):
                known = to[total * pairs.offers.dice + dice]
                found = max(fresh[lane], taken_over(machine, pairs, values, mover, total, dice, lane))
                margin = smaller(margin, known - found if second else found - known)
    return margin


cdef void settle(Machine machine, const pairs_t *pairs, side_t *sides, double *values, int64_t count, double *guess,
                 double *first, double *second, int64_t *counts) noexcept nogil:
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


cdef double guessed(const pairs_t *pairs, int64_t states, int64_t mover, int64_t waiter, const double *second,
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


cdef void gather(Machine machine, const pairs_t *pairs, int64_t begin, int64_t count, side_t *side,
                 bint second) noexcept nogil:
    """What all ways to end the turn are worth in each lane, and what every total allows there."""
    cdef int64_t lanes = machine.exact.lanes, kinds = machine.turn.stops, lane, mover, waiter, total, own, kind, outcome
    cdef int64_t i, place
    cdef const int32_t *movers = pairs.waiters if second else pairs.movers
    cdef const int32_t *waiters = pairs.movers if second else pairs.waiters
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
                    set_worth(machine, pairs, side, own * kinds + kind, mover, waiter, second, place,
                              own - machine.total_ptr[mover])
        for kind in range(machine.turn.ends):
            outcome = machine.first_end + mover * machine.turn.ends + kind
            place = (machine.most_total + 1) * kinds * lanes + kind * lanes + lane
            set_worth(machine, pairs, side, outcome, mover, waiter, second, place, 0)


cdef inline void set_worth(Machine machine, const pairs_t *pairs, side_t *side, int64_t outcome, int64_t mover,
                           int64_t waiter, bint second, int64_t place, int64_t total) noexcept nogil:
    """Write what an outcome at a turn total is worth, or remember its place if it leads back to the pair."""
    cdef int64_t after = machine.outcomes.row[outcome], attacks = machine.outcomes.attacks, attack, i, hit = waiter
    cdef const double *passed = pairs.first if second else pairs.second
    cdef const double *kept = pairs.second if second else pairs.first
    cdef int64_t left = pairs.offers.left[outcome] if pairs.offers != NULL else 0
    if after >= machine.movers:
        side.stops[place] = pairs.verdicts[(after - machine.movers) * machine.movers + waiter]
        if left:
            side.stops[place] = min(side.stops[place], 1.0 - caught(pairs.offers, mover, waiter, total, left))
        return
    if left:
        passed = pairs.offers.first if second else pairs.offers.second
        i = waiter * pairs.offers.all_places + pairs.offers.places[after] + total
        side.stops[place] = pairs.both_win - passed[i * pairs.offers.dice + left - 1]
        return
    for attack in range(attacks):
        i = outcome * attacks + attack
        if machine.outcomes.low[i] <= waiter < machine.outcomes.high[i]:
            hit = pairs.attack_target[attack * machine.movers + waiter]
    if machine.outcomes.layer[outcome]:
        side.stops[place] = kept[after * pairs.stride + hit]
    elif after == mover and hit == waiter:
        side.stays[side.stay_count] = <int32_t> place
        side.stay_count += 1
    else:
        side.stops[place] = pairs.both_win - passed[hit * pairs.stride + after]


cdef inline double caught(const offers_t *offers, int64_t leader, int64_t waiter, int64_t total,
                          int64_t left) noexcept nogil:
    """The chance of a waiter to get past a leader who has left him these dice, with the points of his turn."""
    cdef int64_t missing = offers.scores[leader] - offers.scores[waiter], least = offers.least[waiter] - total
    if offers.shared and missing >= max(least, 0):
        return offers.level[missing * offers.dice + left - 1]
    return offers.beyond[max(max(missing + 1, least), 0) * offers.dice + left - 1]


cdef void play(Machine machine, side_t *side, double *values, const double *other, double both_win, double toll,
               double *found) noexcept nogil:
    """One turn in each lane, if the other of the pair is worth so much."""
    cdef int64_t i, lane, lanes = machine.exact.lanes
    for i in range(side.stay_count):
        side.stops[side.stays[i]] = both_win - other[side.stays[i] % lanes]
    machine.exact.solve_mixed(&machine.turn, values, side.stops, side.ends, side.modes, side.highest, side.mixed)
    for lane in range(lanes):
        found[lane] = values[side.starts[lane]] + toll


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
    pairs.near, pairs.verdicts, pairs.offers = &near[0], &payoff[0], NULL
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
