// Barriers in shared memory (`mbarrier`): phases that end when all expected arrivals were made and all expected bytes of
// copies have come. In a checked launch copies come as late as they may: when a thread looks at the barrier and nothing
// else is missing. Who finds a phase ended learns what those who arrived had done.
#pragma once
#include "copies.h"

struct BulkCopy;
// An arrival to be made when the asynchronous copies that a thread had begun have come.
struct LateArrival {
  LateArrival *next;
  unsigned thread;
  uint32_t before;  // the number of the first copy that does not matter
};
struct MBarrier {
  MBarrier *next;
  char *at;       // where its block has it
  unsigned rank;  // of its block in the cluster
  uint64_t bits;  // that its memory holds
  uint32_t expected, pending, phase, late_count;
  int64_t bytes, bytes_in_flight;  // still expected in this phase; of bulk copies that have begun
  uint32_t place, thread, clock;   // of who initialised it
  Gathered arriving, completed;
  LateArrival *late;
  BulkCopy *copies, *last_copy;
  uint64_t looked[MOST_THREADS / 64];  // threads that have looked in this phase
};
enum : uint64_t { MBARRIER_BITS = 0x5ba441e4ull << 32 };
enum : uint32_t { MOST_ARRIVALS = (1 << 20) - 1 };
static MBarrier *mbarriers;                  // of the block that runs
static MBarrier *awaited[MOST_THREADS];      // where a thread has looked in vain

static void finish_copies(MBarrier &barrier);

static void report_mbarrier(const char *reason, int line, uint32_t other_place, int64_t number, int64_t other_number) {
  if (FindingRecord *one = found(BAD_BARRIER, place_of_line(line), other_place)) {
    one->number = number, one->other_number = other_number, one->other_block = one->block;
    strcpy(one->text, reason);
  }
  stop_launch();
}

static MBarrier *mbarrier_at(const char *at) {
  Place place = place_of(at);
  MBarrier *&all = place.rank == cluster_rank ? mbarriers : cluster->members[place.rank].mbarriers;
  for (MBarrier **one = &all; *one; one = &(*one)->next)
    if ((*one)->at == place.home) {
      MBarrier *its = *one;
      *one = its->next, its->next = all, all = its;
      return its;
    }
  return nullptr;
}

static void write_bits(MBarrier &barrier) {
  barrier.bits = MBARRIER_BITS | barrier.phase;
  memcpy(at_rank(barrier.at, barrier.rank), &barrier.bits, sizeof barrier.bits);
}

static inline bool is_in_other_block(const void *at) { return cluster_size > 1 && place_of(at).rank != cluster_rank; }
static void check_is_own(const char *at, int line) {
  if (is_in_other_block(at)) report_mbarrier("other-block", line, 0, 0, 0);
}

// That a barrier was initialised is known as any write is, or by a fence for it.
static void check_is_initialised(const MBarrier &its, const Seen &now, const Array &array) {
  uint32_t stamp = stamp_of_rank(its.rank);
  if (is_ordered_before(stamp, its.clock, its.thread, now.thread)) return;
  if (proxy_knows(now.thread, TO_BARRIERS, stamp, its.thread, its.clock)) return;
  report_race(now, array, WRITE, stamp, its.thread, its.place);
}

static void check_place_of_mbarrier(const char *at, int line) {
  const Array *array = checking ? array_of(at, 8) : nullptr;
  if (array && array->space == GLOBAL) report_mbarrier("space", line, 0, 0, 0);
  if ((uintptr_t)at % 8) {
    report_misaligned(array, {current, ATOMIC, place_of_line(line), at, 8}, 8);
    stop_launch();
  }
}

// The barrier that an instruction uses, or that a copy will. Its memory must be as the barrier left it.
static MBarrier &use_mbarrier(char *at, bool changes, int line, bool by_copy = false) {
  check_place_of_mbarrier(at, line);
  Seen now = {current, ATOMIC, place_of_line(line), at, 8};
  if (checking && is_in_cluster(at)) living_member(now);
  MBarrier *its = mbarrier_at(at);
  if (!its) report_mbarrier("none", line, 0, 0, 0);
  if (memcmp(at, &its->bits, 8)) report_mbarrier("overwritten", line, its->place, 0, 0);
  if (checking) check_is_initialised(*its, now, *array_of(at, 8));
  if (by_copy && is_in_cluster(at)) return *its;
  int scope = cluster_size > 1 ? simulator::OF_DEVICE : simulator::OF_BLOCK;
  sim_atomic(at, 8, line, scope, changes ? simulator::EXCHANGES : simulator::LOADS, nullptr);
  return *its;
}

