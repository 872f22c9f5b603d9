// Order by fences: what a thread did before a fence is before what another does after one, where between them the one
// has stored to a place, atomically or as volatile, and the other has read that from it. A fence or an atomic operation of
// block scope orders threads of one block only. A barrier also stands for the fence after a read.
// An operation that reads and stores keeps what earlier ones left at the place; a store replaces it.
#pragma once
#include "known.h"

using simulator::OF_BLOCK, simulator::OF_DEVICE;

// What was stored to a place when a thread read it last.
struct Heard {
  struct Sync *from;
  uint32_t version;
};
// Of a thread: what it knows; what it would know with a fence; what its stores make known to who reads them. By scope.
struct Order {
  Known *acquired, *seen[2], *released[2];
  uint32_t fence_clock, hearings;
  Heard heard[4];
};
static Order orders[MOST_THREADS];
static bool is_ordered;  // whether any thread of the block knows anything
static Heard heard_by_all[8];
static uint32_t hearings_of_all;

// What stores to a place make known: to all, to threads of a block; and who has stored where several have.
struct Part {
  Part *next;
  uint32_t stamp;
  Known *known;
};
struct Sync {
  const Cell *cell;
  uint32_t home;  // of shared memory the block
  Known *device, *writers, *readers;  // the last two where a cell has no room for all
  Known *observers;  // who has read, atomically or as volatile, what was stored last
  Part *parts;
  Known *stored;  // by whom, and at which version, with or without a fence
  uint32_t version;
};
// By addresses of cells, in a table whose size is a power of two.
static Sync **syncs;
static uint64_t sync_count, sync_size;

static void forget_block_order() {
  is_ordered = false;
  hearings_of_all = 0;
  memset(heard_by_all, 0, sizeof heard_by_all);
}

static void forget_order() {
  give_back_order();
  syncs = nullptr, sync_count = sync_size = 0;
  memset(orders, 0, sizeof orders);
  forget_block_order();
}

static Sync **place_of_sync(Sync **table, uint64_t size, const Cell *cell) {
  uint64_t at = ((uintptr_t)cell * 0x9e3779b97f4a7c15ull >> 32) & (size - 1);
  while (table[at] && table[at]->cell != cell) at = (at + 1) & (size - 1);
  return &table[at];
}

static void forget_stores(Sync &sync) {
  drop(sync.device);
  while (Part *part = sync.parts) {
    sync.parts = part->next;
    drop(part->known);
    leave_order(part, sizeof *part);
  }
}

// The cells of shared memory are used again by later blocks.
static Sync *find_sync(const Cell *cell, uint32_t home) {
  if (!sync_count) return nullptr;
  Sync *found = *place_of_sync(syncs, sync_size, cell);
  if (found && found->home != home) {
    forget_stores(*found);
    drop(found->writers), drop(found->readers), drop(found->observers);
    found->home = home;
  }
  return found;
}

static Sync &sync_of(const Cell *cell, uint32_t home) {
  if (Sync *there = find_sync(cell, home)) return *there;
  if (sync_count * 4 >= sync_size * 3) {
    uint64_t wider = sync_size ? 2 * sync_size : 64;
    Sync **table = (Sync **)take_order(wider * sizeof *table);
    memset(table, 0, wider * sizeof *table);
    for (uint64_t i = 0; i < sync_size; i++)
      if (syncs[i]) *place_of_sync(table, wider, syncs[i]->cell) = syncs[i];
    if (syncs) leave_order(syncs, sync_size * sizeof *syncs);
    syncs = table, sync_size = wider;
  }
  Sync *made = (Sync *)take_order(sizeof *made);
  *made = {cell, home, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0};
  *place_of_sync(syncs, sync_size, cell) = made;
  sync_count++;
  return *made;
}

static Part *part_of_block(Sync &sync) {
  Part *part = sync.parts;
  while (part && part->stamp != block_stamp) part = part->next;
  return part;
}

