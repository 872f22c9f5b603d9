// Bulk copies and reductions, which the asynchronous proxy makes: what ordinary accesses wrote must have been fenced for it.
// In a checked launch they come as late as they may: with the phase of their barrier, or where their thread waits for
// their group.
#pragma once
#include "copy_operations.h"
#include "mbarriers.h"
#include "tiles.h"

struct BulkCopy {
  BulkCopy *next;
  Tile tile;
  uint32_t place, thread, copier, group, clock;  // the clock at which it reads; it writes at the next
  uint32_t stamp;                                // of the block that has begun it
  unsigned source_rank, rank;                    // of the blocks whose shared memory it reads and writes
  bool into_shared, was_read, is_ordinary;       // the last: by the proxy of ordinary accesses
  int operation, number;
  char *held;  // what it has read, for one that has not written
};
struct BulkCopies {
  BulkCopy *first, *last;
  uint32_t committed;
};
static BulkCopies bulk_copies_of[MOST_THREADS];

static RARE void report_no_fence(const Cell &cell, const Seen &now, const Array &array) {
  FindingRecord *one = found(NO_PROXY_FENCE, now.place, cell.write_place, array.space, array.number);
  if (!one) return;
  one->access = now.access, one->other_access = WRITE, one->thread = now.thread;
  one->other_thread = thread_of(cell.write_thread), one->other_block = number_of_block(cell.write_stamp);
  one->offset = now.at - array.data, one->size = now.bytes;
}

// The last write must be ordered before the copy, and known to its proxy. Additions need no order among themselves.
static void see_write_before_copy(const Cell &cell, const Seen &now, const Array &array, uint32_t oldest, bool adds,
                                  bool is_ordinary) {
  if (cell.write_stamp < oldest) return;
  if (kind_of(cell) == ON_ITS_WAY) {
    report_in_flight(cell, now, array);
    return;
  }
  bool is_own = cell.write_stamp == block_stamp && kind_of(cell) != BY_SEVERAL_BLOCKS;
  bool is_before_it = (is_own && is_written_before(cell, now.thread)) || is_after_write_by_fences(cell, now, array);
  if (adds && kind_of(cell) >= ATOMICALLY) return;
  if (!is_before_it) return report_race(now, array, WRITE, cell.write_stamp, cell.write_thread, cell.write_place);
  uint64_t proxy = array.space == GLOBAL ? TO_GLOBAL_PROXY : TO_SHARED_PROXY;
  if (is_ordinary || is_bulk_copier(cell.write_thread) ||
      proxy_knows(now.thread, proxy, cell.write_stamp, cell.write_thread, cell.write_clock))
    return;
  report_no_fence(cell, now, array);
}

static void copy_reads_cell(Cell &cell, const Seen &now, const Array &array, uint32_t oldest, unsigned by, uint32_t clock) {
  see_write_before_copy(cell, now, array, oldest, false, false);
  if (kind_of(cell) != ON_ITS_WAY) check_is_written(cell, now, array, oldest);
  int slot = 0;
  for (; slot < 2; slot++) {
    if (cell.read_stamp[slot] < oldest) break;
    if (is_ordered_before(cell.read_stamp[slot], cell.read_clock[slot], cell.read_thread[slot] & THREAD, now.thread)) break;
  }
  if (slot == 2) return note_reader(cell, array, block_stamp, by, clock, now.place);
  uint16_t more = slot == 0 && cell.read_stamp[0] >= oldest ? cell.read_thread[0] & MORE : 0;
  cell.read_stamp[slot] = block_stamp, cell.read_clock[slot] = clock, cell.read_place[slot] = now.place;
  cell.read_thread[slot] = (uint16_t)(by | more);
}

