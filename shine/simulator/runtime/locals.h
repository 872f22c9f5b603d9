// Which bytes of a thread's local arrays and fragments have not been written: a bit for each byte of its stack, after it.
#pragma once
#include <cstdio>

#include "findings.h"

enum { UNSET_BYTES = STACK_BYTES / 8 };

static inline bool is_on_stack(const Fiber &fiber, const void *at) {
  return (const char *)at >= fiber.stack && (const char *)at < fiber.stack + STACK_BYTES;
}

// Calls `word(bits, mask)` for each word of bits that stand for some bytes.
template <class F> static inline void for_words(Fiber &fiber, const void *at, uint64_t bytes, F word) {
  uint64_t first = (uint64_t)((const char *)at - fiber.stack), end = first + bytes;
  if (end > STACK_BYTES) end = STACK_BYTES;
  uint64_t *bits = (uint64_t *)(fiber.stack + STACK_BYTES);
  for (uint64_t i = first / 64; i * 64 < end; i++) {
    uint64_t mask = ~0ull;
    if (i == first / 64) mask &= ~0ull << first % 64;
    if ((i + 1) * 64 > end) mask &= ~0ull >> ((i + 1) * 64 - end);
    word(bits[i], mask);
  }
}

static void set_unset(Fiber &fiber, const void *at, uint64_t bytes) {
  for_words(fiber, at, bytes, [&](uint64_t &bits, uint64_t mask) {
    fiber.unset += (uint32_t)__builtin_popcountll(mask & ~bits);
    bits |= mask;
  });
}
static void clear_unset(Fiber &fiber, const void *at, uint64_t bytes) {
  for_words(fiber, at, bytes, [&](uint64_t &bits, uint64_t mask) {
    fiber.unset -= (uint32_t)__builtin_popcountll(mask & bits);
    bits &= ~mask;
  });
}
static uint64_t count_unset(Fiber &fiber, const void *at, uint64_t bytes) {
  uint64_t count = 0;
  for_words(fiber, at, bytes, [&](uint64_t &bits, uint64_t mask) { count += (uint64_t)__builtin_popcountll(mask & bits); });
  return count;
}

static void report_unset(unsigned thread, uint32_t place, int bytes, const char *what) {
  FindingRecord *one = found(UNINITIALISED, place, 0, LOCAL);
  if (!one) return;
  one->access = READ, one->thread = thread, one->size = bytes;
  strcpy(one->text, what);
}

static bool is_in_product(const void *at, int bytes, bool reads, uint32_t place);

// A structure may be copied of which some members are not written.
static __attribute__((noinline)) void access_local(const void *at, int bytes, bool reads, uint32_t place) {
  Fiber &fiber = fibers[current];
  if (sim_has_partial_barriers && is_in_product(at, bytes, reads, place)) return;
  if (!reads) return clear_unset(fiber, at, (uint64_t)bytes);
  if (count_unset(fiber, at, (uint64_t)bytes) == (uint64_t)bytes) report_unset(current, place, bytes, "local array");
}

static inline void fill_fragment_of(unsigned thread, const void *x, uint64_t bytes) {
  Fiber &fiber = fibers[thread];
  if (fiber.unset && is_on_stack(fiber, x)) clear_unset(fiber, x, bytes);
}
static inline void read_fragment_of(unsigned thread, const void *x, uint64_t bytes, uint32_t place) {
  Fiber &fiber = fibers[thread];
  if (fiber.unset && is_on_stack(fiber, x) && count_unset(fiber, x, bytes)) report_unset(thread, place, 0, "fragment");
}

// A local array or a fragment begins, ends or is written as a whole.
extern "C" void sim_begin_local(const volatile void *at, unsigned long long bytes) {
  Fiber &fiber = fibers[current];
  if (checking && is_on_stack(fiber, (const void *)at)) set_unset(fiber, (const void *)at, bytes);
}
extern "C" void sim_end_local(const volatile void *at, unsigned long long bytes) {
  Fiber &fiber = fibers[current];
  if (checking && fiber.unset && is_on_stack(fiber, (const void *)at)) clear_unset(fiber, (const void *)at, bytes);
}

// A variable that may be read at a line before it is written gets an undefined value.
static const char UNSET_VARIABLE[] = "variable ";
extern "C" void sim_fill_unset(void *at, unsigned long long bytes, const char *name, int line) {
  memset(at, (int)(undefined_bits & 0xff), bytes);
  FindingRecord *one = checking ? found(UNINITIALISED, place_of_line(line), 0, LOCAL) : nullptr;
  if (!one) return;
  one->access = READ;
  snprintf(one->text, sizeof one->text, "%s`%s`", UNSET_VARIABLE, name);
}

// Threads that were stopped have left bits behind.
static void forget_locals() {
  for (unsigned i = 0; i < request.stacks->count; i++)
    madvise(request.stacks->at[i] + STACK_BYTES, UNSET_BYTES, MADV_DONTNEED);
}
