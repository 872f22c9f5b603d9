// Where memory of a launch lies, and what each access is to: copies of the caller's buffers with room between them,
// static and dynamic shared arrays. Decides whether an access is within its array; knows nothing of races.
#pragma once
#include <sys/mman.h>

#include "scheduler.h"

struct Cell;

// An array that kernels may access. Shared arrays have their bytes' number in all shared memory, for what shares them.
struct Array {
  char *data;
  uint64_t bytes;
  Cell *cells;
  int space, number;
  bool read_only;
};

enum : uint64_t {
  PAGE = 256,                     // copies begin at multiples of it, as allocations on a device do
  LEAST_GAP = 64 * 1024,          // between copies, and before the first
  SLOT = 512 * 1024,              // each dynamic array lies in its own: no shared offset leads to another
  SLOT_ALIGNMENT = 1024,
  MOST_ARRAYS = 255,
};

static Array globals[MOST_ARRAYS], statics[MOST_ARRAYS], dynamics[MOST_ARRAYS + 1];
static char *arena;
static uint64_t arena_bytes;
static uint8_t *page_owner;    // per PAGE of the arena: the number of its buffer + 1
static uint8_t *static_owner;  // per byte of static shared memory: the number of its array + 1
static char *slots;            // dynamic shared memory where its arrays lie apart
static bool apart;
static unsigned first_variable;  // buffers from here on are variables of the library, which stay in their places
static char *variables_before;   // what they held, for a launch that is begun again
static uint64_t static_bytes;

static char *reserve(uint64_t bytes) {
  void *made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made != MAP_FAILED) return (char *)made;
  if (FindingRecord *one = found(FAULT, 0)) strcpy(one->text, "memory");
  stop_launch();
}
static void give_back(void *data, uint64_t bytes) {
  if (data) munmap(data, bytes);
}