static void note_copied_sum(Cell &cell, const Array &array, uint32_t oldest, unsigned by, uint32_t clock) {
  Sync &sync = sync_of(&cell, home_of(array));
  bool live = cell.write_stamp >= oldest && kind_of(cell) >= ATOMICALLY;
  if (!live || kind_of(cell) < BY_LANES) {
    drop(sync.writers);
    if (live) raise(sync.writers, key_of(cell.write_stamp, cell.write_thread), cell.write_clock);
  }
  raise(sync.writers, key_of(block_stamp, by), clock);
  bool others = live && (cell.write_stamp != block_stamp || kind_of(cell) == BY_SEVERAL_BLOCKS);
  cell.write_kind = others ? BY_SEVERAL_BLOCKS : BY_SEVERAL;
}

// In place of lanes, cells that a copy has written have the swizzle of its tensor map.
static void copy_writes_cell(Cell &cell, const Seen &now, const Array &array, uint32_t oldest, unsigned copier,
                             uint32_t clock, bool adds, bool is_ordinary, int swizzle) {
  see_write_before_copy(cell, now, array, oldest, adds, is_ordinary);
  for (int slot = 0; slot < 2; slot++) {
    uint32_t stamp = cell.read_stamp[slot];
    unsigned by = cell.read_thread[slot] & THREAD;
    if (stamp < oldest || is_ordered_before(stamp, cell.read_clock[slot], by, now.thread)) continue;
    report_race(now, array, READ, stamp, by, cell.read_place[slot]);
  }
  if (cell.read_thread[0] & MORE && cell.read_stamp[0] >= oldest) see_more_readers(cell, now, array);
  if (adds) note_copied_sum(cell, array, oldest, copier, clock);
  else cell.write_kind = ON_ITS_WAY, cell.write_lanes = (uint32_t)swizzle, cell.read_stamp[0] = cell.read_stamp[1] = 0;
  cell.write_stamp = block_stamp, cell.write_clock = clock, cell.write_place = now.place;
  cell.write_thread = (uint16_t)copier, cell.write_array = array.owner;
}

static const Array &array_of_copy(const Seen &now, int space, const char *reason) {
  const Array *array = accessed_array(now);
  if (!array || (array->space == GLOBAL) != (space == GLOBAL)) report_copy(reason, now.place, 0);
  return *array;
}
static void see_copy_read(const BulkCopy &copy, const char *at, uint64_t bytes, int space) {
  Seen now = {copy.thread, COPY, copy.place, at, (int)bytes};
  const Array &array = array_of_copy(now, space, space == GLOBAL ? "from" : "from-shared");
  uint32_t oldest = home_of(array);
  if (copy.rank != cluster_rank && array.space != GLOBAL) note_read_by_copy(copy.copier, copy.clock, copy.place);
  for_cells(array, at, bytes, [&](Cell &cell) { copy_reads_cell(cell, now, array, oldest, copy.copier, copy.clock); });
}
static void see_copy_write(const BulkCopy &copy, char *at, uint64_t bytes, int space) {
  Seen now = {copy.thread, COPY, copy.place, at, (int)bytes};
  const Array &array = array_of_copy(now, space, space == GLOBAL ? "to-global" : "to");
  if (array.read_only) {
    FindingRecord *one = found(READ_ONLY, now.place, 0, array.space, array.number);
    if (one) one->access = COPY, one->offset = at - array.data, one->size = now.bytes;
  }
  uint32_t oldest = home_of(array);
  if (is_in_cluster(at)) visit(now, copy.copier, copy.clock + 1);
  for_cells(array, at, bytes, [&](Cell &cell) {
    copy_writes_cell(cell, now, array, oldest, copy.copier, copy.clock + 1, copy.operation != simulator::COPIES,
                     copy.is_ordinary, copy.tile.swizzle);
  });
}

// Calls `each(from, to, bytes)` for the pieces of a copy, which lie together, where they are while the running block runs.
// Without a source are those outside of a tensor, and what the copy holds; without a target those outside of a tensor.
template <class F> static void for_pieces_of(const BulkCopy &copy, F each) {
  for_pieces(copy.tile, [&](char *shared, char *other, uint64_t bytes) {
    if (copy.tile.within_shared && other) other = at_rank(other, copy.source_rank);
    shared = at_rank(shared, copy.into_shared ? copy.rank : copy.source_rank);
    if (copy.into_shared) each(other, shared, bytes);
    else each(shared, other, bytes);
  });
}

