/* The kernels of sheet.h, for each set of instructions.  One module alone includes this, ext/sheet.pyx, and hands them to
 * the others. */
#ifndef KOSTI_SHEET_KERNELS_H
#define KOSTI_SHEET_KERNELS_H

#include <math.h>
#include <string.h>

#include "sheet.h"

#define JOINED_AGAIN(a, b) a##_##b
#define JOINED(a, b) JOINED_AGAIN(a, b)

#define KIND basic
#define REGISTER 16
#include "sheet_lanes.h"

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define KIND avx2
#define REGISTER 32
#include "sheet_lanes.h"
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif
#define KIND avx512
#define REGISTER 64
#include "sheet_lanes.h"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

/* ``narrow`` for a single state: its other lanes would be for nothing. */
static const sheet_kernels_t *sheet_kernels_of_this_machine(int narrow) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (narrow) return &sheet_kernels_basic;
    if (__builtin_cpu_supports("avx512f")) return &sheet_kernels_avx512;
    if (__builtin_cpu_supports("avx2")) return &sheet_kernels_avx2;
#endif
    (void)narrow;
    return &sheet_kernels_basic;
}
#endif
