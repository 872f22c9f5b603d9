// Finds out which accesses the lanes of a warp make together, and has them counted. Lanes run one after the other here, so
// each notes where it is and what it accesses, and the notes are read as a GPU would run them: of the lanes that are not
// waiting, those in the innermost function at the lowest place in the code take the next step, all that are there at once.
// Notes are bounded: a lane with many leaves the turn to those of its warp that have none.
#pragma once
#include "counts.h"

// A step of a lane: the beginning of a basic block, an access, or a comparison that a branch may depend on.
struct Step {
  uint64_t at;  // of a block: its place in the order of steps
  uint32_t place;
  uint8_t kind, bytes;
};
enum : uint8_t { BLOCK = 0xff, COMPARISON = 0xfe };
enum { ENOUGH_STEPS = 2048 };

struct Lane {
  Step *steps;
  uint32_t first, end, capacity;
  uint64_t order;          // of the block that it is in
  const char *top;         // where its stack began
  uint32_t group, branch;  // the lanes that it was last together with, and what they compared
};
struct ProfiledBlock {
  ProfiledBlock *next;
  Lane lanes[MOST_THREADS];
};
static ProfiledBlock *unused_profiled;
static uint32_t latest_group;

static void begin_profile() {
  count_used = count_capacity = latest_group = 0;
  profiled = nullptr;
}

static void profile_block_begins() {
  profiled = unused_profiled;
  if (profiled) unused_profiled = profiled->next;
  else profiled = (ProfiledBlock *)calloc(1, sizeof *profiled);
  if (!profiled) stop_without_memory();
  for (Lane &lane : profiled->lanes) lane.first = lane.end = lane.group = lane.branch = 0, lane.order = 0;
}
static void profile_block_ends() {
  profiled->next = unused_profiled;
  unused_profiled = profiled;
  profiled = nullptr;
}

static void profile_thread_begins(const void *frame) { profiled->lanes[current].top = (const char *)frame; }

static void note_step(const Step &step) {
  Lane &lane = profiled->lanes[current];
  if (lane.end == lane.capacity) {
    lane.capacity = lane.capacity ? 2 * lane.capacity : 256;
    lane.steps = (Step *)realloc(lane.steps, lane.capacity * sizeof *lane.steps);
    if (!lane.steps) stop_without_memory();
  }
  lane.steps[lane.end++] = step;
}

static inline uint64_t order_of(const Lane &lane) {
  const Step &step = lane.steps[lane.first];
  return step.kind == BLOCK ? step.at : lane.order;
}

// Lanes that were together, of which some are not among those that go on together now, have parted at a branch.
static void count_divergence(Lane *lanes, unsigned count, uint32_t together) {
  for (uint32_t left = together; left; left &= left - 1) {
    Lane &lane = lanes[__builtin_ctz(left)];
    if (!lane.group) continue;
    uint32_t group = lane.group;
    bool parted = false;
    for (unsigned other = 0; other < count; other++)
      parted |= lanes[other].group == group && !(together >> other & 1);
    if (parted) count_at(lane.branch, DIVERGENCE).times++;
    for (unsigned other = 0; other < count; other++)
      if (lanes[other].group == group) lanes[other].group = 0;
  }
}

// The lanes of a group have begun a block together: what they do in it, place by place.
static void count_steps(Lane *lanes, uint32_t together) {
  uint32_t group = ++latest_group, branch = 0;
  for (;;) {
    WarpRequest request = {};
    uint8_t kind = BLOCK;
    for (uint32_t left = together; left; left &= left - 1) {
      Lane &lane = lanes[__builtin_ctz(left)];
      if (lane.first == lane.end || lane.steps[lane.first].kind == BLOCK) continue;
      const Step &step = lane.steps[lane.first];
      if (!request.mask) request.place = step.place, request.bytes = step.bytes, kind = step.kind;
      if (step.place != request.place || step.kind != kind || step.bytes != request.bytes) continue;
      request.mask |= left & -left;
      request.at[__builtin_ctz(left)] = step.at;
      lane.first++;
    }
    if (!request.mask) break;
    if (kind == COMPARISON) branch = request.place;
    else count_request(kind, request);
  }
  for (uint32_t left = together; left; left &= left - 1) {
    Lane &lane = lanes[__builtin_ctz(left)];
    lane.group = group;
    if (branch) lane.branch = branch;
  }
}

// Reads the notes of a warp, until a lane has none that runs, or that waits for others of the warp and may go on with them.
static void read_notes(unsigned warp, bool past_waiting) {
  Lane *lanes = profiled->lanes + warp * LANES;
  unsigned count = threads - warp * LANES < LANES ? threads - warp * LANES : LANES;
  for (;;) {
    uint64_t lowest = ~0ull;
    uint32_t together = 0;
    for (unsigned l = 0; l < count; l++) {
      if (lanes[l].first == lanes[l].end) {
        lanes[l].first = lanes[l].end = 0;
        FiberState state = fibers[warp * LANES + l].state;
        if (state == RUNNABLE || (state != ENDED && !past_waiting)) return;
        continue;
      }
      uint64_t order = order_of(lanes[l]);
      if (order < lowest) lowest = order, together = 0;
      if (order == lowest) together |= 1u << l;
    }
    if (!together) return;
    count_divergence(lanes, count, together);
    bool begins = false;
    for (uint32_t left = together; left; left &= left - 1) {
      Lane &lane = lanes[__builtin_ctz(left)];
      lane.order = lowest;
      if (lane.steps[lane.first].kind != BLOCK) continue;
      begins = true, lane.branch = lane.steps[lane.first].place;
      lane.first++;
    }
    if (begins) count_warp(BASIC_BLOCK, 0, together);
    count_steps(lanes, together);
  }
}