extern "C" void sim_mbarrier_init(void *to, unsigned count, int line) {
  char *at = (char *)to;
  check_place_of_mbarrier(at, line);
  check_is_own(at, line);
  if (count < 1 || count > MOST_ARRIVALS) report_mbarrier("arrival-count", line, 0, count, 0);
  if (MBarrier *its = mbarrier_at(at)) report_mbarrier("again", line, its->place, 0, 0);
  if (checking) access_memory(at, 8, WRITE, current, place_of_line(line));
  MBarrier *made = (MBarrier *)take_order(sizeof *made);
  memset(made, 0, sizeof *made);
  made->next = mbarriers, mbarriers = made;
  made->at = at, made->rank = cluster_rank, made->expected = made->pending = count, made->place = place_of_line(line);
  made->thread = current, made->clock = fibers[current].clock;
  write_bits(*made);
  sim_quiet = 0;
  if (!checking) return;
  // Who uses it must know of this, which is seen to be so for each use; otherwise uses need no order.
  const Array &array = *array_of(at, 8);
  for_cells(array, at, 8, [](Cell &cell) { cell.write_kind = ATOMICALLY; });
}

static void drop_mbarrier(MBarrier *its) {
  drop_gathered(its->arriving), drop_gathered(its->completed);
  while (LateArrival *late = its->late) {
    its->late = late->next;
    leave_order(late, sizeof *late);
  }
  leave_order(its, sizeof *its);
}

extern "C" void sim_mbarrier_inval(void *to, int line) {
  check_is_own((char *)to, line);
  MBarrier &its = use_mbarrier((char *)to, true, line);
  if (its.copies || its.late) report_mbarrier("busy", line, its.place, 0, 0);
  if (checking) access_memory(to, 8, WRITE, current, place_of_line(line));
  mbarriers = its.next;
  drop_mbarrier(&its);
}

static void end_phase_if_complete(MBarrier &its) {
  if (its.pending || its.bytes) return;
  its.phase++;
  its.pending = its.expected;
  memset(its.looked, 0, sizeof its.looked);
  write_bits(its);
  sim_quiet = 0;
  if (!checking) return;
  join(its.completed.known, its.arriving.known);
  for (int s = OF_BLOCK; s <= OF_DEVICE; s++) join(its.completed.released[s], its.arriving.released[s]);
  drop_gathered(its.arriving);
}

static uint64_t state_of(const MBarrier &its) { return (uint64_t)its.phase << 32 | its.pending; }

static void arrive_there(MBarrier &its, unsigned count, int line) {
  if (count < 1 || count > MOST_ARRIVALS) report_mbarrier("arrival-count", line, 0, count, 0);
  if (count > its.pending) report_mbarrier("arrivals", line, its.place, its.expected, its.pending);
  its.pending -= count;
  end_phase_if_complete(its);
}

static void expect_bytes(MBarrier &its, unsigned bytes, int line) {
  if (bytes > MOST_ARRIVALS || its.bytes + (int64_t)bytes > MOST_ARRIVALS) report_mbarrier("byte-count", line, its.place, bytes, 0);
  its.bytes += bytes;
}

// Arrive, with bytes to expect before it. The state is that before the arrival.
extern "C" unsigned long long sim_mbarrier_arrive(void *to, unsigned count, unsigned bytes, int releases, int drops, int line) {
  MBarrier &its = use_mbarrier((char *)to, true, line);
  expect_bytes(its, bytes, line);
  uint64_t state = state_of(its);
  if (drops && count > its.expected) report_mbarrier("arrivals", line, its.place, its.expected, its.pending);
  if (drops) its.expected -= count;
  if (checking && releases) gather(its.arriving, current);
  sim_quiet = 0;
  arrive_there(its, count, line);
  return state;
}

