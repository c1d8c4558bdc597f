/* The kernels of turn.h for one kind of row: included once for each set of
 * instructions, kind of number and width, with
 *
 *     KIND       a name for it all, which every name here gets appended
 *     REAL       double or float, and INTEGER an integer of its size
 *     REGISTER   bytes of a vector register
 *     WIDE       registers in a row
 *     KERNELS_T  the type of all kernels of the kind, and CHOICES_T that of the choices that they follow
 */
#define VECTOR ((int)(REGISTER / sizeof(REAL)))
#define LANES (VECTOR * WIDE)
#define KINDED(name) JOINED(name, KIND)
#define vector_t KINDED(vector_t)
#define anywhere_t KINDED(anywhere_t)
#define mask_t KINDED(mask_t)
#define spread KINDED(spread)
#define larger KINDED(larger)
#define smaller KINDED(smaller)
#define option_row KINDED(option_row)
#define throw_values KINDED(throw_values)
#define lower_bound KINDED(lower_bound)
#define solve_total KINDED(solve_total)
#define solve KINDED(solve)
#define solve_mixed KINDED(solve_mixed)
#define any_above KINDED(any_above)
#define stopping KINDED(stopping)
#define follow_stops KINDED(follow_stops)
#define follow KINDED(follow)
#define onward KINDED(onward)
#define push_slot KINDED(push_slot)
#define push_turn KINDED(push_turn)
#define push KINDED(push)
#define merge KINDED(merge)
#define is_hit KINDED(is_hit)
#define gather KINDED(gather)
#define expect KINDED(expect)
#define gather_doubles KINDED(gather_doubles)
#define gather_reals KINDED(gather_reals)

typedef REAL vector_t __attribute__((vector_size(REGISTER)));
typedef REAL anywhere_t __attribute__((vector_size(REGISTER), aligned(sizeof(REAL))));
typedef INTEGER mask_t __attribute__((vector_size(REGISTER)));

INLINED vector_t spread(REAL x) { return (vector_t){0} + x; }

INLINED vector_t larger(vector_t a, vector_t b) {
    for (int i = 0; i < VECTOR; i++) a[i] = a[i] > b[i] ? a[i] : b[i];
    return a;
}

INLINED vector_t smaller(vector_t a, vector_t b) {
    for (int i = 0; i < VECTOR; i++) a[i] = a[i] < b[i] ? a[i] : b[i];
    return a;
}

/* Row of an option: totals above the highest one that matters count as that one. */
INLINED const vector_t *option_row(const turn_t *turn, const REAL *values, int32_t option, int32_t total,
                                   int32_t highest) {
    const int32_t sum = total + turn->option_gain[option], to = sum < highest ? sum : highest;
    return (const vector_t *)values + ((int64_t)to * turn->slots + turn->option_slot[option]) * WIDE;
}

/* The lanes in which a stop ends the turn: all, or none, or where it is forced, or where the turn is thought to be worth
 * what stopping is. */
INLINED mask_t stopping(const turn_t *turn, int mode, int32_t slot, vector_t thought, vector_t stop,
                        const uint8_t *forced) {
    const int32_t kind = turn->stop_kind[slot];
    mask_t ends = {0};
    if (mode == TURN_ENDS || (mode == MAY_STOP && kind >= turn->stops)) return ends - 1;
    if (mode == MUST_THROW || kind < 0) return ends;
    ends = thought == stop;
    if (forced)
        for (int i = 0; i < VECTOR; i++) ends[i] = forced[i] == FREE ? ends[i] : -(INTEGER)forced[i];
    return ends;
}

/* Values of throwing in one slot at one total, left in sum.  Where a roll leaves a choice, the option is taken that
 * ``by`` thinks most of; without that, the one with the largest value. */