// Where all lanes of a warp are at a barrier, or have ended, nothing more is to come before what they have noted.
static void profile_waiting(unsigned warp) {
  if (runnable[warp]) return;
  for (unsigned t = warp * LANES; t < threads && t < (warp + 1) * LANES; t++)
    if (fibers[t].state == AT_MEETING) return;
  read_notes(warp, true);
}

static void profile_access(const void *at, uint64_t bytes, int access, uint32_t place) {
  if (!profiled) return;
  if (is_no_memory((const char *)at)) return;
  uint32_t kind = kind_of_access((const char *)at, access);
  while (bytes) {
    uint64_t size = MOST_VECTOR_BYTES;
    while (size > bytes || (uint64_t)at % size) size /= 2;
    note_step({address_of((const char *)at), place, (uint8_t)kind, (uint8_t)size});
    at = (const char *)at + size, bytes -= size;
  }
}

static void profile_copy(const void *to, const void *from, int bytes, int read, uint32_t place) {
  if (read) note_step({(uint64_t)from, place, COPY_FROM_GLOBAL, (uint8_t)read});
  note_step({address_of((const char *)to), place, COPY_TO_SHARED, (uint8_t)bytes});
}

static void profile_event(uint32_t kind, uint32_t place, unsigned lanes, uint64_t bytes) {
  CountRecord &record = count_at(place, kind);
  record.times++, record.lanes += lanes, record.bytes += bytes;
}

static void profile_barrier(int line) { count_at(place_of_line(line), BARRIER).times++; }

static void profile_meeting(const Meeting &meeting, unsigned lanes) {
  uint32_t place = place_of_line(meeting.line);
  Meeting *its[LANES];
  for (unsigned lane = 0; lane < LANES; lane++) its[lane] = fibers[current / LANES * LANES + lane].meeting;
  if (meeting.act == multiply_fragments || meeting.act == multiply_quads || meeting.act == multiply_narrow) count_warp(MATRIX_PRODUCT, place, lanes);
  else if (meeting.act == load_matrices || meeting.act == store_matrices)
    count_matrices((const MatricesMeeting *const *)its, ((const MatricesMeeting &)meeting).count,
                   meeting.act == load_matrices, place);
  else if (meeting.act == load_fragment || meeting.act == store_fragment)
    count_fragment((const FragmentMeeting &)meeting, meeting.act == load_fragment, place);
}
// Lanes with different masks may execute one instruction together.
static void profile_arrival(const Meeting &meeting) {
  uint32_t place = place_of_line(meeting.line);
  if (meeting.act == order_lanes) note_step({0, place, WARP_BARRIER, 0});
  else if (meeting.act == vote_lanes) note_step({0, place, VOTE, 0});
  else if (meeting.act == shuffle_lanes && ((const ShuffleMeeting &)meeting).kind != simulator::SHUFFLE_UNCOUNTED)
    note_step({0, place, SHUFFLE, 0});
}

// A basic block of a deeper function comes first, then the lower place in the code.
static void profile_basic_block(const void *code, const void *frame) {
  if (!profiled || alive == 0) return;
  Lane *lane = &profiled->lanes[current];
  if (lane->end - lane->first > ENOUGH_STEPS) {
    unsigned warp = current / LANES;
    read_notes(warp, false);
    lane = &profiled->lanes[current];
    while (lane->end - lane->first > ENOUGH_STEPS) {
      int next = -1;
      for (uint32_t left = runnable[warp]; left && next < 0; left &= left - 1) {
        unsigned other = warp * LANES + (unsigned)__builtin_ctz(left);
        const Lane &its = profiled->lanes[other];
        if (other != current && its.first == its.end) next = (int)other;
      }
      if (next >= 0) enter((unsigned)next);
      read_notes(warp, next < 0);
      if (next < 0) break;
    }
  }
  uint64_t height = UINT32_MAX - (uint64_t)(lane->top - (const char *)frame);
  uint32_t place = place_of_code(code);
  note_step({height << 32 | place, place, BLOCK, 0});
}

static inline void profile_comparison(const void *code) {
  if (profiled && alive) note_step({0, place_of_code(code), COMPARISON, 0});
}

extern "C" {
#define COMPARED(name, T) \
  SIM_HIDDEN void __sanitizer_cov_trace_##name(T, T) { profile_comparison(__builtin_return_address(0)); }
COMPARED(cmp1, uint8_t) COMPARED(cmp2, uint16_t) COMPARED(cmp4, uint32_t) COMPARED(cmp8, uint64_t)
COMPARED(const_cmp1, uint8_t) COMPARED(const_cmp2, uint16_t) COMPARED(const_cmp4, uint32_t) COMPARED(const_cmp8, uint64_t)
COMPARED(cmpf, float) COMPARED(cmpd, double)
SIM_HIDDEN void __sanitizer_cov_trace_switch(uint64_t, uint64_t *) { profile_comparison(__builtin_return_address(0)); }
#undef COMPARED
}
