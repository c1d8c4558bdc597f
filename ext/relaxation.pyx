# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The linear equations of fixed plans, on whole rows of match states: backwards to values, and onwards to chances.

Memory is laid out as in ``sweep.pyx``: ``layers[layer, mover's next state, waiter]``.
"""
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from solver._sweep cimport Machine, Plans

cdef float MOST_BACK = <float> (1.0 - 1e-6)  # where both wait for ever, nothing can be solved at once


def relax(
    Machine machine not None, Plans plans not None, Plans others not None, float sign,
    const float[:, ::1] constants not None, float[:, :, ::1] layers not None, float[:, :, ::1] others_layers not None,
    float[:, ::1] values not None, Py_ssize_t sum_of_blocks, Py_ssize_t begin, Py_ssize_t end,
):
    """A part of a Gauss-Seidel sweep over ``values = constants + expected values of the next match states``.

    For two players. Plans are fixed, and ``others`` are those of the player who waits, for whom there are other
    values; a player may meet his like, of the same plans and values. ``layers`` and ``others_layers``, with ``sign``
    times the value for the waiter who moves next, are kept up to date but for those of attacks, see
    ``spread_attacks``. The part are rows of square blocks of match states: those of the movers' blocks in which the
    numbers of the mover's and the waiter's block add up to ``sum_of_blocks``. Movers are counted from the last of
    each block, so that ``begin // lanes`` is the first block.

    The order of a sweep is from the end of the match back: falling sums, and of each sum first the blocks in
    which the mover has the larger number, then those in which he has the smaller one. Blocks of one such kind do
    not know each other, nor do their rows where no dice are kept, and may be worked on at the same time.
    """
    cdef int64_t row, mover, lanes = plans.lanes
    check(machine, plans, layers, others_layers, values, sum_of_blocks, begin, end)
    if others.movers != plans.movers or others.lanes != plans.lanes or others.blocks != plans.blocks:
        raise ValueError("these plans are of another game")
    if constants.shape[0] != machine.movers or constants.shape[1] != machine.stride:
        raise ValueError("the arrays of a relaxation do not fit together")
    cdef bint kept = layers.shape[0] > 1 + machine.outcomes.attacks
    with nogil:
        for row in range(begin, end):
            mover = mover_of(row, lanes)
            if mover < machine.movers:
                relax_row(machine, plans, others, sign, mover, sum_of_blocks - row // lanes, &constants[0, 0],
                          &layers[0, 0, 0], &values[0, 0])
                spread(machine, mover, (sum_of_blocks - row // lanes) * lanes, sign, kept, &values[0, 0],
                       &layers[0, 0, 0], &others_layers[0, 0, 0])


def spread_attacks(
    Machine machine not None, Plans plans not None, float sign, const int32_t[::1] hit_ptr not None,
    const int32_t[::1] hit not None, const float[:, ::1] values not None, float[:, :, ::1] layers not None,
    float[:, :, ::1] others_layers not None, Py_ssize_t sum_of_blocks, Py_ssize_t begin, Py_ssize_t end,
):
    """Take the values of the same rows as in ``relax`` over into the layers of attacks.

    Attack ``a`` moves the waiters ``hit[hit_ptr[a * movers + state] : hit_ptr[a * movers + state + 1]]`` to
    ``state``, who may be of any block. So this waits until no block of the same sum is worked on, or results would
    depend on who comes first.
    """
    cdef int64_t row, mover, i, lanes = plans.lanes
    check(machine, plans, layers, others_layers, values, sum_of_blocks, begin, end)
    if (hit_ptr.shape[0] != machine.outcomes.attacks * machine.movers + 1 or hit_ptr[0] != 0
            or hit_ptr[hit_ptr.shape[0] - 1] != hit.shape[0]):
        raise ValueError("the arrays of a relaxation do not fit together")
    for i in range(hit_ptr.shape[0] - 1):
        if hit_ptr[i] > hit_ptr[i + 1]:
            raise ValueError("the arrays of a relaxation do not fit together")
    for i in range(hit.shape[0]):
        if not 0 <= hit[i] < machine.movers:
            raise ValueError("there is no such waiter")
    cdef bint kept = layers.shape[0] > 1 + machine.outcomes.attacks
    cdef const int32_t *hits = &hit[0] if hit.shape[0] else NULL
    with nogil:
        for row in range(begin, end):
            mover = mover_of(row, lanes)
            if mover < machine.movers:
                spread_hits(machine, mover, (sum_of_blocks - row // lanes) * lanes, sign, kept, &hit_ptr[0], hits,
                            &values[0, 0], &layers[0, 0, 0], &others_layers[0, 0, 0])


cdef check(Machine machine, Plans plans, layers, others_layers, values, sum_of_blocks, begin, end):
    machine.check(layers, 0, 0, values)
    machine.check(others_layers, 0, 0, values)
    if (plans.movers != machine.movers or plans.blocks * plans.lanes != machine.stride
            or machine.waiters != machine.movers):
        raise ValueError("these plans are of another game")
    first, last = max(0, sum_of_blocks - plans.blocks + 1), min(plans.blocks, sum_of_blocks + 1)
    if not first * plans.lanes <= begin <= end <= last * plans.lanes:
        raise ValueError("rows out of range")


cdef inline int64_t mover_of(int64_t row, int64_t lanes) noexcept nogil:
    """Rows go through the movers of a block from the last one to the first."""
    return (row // lanes + 1) * lanes - 1 - row % lanes


cdef void relax_row(Machine machine, Plans plans, Plans others, float sign, int64_t mover, int64_t block,
                    const float *constants, const float *layers, float *values) noexcept nogil:
    cdef int64_t i, first = block * plans.lanes, begin = plans.starts[mover * (plans.blocks + 1) + block]
    cdef int64_t count = plans.starts[mover * (plans.blocks + 1) + block + 1] - begin
    cdef float *sums = values + mover * machine.stride + first
    cdef float before[128]  # the widest block
    cdef float back
    memcpy(before, sums, plans.lanes * sizeof(float))
    memcpy(sums, constants + mover * machine.stride + first, plans.lanes * sizeof(float))
    machine.rough.expect(&machine.outcomes, layers, plans.outcomes[mover] + begin,
                         plans.chances[mover] + begin * plans.lanes, count, first, sums)
    # Where both may end their turns without a change, the pair of match states is solved at once.
    for i in range(first, min(first + plans.lanes, mover + 1)):
        back = plans.stays[mover * machine.stride + i]
        if i < mover:
            back *= others.stays[i * machine.stride + mover]
        elif plans is others:
            back *= sign
        else:
            continue  # of each pair one may be solved, and here both would be
        back = min(back, MOST_BACK)
        sums[i - first] = (sums[i - first] - back * before[i - first]) / (<float> 1.0 - back)


cdef void spread(Machine machine, int64_t mover, int64_t first, float sign, bint kept, const float *values,
                 float *layers, float *others_layers) noexcept nogil:
    """Take new values of a mover against a block of waiters over into the layers of both."""
    cdef int64_t i, last = min(machine.waiters, first + machine.rough.lanes)
    cdef const float *found = values + mover * machine.stride
    for i in range(first, last):
        others_layers[i * machine.stride + mover] = sign * found[i]
    if kept:
        layers += (machine.outcomes.attacks + 1) * machine.outcomes.layer_size + mover * machine.stride
        memcpy(layers + first, found + first, (last - first) * sizeof(float))


cdef void spread_hits(Machine machine, int64_t mover, int64_t first, float sign, bint kept, const int32_t *hit_ptr,
                      const int32_t *hit, const float *values, float *layers, float *others_layers) noexcept nogil:
    """The same for the layers of attacks."""
    cdef int64_t i, attack, h, size = machine.outcomes.layer_size, attacks = machine.outcomes.attacks
    cdef int64_t last = min(machine.waiters, first + machine.rough.lanes)
    cdef const float *found = values + mover * machine.stride
    cdef float *layer = others_layers
    for attack in range(attacks):
        layer += size
        for h in range(hit_ptr[attack * machine.movers + mover], hit_ptr[attack * machine.movers + mover + 1]):
            for i in range(first, last):
                layer[i * machine.stride + hit[h]] = sign * found[i]
    if kept:
        layer = layers + (attacks + 1) * size + mover * machine.stride
        for attack in range(attacks):
            layer += size
            for i in range(first, last):
                for h in range(hit_ptr[attack * machine.movers + i], hit_ptr[attack * machine.movers + i + 1]):
                    layer[hit[h]] = found[i]


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
