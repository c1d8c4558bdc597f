/* What the arithmetic units and the memory of a machine can do; compiled and timed by limits.py.
 * REGISTER is the width of a vector register in bytes. */
#include <stdint.h>

#define SUMS 12 /* independent sums: more than latency times units, fewer than registers */
#define ROW 8   /* registers in a row, as in ext/turn_lanes.h */

#define DEFINE(real)                                                                                                  \
    typedef real real##_vector __attribute__((vector_size(REGISTER)));                                                \
    /* rounds * SUMS multiply-adds of registers, nothing from memory */                                               \
    real peak_##real(int64_t rounds, real factor) {                                                                   \
        real##_vector sums[SUMS];                                                                                     \
        for (int i = 0; i < SUMS; i++) sums[i] = (real##_vector){0} + (real)i;                                        \
        while (rounds--)                                                                                              \
            for (int i = 0; i < SUMS; i++) sums[i] = sums[i] * factor + factor;                                       \
        for (int i = 1; i < SUMS; i++) sums[0] += sums[i];                                                            \
        return sums[0][0];                                                                                            \
    }                                                                                                                 \
    /* rounds * count * ROW of them, each with one register read from rows that follow one another */                 \
    real fed_##real(int64_t rounds, real factor, const real *from, int64_t count) {                                   \
        real##_vector sums[ROW];                                                                                      \
        for (int i = 0; i < ROW; i++) sums[i] = (real##_vector){0};                                                   \
        while (rounds--)                                                                                              \
            for (int64_t row = 0; row < count; row++)                                                                 \
                for (int i = 0; i < ROW; i++) sums[i] += factor * ((const real##_vector *)from)[row * ROW + i];       \
        for (int i = 1; i < ROW; i++) sums[0] += sums[i];                                                             \
        return sums[0][0];                                                                                            \
    }
DEFINE(double)
DEFINE(float)

void triad(double *restrict to, const double *restrict one, const double *restrict other, double factor,
           int64_t count) {
    for (int64_t i = 0; i < count; i++) to[i] = one[i] + factor * other[i];
}
