// What was found wrong, as records that Python reads. Knows no names: places are code offsets or marked lines.
#pragma once
#include <sys/mman.h>

#include "state.h"

enum FindingKind {
  RACE, OUT_OF_BOUNDS, MISALIGNED, UNINITIALISED, DIVERGENT_BARRIER, DEADLOCK, READ_ONLY, BAD_MASK, BUDGET, FAULT,
  TRAP, BAD_INDEX, BAD_STRIDE, DIVERGENT_ARGUMENTS, IN_FLIGHT, NOT_WAITED, BAD_COPY, BAD_BARRIER, NO_PROXY_FENCE, BAD_OPERAND
};
enum Access { NO_ACCESS, READ, WRITE, ATOMIC, COPY, VOLATILE_READ, VOLATILE_WRITE, ATOMIC_READ };
enum Space { NO_SPACE, STATIC_SHARED, DYNAMIC_SHARED, GLOBAL, LOCAL };

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
static uint32_t block_number() {
  return (sim_block.z * sim_grid_size.y + sim_block.y) * sim_grid_size.x + sim_block.x;
}

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
