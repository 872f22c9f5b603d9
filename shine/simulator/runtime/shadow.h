// What was done to every piece of memory last, and whether what is done now is ordered after it.
// A cell stands for `granule` bytes: its last writer and two readers. Two suffice to find every race: of readers
// that a later writer may conflict with, one in another block, else in another warp, is kept before others.
#pragma once
#include "memory.h"

struct Cell {
  uint32_t write_stamp, write_clock, write_place, write_lanes;
  uint16_t write_thread;
  uint8_t write_kind, write_array;
  uint32_t read_stamp[2], read_clock[2], read_place[2];
  uint16_t read_thread[2];
};

// Atomic operations of several lanes of a warp (or threads, or blocks), none ordered: a plain access must be ordered
// after all. What an asynchronous copy writes is on its way until its thread waits for it.
enum WriteKind : uint8_t { PLAIN, ATOMICALLY, BY_LANES, BY_SEVERAL, BY_SEVERAL_BLOCKS, ON_ITS_WAY };

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
  for (unsigned i = 0; i < request.dynamic_count; i++)
    dynamics[i].cells = dynamic_cells + (request.dynamic_arrays[i].offset >> granule_shift);
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
}

static void end_shadow() {
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

static inline bool is_before(uint32_t clock, unsigned by, unsigned now) {
  return by == now || clock < base_clock || (by / LANES == now / LANES && clock < known_clock[now][by % LANES]);
}

// Whether all that the cell's last write stands for is ordered before what a thread of its block does now. Of several
// lanes the latest clock is known: where masks made their clocks differ, more than that may be asked for.
static inline bool is_written_before(const Cell &cell, unsigned now) {
  if (cell.write_clock < base_clock) return true;
  if (cell.write_kind == BY_SEVERAL) return false;
  if (cell.write_kind != BY_LANES) return is_before(cell.write_clock, cell.write_thread, now);
  if (cell.write_thread / LANES != now / LANES) return false;
  for (unsigned lane = 0; lane < LANES; lane++) {
    bool took_part = cell.write_lanes >> lane & 1;
    if (took_part && lane != now % LANES && cell.write_clock >= known_clock[now][lane]) return false;
  }
  return true;
}

struct Seen {
  unsigned thread;
  int access;
  uint32_t place;
  const char *at;
  int bytes;
};

static void report_race(const Seen &now, const Array &array, int earlier, uint32_t stamp, unsigned thread,
                        uint32_t place) {
  FindingRecord *one = found(RACE, now.place, place, array.space, array.number);
  if (!one) return;
  one->access = now.access, one->other_access = earlier;
  one->thread = now.thread, one->other_thread = thread, one->other_block = stamp - first_stamp;
  one->offset = now.at - array.data, one->size = now.bytes;
}

static inline void see_write_before(const Cell &cell, const Seen &now, const Array &array) {
  bool atomic = cell.write_kind != PLAIN;
  if (atomic && now.access == ATOMIC) return;
  bool before = cell.write_stamp == block_stamp && cell.write_kind != BY_SEVERAL_BLOCKS &&
                is_written_before(cell, now.thread);
  if (!before)
    report_race(now, array, atomic ? ATOMIC : WRITE, cell.write_stamp, cell.write_thread, cell.write_place);
}

static inline bool is_on_its_way(const Cell &cell, const Seen &now, const Array &array, uint32_t oldest) {
  if (cell.write_kind != ON_ITS_WAY || cell.write_stamp < oldest) return false;
  if (FindingRecord *one = found(IN_FLIGHT, now.place, cell.write_place, array.space, array.number)) {
    one->access = now.access, one->other_access = COPY, one->thread = now.thread;
    one->other_thread = cell.write_thread, one->other_block = cell.write_stamp - first_stamp;
    one->offset = now.at - array.data, one->size = now.bytes;
  }
  return true;
}

static inline void read_cell(Cell &cell, const Seen &now, const Array &array, uint32_t oldest) {
  if (is_on_its_way(cell, now, array, oldest)) return;
  if (cell.write_stamp >= oldest) see_write_before(cell, now, array);
  if (array.space != GLOBAL && (cell.write_stamp < oldest || cell.write_array != (uint8_t)array.number)) {
    FindingRecord *one = found(UNINITIALISED, now.place, 0, array.space, array.number);
    if (one) one->access = READ, one->thread = now.thread, one->offset = now.at - array.data, one->size = now.bytes;
  }
  uint32_t clock = fibers[now.thread].clock;
  int slot = 0;
  // A slot that is free, or whose reader is before this one and in this block's warp or past a barrier, is taken.
  for (; slot < 2; slot++) {
    if (cell.read_stamp[slot] < oldest) break;
    if (cell.read_stamp[slot] == block_stamp && is_before(cell.read_clock[slot], cell.read_thread[slot], now.thread))
      break;
  }
  if (slot == 2) {
    bool told_apart = cell.read_stamp[0] != cell.read_stamp[1] ||
                      cell.read_thread[0] / LANES != cell.read_thread[1] / LANES;
    if (told_apart && cell.read_stamp[1] == block_stamp) return;
    slot = 1;
  }
  cell.read_stamp[slot] = block_stamp, cell.read_clock[slot] = clock;
  cell.read_place[slot] = now.place, cell.read_thread[slot] = (uint16_t)now.thread;
}

static inline void write_cell(Cell &cell, const Seen &now, const Array &array, uint32_t oldest) {
  if (is_on_its_way(cell, now, array, oldest)) return;
  bool live = cell.write_stamp >= oldest;
  if (live) see_write_before(cell, now, array);
  for (int slot = 0; slot < 2; slot++) {
    if (cell.read_stamp[slot] < oldest) continue;
    if (cell.read_stamp[slot] != block_stamp ||
        !is_before(cell.read_clock[slot], cell.read_thread[slot], now.thread)) {
      report_race(now, array, READ, cell.read_stamp[slot], cell.read_thread[slot], cell.read_place[slot]);
      break;
    }
  }
  uint8_t kind = now.access == COPY ? ON_ITS_WAY : PLAIN;
  unsigned thread = now.thread;
  uint32_t clock = fibers[now.thread].clock, lanes = 1u << now.thread % LANES;
  if (now.access == ATOMIC) {
    kind = ATOMICALLY;
    if (live && cell.write_kind != PLAIN) {
      if (cell.write_stamp != block_stamp || cell.write_kind == BY_SEVERAL_BLOCKS)
        kind = BY_SEVERAL_BLOCKS;
      else if (!is_written_before(cell, now.thread))
        kind = cell.write_kind == BY_SEVERAL || cell.write_thread / LANES != now.thread / LANES ? BY_SEVERAL : BY_LANES;
      // Of several the one before is named: the last may be who reads next.
      if (kind != ATOMICALLY) thread = cell.write_thread;
      if (kind == BY_LANES || kind == BY_SEVERAL) {
        lanes |= cell.write_lanes;
        if (cell.write_clock > clock) clock = cell.write_clock;
      }
    }
  } else {
    cell.read_stamp[0] = cell.read_stamp[1] = 0;
  }
  cell.write_stamp = block_stamp, cell.write_clock = clock, cell.write_place = now.place, cell.write_lanes = lanes;
  cell.write_thread = (uint16_t)thread, cell.write_kind = kind, cell.write_array = (uint8_t)array.number;
}

static void access_cells(const Array &array, const Seen &now) {
  uint64_t offset = (uint64_t)(now.at - array.data);
  if ((uint32_t)now.bytes < granule) {
    needed_granule = now.bytes < 2 ? 1 : 2;
    stop_launch();
  }
  uint64_t first = offset >> granule_shift, last = (offset + (uint64_t)now.bytes - 1) >> granule_shift;
  uint32_t oldest = array.space == GLOBAL ? first_stamp : block_stamp;
  for (uint64_t i = first; i <= last; i++) {
    if (now.access == READ) read_cell(array.cells[i], now, array, oldest);
    else write_cell(array.cells[i], now, array, oldest);
  }
}
