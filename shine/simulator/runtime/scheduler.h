// Threads of a block as fibers: who runs next, barriers, and where lanes of a warp meet.
#pragma once
#include <sys/mman.h>

#include "locals.h"

// Stacks are kept between launches, of all libraries, each with a guard page below.
static char *free_stacks[MOST_RESIDENT];
static unsigned free_stack_count;
enum { GUARD_BYTES = 64 * 1024 };

static char *take_stack() {
  if (free_stack_count) return free_stacks[--free_stack_count];
  void *made = mmap(nullptr, GUARD_BYTES + STACK_BYTES + UNSET_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) {
    found(FAULT, 0);
    stop_launch();
  }
  mprotect(made, GUARD_BYTES, PROT_NONE);
  return request.stacks->at[request.stacks->count++] = (char *)made + GUARD_BYTES;
}

static inline uint32_t random_number() {
  random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 24);
}

static inline unsigned random_bit(uint32_t bits) {
  for (unsigned skip = random_number() % (unsigned)__builtin_popcount(bits); skip; skip--) bits &= bits - 1;
  return (unsigned)__builtin_ctz(bits);
}

// The thread to run next by the schedule, or -1.
static inline int next_thread() {
  if (!runnable_warps) return -1;
  unsigned warp = current / LANES;
  if (request.schedule == RANDOM) {
    warp = random_bit(runnable_warps);
    return (int)(warp * LANES + random_bit(runnable[warp]));
  }
  bool up = request.schedule != DESCENDING;
  if (!runnable[warp]) warp = up ? __builtin_ctz(runnable_warps) : 31 - __builtin_clz(runnable_warps);
  uint32_t lanes = runnable[warp];
  return (int)(warp * LANES + (up ? __builtin_ctz(lanes) : 31 - __builtin_clz(lanes)));
}

static inline void set_runnable(unsigned warp, uint32_t lanes) {
  runnable[warp] |= lanes;
  if (lanes) runnable_warps |= 1u << warp;
}
static inline void set_waiting(unsigned thread, FiberState state) {
  fibers[thread].state = state;
  if (!(runnable[thread / LANES] &= ~(1u << thread % LANES))) runnable_warps &= ~(1u << thread / LANES);
  PROFILED(profile_waiting(thread / LANES);)
}

static bool describe_named(FindingRecord &one, unsigned thread);

[[noreturn]] static void report_deadlock() {
  unsigned at_meeting = 0, first = MOST_THREADS, other = MOST_THREADS;
  for (unsigned t = 0; t < threads; t++) {
    if (fibers[t].state == AT_BARRIER && first == MOST_THREADS) first = t;
    if (fibers[t].state == AT_NAMED_BARRIER && first == MOST_THREADS) first = t;
    if (fibers[t].state == AT_MEETING && at_meeting++ == 0) other = t;
  }
  if (first == MOST_THREADS) first = other, other = MOST_THREADS;
  for (unsigned t = first + 1; other == MOST_THREADS && t < threads; t++)
    if ((fibers[t].state == AT_MEETING || fibers[t].state == AT_NAMED_BARRIER) && fibers[t].line != fibers[first].line)
      other = t;
  uint32_t other_place = other < MOST_THREADS ? place_of_line(fibers[other].line) : 0;
  if (FindingRecord *one = found(DEADLOCK, place_of_line(fibers[first].line), other_place)) {
    one->thread = first, one->other_thread = other < MOST_THREADS ? other : first, one->other_block = one->block;
    one->number = at_barrier, one->other_number = at_meeting;
    if (!describe_named(*one, first) && other < MOST_THREADS) describe_named(*one, other);
  }
  stop_launch();
}

[[noreturn]] static __attribute__((noinline)) void out_of_switches() {
  int line = fibers[current].line;
  if (FindingRecord *one = found(BUDGET, line ? place_of_line(line) : 0)) {
    one->number = (int64_t)request.most_switches;
    strcpy(one->text, "switches");
  }
  stop_launch();
}

