// What was done to every piece of memory last, and whether what is done now is ordered after it.
// A cell stands for `granule` bytes: its last writer and two readers. Two suffice to find every race: of readers
// that a later writer may conflict with, one in another block, else in another warp, is kept before others.
#pragma once
#include "glances.h"
#include "order.h"

struct Cell {
  uint32_t write_stamp, write_clock, write_place, write_lanes;
  uint16_t write_thread;
  uint8_t write_kind, write_array;
  uint32_t read_stamp[2], read_clock[2], read_place[2];
  uint16_t read_thread[2];
};

// Atomic operations of several lanes of a warp (or threads, or blocks), none ordered: a plain access must be ordered
// after all. What an asynchronous copy writes is on its way until its thread waits for it. Volatile writes are
// distinguished by whether their thread has fenced since the last barrier.
enum WriteKind : uint8_t {
  PLAIN, ON_ITS_WAY, VOLATILELY, AFTER_A_FENCE, ATOMICALLY, BY_LANES, BY_SEVERAL, BY_SEVERAL_BLOCKS
};
// Beside the kind, of atomic operations of which the last or one before it is of block scope.
enum : uint8_t { IN_BLOCK = 1 << 7 };
static inline uint8_t kind_of(const Cell &cell) { return cell.write_kind & (uint8_t)~IN_BLOCK; }
// Beside the thread, of a read that is atomic or volatile; of the first read, that there are more than two.
enum : uint16_t { STRONG = 1 << 15, VOLATILE = 1 << 14, MORE = 1 << 13, THREAD = MORE - 1 };

static uint32_t granule = 4, granule_shift = 2;
static unsigned needed_granule;
static Cell *static_cells, *dynamic_cells, *global_cells[MOST_ARRAYS];

static inline uint64_t cells_of(uint64_t bytes) { return ((bytes >> granule_shift) + 2) * sizeof(Cell); }

// Every block that has begun has cells for its shared memory; those of ended blocks are used again.
static Cell *unused_cells[MOST_RESIDENT_BLOCKS][2];
static unsigned unused_cell_sets;

static void place_shared_cells(Cell *of_statics, Cell *of_dynamics) {
  static_cells = of_statics, dynamic_cells = of_dynamics;
  for (unsigned i = 0; i < request.static_count; i++)
    statics[i].cells = static_cells + (request.static_arrays[i].offset >> granule_shift);
  // Arrays that take the same bytes one after the other share their cells.
  for (unsigned i = 0; i < request.dynamic_count; i++) {
    const ArrayPlace &place = request.dynamic_arrays[i];
    dynamics[i].cells = (place.within ? statics[place.within - 1].cells : dynamic_cells) + (place.offset >> granule_shift);
  }
  dynamics[request.dynamic_count].cells = dynamic_cells;
}

static void take_shared_cells() {
  if (unused_cell_sets) {
    unused_cell_sets--;
    return place_shared_cells(unused_cells[unused_cell_sets][0], unused_cells[unused_cell_sets][1]);
  }
  Cell *of_statics = static_bytes ? (Cell *)reserve(cells_of(static_bytes)) : nullptr;
  place_shared_cells(of_statics, (Cell *)reserve(cells_of(request.dynamic_bytes)));
}

static void leave_shared_cells() {
  unused_cells[unused_cell_sets][0] = static_cells, unused_cells[unused_cell_sets][1] = dynamic_cells;
  unused_cell_sets++;
  static_cells = dynamic_cells = nullptr;
}

static void give_back_cells(Cell *of_statics, Cell *of_dynamics) {
  give_back(of_statics, cells_of(static_bytes));
  give_back(of_dynamics, cells_of(request.dynamic_bytes));
}

static void begin_shadow() {
  granule = request.granule;
  granule_shift = (uint32_t)__builtin_ctz(granule);
  for (unsigned i = 0; i < request.buffer_count; i++)
    globals[i].cells = global_cells[i] = (Cell *)reserve(cells_of(globals[i].bytes));
  unused_cell_sets = 0;
  take_shared_cells();
  begin_glances();
}

