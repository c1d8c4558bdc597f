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
 * each set of instructions, by turn_kernels.h, which takes the widest that the
 * processor has.  This is C because Cython can state neither vector types nor
 * instruction sets.
 */
#ifndef KOSTI_TURN_H
#define KOSTI_TURN_H

#include <stdint.h>

#if !defined(__GNUC__)
#error "Kosti's kernels need GCC or Clang"
#endif

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
    int32_t lefts;               /* columns of the next two, one for each number of steps up to the highest total */
    const int32_t *beyond;       /* [slots][lefts], the first roll that leaves a choice or adds more than so many steps */
    const int32_t *capped;       /* [slots][lefts], number of slots to which such rolls without a choice lead */
    const int32_t *capped_ptr;   /* [slots + 1] */
    const int32_t *capped_slot;  /* these slots; those of the largest gain come first, so ``capped`` counts the first */
    const double *capped_chance; /* from lefts * capped_ptr[slot] on [lefts][its slots], with what chance */
} turn_t;

/* At least the sum, over all slots, of the numbers of slots to which rolls without a choice lead. */
static inline int64_t capped_slots(const turn_t *turn) {
    int64_t sum = 0;
    for (int32_t s = 0; s < turn->slots; s++) {
        const int32_t rolls = turn->choice_ptr[s] - turn->roll_ptr[s];
        sum += rolls < turn->slots ? rolls : turn->slots;
    }
    return sum;
}

/* Numbers that cap_totals writes. */
static inline int64_t capped_integers(const turn_t *turn, int32_t lefts) {
    return turn->slots * (2 * (int64_t)lefts + 2) + 1 + capped_slots(turn);
}

static inline int64_t capped_chances(const turn_t *turn, int32_t lefts) { return capped_slots(turn) * lefts; }

/* Totals above the highest one that matters count as that one.  So all rolls without a choice that would lead beyond it
 * and to the same slot are as good as one roll, with all their chance.  Fills these in; the memory is that of
 * capped_integers and capped_chances numbers. */
static inline void cap_totals(turn_t *turn, int32_t lefts, int32_t *integers, double *chances) {
    int32_t *beyond = integers, *capped = beyond + (int64_t)turn->slots * lefts;
    int32_t *ptr = capped + (int64_t)turn->slots * lefts, *place = ptr + turn->slots + 1, *to = place + turn->slots;
    turn->lefts = lefts;
    turn->beyond = beyond, turn->capped = capped;
    turn->capped_ptr = ptr, turn->capped_slot = to, turn->capped_chance = chances;
    ptr[0] = 0;
    for (int32_t s = 0; s < turn->slots; s++) {
        const int32_t first = turn->roll_ptr[s], last = turn->choice_ptr[s];
        int32_t count = 0, roll = last, known = 0;
        for (int32_t i = 0; i < turn->slots; i++) place[i] = -1;
        while (roll > first) {
            const int32_t slot = turn->option_slot[turn->option_ptr[--roll]];
            if (place[slot] < 0) {
                to[ptr[s] + count] = slot;
                place[slot] = count++;
            }
        }
        ptr[s + 1] = ptr[s] + count;
        double *chance = chances + (int64_t)lefts * ptr[s] + (int64_t)(lefts - 1) * count;
        for (int32_t i = 0; i < count; i++) chance[i] = 0;
        roll = last;
        for (int32_t left = lefts - 1; left >= 0; left--, chance -= count) {
            while (roll > first && turn->option_gain[turn->option_ptr[roll - 1]] > left) {
                const int32_t at = place[turn->option_slot[turn->option_ptr[--roll]]];
                chance[at] += turn->roll_chance[roll];
                if (at >= known) known = at + 1;
            }
            beyond[(int64_t)s * lefts + left] = roll;
            capped[(int64_t)s * lefts + left] = known;
            if (left)
                for (int32_t i = 0; i < count; i++) chance[i - count] = chance[i];
        }
    }
}

/* The chances of the rolls of a slot that add more than so many steps, by the slots to which they lead. */
INLINED const double *capped_chances_of(const turn_t *turn, int32_t slot, int32_t left) {
    const int64_t count = turn->capped_ptr[slot + 1] - turn->capped_ptr[slot];
    return turn->capped_chance + (int64_t)turn->lefts * turn->capped_ptr[slot] + left * count;
}

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

#endif
