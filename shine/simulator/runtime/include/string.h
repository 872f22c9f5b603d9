// Copying and filling memory. In check builds each is an access, which compilers would not show of those that they expand;
// the smallest ones become loads and stores.
#pragma once
#include "simulator/interface.h"

extern "C" int memcmp(const void *, const void *, size_t);
#ifdef SIM_CHECK
extern "C" {
SIM_HIDDEN void *__tsan_memcpy(void *, const void *, size_t);
SIM_HIDDEN void *__tsan_memmove(void *, const void *, size_t);
SIM_HIDDEN void *__tsan_memset(void *, int, size_t);
}
#define SIM_IS_ONE_ACCESS(bytes)                                                                             \
  (__builtin_constant_p(bytes) && ((bytes) == 1 || (bytes) == 2 || (bytes) == 4 || (bytes) == 8))
static inline __attribute__((always_inline)) void *memcpy(void *to, const void *from, size_t bytes) {
  return SIM_IS_ONE_ACCESS(bytes) ? __builtin_memcpy(to, from, bytes) : __tsan_memcpy(to, from, bytes);
}
static inline __attribute__((always_inline)) void *memmove(void *to, const void *from, size_t bytes) {
  return __tsan_memmove(to, from, bytes);
}
static inline __attribute__((always_inline)) void *memset(void *at, int value, size_t bytes) {
  return SIM_IS_ONE_ACCESS(bytes) ? __builtin_memset(at, value, bytes) : __tsan_memset(at, value, bytes);
}
#else
extern "C" {
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
}
#endif