// What a copy has read is held until it writes.
static void read_all(BulkCopy &copy) {
  copy.was_read = true;
  if (copy.into_shared) return;
  copy.held = (char *)take_order(copy.tile.bytes);
  char *held = copy.held;
  for_pieces_of(copy, [&](char *from, char *, uint64_t bytes) { memcpy(held, from, bytes), held += bytes; });
}
static void write_all(BulkCopy &copy) {
  const char *held = copy.held;
  for_pieces_of(copy, [&](char *from, char *to, uint64_t bytes) {
    const char *source = held ? held : from;
    if (held) held += bytes;
    if (to && source) put(copy.operation, copy.number, to, source, bytes);
    else if (to) memset(to, 0, bytes);
    if (!checking || !to || copy.operation != simulator::COPIES) return;
    for_cells(*array_of(to, (int)bytes), to, bytes, [&](Cell &cell) {
      if (kind_of(cell) == ON_ITS_WAY && cell.write_clock == copy.clock + 1) cell.write_kind = PLAIN;
    });
  });
}

static void drop_bulk(BulkCopy *copy) {
  if (copy->held) leave_order(copy->held, copy->tile.bytes);
  leave_order(copy, sizeof *copy);
}

#ifdef SIM_PROFILE
// A copy is an instruction of one thread, which moves bytes in both memories; elements outside of a tensor are not read. To
// several blocks it reads once.
static void profile_bulk(const BulkCopy &copy, bool reads) {
  uint64_t read = 0, written = 0;
  for_pieces_of(copy, [&](char *from, char *to, uint64_t bytes) {
    if (from) read += bytes;
    if (to) written += bytes;
  });
  if (copy.held) return profile_event(BULK_WITHIN_SHARED, copy.place, 1, written);
  if (copy.tile.within_shared || !copy.into_shared) profile_event(BULK_FROM_SHARED, copy.place, 1, read);
  else if (reads) profile_event(BULK_FROM_GLOBAL, copy.place, 1, read);
  uint32_t target = !copy.into_shared ? BULK_TO_GLOBAL : copy.tile.within_shared ? BULK_WITHIN_SHARED : BULK_TO_SHARED;
  profile_event(target, copy.place, 1, written);
}
#endif

// The barrier of a copy must be known to the proxy of copies.
static void check_barrier_of_copy(const MBarrier &its, uint32_t place) {
  uint32_t stamp = stamp_of_rank(its.rank);
  if (proxy_knows(current, TO_BARRIERS, stamp, its.thread, its.clock)) return;
  const Array *array = array_of(at_rank(its.at, its.rank), 8);
  FindingRecord *one = found(NO_PROXY_FENCE, place, its.place, array->space, array->number);
  if (!one) return;
  one->access = COPY, one->other_access = WRITE, one->other_thread = its.thread, one->other_block = number_of_block(stamp);
  one->offset = at_rank(its.at, its.rank) - array->data, one->size = 8;
}

// What a copy is to do. Shared memory is given by where the block that begins it accesses it.
struct Asked {
  Tile tile;
  bool into_shared;
  int operation, number;
  void *barrier;
  const void *value;  // what it writes, where that is in no memory
  int line;
  bool has_read = false;  // for another block, by the same instruction
};

