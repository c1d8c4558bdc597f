/* One row of a game of one signal, for all types: the loops of regret.pyx, in forms that compilers turn into vectors. */
#ifndef KOSTI_REGRET_H
#define KOSTI_REGRET_H

#include <stddef.h>

/* Sums that are kept side by side; their order is fixed, so results do not depend on the machine. */
enum { LANES = 8 };

/* Where the loader can choose, wider vectors are used on processors that have them; the sums are the same. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && defined(__GNUC__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

/* Adds to what play by regrets wins, and to what even play does. */
WIDE static void regret_worth(ptrdiff_t types, float doubt, float even, const float *restrict doubted,
                         const float *restrict accepted, const float *restrict regret, float *restrict total,
                         float *restrict worth, float *restrict plain)
{
    for (ptrdiff_t t = 0; t < types; t++) {
        float value = accepted[t] + doubt * (doubted[t] - accepted[t]);
        total[t] += regret[t];
        worth[t] += regret[t] * value;
        plain[t] += even * value;
    }
}

/* Adds the regrets of the round, keeps them from falling below 0, and adds them up. */
WIDE static void regret_update(ptrdiff_t types, float doubt, const float *restrict doubted, const float *restrict accepted,
                          const float *restrict worth, float *restrict regret, float *restrict total)
{
    for (ptrdiff_t t = 0; t < types; t++) {
        float value = regret[t] + (accepted[t] + doubt * (doubted[t] - accepted[t])) - worth[t];
        value = value > 0.0f ? value : 0.0f;
        regret[t] = value;
        total[t] += value;
    }
}

/* Adds how often each type sends the signal, and finds what a doubt and an acceptance of it are worth. */
WIDE static void regret_sent(ptrdiff_t types, float weight, const float *restrict doubted, const float *restrict accepted,
                        const float *restrict regret, const float *restrict scale, const float *restrict even,
                        float *restrict mean, float *restrict to_doubt, float *restrict to_accept)
{
    float doubts[LANES] = {0}, accepts[LANES] = {0};
    ptrdiff_t t = 0;
    for (; t + LANES <= types; t += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            float sent = regret[t + lane] * scale[t + lane] + even[t + lane];
            mean[t + lane] += weight * sent;
            doubts[lane] += sent * doubted[t + lane];
            accepts[lane] += sent * accepted[t + lane];
        }
    for (int lane = 0; t < types; t++, lane++) {
        float sent = regret[t] * scale[t] + even[t];
        mean[t] += weight * sent;
        doubts[lane] += sent * doubted[t];
        accepts[lane] += sent * accepted[t];
    }
    *to_doubt = *to_accept = 0.0f;
    for (int lane = 0; lane < LANES; lane++) {
        *to_doubt += doubts[lane];
        *to_accept += accepts[lane];
    }
}

#endif
