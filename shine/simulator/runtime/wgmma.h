// Asynchronous products of warpgroups: their factors in shared memory, which descriptors tell, are read by the asynchronous
// proxy; their sums are in registers that nobody may touch before the wait. Each warp computes its sixteen rows. In a checked
// launch that is done where the warp waits.
#pragma once
#include "bulk_copies.h"

enum { WARPS_OF_GROUP = 4, ROWS_OF_GROUP = 64, ROWS_OF_WARP = 16, DEPTH_BYTES = 32, MOST_DEPTH = 32, MOST_COLUMNS = 256, MOST_SUMS = 128 };
enum : uint64_t { LOW_ADDRESS = 0x3ffff };  // what a descriptor has of an address
// An order of shared memory by a descriptor's bits: where it begins, the strides between its parts, and its swizzle.
struct Factor {
  char *begin;
  uint64_t leading, stride;
  int swizzle;  // 1, 2 or 3 for 32, 64 or 128 bytes
  bool across;  // numbers along m or n lie side by side, not those along k
};
struct Product {
  Product *next;
  uint32_t place, group, clock, copier;
  const simulator::ProductKind *kind;
  int columns, sum_number, registers, sign;
  bool a_in_registers, adds;
  Factor a, b;
  uint32_t a_registers[LANES][4];
  char *sums[LANES][MOST_SUMS];  // where the registers are
  uint32_t before[LANES][MOST_SUMS];
};
struct Products {
  Product *first, *last;
  uint32_t committed, begun, fences;
  // What the last product that was waited for has left in its registers, and before which fence.
  char *left_at;
  uint64_t left;
  uint32_t left_before;
};
static Products products_of[MOST_WARPS];

struct ProductMeeting : Meeting {
  char **sums;
  const unsigned *a_registers;
  const simulator::ProductKind *kind;
  uint64_t a, b;
  int adds, a_sign, b_sign, a_across, b_across;
};
struct GroupMeeting : Meeting {
  unsigned but;
};

[[noreturn]] static void report_product(const char *reason, uint32_t place, uint32_t other_place, int64_t number,
                                        int64_t other_number = 0) {
  if (FindingRecord *one = found(BAD_OPERAND, place, other_place)) {
    one->number = number, one->other_number = other_number, one->other_block = one->block;
    strcpy(one->text, reason);
  }
  stop_launch();
}

// The lowest 18 bits of an address tell the place among the arrays of the kernel that runs.
static Factor factor_of(uint64_t bits, bool across, uint32_t place) {
  static int const SWIZZLES[] = {0, 3, 2, 1};
  uint64_t low = (bits & 0x3fff) << 4;
  Factor factor = {nullptr, (bits >> 16 & 0x3fff) << 4, (bits >> 32 & 0x3fff) << 4, SWIZZLES[bits >> 62], across};
  if (bits >> 49 & 7) report_product("base", place, 0, (int64_t)(bits >> 49 & 7));
  uint64_t offset = (low - DYNAMIC_WINDOW) & LOW_ADDRESS;
  if (offset < request.dynamic_bytes) factor.begin = (char *)sim_dynamic_shared + offset;
  for (unsigned i = 0; i < request.static_count && !factor.begin; i++) {
    offset = (low - sim_shared_address(statics[i].data)) & LOW_ADDRESS;
    if (offset < statics[i].bytes) factor.begin = statics[i].data + offset;
  }
  if (!factor.begin) report_product("address", place, 0, (int64_t)low);
  return factor;
}

// Where a piece of sixteen bytes begins: of a row (or, of a factor across, a number of k) from a byte on.
static char *piece_at(const Factor &factor, uint64_t first, uint64_t byte) {
  uint64_t offset;
  if (factor.swizzle) {
    uint64_t width = 16ull << factor.swizzle;  // bytes of a row
    offset = first / 8 * factor.stride + first % 8 * width + byte % width + byte / width * factor.leading;
  } else {
    uint64_t rows = factor.across ? factor.leading : factor.stride, columns = factor.across ? factor.stride : factor.leading;
    offset = first / 8 * rows + byte / PIECE_BYTES * columns + first % 8 * PIECE_BYTES;
  }
  return swizzled(factor.begin + offset, factor.swizzle);
}

// Calls `each` for the pieces that hold some rows of a factor, with the row and the k of their first number. Only numbers of
// 16 bits lie across.
template <class F> static void for_pieces_of_factor(const Factor &factor, int number, uint64_t first, uint64_t rows, F each) {
  uint64_t size = (uint64_t)bytes_of(number), per_piece = PIECE_BYTES / size, depth = DEPTH_BYTES / size;
  if (factor.across) {
    for (uint64_t row = first; row < first + rows; row += per_piece)
      for (uint64_t k = 0; k < depth; k++) each(piece_at(factor, k, row * size), row, k);
    return;
  }
  for (uint64_t row = first; row < first + rows; row++)
    for (uint64_t k = 0; k < depth; k += per_piece) each(piece_at(factor, row, k * size), row, k);
}