static inline uint64_t rounded(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

// Copy buffers to places of their own, with at least as much room around as the largest takes.
static void stage_buffers() {
  uint64_t gap = LEAST_GAP;
  for (unsigned i = 0; i < request.buffer_count; i++)
    gap = request.buffers[i].bytes > gap ? request.buffers[i].bytes : gap;
  gap = rounded(gap < (64u << 20) ? gap : (64u << 20), PAGE);
  arena_bytes = gap;
  for (unsigned i = 0; i < request.buffer_count; i++)
    arena_bytes += rounded(request.buffers[i].bytes + 1, PAGE) + gap;
  arena = reserve(arena_bytes);
  if (checking) page_owner = (uint8_t *)reserve(arena_bytes / PAGE);
  uint64_t at = gap;
  for (unsigned i = 0; i < request.buffer_count; i++) {
    Buffer &buffer = request.buffers[i];
    uint64_t taken = rounded(buffer.bytes + 1, PAGE);
    char *data = buffer.staged ? arena + at : buffer.data;
    globals[i] = {data, buffer.bytes, nullptr, GLOBAL, (int)i, buffer.read_only != 0};
    if (buffer.staged) {
      memcpy(data, buffer.data, buffer.bytes);
      if (checking) memset(page_owner + at / PAGE, (int)i + 1, taken / PAGE);
    }
    at += taken + gap;
  }
  for (unsigned i = 0; i < request.pointer_count; i++) {
    const uint64_t *pointer = request.pointers[i];
    *(char **)request.arguments[pointer[0]] = globals[pointer[1]].data + pointer[2];
  }
}

// The variables of the library come after the caller's buffers, which a checked launch copies.
static uint64_t variable_bytes() {
  uint64_t bytes = 0;
  for (unsigned i = first_variable; i < request.buffer_count; i++) bytes += request.buffers[i].bytes;
  return bytes;
}
static void keep_variables() {
  first_variable = checking ? 0 : request.buffer_count;
  while (first_variable < request.buffer_count && request.buffers[first_variable].staged) first_variable++;
  if (!variable_bytes()) return;
  variables_before = reserve(variable_bytes());
  char *to = variables_before;
  for (unsigned i = first_variable; i < request.buffer_count; to += request.buffers[i++].bytes)
    memcpy(to, globals[i].data, request.buffers[i].bytes);
}
static void put_variables_back() {
  const char *from = variables_before;
  for (unsigned i = first_variable; from && i < request.buffer_count; from += request.buffers[i++].bytes)
    memcpy(globals[i].data, from, request.buffers[i].bytes);
}

static void unstage_buffers(bool keep) {
  for (unsigned i = 0; keep && i < request.buffer_count; i++) {
    const Buffer &buffer = request.buffers[i];
    if (buffer.staged && !buffer.read_only) memcpy(buffer.data, globals[i].data, buffer.bytes);
  }
}

static void place_shared_arrays() {
  static_bytes = (uint64_t)(__stop_sim_shared - __start_sim_shared);
  for (unsigned i = 0; i < request.static_count; i++) {
    const ArrayPlace &place = request.static_arrays[i];
    statics[i] = {__start_sim_shared + place.offset, place.bytes, nullptr, STATIC_SHARED, (int)i, false};
  }
  if (checking && static_bytes) {
    static_owner = (uint8_t *)reserve(static_bytes);
    for (unsigned i = 0; i < request.static_count; i++)
      memset(static_owner + request.static_arrays[i].offset, (int)i + 1, request.static_arrays[i].bytes);
  }
  apart = sim_dynamic_apart && request.dynamic_count > 0;
  if (apart) slots = reserve((request.dynamic_count + 2) * SLOT);
  for (unsigned i = 0; i < request.dynamic_count; i++) {
    const ArrayPlace &place = request.dynamic_arrays[i];
    char *data = apart ? slots + (i + 1) * SLOT + place.offset % SLOT_ALIGNMENT
                       : (char *)sim_dynamic_shared + place.offset;
    dynamics[i] = {data, place.bytes, nullptr, DYNAMIC_SHARED, (int)i, false};
  }
  // All of it, for what lies in no array, or where no arrays were named.
  dynamics[request.dynamic_count] = {apart ? slots : (char *)sim_dynamic_shared, apart ? 0 : request.dynamic_bytes,
                                     nullptr, DYNAMIC_SHARED, -1, false};
}

extern "C" unsigned char *sim_dynamic(unsigned long long offset) {
  if (!apart) return sim_dynamic_shared + offset;
  const Array *around = nullptr;
  for (unsigned i = 0; i < request.dynamic_count; i++) {
    const ArrayPlace &place = request.dynamic_arrays[i];
    if (offset == place.offset) return (unsigned char *)dynamics[i].data;
    if (offset > place.offset && offset < place.offset + place.bytes) around = &dynamics[i];
  }
  if (around) return (unsigned char *)around->data + (offset - request.dynamic_arrays[around->number].offset);
  return (unsigned char *)slots + offset % SLOT;  // in no array: the first slot, which holds none
}

// Shared memory of a new block holds all ones, which as floating-point numbers are NaNs.
static void poison_shared_arrays() {
  for (unsigned i = 0; i < request.static_count; i++) memset(statics[i].data, 0xff, statics[i].bytes);
  if (apart)
    for (unsigned i = 0; i < request.dynamic_count; i++) memset(dynamics[i].data, 0xff, dynamics[i].bytes);
  else if (request.dynamic_bytes)
    memset(sim_dynamic_shared, 0xff, request.dynamic_bytes);
}

static void give_back_memory() {
  give_back(variables_before, variable_bytes());
  variables_before = nullptr;
  give_back(arena, arena_bytes);
  give_back(page_owner, arena_bytes / PAGE);
  give_back(static_owner, static_bytes);
  give_back(slots, (request.dynamic_count + 2) * SLOT);
  arena = slots = nullptr, page_owner = static_owner = nullptr;
}
