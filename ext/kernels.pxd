"""What ``turn.h`` offers, declared once for all modules."""
from libc.stdint cimport int32_t, int64_t, uint8_t
from memory cimport posix_memalign  # noqa: F401 (for all that cimport from here)

cdef extern from "turn.h" nogil:
    enum:
        MUST_THROW
        MAY_STOP
        TURN_ENDS
        MIXED
    ctypedef struct turn_t:
        int32_t slots, stops, ends
        const int32_t *roll_ptr
        const double *roll_chance
        const int32_t *choice_ptr
        const int32_t *option_ptr
        const int32_t *option_gain
        const int32_t *option_slot
        const int32_t *option_offset
        const double *end_chance
        const int32_t *stop_kind

    ctypedef struct outcomes_t:
        int64_t attacks, stride, layer_size
        const int32_t *layer
        const int32_t *row
        const int32_t *low
        const int32_t *high

    ctypedef struct exact_choices_t:
        const double *values
        const double *stops
        const uint8_t *forced

    ctypedef struct rough_choices_t:
        const float *values
        const float *stops
        const uint8_t *forced

    ctypedef struct exact_kernels_t:
        int32_t lanes
        void (*gather)(const outcomes_t *outcomes, const double *layers, int64_t outcome, int64_t count, int64_t first,
                       const double *base, double *blocks) noexcept nogil
        void (*solve)(const turn_t *turn, double *values, const double *stops, const double *ends,
                      const uint8_t *modes, int32_t highest) noexcept nogil
        void (*solve_mixed)(const turn_t *turn, double *values, const double *stops, const double *ends,
                            const uint8_t *modes, int32_t highest, const uint8_t *mixed) noexcept nogil
        void (*follow)(const turn_t *turn, double *values, const double *stops, const double *ends,
                       const uint8_t *modes, int32_t highest, const exact_choices_t *by) noexcept nogil

    ctypedef struct rough_kernels_t:
        int32_t lanes
        void (*gather)(const outcomes_t *outcomes, const double *layers, int64_t outcome, int64_t count, int64_t first,
                       const double *base, float *blocks) noexcept nogil
        void (*solve)(const turn_t *turn, float *values, const float *stops, const float *ends,
                      const uint8_t *modes, int32_t highest) noexcept nogil
        void (*follow)(const turn_t *turn, float *values, const float *stops, const float *ends,
                       const uint8_t *modes, int32_t highest, const rough_choices_t *by) noexcept nogil
        void (*push)(const turn_t *turn, const rough_choices_t *by, const uint8_t *modes, int32_t highest,
                     int32_t start_slot, double negligible, float *mass, float *stop_chances,
                     float *end_chances) noexcept nogil
        int64_t (*merge)(const float *chances, int64_t count, int64_t stride, double least, int64_t *likely,
                         float *merged) noexcept nogil
        void (*expect)(const outcomes_t *outcomes, const float *layers, const int64_t *likely, const float *chances,
                       int64_t count, int64_t first, float *sums) noexcept nogil
        void (*onward)(const outcomes_t *outcomes, float *layers, const int64_t *likely, const float *chances,
                       int64_t count, int64_t first, const float *mass) noexcept nogil

    ctypedef struct kernels_t:
        const exact_kernels_t *exact_wide
        const exact_kernels_t *exact_narrow
        const rough_kernels_t *rough_wide
        const rough_kernels_t *rough_narrow

    int64_t capped_integers(const turn_t *turn, int32_t lefts)
    int64_t capped_chances(const turn_t *turn, int32_t lefts)
    void cap_totals(turn_t *turn, int32_t lefts, int32_t *integers, double *chances)
