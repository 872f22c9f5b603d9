// Barriers by number, of which a block has sixteen: at each, as many threads as are said arrive, and those of them that
// wait go on. Threads that only arrive hand on what they did before, and learn nothing.
#pragma once
#include "shadow.h"

enum { NAMED_BARRIERS = 16 };
struct NamedBarrier {
  uint32_t expected, arrived, present, sum;  // expected: 0 for all threads that have not ended
  int line, vote;
  Gathered gathered;
};
static NamedBarrier named_barriers[NAMED_BARRIERS];
static unsigned named_results[MOST_THREADS];

static void forget_named_barriers() { memset(named_barriers, 0, sizeof named_barriers); }

[[noreturn]] static void report_named(const char *reason, int line, int other_line, int64_t number, int64_t other_number,
                                      unsigned id) {
  if (FindingRecord *one = found(BAD_BARRIER, place_of_line(line), other_line ? place_of_line(other_line) : 0)) {
    one->number = number, one->other_number = other_number, one->offset = id;
    one->other_block = one->block;
    strcpy(one->text, reason);
  }
  stop_launch();
}

static inline bool is_complete(const NamedBarrier &barrier) {
  return barrier.expected ? barrier.arrived >= barrier.expected : barrier.present && barrier.present == alive;
}

static void release_named(unsigned id) {
  NamedBarrier &barrier = named_barriers[id];
  PROFILED(profile_barrier(barrier.line);)
  unsigned result = barrier.vote == simulator::VOTE_ALL   ? barrier.sum == barrier.present
                    : barrier.vote == simulator::VOTE_ANY ? barrier.sum > 0
                                                          : barrier.sum;
  for (unsigned t = 0; t < threads; t++) {
    Fiber &fiber = fibers[t];
    if (fiber.barrier != id + 1) continue;
    fiber.barrier = 0;
    named_results[t] = result;
    if (checking) hand_out(barrier.gathered, t);
    if (fiber.state != AT_NAMED_BARRIER) continue;
    fiber.state = RUNNABLE;
    set_runnable(t / LANES, 1u << t % LANES);
  }
  if (checking) drop_gathered(barrier.gathered);
  barrier = {};
}

struct NamedMeeting : Meeting {
  unsigned id, count;  // count: 0 for all threads
  bool waits, predicate;
  int vote;
};

static void check_arrival(const NamedMeeting &its) {
  if (its.id >= NAMED_BARRIERS) report_named("number", its.line, 0, its.id, 0, its.id);
  if (its.count % LANES) report_named("count", its.line, 0, its.count, 0, its.id);
  if (its.id == 0 && at_barrier) report_named("block", its.line, barrier_line, 0, 0, its.id);
  const NamedBarrier &barrier = named_barriers[its.id];
  if (!barrier.present) return;
  if (barrier.expected != its.count)
    report_named("counts", its.line, barrier.line, its.count, barrier.expected, its.id);
  if (its.vote >= 0 && barrier.vote >= 0 && barrier.vote != its.vote)
    report_named("votes", its.line, barrier.line, 0, 0, its.id);
}

static void arrive_at(const NamedMeeting &its, unsigned thread, unsigned counted) {
  NamedBarrier &barrier = named_barriers[its.id];
  if (!barrier.present) barrier.line = its.line, barrier.vote = -1, barrier.expected = its.count;
  if (its.vote >= 0) barrier.vote = its.vote;
  barrier.present++, barrier.arrived += counted, barrier.sum += its.predicate;
  fibers[thread].barrier = its.waits ? (uint8_t)(its.id + 1) : 0;
  if (checking) gather(barrier.gathered, thread);
}

// A warp counts as a whole, also where some of its lanes have ended or never were.
static void arrive_as_warp(Meeting **lanes, unsigned mask) {
  unsigned first = (unsigned)__builtin_ctz(mask), warp = current / LANES * LANES;
  const NamedMeeting &its = *(NamedMeeting *)lanes[first];
  check_arrival(its);
  for (unsigned left = mask; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    const NamedMeeting &other = *(NamedMeeting *)lanes[lane];
    if (other.id != its.id || other.count != its.count) {
      FindingRecord *one = found(DIVERGENT_ARGUMENTS, place_of_line(its.line));
      if (one) one->thread = warp + first, one->other_thread = warp + lane, one->other_block = one->block;
      stop_launch();
    }
    arrive_at(other, warp + lane, lane == first ? (unsigned)LANES : 0);
  }
  if (is_complete(named_barriers[its.id])) release_named(its.id);
}

static void arrive(NamedMeeting &meeting, bool by_warps) {
  sim_quiet = 0;
  if (by_warps) return meet(meeting);
  check_arrival(meeting);
  arrive_at(meeting, current, 1);
  if (is_complete(named_barriers[meeting.id])) release_named(meeting.id);
}

extern "C" void sim_named_arrive(unsigned id, unsigned count, int by_warps, int line) {
  NamedMeeting meeting = {{~0u, line, arrive_as_warp, false}, id, count, false, false, -1};
  if (!count) report_named("count", line, 0, count, 0, id);
  arrive(meeting, by_warps);
}

// Without a count all threads of the block wait.
extern "C" unsigned sim_named_sync(unsigned id, unsigned count, int counts, int by_warps, int predicate, int vote, int line) {
  NamedMeeting meeting = {{~0u, line, arrive_as_warp, false}, id, count, true, predicate != 0, vote};
  if (counts && !count) report_named("count", line, 0, count, 0, id);
  arrive(meeting, by_warps);
  Fiber &fiber = fibers[current];
  if (fiber.barrier) {
    fiber.line = line;
    set_waiting(current, AT_NAMED_BARRIER);
    run_another();
  }
  return named_results[current];
}

// `__syncthreads()` is the barrier with the number 0.
static void check_no_named(int line) {
  if (named_barriers[0].present) report_named("block", line, named_barriers[0].line, 0, 0, 0);
}

// A thread has ended, which barriers of all threads need not wait for any more.
static void release_named_after_end() {
  for (unsigned id = 0; id < NAMED_BARRIERS; id++)
    if (!named_barriers[id].expected && is_complete(named_barriers[id])) release_named(id);
}

// Where threads wait at a barrier by its number: what they wait for.
static bool describe_named(FindingRecord &one, unsigned thread) {
  if (fibers[thread].state != AT_NAMED_BARRIER) return false;
  unsigned id = fibers[thread].barrier - 1u;
  if (id >= NAMED_BARRIERS) {
    strcpy(one.text, "cluster");
    return true;
  }
  const NamedBarrier &barrier = named_barriers[id];
  one.number = barrier.expected ? barrier.arrived : barrier.present;
  one.other_number = barrier.expected ? barrier.expected : alive, one.offset = id;
  strcpy(one.text, "named");
  return true;
}
