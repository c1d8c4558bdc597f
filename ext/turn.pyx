# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""One turn backwards for a few match states: what advice needs.

The loop and its memory layout are described in ``turn.h``.
"""
from kernels cimport (
    cap_totals, capped_chances, capped_integers, exact_kernels_t, kernels_t, posix_memalign, turn_t,
)
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

cdef extern from "turn_kernels.h" nogil:
    const kernels_t *widest_kernels()


cdef const kernels_t *kernels_of_this_machine() noexcept nogil:
    """The kernels that this machine runs fastest."""
    return widest_kernels()


cdef const exact_kernels_t *KERNELS = kernels_of_this_machine().exact_narrow


def turn_values(
    const int32_t[::1] roll_ptr, const double[::1] roll_chance, const int32_t[::1] choice_ptr,
    const int32_t[::1] option_ptr, const int32_t[::1] option_gain, const int32_t[::1] option_slot,
    const int32_t[::1] option_offset, const double[:, ::1] end_chance, const int32_t[::1] stop_kind,
    const uint8_t[::1] modes, const double[:, ::1] stops, const double[::1] ends, double[:, ::1] values,
):
    """Fill ``values[total, slot]`` for one match state.

    ``modes[total]``: 0 must throw, 1 may stop, 2 the turn ends; ``stops[total, kind]`` and ``ends[end]``:
    values of the ways in which the turn can end.
    """
    cdef turn_t turn
    cdef int32_t highest = <int32_t> modes.shape[0] - 1
    cdef Py_ssize_t kinds = stops.shape[1], slots = stop_kind.shape[0], count = ends.shape[0], i, j
    if (stops.shape[0] != highest + 1 or values.shape[0] != highest + 1 or values.shape[1] != slots
            or end_chance.shape[0] != slots or end_chance.shape[1] != count or roll_ptr.shape[0] != slots + 1
            or highest < 0 or kinds < 1 or count < 1):
        raise ValueError("the arrays of a turn do not fit together")
    cdef Py_ssize_t lanes = KERNELS.lanes
    cdef Py_ssize_t doubles = ((highest + 1) * (slots + kinds) + count) * lanes
    turn.slots, turn.stops, turn.ends = <int32_t> slots, <int32_t> kinds, <int32_t> count
    turn.roll_ptr, turn.roll_chance, turn.choice_ptr = &roll_ptr[0], &roll_chance[0], &choice_ptr[0]
    turn.option_ptr = &option_ptr[0]
    turn.option_gain, turn.option_slot = &option_gain[0], &option_slot[0]
    turn.option_offset, turn.end_chance, turn.stop_kind = &option_offset[0], &end_chance[0, 0], &stop_kind[0]
    cdef double *scratch = NULL
    cdef int64_t chances = capped_chances(&turn, highest + 1)
    if posix_memalign(<void **> &scratch, 64, (doubles + chances) * sizeof(double)
                      + capped_integers(&turn, highest + 1) * sizeof(int32_t)):
        raise MemoryError
    cdef double *all_stops = scratch + (highest + 1) * slots * lanes
    cdef double *all_ends = all_stops + (highest + 1) * kinds * lanes
    with nogil:
        cap_totals(&turn, highest + 1, <int32_t *> (scratch + doubles + chances), scratch + doubles)
        memset(scratch, 0, doubles * sizeof(double))
        for i in range(highest + 1):
            for j in range(kinds):
                all_stops[(i * kinds + j) * lanes] = stops[i, j]
        for i in range(count):
            all_ends[i * lanes] = ends[i]
        KERNELS.solve(&turn, scratch, all_stops, all_ends, &modes[0], highest)
        for i in range(highest + 1):
            for j in range(slots):
                values[i, j] = scratch[(i * slots + j) * lanes]
    free(scratch)