INLINED void throw_values(const turn_t *turn, const REAL *values, const REAL *ends, int32_t total, int32_t highest,
                          int32_t slot, const REAL *by, vector_t *sum) {
    const vector_t *end = (const vector_t *)ends;
    for (int v = 0; v < WIDE; v++) sum[v] = (REAL)turn->end_chance[slot * turn->ends] * end[v];
    for (int32_t e = 1; e < turn->ends; e++) {
        const REAL chance = (REAL)turn->end_chance[slot * turn->ends + e];
        for (int v = 0; v < WIDE; v++) sum[v] += chance * end[e * WIDE + v];
    }
    const int32_t choices = turn->choice_ptr[slot], rolls = turn->roll_ptr[slot + 1];
    const int64_t left = (int64_t)slot * turn->lefts + highest - total;
    const int32_t beyond = turn->beyond[left], roll = turn->roll_ptr[slot];
    const vector_t *here = (const vector_t *)values + (int64_t)total * turn->slots * WIDE;
    /* Most of the time is spent in this loop, so nothing is tested in it. */
    const int32_t *offset = turn->option_offset + turn->option_ptr[roll];
    for (const double *likely = turn->roll_chance + roll; likely < turn->roll_chance + beyond; likely++, offset++) {
        const vector_t *row = here + (int64_t)*offset * WIDE;
        const REAL chance = (REAL)*likely;
        for (int v = 0; v < WIDE; v++) sum[v] += chance * row[v];
    }
    const double *capped = capped_chances_of(turn, slot, highest - total);
    const int32_t *to = turn->capped_slot + turn->capped_ptr[slot];
    here = (const vector_t *)values + (int64_t)highest * turn->slots * WIDE;
    for (int32_t i = 0; i < turn->capped[left]; i++) {
        const vector_t *row = here + to[i] * WIDE;
        const REAL chance = (REAL)capped[i];
        for (int v = 0; v < WIDE; v++) sum[v] += chance * row[v];
    }
    for (int32_t choice = choices; choice < rolls; choice++) {
        const int32_t first = turn->option_ptr[choice], last = turn->option_ptr[choice + 1];
        const vector_t *row = option_row(turn, values, first, total, highest);
        const REAL chance = (REAL)turn->roll_chance[choice];
        vector_t best[WIDE], most[WIDE];
        for (int v = 0; v < WIDE; v++) best[v] = row[v];
        for (int v = 0; v < WIDE; v++) most[v] = by ? option_row(turn, by, first, total, highest)[v] : row[v];
        for (int32_t option = first + 1; option < last; option++) {
            row = option_row(turn, values, option, total, highest);
            if (by) {
                const vector_t *liked = option_row(turn, by, option, total, highest);
                for (int v = 0; v < WIDE; v++) {
                    const mask_t more = liked[v] > most[v];
                    best[v] = (vector_t)((more & (mask_t)row[v]) | (~more & (mask_t)best[v]));
                    most[v] = larger(liked[v], most[v]);
                }
            } else
                for (int v = 0; v < WIDE; v++) best[v] = larger(row[v], best[v]);
        }
        for (int v = 0; v < WIDE; v++) sum[v] += chance * best[v];
    }
}

/* Below every solution of the highest total, so that iterating from here only rises. */
INLINED void lower_bound(const turn_t *turn, const REAL *stops, const REAL *ends, int mode, vector_t *low) {
    const vector_t *end = (const vector_t *)ends, *stop = (const vector_t *)stops;
    for (int v = 0; v < WIDE; v++) low[v] = end[v];
    for (int i = WIDE; i < turn->ends * WIDE; i++) low[i % WIDE] = smaller(end[i], low[i % WIDE]);
    if (mode == MAY_STOP)
        for (int i = 0; i < turn->stops * WIDE; i++) low[i % WIDE] = smaller(stop[i], low[i % WIDE]);
    for (int v = 0; v < WIDE; v++) {
        const vector_t size = larger(low[v], -low[v]);
        low[v] -= spread((REAL)1e-9) * (spread(1) + size);
    }
}

/* What a slot is worth by a fixed plan, if sum is what a throw is worth there. */
INLINED void follow_stops(const turn_t *turn, const REAL *values, const CHOICES_T *by, int mode, int32_t total,
                          int32_t slot, const vector_t *stopped, vector_t *sum) {
    const int64_t here = (int64_t)total * turn->slots + slot;
    const int64_t stop = (int64_t)total * turn->stops + kind_of(turn, slot);
    for (int v = 0; v < WIDE; v++) {
        /* Who has no plan to follow takes the better choice, where none is forced. */
        const vector_t thought =
            by->values == values ? larger(sum[v], stopped[v]) : ((const vector_t *)by->values)[here * WIDE + v];
        const mask_t ends = stopping(turn, mode, slot, thought, ((const vector_t *)by->stops)[stop * WIDE + v],
                                     by->forced ? by->forced + here * LANES + v * VECTOR : NULL);
        sum[v] = (vector_t)((ends & (mask_t)stopped[v]) | (~ends & (mask_t)sum[v]));
    }
}