static void run_fibers();

static void enter(unsigned next) {
  unsigned left = current;
  if (next == left) return;
  if (switches++ == request.most_switches) out_of_switches();
  current = next;
  sim_thread = fibers[next].index;
  if (!fibers[next].started) {
    fibers[next].started = true;
    fibers[next].stack = take_stack();
    fibers[next].context = make_context(fibers[next].stack, STACK_BYTES, next, run_fibers);
  }
  switch_context(&fibers[left].context, fibers[next].context);
}

static void leave_block();

// Under random schedules the blocks of a text with fences are interleaved, as threads are.
// How often blocks may still be left at random in this launch. It is bounded, since all blocks that wait for the one that
// was left take their turns before it runs again.
static unsigned leaves;
static __attribute__((noinline)) void leave_at_random() {
  if (random_number() % 8) return;
  leaves--;
  leave_block();
}

// Where no thread of the block gets on, another block may, for which it waits.
static void leave_until_others_arrive();
static inline int awaited_thread() {
  int next = next_thread();
  while (__builtin_expect(next < 0, 0)) {
    leave_until_others_arrive();
    next = next_thread();
  }
  return next;
}

static inline void run_another() {
  if (__builtin_expect(leaves, 0)) leave_at_random();
  int next = awaited_thread();
  enter((unsigned)next);
}

// A thread that looks at memory, or tries to change it, without effect may wait for another thread: after some such
// looks the next thread has its turn, and after the turns of all its threads another block.
enum : uint32_t { MOST_LOOKS = 64 };
// Where all threads have looked so often and nothing has changed, no thread will get on.
enum : uint64_t { MOST_QUIET_LOOKS = 1 << 22, QUIET_LOOKS_OF_A_THREAD = 1 << 10 };
static uint32_t looks, turns;
static uint64_t all_looks;
static uint64_t resident_threads;
extern "C" {
SIM_HIDDEN unsigned long long sim_quiet;
}

[[noreturn]] static void report_endless_wait();

static void give_turn() {
  unsigned next = current, count = 0;
  for (unsigned warp = 0; warp * LANES < threads; warp++) count += (unsigned)__builtin_popcount(runnable[warp]);
  looks = 0;
  if (++turns > count) {
    turns = 0;
    leave_block();
  }
  do next = next + 1 == threads ? 0 : next + 1;
  while (!(runnable[next / LANES] >> next % LANES & 1));
  enter(next);
}

static void look_once(uint32_t place, bool waits);

static inline void look(uint32_t place, uint32_t weight = 1) {
  if (__builtin_expect(request.schedule == DEFERRING, 0)) return look_once(place, weight >= MOST_LOOKS);
  fibers[current].looked_at = place;
  sim_quiet += weight, all_looks++;
  if ((looks += weight) < MOST_LOOKS) return;
  if (sim_quiet > MOST_QUIET_LOOKS + QUIET_LOOKS_OF_A_THREAD * resident_threads) report_endless_wait();
  give_turn();
}

extern "C" void sim_look(int line) { look(place_of_line(line)); }
extern "C" void sim_yield(int line) { look(place_of_line(line), MOST_LOOKS); }

static void join_orders_of_block();

// Everything before a barrier is before everything after it.
static void release_barrier() {
  PROFILED(profile_barrier(barrier_line);)
  if (checking && alive < threads) {
    unsigned ended_thread = 0;
    while (fibers[ended_thread].state != ENDED) ended_thread++;
    if (FindingRecord *one = found(DIVERGENT_BARRIER, place_of_line(barrier_line))) {
      one->number = alive, one->other_number = threads - alive;
      one->other_thread = ended_thread, one->other_block = one->block;
      for (unsigned t = 0; t < threads; t++)
        if (fibers[t].state == AT_BARRIER) one->thread = t;
    }
  }
  uint32_t latest = base_clock;
  for (unsigned t = 0; t < threads; t++) latest = fibers[t].clock > latest ? fibers[t].clock : latest;
  base_clock = latest + 1;
  if (checking) join_orders_of_block();
  for (unsigned t = 0; t < threads; t++) {
    Fiber &fiber = fibers[t];
    fiber.clock = base_clock;
    if (fiber.state == AT_BARRIER) {
      fiber.state = RUNNABLE;
      set_runnable(t / LANES, 1u << t % LANES);
    }
  }
  barrier_result = barrier_vote == simulator::VOTE_ALL   ? barrier_sum == at_barrier
                   : barrier_vote == simulator::VOTE_ANY ? barrier_sum > 0
                                                         : barrier_sum;
  at_barrier = barrier_sum = 0;
}