// All that a thread knows now, and has done; it is said to know of itself too, so that one table serves for both.
static Known *all_known(unsigned thread) {
  Fiber &fiber = fibers[thread];
  fiber.clock++;
  Known *&all = orders[thread].acquired;
  raise(all, key_of(block_stamp, ALL_THREADS), base_clock);
  raise(all, key_of(block_stamp, thread), fiber.clock);
  for (unsigned lane = 0, first = thread / LANES * LANES; lane < LANES; lane++)
    if (known_clock[thread][lane] > base_clock) raise(all, key_of(block_stamp, first + lane), known_clock[thread][lane]);
  return share(all);
}

static void fence(int scope) {
  Order &mine = orders[current];
  is_ordered = true;
  for (int s = OF_BLOCK; s <= scope; s++) {
    join(mine.acquired, mine.seen[s]);
    drop(mine.seen[s]);
  }
  for (int s = OF_BLOCK; s <= scope; s++) drop(mine.released[s]);
  Known *all = all_known(current);
  mine.fence_clock = fibers[current].clock;
  for (int s = OF_BLOCK; s <= scope; s++) set_known(mine.released[s], all);
  drop(all);
}

extern "C" void sim_fence(int scope) {
  if (checking) fence(scope);
  if (leaves) leave_at_random();
}

// What a read of a place learns, with a fence after it or at once; what a store there makes known.
static void learn(const Cell *cell, uint32_t home, unsigned thread, int scope, bool acquires) {
  Sync *sync = find_sync(cell, home);
  if (!sync) return;
  Order &its = orders[thread];
  if (Part *part = part_of_block(*sync)) join(acquires ? its.acquired : its.seen[OF_BLOCK], part->known);
  if (scope == OF_DEVICE) join(acquires ? its.acquired : its.seen[OF_DEVICE], sync->device);
  is_ordered = true;
}
static void make_known_at(const Cell *cell, uint32_t home, unsigned thread, int scope, bool replaces, bool releases) {
  Order &its = orders[thread];
  if (replaces)
    if (Sync *sync = find_sync(cell, home)) forget_stores(*sync);
  if (!its.released[OF_BLOCK] && !releases) return;
  Sync &sync = sync_of(cell, home);
  Part *part = part_of_block(sync);
  if (!part) {
    part = (Part *)take_order(sizeof *part);
    *part = {sync.parts, block_stamp, nullptr};
    sync.parts = part;
  }
  join(part->known, its.released[OF_BLOCK]);
  if (scope == OF_DEVICE) join(sync.device, its.released[OF_DEVICE]);
  if (!releases) return;
  is_ordered = true;
  Known *all = all_known(thread);
  join(part->known, all);
  if (scope == OF_DEVICE) join(sync.device, all);
  drop(all);
}

// Threads that meet at a barrier know what each of them knows, and release what each has released.
static void join_orders(const unsigned *met, unsigned count) {
  Order all = {};
  for (unsigned i = 0; i < count; i++) {
    Order &its = orders[met[i]];
    join(all.acquired, its.acquired);
    for (int s = OF_BLOCK; s <= OF_DEVICE; s++) {
      join(all.acquired, its.seen[s]);
      join(all.released[s], its.released[s]);
      drop(its.seen[s]);
    }
  }
  for (unsigned i = 0; i < count; i++) {
    Order &its = orders[met[i]];
    set_known(its.acquired, all.acquired);
    for (int s = OF_BLOCK; s <= OF_DEVICE; s++) set_known(its.released[s], all.released[s]);
  }
  drop(all.acquired), drop(all.released[OF_BLOCK]), drop(all.released[OF_DEVICE]);
}

static void hear(Heard *heard, uint32_t places, uint32_t &hearings, const Heard &now);

static void join_orders_of_block() {
  if (!is_ordered) return;
  unsigned met[MOST_THREADS], count = 0;
  for (unsigned t = 0; t < threads; t++) {
    if (fibers[t].state == ENDED) continue;
    met[count++] = t;
    for (uint32_t i = 0; i < 4 && i < orders[t].hearings; i++) hear(heard_by_all, 8, hearings_of_all, orders[t].heard[i]);
  }
  join_orders(met, count);
}
static void join_orders_of_lanes(unsigned mask) {
  if (!is_ordered) return;
  unsigned met[LANES], count = 0;
  for (unsigned left = mask; left; left &= left - 1) met[count++] = current / LANES * LANES + (unsigned)__builtin_ctz(left);
  join_orders(met, count);
}

