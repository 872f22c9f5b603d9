// Matrix instructions of a warp: which lane holds which element, loading, storing, multiplying.
// The layout of `nvcuda::wmma` is scrambled, differently for every kind of fragment, since CUDA leaves it open; that of
// `mma.sync` is documented.
#pragma once
#include "hooks.h"
#include "include/simulator/narrow_floats.h"

using simulator::FragmentKind;
enum { MOST_PLACES = 512, KNOWN_KINDS = 64 };

// For a kind of fragment: of each place of its matrix, row after row, the lane and element that hold it.
struct Layout {
  const FragmentKind *kind;
  int rows, columns, places, per_lane;
  uint8_t lane[MOST_PLACES], element[MOST_PLACES];
};

static inline int bytes_of(int number) {
  switch (number) {
    case simulator::HALF: case simulator::BFLOAT16: return 2;
    case simulator::DOUBLE: return 8;
    case simulator::SIGNED8: case simulator::UNSIGNED8: case simulator::E4M3: case simulator::E5M2: return 1;
    default: return 4;
  }
}

// PTX ISA, "Matrix multiply-accumulate operation using mma instruction": lane 4 g + t holds of A rows g and g + 8, of B
// column g, of each the numbers of one register after the other from 4 registers' numbers on.
static void document(Layout &layout, const FragmentKind &kind) {
  int bytes = bytes_of(kind.number), in_register = bytes < 4 ? 4 / bytes : 1;
  for (int lane = 0; lane < LANES; lane++)
    for (int i = 0; i < layout.per_lane; i++) {
      int g = lane / 4, t = lane % 4, of_register = i / in_register, e = i % in_register, row, column;
      int halves = kind.m / 8;  // A has registers for rows g, then for rows g + 8
      if (kind.role == simulator::MATRIX_A) {
        row = g + 8 * (of_register % halves);
        column = t * in_register + e + 4 * in_register * (of_register / halves);
      } else if (kind.role == simulator::MATRIX_B) {
        row = t * in_register + e + 4 * in_register * of_register;
        column = g;
      } else {
        row = g + 8 * (i / 2);
        column = 2 * t + i % 2;
      }
      int place = row * layout.columns + column;
      layout.lane[place] = (uint8_t)lane, layout.element[place] = (uint8_t)i;
    }
}

static const Layout &layout_of(const FragmentKind *kind) {
  static Layout known[KNOWN_KINDS];
  Layout &layout = known[((uintptr_t)kind / sizeof(FragmentKind)) % KNOWN_KINDS];
  if (layout.kind == kind) return layout;
  layout.kind = kind;
  layout.rows = kind->role == simulator::MATRIX_B ? kind->k : kind->m;
  layout.columns = kind->role == simulator::MATRIX_A ? kind->k : kind->n;
  layout.places = layout.rows * layout.columns;
  layout.per_lane = layout.places / LANES;
  if (kind->scramble == simulator::DOCUMENTED) {
    document(layout, *kind);
    return layout;
  }
  unsigned last = (unsigned)layout.places - 1, first_factor = 2u * (unsigned)kind->scramble + 37;
  for (unsigned place = 0; place <= last; place++) {
    // Odd factors and shifted exclusive ors are bijections of the places, whose number is a power of two.
    unsigned at = (place * first_factor + 11) & last;
    at ^= at >> 3;
    at = (at * 77 + 5u * (unsigned)kind->scramble) & last;
    layout.lane[place] = (uint8_t)(at % LANES);
    layout.element[place] = (uint8_t)(at / LANES);
  }
  return layout;
}
// Where places are held repeatedly, the copies are on different lanes.
static inline unsigned lane_of_copy(unsigned lane, int copy) { return (lane + 7u * (unsigned)copy) % LANES; }

struct FragmentMeeting : Meeting {
  const FragmentKind *kind;
  char *x, *memory;
  unsigned stride;
  int column_major;
};