static void end_shadow() {
  end_glances();
  for (unsigned i = 0; i < request.buffer_count; i++) {
    give_back(global_cells[i], cells_of(request.buffers[i].bytes));
    global_cells[i] = nullptr;
  }
  give_back_cells(static_cells, dynamic_cells);
  while (unused_cell_sets) {
    unused_cell_sets--;
    give_back_cells(unused_cells[unused_cell_sets][0], unused_cells[unused_cell_sets][1]);
  }
  static_cells = dynamic_cells = nullptr;
}

// Calls `each(cell)` for the cells of a piece of memory.
template <class F> static void for_cells(const Array &array, const char *at, uint64_t bytes, F each) {
  uint64_t offset = (uint64_t)(at - array.data);
  for (uint64_t i = offset >> granule_shift; i <= (offset + bytes - 1) >> granule_shift; i++) each(array.cells[i]);
}

static inline bool is_before(uint32_t clock, unsigned by, unsigned now) {
  return by == now || clock < base_clock || (by / LANES == now / LANES && clock < known_clock[now][by % LANES]);
}

static inline bool is_read(int access) { return access == READ || access == VOLATILE_READ || access == ATOMIC_READ; }
static inline bool is_volatile(int access) { return access == VOLATILE_READ || access == VOLATILE_WRITE; }
static inline bool is_strong(int access) { return access == ATOMIC || access >= VOLATILE_READ; }

struct Seen {
  unsigned thread;
  int access;
  uint32_t place;
  const char *at;
  int bytes;
};
// Of the atomic operation that is seen now: its scope, and whether it depends on what it finds.
static int atomic_scope;
static bool atomic_needs_value, atomic_discards;
static int atomic_use;
static inline int scope_of(const Seen &now) { return is_volatile(now.access) ? (int)OF_DEVICE : atomic_scope; }

static __attribute__((noinline)) bool is_ordered_by_fences(uint32_t stamp, uint32_t clock, unsigned by, unsigned now) {
  return knows(orders[now].acquired, stamp, by, clock);
}

// Whether what a thread did at a clock is ordered before what a thread of the running block does now.
static inline bool is_ordered_before(uint32_t stamp, uint32_t clock, unsigned by, unsigned now) {
  if (stamp == block_stamp && is_before(clock, by, now)) return true;
  return __builtin_expect(is_ordered, false) && is_ordered_by_fences(stamp, clock, by, now);
}

// Whether all that the cell's last write stands for is ordered before what a thread of its block does now. Of several
// lanes the latest clock is known: where masks made their clocks differ, more than that may be asked for.
static inline bool is_written_before(const Cell &cell, unsigned now) {
  if (cell.write_clock < base_clock) return true;
  if (kind_of(cell) == BY_SEVERAL) return false;
  if (kind_of(cell) != BY_LANES) return is_before(cell.write_clock, cell.write_thread, now);
  if (cell.write_thread / LANES != now / LANES) return false;
  for (unsigned lane = 0; lane < LANES; lane++) {
    bool took_part = cell.write_lanes >> lane & 1;
    if (took_part && lane != now % LANES && cell.write_clock >= known_clock[now][lane]) return false;
  }
  return true;
}

static inline uint32_t home_of(const Array &array) { return array.space == GLOBAL ? first_stamp : shared_home; }

// The same of any block, by fences. Of several threads all are remembered where a text has fences.
static bool is_after_write_by_fences(const Cell &cell, const Seen &now, const Array &array) {
  const Known *known = orders[now.thread].acquired;
  if (!known) return false;
  if (kind_of(cell) < BY_LANES) return knows(known, cell.write_stamp, cell.write_thread, cell.write_clock);
  const Sync *sync = find_sync(&cell, home_of(array));
  if (!sync || !sync->writers) return false;
  for (uint32_t i = 0; i < sync->writers->size; i++) {
    const Entry &one = sync->writers->entries[i];
    if (one.key && !is_ordered_before((uint32_t)(one.key >> 16), one.clock, one.key & ALL_THREADS, now.thread))
      return false;
  }
  return true;
}

