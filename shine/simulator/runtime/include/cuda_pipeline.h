// Asynchronous copies into shared memory: the primitives of CUDA's header, without its classes.
#pragma once
#include "simulator/interface.h"

SIM_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0, SIM_LINE) {
  sim_copy(to, from, bytes, zeros, sim_line);
}
SIM_INLINE void __pipeline_commit() { sim_commit_copies(); }
SIM_INLINE void __pipeline_wait_prior(size_t but) { sim_wait_for_copies(but); }
