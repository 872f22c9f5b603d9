// Where the runtime tells the profile what happens. Only runtimes built for profiles have it: in others every mention of
// it vanishes, so that launches that are not profiled pay nothing.
#pragma once
#include <cstdint>

// Kinds of counts. `profile.py` names them in the same order.
enum Counted : uint32_t {
  GLOBAL_LOAD, GLOBAL_STORE, GLOBAL_ATOMIC, SHARED_LOAD, SHARED_STORE, SHARED_ATOMIC, CONSTANT_LOAD, COPY_FROM_GLOBAL,
  COPY_TO_SHARED, MATRIX_LOAD, MATRIX_STORE, MATRIX_PRODUCT, SHUFFLE, VOTE, WARP_BARRIER, BARRIER, BASIC_BLOCK, DIVERGENCE,
  BULK_FROM_GLOBAL, BULK_TO_GLOBAL, BULK_WITHIN_SHARED, BULK_FROM_SHARED, BULK_TO_SHARED, GROUP_PRODUCT
};
// What was counted at one place. `profile.py` has the same structure.
struct CountRecord {
  uint32_t place, kind;
  uint64_t times, lanes, bytes, sectors, ideal_sectors, passes, ideal_passes, collisions;
};

struct Meeting;

#ifdef SIM_PROFILE
#define PROFILED(...) __VA_ARGS__
static void profile_access(const void *at, uint64_t bytes, int access, uint32_t place);
static void profile_copy(const void *to, const void *from, int bytes, int read, uint32_t place);
static void profile_meeting(const Meeting &meeting, unsigned lanes);
static void profile_arrival(const Meeting &meeting);
static void profile_barrier(int line);
static void profile_event(uint32_t kind, uint32_t place, unsigned lanes, uint64_t bytes);
static void profile_waiting(unsigned warp);
static void profile_block_begins();
static void profile_block_ends();
static void profile_thread_begins(const void *frame);
static void profile_basic_block(const void *code, const void *frame);
struct ProfiledBlock;
static ProfiledBlock *profiled;
static void begin_profile();
#else
#define PROFILED(...)
#endif