static void begin_bulk(const Asked &asked) {
  uint32_t place = place_of_line(asked.line);
  const Tile &tile = asked.tile;
  MBarrier *its = asked.barrier ? &use_mbarrier((char *)asked.barrier, false, asked.line, true) : nullptr;
  Place shared = place_of(tile.shared);
  if (its && its->rank != shared.rank) report_copy("barrier-of-another", place, 0);
  BulkCopy *copy = (BulkCopy *)take_order(sizeof *copy);
  memset(copy, 0, sizeof *copy);
  copy->tile = tile, copy->tile.shared = shared.home, copy->place = place, copy->thread = current;
  copy->group = bulk_copies_of[current].committed, copy->stamp = block_stamp, copy->into_shared = asked.into_shared;
  copy->rank = asked.into_shared ? shared.rank : cluster_rank, copy->source_rank = cluster_rank;
  copy->operation = asked.operation, copy->number = asked.number, copy->is_ordinary = asked.value != nullptr;
  if (asked.value) {
    copy->held = (char *)take_order(tile.bytes);
    memcpy(copy->held, asked.value, tile.bytes);
  }
  sim_quiet = 0;
  PROFILED(profile_bulk(*copy, !asked.has_read);)
  if (!checking) {
    write_all(*copy);
    drop_bulk(copy);
    if (its) its->bytes -= (int64_t)tile.bytes, end_phase_if_complete(*its);
    return;
  }
  copy->copier = next_bulk_copier(current), copy->clock = next_copy_clock(), next_copy_clock();
  if (its && !copy->is_ordinary) check_barrier_of_copy(*its, place);
  int source = asked.into_shared && !tile.within_shared ? (int)GLOBAL : (int)STATIC_SHARED;
  int target = asked.into_shared ? (int)STATIC_SHARED : (int)GLOBAL;
  for_pieces_of(*copy, [&](char *from, char *to, uint64_t bytes) {
    if (from) see_copy_read(*copy, from, bytes, source);
    if (to) see_copy_write(*copy, to, bytes, target);
    if (asked.into_shared && asked.operation == simulator::COPIES) memset(to, 0xff, bytes);
  });
  if (its) {
    (its->copies ? its->last_copy->next : its->copies) = copy;
    its->last_copy = copy, its->bytes_in_flight += (int64_t)tile.bytes;
  } else {
    BulkCopies &mine = bulk_copies_of[current];
    (mine.first ? mine.last->next : mine.first) = copy;
    mine.last = copy;
  }
}

// To the same place of each block of the cluster that the mask names, with the barrier at the same place of that block.
static void begin_multicast(Asked asked, unsigned ranks) {
  uint32_t place = place_of_line(asked.line);
  if (!ranks || ranks >> cluster_size) report_copy("mask", place, (int64_t)ranks);
  char *shared = place_of(asked.tile.shared).home, *barrier = place_of(asked.barrier).home;
  for (unsigned left = ranks; left; left &= left - 1) {
    unsigned rank = (unsigned)__builtin_ctz(left);
    asked.tile.shared = at_rank(shared, rank), asked.barrier = at_rank(barrier, rank);
    begin_bulk(asked);
    asked.has_read = true;
  }
}

static void finish_copies(MBarrier &barrier) {
  while (BulkCopy *copy = barrier.copies) {
    barrier.copies = copy->next;
    write_all(*copy);
    raise(barrier.arriving.known, key_of(copy->stamp, copy->copier), copy->clock + 2);
    barrier.bytes -= (int64_t)copy->tile.bytes, barrier.bytes_in_flight -= (int64_t)copy->tile.bytes;
    drop_bulk(copy);
  }
}

extern "C" void sim_commit_bulk() { bulk_copies_of[current].committed++; }

// All groups but the latest so many have read what they copy, or have also written it.
extern "C" void sim_wait_for_bulk(unsigned long long but, int reads_only) {
  if (!checking) return;
  BulkCopies &mine = bulk_copies_of[current];
  for (BulkCopy *copy = mine.first; copy && copy->group + but < mine.committed; copy = copy->next) {
    if (!copy->was_read) read_all(*copy);
    learn_of_copier(current, copy->copier, copy->clock + (reads_only ? 1 : 2));
  }
  while (!reads_only && mine.first && mine.first->group + but < mine.committed) {
    BulkCopy *copy = mine.first;
    mine.first = copy->next;
    write_all(*copy);
    drop_bulk(copy);
  }
}

