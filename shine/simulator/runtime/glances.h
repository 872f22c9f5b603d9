// Plain reads whose value a compare-and-swap confirms. CUDA's guide makes atomic operations of others this way: it reads
// a number, computes another, and swaps if the first is still there. Such a read is not ordered after the atomic operations of
// others, and need not be: what it found only counts if it is found again. So where it meets one, the race is not reported
// before its thread has read the same again, or the launch ends, without a swap that expects what was read.
#pragma once
#include "memory.h"

// The latest plain read of a thread at a place, and the atomic operation that it is not ordered with, if any.
struct Glance {
  const char *at;
  uint64_t value;
  int64_t offset;
  uint32_t stamp, place, other_stamp, other_place;
  uint16_t thread, other_thread;
  uint8_t bytes, space;
  bool is_confirmed, is_race;
  int number;
};
enum : uint64_t { MOST_GLANCES = 1 << 14 };
static Glance *glances;

static RARE void report_glance(Glance &glance) {
  glance.is_race = false;
  FindingRecord *one = found(RACE, glance.place, glance.other_place, glance.space, glance.number);
  if (!one) return;
  one->access = READ, one->other_access = ATOMIC;
  one->thread = glance.thread, one->block = number_of_block(glance.stamp);
  one->other_thread = glance.other_thread, one->other_block = number_of_block(glance.other_stamp);
  one->offset = glance.offset, one->size = glance.bytes;
}

static void begin_glances() {
  if (sim_has_exchanges) glances = (Glance *)reserve(MOST_GLANCES * sizeof(Glance));
}
static void end_glances() {
  for (uint64_t i = 0; glances && i < MOST_GLANCES; i++)
    if (glances[i].is_race) report_glance(glances[i]);
  give_back(glances, MOST_GLANCES * sizeof(Glance));
  glances = nullptr;
}

static inline Glance &place_of_glance(const char *at, uint32_t stamp, unsigned thread) {
  uint64_t key = (uintptr_t)at ^ (uint64_t)stamp << 20 ^ (uint64_t)thread << 44;
  return glances[key * 0x9e3779b97f4a7c15ull >> 50];
}
static inline Glance *find_glance(const char *at, uint32_t stamp, unsigned thread) {
  Glance &glance = place_of_glance(at, stamp, thread);
  return glance.at == at && glance.stamp == stamp && glance.thread == thread ? &glance : nullptr;
}

static void note_glance(const Array &array, const char *at, int bytes, uint32_t place) {
  Glance &glance = place_of_glance(at, block_stamp, current);
  if (glance.is_race) report_glance(glance);
  glance = {};
  glance.at = at, glance.stamp = block_stamp, glance.thread = (uint16_t)current, glance.bytes = (uint8_t)bytes;
  memcpy(&glance.value, at, (size_t)bytes);
  glance.offset = at - array.data, glance.place = place, glance.space = (uint8_t)array.space, glance.number = array.number;
}

// Whether a race of a plain read with an atomic operation is not one, or not yet: the read may be confirmed.
static bool may_be_confirmed(const char *at, uint32_t stamp, unsigned thread, uint32_t other_stamp, unsigned other_thread,
                             uint32_t other_place) {
  Glance *glance = glances ? find_glance(at, stamp, thread) : nullptr;
  if (!glance) return false;
  if (glance->is_confirmed || glance->is_race) return true;
  glance->is_race = true;
  glance->other_stamp = other_stamp, glance->other_thread = (uint16_t)other_thread, glance->other_place = other_place;
  return true;
}

// Whether the thread's compare-and-swap expects what the thread has read there.
static bool confirm_glance(const char *at, int bytes, const void *expected) {
  Glance *glance = glances ? find_glance(at, block_stamp, current) : nullptr;
  if (!glance || glance->bytes != bytes || memcmp(&glance->value, expected, (size_t)bytes)) return false;
  glance->is_confirmed = true, glance->is_race = false;
  return true;
}