static void report_race(const Seen &now, const Array &array, int earlier, uint32_t stamp, unsigned thread,
                        uint32_t place) {
  FindingRecord *one = found(RACE, now.place, place, array.space, array.number);
  if (!one) return;
  one->access = now.access, one->other_access = thread < MOST_THREADS ? earlier : COPY;
  one->thread = now.thread, one->other_thread = thread_of(thread), one->other_block = number_of_block(stamp);
  one->offset = now.at - array.data, one->size = now.bytes;
}

// Whether a volatile read relies on an order that no fence gives: its thread has heard that the write was made, not from
// the place itself. After a fence of the writer no other is needed to read, where the read is volatile.
static bool is_read_late(const Cell &cell, const Seen &now) {
  for (int slot = 0; slot < 2; slot++)
    if (cell.read_stamp[slot] == block_stamp && (cell.read_thread[slot] & THREAD) == now.thread) return false;
  uint32_t stamp = cell.write_stamp, clock = cell.write_clock;
  return has_heard_of(&cell, stamp, cell.write_thread, clock, now.thread) &&
         !knows(orders[now.thread].seen[OF_DEVICE], stamp, cell.write_thread, clock);
}

static inline bool has_fenced(unsigned thread) { return orders[thread].fence_clock > base_clock; }

// Atomic and volatile accesses need no order among themselves: except those of block scope, between blocks; and
// a volatile read and write of a block, where who writes has not fenced, as threads that rely on lockstep do.
static inline bool may_be_unordered(const Cell &cell, const Seen &now) {
  bool is_own = cell.write_stamp == block_stamp;
  if (kind_of(cell) < VOLATILELY || !is_strong(now.access)) return false;
  if (!is_own && (cell.write_kind & IN_BLOCK || scope_of(now) == OF_BLOCK)) return false;
  if (!is_own && now.access == VOLATILE_READ && kind_of(cell) <= AFTER_A_FENCE) return !is_read_late(cell, now);
  return !is_own || now.access != VOLATILE_READ || kind_of(cell) != VOLATILELY;
}

static RARE void see_unordered_write(const Cell &cell, const Seen &now, const Array &array);

static inline void see_write_before(const Cell &cell, const Seen &now, const Array &array) {
  bool is_own = cell.write_stamp == block_stamp && kind_of(cell) != BY_SEVERAL_BLOCKS;
  if (is_own && is_written_before(cell, now.thread)) return;
  see_unordered_write(cell, now, array);
}

static RARE void see_unordered_write(const Cell &cell, const Seen &now, const Array &array) {
  if (may_be_unordered(cell, now) || is_after_write_by_fences(cell, now, array)) return;
  if (kind_of(cell) >= VOLATILELY && is_after_observer(&cell, home_of(array), now.thread)) return;
  if (now.access == READ && kind_of(cell) >= ATOMICALLY &&
      may_be_confirmed(now.at, block_stamp, now.thread, cell.write_stamp, cell.write_thread, cell.write_place))
    return;
  int earlier = kind_of(cell) == PLAIN ? WRITE : kind_of(cell) <= AFTER_A_FENCE ? VOLATILE_WRITE : ATOMIC;
  report_race(now, array, earlier, cell.write_stamp, cell.write_thread, cell.write_place);
}

