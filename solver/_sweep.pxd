"""The compiled rules of a race game, as the modules of ``ext`` share them; see ``ext/sweep.pyx``."""
from kernels cimport exact_kernels_t, outcomes_t, rough_kernels_t, turn_t
from libc.stdint cimport int32_t, int64_t, uint8_t


cdef class Plans:
    cdef object __weakref__
    cdef readonly int64_t blocks
    cdef readonly int64_t lanes
    cdef readonly int64_t version  # how often other plans have been written here
    cdef int64_t movers
    cdef int64_t *room  # [mover], most entries for which there is memory
    cdef int32_t *starts  # [mover][block + 1], first entry of each block
    cdef int64_t **outcomes  # [mover] -> outcomes of all blocks in a row
    cdef float **chances  # [mover] -> [outcome of the same row][lane]
    cdef float *stays  # [mover][block][lane], chance that the mover ends the turn in the state in which he began it

    cdef bint keep(self, int64_t mover, int64_t entries, const int64_t *outcomes, const float *chances) noexcept nogil


cdef class Choices:
    cdef const uint8_t[:, :, ::1] forced
    cdef const int32_t[::1] class_of
    cdef const double[:, :, ::1] layers
    cdef const double[:, ::1] values
    cdef readonly bint guided
    cdef readonly bint free

    cdef void fill(self, int64_t first_total, int64_t totals, int64_t first, int64_t lanes,
                   uint8_t *block) noexcept nogil


cdef class Machine:
    cdef turn_t turn
    cdef outcomes_t outcomes
    cdef const exact_kernels_t *exact
    cdef const exact_kernels_t *narrow
    cdef const rough_kernels_t *rough
    cdef object arrays, caps  # keep the memory alive
    cdef int64_t waiters, movers, layers, next_rows, first_end, most_total, stride
    cdef const int32_t *start_slot
    cdef const int32_t *highest
    cdef const int64_t *total_ptr
    cdef const uint8_t *modes

    cdef int64_t rows(self) noexcept nogil
    cdef check(self, layers, begin, end, values)
    cdef check_choices(self, Choices choices)
    cdef int64_t enter(self, Plans plans, int64_t mover, int64_t block, const float *stop_chances,
                       const float *end_chances, double least, int64_t *likely, float *chances) noexcept nogil