/* One total.  At the highest total a compulsory throw may lead back to the same
 * total; there the equations are iterated from below until nothing rises
 * (rounding keeps order, so this ends at a fixed point of the rounded equations).
 * Lanes may have modes of their own, mixed[lane], or follow a fixed plan. */
INLINED void solve_total(const turn_t *turn, REAL *values, const REAL *stops, const REAL *ends, int32_t total,
                         int32_t highest, int mode, const uint8_t *mixed, const CHOICES_T *by) {
    const REAL *stop = stops + (int64_t)total * turn->stops * LANES;
    REAL *here = values + (int64_t)total * turn->slots * LANES;
    if (mode == TURN_ENDS || total == highest) {
        vector_t low[WIDE];
        lower_bound(turn, stop, ends, mode, low);
        for (int32_t s = 0; s < turn->slots; s++) {
            const vector_t *from = mode == TURN_ENDS ? (const vector_t *)(stop + kind_of(turn, s) * LANES) : low;
            for (int v = 0; v < WIDE; v++) ((vector_t *)(here + s * LANES))[v] = from[v];
        }
        if (mode == TURN_ENDS) return;
    }
    for (int left = MOST_ITERATIONS, again = 1; again && left; left--) {
        mask_t changed = {0};
        for (int32_t s = 0; s < turn->slots; s++) {
            vector_t sum[WIDE];
            vector_t *out = (vector_t *)(here + s * LANES);
            const vector_t *stopped = (const vector_t *)(stop + kind_of(turn, s) * LANES);
            throw_values(turn, values, ends, total, highest, s, by ? by->values : NULL, sum);
            vector_t thrown[WIDE];
            if (mixed)
                for (int v = 0; v < WIDE; v++) thrown[v] = sum[v];
            if (by)
                follow_stops(turn, values, by, mode, total, s, stopped, sum);
            else if (mode == MAY_STOP && turn->stop_kind[s] >= turn->stops)
                for (int v = 0; v < WIDE; v++) sum[v] = stopped[v];
            else if (mode == MAY_STOP && turn->stop_kind[s] >= 0)
                for (int v = 0; v < WIDE; v++) sum[v] = larger(sum[v], stopped[v]);
            if (mixed)
                for (int i = 0; i < LANES; i++)
                    if (mixed[i] != MAY_STOP)
                        ((REAL *)sum)[i] = mixed[i] == TURN_ENDS ? ((const REAL *)stopped)[i] : ((REAL *)thrown)[i];
            if (total == highest)
                for (int v = 0; v < WIDE; v++) changed |= sum[v] - out[v] > spread((REAL)LEAST_RISE);
            for (int v = 0; v < WIDE; v++) out[v] = sum[v];
        }
        again = 0;
        for (int i = 0; i < VECTOR; i++) again |= changed[i] != 0;
    }
}

/* The whole turn, played best.  modes[total] is one of MUST_THROW, MAY_STOP, TURN_ENDS. */
static void solve(const turn_t *turn, REAL *values, const REAL *stops, const REAL *ends, const uint8_t *modes,
                  int32_t highest) {
    for (int32_t t = highest; t >= 0; t--) solve_total(turn, values, stops, ends, t, highest, modes[t], NULL, NULL);
}

/* The whole turn of lanes that do not agree on their modes.  Where that matters, modes[total] has MIXED beside MAY_STOP,
 * and mixed[total][lane] are the modes; lanes that must throw have stops that nobody wants. */
static void solve_mixed(const turn_t *turn, REAL *values, const REAL *stops, const REAL *ends, const uint8_t *modes,
                        int32_t highest, const uint8_t *mixed) {
    for (int32_t t = highest; t >= 0; t--)
        if (modes[t] & MIXED)
            solve_total(turn, values, stops, ends, t, highest, MAY_STOP, mixed + (int64_t)t * LANES, NULL);
        else
            solve_total(turn, values, stops, ends, t, highest, modes[t], NULL, NULL);
}

/* The whole turn with the choices of a fixed plan. */
static void follow(const turn_t *turn, REAL *values, const REAL *stops, const REAL *ends, const uint8_t *modes,
                   int32_t highest, const CHOICES_T *by) {
    for (int32_t t = highest; t >= 0; t--) solve_total(turn, values, stops, ends, t, highest, modes[t], NULL, by);
}