// All lanes must give one pointer, stride and order; aligned as CUDA demands. Lines of the matrix may not overlap: a
// stride below their length is undefined (PTX ISA, `wmma.load` and `wmma.store`).
static void check_operands(Meeting **lanes, int access) {
  const FragmentMeeting &first = *(FragmentMeeting *)lanes[0];
  unsigned warp = current / LANES * LANES;
  for (unsigned lane = 1; lane < LANES; lane++) {
    const FragmentMeeting &its = *(FragmentMeeting *)lanes[lane];
    if (its.memory == first.memory && its.stride == first.stride && its.column_major == first.column_major) continue;
    if (FindingRecord *one = found(DIVERGENT_ARGUMENTS, place_of_line(first.line)))
      one->thread = warp, one->other_thread = warp + lane, one->other_block = one->block;
    stop_launch();
  }
  int bytes = bytes_of(first.kind->number), fragment_bytes = first.kind->elements * bytes;
  int needed = fragment_bytes < 32 ? fragment_bytes : 32;
  if ((uintptr_t)first.memory & (uintptr_t)(needed - 1)) {
    Seen now = {warp, access, place_of_line(first.line), first.memory, bytes};
    report_misaligned(array_of(first.memory, bytes), now, needed);
  }
  // Rows of bytes may be shorter than 16: there what a lane loads at once must be aligned.
  int step = bytes > 1 || fragment_bytes > 16 ? 16 : fragment_bytes;
  const Layout &layout = layout_of(first.kind);
  int length = first.column_major ? layout.rows : layout.columns;
  bool is_short = first.stride < (unsigned)length;
  if (is_short || first.stride * (unsigned)bytes % (unsigned)step) {
    if (FindingRecord *one = found(BAD_STRIDE, place_of_line(first.line)))
      one->access = access, one->number = first.stride, one->other_number = bytes,
      one->offset = step, one->size = is_short ? length : 0;
  }
}

template <class T> static void move_elements(Meeting **lanes, bool loads) {
  const FragmentMeeting &first = *(FragmentMeeting *)lanes[0];
  const Layout &layout = layout_of(first.kind);
  unsigned warp = current / LANES * LANES;
  uint32_t code_place = place_of_line(first.line);
  int copies = loads ? first.kind->copies : 1;
  unsigned row_step = first.column_major ? 1 : first.stride, column_step = first.column_major ? first.stride : 1;
  for (int row = 0, place = 0; row < layout.rows; row++)
    for (int column = 0; column < layout.columns; column++, place++) {
      T *memory = (T *)first.memory + (size_t)row * row_step + (size_t)column * column_step;
      for (int copy = 0; copy < copies; copy++) {
        unsigned lane = lane_of_copy(layout.lane[place], copy);
        if (checking) access_memory(memory, sizeof(T), loads ? READ : WRITE, warp + lane, code_place);
        T *held = (T *)((FragmentMeeting *)lanes[lane])->x + layout.element[place] + copy * layout.per_lane;
        if (loads) *held = *memory;
        else *memory = *held;
      }
    }
}

static void move_fragment(Meeting **lanes, bool loads) {
  if (checking) {
    check_operands(lanes, loads ? READ : WRITE);
    for (unsigned lane = 0; lane < LANES; lane++) {
      const FragmentMeeting &its = *(FragmentMeeting *)lanes[lane];
      uint64_t bytes = (uint64_t)(its.kind->elements * bytes_of(its.kind->number));
      unsigned thread = current / LANES * LANES + lane;
      if (loads) fill_fragment_of(thread, its.x, bytes);
      else read_fragment_of(thread, its.x, bytes, place_of_line(its.line));
    }
  }
  switch (bytes_of(((FragmentMeeting *)lanes[0])->kind->number)) {
    case 1: return move_elements<uint8_t>(lanes, loads);
    case 2: return move_elements<uint16_t>(lanes, loads);
    case 4: return move_elements<uint32_t>(lanes, loads);
    default: return move_elements<uint64_t>(lanes, loads);
  }
}
static void load_fragment(Meeting **lanes, unsigned) { move_fragment(lanes, true); }
static void store_fragment(Meeting **lanes, unsigned) { move_fragment(lanes, false); }

extern "C" void sim_fragment_load(const FragmentKind *kind, void *x, const void *from, unsigned stride,
                                  int column_major, int line) {
  FragmentMeeting meeting = {{~0u, line, load_fragment, true}, kind, (char *)x, (char *)from, stride, column_major};
  meet(meeting);
}
extern "C" void sim_fragment_store(const FragmentKind *kind, const void *x, void *to, unsigned stride,
                                   int column_major, int line) {
  FragmentMeeting meeting = {{~0u, line, store_fragment, true}, kind, (char *)x, (char *)to, stride, column_major};
  meet(meeting);
}

struct MultiplyMeeting : Meeting {
  const FragmentKind *const *kinds;
  char *d;
  const char *a, *b, *c;
  int saturate;
};

