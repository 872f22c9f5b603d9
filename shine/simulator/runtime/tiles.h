// What a bulk copy moves: bytes in a row, a box of a tensor, or pixels of one for a convolution (`im2col`), whose rows lie in
// shared memory one after the other, with
// their pieces of 16 bytes swizzled by the bits of addresses. What lies outside of the tensor is read as zero and not
// written. Knows neither order nor when copies come.
#pragma once
#include "matrices.h"

enum { MOST_RANK = 5, PIECE_BYTES = 16 };
// A tensor map as `tensor_maps.py` encodes it, in the size of CUDA's, whose bits are not documented.
struct TensorMap {
  char *data;
  uint8_t magic, rank, element, swizzle, number, is_columns, reserved[2];
  uint64_t sizes[MOST_RANK], strides[MOST_RANK - 1];  // the first is the innermost; bytes between neighbours of the others
  // Of columns the box has channels, pixels, and for each dimension of space the lower and the upper corner's offsets.
  uint32_t box[MOST_RANK], steps[MOST_RANK];
};
static_assert(sizeof(TensorMap) == 128, "as large as CUDA's");
enum : uint8_t { TENSOR_MAP_MAGIC = 0xa7 };

struct Tile {
  char *shared, *global;
  uint64_t bytes;  // in shared memory, whether or not they lie within the tensor
  bool within_shared;
  int rank, number, swizzle;
  uint64_t element, sizes[MOST_RANK], strides[MOST_RANK];
  int64_t from[MOST_RANK];
  uint32_t counts[MOST_RANK], steps[MOST_RANK];
  // Of pixels: where each dimension of space begins and ends, and what is added to where it is read.
  bool is_columns;
  int64_t lower[MOST_RANK], upper[MOST_RANK], offsets[MOST_RANK];
};

static Tile plain_tile(char *shared, char *global, uint64_t bytes, bool within_shared) {
  Tile tile = {};
  tile.shared = shared, tile.global = global, tile.bytes = bytes, tile.within_shared = within_shared;
  return tile;
}

// Swizzles of 32, 64 and 128 bytes exchange pieces within as many bytes, by the number of the row of 128 bytes.
static inline char *swizzled(char *at, int swizzle) {
  uintptr_t row = (uintptr_t)at >> 7 & ((1u << swizzle) - 1);
  return (char *)((uintptr_t)at ^ row << 4);
}

static void report_tensor(const char *reason, int line, int64_t number, int64_t other_number) {
  if (FindingRecord *one = found(BAD_COPY, place_of_line(line))) {
    one->number = number, one->other_number = other_number;
    strcpy(one->text, reason);
  }
  stop_launch();
}

// `offsets` are those of an instruction on pixels, for each dimension of space; null for one on boxes.
static Tile tile_of(char *shared, const char *at, const int *coordinates, int rank, const int *offsets, int line) {
  TensorMap map;
  memcpy(&map, at, sizeof map);
  if (map.magic != TENSOR_MAP_MAGIC) report_tensor("map", line, 0, 0);
  if (map.rank != rank) report_tensor("rank", line, map.rank, rank);
  if ((map.is_columns != 0) != (offsets != nullptr)) report_tensor(map.is_columns ? "columns" : "box", line, 0, 0);
  if ((uintptr_t)shared % 128) {
    report_misaligned(checking ? array_of(shared, PIECE_BYTES) : nullptr,
                      {current, COPY, place_of_line(line), shared, PIECE_BYTES}, 128);
    stop_launch();
  }
  Tile tile = plain_tile(shared, map.data, map.element, false);
  tile.rank = rank, tile.number = map.number, tile.swizzle = map.swizzle, tile.element = map.element;
  for (int d = 0; d < rank; d++) {
    tile.sizes[d] = map.sizes[d], tile.strides[d] = d ? map.strides[d - 1] : map.element;
    tile.from[d] = coordinates[d], tile.steps[d] = map.steps[d];
    tile.counts[d] = (map.box[d] + map.steps[d] - 1) / map.steps[d];
    if (map.is_columns && d) tile.counts[d] = d == 1 ? map.box[1] : 1;
    tile.bytes *= tile.counts[d];
  }
  tile.is_columns = map.is_columns != 0;
  for (int d = 1; tile.is_columns && d < rank - 1; d++) {
    tile.lower[d] = (int16_t)map.box[d + 1], tile.upper[d] = (int64_t)map.sizes[d] - 1 + (int16_t)(map.box[d + 1] >> 16);
    tile.offsets[d] = offsets[d - 1];
  }
  return tile;
}