INLINED int any_above(const vector_t *mass, REAL least) {
    mask_t above = {0};
    for (int v = 0; v < WIDE; v++) above |= mass[v] > spread(least);
    int any = 0;
    for (int i = 0; i < VECTOR; i++) any |= above[i] != 0;
    return any;
}

/* One slot of push.  Returns whether any chance stayed at the same total. */
INLINED int push_slot(const turn_t *turn, const REAL *values, const REAL *stops, const uint8_t *forced, int mode,
                      int32_t total, int32_t highest, int32_t slot, REAL negligible, REAL *mass, REAL *stop_chances,
                      REAL *end_chances) {
    const int64_t here = (int64_t)total * turn->slots + slot;
    const int64_t stop = (int64_t)total * turn->stops + kind_of(turn, slot);
    vector_t *from = (vector_t *)mass + here * WIDE, *stopped = (vector_t *)stop_chances + stop * WIDE;
    vector_t moving[WIDE];
    if (!any_above(from, negligible)) return 0;
    for (int v = 0; v < WIDE; v++) {
        const mask_t ends = stopping(turn, mode, slot, ((const vector_t *)values)[here * WIDE + v],
                                     ((const vector_t *)stops)[stop * WIDE + v],
                                     forced ? forced + here * LANES + v * VECTOR : NULL);
        stopped[v] += (vector_t)(ends & (mask_t)from[v]);
        moving[v] = (vector_t)(~ends & (mask_t)from[v]);
        from[v] = spread(0);
    }
    if (!any_above(moving, negligible)) return 0;
    for (int32_t e = 0; e < turn->ends; e++) {
        const REAL chance = (REAL)turn->end_chance[slot * turn->ends + e];
        for (int v = 0; v < WIDE; v++) ((vector_t *)end_chances)[e * WIDE + v] += chance * moving[v];
    }
    const int64_t left = (int64_t)slot * turn->lefts + highest - total;
    vector_t *onward = (vector_t *)mass + (int64_t)total * turn->slots * WIDE;
    int32_t r = turn->roll_ptr[slot];
    for (const int32_t *offset = turn->option_offset + turn->option_ptr[r]; r < turn->beyond[left]; r++, offset++) {
        vector_t *to = onward + (int64_t)*offset * WIDE;
        const REAL chance = (REAL)turn->roll_chance[r];
        for (int v = 0; v < WIDE; v++) to[v] += chance * moving[v];
    }
    const double *capped = capped_chances_of(turn, slot, highest - total);
    onward = (vector_t *)mass + (int64_t)highest * turn->slots * WIDE;
    for (int32_t i = 0; i < turn->capped[left]; i++) {
        vector_t *to = onward + turn->capped_slot[turn->capped_ptr[slot] + i] * WIDE;
        const REAL chance = (REAL)capped[i];
        for (int v = 0; v < WIDE; v++) to[v] += chance * moving[v];
    }
    for (r = turn->choice_ptr[slot]; r < turn->roll_ptr[slot + 1]; r++) {
        const int32_t first = turn->option_ptr[r], last = turn->option_ptr[r + 1];
        const REAL chance = (REAL)turn->roll_chance[r];
        vector_t best[WIDE];
        mask_t open[WIDE];
        for (int v = 0; v < WIDE; v++) {
            best[v] = option_row(turn, values, first, total, highest)[v];
            open[v] = (mask_t){0} - 1;
        }
        for (int32_t o = first + 1; o < last; o++)
            for (int v = 0; v < WIDE; v++)
                best[v] = larger(option_row(turn, values, o, total, highest)[v], best[v]);
        for (int32_t o = first; o < last; o++) {
            const vector_t *row = option_row(turn, values, o, total, highest);
            vector_t *to = (vector_t *)mass + (row - (const vector_t *)values);
            for (int v = 0; v < WIDE; v++) {
                const mask_t pick = open[v] & (row[v] == best[v]);
                to[v] += (vector_t)(pick & (mask_t)(chance * moving[v]));
                open[v] &= ~pick;
            }
        }
    }
    return total == highest;
}