static void check_no_named(int line);

extern "C" int sim_syncthreads_vote(int predicate, int vote, int line) {
  Fiber &fiber = fibers[current];
  fiber.line = line;
  set_waiting(current, AT_BARRIER);
  if (at_barrier == 0) {
    barrier_line = line, barrier_vote = vote;
  } else if (barrier_line != line || barrier_vote != vote) {
    FindingRecord *one = found(DIVERGENT_BARRIER, place_of_line(line), place_of_line(barrier_line));
    for (unsigned t = 0; one && t < threads; t++)
      if (fibers[t].state == AT_BARRIER && fibers[t].line == barrier_line) one->other_thread = t;
    if (one) one->other_block = one->block;
  }
  check_no_named(line);
  barrier_sum += predicate != 0;
  if (++at_barrier == alive) release_barrier();
  run_another();
  return (int)barrier_result;
}

extern "C" void sim_syncthreads(int line) { sim_syncthreads_vote(0, simulator::VOTE_COUNT, line); }

[[noreturn]] static void report_mixed_meeting(unsigned thread, unsigned other) {
  Meeting &one = *fibers[thread].meeting, &two = *fibers[other].meeting;
  int kind = one.act == two.act && one.line == two.line ? BAD_MASK : DIVERGENT_BARRIER;
  if (FindingRecord *record = found(kind, place_of_line(one.line), place_of_line(two.line))) {
    record->thread = thread, record->other_thread = other, record->other_block = record->block;
    record->number = one.mask, record->other_number = two.mask;
    strcpy(record->text, "warp");
  }
  stop_launch();
}

// Let the lanes of a mask act once all that have not ended are there; lanes that met elsewhere are a mistake.
static void act_if_complete(unsigned warp, const Meeting &meeting, unsigned thread) {
  uint32_t needed = meeting.mask & ~ended[warp];
  if (needed & ~waiting[warp]) return;
  Meeting *lanes[LANES] = {};
  for (uint32_t left = needed; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left), other = warp * LANES + lane;
    Meeting *its = fibers[other].meeting;
    if (its->mask != meeting.mask || its->act != meeting.act || its->line != meeting.line)
      report_mixed_meeting(thread, other);
    lanes[lane] = its;
  }
  if (meeting.all_lanes && needed != ~0u) {
    if (FindingRecord *one = found(BAD_MASK, place_of_line(meeting.line))) {
      one->thread = thread, one->number = ~needed;
      strcpy(one->text, "matrix");
    }
    stop_launch();
  }
  PROFILED(profile_meeting(meeting, needed);)
  meeting.act(lanes, needed);
  waiting[warp] &= ~needed;
  for (uint32_t left = needed; left; left &= left - 1) fibers[warp * LANES + __builtin_ctz(left)].state = RUNNABLE;
  set_runnable(warp, needed);
}

static void meet(Meeting &meeting) {
  unsigned warp = current / LANES, lane = current % LANES;
  if (!(meeting.mask >> lane & 1)) {
    if (FindingRecord *one = found(BAD_MASK, place_of_line(meeting.line))) {
      one->number = meeting.mask;
      strcpy(one->text, "own");
    }
    stop_launch();
  }
  PROFILED(profile_arrival(meeting);)
  fibers[current].meeting = &meeting;
  fibers[current].line = meeting.line;
  set_waiting(current, AT_MEETING);
  waiting[warp] |= 1u << lane;
  act_if_complete(warp, meeting, current);
  run_another();
}

