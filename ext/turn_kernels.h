/* All kernels of turn.h, for each set of instructions.  That takes long to compile, so one module alone includes this,
 * ext/turn.pyx, and hands them to the others. */
#ifndef KOSTI_TURN_KERNELS_H
#define KOSTI_TURN_KERNELS_H

#include <string.h>

#include "turn.h"

#define LEAST_RISE 1e-18      /* below the last digit of every value of interest */
#define MOST_ITERATIONS 20000 /* at the highest total of a turn */

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

static const kernels_t *widest_kernels(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return &kernels_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &kernels_avx2;
#endif
    return &kernels_basic;
}
#endif