static void report_not_waited(const BulkCopy &copy) {
  bool told = false;
  for_pieces_of(copy, [&](char *from, char *to, uint64_t) {
    char *shared = copy.into_shared ? to : from;
    const Array *array = told ? nullptr : array_of(shared, 1);
    if (!array) return;
    told = true;
    FindingRecord *one = found(NOT_WAITED, copy.place, 0, array->space, array->number);
    if (!one) return;
    one->access = COPY, one->offset = shared - array->data, one->size = (int32_t)copy.tile.bytes;
    one->thread = copy.thread, one->other_thread = copy.thread, one->block = number_of_block(copy.stamp);
    strcpy(one->text, copy.into_shared ? "mbarrier" : "bulk");
  });
}

// Memory that a copy reads must stay until it was read; what it writes is there when the kernel has ended.
static void end_bulk_copies() {
  BulkCopies &mine = bulk_copies_of[current];
  while (BulkCopy *copy = mine.first) {
    mine.first = copy->next;
    if (!copy->was_read) report_not_waited(*copy);
    write_all(*copy);
    drop_bulk(copy);
  }
  mine = {};
}
static void end_bulk_copies_of_block() {
  for (MBarrier *its = mbarriers; its; its = its->next)
    while (BulkCopy *copy = its->copies) {
      its->copies = copy->next;
      report_not_waited(*copy);
      drop_bulk(copy);
    }
}
static void forget_bulk_copies() { memset(bulk_copies_of, 0, sizeof bulk_copies_of); }

static void check_bulk(const char *to, const char *from, uint64_t bytes, uint32_t place) {
  if (bytes % 16) report_copy("bulk-bytes", place, (int64_t)bytes);
  const char *both[] = {to, from};
  for (const char *at : both)
    if ((uintptr_t)at % 16) {
      report_misaligned(checking ? array_of(at, 16) : nullptr, {current, COPY, place, at, (int)bytes}, 16);
      stop_launch();
    }
}

// A multicast is to the blocks of a cluster whose bits `ranks` has.
extern "C" void sim_bulk_into_shared(void *to, const void *from, unsigned bytes, void *barrier, int within_shared, int operation,
                                     int number, unsigned ranks, int multicast, int line) {
  check_bulk((const char *)to, (const char *)from, bytes, place_of_line(line));
  if (!bytes) return;
  Tile tile = plain_tile((char *)to, (char *)from, bytes, within_shared);
  Asked asked = {tile, true, operation, number, barrier, nullptr, line};
  if (multicast) begin_multicast(asked, ranks);
  else begin_bulk(asked);
}
extern "C" void sim_bulk_into_global(void *to, const void *from, unsigned bytes, int operation, int number, int line) {
  check_bulk((const char *)to, (const char *)from, bytes, place_of_line(line));
  if (!bytes) return;
  begin_bulk({plain_tile((char *)from, (char *)to, bytes, false), false, operation, number, nullptr, nullptr, line});
}
extern "C" void sim_tile_into_shared(void *to, const void *map, const int *coordinates, int rank, const int *offsets, void *barrier,
                                     unsigned ranks, int multicast, int line) {
  Tile tile = tile_of((char *)to, (const char *)map, coordinates, rank, offsets, line);
  Asked asked = {tile, true, simulator::COPIES, 0, barrier, nullptr, line};
  if (multicast) begin_multicast(asked, ranks);
  else begin_bulk(asked);
}
extern "C" void sim_tile_into_global(const void *map, const void *from, const int *coordinates, int rank, const int *offsets,
                                     int operation, int line) {
  Tile tile = tile_of((char *)from, (const char *)map, coordinates, rank, offsets, line);
  begin_bulk({tile, false, operation, tile.number, nullptr, nullptr, line});
}
// A store, or an operation, that completes as copies do, but uses the proxy of ordinary accesses.
extern "C" void sim_store_async(void *to, const void *value, int bytes, void *barrier, int operation, int number, int line) {
  if ((uintptr_t)to % (uintptr_t)bytes) {
    report_misaligned(checking ? array_of((char *)to, bytes) : nullptr, {current, COPY, place_of_line(line), (char *)to, bytes}, bytes);
    stop_launch();
  }
  begin_bulk({plain_tile((char *)to, nullptr, (uint64_t)bytes, false), true, operation, number, barrier, value, line});
}
