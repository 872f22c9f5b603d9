// Counts what a warp's request to memory costs: bank conflicts of shared memory, sectors of global memory. The rules are
// those of docs/simulator.md. Knows neither how threads run nor which of them make a request together.
#pragma once
#include <stdlib.h>

#include "fragments.h"
#include "matrices.h"

enum { BANKS = 32, BANK_BYTES = 4, SECTOR_BYTES = 32, MOST_VECTOR_BYTES = 16 };

// The lanes of a warp that execute one instruction together: an address for each lane of the mask.
struct WarpRequest {
  uint32_t mask, place;
  int bytes;
  uint64_t at[LANES];
};

static CountRecord *count_records;
static uint32_t count_capacity, count_used;
static uint32_t *count_index;  // positions in `count_records` plus 1, by hash; twice the capacity

static uint32_t hash_of(uint32_t place, uint32_t kind) { return (place * 2654435761u) ^ (kind * 0x9e3779b1u); }

static CountRecord &count_at(uint32_t place, uint32_t kind) {
  if (count_used * 2 >= count_capacity) {
    count_capacity = count_capacity ? count_capacity * 2 : 1024;
    count_records = (CountRecord *)realloc(count_records, count_capacity * sizeof *count_records);
    count_index = (uint32_t *)realloc(count_index, 2 * count_capacity * sizeof *count_index);
    if (!count_records || !count_index) stop_without_memory();
    memset(count_index, 0, 2 * count_capacity * sizeof *count_index);
    for (uint32_t i = 0; i < count_used; i++) {
      uint32_t slot = hash_of(count_records[i].place, count_records[i].kind) % (2 * count_capacity);
      while (count_index[slot]) slot = (slot + 1) % (2 * count_capacity);
      count_index[slot] = i + 1;
    }
  }
  uint32_t slot = hash_of(place, kind) % (2 * count_capacity);
  for (; count_index[slot]; slot = (slot + 1) % (2 * count_capacity)) {
    CountRecord &found = count_records[count_index[slot] - 1];
    if (found.place == place && found.kind == kind) return found;
  }
  count_index[slot] = ++count_used;
  CountRecord &made = count_records[count_used - 1];
  made = {};
  made.place = place, made.kind = kind;
  return made;
}

static bool is_shared_memory(const char *at) {
  if (is_in_slots(at)) return true;
  if (at >= (const char *)sim_dynamic_shared && at < (const char *)sim_dynamic_shared + MOST_DYNAMIC_BYTES) return true;
  return (at >= __start_sim_shared && at < __stop_sim_shared) || is_in_cluster(at);
}
// Indices and sizes of threads and blocks are special registers on a device. What `serve.h` has set is not there at all.
static bool is_no_memory(const char *at) {
  for (uint32_t i = 0; i < request.guard_count; i++)
    if (at == (const char *)&sim_kernel_count + request.guards[i]) return true;
  const Index3 *all[] = {&sim_thread, &sim_block, &sim_block_size, &sim_grid_size, &sim_cluster_size};
  for (const Index3 *one : all)
    if (at >= (const char *)one && at < (const char *)(one + 1)) return true;
  return false;
}
static bool is_constant(const char *at) {
  if (at < __ehdr_start || at >= end_of_library) return false;
  for (unsigned i = first_variable; i < request.buffer_count; i++)
    if (at >= globals[i].data && at < globals[i].data + globals[i].bytes) return false;
  return true;
}

static void sort_numbers(uint64_t *numbers, int count) {
  for (int i = 1; i < count; i++) {
    uint64_t one = numbers[i];
    int j = i;
    for (; j && numbers[j - 1] > one; j--) numbers[j] = numbers[j - 1];
    numbers[j] = one;
  }
}
// How many different numbers there are among sorted ones.
static int distinct(const uint64_t *numbers, int count) {
  int found = count > 0;
  for (int i = 1; i < count; i++) found += numbers[i] != numbers[i - 1];
  return found;
}