extern "C" void sim_mbarrier_expect(void *to, unsigned bytes, int line) {
  expect_bytes(use_mbarrier((char *)to, true, line), bytes, line);
}
extern "C" void sim_mbarrier_complete(void *to, unsigned bytes, int line) {
  MBarrier &its = use_mbarrier((char *)to, true, line);
  its.bytes -= bytes;
  end_phase_if_complete(its);
}

// The copies that a thread has begun will arrive when they have come. Where it `counts`, one more arrival is expected.
extern "C" void sim_mbarrier_arrive_by_copies(void *to, int counts, int line) {
  check_is_own((char *)to, line);
  MBarrier &its = use_mbarrier((char *)to, true, line);
  if (counts) its.pending++;
  if (!checking) return arrive_there(its, 1, line);
  Copies &copies = copies_of[current];
  copies.tracked = copies.begun;
  LateArrival *late = (LateArrival *)take_order(sizeof *late);
  *late = {its.late, current, copies.begun};
  its.late = late, its.late_count++;
}

static void let_copies_arrive(MBarrier &its, int line) {
  while (LateArrival *late = its.late) {
    its.late = late->next, its.late_count--;
    Copies &copies = copies_of[late->thread];
    while (copies.first && copies.first->number < late->before) {
      check_source(*copies.first);
      uint32_t clock = next_copy_clock();
      arrive(*copies.first, late->thread, copier_of(late->thread), clock);
      raise(its.arriving.known, key_of(block_stamp, copier_of(late->thread)), clock + 1);
      drop_first(copies);
    }
    leave_order(late, sizeof *late);
    arrive_there(its, 1, line);
  }
}

// Nothing but copies is missing: they come.
static void let_come(MBarrier &its, int line) {
  if (its.pending < its.late_count) report_mbarrier("arrivals", line, its.place, its.expected, its.pending);
  if (its.pending > its.late_count || (!its.late && !its.copies)) return;
  if (its.bytes_in_flight > its.bytes) report_mbarrier("bytes", line, its.place, its.bytes, its.bytes_in_flight);
  if (its.bytes_in_flight < its.bytes) return;
  finish_copies(its);
  uint32_t phase = its.phase;
  let_copies_arrive(its, line);
  if (phase == its.phase) end_phase_if_complete(its);
}

// Whether a phase has ended: that of a parity, or of a state. Where it has, a checked launch once says that it has not,
// as a device may: who asks must ask again.
extern "C" int sim_mbarrier_test(void *to, int by_parity, unsigned long long which, int acquires, int may_wait, int line) {
  check_is_own((char *)to, line);
  MBarrier &its = use_mbarrier((char *)to, false, line);
  if (by_parity && which > 1) report_mbarrier("parity", line, its.place, (int64_t)which, 0);
  auto has_ended = [&] { return by_parity ? (its.phase & 1) != which : its.phase != (uint32_t)(which >> 32); };
  if (checking && !has_ended()) let_come(its, line);
  if (!by_parity && its.phase - (uint32_t)(which >> 32) > 1) report_mbarrier("state", line, its.place, 0, 0);
  bool ended = has_ended();
  uint64_t &looked = its.looked[current / 64], bit = 1ull << current % 64;
  bool asks_again = !checking || looked & bit;
  looked |= bit;
  if (ended && asks_again) {
    awaited[current] = nullptr;
    if (checking && acquires) hand_out(its.completed, current);
    sim_quiet = 0;
    return 1;
  }
  if (!ended) awaited[current] = &its;
  look(place_of_line(line), may_wait && !ended ? MOST_LOOKS : 1);
  return 0;
}

static void end_mbarriers() {
  while (MBarrier *its = mbarriers) {
    mbarriers = its->next;
    drop_mbarrier(its);
  }
  memset(awaited, 0, threads * sizeof *awaited);
}
static void forget_mbarriers() {
  mbarriers = nullptr;
  memset(awaited, 0, sizeof awaited);
}

static void describe_mbarrier(FindingRecord &one, unsigned thread) {
  const MBarrier *its = awaited[thread];
  if (!its) return;
  one.number = its->pending, one.other_number = its->bytes - its->bytes_in_flight, one.size = (int32_t)(its->phase & 1);
  one.offset = its->expected;
  strcpy(one.text, "mbarrier");
}
