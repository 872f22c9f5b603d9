// Every access of a checked kernel: found in its array, or reported. The compiler calls these functions by the names
// of the thread and undefined-behaviour sanitizers, whose own runtimes are not linked.
#pragma once
#include <cstdio>

#include "clusters.h"
#include "deferrals.h"

// In the room between two arrays, the nearer one.
static RARE const Array *nearest_array(uint64_t page) {
  uint64_t pages = arena_bytes / PAGE;
  for (uint64_t by = 1; by <= pages; by++) {
    if (by <= page && page_owner[page - by]) return &globals[page_owner[page - by] - 1];
    if (page + by <= pages && page_owner[page + by]) return &globals[page_owner[page + by] - 1];
  }
  return &globals[0];
}

static inline const Array *array_of(const char *at, int bytes) {
  if (__builtin_expect(cluster_size > 1, 0) && is_in_cluster(at)) return array_of_other(at, bytes);
  if (__builtin_expect(is_in_slots(at), 0)) {
    uint64_t slot = (uint64_t)(at - slots) / SLOT;
    return slot >= 1 && slot <= request.dynamic_count ? &dynamics[slot - 1] : &dynamics[request.dynamic_count];
  }
  if ((const unsigned char *)at >= sim_dynamic_shared &&
      (const unsigned char *)at < sim_dynamic_shared + MOST_DYNAMIC_BYTES) {
    for (unsigned i = 0; i < request.dynamic_count && !apart; i++)
      if (at >= dynamics[i].data && at + bytes <= dynamics[i].data + dynamics[i].bytes) return &dynamics[i];
    return &dynamics[request.dynamic_count];
  }
  if (at >= arena && at < arena + arena_bytes) {
    uint64_t page = (uint64_t)(at - arena) / PAGE;
    if (page_owner[page]) return &globals[page_owner[page] - 1];
    return nearest_array(page);
  }
  if (static_bytes && at >= __start_sim_shared && at < __stop_sim_shared) {
    uint64_t offset = (uint64_t)(at - __start_sim_shared);
    while (offset && !static_owner[offset]) offset--;
    return static_owner[offset] ? &statics[static_owner[offset] - 1] : &statics[0];
  }
  for (unsigned i = first_variable; i < request.buffer_count; i++)
    if (at >= globals[i].data && at < globals[i].data + globals[i].bytes) return &globals[i];
  return nullptr;
}

[[noreturn]] static void report_outside(const Array *array, const Seen &now) {
  FindingRecord *one = found(OUT_OF_BOUNDS, now.place, 0, array ? array->space : NO_SPACE, array ? array->number : -1);
  if (one) {
    one->access = now.access, one->thread = now.thread, one->size = now.bytes;
    one->offset = array ? now.at - array->data : 0;
    one->number = array ? (int64_t)array->bytes : 0;
    if (!array && is_in_cluster(now.at)) strcpy(one->text, "mapped");
    for (unsigned i = 0; !array && i < request.stacks->count; i++)
      if (now.at >= request.stacks->at[i] && now.at < request.stacks->at[i] + STACK_BYTES) one->space = LOCAL;
  }
  stop_launch();
}

static void report_misaligned(const Array *array, const Seen &now, int needed) {
  FindingRecord *one = found(MISALIGNED, now.place, 0, array ? array->space : NO_SPACE, array ? array->number : -1);
  if (one) {
    one->access = now.access, one->thread = now.thread, one->size = now.bytes, one->number = needed;
    one->offset = array ? now.at - array->data : 0;
  }
}

// The array of an access, which is within it; none for constants of the library.
static inline const Array *accessed_array(const Seen &now) {
  const Array *array = array_of(now.at, now.bytes);
  if (!array) {
    if (now.at >= __ehdr_start && now.at + now.bytes <= end_of_library) return nullptr;
    report_outside(nullptr, now);
  }
  if (now.at < array->data || now.at + now.bytes > array->data + array->bytes) report_outside(array, now);
  return array;
}
static inline void access_array(const Array &array, const Seen &now) {
  if (!is_read(now.access) && array.read_only) {
    FindingRecord *one = found(READ_ONLY, now.place, 0, array.space, array.number);
    if (one) one->access = now.access, one->thread = now.thread, one->offset = now.at - array.data, one->size = now.bytes;
  }
  if (is_strong(now.access)) access_cells<true>(array, now);
  else access_cells<false>(array, now);
}
static inline void access_memory(const void *at, int bytes, int access, unsigned thread, uint32_t place) {
  Seen now = {thread, access, place, (const char *)at, bytes};
  const Array *array = accessed_array(now);
  if (!array) return;
  if (__builtin_expect(cluster_size > 1, 0) && is_in_cluster(at)) visit(now, thread, fibers[thread].clock);
  if (__builtin_expect(glances != nullptr, 0) && access == READ && bytes <= 8 && cluster_size == 1)
    note_glance(*array, now.at, bytes, place);
  access_array(*array, now);
}

