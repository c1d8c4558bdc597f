/* One turn of a race game, for many match states at once.
 *
 * A turn state is (total, slot): the points gathered so far, counted in steps,
 * and what is thrown next.  Going down from the highest total that matters,
 *
 *     throw(t, s) = sum over rolls r of s  of  chance(r) * max over options o of r  of  value(t + gain(o), slot(o))
 *                 + sum over ends e        of  chance(s, e) * end(e)
 *     value(t, s) = max(stop(t, kind(s)), throw(t, s))     where stopping is allowed
 *
 * LANES match states share every index; only the values of stopping and of the
 * forced ends differ.  So a lane is a column and all arithmetic is on columns:
 *
 *     values[total][slot][lane]   stops[total][kind][lane]   ends[end][lane]
 *
 * This is C because Cython can state neither vector types nor copies of a
 * function per instruction set, of which the loader takes the best one.
 */
#ifndef KOSTI_TURN_H
#define KOSTI_TURN_H

#include <stdint.h>
#include <string.h>

#if !defined(__GNUC__)
#error "Kosti's kernels need GCC or Clang"
#endif

#define VECTOR 8               /* doubles in a vector */
#define WIDE 8                 /* vectors in a wide block */
#define LANES (VECTOR * WIDE)  /* lanes of a wide block */

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define DISPATCHED __attribute__((noinline, target_clones("avx512f", "arch=haswell", "default")))
#else
#define DISPATCHED __attribute__((noinline))
#endif
#define INLINED static inline __attribute__((always_inline))

typedef double vector_t __attribute__((vector_size(8 * VECTOR)));
typedef int64_t mask_t __attribute__((vector_size(8 * VECTOR)));

enum { MUST_THROW = 0, MAY_STOP = 1, TURN_ENDS = 2 };

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

INLINED vector_t spread(double x) { return (vector_t){0} + x; }

INLINED vector_t larger(vector_t a, vector_t b) {
    mask_t pick = a > b;
    return (vector_t)((pick & (mask_t)a) | (~pick & (mask_t)b));
}

INLINED vector_t smaller(vector_t a, vector_t b) {
    mask_t pick = a < b;
    return (vector_t)((pick & (mask_t)a) | (~pick & (mask_t)b));
}

/* Row of an option: totals above the highest one that matters count as that one. */
INLINED const vector_t *option_row(const turn_t *turn, const double *values, int32_t option, int32_t total,
                                   int32_t highest, int width) {
    const int32_t sum = total + turn->option_gain[option], to = sum < highest ? sum : highest;
    return (const vector_t *)values + ((int64_t)to * turn->slots + turn->option_slot[option]) * width;
}

/* Values of throwing in one slot at one total, left in sum[width]. */
INLINED void throw_values(const turn_t *turn, const double *values, const double *ends, int32_t total, int32_t highest,
                          int32_t slot, int width, vector_t *sum) {
    const double *end_chance = turn->end_chance + slot * turn->ends;
    const vector_t *end = (const vector_t *)ends;
    for (int v = 0; v < width; v++) sum[v] = end_chance[0] * end[v];
    for (int32_t e = 1; e < turn->ends; e++)
        for (int v = 0; v < width; v++) sum[v] += end_chance[e] * end[e * width + v];
    const int32_t choices = turn->choice_ptr[slot], rolls = turn->roll_ptr[slot + 1];
    int32_t roll = turn->roll_ptr[slot];
    int32_t option = turn->option_ptr[roll];
    const vector_t *here = (const vector_t *)values + (int64_t)total * turn->slots * width;
    for (; roll < choices && turn->option_gain[option] <= highest - total; roll++, option++) {
        const vector_t *row = here + (int64_t)turn->option_offset[option] * width;
        const double chance = turn->roll_chance[roll];
        for (int v = 0; v < width; v++) sum[v] += chance * row[v];
    }
    for (; roll < choices; roll++, option++) {
        const vector_t *row = option_row(turn, values, option, total, highest, width);
        const double chance = turn->roll_chance[roll];
        for (int v = 0; v < width; v++) sum[v] += chance * row[v];
    }
    for (; roll < rolls; roll++) {
        const int32_t first = turn->option_ptr[roll], last = turn->option_ptr[roll + 1];
        const vector_t *row = option_row(turn, values, first, total, highest, width);
        const double chance = turn->roll_chance[roll];
        vector_t best[WIDE];
        for (int v = 0; v < width; v++) best[v] = row[v];
        for (option = first + 1; option < last; option++) {
            row = option_row(turn, values, option, total, highest, width);
            for (int v = 0; v < width; v++) best[v] = larger(row[v], best[v]);
        }
        for (int v = 0; v < width; v++) sum[v] += chance * best[v];
    }
}

