// Where memory of a launch lies, and what each access is to: the caller's arrays with room between them, static and
// dynamic shared arrays. Decides whether an access is within its array; knows nothing of races.
#pragma once
#include <sys/mman.h>

#include "scheduler.h"

struct Cell;

// An array that kernels may access. `owner` tells shared arrays apart that share bytes, and so cells.
struct Array {
  char *data;
  uint64_t bytes;
  Cell *cells;
  int space, number;
  bool read_only;
  uint8_t owner;
};

enum : uint64_t {
  PAGE = 256,                     // arrays begin at multiples of it, as allocations on a device do
  SLOT = 512 * 1024,              // each array that lies apart has its own: no offset leads from one to another
  SLOT_ALIGNMENT = 1024,
  MOST_ARRAYS = 255,
};

static Array globals[MOST_ARRAYS], statics[MOST_ARRAYS], dynamics[MOST_ARRAYS + 1];
static char *arena;
static uint64_t arena_bytes;
static uint8_t *page_owner;    // per PAGE of the arena: the number of its buffer + 1
static uint8_t *static_owner;  // per byte of static shared memory: the number of its array + 1
static char *slots;            // of arrays that lie apart: those of dynamic shared memory, those within static arrays
static bool apart, has_slots;  // whether dynamic shared memory is in slots; whether anything is
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
    globals[i] = {data, buffer.bytes, nullptr, GLOBAL, (int)i, buffer.read_only != 0, (uint8_t)i};
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

static inline uint64_t bytes_of_slots() { return has_slots ? (request.dynamic_count + 2) * SLOT : 0; }
static inline bool is_in_slots(const char *at) { return has_slots && at >= slots && at < slots + bytes_of_slots(); }
static inline bool is_in_slot(const ArrayPlace &place) { return place.within || apart; }

static void place_shared_arrays() {
  static_bytes = (uint64_t)(__stop_sim_shared - __start_sim_shared);
  for (unsigned i = 0; i < request.static_count; i++) {
    const ArrayPlace &place = request.static_arrays[i];
    statics[i] = {__start_sim_shared + place.offset, place.bytes, nullptr, STATIC_SHARED, (int)i, false, (uint8_t)i};
  }
  if (checking && static_bytes) {
    static_owner = (uint8_t *)reserve(static_bytes);
    for (unsigned i = 0; i < request.static_count; i++)
      memset(static_owner + request.static_arrays[i].offset, (int)i + 1, request.static_arrays[i].bytes);
  }
  unsigned within_static = 0;
  for (unsigned i = 0; i < request.dynamic_count; i++) within_static += request.dynamic_arrays[i].within > 0;
  apart = sim_dynamic_apart && request.dynamic_count > within_static;
  has_slots = apart || within_static;
  if (has_slots) slots = reserve(bytes_of_slots());
  for (unsigned i = 0; i < request.dynamic_count; i++) {
    const ArrayPlace &place = request.dynamic_arrays[i];
    char *around = place.within ? statics[place.within - 1].data : (char *)sim_dynamic_shared;
    char *data = around + place.offset;
    if (is_in_slot(place)) data = slots + (i + 1) * SLOT + (uint64_t)data % SLOT_ALIGNMENT;
    dynamics[i] = {data, place.bytes, nullptr, DYNAMIC_SHARED, (int)i, false, (uint8_t)(request.static_count + i)};
  }
  // All of it, for what lies in no array, or where no arrays were named.
  dynamics[request.dynamic_count] = {apart ? slots : (char *)sim_dynamic_shared, apart ? 0 : request.dynamic_bytes,
                                     nullptr, DYNAMIC_SHARED, -1, false,
                                     (uint8_t)(request.static_count + request.dynamic_count)};
}

extern "C" unsigned char *sim_dynamic(unsigned long long offset) {
  if (!apart) return sim_dynamic_shared + offset;
  const Array *around = nullptr;
  for (unsigned i = 0; i < request.dynamic_count; i++) {
    const ArrayPlace &place = request.dynamic_arrays[i];
    if (place.within) continue;
    if (offset == place.offset) return (unsigned char *)dynamics[i].data;
    if (offset > place.offset && offset < place.offset + place.bytes) around = &dynamics[i];
  }
  if (around) return (unsigned char *)around->data + (offset - request.dynamic_arrays[around->number].offset);
  return (unsigned char *)slots + offset % SLOT;  // in no array: the first slot, which holds none
}
// What a pointer of the text points to, which it declares to be at an offset of dynamic memory or of a static array.
extern "C" void *sim_array_at(unsigned pointer, const void *memory, unsigned long long offset) {
  for (unsigned i = 0; i < request.dynamic_count; i++) {
    const ArrayPlace &place = request.dynamic_arrays[i];
    if (place.pointer != pointer + 1 || place.offset != offset) continue;
    if (place.within ? memory == statics[place.within - 1].data : !memory || memory == sim_dynamic_shared)
      return dynamics[i].data;
  }
  return memory ? (char *)memory + offset : (char *)sim_dynamic(offset);
}

// Shared memory of a new block holds all ones, which as floating-point numbers are NaNs.
static void poison_shared_arrays() {
  for (unsigned i = 0; i < request.static_count; i++) memset(statics[i].data, 0xff, statics[i].bytes);
  for (unsigned i = 0; i < request.dynamic_count; i++)
    if (is_in_slot(request.dynamic_arrays[i])) memset(dynamics[i].data, 0xff, dynamics[i].bytes);
  if (!apart && request.dynamic_bytes)
    memset(sim_dynamic_shared, 0xff, request.dynamic_bytes);
}

static void give_back_memory() {
  give_back(variables_before, variable_bytes());
  variables_before = nullptr;
  give_back(page_owner, arena_bytes / PAGE + 1);
  give_back(static_owner, static_bytes);
  give_back(slots, bytes_of_slots());
  arena = slots = nullptr, has_slots = false, page_owner = static_owner = nullptr;
}
