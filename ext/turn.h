/* One turn of a race game, for many match states at once.
 *
 * A turn state is (total, slot): the points gathered so far, counted in steps,
 * and what is thrown next.  Going down from the highest total that matters,
 *
 *     throw(t, s) = sum over rolls r of s  of  chance(r) * max over options o of r  of  value(t + gain(o), slot(o))
 *                 + sum over ends e        of  chance(s, e) * end(e)
 *     value(t, s) = max(stop(t, kind(s)), throw(t, s))     where stopping is allowed
 *
 * A block of match states shares every index; only the values of stopping and of
 * the forced ends differ.  So a match state is a lane, a column of the block, and
 * all arithmetic is on whole rows:
 *
 *     values[total][slot][lane]   stops[total][kind][lane]   ends[end][lane]
 *
 * A row is eight registers of the processor wide: enough independent sums to hide
 * the latency of an addition.  So the kernels of turn_lanes.h are compiled once for
 * each set of instructions, and kernels_of_this_machine() takes the widest that the
 * processor has.  This is C because Cython can state neither vector types nor
 * instruction sets.
 */
#ifndef KOSTI_TURN_H
#define KOSTI_TURN_H

#include <stdint.h>
#include <string.h>

#if !defined(__GNUC__)
#error "Kosti's kernels need GCC or Clang"
#endif


#define LEAST_RISE 1e-18      /* below the last digit of every value of interest */
#define MOST_ITERATIONS 20000 /* at the highest total of a turn */

#define INLINED static inline __attribute__((always_inline))

enum { MUST_THROW = 0, MAY_STOP = 1, TURN_ENDS = 2, MIXED = 4 };
enum { THROWS = 0, STOPS = 1, FREE = 2 };

typedef struct {
    int32_t slots;               /* in an order in which options that add nothing lead to earlier slots */
    int32_t stops;               /* kinds of stop */
    int32_t ends;                /* kinds of forced end: a bust, an instant win, ... */
    const int32_t *roll_ptr;     /* [slots + 1] */
    const double *roll_chance;   /* [rolls] */
    const int32_t *choice_ptr;   /* [slots], first roll with a choice: those come last, the others in order of gain */
    const int32_t *option_ptr;   /* [rolls + 1] */
    const int32_t *option_gain;  /* [options], steps */
    const int32_t *option_slot;  /* [options] */
    const int32_t *option_offset;/* [options], gain * slots + slot: rows from the start of a total */
    const double *end_chance;    /* [slots][ends] */
    const int32_t *stop_kind;    /* [slots], a kind k of stop; -1 - k where stopping is never allowed, and stops + k
                                    where a stop must be made as soon as the total allows it */
} turn_t;

/* The kind of stop that belongs to a slot, whether or not it may be made there. */
INLINED int32_t kind_of(const turn_t *turn, int32_t slot) {
    const int32_t kind = turn->stop_kind[slot];
    return kind < 0 ? -1 - kind : kind % turn->stops;
}

/* The ends of turns of a whole match, as solver.race.model numbers them. */
typedef struct {
    int64_t attacks, stride, layer_size; /* layers[layer][next state][waiter] of stride waiters */
    const int32_t *layer, *row;          /* [outcomes] */
    const int32_t *low, *high;           /* [outcomes][attacks], the waiters hit */
} outcomes_t;

/* The choices of a fixed plan.  Options are chosen by ``values``, those of the turn as the plan's maker sees it; where
 * the turn may be stopped, it is if ``forced`` says STOPS, or if it is FREE to and the value is that of stopping.
 * A turn that is given its own values here is played best, but for what is forced. */
#define CHOICES_OF(real)                                                                                              \
    struct {                                                                                                          \
        const real *values, *stops; /* [total][slot][lane], [total][kind][lane] */                                    \
        const uint8_t *forced;      /* [total][slot][lane], or NULL where all is free */                              \
    }
typedef CHOICES_OF(double) exact_choices_t;
typedef CHOICES_OF(float) rough_choices_t;

/* The kernels for one kind of row; what each does is told in turn_lanes.h. */
#define KERNELS_FOR(real, choices)                                                                                    \
    struct {                                                                                                          \
        int32_t lanes;                                                                                                \
        void (*gather)(const outcomes_t *outcomes, const double *layers, int64_t outcome, int64_t count,              \
                       int64_t first, const double *base, real *blocks);                                              \
        void (*solve)(const turn_t *turn, real *values, const real *stops, const real *ends, const uint8_t *modes,    \
                      int32_t highest);                                                                               \
        void (*solve_mixed)(const turn_t *turn, real *values, const real *stops, const real *ends,                    \
                            const uint8_t *modes, int32_t highest, const uint8_t *mixed);                             \
        void (*follow)(const turn_t *turn, real *values, const real *stops, const real *ends, const uint8_t *modes,   \
                       int32_t highest, const choices *by);                                                           \
        void (*push)(const turn_t *turn, const choices *by, const uint8_t *modes, int32_t highest,                    \
                     int32_t start_slot, double negligible, real *mass, real *stop_chances, real *end_chances);       \
        int64_t (*merge)(const real *chances, int64_t count, int64_t stride, double least, int64_t *likely,           \
                         real *merged);                                                                               \
        void (*expect)(const outcomes_t *outcomes, const real *layers, const int64_t *likely, const real *chances,    \
                       int64_t count, int64_t first, real *sums);                                                     \
        void (*onward)(const outcomes_t *outcomes, real *layers, const int64_t *likely, const real *chances,          \
                       int64_t count, int64_t first, const real *mass);                                               \
    }
typedef KERNELS_FOR(double, exact_choices_t) exact_kernels_t;
typedef KERNELS_FOR(float, rough_choices_t) rough_kernels_t;

typedef struct {
    const exact_kernels_t *exact_wide, *exact_narrow; /* double precision: what values are proven with */
    const rough_kernels_t *rough_wide, *rough_narrow; /* single precision: what they are found with */
} kernels_t;

#define JOINED_AGAIN(a, b) a##_##b
#define JOINED(a, b) JOINED_AGAIN(a, b)

#define INSTRUCTIONS basic
#define REGISTER 16
#include "turn_kinds.h"

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
#define INSTRUCTIONS avx2
#define REGISTER 32
#include "turn_kinds.h"
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,fma"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,fma")
#endif
#define INSTRUCTIONS avx512
#define REGISTER 64
#include "turn_kinds.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

static const kernels_t *kernels_of_this_machine(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return &kernels_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &kernels_avx2;
#endif
    return &kernels_basic;
}
#endif
