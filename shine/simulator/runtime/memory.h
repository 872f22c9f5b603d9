// Where memory of a launch lies, and what each access is to: the caller's arrays with room between them, static and
// dynamic shared arrays. Decides whether an access is within its array; knows nothing of races.
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
  PAGE = 256,                     // arrays begin at multiples of it, as allocations on a device do
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

[[noreturn]] static void stop_without_memory() {
  if (FindingRecord *one = found(FAULT, 0)) strcpy(one->text, "memory");
  stop_launch();
}
static char *reserve(uint64_t bytes) {
  void *made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made != MAP_FAILED) return (char *)made;
  stop_without_memory();
}
static void give_back(void *data, uint64_t bytes) {
  if (data) munmap(data, bytes);
}

static inline uint64_t rounded(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

// The arrays lie where the caller put them, with at least as much room around as the largest takes.
static void place_buffers() {
  arena = request.memory, arena_bytes = request.memory_bytes;
  if (!arena) stop_without_memory();
  if (checking) page_owner = (uint8_t *)reserve(arena_bytes / PAGE + 1);
  for (unsigned i = 0; i < request.buffer_count; i++) {
    const Buffer &buffer = request.buffers[i];
    char *data = buffer.is_variable ? (char *)&sim_kernel_count + (int64_t)buffer.offset : arena + buffer.offset;
    globals[i] = {data, buffer.bytes, nullptr, GLOBAL, (int)i, buffer.read_only != 0};
    if (checking && !buffer.is_variable)
      memset(page_owner + buffer.offset / PAGE, (int)i + 1, rounded(buffer.bytes + 1, PAGE) / PAGE);
  }
  for (unsigned i = 0; i < request.pointer_count; i++) {
    const uint64_t *pointer = request.pointers[i];
    *(char **)request.arguments[pointer[0]] = globals[pointer[1]].data + pointer[2];
  }
}

// The variables of the library come after the caller's arrays in a checked launch.
static uint64_t variable_bytes() {
  uint64_t bytes = 0;
  for (unsigned i = first_variable; i < request.buffer_count; i++) bytes += request.buffers[i].bytes;
  return bytes;
}
static void keep_variables() {
  first_variable = 0;
  while (first_variable < request.buffer_count && !request.buffers[first_variable].is_variable) first_variable++;
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

enum : uint64_t { EMPTY_DIGEST = 0xcbf29ce484222325u, DIGEST_FACTOR = 0x100000001b3u };
static uint64_t digest;  // of what a launch left that had undefined values

static uint64_t digest_with(uint64_t digest, const char *data, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at++) digest = (digest ^ (unsigned char)data[at]) * DIGEST_FACTOR;
  return digest;
}
// Of all memory that a kernel may write.
static uint64_t digest_of_memory() {
  uint64_t digest = EMPTY_DIGEST;
  for (unsigned i = 0; i < request.buffer_count; i++)
    if (!globals[i].read_only) digest = digest_with(digest, globals[i].data, globals[i].bytes);
  return digest;
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
  give_back(page_owner, arena_bytes / PAGE + 1);
  give_back(static_owner, static_bytes);
  give_back(slots, (request.dynamic_count + 2) * SLOT);
  arena = slots = nullptr, page_owner = static_owner = nullptr;
}
