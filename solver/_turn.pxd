"""What the processor can do for a turn, as the modules of ``ext`` share it; see ``ext/turn.pyx``."""
from kernels cimport kernels_t


cdef const kernels_t *kernels_of_this_machine() noexcept nogil
