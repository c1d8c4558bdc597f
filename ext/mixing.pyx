# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Anderson's mixing on some of the rows of large arrays; see ``solver.race.mixing``."""
from libc.stdint cimport int32_t, int64_t

cdef extern from "mixing.h" nogil:
    float take_change(const float *before, const float *found, int64_t length, float *change, float *result)
    double product(const float *one, const float *other, int64_t length)
    void mix_row(const float *result, int64_t count, const float *weights, const float **later, const float **earlier,
                 int64_t length, float *found, float *before)

cdef enum:
    MOST_STEPS = 64


def remember(
    const float[:, ::1] before not None, const float[:, ::1] found not None, float[:, :, ::1] changes not None,
    float[:, :, ::1] results not None, Py_ssize_t newest, Py_ssize_t known, double[:, ::1] products not None,
    float[::1] largest not None, Py_ssize_t begin, Py_ssize_t end,
):
    """Write down the rows ``begin:end`` of a sweep as number ``newest`` of ``changes`` and ``results``.

    ``products[row, i]`` become those of its change with change ``i < known``, ``largest[row]`` its largest number.
    """
    cdef int64_t row, i, length = found.shape[1]
    check(before, found, results, begin, end)
    if (changes.shape[0] != results.shape[0] or changes.shape[1] != found.shape[0] or changes.shape[2] != length
            or not 0 <= newest < known <= changes.shape[0] or products.shape[0] != found.shape[0]
            or products.shape[1] < known or largest.shape[0] != found.shape[0]):
        raise ValueError("the arrays of a mixing do not fit together")
    with nogil:
        for row in range(begin, end):
            largest[row] = take_change(&before[row, 0], &found[row, 0], length, &changes[newest, row, 0],
                                       &results[newest, row, 0])
            for i in range(known):
                products[row, i] = product(&changes[newest, row, 0], &changes[i, row, 0], length)


def mix(
    const float[:, :, ::1] results not None, Py_ssize_t newest, const float[::1] weights not None,
    const int32_t[::1] later not None, const int32_t[::1] earlier not None, float[:, ::1] found not None,
    float[:, ::1] before not None, Py_ssize_t begin, Py_ssize_t end,
):
    """Move rows of the newest result by ``-weights[k] * (results[later[k]] - results[earlier[k]])``.

    They are written to ``found`` and to ``before``.
    """
    cdef int64_t row, k, count = weights.shape[0]
    cdef const float *these[MOST_STEPS]
    cdef const float *those[MOST_STEPS]
    check(before, found, results, begin, end)
    if not (later.shape[0] == earlier.shape[0] == count <= MOST_STEPS and 0 <= newest < results.shape[0]):
        raise ValueError("the arrays of a mixing do not fit together")
    for k in range(count):
        if not (0 <= later[k] < results.shape[0] and 0 <= earlier[k] < results.shape[0]):
            raise ValueError("there is no such result")
    with nogil:
        for row in range(begin, end):
            for k in range(count):
                these[k], those[k] = &results[later[k], row, 0], &results[earlier[k], row, 0]
            mix_row(&results[newest, row, 0], count, &weights[0] if count else NULL, these, those, found.shape[1],
                    &found[row, 0], &before[row, 0])


cdef check(before, found, results, begin, end):
    if (before.shape[0] != found.shape[0] or before.shape[1] != found.shape[1] or results.shape[1] != found.shape[0]
            or results.shape[2] != found.shape[1]):
        raise ValueError("the arrays of a mixing do not fit together")
    if not 0 <= begin <= end <= found.shape[0]:
        raise ValueError("rows out of range")