/* Below every solution of the highest total, so that iterating from here only rises. */
INLINED void lower_bound(const turn_t *turn, const double *stops, const double *ends, int mode, int width, vector_t *low) {
    const vector_t *end = (const vector_t *)ends, *stop = (const vector_t *)stops;
    for (int v = 0; v < width; v++) low[v] = end[v];
    for (int i = width; i < turn->ends * width; i++) low[i % width] = smaller(end[i], low[i % width]);
    if (mode == MAY_STOP)
        for (int i = 0; i < turn->stops * width; i++) low[i % width] = smaller(stop[i], low[i % width]);
    for (int v = 0; v < width; v++) {
        const vector_t size = larger(low[v], -low[v]);
        low[v] -= spread(1e-9) * (spread(1.0) + size);
    }
}

/* One total.  At the highest total a compulsory throw may lead back to the same
 * total; there the equations are iterated from below until nothing rises
 * (rounding keeps order, so this ends at a fixed point of the rounded equations).
 * LEAST_RISE is below the last digit of every value of interest. */
#define LEAST_RISE 1e-18
#define MOST_ITERATIONS 20000

INLINED void solve_total(const turn_t *turn, double *values, const double *stops, const double *ends, int32_t total,
                         int32_t highest, int mode, int width) {
    const int64_t row = (int64_t)width * VECTOR;
    const double *stop = stops + (int64_t)total * turn->stops * row;
    double *here = values + (int64_t)total * turn->slots * row;
    if (mode == TURN_ENDS || total == highest) {
        vector_t low[WIDE];
        lower_bound(turn, stop, ends, mode, width, low);
        for (int32_t s = 0; s < turn->slots; s++) {
            const vector_t *from = mode == TURN_ENDS ? (const vector_t *)(stop + kind_of(turn, s) * row) : low;
            for (int v = 0; v < width; v++) ((vector_t *)(here + s * row))[v] = from[v];
        }
        if (mode == TURN_ENDS) return;
    }
    for (int left = MOST_ITERATIONS, again = 1; again && left; left--) {
        mask_t changed = {0};
        for (int32_t s = 0; s < turn->slots; s++) {
            vector_t sum[WIDE];
            vector_t *out = (vector_t *)(here + s * row);
            const vector_t *stopped = (const vector_t *)(stop + kind_of(turn, s) * row);
            throw_values(turn, values, ends, total, highest, s, width, sum);
            if (mode == MAY_STOP && turn->stop_kind[s] >= turn->stops)
                for (int v = 0; v < width; v++) sum[v] = stopped[v];
            else if (mode == MAY_STOP && turn->stop_kind[s] >= 0)
                for (int v = 0; v < width; v++) sum[v] = larger(sum[v], stopped[v]);
            if (total == highest)
                for (int v = 0; v < width; v++) changed |= sum[v] - out[v] > spread(LEAST_RISE);
            for (int v = 0; v < width; v++) out[v] = sum[v];
        }
        again = 0;
        for (int i = 0; i < VECTOR; i++) again |= changed[i] != 0;
    }
}

