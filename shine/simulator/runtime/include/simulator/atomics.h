// Atomic operations of CUDA. Threads are fibers of one thread of the system, which change only where they meet:
// an atomic operation is a plain one that the checks know of.
#pragma once


// Where the operation itself is done must not be seen as a plain access, nor be interrupted by another thread's turn.
#define SIM_UNSEEN __attribute__((noinline, no_sanitize("thread", "alignment"), no_sanitize_coverage))

namespace simulator {
// An operation that leaves memory as it was may be a thread's way to wait.
template <class T> SIM_INLINE void note_effect(const T &before, const T &after, int line) {
  if (__builtin_memcmp(&before, &after, sizeof(T)) == 0) sim_look(line);
  else sim_quiet = 0;
}
}  // namespace simulator

#define SIM_ATOMIC_USE(name, T, expression, use)                                                             \
  SIM_UNSEEN static T sim_done_##name(T *place, T value, int line, int scope) {                              \
    sim_atomic(place, sizeof(T), line, scope, simulator::use, nullptr);                                      \
    T before = *place, after = (T)(expression);                                                              \
    *place = after;                                                                                          \
    simulator::note_effect(before, after, line);                                                             \
    return before;                                                                                           \
  }                                                                                                          \
  SIM_INLINE T name(T *place, T value, SIM_LINE) {                                                           \
    return sim_done_##name(place, value, sim_line, simulator::OF_DEVICE);                                    \
  }                                                                                                          \
  SIM_INLINE T name##_block(T *place, T value, SIM_LINE) {                                                   \
    return sim_done_##name(place, value, sim_line, simulator::OF_BLOCK);                                     \
  }                                                                                                          \
  SIM_INLINE T name##_system(T *place, T value, SIM_LINE) {                                                  \
    return sim_done_##name(place, value, sim_line, simulator::OF_DEVICE);                                    \
  }
#define SIM_ATOMIC(name, T, expression) SIM_ATOMIC_USE(name, T, expression, UPDATES)
#define SIM_ATOMIC_INTEGERS(name, expression)                                                                \
  SIM_ATOMIC(name, int, expression)                                                                          \
  SIM_ATOMIC(name, unsigned, expression)                                                                     \
  SIM_ATOMIC(name, unsigned long long, expression)

SIM_ATOMIC_INTEGERS(atomicAdd, before + value)
SIM_ATOMIC(atomicAdd, float, before + value)
SIM_ATOMIC(atomicAdd, double, before + value)
SIM_ATOMIC(atomicSub, int, before - value)
SIM_ATOMIC(atomicSub, unsigned, before - value)
SIM_ATOMIC_INTEGERS(atomicMin, value < before ? value : before)
SIM_ATOMIC(atomicMin, long long, value < before ? value : before)
SIM_ATOMIC_INTEGERS(atomicMax, value > before ? value : before)
SIM_ATOMIC(atomicMax, long long, value > before ? value : before)
SIM_ATOMIC_INTEGERS(atomicAnd, before & value)
SIM_ATOMIC_INTEGERS(atomicOr, before | value)
SIM_ATOMIC_INTEGERS(atomicXor, before ^ value)
SIM_ATOMIC_USE(atomicExch, int, value, EXCHANGES)
SIM_ATOMIC_USE(atomicExch, unsigned, value, EXCHANGES)
SIM_ATOMIC_USE(atomicExch, unsigned long long, value, EXCHANGES)
SIM_ATOMIC_USE(atomicExch, float, value, EXCHANGES)
SIM_ATOMIC(atomicInc, unsigned, before >= value ? 0 : before + 1)
SIM_ATOMIC(atomicDec, unsigned, before == 0 || before > value ? value : before - 1)

// After a failed exchange others have their turn at once: a loop that waits for one gets on.
// An exchange that fails is a read.
#define SIM_ATOMIC_CAS(T)                                                                                    \
  SIM_UNSEEN static T sim_done_cas(T *place, T expected, T wanted, int line, int scope) {                    \
    sim_atomic(place, sizeof(T), line, scope, simulator::UPDATES, &expected);                                \
    T before = *place;                                                                                       \
    if (before == expected) *place = wanted, simulator::note_effect(before, wanted, line);                   \
    else sim_yield(line);                                                                                    \
    return before;                                                                                           \
  }                                                                                                          \
  SIM_INLINE T atomicCAS(T *place, T expected, T wanted, SIM_LINE) {                                         \
    return sim_done_cas(place, expected, wanted, sim_line, simulator::OF_DEVICE);                            \
  }                                                                                                          \
  SIM_INLINE T atomicCAS_block(T *place, T expected, T wanted, SIM_LINE) {                                   \
    return sim_done_cas(place, expected, wanted, sim_line, simulator::OF_BLOCK);                             \
  }                                                                                                          \
  SIM_INLINE T atomicCAS_system(T *place, T expected, T wanted, SIM_LINE) {                                  \
    return sim_done_cas(place, expected, wanted, sim_line, simulator::OF_DEVICE);                            \
  }
SIM_ATOMIC_CAS(int)
SIM_ATOMIC_CAS(unsigned)
SIM_ATOMIC_CAS(unsigned short)
SIM_ATOMIC_CAS(unsigned long long)