// Sectors that a request touches, and how many the bytes that it needs would fill.
static void count_sectors(CountRecord &record, const WarpRequest &its) {
  uint64_t starts[LANES], sectors[4 * LANES];
  int count = 0, sector_count = 0;
  for (uint32_t left = its.mask; left; left &= left - 1) starts[count++] = its.at[__builtin_ctz(left)];
  sort_numbers(starts, count);
  uint64_t needed = 0, end = 0;
  for (int i = 0; i < count; i++) {
    uint64_t from = starts[i] < end ? end : starts[i], to = starts[i] + (uint64_t)its.bytes;
    if (to > from) needed += to - from, end = to;
    for (uint64_t s = starts[i] / SECTOR_BYTES; s <= (to - 1) / SECTOR_BYTES; s++)
      if (!sector_count || sectors[sector_count - 1] < s) sectors[sector_count++] = s;
  }
  record.sectors += (uint64_t)sector_count;
  record.ideal_sectors += (needed + SECTOR_BYTES - 1) / SECTOR_BYTES;
}

// Passes that a request to shared memory takes. Accesses of 8 bytes are served for half a warp at a time, of 16 bytes for
// a quarter. Lanes that need one word share it, except those of atomic operations.
static void count_passes(CountRecord &record, const WarpRequest &its, bool is_atomic) {
  int words = its.bytes > BANK_BYTES ? its.bytes / BANK_BYTES : 1, phase_lanes = LANES / words;
  for (int first = 0; first < LANES; first += phase_lanes) {
    uint64_t needed[4 * LANES];
    int count = 0, most = 0, in_bank[BANKS] = {};
    for (int lane = first; lane < first + phase_lanes; lane++)
      for (int w = 0; w < words && its.mask >> lane & 1; w++) {
        uint64_t from = its.at[lane] / BANK_BYTES + (uint64_t)w, last = (its.at[lane] + (uint64_t)its.bytes - 1) / BANK_BYTES;
        needed[count++] = from;
        if (words == 1 && last != from) needed[count++] = last;
      }
    sort_numbers(needed, count);
    for (int i = 0; i < count; i++) {
      if (!is_atomic && i && needed[i] == needed[i - 1]) continue;
      int now = ++in_bank[needed[i] % BANKS];
      most = now > most ? now : most;
    }
    record.passes += (uint64_t)most;
    record.ideal_passes += count > 0;
  }
}

static void count_collisions(CountRecord &record, const WarpRequest &its) {
  uint64_t starts[LANES];
  int count = 0;
  for (uint32_t left = its.mask; left; left &= left - 1) starts[count++] = its.at[__builtin_ctz(left)];
  sort_numbers(starts, count);
  record.collisions += (uint64_t)(count - distinct(starts, count));
}

static void count_request(uint32_t kind, const WarpRequest &its) {
  if (!its.mask) return;
  CountRecord &record = count_at(its.place, kind);
  uint64_t lanes = (uint64_t)__builtin_popcount(its.mask);
  record.times++;
  record.lanes += lanes, record.bytes += lanes * (uint64_t)its.bytes;
  switch (kind) {
    case GLOBAL_ATOMIC: count_collisions(record, its);  // fall through
    case GLOBAL_LOAD: case GLOBAL_STORE: case COPY_FROM_GLOBAL: return count_sectors(record, its);
    case SHARED_ATOMIC: count_collisions(record, its); return count_passes(record, its, true);
    case SHARED_LOAD: case SHARED_STORE: case COPY_TO_SHARED: case MATRIX_LOAD: case MATRIX_STORE:
      return count_passes(record, its, false);
    default: return;
  }
}

static void count_warp(uint32_t kind, uint32_t place, unsigned lanes) {
  CountRecord &record = count_at(place, kind);
  record.times++;
  record.lanes += (uint64_t)__builtin_popcount(lanes);
}

