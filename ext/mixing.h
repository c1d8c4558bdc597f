/* Row operations of Anderson's mixing, see solver/race/mixing.py.  They read a few long arrays once, so memory bounds
 * them, if they are compiled for wide registers: where the compiler and the C library can, a version for the machine is
 * chosen when the module is loaded. */
#ifndef KOSTI_MIXING_H
#define KOSTI_MIXING_H

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GLIBC__) && (!defined(__clang__) || __clang_major__ >= 14)
#define FOR_THIS_MACHINE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_THIS_MACHINE
#endif

#define TOGETHER 16 /* numbers that are worked on side by side; the rest of a row is a shorter step */
#define STEP static inline __attribute__((always_inline)) void

STEP change_some(const float *before, const float *found, int64_t numbers, float *change, float *result,
                 float *largest) {
    for (int64_t i = 0; i < numbers; i++) {
        const float moved = found[i] - before[i], size = moved < 0 ? -moved : moved;
        change[i] = moved;
        result[i] = found[i];
        largest[i] = size > largest[i] ? size : largest[i];
    }
}

/* change = found - before, result = found; returns the largest change, leaving out what is no number. */
FOR_THIS_MACHINE static float take_change(const float *before, const float *found, int64_t length, float *change,
                                          float *result) {
    float largest[TOGETHER] = {0};
    int64_t j = 0;
    for (; j + TOGETHER <= length; j += TOGETHER)
        change_some(before + j, found + j, TOGETHER, change + j, result + j, largest);
    change_some(before + j, found + j, length - j, change + j, result + j, largest);
    for (int i = 1; i < TOGETHER; i++) largest[0] = largest[i] > largest[0] ? largest[i] : largest[0];
    return largest[0];
}

STEP multiply_some(const float *one, const float *other, int64_t numbers, double *sums) {
    for (int64_t i = 0; i < numbers; i++) sums[i] += (double)one[i] * (double)other[i];
}

FOR_THIS_MACHINE static double product(const float *one, const float *other, int64_t length) {
    double sums[TOGETHER] = {0};
    int64_t j = 0;
    for (; j + TOGETHER <= length; j += TOGETHER) multiply_some(one + j, other + j, TOGETHER, sums);
    multiply_some(one + j, other + j, length - j, sums);
    for (int i = 1; i < TOGETHER; i++) sums[0] += sums[i];
    return sums[0];
}

STEP mix_some(const float *result, int64_t count, const float *weights, const float *const *later,
              const float *const *earlier, int64_t first, int64_t numbers, float *found, float *before) {
    float sums[TOGETHER];
    for (int64_t i = 0; i < numbers; i++) sums[i] = result[first + i];
    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < numbers; i++) sums[i] -= weights[k] * (later[k][first + i] - earlier[k][first + i]);
    memcpy(found + first, sums, numbers * sizeof *sums);
    memcpy(before + first, sums, numbers * sizeof *sums);
}

/* found = result - sum over k of weights[k] * (later[k] - earlier[k]), and before = found */
FOR_THIS_MACHINE static void mix_row(const float *result, int64_t count, const float *weights,
                                     const float *const *later, const float *const *earlier, int64_t length,
                                     float *found, float *before) {
    int64_t j = 0;
    for (; j + TOGETHER <= length; j += TOGETHER)
        mix_some(result, count, weights, later, earlier, j, TOGETHER, found, before);
    mix_some(result, count, weights, later, earlier, j, length - j, found, before);
}
#endif
