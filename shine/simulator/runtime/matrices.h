// Matrices of the PTX ISA: the window of shared addresses, `ldmatrix` and `stmatrix`, and products of groups of lanes.
#pragma once
#include "fragments.h"

// Shared memory's addresses have 32 bits. Static, dynamic, and separate dynamic arrays each have their part of the window.
// Pointers and addresses agree modulo 1024, so that they are aligned alike. 0 is the address of nothing. Descriptors of
// matrices have the lowest 18 bits only, so static arrays begin at the middle of what these tell apart.
enum : uint64_t {
  WINDOW_PERIOD = 1024,
  DYNAMIC_WINDOW = 0x01000000,
  STATIC_WINDOW = 0x10020000,
  SLOTS_WINDOW = 0x80000000,
};
struct WindowPart {
  const char *from;
  uint64_t bytes, address;
};
static inline WindowPart window_part(int i) {
  switch (i) {
    case 0: return {(const char *)sim_dynamic_shared, MOST_DYNAMIC_BYTES, DYNAMIC_WINDOW};
    case 1: return {__start_sim_shared, static_bytes, STATIC_WINDOW + (uint64_t)__start_sim_shared % WINDOW_PERIOD};
    default: return {slots, bytes_of_slots(), SLOTS_WINDOW};
  }
}

extern "C" unsigned sim_shared_address(const void *at) {
  for (int i = 0; i < 3; i++) {
    WindowPart part = window_part(i);
    // One beyond the last byte is the end of an array, too.
    if ((const char *)at >= part.from && (const char *)at <= part.from + part.bytes && part.bytes)
      return (unsigned)(part.address + (uint64_t)((const char *)at - part.from));
  }
  if (is_in_cluster(at)) {
    uint64_t offset = (uint64_t)((const char *)at - cluster->memory);
    return (unsigned)(CLUSTER_WINDOW + offset / part_bytes * RANK_WINDOW + offset % part_bytes);
  }
  return 0;
}
static inline char *pointer_to_shared(uint64_t address) {
  for (int i = 0; i < 3; i++) {
    WindowPart part = window_part(i);
    if (address >= part.address && address < part.address + part.bytes) return (char *)part.from + (address - part.address);
  }
  return nullptr;
}
[[noreturn]] static __attribute__((noinline)) void report_no_shared(uint64_t address, int line, unsigned thread, int access) {
  FindingRecord *one = found(OUT_OF_BOUNDS, place_of_line(line));
  if (one) one->access = access, one->thread = thread, one->number = (int64_t)address, strcpy(one->text, "shared");
  stop_launch();
}
// The shared memory of another block, which only instructions for clusters access. The part of its own is where it is.
static inline char *pointer_in_cluster(uint64_t address) {
  if (cluster_size == 1 || address < CLUSTER_WINDOW || address >= CLUSTER_WINDOW + cluster_size * RANK_WINDOW) return nullptr;
  uint64_t rank = (address - CLUSTER_WINDOW) / RANK_WINDOW, offset = (address - CLUSTER_WINDOW) % RANK_WINDOW;
  if (offset >= part_bytes) return nullptr;
  return rank == cluster_rank ? own_at(offset) : cluster->memory + rank * part_bytes + offset;
}
extern "C" void *sim_shared_pointer(unsigned long long address, int of_cluster, int line) {
  char *at = pointer_to_shared(address);
  if (!at && of_cluster) at = pointer_in_cluster(address);
  if (!at) report_no_shared(address, line, current, NO_ACCESS);
  return at;
}

struct MatricesMeeting : Meeting {
  unsigned *registers;
  unsigned long long row;
  int count, transposed;
};

// Lane 8 i + r gives the address of row r of matrix i. A register holds two neighbours of a row, or of a column.
static void move_matrices(Meeting **lanes, bool loads) {
  const MatricesMeeting &first = *(MatricesMeeting *)lanes[0];
  unsigned warp = current / LANES * LANES;
  uint32_t place = place_of_line(first.line);
  for (int i = 0; i < first.count; i++) {
    char *rows[8];
    for (int r = 0; r < 8; r++) {
      unsigned lane = (unsigned)(8 * i + r);
      uint64_t address = ((MatricesMeeting *)lanes[lane])->row;
      rows[r] = pointer_to_shared(address);
      if (!rows[r]) report_no_shared(address, first.line, warp + lane, loads ? READ : WRITE);
      if (address % 16) {
        report_misaligned(array_of(rows[r], 16), {warp + lane, loads ? READ : WRITE, place, rows[r], 16}, 16);
        stop_launch();
      }
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
      unsigned &held = ((MatricesMeeting *)lanes[lane])->registers[i];
      for (unsigned e = 0; e < 2; e++) {
        char *at = first.transposed ? rows[lane % 4 * 2 + e] + lane / 4 * 2 : rows[lane / 4] + lane % 4 * 4 + 2 * e;
        if (checking && (first.transposed || !e))
          access_memory(at, first.transposed ? 2 : 4, loads ? READ : WRITE, warp + lane, place);
        if (loads) memcpy((char *)&held + 2 * e, at, 2);
        else memcpy(at, (char *)&held + 2 * e, 2);
      }
    }
  }
}
static void load_matrices(Meeting **lanes, unsigned) { move_matrices(lanes, true); }
static void store_matrices(Meeting **lanes, unsigned) { move_matrices(lanes, false); }

