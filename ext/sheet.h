/* One turn of a score sheet, for many states of the sheet at once.
 *
 * The lattice of five dice: node k is a set of kept dice, numbered from the most
 * dice to the fewest, so that the 252 throws come first and the empty keep last.
 * With X_n(d) the worth of throw d after n throws of at most N,
 *
 *     E_n(k) = X_n(k) for a throw,  else the mean of E_n(k + f) over the six faces f
 *     X_n(d) = max( the best row to write,  max over k within d of E_{n+1}(k) )
 *
 * and a turn is worth E_1(no dice).  The maximum over all keeps of a throw also goes
 * one die at a time.  States that share their open rows differ only in what the rows
 * are worth, so they are lanes, the columns of a block:
 *
 *     candidates[kind][candidate][lane]    nodes[node][lane]
 *
 * A candidate is a row together with one class of throws that it treats alike; its
 * kind tells when it is written: see kind_of_throw().  The loops of sheet_lanes.h are
 * compiled once for each set of instructions, by sheet_kernels.h.  They multiply only
 * by 1/6, never add to a product, and so give the same bits on all machines.
 */
#ifndef KOSTI_SHEET_H
#define KOSTI_SHEET_H

#include <stdint.h>

#if !defined(__GNUC__)
#error "Kosti's kernels need GCC or Clang"
#endif

#define INLINED static inline __attribute__((always_inline))

enum { THROWS = 252, NODES = 462, FACES = 6, WIDEST = 16 };

typedef struct {
    const int16_t *larger;      /* [NODES - THROWS][FACES], the node with one die more */
    const int32_t *smaller_ptr; /* [NODES + 1] */
    const int16_t *smaller;     /* the nodes with one die less */
    const int32_t *within_ptr;  /* [THROWS + 1] */
    const int16_t *within;      /* the keeps of a throw but itself, those with more dice first */
    const double *chance;       /* [THROWS], of a throw of five dice */
} lattice_t;

/* What the rows that are open offer for each throw. */
typedef struct {
    int32_t throws, kinds, candidates;
    const int32_t *all_ptr, *all;       /* [THROWS + 1], every candidate of a throw */
    const int32_t *few_ptr, *few;       /* the same without those that ``least`` stands for */
    const int32_t *early_ptr, *early;   /* candidates that are worth more after the first throw */
    const uint8_t *forced;              /* [THROWS], whether ``least`` does not count for the throw */
    int32_t leasts;
    const int32_t *least;               /* candidates that most throws may take, and no throw does worse than */
} offers_t;

/* Candidates come in one kind; in two, first throw and later, where rows are doubled; or in as many as throws, where
 * throws are saved.  ``made`` is the number of throws made, from 1. */
INLINED int32_t kind_of_throw(const offers_t *offers, int32_t made) {
    return offers->kinds == 1 ? 0 : offers->kinds == 2 ? made > 1 : made - 1;
}

typedef struct {
    int32_t lanes;
    /* nodes[NODES][lane]: E_{made + 1} of all keeps; made = 0 gives the worth of the turn at the empty keep. */
    void (*turn)(const lattice_t *lattice, const offers_t *offers, const double *candidates, int32_t made,
                 double *nodes);
    /* chances[kind][candidate][lane] that the best plan writes a candidate; scratch[throws + 2][NODES][lane] */
    void (*plan)(const lattice_t *lattice, const offers_t *offers, const double *candidates, double *scratch,
                 double *chances);
} sheet_kernels_t;
#endif
