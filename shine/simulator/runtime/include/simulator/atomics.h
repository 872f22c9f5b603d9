// Atomic operations of CUDA. Threads are fibers of one thread of the system, which change only where they meet:
// an atomic operation is a plain one that the checks know of.
#pragma once


// The operation itself must not be seen as a plain access, so it stands in functions without hooks.
#define SIM_ATOMIC(name, T, expression)                                                                      \
  __attribute__((noinline, no_sanitize("thread", "alignment"))) static T sim_done_##name(T *place, T value) {             \
    T before = *place;                                                                                       \
    *place = (T)(expression);                                                                                \
    return before;                                                                                           \
  }                                                                                                          \
  SIM_INLINE T name(T *place, T value, SIM_LINE) {                                                           \
    sim_atomic(place, sizeof(T), sim_line);                                                                  \
    return sim_done_##name(place, value);                                                                    \
  }                                                                                                          \
  SIM_INLINE T name##_block(T *place, T value, SIM_LINE) {                                                   \
    sim_atomic(place, sizeof(T), sim_line);                                                                  \
    return sim_done_##name(place, value);                                                                    \
  }                                                                                                          \
  SIM_INLINE T name##_system(T *place, T value, SIM_LINE) {                                                  \
    sim_atomic(place, sizeof(T), sim_line);                                                                  \
    return sim_done_##name(place, value);                                                                    \
  }
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
SIM_ATOMIC_INTEGERS(atomicExch, value)
SIM_ATOMIC(atomicExch, float, value)
SIM_ATOMIC(atomicInc, unsigned, before >= value ? 0 : before + 1)
SIM_ATOMIC(atomicDec, unsigned, before == 0 || before > value ? value : before - 1)

// A failed exchange lets another thread run: a loop that waits for one gets on.
#define SIM_ATOMIC_CAS(T)                                                                                    \
  __attribute__((noinline, no_sanitize("thread", "alignment"))) static T sim_done_cas(T *place, T expected, T wanted) {   \
    T before = *place;                                                                                       \
    if (before == expected) *place = wanted;                                                                 \
    return before;                                                                                           \
  }                                                                                                          \
  SIM_INLINE T atomicCAS(T *place, T expected, T wanted, SIM_LINE) {                                         \
    sim_atomic(place, sizeof(T), sim_line);                                                                  \
    T before = sim_done_cas(place, expected, wanted);                                                        \
    if (before != expected) sim_yield();                                                                     \
    return before;                                                                                           \
  }
SIM_ATOMIC_CAS(int)
SIM_ATOMIC_CAS(unsigned)
SIM_ATOMIC_CAS(unsigned short)
SIM_ATOMIC_CAS(unsigned long long)