/* The whole turn.  modes[total] is one of MUST_THROW, MAY_STOP, TURN_ENDS. */
DISPATCHED static void solve_turn(const turn_t *turn, double *values, const double *stops, const double *ends,
                                  const uint8_t *modes, int32_t highest, int width) {
    if (width == WIDE)
        for (int32_t t = highest; t >= 0; t--) solve_total(turn, values, stops, ends, t, highest, modes[t], WIDE);
    else
        for (int32_t t = highest; t >= 0; t--) solve_total(turn, values, stops, ends, t, highest, modes[t], 1);
}

INLINED int64_t scramble(int64_t key) { /* the finaliser of SplitMix64: one random-looking number per decision */
    uint64_t x = (uint64_t)key * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (int64_t)(x ^ (x >> 31));
}

/* A 64-bit fingerprint of each lane's best plan: plans with the same decisions at
 * all turn states marked in relevant[total][slot] have equal fingerprints.
 * fingerprints[lane] of a wide block. */
DISPATCHED static void fingerprint_turn(const turn_t *turn, const double *values, const double *stops,
                                        const uint8_t *modes, int32_t highest, const uint8_t *relevant,
                                        int64_t *fingerprints) {
    mask_t sum[WIDE] = {{0}};
    for (int32_t t = 0; t <= highest; t++) {
        if (modes[t] == TURN_ENDS) continue;
        for (int32_t s = 0; s < turn->slots; s++) {
            if (!relevant[t * turn->slots + s]) continue;
            const vector_t *value = (const vector_t *)values + ((int64_t)t * turn->slots + s) * WIDE;
            if (modes[t] == MAY_STOP && turn->stop_kind[s] >= 0) {
                const vector_t *stop = (const vector_t *)stops + ((int64_t)t * turn->stops + kind_of(turn, s)) * WIDE;
                const int64_t key = scramble(((int64_t)t * turn->slots + s) * 2);
                for (int v = 0; v < WIDE; v++) sum[v] += (value[v] == stop[v]) & key;
            }
            for (int32_t r = turn->choice_ptr[s]; r < turn->roll_ptr[s + 1]; r++) {
                const int32_t first = turn->option_ptr[r], last = turn->option_ptr[r + 1];
                vector_t best[WIDE];
                for (int v = 0; v < WIDE; v++) best[v] = option_row(turn, values, first, t, highest, WIDE)[v];
                for (int32_t o = first + 1; o < last; o++)
                    for (int v = 0; v < WIDE; v++)
                        best[v] = larger(option_row(turn, values, o, t, highest, WIDE)[v], best[v]);
                for (int32_t o = first; o < last; o++) {
                    const vector_t *row = option_row(turn, values, o, t, highest, WIDE);
                    const int64_t key = scramble((((int64_t)t << 32) + o) * 2 + 1);
                    for (int v = 0; v < WIDE; v++) sum[v] += (row[v] == best[v]) & key;
                }
            }
        }
    }
    for (int v = 0; v < WIDE; v++) ((mask_t *)fingerprints)[v] = sum[v];
}

/* Chances below this are dropped when plans are pushed forward. */
#define NEGLIGIBLE 1e-8

INLINED int any_above(const vector_t *mass, double least) {
    mask_t above = {0};
    for (int v = 0; v < WIDE; v++) above |= mass[v] > spread(least);
    int any = 0;
    for (int i = 0; i < VECTOR; i++) any |= above[i] != 0;
    return any;
}