extern "C" void sim_load_matrices(unsigned *to, unsigned long long row, int count, int transposed, int line) {
  MatricesMeeting meeting = {{~0u, line, load_matrices, true}, to, row, count, transposed};
  meet(meeting);
}
extern "C" void sim_store_matrices(const unsigned *from, unsigned long long row, int count, int transposed, int line) {
  sim_quiet = 0;
  MatricesMeeting meeting = {{~0u, line, store_matrices, true}, (unsigned *)from, row, count, transposed};
  meet(meeting);
}

struct QuadsMeeting : Meeting {
  char *d;
  const unsigned *a, *b;
  const char *c;
  int number, a_by_rows, b_by_rows;
};

// Four products of 8 x 4 and 4 x 8: lanes 4 q to 4 q + 3 and those 16 further have one.
static void multiply_quads(Meeting **lanes, unsigned) {
  const QuadsMeeting &first = *(QuadsMeeting *)lanes[0];
  auto element = [](const unsigned *registers, int i) {
    return simulator::float_of_half((uint16_t)(registers[i / 2] >> i % 2 * 16));
  };
  for (int quad = 0; quad < 4; quad++) {
    float a[8][4], b[4][8];
    for (int half = 0; half < 2; half++)
      for (int l = 0; l < 4; l++) {
        const QuadsMeeting &its = *(QuadsMeeting *)lanes[16 * half + 4 * quad + l];
        for (int i = 0; i < 4; i++) {
          if (first.a_by_rows) a[l + 4 * half][i] = element(its.a, i);
          else a[i + 4 * half][l] = element(its.a, i);
          if (first.b_by_rows) b[l][i + 4 * half] = element(its.b, i);
          else b[i][l + 4 * half] = element(its.b, i);
        }
      }
    for (int half = 0; half < 2; half++)
      for (int l = 0; l < 4; l++) {
        const QuadsMeeting &its = *(QuadsMeeting *)lanes[16 * half + 4 * quad + l];
        bool narrow = first.number == simulator::HALF;
        for (int i = 0; i < 8; i++) {
          int row = narrow ? l + 4 * half : (l & 1) + (i & 2) + 4 * half, column = narrow ? i : (i & 4) + (l & 2) + (i & 1);
          float sum = number_at<float>(its.c, i, first.number);
          for (int k = 0; k < 4; k++) sum += a[row][k] * b[k][column];
          if (narrow) ((uint16_t *)its.d)[i] = simulator::half_of(sum);
          else ((float *)its.d)[i] = sum;
        }
      }
  }
}

extern "C" void sim_multiply_quads(void *d, const unsigned *a, const unsigned *b, const void *c, int number, int a_by_rows,
                                   int b_by_rows, int line) {
  QuadsMeeting meeting = {{~0u, line, multiply_quads, true}, (char *)d, a, b, (const char *)c, number, a_by_rows, b_by_rows};
  meet(meeting);
}

struct NarrowMeeting : Meeting {
  int *d;
  const unsigned *a, *b;
  const int *c;
  const simulator::NarrowKind *kind;
};

// What two registers, each with numbers along k, add to a sum.
static int64_t sum_of_narrow(unsigned a, unsigned b, const simulator::NarrowKind &kind) {
  if (kind.operation == simulator::DIFFERENT_BITS) return __builtin_popcount(a ^ b);
  if (kind.operation == simulator::COMMON_BITS) return __builtin_popcount(a & b);
  int64_t sum = 0;
  for (unsigned at = 0; at < 32; at += 4) {
    int x = (int)(a >> at & 15), y = (int)(b >> at & 15);
    if (kind.a_is_signed && x > 7) x -= 16;
    if (kind.b_is_signed && y > 7) y -= 16;
    sum += x * y;
  }
  return sum;
}

// Lane 4 g + t has of A rows g and g + 8, of B column g, of each the registers t, t + 4 and so on along k.
static void multiply_narrow(Meeting **lanes, unsigned) {
  const simulator::NarrowKind &kind = *((NarrowMeeting *)lanes[0])->kind;
  int halves = kind.m / 8;
  for (int row = 0; row < kind.m; row++)
    for (int column = 0; column < 8; column++) {
      const NarrowMeeting &its = *(NarrowMeeting *)lanes[row % 8 * 4 + column / 2];
      int i = row / 8 * 2 + column % 2;
      int64_t sum = its.c[i];
      for (int t = 0; t < 4; t++)
        for (int part = 0; part < kind.depth; part++)
          sum += sum_of_narrow(((NarrowMeeting *)lanes[row % 8 * 4 + t])->a[row / 8 + halves * part],
                               ((NarrowMeeting *)lanes[column * 4 + t])->b[part], kind);
      if (kind.saturates) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
      its.d[i] = (int)sum;
    }
}

extern "C" void sim_multiply_narrow(int *d, const unsigned *a, const unsigned *b, const int *c, const simulator::NarrowKind *kind,
                                    int line) {
  NarrowMeeting meeting = {{~0u, line, multiply_narrow, true}, d, a, b, c, kind};
  meet(meeting);
}
