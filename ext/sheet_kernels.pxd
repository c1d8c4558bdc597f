"""What ``sheet.h`` offers."""
from libc.stdint cimport int16_t, int32_t, uint8_t

cdef extern from "sheet.h" nogil:
    enum:
        THROWS
        NODES
        WIDEST
    ctypedef struct lattice_t:
        const int16_t *larger
        const int32_t *smaller_ptr
        const int16_t *smaller
        const int32_t *within_ptr
        const int16_t *within
        const double *chance

    ctypedef struct offers_t:
        int32_t throws, kinds, candidates
        const int32_t *all_ptr
        const int32_t *all
        const int32_t *few_ptr
        const int32_t *few
        const int32_t *early_ptr
        const int32_t *early
        const uint8_t *forced
        int32_t leasts
        const int32_t *least

    ctypedef struct sheet_kernels_t:
        int32_t lanes
        void (*turn)(const lattice_t *lattice, const offers_t *offers, const double *candidates, int32_t made,
                     double *nodes) noexcept nogil
        void (*plan)(const lattice_t *lattice, const offers_t *offers, const double *candidates, double *scratch,
                     double *chances) noexcept nogil
