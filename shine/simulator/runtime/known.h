// What threads know of what others did: for threads of any block the clock before which all they did is known.
// Sets of such clocks are shared until they change. Their memory is a launch's, and bounded.
#pragma once
#include "memory.h"

enum : uint64_t { ORDER_BYTES = 1ull << 30, LEAST_ORDER_BYTES = 64, ORDER_SIZES = 40 };
static char *order_memory;
static uint64_t order_used;
static void *unused_order[ORDER_SIZES];

static unsigned size_class(uint64_t bytes) {
  return bytes <= LEAST_ORDER_BYTES ? 6 : 64 - (unsigned)__builtin_clzll(bytes - 1);
}

static void *take_order(uint64_t bytes) {
  unsigned size = size_class(bytes);
  if (void *taken = unused_order[size]) {
    unused_order[size] = *(void **)taken;
    return taken;
  }
  if (!order_memory) order_memory = reserve(ORDER_BYTES);
  if (order_used + (1ull << size) > ORDER_BYTES) {
    if (FindingRecord *one = found(FAULT, 0)) strcpy(one->text, "order");
    stop_launch();
  }
  void *taken = order_memory + order_used;
  order_used += 1ull << size;
  return taken;
}
static void leave_order(void *data, uint64_t bytes) {
  unsigned size = size_class(bytes);
  *(void **)data = unused_order[size];
  unused_order[size] = data;
}
static void give_back_order() {
  give_back(order_memory, ORDER_BYTES);
  order_memory = nullptr, order_used = 0;
  memset(unused_order, 0, sizeof unused_order);
}

// A thread, or all threads of a block; what each did before its clock. Keys are not 0, as no block has stamp 0.
enum : uint64_t { ALL_THREADS = 0xffff };
static inline uint64_t key_of(uint32_t stamp, uint64_t thread) { return (uint64_t)stamp << 16 | thread; }
struct Entry {
  uint64_t key;
  uint32_t clock, version;
};
// A table by keys, of a size that is a power of two. What is made of a table by adding to it is of the same line and older:
// it contains the earlier one. Only one continues a line, other copies begin their own.
struct Known {
  uint32_t references, count, size, line, age, is_continued;
  Entry entries[];
};
static uint32_t lines;

static uint64_t bytes_of_known(uint32_t size) { return sizeof(Known) + size * sizeof(Entry); }

static Known *make_known(uint32_t size) {
  Known *made = (Known *)take_order(bytes_of_known(size));
  *made = {1, 0, size, ++lines, 0, 0};
  memset(made->entries, 0, size * sizeof(Entry));
  return made;
}
static inline Known *share(Known *known) {
  if (known) known->references++;
  return known;
}
static inline void drop(Known *&known) {
  if (known && --known->references == 0) leave_order(known, bytes_of_known(known->size));
  known = nullptr;
}
static inline void set_known(Known *&place, Known *known) {
  share(known);
  drop(place);
  place = known;
}

static inline const Entry *place_in(const Known *known, uint64_t key) {
  uint32_t last = known->size - 1, at = (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> 32) & last;
  while (known->entries[at].key && known->entries[at].key != key) at = (at + 1) & last;
  return &known->entries[at];
}
static inline uint32_t clock_of(const Known *known, uint64_t key) { return known ? place_in(known, key)->clock : 0; }

static void insert(Known *&known, const Entry &entry) {
  if (known->count * 4 >= known->size * 3) {
    Known *wider = make_known(known->size * 2);
    for (uint32_t i = 0; i < known->size; i++)
      if (known->entries[i].key) *(Entry *)place_in(wider, known->entries[i].key) = known->entries[i];
    wider->count = known->count;
    wider->line = known->line, wider->age = known->age, wider->is_continued = known->is_continued;
    drop(known);
    known = wider;
  }
  Entry *place = (Entry *)place_in(known, entry.key);
  if (!place->key) known->count++;
  *place = entry;
}

// All that a thread (or all threads of a block) did before a clock is known from now on.
static void raise(Known *&known, uint64_t key, uint32_t clock, uint32_t version = 0) {
  if (!known) known = make_known(4);
  if (clock_of(known, key) >= clock) return;
  if (known->references > 1) {
    Known *own = make_known(known->size);
    memcpy(own->entries, known->entries, known->size * sizeof(Entry));
    own->count = known->count;
    if (!known->is_continued) own->line = known->line, own->age = known->age;
    known->is_continued = 1;
    drop(known);
    known = own;
  } else if (known->is_continued) {
    known->line = ++lines, known->is_continued = 0;
  }
  known->age++;
  insert(known, {key, clock, version});
}

static bool contains(const Known *known, const Known *other) {
  for (uint32_t i = 0; i < other->size; i++)
    if (other->entries[i].key && clock_of(known, other->entries[i].key) < other->entries[i].clock) return false;
  return true;
}

static void join(Known *&known, Known *other) {
  if (!other || known == other) return;
  if (known && known->line == other->line) return other->age > known->age ? set_known(known, other) : void();
  if (!known || (other->count >= known->count && contains(other, known))) return set_known(known, other);
  for (uint32_t i = 0; i < other->size; i++)
    if (other->entries[i].key) raise(known, other->entries[i].key, other->entries[i].clock);
}

static inline bool knows(const Known *known, uint32_t stamp, unsigned thread, uint32_t clock) {
  return known && (clock < clock_of(known, key_of(stamp, thread)) || clock < clock_of(known, key_of(stamp, ALL_THREADS)));
}