// Copies are made by others than the threads that begin them, whose own clocks are later than all of threads: no barrier
// orders what they do, except those that wait for them. Bulk copies that follow each other have different copiers, as they
// come in any order. Those of `cp.async` use the proxy of ordinary accesses.
enum : uint32_t { BULK_COPIERS = MOST_THREADS, COPIERS = 2 * MOST_THREADS, COPIERS_IN_TURN = 64, FIRST_COPY_CLOCK = 1u << 31 };
static uint32_t copy_clock = FIRST_COPY_CLOCK, bulk_copier_count;
static uint16_t begun_by[COPIERS_IN_TURN];
static unsigned next_bulk_copier(unsigned thread) {
  unsigned turn = bulk_copier_count++ % COPIERS_IN_TURN;
  begun_by[turn] = (uint16_t)thread;
  return BULK_COPIERS + turn;
}
static inline unsigned copier_of(unsigned thread) { return COPIERS + thread; }
static inline bool is_bulk_copier(unsigned thread) { return thread / MOST_THREADS == 1; }
// The thread itself, or the one that began a copy.
static inline unsigned thread_of(unsigned copier) {
  return is_bulk_copier(copier) ? begun_by[copier - BULK_COPIERS] : copier % MOST_THREADS;
}
static inline uint32_t next_copy_clock() { return copy_clock++; }
static void learn_of_copier(unsigned thread, unsigned copier, uint32_t clock) {
  is_ordered = true;
  raise(orders[thread].acquired, key_of(block_stamp, copier), clock);
}

// Keys that differ in one of these bits stand for what the asynchronous proxy may see: by a fence for shared or global
// memory, or of barriers in memory that were initialised.
enum : uint64_t { TO_SHARED_PROXY = 0x4000, TO_GLOBAL_PROXY = 0x2000, TO_BARRIERS = 0x1000 };
static inline bool is_of_proxy(uint64_t key) {
  uint64_t thread = key & ALL_THREADS;
  return thread >= 0x8000 ? thread != ALL_THREADS : (thread & 0x7000) != 0;
}
static void fence_proxy(uint64_t proxies) {
  is_ordered = true;
  Known *all = all_known(current);
  for (uint32_t i = 0; i < all->size; i++) {
    const Entry &one = all->entries[i];
    if (!one.key || is_of_proxy(one.key)) continue;
    for (uint64_t proxy = TO_BARRIERS; proxy <= TO_SHARED_PROXY; proxy *= 2)
      if (proxies & proxy) raise(orders[current].acquired, one.key ^ proxy, one.clock);
  }
  drop(all);
}
// That a block has begun, as its first clock; of no thread.
enum : uint64_t { BEGIN = 3 * MOST_THREADS };
static inline bool is_of_barriers(uint64_t key) {
  uint64_t thread = key & ALL_THREADS;
  return thread >= 0x8000 ? !(thread & TO_BARRIERS) : (thread & TO_BARRIERS) != 0;
}
static bool proxy_knows(unsigned thread, uint64_t proxy, uint32_t stamp, unsigned by, uint32_t clock) {
  const Known *known = orders[thread].acquired;
  return clock < clock_of(known, key_of(stamp, by) ^ proxy) || clock < clock_of(known, key_of(stamp, ALL_THREADS) ^ proxy);
}
extern "C" void sim_fence_proxy(int proxies) {
  if (checking) fence_proxy((uint64_t)proxies << 12);
}

// What threads bring to a barrier that only some of them wait at, and what those take from it.
struct Gathered {
  Known *known, *released[2];
};
static void gather(Gathered &all, unsigned thread) {
  Order &its = orders[thread];
  Known *known = all_known(thread);
  is_ordered = true;
  join(all.known, known);
  drop(known);
  for (int s = OF_BLOCK; s <= OF_DEVICE; s++) join(all.known, its.seen[s]), join(all.released[s], its.released[s]);
}
static void hand_out(const Gathered &all, unsigned thread) {
  Order &its = orders[thread];
  is_ordered = true;
  join(its.acquired, all.known);
  for (int s = OF_BLOCK; s <= OF_DEVICE; s++) join(its.released[s], all.released[s]);
}
static void drop_gathered(Gathered &all) {
  drop(all.known);
  for (int s = OF_BLOCK; s <= OF_DEVICE; s++) drop(all.released[s]);
}