static RARE void see_unordered_read(const Cell &cell, int slot, const Seen &now, const Array &array) {
  uint16_t flags = cell.read_thread[slot], by = flags & THREAD;
  bool is_own = cell.read_stamp[slot] == block_stamp;
  if (flags & STRONG && is_strong(now.access) && (is_own || scope_of(now) != OF_BLOCK) &&
      !(is_own && flags & VOLATILE && now.access == VOLATILE_WRITE && !has_fenced(now.thread)))
    return;
  if (!(flags & STRONG) && now.access == ATOMIC &&
      may_be_confirmed(now.at, cell.read_stamp[slot], by, block_stamp, now.thread, now.place))
    return;
  int earlier = flags & VOLATILE ? VOLATILE_READ : flags & STRONG ? ATOMIC_READ : READ;
  report_race(now, array, earlier, cell.read_stamp[slot], by, cell.read_place[slot]);
}

static RARE bool report_in_flight(const Cell &cell, const Seen &now, const Array &array) {
  if (FindingRecord *one = found(IN_FLIGHT, now.place, cell.write_place, array.space, array.number)) {
    one->access = now.access, one->other_access = COPY, one->thread = now.thread;
    one->other_thread = thread_of(cell.write_thread), one->other_block = number_of_block(cell.write_stamp);
    one->offset = now.at - array.data, one->size = now.bytes;
  }
  return true;
}
static inline bool is_on_its_way(const Cell &cell, const Seen &now, const Array &array, uint32_t oldest) {
  return kind_of(cell) == ON_ITS_WAY && cell.write_stamp >= oldest && report_in_flight(cell, now, array);
}

static RARE void report_unwritten(const Seen &now, const Array &array) {
  FindingRecord *one = found(UNINITIALISED, now.place, 0, array.space, array.number);
  if (one) one->access = now.access, one->thread = now.thread, one->offset = now.at - array.data, one->size = now.bytes;
}

// What an array held is lost once its bytes are written through another that shares them.
static RARE void report_stale(const Cell &cell, const Seen &now, const Array &array) {
  FindingRecord *one = found(STALE, now.place, cell.write_place, array.space, array.number);
  if (!one) return;
  bool is_copied = kind_of(cell) == ON_ITS_WAY || cell.write_thread >= MOST_THREADS;
  one->access = now.access, one->other_access = is_copied ? COPY : kind_of(cell) >= ATOMICALLY ? ATOMIC : WRITE;
  one->thread = now.thread, one->other_thread = thread_of(cell.write_thread);
  one->other_block = number_of_block(cell.write_stamp);
  one->offset = now.at - array.data, one->size = now.bytes, one->other_number = cell.write_array;
}

// Shared memory holds nothing before its block writes it.
static inline void check_is_written(const Cell &cell, const Seen &now, const Array &array, uint32_t oldest) {
  if (array.space == GLOBAL || (cell.write_stamp >= oldest && cell.write_array == array.owner)) return;
  if (cell.write_stamp >= oldest) report_stale(cell, now, array);
  else report_unwritten(now, array);
}

// Where barriers order only some threads, two readers do not stand for all: the others are remembered apart.
static RARE void note_reader(Cell &cell, const Array &array, uint32_t stamp, unsigned thread, uint32_t clock, uint32_t place) {
  raise(sync_of(&cell, home_of(array)).readers, key_of(stamp, thread), clock, place);
  cell.read_thread[0] |= MORE;
}
static RARE void see_more_readers(Cell &cell, const Seen &now, const Array &array) {
  cell.read_thread[0] &= (uint16_t)~MORE;
  Sync *sync = find_sync(&cell, home_of(array));
  if (!sync || !sync->readers) return;
  for (uint32_t i = 0; i < sync->readers->size; i++) {
    const Entry &one = sync->readers->entries[i];
    uint32_t stamp = (uint32_t)(one.key >> 16);
    unsigned by = (unsigned)(one.key & ALL_THREADS);
    if (!one.key || is_ordered_before(stamp, one.clock, by, now.thread)) continue;
    report_race(now, array, READ, stamp, by, one.version);
    break;
  }
  drop(sync->readers);
}

