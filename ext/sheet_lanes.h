/* The kernels of sheet.h for one set of instructions: included once for each, with
 *
 *     KIND       a name for it, which every name here gets appended
 *     REGISTER   bytes of a vector register
 */
#define VECTOR ((int)(REGISTER / sizeof(double)))
#define WIDE (REGISTER == 16 ? 1 : 2) /* registers in a row: as many as keep the nodes in the nearest cache */
#define LANES (VECTOR * WIDE)
#define KINDED(name) JOINED(name, KIND)
#define sheet_vector_t KINDED(sheet_vector_t)
#define sheet_mask_t KINDED(sheet_mask_t)
#define sheet_larger KINDED(sheet_larger)
#define keep_means KINDED(keep_means)
#define best_keeps KINDED(best_keeps)
#define best_writes KINDED(best_writes)
#define take_best KINDED(take_best)
#define sheet_turn KINDED(sheet_turn)
#define sheet_any KINDED(sheet_any)
#define sheet_pick KINDED(sheet_pick)
#define sheet_throw KINDED(sheet_throw)
#define sheet_plan KINDED(sheet_plan)

typedef double sheet_vector_t __attribute__((vector_size(REGISTER)));
typedef int64_t sheet_mask_t __attribute__((vector_size(REGISTER)));

INLINED sheet_vector_t sheet_larger(sheet_vector_t a, sheet_vector_t b) {
    for (int i = 0; i < VECTOR; i++) a[i] = a[i] > b[i] ? a[i] : b[i];
    return a;
}

/* From the throws to all smaller keeps. */
INLINED void keep_means(const lattice_t *lattice, sheet_vector_t *nodes) {
    const int16_t *more = lattice->larger;
    for (int k = THROWS; k < NODES; k++, more += FACES)
        for (int v = 0; v < WIDE; v++) {
            const sheet_vector_t low = nodes[more[0] * WIDE + v] + nodes[more[1] * WIDE + v];
            const sheet_vector_t middle = nodes[more[2] * WIDE + v] + nodes[more[3] * WIDE + v];
            const sheet_vector_t high = nodes[more[4] * WIDE + v] + nodes[more[5] * WIDE + v];
            nodes[k * WIDE + v] = ((low + middle) + high) * (1.0 / 6.0);
        }
}

/* From each keep to the best keep within it. */
INLINED void best_keeps(const lattice_t *lattice, sheet_vector_t *nodes) {
    for (int k = NODES - 1; k >= 0; k--) {
        sheet_vector_t best[WIDE];
        for (int v = 0; v < WIDE; v++) best[v] = nodes[k * WIDE + v];
        for (int32_t i = lattice->smaller_ptr[k]; i < lattice->smaller_ptr[k + 1]; i++)
            for (int v = 0; v < WIDE; v++)
                best[v] = sheet_larger(nodes[lattice->smaller[i] * WIDE + v], best[v]);
        for (int v = 0; v < WIDE; v++) nodes[k * WIDE + v] = best[v];
    }
}

/* best[d] = the larger of itself and the listed candidates */
INLINED void take_best(const int32_t *ids, int32_t first, int32_t last, const sheet_vector_t *candidates,
                       sheet_vector_t *best) {
    for (int32_t i = first; i < last; i++)
        for (int v = 0; v < WIDE; v++) best[v] = sheet_larger(candidates[ids[i] * WIDE + v], best[v]);
}

/* The best row for each throw; ``keep``: no less than what the throw has already. */
INLINED void best_writes(const offers_t *offers, const sheet_vector_t *candidates, int keep, sheet_vector_t *nodes) {
    const sheet_vector_t none = (sheet_vector_t){0} - INFINITY;
    sheet_vector_t least[WIDE];
    for (int v = 0; v < WIDE; v++) least[v] = none;
    take_best(offers->least, 0, offers->leasts, candidates, least);
    for (int d = 0; d < THROWS; d++) {
        sheet_vector_t best[WIDE];
        for (int v = 0; v < WIDE; v++) {
            best[v] = offers->forced[d] ? none : least[v];
            if (keep) best[v] = sheet_larger(nodes[d * WIDE + v], best[v]);
        }
        take_best(offers->few, offers->few_ptr[d], offers->few_ptr[d + 1], candidates, best);
        for (int v = 0; v < WIDE; v++) nodes[d * WIDE + v] = best[v];
    }
}

/* X of the throws after so many throws, from the best keeps of the next one in the same nodes. */
INLINED void sheet_throw(const offers_t *offers, const double *all_candidates, int32_t made, sheet_vector_t *nodes) {
    const sheet_vector_t *candidates = (const sheet_vector_t *)all_candidates;
    const int32_t size = offers->candidates * WIDE;
    const int last = made == offers->throws;
    if (last || offers->kinds > 2) {
        const int32_t kind = offers->kinds > 2 ? made - 1 : offers->kinds - 1;
        best_writes(offers, candidates + (int64_t)kind * size, !last, nodes);
    }
    if (made == 1 && offers->kinds == 2)
        for (int d = 0; d < THROWS; d++)
            take_best(offers->early, offers->early_ptr[d], offers->early_ptr[d + 1], candidates, nodes + d * WIDE);
}