// What atomic and volatile operations have stored comes before all that follows the read of it, at this place: the last is
// the one that was read, and of others each has read the one before (PTX ISA, "Causality Order"). A store has no observers.
static inline bool is_ordered_before(uint32_t stamp, uint32_t clock, unsigned by, unsigned now);

static void note_observer(const Cell *cell, uint32_t home, unsigned thread, bool observes) {
  if (!observes) {
    if (Sync *sync = find_sync(cell, home)) drop(sync->observers);
    return;
  }
  Known *&observers = sync_of(cell, home).observers;
  uint64_t key = key_of(block_stamp, thread);
  if (!clock_of(observers, key)) raise(observers, key, fibers[thread].clock);
}
static bool is_after_observer(const Cell *cell, uint32_t home, unsigned thread) {
  const Sync *sync = find_sync(cell, home);
  for (uint32_t i = 0; sync && sync->observers && i < sync->observers->size; i++) {
    const Entry &one = sync->observers->entries[i];
    if (one.key && is_ordered_before((uint32_t)(one.key >> 16), one.clock, one.key & ALL_THREADS, thread)) return true;
  }
  return false;
}

// What a missing fence would have ordered: a thread stores something, then to another place, and who reads that place then
// reads the thing itself. Where all this is volatile no access is a race, yet what is read may be older.
// Only the latest places that a thread, or at barriers its block, has read are known, and only their direct stores.
enum : uint64_t { MOST_STORED = 4096, MOST_NOTED_BYTES = ORDER_BYTES / 4 };

static void hear(Heard *heard, uint32_t places, uint32_t &hearings, const Heard &now) {
  for (uint32_t i = 0; i < places; i++)
    if (heard[i].from == now.from) {
      heard[i].version = now.version > heard[i].version ? now.version : heard[i].version;
      return;
    }
  heard[hearings++ % places] = now;
}
static void note_hearing(const Cell *cell, uint32_t home, unsigned thread) {
  Sync *sync = find_sync(cell, home);
  if (!sync || !sync->stored) return;
  is_ordered = true;
  hear(orders[thread].heard, 4, orders[thread].hearings, {sync, sync->version});
}
// Comes before the store itself, which is not what the place makes known.
static void note_store(const Cell *cell, uint32_t home, unsigned thread) {
  Sync *sync = find_sync(cell, home);
  if (!sync && order_used > MOST_NOTED_BYTES) return;
  if (!sync) sync = &sync_of(cell, home);
  if (sync->stored && sync->stored->count >= MOST_STORED) return;
  sync->version++;
  raise(sync->stored, key_of(block_stamp, thread), ++fibers[thread].clock, sync->version);
  raise(sync->stored, key_of(block_stamp, ALL_THREADS), base_clock, sync->version);
}
static bool tells_of(const Heard &heard, const Cell *cell, uint32_t stamp, unsigned thread, uint32_t clock) {
  if (!heard.from || heard.from->cell == cell || !heard.from->stored) return false;
  const Entry *own = place_in(heard.from->stored, key_of(stamp, thread));
  const Entry *all = place_in(heard.from->stored, key_of(stamp, ALL_THREADS));
  return (clock < own->clock && own->version <= heard.version) || (clock < all->clock && all->version <= heard.version);
}
static bool has_heard_of(const Cell *cell, uint32_t stamp, unsigned by, uint32_t clock, unsigned thread) {
  for (const Heard &one : orders[thread].heard)
    if (tells_of(one, cell, stamp, by, clock)) return true;
  for (const Heard &one : heard_by_all)
    if (tells_of(one, cell, stamp, by, clock)) return true;
  return false;
}

static void drop_order(unsigned thread) {
  if (!is_ordered) return;
  Order &its = orders[thread];
  drop(its.acquired);
  for (int s = OF_BLOCK; s <= OF_DEVICE; s++) drop(its.seen[s]), drop(its.released[s]);
  its.fence_clock = its.hearings = 0;
  memset(its.heard, 0, sizeof its.heard);
}