template <class T> static inline T number_at(const char *x, int index, int number) {
  switch (number) {
    case simulator::HALF: return (T)simulator::float_of_half(((const uint16_t *)x)[index]);
    case simulator::BFLOAT16: return (T)simulator::float_of_bfloat(((const uint16_t *)x)[index]);
    case simulator::FLOAT: return (T)((const float *)x)[index];
    case simulator::DOUBLE: return (T)((const double *)x)[index];
    case simulator::SIGNED8: return (T)((const int8_t *)x)[index];
    case simulator::UNSIGNED8: return (T)((const uint8_t *)x)[index];
    case simulator::INT32: return (T)((const int32_t *)x)[index];
    case simulator::E4M3: return (T)simulator::float_of_e4m3(((const uint8_t *)x)[index]);
    case simulator::E5M2: return (T)simulator::float_of_e5m2(((const uint8_t *)x)[index]);
    default:  // tf32: the instruction does not see the bits beyond 10 of fraction
      return (T)simulator::same_bits<float>(((const uint32_t *)x)[index] & 0xffffe000u);
  }
}

template <class T, int Operand>
static void gather(Meeting **lanes, const FragmentKind *kind, T *matrix) {
  const Layout &layout = layout_of(kind);
  int number = kind->number;
  for (int place = 0; place < layout.places; place++) {
    const MultiplyMeeting &its = *(MultiplyMeeting *)lanes[layout.lane[place]];
    matrix[place] = number_at<T>(Operand == 1 ? its.a : Operand == 2 ? its.b : its.c, layout.element[place], number);
  }
}

// Products and sums in T; what is not exact there is open in CUDA as well.
template <class T> static void multiply(Meeting **lanes) {
  const MultiplyMeeting &first = *(MultiplyMeeting *)lanes[0];
  const FragmentKind *const *kinds = first.kinds;
  int m = kinds[0]->m, n = kinds[0]->n, k = kinds[0]->k;
  T a[MOST_PLACES], b[MOST_PLACES], sum[MOST_PLACES];
  gather<T, 1>(lanes, kinds[1], a);
  gather<T, 2>(lanes, kinds[2], b);
  gather<T, 3>(lanes, kinds[3], sum);
  for (int i = 0; i < m; i++)
    for (int l = 0; l < k; l++) {
      T factor = a[i * k + l];
      for (int j = 0; j < n; j++) sum[i * n + j] += factor * b[l * n + j];
    }
  const Layout &layout = layout_of(kinds[0]);
  for (int place = 0; place < layout.places; place++) {
    char *d = ((MultiplyMeeting *)lanes[layout.lane[place]])->d;
    int index = layout.element[place];
    switch (kinds[0]->number) {
      case simulator::HALF: ((uint16_t *)d)[index] = simulator::half_of((float)sum[place]); break;
      case simulator::FLOAT: ((float *)d)[index] = (float)sum[place]; break;
      case simulator::DOUBLE: ((double *)d)[index] = (double)sum[place]; break;
      default: {
        int64_t exact = (int64_t)sum[place];
        if (first.saturate) exact = exact > INT32_MAX ? INT32_MAX : exact < INT32_MIN ? INT32_MIN : exact;
        ((int32_t *)d)[index] = (int32_t)exact;
      }
    }
  }
}

static void check_factors(Meeting **lanes) {
  for (unsigned lane = 0; lane < LANES; lane++) {
    const MultiplyMeeting &its = *(MultiplyMeeting *)lanes[lane];
    const char *read[] = {its.a, its.b, its.c};
    unsigned thread = current / LANES * LANES + lane;
    if (!fibers[thread].unset) continue;
    for (int i = 1; i < 4; i++)
      read_fragment_of(thread, read[i - 1], (uint64_t)(its.kinds[i]->elements * bytes_of(its.kinds[i]->number)),
                       place_of_line(its.line));
    fill_fragment_of(thread, its.d, (uint64_t)(its.kinds[0]->elements * bytes_of(its.kinds[0]->number)));
  }
}

static void multiply_fragments(Meeting **lanes, unsigned) {
  if (checking) check_factors(lanes);
  switch (((MultiplyMeeting *)lanes[0])->kinds[0]->number) {
    case simulator::DOUBLE: return multiply<double>(lanes);
    case simulator::INT32: return multiply<int64_t>(lanes);
    default: return multiply<float>(lanes);
  }
}

extern "C" void sim_fragment_multiply(const FragmentKind *const kinds[4], void *d, const void *a, const void *b,
                                      const void *c, int saturate, int line) {
  MultiplyMeeting meeting = {{~0u, line, multiply_fragments, true}, kinds, (char *)d, (const char *)a,
                             (const char *)b, (const char *)c, saturate};
  meet(meeting);
}
