// What was found wrong, as records that Python reads. Knows no names: places are code offsets or marked lines.
#pragma once
#include <sys/mman.h>

#include "state.h"

enum FindingKind {
  RACE, OUT_OF_BOUNDS, MISALIGNED, UNINITIALISED, DIVERGENT_BARRIER, DEADLOCK, READ_ONLY, BAD_MASK, BUDGET, FAULT,
  TRAP, BAD_INDEX, BAD_STRIDE, DIVERGENT_ARGUMENTS, IN_FLIGHT, NOT_WAITED, BAD_COPY, BAD_BARRIER, NO_PROXY_FENCE, BAD_OPERAND,
  LIFETIME, STALE
};
enum Access { NO_ACCESS, READ, WRITE, ATOMIC, COPY, VOLATILE_READ, VOLATILE_WRITE, ATOMIC_READ };
enum Space { NO_SPACE, STATIC_SHARED, DYNAMIC_SHARED, GLOBAL, LOCAL };
enum { SPACE_BITS = 8 };  // above them, of shared memory of another block, the rank + 1

struct FindingRecord {
  int32_t kind, access, other_access, space, array, size;
  uint32_t place, other_place;
  uint32_t block, thread, other_block, other_thread;
  int64_t offset, number, other_number;
  char text[64];
};

enum { MOST_FINDINGS = 256 };
enum : uint32_t { LINE_MARK = 0x80000000u };
static FindingRecord findings[MOST_FINDINGS];
static unsigned finding_count;

static inline uint32_t place_of_line(int line) { return LINE_MARK | (uint32_t)line; }
static inline uint32_t place_of_code(const void *code) { return (uint32_t)((const char *)code - __ehdr_start); }
static uint32_t number_at(Index3 block) {
  return (block.z * sim_grid_size.y + block.y) * sim_grid_size.x + block.x;
}
static uint32_t block_number() { return number_at(sim_block); }

static Index3 split(uint64_t number, Index3 sizes) {
  return {(unsigned)(number % sizes.x), (unsigned)(number / sizes.x % sizes.y), (unsigned)(number / sizes.x / sizes.y)};
}
// Blocks begin in the order of their clusters, and in each by their ranks.
static Index3 block_at(uint64_t number) {
  Index3 size = sim_cluster_size, clusters = {sim_grid_size.x / size.x, sim_grid_size.y / size.y, sim_grid_size.z / size.z};
  Index3 of = split(number / cluster_size, clusters), in = split(number % cluster_size, size);
  return {of.x * size.x + in.x, of.y * size.y + in.y, of.z * size.z + in.z};
}
static uint32_t number_of_block(uint32_t stamp) { return number_at(block_at(stamp - first_stamp)); }

// A record to fill in, or none where the same was found at the same places before.
static FindingRecord *found(int kind, uint32_t place, uint32_t other_place = 0, int space = NO_SPACE, int array = -1) {
  for (unsigned i = 0; i < finding_count; i++) {
    const FindingRecord &old = findings[i];
    if (old.kind == kind && old.place == place && old.other_place == other_place && old.array == array) return nullptr;
  }
  if (finding_count == MOST_FINDINGS) return nullptr;
  FindingRecord &made = findings[finding_count++];
  memset(&made, 0, sizeof made);
  made.kind = kind, made.place = place, made.other_place = other_place, made.space = space, made.array = array;
  made.block = block_number(), made.thread = current;
  return &made;
}
