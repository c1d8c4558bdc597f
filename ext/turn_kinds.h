/* All kinds of rows for one set of INSTRUCTIONS with a REGISTER of so many bytes. */
#define KIND JOINED(exact_wide, INSTRUCTIONS)
#define REAL double
#define INTEGER int64_t
#define KERNELS_T exact_kernels_t
#define CHOICES_T exact_choices_t
#define WIDE 8
#include "turn_lanes.h"

#define KIND JOINED(exact_narrow, INSTRUCTIONS)
#define REAL double
#define INTEGER int64_t
#define KERNELS_T exact_kernels_t
#define CHOICES_T exact_choices_t
#define WIDE 1
#include "turn_lanes.h"

#define KIND JOINED(rough_wide, INSTRUCTIONS)
#define REAL float
#define INTEGER int32_t
#define KERNELS_T rough_kernels_t
#define CHOICES_T rough_choices_t
#define WIDE 8
#include "turn_lanes.h"

#define KIND JOINED(rough_narrow, INSTRUCTIONS)
#define REAL float
#define INTEGER int32_t
#define KERNELS_T rough_kernels_t
#define CHOICES_T rough_choices_t
#define WIDE 1
#include "turn_lanes.h"

static const kernels_t JOINED(kernels, INSTRUCTIONS) = {
    &JOINED(kernels, JOINED(exact_wide, INSTRUCTIONS)),
    &JOINED(kernels, JOINED(exact_narrow, INSTRUCTIONS)),
    &JOINED(kernels, JOINED(rough_wide, INSTRUCTIONS)),
    &JOINED(kernels, JOINED(rough_narrow, INSTRUCTIONS)),
};
#undef INSTRUCTIONS
#undef REGISTER