template <bool IsStrong>
static inline void read_cell(Cell &cell, const Seen &now, const Array &array, uint32_t oldest) {
  if (is_on_its_way(cell, now, array, oldest)) return;
  if (cell.write_stamp >= oldest) see_write_before(cell, now, array);
  check_is_written(cell, now, array, oldest);
  uint32_t clock = fibers[now.thread].clock;
  int slot = 0;
  // A slot that is free, or whose reader is before this one and in this block's warp or past a barrier, is taken.
  for (; slot < 2; slot++) {
    if (cell.read_stamp[slot] < oldest) break;
    if (is_ordered_before(cell.read_stamp[slot], cell.read_clock[slot], cell.read_thread[slot] & THREAD, now.thread))
      break;
  }
  if (slot == 2) {
    bool told_apart = cell.read_stamp[0] != cell.read_stamp[1] ||
                      (cell.read_thread[0] & THREAD) / LANES != (cell.read_thread[1] & THREAD) / LANES;
    bool stays = told_apart && cell.read_stamp[1] == block_stamp;
    if (sim_has_partial_barriers && !IsStrong) {
      bool is_lost = cell.read_stamp[1] == block_stamp || array.space != GLOBAL;
      if (stays) note_reader(cell, array, block_stamp, now.thread, clock, now.place);
      else if (is_lost && !(cell.read_thread[1] & STRONG))
        note_reader(cell, array, cell.read_stamp[1], cell.read_thread[1] & THREAD, cell.read_clock[1], cell.read_place[1]);
    }
    if (stays) return;
    slot = 1;
  }
  bool has_more = __builtin_expect(cell.read_thread[0] & MORE, 0) && slot == 0 && cell.read_stamp[0] >= oldest;
  cell.read_stamp[slot] = block_stamp, cell.read_clock[slot] = clock;
  cell.read_place[slot] = now.place;
  cell.read_thread[slot] = (uint16_t)now.thread;
  if (__builtin_expect(has_more, 0)) cell.read_thread[0] |= MORE;
  if (IsStrong) cell.read_thread[slot] |= now.access == VOLATILE_READ ? STRONG | VOLATILE : STRONG;
}

// Of atomic operations that nothing orders, all are remembered: a plain access must be ordered after each.
static RARE void note_writer(const Cell &cell, const Seen &now, const Array &array) {
  Sync &sync = sync_of(&cell, home_of(array));
  if (kind_of(cell) < BY_LANES) {
    drop(sync.writers);
    raise(sync.writers, key_of(cell.write_stamp, cell.write_thread), cell.write_clock);
  }
  raise(sync.writers, key_of(block_stamp, now.thread), fibers[now.thread].clock);
}

