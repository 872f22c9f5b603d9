// Asynchronous copies from global to shared memory. In a checked launch each arrives as late as it may: where its thread
// waits for it. Until then what it writes holds all ones, and is marked in the shadow as on its way.
#pragma once
#include "hooks.h"

struct Copy {
  char *to;
  const char *from;
  Copy *next;
  uint32_t place, group, number;
  uint8_t bytes, read;
  char seen[16];  // what it read when it began
};
// The copies of a thread in order, and how often it committed what it had begun; how many it has begun, and how many of
// them a barrier in memory tracks.
struct Copies {
  Copy *first, *last;
  uint32_t committed, begun, tracked;
};

enum { MOST_COPIES = 1 << 16 };
static Copy copies[MOST_COPIES];
static Copy *free_copies;
static unsigned used_copies;
static Copies copies_of[MOST_THREADS];

static void forget_copies() {
  free_copies = nullptr, used_copies = 0;
  memset(copies_of, 0, sizeof copies_of);
}

static Copy *take_copy() {
  if (Copy *one = free_copies) {
    free_copies = one->next;
    return one;
  }
  if (used_copies < MOST_COPIES) return &copies[used_copies++];
  if (FindingRecord *one = found(FAULT, 0)) strcpy(one->text, "copies");
  stop_launch();
}

static void report_copy(const char *reason, uint32_t place, int64_t number) {
  if (FindingRecord *one = found(BAD_COPY, place)) {
    one->number = number;
    strcpy(one->text, reason);
  }
  stop_launch();
}

static void check_address(const char *at, int bytes, bool is_shared, uint32_t place) {
  const Array *array = array_of(at, bytes);
  if (array && (array->space == GLOBAL) == is_shared) report_copy(is_shared ? "to" : "from", place, 0);
  if ((uintptr_t)at & (uintptr_t)(bytes - 1)) {
    report_misaligned(array, {current, is_shared ? COPY : READ, place, at, bytes}, bytes);
    stop_launch();
  }
}

extern "C" void sim_copy(void *to, const void *from, unsigned long long bytes, unsigned long long zeros, int line) {
  uint32_t place = place_of_line(line);
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes) report_copy("bytes", place, (int64_t)bytes);
  uint64_t read = bytes - zeros;
  PROFILED(profile_copy(to, from, (int)bytes, (int)read, place);)
  if (!checking) {
    memcpy(to, from, read);
    memset((char *)to + read, 0, zeros);
    return;
  }
  check_address((const char *)to, (int)bytes, true, place);
  if (read) {
    check_address((const char *)from, (int)bytes, false, place);
    access_memory(from, (int)read, READ, current, place);
  }
  access_memory(to, (int)bytes, COPY, current, place);
  Copies &its = copies_of[current];
  Copy *one = take_copy();
  *one = {(char *)to, (const char *)from, nullptr, place, its.committed, its.begun++, (uint8_t)bytes, (uint8_t)read, {}};
  memcpy(one->seen, from, read);
  memset(to, 0xff, bytes);
  (its.first ? its.last->next : its.first) = one;
  its.last = one;
}

extern "C" void sim_commit_copies() { copies_of[current].committed++; }

static void drop_first(Copies &its) {
  Copy *one = its.first;
  its.first = one->next;
  one->next = free_copies;
  free_copies = one;
}

// What a copy of a thread writes is there, written now by the thread, or by who stands for its copies.
static void arrive(const Copy &copy, unsigned of, unsigned by, uint32_t clock) {
  memcpy(copy.to, copy.seen, copy.read);
  memset(copy.to + copy.read, 0, copy.bytes - copy.read);
  const Array &array = *array_of(copy.to, copy.bytes);
  uint64_t offset = (uint64_t)(copy.to - array.data);
  for (uint64_t i = offset >> granule_shift; i <= (offset + copy.bytes - 1) >> granule_shift; i++) {
    Cell &cell = array.cells[i];
    if (cell.write_kind != ON_ITS_WAY || cell.write_thread != of || cell.write_stamp != block_stamp) continue;
    cell.write_kind = PLAIN, cell.write_thread = (uint16_t)by, cell.write_clock = clock;
  }
}

static void check_source(const Copy &copy) {
  if (!copy.read || !memcmp(copy.seen, copy.from, copy.read)) return;
  const Array *array = array_of(copy.from, copy.read);
  const Cell &cell = array->cells[(uint64_t)(copy.from - array->data) >> granule_shift];
  FindingRecord *one = found(IN_FLIGHT, copy.place, cell.write_place, array->space, array->number);
  if (!one) return;
  one->access = COPY, one->other_access = WRITE, one->size = copy.bytes, one->offset = copy.from - array->data;
  one->other_thread = cell.write_thread, one->other_block = number_of_block(cell.write_stamp);
  strcpy(one->text, "source");
}

// All groups but the latest so many arrive.
extern "C" void sim_wait_for_copies(unsigned long long but) {
  if (!checking) return;
  Copies &its = copies_of[current];
  while (its.first && its.first->group + but < its.committed) {
    check_source(*its.first);
    arrive(*its.first, current, current, fibers[current].clock);
    drop_first(its);
  }
}

// No copy may be left where its thread ends, except those that a barrier tracks, nor any where the block ends. What one
// writes stays on its way for who reads it later.
static void end_copies_of(unsigned thread, uint32_t tracked) {
  Copies &its = copies_of[thread];
  for (const Copy *copy = its.first; copy; copy = copy->next) {
    if (copy->number < tracked) continue;
    const Array *array = array_of(copy->to, copy->bytes);
    if (FindingRecord *one = found(NOT_WAITED, copy->place, 0, array->space, array->number))
      one->access = COPY, one->offset = copy->to - array->data, one->size = copy->bytes, one->thread = thread;
  }
  if (its.first && its.first->number < tracked) return;
  while (its.first) drop_first(its);
  its = {};
}
static void end_copies() { end_copies_of(current, copies_of[current].tracked); }
static void end_copies_of_block() {
  for (unsigned t = 0; t < threads; t++) end_copies_of(t, 0);
}