static void end_copies();
static void end_bulk_copies();
static void end_products();
static void drop_order(unsigned thread);
static void release_named_after_end();
static void end_thread_of_cluster();
static void forget_named_barriers();

// A thread has ended: those that waited for it need not any more.
static void end_thread() {
  if (checking && sim_has_partial_barriers) end_bulk_copies(), end_products();
  if (checking) end_copies();
  end_thread_of_cluster();
  if (checking) drop_order(current);
  unsigned warp = current / LANES;
  set_waiting(current, ENDED);
  ended[warp] |= 1u << current % LANES;
  alive--;
  if (at_barrier && at_barrier == alive) release_barrier();
  if (sim_has_partial_barriers) release_named_after_end();
  for (uint32_t left = waiting[warp]; left; left &= left - 1) {
    unsigned other = warp * LANES + (unsigned)__builtin_ctz(left);
    if (fibers[other].state == AT_MEETING) act_if_complete(warp, *fibers[other].meeting, other);
  }
}

// What runs on every stack: one thread after the other, until one waits on another stack.
static void run_fibers() {
  for (;;) {
    PROFILED(profile_thread_begins(__builtin_frame_address(0));)
    sim_kernels[request.kernel].run(request.arguments);
    end_thread();
    char *stack = fibers[current].stack;
    fibers[current].stack = nullptr;
    Context nowhere;
    if (!alive) {
      free_stacks[free_stack_count++] = stack;
      switch_context(&nowhere, main_context);
    }
    int next = awaited_thread();
    if (fibers[next].started) {
      free_stacks[free_stack_count++] = stack;
      enter((unsigned)next);
    }
    current = (unsigned)next;
    fibers[next].started = true;
    fibers[next].stack = stack;
    sim_thread = fibers[next].index;
  }
}

static void begin_block(Index3 place) {
  PROFILED(profile_block_begins();)
  sim_block = place;
  block_stamp = ++latest_stamp;
  shared_home = block_stamp - cluster_rank;
  base_clock = ++latest_clock;
  alive = threads;
  at_barrier = barrier_sum = 0;
  if (sim_has_partial_barriers) forget_named_barriers();
  looks = turns = 0;
  runnable_warps = 0;
  memset(waiting, 0, sizeof waiting);
  memset(runnable, 0, sizeof runnable);
  memset(ended, 0xff, sizeof ended);
  unsigned t = 0;
  for (unsigned z = 0; z < sim_block_size.z; z++)
    for (unsigned y = 0; y < sim_block_size.y; y++)
      for (unsigned x = 0; x < sim_block_size.x; x++, t++) {
        Fiber &fiber = fibers[t];
        fiber.index = {x, y, z};
        fiber.started = fiber.discards = false, fiber.state = RUNNABLE, fiber.clock = base_clock, fiber.meeting = nullptr;
        fiber.looked_at = fiber.unset = 0, fiber.barrier = 0;
        fiber.looked_memory = fiber.synchronises_at = nullptr, fiber.deferred_at = ~0ull;
        ended[t / LANES] &= ~(1u << t % LANES);
        set_runnable(t / LANES, 1u << t % LANES);
      }
}

// Run the block that has just begun, until its threads have ended or it is left.
static void run_block() {
  current = 0;
  current = (unsigned)next_thread();
  Fiber &first = fibers[current];
  sim_thread = first.index;
  first.started = true;
  first.stack = take_stack();
  first.context = make_context(first.stack, STACK_BYTES, current, run_fibers);
  switch_context(&main_context, first.context);
}

static void note_clocks() {
  for (unsigned t = 0; t < threads; t++)
    latest_clock = fibers[t].clock > latest_clock ? fibers[t].clock : latest_clock;
}
