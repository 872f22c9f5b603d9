// Copies of any number of bytes into shared memory by a group of threads, in pieces of which each thread has some.
#pragma once
#include "vocabulary.h"

namespace simulator {

// What a size says about the alignment of pointers: 1 for a plain number.
template <class Size> struct CopyAlignment {
  static constexpr size_t value = 1;
};
template <template <size_t> class Aligned, size_t N> struct CopyAlignment<Aligned<N>> {
  static constexpr size_t value = N;
};

// The part of a thread of a rank among `count`. Asynchronous copies have 4, 8 or 16 bytes; others, and those that are not
// into shared memory, are made at once.
template <size_t Alignment, size_t Element>
SIM_INLINE void copy_part(void *to, const void *from, size_t bytes, size_t rank, size_t count, int line) {
  constexpr size_t known = Alignment > Element ? Alignment : Element;
  size_t piece = known % 16 == 0 ? 16 : known % 8 == 0 ? 8 : known % 4 == 0 ? 4 : 1;
  bool is_asynchronous = piece >= 4 && sim_shared_address(to);
  for (size_t at = rank * piece; at + piece <= bytes; at += count * piece) {
    char *there = (char *)to + at;
    const char *here = (const char *)from + at;
    if (is_asynchronous) sim_copy(there, here, piece, 0, line);
    else if (piece == 16) *(uint4 *)there = *(const uint4 *)here;
    else if (piece == 8) *(uint2 *)there = *(const uint2 *)here;
    else if (piece == 4) *(unsigned *)there = *(const unsigned *)here;
    else *there = *here;
  }
  // What is left is shorter than a piece.
  size_t rest = bytes % piece;
  for (size_t at = bytes - rest + rank; rest && at < bytes; at += count) ((char *)to)[at] = ((const char *)from)[at];
}

}  // namespace simulator
