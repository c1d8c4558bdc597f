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

#define TOGETHER 16 /* numbers that are worked on side by side; rows are a multiple of it long */

/* change = found - before, result = found; returns the largest change, leaving out what is no number. */
FOR_THIS_MACHINE static float take_change(const float *before, const float *found, int64_t length, float *change,
                                          float *result) {
    float largest[TOGETHER] = {0};
    for (int64_t j = 0; j < length; j += TOGETHER)
        for (int i = 0; i < TOGETHER; i++) {
            const float moved = found[j + i] - before[j + i], size = moved < 0 ? -moved : moved;
            change[j + i] = moved;
            result[j + i] = found[j + i];
            largest[i] = size > largest[i] ? size : largest[i];
        }
    for (int i = 1; i < TOGETHER; i++) largest[0] = largest[i] > largest[0] ? largest[i] : largest[0];
    return largest[0];
}

FOR_THIS_MACHINE static double product(const float *one, const float *other, int64_t length) {
    double sums[TOGETHER] = {0};
    for (int64_t j = 0; j < length; j += TOGETHER)
        for (int i = 0; i < TOGETHER; i++) sums[i] += (double)one[j + i] * (double)other[j + i];
    for (int i = 1; i < TOGETHER; i++) sums[0] += sums[i];
    return sums[0];
}

/* found = result - sum over k of weights[k] * (later[k] - earlier[k]), and before = found */
FOR_THIS_MACHINE static void mix_row(const float *result, int64_t count, const float *weights,
                                     const float *const *later, const float *const *earlier, int64_t length,
                                     float *found, float *before) {
    for (int64_t j = 0; j < length; j += TOGETHER) {
        float sums[TOGETHER];
        for (int i = 0; i < TOGETHER; i++) sums[i] = result[j + i];
        for (int64_t k = 0; k < count; k++)
            for (int i = 0; i < TOGETHER; i++) sums[i] -= weights[k] * (later[k][j + i] - earlier[k][j + i]);
        memcpy(found + j, sums, sizeof sums);
        memcpy(before + j, sums, sizeof sums);
    }
}
#endif