static void read_factor(const Factor &factor, int number, uint64_t first, uint64_t rows, float (*to)[MOST_DEPTH]) {
  int per_piece = PIECE_BYTES / bytes_of(number);
  for_pieces_of_factor(factor, number, first, rows, [&](const char *at, uint64_t row, uint64_t k) {
    for (int i = 0; i < per_piece; i++)
      to[row - first + (factor.across ? (uint64_t)i : 0)][k + (factor.across ? 0 : (uint64_t)i)] = number_at<float>(at, i, number);
  });
}

// A piece that a copy of a tensor has swizzled must be found again by the descriptor. Where the copy did not swizzle, the
// tensor itself may be in that order.
static void check_swizzle(const Factor &factor, char *at, uint32_t place) {
  const Array &array = *array_of(at, PIECE_BYTES);
  for_cells(array, at, PIECE_BYTES, [&](const Cell &cell) {
    if (cell.write_stamp < home_of(array) || kind_of(cell) != PLAIN || !is_bulk_copier(cell.write_thread)) return;
    int swizzle = (int)cell.write_lanes;
    if (!swizzle || swizzled(at, swizzle) == swizzled(at, factor.swizzle)) return;
    report_product("swizzle", place, cell.write_place, swizzle, factor.swizzle);
  });
}

// Each warp reads its own rows of the left factor, and all of the right one.
static void see_factors(const Product &product, unsigned warp) {
  const Factor *factor = &product.a;
  auto see = [&](char *at, uint64_t, uint64_t) {
    BulkCopy copy = {};
    copy.place = product.place, copy.thread = warp * LANES, copy.copier = product.copier, copy.clock = product.clock;
    copy.rank = cluster_rank;
    see_copy_read(copy, at, PIECE_BYTES, STATIC_SHARED);
    check_swizzle(*factor, at, product.place);
  };
  if (!product.a_in_registers)
    for_pieces_of_factor(product.a, product.kind->a_number, warp % WARPS_OF_GROUP * ROWS_OF_WARP, ROWS_OF_WARP, see);
  factor = &product.b;
  for_pieces_of_factor(product.b, product.kind->b_number, 0, (uint64_t)product.columns, see);
}

// What the registers of a warp hold after the product.
static void multiply(const Product &product, unsigned warp, uint32_t (*to)[MOST_SUMS]) {
  static float a[ROWS_OF_WARP][MOST_DEPTH], b[MOST_COLUMNS][MOST_DEPTH];
  int a_number = product.kind->a_number, size = bytes_of(a_number), depth = DEPTH_BYTES / size;
  if (product.a_in_registers) {
    for (int lane = 0; lane < LANES; lane++)
      for (int i = 0; i < DEPTH_BYTES / 2 / size; i++) {
        int in_register = 4 / size, number = i / in_register;
        a[lane / 4 + 8 * (number % 2)][(lane % 4 + 4 * (number / 2)) * in_register + i % in_register] =
            number_at<float>((const char *)product.a_registers[lane], i, a_number);
      }
  } else {
    read_factor(product.a, a_number, warp % WARPS_OF_GROUP * ROWS_OF_WARP, ROWS_OF_WARP, a);
  }
  read_factor(product.b, product.kind->b_number, 0, (uint64_t)product.columns, b);
  bool narrow = product.sum_number == simulator::HALF;
  for (int lane = 0; lane < LANES; lane++)
    for (int i = 0; i < product.columns / 2; i++) {
      int row = lane / 4 + 8 * (i / 2 % 2), column = 8 * (i / 4) + lane % 4 * 2 + i % 2;
      const uint32_t *before = &product.before[lane][narrow ? i / 2 : i];
      if (product.sum_number == simulator::INT32) {
        int64_t sum = product.adds ? (int32_t)*before : 0;
        for (int k = 0; k < depth; k++) sum += (int64_t)a[row][k] * (int64_t)b[column][k];
        if (product.kind->saturates) sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        to[lane][i] = (uint32_t)sum;
        continue;
      }
      float sum = 0, old;
      if (product.adds) {
        if (narrow) sum = simulator::float_of_half((uint16_t)(*before >> i % 2 * 16));
        else memcpy(&old, before, 4), sum = old;
      }
      for (int k = 0; k < depth; k++) sum += (float)product.sign * a[row][k] * b[column][k];
      if (narrow) {
        uint32_t half = simulator::half_of(sum), &both = to[lane][i / 2];
        both = i % 2 ? (both & 0xffff) | half << 16 : half;
      } else {
        memcpy(&to[lane][i], &sum, 4);
      }
    }
}