template <bool IsStrong>
static inline void write_cell(Cell &cell, const Seen &now, const Array &array, uint32_t oldest) {
  if (is_on_its_way(cell, now, array, oldest)) return;
  bool live = cell.write_stamp >= oldest;
  if (live) see_write_before(cell, now, array);
  for (int slot = 0; slot < 2; slot++) {
    if (cell.read_stamp[slot] < oldest) continue;
    if (!is_ordered_before(cell.read_stamp[slot], cell.read_clock[slot], cell.read_thread[slot] & THREAD, now.thread))
      see_unordered_read(cell, slot, now, array);
  }
  if (__builtin_expect(cell.read_thread[0] & MORE, 0) && cell.read_stamp[0] >= oldest) see_more_readers(cell, now, array);
  uint8_t kind = now.access == COPY ? ON_ITS_WAY : PLAIN;
  unsigned thread = now.thread;
  uint32_t clock = fibers[now.thread].clock, lanes = 1u << now.thread % LANES;
  if (IsStrong && now.access == ATOMIC) {
    if (atomic_needs_value) check_is_written(cell, now, array, oldest);
    kind = ATOMICALLY;
    // A thread that receives the previous value, or is ordered after them, knows that all earlier operations were made.
    bool tells = !atomic_discards && kind_of(cell) >= ATOMICALLY;
    if (live && !tells && kind_of(cell) >= VOLATILELY && !(is_ordered && is_after_write_by_fences(cell, now, array))) {
      if (cell.write_stamp != block_stamp || kind_of(cell) == BY_SEVERAL_BLOCKS)
        kind = BY_SEVERAL_BLOCKS;
      else if (!is_written_before(cell, now.thread))
        kind = kind_of(cell) == BY_SEVERAL || cell.write_thread / LANES != now.thread / LANES ? BY_SEVERAL : BY_LANES;
      // Of several the one before is named: the last may be who reads next.
      if (kind >= BY_LANES) {
        if (sim_has_fences) note_writer(cell, now, array);
        thread = cell.write_thread;
      }
      if (kind == BY_LANES || kind == BY_SEVERAL) {
        lanes |= cell.write_lanes;
        if (cell.write_clock > clock) clock = cell.write_clock;
      }
      if (kind >= BY_LANES) kind |= cell.write_kind & IN_BLOCK;
    }
    if (atomic_scope == OF_BLOCK) kind |= IN_BLOCK;
  } else {
    if (IsStrong) kind = has_fenced(now.thread) ? AFTER_A_FENCE : VOLATILELY;
    cell.read_stamp[0] = cell.read_stamp[1] = 0;
  }
  cell.write_stamp = block_stamp, cell.write_clock = clock, cell.write_place = now.place, cell.write_lanes = lanes;
  cell.write_thread = (uint16_t)thread, cell.write_kind = kind, cell.write_array = array.owner;
}

// A read that its thread's compare-and-swap confirms is as good as an atomic one.
static RARE void confirm_reads(const Array &array, const char *at, int bytes) {
  for_cells(array, at, (uint64_t)bytes, [](Cell &cell) {
    for (int slot = 0; slot < 2; slot++)
      if (cell.read_stamp[slot] == block_stamp && (cell.read_thread[slot] & THREAD) == current)
        cell.read_thread[slot] |= STRONG;
  });
}

template <bool IsStrong>
static void access_cells(const Array &array, const Seen &now) {
  uint64_t offset = (uint64_t)(now.at - array.data);
  if ((uint32_t)now.bytes < granule) {
    needed_granule = now.bytes < 2 ? 1 : 2;
    stop_launch();
  }
  uint64_t first = offset >> granule_shift, last = (offset + (uint64_t)now.bytes - 1) >> granule_shift;
  uint32_t oldest = home_of(array);
  bool reads = IsStrong ? is_read(now.access) : now.access == READ;
  bool is_noted = IsStrong && sim_has_volatile && array.space == GLOBAL;
  if (is_noted && now.access != VOLATILE_WRITE) note_hearing(&array.cells[first], oldest, now.thread);
  if (is_noted && !reads) note_store(&array.cells[first], oldest, now.thread);
  for (uint64_t i = first; i <= last; i++)
    if (reads) read_cell<IsStrong>(array.cells[i], now, array, oldest);
    else write_cell<IsStrong>(array.cells[i], now, array, oldest);
  if (!IsStrong || !sim_has_fences) return;
  const Cell *cell = &array.cells[first];
  int use = is_volatile(now.access) ? (reads ? simulator::LOADS : simulator::STORES) : atomic_use;
  for (uint64_t i = first; i <= last; i++)
    note_observer(&array.cells[i], oldest, now.thread, reads && kind_of(array.cells[i]) >= VOLATILELY);
  bool replaces = (use & simulator::USES) == simulator::STORES;
  if (!replaces) learn(cell, oldest, now.thread, scope_of(now), use & simulator::ACQUIRES);
  if (!reads) make_known_at(cell, oldest, now.thread, scope_of(now), replaces, use & simulator::RELEASES);
}