[[noreturn]] static __attribute__((noinline)) void out_of_steps(uint32_t place) {
  if (FindingRecord *one = found(BUDGET, place)) {
    one->number = (int64_t)request.budget;
    strcpy(one->text, out_of_time ? "time" : "steps");
  }
  stop_launch();
}
// Other threads have their turn now and then even where a thread does not seem to wait. A turn ends between accesses, never
// between what is noted of one and the access itself.
static __attribute__((noinline)) void end_turn(const void *code) {
  if (!steps_beyond) out_of_steps(place_of_code(code));
  uint64_t steps = steps_beyond < MOST_STEPS ? steps_beyond : MOST_STEPS;
  steps_left += (int64_t)steps, steps_beyond -= steps;
  // A thread that did not look once gets on, even if it writes nothing.
  static uint64_t looks_before;
  if (all_looks == looks_before) sim_quiet = 0;
  looks_before = all_looks;
  give_turn();
}

static inline bool is_local(const void *at) { return is_on_stack(fibers[current], at); }

// Plain builds have hooks too, where their text has volatile accesses.
static inline void hook(const void *at, int bytes, int access, const void *code) {
  if (!is_read(access)) sim_quiet = 0;
  PROFILED(if (!is_local(at)) profile_access(at, (uint64_t)bytes, access, place_of_code(code));)
  if (!checking || bytes == 0) return;
  if (is_local(at)) {
    if (fibers[current].unset) access_local(at, bytes, is_read(access), place_of_code(code));
    return;
  }
  steps_left--;
  if (bytes <= 16 && ((uintptr_t)at & (uintptr_t)(bytes - 1)) && !(bytes & (bytes - 1))) {
    Seen now = {current, access, place_of_code(code), (const char *)at, bytes};
    report_misaligned(array_of((const char *)at, bytes), now, bytes);
    stop_launch();
  }
  access_memory(at, bytes, access, current, place_of_code(code));
}

extern "C" void sim_atomic(const void *at, int bytes, int line, int scope, int use, const void *expected) {
  PROFILED(if (!is_local(at)) profile_access(at, (uint64_t)bytes, ATOMIC, place_of_line(line));)
  if (!checking) return;
  atomic_discards = fibers[current].discards, fibers[current].discards = false;
  if (is_local(at)) {
    int kind = use & simulator::USES;
    return access_local(at, bytes, kind == simulator::LOADS || kind == simulator::UPDATES, place_of_line(line));
  }
  if (__builtin_expect(request.schedule == DEFERRING, 0)) defer_if_asked(at, (use & simulator::USES) == simulator::LOADS);
  Seen now = {current, ATOMIC, place_of_line(line), (const char *)at, bytes};
  atomic_scope = scope, atomic_needs_value = (use & simulator::USES) == simulator::UPDATES, atomic_use = use;
  if ((uintptr_t)at & (uintptr_t)(bytes - 1)) {
    report_misaligned(array_of((const char *)at, bytes), now, bytes);
    stop_launch();
  }
  const Array *array = accessed_array(now);
  if (!array) return;
  if (cluster_size > 1 && is_in_cluster(at)) visit(now, current, fibers[current].clock);
  if (expected && confirm_glance(now.at, bytes, expected)) confirm_reads(*array, now.at, bytes);
  if ((use & simulator::USES) == simulator::LOADS || (expected && memcmp(at, expected, (size_t)bytes))) now.access = ATOMIC_READ;
  access_array(*array, now);
}

extern "C" void sim_discard() { fibers[current].discards = true; }