// Calls `each(shared, global, bytes)` for pieces that lie together; `global` is null for those outside of the tensor.
template <class F> static void for_row(const Tile &tile, char *shared, char *row, F each) {
  uint64_t per_piece = PIECE_BYTES / tile.element;
  bool is_whole = row && tile.from[0] >= 0 && (uint64_t)tile.from[0] + tile.counts[0] <= tile.sizes[0] && tile.steps[0] == 1;
  if (is_whole && !tile.swizzle)
    return each(shared, row + tile.from[0] * (int64_t)tile.element, tile.counts[0] * tile.element);
  for (uint64_t first = 0; first < tile.counts[0]; first += per_piece) {
    char *to = swizzled(shared + first * tile.element, tile.swizzle);
    auto at = [&](uint64_t i) -> char * {
      int64_t x = tile.from[0] + (int64_t)((first + i) * tile.steps[0]);
      return row && x >= 0 && (uint64_t)x < tile.sizes[0] ? row + x * (int64_t)tile.element : nullptr;
    };
    for (uint64_t i = 0, next; i < per_piece; i = next) {
      char *begin = at(i);
      for (next = i + 1; next < per_piece; next++)
        if (at(next) != (begin ? begin + (next - i) * tile.element : nullptr)) break;
      each(to + i * tile.element, begin, (next - i) * tile.element);
    }
  }
}
// The row of a pixel, or null outside of the tensor.
static char *row_of_pixel(const Tile &tile, const int64_t *pixel) {
  char *row = tile.global;
  for (int d = 1; d < tile.rank; d++) {
    int64_t x = pixel[d] + tile.offsets[d];
    if (x < 0 || (uint64_t)x >= tile.sizes[d]) return nullptr;
    row += x * (int64_t)tile.strides[d];
  }
  return row;
}
// Pixels follow each other in the bounding box of each image: along the width first, and image after image.
template <class F> static void for_pixels(const Tile &tile, F each) {
  int64_t pixel[MOST_RANK];
  memcpy(pixel, tile.from, sizeof pixel);
  for (uint64_t number = 0; number < tile.counts[1]; number++) {
    each(row_of_pixel(tile, pixel), number);
    int d = 1;
    for (; d < tile.rank - 1; d++) {
      pixel[d] += tile.steps[d];
      if (pixel[d] <= tile.upper[d]) break;
      pixel[d] = tile.lower[d];
    }
    if (d == tile.rank - 1) pixel[d] += tile.steps[d];
  }
}
template <class F> static void for_pieces(const Tile &tile, F each) {
  if (!tile.rank) return each(tile.shared, tile.global, tile.bytes);
  if (tile.is_columns)
    return for_pixels(tile, [&](char *row, uint64_t number) {
      for_row(tile, tile.shared + number * tile.counts[0] * tile.element, row, each);
    });
  uint64_t row_bytes = tile.counts[0] * tile.element, rows = tile.bytes / row_bytes;
  for (uint64_t number = 0; number < rows; number++) {
    char *row = tile.global;
    uint64_t rest = number;
    for (int d = 1; d < tile.rank; d++) {
      int64_t x = tile.from[d] + (int64_t)(rest % tile.counts[d] * tile.steps[d]);
      rest /= tile.counts[d];
      if (row) row = x >= 0 && (uint64_t)x < tile.sizes[d] ? row + x * (int64_t)tile.strides[d] : nullptr;
    }
    for_row(tile, tile.shared + number * row_bytes, row, each);
  }
}