static uint64_t digest_of_sums(const Product &product) {
  uint64_t its = EMPTY_DIGEST;
  for (int lane = 0; lane < LANES; lane++)
    for (int i = 0; i < product.registers; i++) its = digest_with(its, product.sums[lane][i], 4);
  return its;
}

static Product *pending_on(const Products &its, const char *at) {
  Product *found = nullptr;
  for (Product *one = its.first; one; one = one->next)
    if (one->sums[0][0] == at) found = one;
  return found;
}

// Registers must not change between a fence and the product; those of products that follow each other may stay in flight.
static void check_sums(const Products &its, const Product &product, unsigned warp) {
  if (!its.fences) report_product("fence", product.place, 0, 0);
  bool is_left = its.left_at == product.sums[0][0] && its.left_before == its.fences;
  if (is_left && its.left != digest_of_sums(product)) report_product("fence", product.place, 0, 1);
  for (unsigned lane = 0; product.adds && lane < LANES; lane++)
    for (int i = 0; i < product.registers; i++) {
      unsigned thread = warp * LANES + lane;
      Fiber &fiber = fibers[thread];
      const char *at = product.sums[lane][i];
      if (fiber.unset && is_on_stack(fiber, at) && count_unset(fiber, at, 4)) return report_unset(thread, product.place, 0, "local array");
    }
}

static void begin_product(Meeting **lanes, unsigned) {
  const ProductMeeting &first = *(ProductMeeting *)lanes[0];
  unsigned warp = current / LANES;
  uint32_t place = place_of_line(first.line);
  for (unsigned lane = 1; lane < LANES; lane++) {
    const ProductMeeting &one = *(ProductMeeting *)lanes[lane];
    if (one.b == first.b && one.a == first.a && one.adds == first.adds) continue;
    FindingRecord *record = found(DIVERGENT_ARGUMENTS, place);
    if (record) record->thread = warp * LANES, record->other_thread = warp * LANES + lane, record->other_block = record->block;
    stop_launch();
  }
  if ((warp / WARPS_OF_GROUP + 1) * WARPS_OF_GROUP * LANES > threads) report_product("warpgroup", place, 0, threads);
  if ((first.a_sign != 1 && first.a_sign != -1) || (first.b_sign != 1 && first.b_sign != -1))
    report_product("sign", place, 0, first.a_sign, first.b_sign);
  Product *made = (Product *)take_order(sizeof *made);
  memset(made, 0, sizeof *made);
  Products &its = products_of[warp];
  made->place = place, made->group = its.committed, made->columns = first.kind->n;
  made->kind = first.kind, made->sum_number = first.kind->sum_number, made->registers = first.kind->registers;
  made->sign = first.a_sign * first.b_sign, made->adds = first.adds != 0;
  made->a_in_registers = first.a_registers != nullptr;
  if (!made->a_in_registers) made->a = factor_of(first.a, first.a_across != 0, place);
  made->b = factor_of(first.b, first.b_across != 0, place);
  for (unsigned lane = 0; lane < LANES; lane++) {
    const ProductMeeting &one = *(ProductMeeting *)lanes[lane];
    if (made->a_in_registers) memcpy(made->a_registers[lane], one.a_registers, sizeof made->a_registers[lane]);
    memcpy(made->sums[lane], one.sums, (size_t)made->registers * sizeof(char *));
  }
  PROFILED(profile_event(GROUP_PRODUCT, place, LANES, 0);)
  its.begun++;
  const Product *before = checking ? pending_on(its, made->sums[0][0]) : nullptr;
  if (checking && !before) check_sums(its, *made, warp);
  if (!before)
    for (unsigned lane = 0; lane < LANES; lane++)
      for (int i = 0; i < made->registers; i++) memcpy(&made->before[lane][i], made->sums[lane][i], 4);
  if (!checking) {
    static uint32_t results[LANES][MOST_SUMS];
    multiply(*made, warp, results);
    for (unsigned lane = 0; lane < LANES; lane++)
      for (int i = 0; i < made->registers; i++) memcpy(made->sums[lane][i], &results[lane][i], 4);
    leave_order(made, sizeof *made);
    return;
  }
  made->copier = next_bulk_copier(warp * LANES), made->clock = next_copy_clock();
  see_factors(*made, warp);
  for (unsigned lane = 0; lane < LANES; lane++)
    for (int i = 0; i < made->registers; i++) {
      Fiber &fiber = fibers[warp * LANES + lane];
      memset(made->sums[lane][i], 0xff, 4);
      if (is_on_stack(fiber, made->sums[lane][i])) set_unset(fiber, made->sums[lane][i], 4);
    }
  (its.first ? its.last->next : its.first) = made;
  its.last = made;
}