INLINED void push_turn(const turn_t *turn, const REAL *values, const REAL *stops, const uint8_t *forced,
                       const uint8_t *modes, int32_t highest, int32_t start_slot, REAL negligible, REAL *mass,
                       REAL *stop_chances, REAL *end_chances) {
    const int64_t totals = (int64_t)highest + 1;
    memset(mass, 0, totals * turn->slots * LANES * sizeof(REAL));
    memset(stop_chances, 0, totals * turn->stops * LANES * sizeof(REAL));
    memset(end_chances, 0, turn->ends * LANES * sizeof(REAL));
    for (int lane = 0; lane < LANES; lane++) mass[(int64_t)start_slot * LANES + lane] = 1;
    for (int32_t t = 0; t <= highest; t++)
        for (int left = 1; left;) {
            left = 0;
            for (int32_t s = turn->slots - 1; s >= 0; s--)
                left |= push_slot(turn, values, stops, forced, modes[t], t, highest, s, negligible, mass, stop_chances,
                                  end_chances);
        }
}

/* Push the plans of a block forward: the chance of every way in which the turn can end, but for chances below
 * ``negligible`` on the way.  stop_chances[total][kind][lane], end_chances[end][lane]; mass[total][slot][lane] is
 * scratch.  Compiled twice, since most plans force nothing. */
static void push(const turn_t *turn, const CHOICES_T *by, const uint8_t *modes, int32_t highest,
                 int32_t start_slot, double negligible, REAL *mass, REAL *stop_chances, REAL *end_chances) {
    if (by->forced)
        push_turn(turn, by->values, by->stops, by->forced, modes, highest, start_slot, (REAL)negligible, mass,
                  stop_chances, end_chances);
    else
        push_turn(turn, by->values, by->stops, NULL, modes, highest, start_slot, (REAL)negligible, mass, stop_chances,
                  end_chances);
}

/* Keep the likely rows of chances[row][lane], every ``stride``-th of ``count``, and count each other row as the nearest
 * likely one: merged[likely row][lane].  A row is likely if its chance reaches ``least`` in some lane; where none is,
 * ``least`` is lowered.  Returns the number of likely rows, and their numbers in likely. */
static int64_t merge(const REAL *chances, int64_t count, int64_t stride, double least, int64_t *likely, REAL *merged) {
    const vector_t *from = (const vector_t *)chances;
    int64_t found = 0, row = 0;
    for (; found == 0 && least > 1e-30; least *= 0.1)
        for (int64_t i = 0; i < count; i += stride)
            if (any_above(from + i * WIDE, (REAL)least)) likely[found++] = i;
    for (int64_t i = 0; i < found; i++) {
        vector_t *sum = (vector_t *)merged + i * WIDE;
        const int64_t end = i + 1 < found ? (likely[i] + likely[i + 1]) / 2 : count - 1;
        for (int v = 0; v < WIDE; v++) sum[v] = spread(0);
        for (; row <= end; row += stride)
            for (int v = 0; v < WIDE; v++) sum[v] += from[row * WIDE + v];
    }
    return found;
}

/* Where the numbers of an outcome against LANES waiters begin, the first of them ``first``, if no attack hits any of
 * these: layers[layer][next state][waiter]. */
#define ROW_OF(outcomes, layers, outcome, first)                                                                     \
    ((layers) + (outcomes)->layer[outcome] * (outcomes)->layer_size + (outcomes)->row[outcome] * (outcomes)->stride + \
     (first))

/* Whether an attack hits some of these waiters, which is rare. */
INLINED int is_hit(const outcomes_t *outcomes, int64_t outcome, int64_t first) {
    int hit = 0;
    for (int64_t a = outcome * outcomes->attacks; a < (outcome + 1) * outcomes->attacks; a++)
        hit |= outcomes->low[a] < first + LANES && outcomes->high[a] > first;
    return hit;
}

/* The numbers of such an outcome from its row: those against waiters hit by attack a stand a layers further on. */
#define DEFINE_GATHER(name, number)                                                                                  \
    static __attribute__((noinline)) void name(const outcomes_t *outcomes, const number *row, int64_t outcome,       \
                                               int64_t first, number *block) {                                       \
        for (int64_t i = 0; i < LANES; i++) block[i] = row[i];                                                       \
        for (int64_t a = outcome * outcomes->attacks; a < (outcome + 1) * outcomes->attacks; a++) {                  \
            const int64_t low = outcomes->low[a] - first, high = outcomes->high[a] - first;                          \
            row += outcomes->layer_size;                                                                             \
            for (int64_t i = low < 0 ? 0 : low; i < (high > LANES ? LANES : high); i++) block[i] = row[i];           \
        }                                                                                                            \
    }