/* One slot of push_turn.  Returns whether any chance stayed at the same total. */
INLINED int push_slot(const turn_t *turn, const double *values, const double *stops, int mode, int32_t total,
                      int32_t highest, int32_t slot, double *mass, double *stop_chances, double *end_chances) {
    const int64_t here = (int64_t)total * turn->slots + slot;
    const int64_t stop = (int64_t)total * turn->stops + kind_of(turn, slot);
    vector_t *from = (vector_t *)mass + here * WIDE, *stopped = (vector_t *)stop_chances + stop * WIDE;
    vector_t moving[WIDE];
    if (!any_above(from, NEGLIGIBLE)) return 0;
    for (int v = 0; v < WIDE; v++) {
        mask_t ends = {0};
        if (mode == TURN_ENDS)
            ends = ends - 1;
        else if (mode == MAY_STOP && turn->stop_kind[slot] >= 0)
            ends = ((const vector_t *)values)[here * WIDE + v] == ((const vector_t *)stops)[stop * WIDE + v];
        stopped[v] += (vector_t)(ends & (mask_t)from[v]);
        moving[v] = (vector_t)(~ends & (mask_t)from[v]);
        from[v] = spread(0.0);
    }
    if (!any_above(moving, NEGLIGIBLE)) return 0;
    for (int32_t e = 0; e < turn->ends; e++)
        for (int v = 0; v < WIDE; v++)
            ((vector_t *)end_chances)[e * WIDE + v] += turn->end_chance[slot * turn->ends + e] * moving[v];
    int32_t r = turn->roll_ptr[slot];
    for (int32_t o = turn->option_ptr[r]; r < turn->choice_ptr[slot]; r++, o++) {
        vector_t *to = (vector_t *)mass + (option_row(turn, values, o, total, highest, WIDE) - (const vector_t *)values);
        const double chance = turn->roll_chance[r];
        for (int v = 0; v < WIDE; v++) to[v] += chance * moving[v];
    }
    for (; r < turn->roll_ptr[slot + 1]; r++) {
        const int32_t first = turn->option_ptr[r], last = turn->option_ptr[r + 1];
        vector_t best[WIDE];
        mask_t open[WIDE];
        for (int v = 0; v < WIDE; v++) {
            best[v] = option_row(turn, values, first, total, highest, WIDE)[v];
            open[v] = (mask_t){0} - 1;
        }
        for (int32_t o = first + 1; o < last; o++)
            for (int v = 0; v < WIDE; v++)
                best[v] = larger(option_row(turn, values, o, total, highest, WIDE)[v], best[v]);
        for (int32_t o = first; o < last; o++) {
            const vector_t *row = option_row(turn, values, o, total, highest, WIDE);
            vector_t *to = (vector_t *)mass + (row - (const vector_t *)values);
            for (int v = 0; v < WIDE; v++) {
                const mask_t pick = open[v] & (row[v] == best[v]);
                to[v] += (vector_t)(pick & (mask_t)(turn->roll_chance[r] * moving[v]));
                open[v] &= ~pick;
            }
        }
    }
    return total == highest;
}

/* Push the best plans of a wide block forward: the chance of every way in which the turn can end.
 * stop_chances[total][kind][lane], end_chances[end][lane]; mass[total][slot][lane] is scratch. */
DISPATCHED static void push_turn(const turn_t *turn, const double *values, const double *stops, const uint8_t *modes,
                                 int32_t highest, int32_t start_slot, double *mass, double *stop_chances,
                                 double *end_chances) {
    const int64_t totals = (int64_t)highest + 1;
    memset(mass, 0, totals * turn->slots * LANES * sizeof(double));
    memset(stop_chances, 0, totals * turn->stops * LANES * sizeof(double));
    memset(end_chances, 0, turn->ends * LANES * sizeof(double));
    for (int lane = 0; lane < LANES; lane++) mass[(int64_t)start_slot * LANES + lane] = 1.0;
    for (int32_t t = 0; t <= highest; t++)
        for (int left = 1; left;) {
            left = 0;
            for (int32_t s = turn->slots - 1; s >= 0; s--)
                left |= push_slot(turn, values, stops, modes[t], t, highest, s, mass, stop_chances, end_chances);
        }
}

/* Chances of one outcome under the plan of each lane.  Not dispatched: on processors
 * of today the gather instructions of the wider sets are slower than plain loads. */
static __attribute__((noinline)) void pick_chances(const double *chances, const int32_t *plans, double *picked) {
    for (int i = 0; i < LANES; i++) picked[i] = chances[plans[i]];
}

/* sums[lane] += chances[lane] * values[lane], for a wide block. */
DISPATCHED static void add_expectation(const double *chances, const double *values, double *sums) {
    for (int i = 0; i < LANES; i++) sums[i] += chances[i] * values[i];
}
#endif
