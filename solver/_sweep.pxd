"""The compiled rules of a race game, as the modules of ``ext`` share them; see ``ext/sweep.pyx``."""
from kernels cimport exact_kernels_t, outcomes_t, rough_kernels_t, turn_t
from libc.stdint cimport int32_t, int64_t, uint8_t


cdef class Plans:
    cdef readonly int64_t blocks
    cdef int64_t movers, lanes
    cdef int32_t *starts  # [mover][block + 1], first entry of each block
    cdef int64_t **outcomes  # [mover] -> outcomes of all blocks in a row
    cdef float **chances  # [mover] -> [outcome of the same row][lane]
    cdef float *stays  # [mover][block][lane], chance that the mover ends the turn in the state in which he began it

    cdef bint keep(self, int64_t mover, int64_t entries, const int64_t *outcomes, const float *chances) noexcept nogil


cdef class Machine:
    cdef turn_t turn
    cdef outcomes_t outcomes
    cdef const exact_kernels_t *exact
    cdef const rough_kernels_t *rough
    cdef object arrays  # keeps the memory alive
    cdef int64_t waiters, movers, next_rows, first_end, most_total, stride
    cdef const int32_t *start_slot
    cdef const int32_t *highest
    cdef const int64_t *total_ptr
    cdef const uint8_t *modes

    cdef int64_t rows(self) noexcept nogil
    cdef check(self, layers, begin, end, values)
    cdef int64_t enter(self, Plans plans, int64_t mover, int64_t block, const float *stop_chances,
                       const float *end_chances, double least, int64_t *likely, float *chances) noexcept nogil
    cdef void relax_row(self, Plans plans, float sign, int64_t mover, int64_t block, const float *constants,
                        const float *layers, float *values) noexcept nogil
    cdef void spread(self, int64_t mover, int64_t first, float sign, bint kept, const int32_t *hit_ptr,
                     const int32_t *hit, const float *values, float *layers) noexcept nogil
    cdef void choose(self, const double *turn_values, const double *stops, const uint8_t *modes, int64_t highest,
                     int64_t lane, int64_t lanes, int64_t begin, int64_t end, const int32_t *gains,
                     const int32_t *following, double tie, double *value, int64_t *chosen,
                     uint8_t *stopped) noexcept nogil
