# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The linear equations of fixed plans, on whole rows of match states: backwards to values, and onwards to chances.

Memory is laid out as in ``sweep.pyx``: ``layers[layer, mover's next state, waiter]``. Match states are cut into square
blocks, as many movers as there are lanes.
"""
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from solver._sweep cimport Machine, Plans

cdef extern from "team.h" nogil:
    ctypedef struct team_t:
        int32_t threads
    bint wait_for_all(team_t *team)
    void give_up(team_t *team)

cdef float MOST_BACK = <float> (1.0 - 1e-6)  # where both wait for ever, nothing can be solved at once


cdef class Team:
    """Threads that work in step, so that none goes on before all have come as far."""
    cdef team_t team

    def __init__(self, int threads):
        if threads < 1:
            raise ValueError("a team needs threads")
        self.team.threads = threads

    def give_up(self):
        """Let nobody wait any more for those who will not come."""
        give_up(&self.team)


cdef class Equations:
    """The equations ``values = constants + expected values of the next match states`` of one kind of player.

    For two players, of fixed plans. ``layers``, with ``sign`` times the values of the player who moves next, are kept
    up to date by sweeps. Attack ``a`` moves the waiters ``hit[hit_ptr[a * movers + state] : hit_ptr[a * movers + state
    + 1]]`` to ``state``.
    """
    cdef Machine machine
    cdef Plans plans
    cdef object arrays  # keeps the memory alive
    cdef const float *constants
    cdef float *values
    cdef float *layers
    cdef const int32_t *hit_ptr
    cdef const int32_t *hit
    cdef float sign
    cdef bint kept

    def __init__(
        self, Machine machine not None, Plans plans not None, float sign, const float[:, ::1] constants not None,
        float[:, ::1] values not None, float[:, :, ::1] layers not None, const int32_t[::1] hit_ptr not None,
        const int32_t[::1] hit not None,
    ):
        cdef Py_ssize_t i
        machine.check(layers, 0, 0, values)
        if (plans.movers != machine.movers or plans.blocks * plans.lanes != machine.stride
                or machine.waiters != machine.movers):
            raise ValueError("these plans are of another game")
        if (constants.shape[0] != machine.movers or constants.shape[1] != machine.stride
                or hit_ptr.shape[0] != machine.outcomes.attacks * machine.movers + 1 or hit_ptr[0] != 0
                or hit_ptr[hit_ptr.shape[0] - 1] != hit.shape[0]):
            raise ValueError("the arrays of a relaxation do not fit together")
        for i in range(hit_ptr.shape[0] - 1):
            if hit_ptr[i] > hit_ptr[i + 1]:
                raise ValueError("the arrays of a relaxation do not fit together")
        for i in range(hit.shape[0]):
            if not 0 <= hit[i] < machine.movers:
                raise ValueError("there is no such waiter")
        self.machine, self.plans, self.sign = machine, plans, sign
        self.arrays = (constants, values, layers, hit_ptr, hit)
        self.constants, self.values, self.layers = &constants[0, 0], &values[0, 0], &layers[0, 0, 0]
        self.hit_ptr, self.hit = &hit_ptr[0], &hit[0] if hit.shape[0] else NULL
        self.kept = layers.shape[0] > 1 + machine.outcomes.attacks


def sweep(Equations one not None, Equations other not None, Team team not None, int thread):
    """The part of one thread in a Gauss-Seidel sweep over the equations of two players, each against the other.

    A player may meet his like: then both are the same. All threads of the team, which are numbered from 0, must call
    this at the same time. Results do not depend on how many they are.

    The order of a sweep is from the end of the match back: falling sums of the mover's and the waiter's block, and of
    each sum first the blocks in which the mover has the larger number, then those in which he has the smaller one.
    Blocks of one such kind do not know each other, nor the block on the diagonal; nor do their rows where no dice are
    kept. They all may be worked on at the same time. An attack may lead to any block of the same sum, so layers of
    attacks are brought up to date when all these are done.
    """
    cdef int64_t blocks = one.plans.blocks, sum_of_blocks
    cdef bint alike = one is other
    check(one, other, team, thread)
    with nogil:
        for sum_of_blocks in range(2 * blocks - 2, -1, -1):
            if not relax_blocks(one, other, sum_of_blocks, &team.team, thread):
                break
            if not alike and not relax_blocks(other, one, sum_of_blocks, &team.team, thread):
                break


def take_over(Equations one not None, Equations other not None, Team team not None, int thread):
    """The part of one thread in taking values of ``one`` that did not come from a sweep over into all layers."""
    cdef int64_t row, mover, block, lanes = one.plans.lanes, rows = one.plans.blocks * lanes
    check(one, other, team, thread)
    with nogil:
        for block in range(one.plans.blocks):
            for row in range(edge(rows, 1, thread, team.team.threads), edge(rows, 1, thread + 1, team.team.threads)):
                mover = mover_of(row, lanes)
                if mover < one.machine.movers:
                    spread(one, other, mover, block * lanes)
                    spread_attacks(one, other, mover, block * lanes)


cdef check(Equations one, Equations other, Team team, int thread):
    if (other.plans.movers != one.plans.movers or other.plans.lanes != one.plans.lanes
            or other.plans.blocks != one.plans.blocks or other.kept != one.kept
            or other.machine.outcomes.attacks != one.machine.outcomes.attacks):
        raise ValueError("these plans are of another game")
    if not 0 <= thread < team.team.threads:
        raise ValueError("there is no such thread")


cdef bint relax_blocks(Equations one, Equations other, int64_t sum_of_blocks, team_t *team, int thread) noexcept nogil:
    """The blocks with this sum in which ``one`` moves; false if somebody has given up.

    Movers are counted from the last of each block, so row ``r`` is one of block ``r // lanes``.
    """
    cdef int64_t lanes = one.plans.lanes, unit = lanes if one.kept else 1
    cdef int64_t first = max(0, sum_of_blocks - one.plans.blocks + 1), last = min(one.plans.blocks, sum_of_blocks + 1)
    cdef int64_t below = (sum_of_blocks + 1) // 2 * lanes, above = (sum_of_blocks // 2 + 1) * lanes
    cdef int64_t row, mover, begin, end, diagonal = above - below
    # Rows of the block on the diagonal must be done in order, so the first thread does them, and less of the others.
    begin = above + max(0, edge(last * lanes - below, unit, thread, team.threads) - diagonal)
    end = above + max(0, edge(last * lanes - below, unit, thread + 1, team.threads) - diagonal)
    if thread == 0:
        relax_rows(one, other, sum_of_blocks, below, above)
    relax_rows(one, other, sum_of_blocks, begin, end)
    if not wait_for_all(team):
        return False
    begin = first * lanes + edge(below - first * lanes, unit, thread, team.threads)
    end = first * lanes + edge(below - first * lanes, unit, thread + 1, team.threads)
    relax_rows(one, other, sum_of_blocks, begin, end)
    if not wait_for_all(team):
        return False
    if not one.machine.outcomes.attacks:
        return True
    begin = first * lanes + edge((last - first) * lanes, 1, thread, team.threads)
    end = first * lanes + edge((last - first) * lanes, 1, thread + 1, team.threads)
    for row in range(begin, end):
        mover = mover_of(row, lanes)
        if mover < one.machine.movers:
            spread_attacks(one, other, mover, (sum_of_blocks - row // lanes) * lanes)
    return wait_for_all(team)


cdef inline int64_t edge(int64_t rows, int64_t unit, int64_t thread, int64_t threads) noexcept nogil:
    """Where the rows of a thread begin if threads share rows evenly, in whole units."""
    return rows // unit * thread // threads * unit


cdef inline int64_t mover_of(int64_t row, int64_t lanes) noexcept nogil:
    """Rows go through the movers of a block from the last one to the first."""
    return (row // lanes + 1) * lanes - 1 - row % lanes


cdef void relax_rows(Equations one, Equations other, int64_t sum_of_blocks, int64_t begin, int64_t end) noexcept nogil:
    cdef int64_t row, mover, first, lanes = one.plans.lanes
    for row in range(begin, end):
        mover, first = mover_of(row, lanes), (sum_of_blocks - row // lanes) * lanes
        if mover < one.machine.movers:
            relax_row(one, other, mover, first)
            spread(one, other, mover, first)


cdef void relax_row(Equations one, Equations other, int64_t mover, int64_t first) noexcept nogil:
    """New values of a mover against the block of waiters from ``first`` on."""
    cdef int64_t i, lanes = one.plans.lanes, stride = one.machine.stride
    cdef int64_t block = mover * (one.plans.blocks + 1) + first // lanes, begin = one.plans.starts[block]
    cdef float *sums = one.values + mover * stride + first
    cdef float before[128]  # the widest block
    cdef float back
    memcpy(before, sums, lanes * sizeof(float))
    memcpy(sums, one.constants + mover * stride + first, lanes * sizeof(float))
    one.machine.rough.expect(&one.machine.outcomes, one.layers, one.plans.outcomes[mover] + begin,
                             one.plans.chances[mover] + begin * lanes, one.plans.starts[block + 1] - begin, first, sums)
    # Where both may end their turns without a change, the pair of match states is solved at once.
    for i in range(first, min(first + lanes, mover + 1)):
        back = one.plans.stays[mover * stride + i]
        if i < mover:
            back *= other.plans.stays[i * stride + mover]
        elif one is other:
            back *= one.sign
        else:
            continue  # of each pair one may be solved, and here both would be
        back = min(back, MOST_BACK)
        sums[i - first] = (sums[i - first] - back * before[i - first]) / (<float> 1.0 - back)


cdef void spread(Equations one, Equations other, int64_t mover, int64_t first) noexcept nogil:
    """Take new values of a mover against a block of waiters over into the layers of both."""
    cdef int64_t i, stride = one.machine.stride, last = min(one.machine.waiters, first + one.plans.lanes)
    cdef const float *found = one.values + mover * stride
    cdef float *layer = other.layers
    for i in range(first, last):
        layer[i * stride + mover] = one.sign * found[i]
    if one.kept:
        layer = one.layers + (one.machine.outcomes.attacks + 1) * one.machine.outcomes.layer_size + mover * stride
        memcpy(layer + first, found + first, (last - first) * sizeof(float))


cdef void spread_attacks(Equations one, Equations other, int64_t mover, int64_t first) noexcept nogil:
    """The same for the layers of attacks."""
    cdef int64_t i, attack, h, stride = one.machine.stride, last = min(one.machine.waiters, first + one.plans.lanes)
    cdef int64_t size = one.machine.outcomes.layer_size, attacks = one.machine.outcomes.attacks
    cdef const float *found = one.values + mover * stride
    cdef const int32_t *hit_ptr = one.hit_ptr
    cdef float *layer
    for attack in range(attacks):
        layer = other.layers + (attack + 1) * size
        for h in range(hit_ptr[mover], hit_ptr[mover + 1]):
            for i in range(first, last):
                layer[i * stride + one.hit[h]] = one.sign * found[i]
        if one.kept:
            layer = one.layers + (attacks + 2 + attack) * size + mover * stride
            for i in range(first, last):
                for h in range(hit_ptr[i], hit_ptr[i + 1]):
                    layer[one.hit[h]] = found[i]
        hit_ptr += one.machine.movers


def onward(
    Machine machine not None, Plans plans not None, const float[:, ::1] mass not None, float[:, :, ::1] layers not None,
):
    """Add to ``layers[layer, next state, waiter]`` the chances to come there from ``mass[mover, waiter]``."""
    cdef int64_t mover, block, begin, lanes = plans.lanes
    machine.check(layers, 0, 0, mass)
    if plans.movers != machine.movers or plans.blocks * lanes != machine.stride:
        raise ValueError("these plans are of another game")
    with nogil:
        for mover in range(machine.movers):
            for block in range(plans.blocks):
                begin = plans.starts[mover * (plans.blocks + 1) + block]
                machine.rough.onward(&machine.outcomes, &layers[0, 0, 0], plans.outcomes[mover] + begin,
                                     plans.chances[mover] + begin * lanes,
                                     plans.starts[mover * (plans.blocks + 1) + block + 1] - begin, block * lanes,
                                     &mass[mover, block * lanes])