DEFINE_GATHER(gather_doubles, double)
DEFINE_GATHER(gather_reals, REAL)

/* blocks[i][lane] = what ``count`` outcomes from ``outcome`` on are worth, less base[lane] if there is a base: then
 * the turn is about small differences, for which single precision does. */
static void gather(const outcomes_t *outcomes, const double *layers, int64_t outcome, int64_t count, int64_t first,
                   const double *base, REAL *blocks) {
    for (int64_t i = 0; i < count; i++) {
        double hit[LANES];
        const double *worth = ROW_OF(outcomes, layers, outcome + i, first);
        if (is_hit(outcomes, outcome + i, first)) {
            gather_doubles(outcomes, worth, outcome + i, first, hit);
            worth = hit;
        }
        REAL *block = blocks + i * LANES;
        if (base)
            for (int lane = 0; lane < LANES; lane++) block[lane] = (REAL)(worth[lane] - base[lane]);
        else
            for (int lane = 0; lane < LANES; lane++) block[lane] = (REAL)worth[lane];
    }
}

/* sums[lane] += sum over i of chances[i][lane] * worth of likely[i] against that lane */
static void expect(const outcomes_t *outcomes, const REAL *layers, const int64_t *likely, const REAL *chances,
                   int64_t count, int64_t first, REAL *sums) {
    vector_t sum[WIDE];
    memcpy(sum, sums, sizeof sum);
    for (int64_t i = 0; i < count; i++) {
        REAL hit[LANES];
        const REAL *worth = ROW_OF(outcomes, layers, likely[i], first);
        if (is_hit(outcomes, likely[i], first)) {
            gather_reals(outcomes, worth, likely[i], first, hit);
            worth = hit;
        }
        for (int v = 0; v < WIDE; v++)
            sum[v] += ((const vector_t *)chances)[i * WIDE + v] * ((const anywhere_t *)worth)[v];
    }
    memcpy(sums, sum, sizeof sum);
}

/* The other way round: layers[..] += chances[i][lane] * mass[lane], to where outcome likely[i] leads from that lane. */
static void onward(const outcomes_t *outcomes, REAL *layers, const int64_t *likely, const REAL *chances,
                   int64_t count, int64_t first, const REAL *mass) {
    for (int64_t i = 0; i < count; i++) {
        const int64_t outcome = likely[i];
        int64_t layer[LANES];
        for (int lane = 0; lane < LANES; lane++) layer[lane] = outcomes->layer[outcome];
        for (int64_t a = 0; a < outcomes->attacks; a++) {
            const int64_t low = outcomes->low[outcome * outcomes->attacks + a] - first;
            const int64_t high = outcomes->high[outcome * outcomes->attacks + a] - first;
            for (int64_t lane = low < 0 ? 0 : low; lane < (high > LANES ? LANES : high); lane++)
                layer[lane] = outcomes->layer[outcome] + a + 1;
        }
        REAL *row = layers + outcomes->row[outcome] * outcomes->stride + first;
        for (int lane = 0; lane < LANES; lane++)
            row[layer[lane] * outcomes->layer_size + lane] += chances[i * LANES + lane] * mass[lane];
    }
}

static const KERNELS_T KINDED(kernels) = {LANES, gather, solve, solve_mixed, follow, push, merge, expect, onward};

#undef gather_doubles
#undef gather_reals
#undef DEFINE_GATHER
#undef ROW_OF
#undef VECTOR
#undef LANES
#undef KINDED
#undef KIND
#undef REAL
#undef INTEGER
#undef KERNELS_T
#undef CHOICES_T
#undef WIDE
#undef vector_t
#undef anywhere_t
#undef mask_t
#undef spread
#undef larger
#undef smaller
#undef option_row
#undef throw_values
#undef lower_bound
#undef solve_total
#undef solve
#undef solve_mixed
#undef any_above
#undef stopping
#undef follow_stops
#undef follow
#undef onward
#undef push_slot
#undef push_turn
#undef push
#undef merge
#undef gather
#undef is_hit
#undef expect