// A volatile read may be a look at what another thread will change.
static inline void hook_volatile(const void *at, int bytes, const void *code) {
  if (!is_local(at)) {
    if (__builtin_expect(request.schedule == DEFERRING, 0)) defer_if_asked(at, true);
    look(place_of_code(code));
  }
  hook(at, bytes, VOLATILE_READ, code);
}
static inline void hook_volatile_write(const void *at, int bytes, const void *code) {
  if (__builtin_expect(request.schedule == DEFERRING, 0) && !is_local(at)) defer_if_asked(at, false);
  hook(at, bytes, VOLATILE_WRITE, code);
}

extern "C" {
#define CODE __builtin_return_address(0)
#define SIM_HOOK(bytes)                                                                        \
  SIM_HIDDEN void __tsan_read##bytes(void *at) { hook(at, bytes, READ, CODE); }                \
  SIM_HIDDEN void __tsan_write##bytes(void *at) { hook(at, bytes, WRITE, CODE); }              \
  SIM_HIDDEN void __tsan_unaligned_read##bytes(void *at) { hook(at, bytes, READ, CODE); }      \
  SIM_HIDDEN void __tsan_unaligned_write##bytes(void *at) { hook(at, bytes, WRITE, CODE); }    \
  SIM_HIDDEN void __tsan_volatile_read##bytes(void *at) { hook_volatile(at, bytes, CODE); }       \
  SIM_HIDDEN void __tsan_volatile_write##bytes(void *at) { hook_volatile_write(at, bytes, CODE); }
SIM_HOOK(1) SIM_HOOK(2) SIM_HOOK(4) SIM_HOOK(8) SIM_HOOK(16)
SIM_HIDDEN void __tsan_read_range(void *at, size_t bytes) { hook(at, (int)bytes, READ, CODE); }
SIM_HIDDEN void __tsan_write_range(void *at, size_t bytes) { hook(at, (int)bytes, WRITE, CODE); }
SIM_HIDDEN void __tsan_init() {}
SIM_HIDDEN void __tsan_func_entry(void *) {}
SIM_HIDDEN void __tsan_func_exit() {}
SIM_HIDDEN void __tsan_vptr_read(void **) {}
SIM_HIDDEN void __tsan_vptr_update(void **, void *) {}
SIM_HIDDEN void *__tsan_memset(void *at, int value, size_t bytes) {
  hook(at, (int)bytes, WRITE, CODE);
  return memset(at, value, bytes);
}
SIM_HIDDEN void *__tsan_memcpy(void *to, const void *from, size_t bytes) {
  hook(from, (int)bytes, READ, CODE);
  hook(to, (int)bytes, WRITE, CODE);
  return memcpy(to, from, bytes);
}
SIM_HIDDEN void *__tsan_memmove(void *to, const void *from, size_t bytes) {
  hook(from, (int)bytes, READ, CODE);
  hook(to, (int)bytes, WRITE, CODE);
  return memmove(to, from, bytes);
}
SIM_HIDDEN void __sanitizer_cov_trace_pc() {
  if (--steps_left < 0) end_turn(CODE);
  PROFILED(profile_basic_block(CODE, __builtin_frame_address(0));)
}

struct SourcePlace {
  const char *file;
  uint32_t line, column;
};
struct TypeName {
  uint16_t kind, info;
  char name[1];
};
struct BadIndex {
  SourcePlace place;
  const TypeName *array, *index;
};
struct BadAddress {
  SourcePlace place;
  const TypeName *type;
  unsigned char alignment_log, check;
};
SIM_HIDDEN void __ubsan_handle_out_of_bounds(BadIndex *data, uintptr_t index) {
  if (FindingRecord *one = found(BAD_INDEX, place_of_line((int)data->place.line), data->place.column)) {
    one->number = (int64_t)index;
    snprintf(one->text, sizeof one->text, "%s", data->array->name);
  }
  stop_launch();
}
SIM_HIDDEN void __ubsan_handle_type_mismatch_v1(BadAddress *data, const void *at) {
  if (!checking) return;
  int needed = 1 << data->alignment_log;
  Seen now = {current, NO_ACCESS, place_of_line((int)data->place.line), (const char *)at, needed};
  report_misaligned(array_of((const char *)at, 1), now, needed);
  stop_launch();
}
}
