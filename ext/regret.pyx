# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Counterfactual regret minimisation in games of one signal: the rounds of one game.

What is played is described in ``solver/parlour/signals.py``, and what the rounds do in ``solver/parlour/regret.py``.
Arrays of a signal and a type have the types side by side, so that a row is a loop over neighbours. Working numbers are
in single precision; they only make strategies, which are rated elsewhere.
"""
from libc.stdint cimport int32_t

cdef extern from "regret.h" nogil:
    void regret_worth(Py_ssize_t, float, float, const float *, const float *, const float *, float *, float *, float *)
    void regret_update(Py_ssize_t, float, const float *, const float *, const float *, float *, float *)
    void regret_sent(
        Py_ssize_t, float, const float *, const float *, const float *, const float *, const float *, float *, float *,
        float *)


def signal_rounds(
    const int32_t[::1] source_ptr, const int32_t[::1] source_type, const float[::1] source_chance,
    const float[:, ::1] doubted, const float[:, ::1] accepted, const unsigned char[::1] must_doubt,
    double[::1] source_regret, float[:, ::1] regret, double[:, ::1] reply_regret,
    double[::1] sources, float[:, ::1] sent, double[::1] doubt,
    float[:, ::1] work, Py_ssize_t first, Py_ssize_t rounds,
):
    """Play ``rounds`` rounds, of which ``first`` is the number of the first, counted from 1.

    Sources are rows of ``source_ptr``, with types and their chances; ``doubted``, ``accepted``, ``regret`` and ``sent``
    are signals by types, ``reply_regret`` signals by doubt and acceptance, ``work`` four rows of types. Regrets go on
    from what they are, and the strategies of all rounds are added to ``sources``, ``sent`` and ``doubt``, each times
    the fourth power of the number of its round.
    """
    cdef Py_ssize_t signals = doubted.shape[0], types = doubted.shape[1], count = source_ptr.shape[0] - 1
    cdef Py_ssize_t s, t, k, e, number
    if (types < 1 or signals < 1 or count < 1 or accepted.shape[0] != signals or accepted.shape[1] != types
            or must_doubt.shape[0] != signals or source_regret.shape[0] != count or regret.shape[0] != signals
            or regret.shape[1] != types or reply_regret.shape[0] != signals or reply_regret.shape[1] != 2
            or sources.shape[0] != count or sent.shape[0] != signals or sent.shape[1] != types
            or doubt.shape[0] != signals or work.shape[0] != 4 or work.shape[1] != types
            or source_ptr[0] != 0 or source_ptr[count] != source_type.shape[0]
            or source_chance.shape[0] != source_type.shape[0]):
        raise ValueError("the arrays of a game of one signal do not fit together")
    for k in range(count):
        if source_ptr[k] > source_ptr[k + 1]:
            raise ValueError("the arrays of a game of one signal do not fit together")
    for e in range(source_type.shape[0]):
        if not 0 <= source_type[e] < types:
            raise ValueError("the arrays of a game of one signal do not fit together")
    # Of each type: sum of its regrets, what it wins, what makes the next strategy of them, and how often it comes.
    cdef float *total = &work[0, 0]
    cdef float *worth = &work[1, 0]
    cdef float *scale = &work[2, 0]
    cdef float *reach = &work[3, 0]
    cdef float q, value, weight, to_doubt = 0.0, to_accept = 0.0, even = <float> (1.0 / signals)
    cdef double whole, average, won
    with nogil:
        for number in range(first, first + rounds):
            weight = <float> number * <float> number
            weight *= weight
            # The sender answers the doubts as they are now.
            for t in range(types):
                total[t] = 0.0
                worth[t] = 0.0
                reach[t] = 0.0  # for now: what even play wins
            for s in range(signals):
                q = _share(reply_regret[s, 0], reply_regret[s, 1], must_doubt[s])
                regret_worth(types, q, even, &doubted[s, 0], &accepted[s, 0], &regret[s, 0], total, worth, reach)
            for t in range(types):
                worth[t] = worth[t] / total[t] if total[t] > 0.0 else reach[t]
                total[t] = 0.0
                reach[t] = 0.0
            for s in range(signals):
                q = _share(reply_regret[s, 0], reply_regret[s, 1], must_doubt[s])
                regret_update(types, q, &doubted[s, 0], &accepted[s, 0], worth, &regret[s, 0], total)
            whole = 0.0
            for k in range(count):
                whole += source_regret[k]
            average = 0.0
            for k in range(count):
                won = 0.0
                for e in range(source_ptr[k], source_ptr[k + 1]):
                    won += source_chance[e] * worth[source_type[e]]
                average += won * (source_regret[k] / whole if whole > 0.0 else 1.0 / count)
                source_regret[k] += won
            whole = 0.0
            for k in range(count):
                source_regret[k] = max(0.0, source_regret[k] - average)
                whole += source_regret[k]
            for k in range(count):
                won = source_regret[k] / whole if whole > 0.0 else 1.0 / count
                sources[k] += weight * won
                if won > 0.0:
                    for e in range(source_ptr[k], source_ptr[k + 1]):
                        reach[source_type[e]] += <float> won * source_chance[e]
            # The receiver answers the signals as they are now.
            for t in range(types):
                scale[t] = reach[t] / total[t] if total[t] > 0.0 else 0.0
                total[t] = 0.0 if total[t] > 0.0 else reach[t] * even
            for s in range(signals):
                regret_sent(
                    types, weight, &doubted[s, 0], &accepted[s, 0], &regret[s, 0], scale, total, &sent[s, 0],
                    &to_doubt, &to_accept)
                if not must_doubt[s]:
                    q = _share(reply_regret[s, 0], reply_regret[s, 1], False)
                    value = to_accept + q * (to_doubt - to_accept)
                    reply_regret[s, 0] = max(0.0, reply_regret[s, 0] + value - to_doubt)
                    reply_regret[s, 1] = max(0.0, reply_regret[s, 1] + value - to_accept)
                doubt[s] += weight * _share(reply_regret[s, 0], reply_regret[s, 1], must_doubt[s])


cdef inline float _share(double doubt, double accept, bint must_doubt) noexcept nogil:
    """How often a receiver with these regrets doubts."""
    if must_doubt:
        return 1.0
    return <float> (doubt / (doubt + accept)) if doubt + accept > 0.0 else <float> 0.5