static void sheet_turn(const lattice_t *lattice, const offers_t *offers, const double *candidates, int32_t made,
                       double *all_nodes) {
    sheet_vector_t *nodes = (sheet_vector_t *)all_nodes;
    for (int32_t n = offers->throws; n > made; n--) {
        if (n < offers->throws) best_keeps(lattice, nodes);
        sheet_throw(offers, candidates, n, nodes);
        keep_means(lattice, nodes);
    }
}

INLINED int sheet_any(const sheet_mask_t *open) {
    sheet_mask_t any = {0};
    for (int v = 0; v < WIDE; v++) any |= open[v];
    int found = 0;
    for (int i = 0; i < VECTOR; i++) found |= any[i] != 0;
    return found;
}

/* Where a choice is as good as the best and nothing was picked before it, pick it: its chance grows by mass. */
INLINED void sheet_pick(const sheet_vector_t *worth, const sheet_vector_t *best, const sheet_vector_t *mass,
                        sheet_mask_t *open, sheet_vector_t *chance) {
    for (int v = 0; v < WIDE; v++) {
        const sheet_mask_t pick = open[v] & (worth[v] == best[v]);
        chance[v] += (sheet_vector_t)(pick & (sheet_mask_t)mass[v]);
        open[v] &= ~pick;
    }
}

/* Of equal choices writing comes first, in the order of the rows, then the keep with the most dice. */
static void sheet_plan(const lattice_t *lattice, const offers_t *offers, const double *all_candidates,
                       double *scratch, double *all_chances) {
    const sheet_vector_t *candidates = (const sheet_vector_t *)all_candidates;
    const int32_t size = offers->candidates * WIDE, nodes_size = NODES * WIDE;
    sheet_vector_t *layers = (sheet_vector_t *)scratch, *chances = (sheet_vector_t *)all_chances;
    sheet_vector_t *mass = layers + (int64_t)offers->throws * nodes_size, *next = mass + nodes_size;
    for (int32_t n = offers->throws; n > 0; n--) {
        sheet_vector_t *nodes = layers + (int64_t)(n - 1) * nodes_size;
        if (n < offers->throws) {
            memcpy(nodes, nodes + nodes_size, nodes_size * sizeof *nodes);
            best_keeps(lattice, nodes);
        }
        sheet_throw(offers, all_candidates, n, nodes);
        keep_means(lattice, nodes);
    }
    memset(chances, 0, (int64_t)offers->kinds * size * sizeof *chances);
    for (int d = 0; d < THROWS; d++)
        for (int v = 0; v < WIDE; v++) mass[d * WIDE + v] = (sheet_vector_t){0} + lattice->chance[d];
    for (int32_t n = 1; n <= offers->throws; n++) {
        const sheet_vector_t *here = layers + (int64_t)(n - 1) * nodes_size, *then = here + nodes_size;
        const int32_t kind = kind_of_throw(offers, n);
        memset(next, 0, nodes_size * sizeof *next);
        for (int d = 0; d < THROWS; d++) {
            const sheet_vector_t *best = here + d * WIDE, *moving = mass + d * WIDE;
            sheet_mask_t open[WIDE];
            for (int v = 0; v < WIDE; v++) open[v] = moving[v] > 0.0;
            if (!sheet_any(open)) continue;
            if (n == 1 && offers->kinds == 2) {
                for (int32_t i = offers->early_ptr[d]; i < offers->early_ptr[d + 1]; i++)
                    sheet_pick(candidates + offers->early[i] * WIDE, best, moving, open,
                               chances + offers->early[i] * WIDE);
            }
            /* What is not doubled is worth the same whenever it is written. */
            const int32_t as = offers->kinds == 2 ? 1 : kind;
            for (int32_t i = offers->all_ptr[d]; i < offers->all_ptr[d + 1]; i++)
                sheet_pick(candidates + as * size + offers->all[i] * WIDE, best, moving, open,
                           chances + as * size + offers->all[i] * WIDE);
            if (n == offers->throws || !sheet_any(open)) continue;
            for (int32_t i = lattice->within_ptr[d]; i < lattice->within_ptr[d + 1] && sheet_any(open); i++)
                sheet_pick(then + lattice->within[i] * WIDE, best, moving, open, next + lattice->within[i] * WIDE);
            sheet_pick(then + d * WIDE, best, moving, open, next + d * WIDE);
        }
        for (int k = NODES - 1; k >= THROWS; k--)
            for (int f = 0; f < FACES; f++) {
                sheet_vector_t *to = next + lattice->larger[(k - THROWS) * FACES + f] * WIDE;
                for (int v = 0; v < WIDE; v++) to[v] += next[k * WIDE + v] * (1.0 / 6.0);
            }
        memcpy(mass, next, nodes_size * sizeof *next);
    }
}

static const sheet_kernels_t KINDED(sheet_kernels) = {LANES, sheet_turn, sheet_plan};

#undef VECTOR
#undef WIDE
#undef LANES
#undef KINDED
#undef KIND
#undef REGISTER
#undef sheet_vector_t
#undef sheet_mask_t
#undef sheet_larger
#undef keep_means
#undef best_keeps
#undef best_writes
#undef take_best
#undef sheet_turn
#undef sheet_any
#undef sheet_pick
#undef sheet_throw
#undef sheet_plan
