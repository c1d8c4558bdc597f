/* Threads that work in step: each waits for all others before it goes on.  Steps are short, so a thread that waits keeps
 * its processor for a while, and only then lets others have it. */
#ifndef KOSTI_TEAM_H
#define KOSTI_TEAM_H

#include <sched.h>
#include <stdint.h>
#include <time.h>

#define PATIENT 4000    /* looks at the others before the processor is offered to them */
#define IMPATIENT 400   /* offers before the thread sleeps between two looks */
#define SLEEP 50000     /* nanoseconds */

typedef struct {
    int32_t threads;
    int32_t arrived;
    int32_t step;
    int32_t given_up;
} team_t;

/* Returns 0 if somebody has given up, so that not all will ever arrive. */
static int wait_for_all(team_t *team) {
    const int32_t step = __atomic_load_n(&team->step, __ATOMIC_RELAXED);
    if (__atomic_add_fetch(&team->arrived, 1, __ATOMIC_ACQ_REL) == team->threads) {
        __atomic_store_n(&team->arrived, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&team->step, step + 1, __ATOMIC_RELEASE);
        return 1;
    }
    for (int64_t looks = 0; __atomic_load_n(&team->step, __ATOMIC_ACQUIRE) == step; looks++) {
        if (__atomic_load_n(&team->given_up, __ATOMIC_RELAXED)) return 0;
        if (looks > PATIENT + IMPATIENT) {
            const struct timespec nap = {0, SLEEP};
            nanosleep(&nap, NULL);
        } else if (looks > PATIENT)
            sched_yield();
#if defined(__x86_64__)
        else
            __builtin_ia32_pause();
#endif
    }
    return 1;
}

static void give_up(team_t *team) { __atomic_store_n(&team->given_up, 1, __ATOMIC_RELAXED); }
#endif
