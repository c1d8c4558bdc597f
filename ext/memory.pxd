"""Memory for vectors, for all modules."""

cdef extern from "stdlib.h" nogil:
    int posix_memalign(void **memory, size_t alignment, size_t size)