// An address whose bank is the one that the byte has on a device.
static uint64_t address_for_banks(const char *at) { return sim_shared_address(at); }

static uint32_t kind_of_access(const char *at, int access) {
  bool is_atomic = access == ATOMIC || access == ATOMIC_READ, loads = is_read(access);
  if (is_shared_memory(at)) return is_atomic ? SHARED_ATOMIC : loads ? SHARED_LOAD : SHARED_STORE;
  if (is_constant(at)) return CONSTANT_LOAD;
  return is_atomic ? GLOBAL_ATOMIC : loads ? GLOBAL_LOAD : GLOBAL_STORE;
}
static uint64_t address_of(const char *at) { return is_shared_memory(at) ? address_for_banks(at) : (uint64_t)at; }

// `ldmatrix` and `stmatrix`: lanes give the addresses of rows of 16 bytes, eight of a matrix at a time.
static void count_matrices(const MatricesMeeting *const *lanes, int count, bool loads, uint32_t place) {
  WarpRequest its = {count == 4 ? ~0u : (1u << 8 * count) - 1, place, 16, {}};
  for (int lane = 0; lane < 8 * count; lane++) its.at[lane] = lanes[lane]->row;
  count_request(loads ? MATRIX_LOAD : MATRIX_STORE, its);
}

// Loads and stores of `nvcuda::wmma`, whose lanes CUDA leaves open, as a compiler makes them: 16-bit factors from shared
// memory by `ldmatrix`, others by lanes that hold what `mma.sync` documents, neighbours at once where memory has them so.
static void count_fragment(const FragmentMeeting &its, bool loads, uint32_t place) {
  const FragmentKind &kind = *its.kind;
  const Layout &layout = layout_of(its.kind);
  int bytes = bytes_of(kind.number);
  bool is_factor = kind.role != simulator::ACCUMULATOR, is_shared = is_shared_memory(its.memory);
  bool by_columns = kind.role == simulator::MATRIX_B;  // the neighbours of a lane are along k, or along a row of results
  int across = by_columns ? layout.rows : layout.columns, down = by_columns ? layout.columns : layout.rows;
  bool is_contiguous = (its.column_major != 0) == by_columns;
  uint64_t step = is_contiguous ? 1 : its.stride, row_step = is_contiguous ? its.stride : 1;
  auto address = [&](int d, int a) {
    return address_of(its.memory + ((uint64_t)d * row_step + (uint64_t)a * step) * (uint64_t)bytes);
  };
  if (is_factor && bytes == 2 && is_shared && loads) {
    int lines = is_contiguous ? down : across, length = is_contiguous ? across : down, lane = 0;
    WarpRequest rows = {0, place, 16, {}};
    for (int i = 0; i < length; i += 8)
      for (int line = 0; line < lines; line++) {
        rows.at[lane] = is_contiguous ? address(line, i) : address(i, line);
        rows.mask |= 1u << lane;
        if (++lane == LANES) count_request(MATRIX_LOAD, rows), rows.mask = 0, lane = 0;
      }
    return count_request(MATRIX_LOAD, rows);
  }
  uint32_t counted = is_shared ? (loads ? SHARED_LOAD : SHARED_STORE) : loads ? GLOBAL_LOAD : GLOBAL_STORE;
  int held = !is_factor ? 2 : bytes >= 4 ? 1 : 4 / bytes;
  for (int d = 0; d < down; d += 8)
    for (int a = 0; a < across; a += 4 * held)
      for (int part = 0; part < (is_contiguous ? 1 : held); part++) {
        WarpRequest lanes = {~0u, place, is_contiguous ? held * bytes : bytes, {}};
        for (int lane = 0; lane < LANES; lane++) lanes.at[lane] = address(d + lane / 4, a + lane % 4 * held + part);
        count_request(counted, lanes);
      }
}