static void finish_product(Products &its, unsigned warp) {
  Product *done = its.first;
  its.first = done->next;
  static uint32_t results[LANES][MOST_SUMS];
  multiply(*done, warp, results);
  Product *after = nullptr;
  for (Product *one = its.first; one && !after; one = one->next)
    if (one->sums[0][0] == done->sums[0][0]) after = one;
  for (unsigned lane = 0; lane < LANES; lane++) {
    Fiber &fiber = fibers[warp * LANES + lane];
    learn_of_copier(warp * LANES + lane, done->copier, done->clock + 1);
    if (after) memcpy(after->before[lane], results[lane], sizeof results[lane]);
    for (int i = 0; !after && i < done->registers; i++) {
      memcpy(done->sums[lane][i], &results[lane][i], 4);
      if (is_on_stack(fiber, done->sums[lane][i])) clear_unset(fiber, done->sums[lane][i], 4);
    }
  }
  if (!after) its.left_at = done->sums[0][0], its.left = digest_of_sums(*done), its.left_before = its.fences;
  leave_order(done, sizeof *done);
}

static void fence_products(Meeting **, unsigned) { products_of[current / LANES].fences++; }
static void commit_products(Meeting **, unsigned) { products_of[current / LANES].committed++; }
static void wait_for_products(Meeting **lanes, unsigned) {
  unsigned but = ((GroupMeeting *)lanes[0])->but, warp = current / LANES;
  Products &its = products_of[warp];
  while (its.first && its.first->group + but < its.committed) finish_product(its, warp);
}

extern "C" void sim_wgmma(char **sums, const simulator::ProductKind *kind, unsigned long long a, const unsigned *a_registers,
                          unsigned long long b, int adds, int a_sign, int b_sign, int a_across, int b_across, int line) {
  sim_quiet = 0;
  ProductMeeting meeting = {{~0u, line, begin_product, true}, sums, a_registers, kind, a, b, adds, a_sign, b_sign, a_across, b_across};
  meet(meeting);
}
extern "C" void sim_wgmma_fence(int line) {
  GroupMeeting meeting = {{~0u, line, fence_products, true}, 0};
  meet(meeting);
}
extern "C" void sim_wgmma_commit(int line) {
  GroupMeeting meeting = {{~0u, line, commit_products, true}, 0};
  meet(meeting);
}
extern "C" void sim_wgmma_wait(int but, int line) {
  GroupMeeting meeting = {{~0u, line, wait_for_products, true}, (unsigned)but};
  meet(meeting);
}

// Whether a byte is of a register of a product that is not waited for; reports the access if so.
static bool is_in_product(const void *at, int bytes, bool reads, uint32_t place) {
  const Products &its = products_of[current / LANES];
  for (const Product *one = its.first; one; one = one->next)
    for (int i = 0; i < one->registers; i++) {
      const char *sum = one->sums[current % LANES][i];
      if (sum + 4 <= (const char *)at || sum >= (const char *)at + bytes) continue;
      if (FindingRecord *record = found(IN_FLIGHT, place, one->place, LOCAL)) {
        record->access = reads ? READ : WRITE, record->other_access = COPY, record->size = bytes;
        record->other_thread = current, record->other_block = record->block;
        strcpy(record->text, "wgmma");
      }
      return true;
    }
  return false;
}

// A thread has ended: its warp must have waited, and all warps of a group have begun as many products.
static void end_products() {
  Products &its = products_of[current / LANES];
  if (!its.first) return;
  if (FindingRecord *one = found(NOT_WAITED, its.first->place, 0, LOCAL)) strcpy(one->text, "wgmma");
  while (Product *one = its.first) {
    its.first = one->next;
    leave_order(one, sizeof *one);
  }
}
static void end_products_of_block() {
  for (unsigned warp = 0; warp * LANES < threads; warp++) {
    const Products &first = products_of[warp / WARPS_OF_GROUP * WARPS_OF_GROUP];
    if (checking && first.begun != products_of[warp].begun) {
      if (FindingRecord *one = found(BAD_OPERAND, 0)) {
        one->number = warp, one->other_number = warp / WARPS_OF_GROUP * WARPS_OF_GROUP;
        one->offset = products_of[warp].begun, one->size = (int32_t)first.begun, strcpy(one->text, "warps");
      }
      break;
    }
  }
  memset(products_of, 0, sizeof products_of);
}
