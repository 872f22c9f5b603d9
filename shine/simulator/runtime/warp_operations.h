// What lanes of a warp do together without memory: synchronising, shuffles, votes.
#pragma once
#include "scheduler.h"

static void join_orders_of_lanes(unsigned mask);

// Each lane of the mask learns what the others know, and what they have done.
static void order_lanes(Meeting **, unsigned mask) {
  if (!checking) return;
  unsigned first = current / LANES * LANES;
  uint32_t joined[LANES] = {};
  for (unsigned left = mask; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    for (unsigned l = 0; l < LANES; l++) {
      uint32_t its = known_clock[first + lane][l];
      joined[l] = its > joined[l] ? its : joined[l];
    }
  }
  for (unsigned left = mask; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    uint32_t now = ++fibers[first + lane].clock;
    joined[lane] = now > joined[lane] ? now : joined[lane];
  }
  for (unsigned left = mask; left; left &= left - 1)
    memcpy(known_clock[first + (unsigned)__builtin_ctz(left)], joined, sizeof joined);
  join_orders_of_lanes(mask);
}

extern "C" void sim_syncwarp(unsigned mask, int line) {
  Meeting meeting = {mask, line, order_lanes, false};
  meet(meeting);
}

// What is found of a shuffle whose result is undefined, if anything depends on it.
static const char UNDEFINED_SOURCE[] = "source";

struct ShuffleMeeting : Meeting {
  unsigned long long bits, result;
  int lane, width, kind;
};

// Lanes that have ended have no values to give to a shuffle. Votes and `__syncwarp` may name them, as CUDA allows; all may
// name lanes that the block is too small to have.
static void check_mask(const Meeting &meeting, unsigned mask) {
  unsigned first = current / LANES * LANES, in_block = threads - first;
  unsigned missing = meeting.mask & ~mask & (in_block < LANES ? (1u << in_block) - 1 : ~0u);
  if (!missing) return;
  if (FindingRecord *one = found(BAD_MASK, place_of_line(meeting.line))) {
    one->thread = first + (unsigned)__builtin_ctz(mask);
    one->number = meeting.mask, one->other_number = missing;
    strcpy(one->text, "ended");
  }
}

// Which lane each reads from; where CUDA leaves the result undefined is found out by trying several (see `runtime.cpp`).
static void shuffle_lanes(Meeting **lanes, unsigned mask) {
  check_mask(*lanes[__builtin_ctz(mask)], mask);
  for (unsigned left = mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    ShuffleMeeting &its = *(ShuffleMeeting *)lanes[lane];
    int base = lane & ~(its.width - 1), from = lane;
    switch (its.kind) {
      case simulator::SHUFFLE_INDEX: case simulator::SHUFFLE_UNCOUNTED: from = base + (its.lane & (its.width - 1)); break;
      case simulator::SHUFFLE_UP: from = lane - its.lane < base ? lane : lane - its.lane; break;
      case simulator::SHUFFLE_DOWN: from = lane + its.lane >= base + its.width ? lane : lane + its.lane; break;
      // A lane of a later group is out of reach, one of an earlier group is not.
      default: from = (lane ^ its.lane) >= base + its.width ? lane : lane ^ its.lane;
    }
    from = from < 0 || from >= LANES ? lane : from;
    if (mask >> from & 1) {
      its.result = ((ShuffleMeeting *)lanes[from])->bits;
      continue;
    }
    its.result = undefined_bits;
    bool has_ended = its.mask >> from & 1 && current / LANES * LANES + (unsigned)from < threads;
    FindingRecord *one = checking && !has_ended ? found(BAD_MASK, place_of_line(its.line)) : nullptr;
    if (!one) continue;
    one->thread = current / LANES * LANES + (unsigned)lane;
    one->number = its.mask, one->other_number = from;
    strcpy(one->text, UNDEFINED_SOURCE);
  }
}

extern "C" unsigned long long sim_shuffle(unsigned mask, unsigned long long bits, int lane, int width, int kind,
                                          int line) {
  ShuffleMeeting meeting = {{mask, line, shuffle_lanes, false}, bits, ~0ull, lane, width, kind};
  if (width < 1 || width > LANES || (width & (width - 1))) {
    if (FindingRecord *one = found(BAD_MASK, place_of_line(line))) {
      one->number = width;
      strcpy(one->text, "width");
    }
    stop_launch();
  }
  meet(meeting);
  return meeting.result;
}

struct VoteMeeting : Meeting {
  int predicate, vote;
  unsigned result;
};

static void vote_lanes(Meeting **lanes, unsigned mask) {
  unsigned ballot = 0;
  for (unsigned left = mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    if (((VoteMeeting *)lanes[lane])->predicate) ballot |= 1u << lane;
  }
  for (unsigned left = mask; left; left &= left - 1) {
    VoteMeeting &its = *(VoteMeeting *)lanes[__builtin_ctz(left)];
    its.result = its.vote == simulator::VOTE_BALLOT ? ballot
                 : its.vote == simulator::VOTE_ANY  ? ballot != 0
                 : its.vote == simulator::VOTE_ALL  ? ballot == mask
                                                    : ballot == 0 || ballot == mask;
  }
}

extern "C" unsigned sim_vote(unsigned mask, int predicate, int vote, int line) {
  VoteMeeting meeting = {{mask, line, vote_lanes, false}, predicate, vote, 0};
  meet(meeting);
  return meeting.result;
}

extern "C" unsigned sim_lane() { return current % LANES; }
extern "C" unsigned sim_lane_of(unsigned mask, unsigned rank) {
  for (unsigned skipped = 0; skipped < rank && (mask & (mask - 1)); skipped++) mask &= mask - 1;
  return (unsigned)__builtin_ctz(mask);
}
extern "C" unsigned sim_ranks_of(unsigned mask, unsigned ballot) {
  unsigned found = 0, at = 0;
  for (unsigned left = mask; left; left &= left - 1, at++) found |= (ballot >> __builtin_ctz(left) & 1) << at;
  return found;
}
// CUDA promises no lane but the one that asks: a program that needs others must synchronise with them.
extern "C" unsigned sim_active() { return 1u << current % LANES; }

extern "C" void sim_trap(int line) {
  found(TRAP, place_of_line(line));
  stop_launch();
}

// What tables of virtual functions refer to: functions without a body, and destructors that also free memory, which no
// kernel can allocate.
static void stop_at_fault(const char *what, const void *caller) {
  if (FindingRecord *one = found(FAULT, place_of_code(caller))) strcpy(one->text, what);
  stop_launch();
}
extern "C" void __cxa_pure_virtual() { stop_at_fault("virtual", __builtin_return_address(0)); }
void operator delete(void *) noexcept { stop_at_fault("delete", __builtin_return_address(0)); }
void operator delete(void *, decltype(sizeof 0)) noexcept { stop_at_fault("delete", __builtin_return_address(0)); }
