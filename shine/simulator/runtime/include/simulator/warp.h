// Shuffles and votes of a warp. Values travel as bits; what lanes exchange is done by the runtime.
#pragma once

namespace simulator {

template <class T>
SIM_INLINE T shuffle(unsigned mask, T value, int lane, int width, int kind, int line) {
  static_assert(sizeof(T) <= 8, "shuffles take values of at most 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = sim_shuffle(mask, bits, lane, width, kind, line);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

// An instruction of 32 shuffles is counted once.
constexpr int part_of(int lane) { return lane ? SHUFFLE_UNCOUNTED : SHUFFLE_INDEX; }

}  // namespace simulator

#define SIM_SHUFFLE(name, kind)                                                                              \
  template <class T> SIM_INLINE T name(unsigned mask, T value, int lane, int width = 32, SIM_LINE) {         \
    return simulator::shuffle(mask, value, lane, width, simulator::kind, sim_line);                          \
  }
SIM_SHUFFLE(__shfl_sync, SHUFFLE_INDEX)
SIM_SHUFFLE(__shfl_up_sync, SHUFFLE_UP)
SIM_SHUFFLE(__shfl_down_sync, SHUFFLE_DOWN)
SIM_SHUFFLE(__shfl_xor_sync, SHUFFLE_XOR)

SIM_INLINE unsigned __ballot_sync(unsigned mask, int predicate, SIM_LINE) {
  return sim_vote(mask, predicate, simulator::VOTE_BALLOT, sim_line);
}
SIM_INLINE int __any_sync(unsigned mask, int predicate, SIM_LINE) {
  return (int)sim_vote(mask, predicate, simulator::VOTE_ANY, sim_line);
}
SIM_INLINE int __all_sync(unsigned mask, int predicate, SIM_LINE) {
  return (int)sim_vote(mask, predicate, simulator::VOTE_ALL, sim_line);
}
SIM_INLINE int __uni_sync(unsigned mask, int predicate, SIM_LINE) {
  return (int)sim_vote(mask, predicate, simulator::VOTE_UNIFORM, sim_line);
}

// Sums and extrema over the lanes of a mask, of integers (sm_80 and later).
#define SIM_REDUCE(name, T, expression)                                                                      \
  SIM_INLINE T name(unsigned mask, T value, SIM_LINE) {                                                      \
    T all = value;                                                                                           \
    bool first = true;                                                                                       \
    for (int lane = 0; lane < 32; lane++) {                                                                  \
      T one = simulator::shuffle(mask, value, lane, 32, simulator::part_of(lane), sim_line);                 \
      if (mask >> lane & 1) all = first ? one : (expression), first = false;                                 \
    }                                                                                                        \
    return all;                                                                                              \
  }
SIM_REDUCE(__reduce_add_sync, int, (int)((unsigned)all + (unsigned)one))
SIM_REDUCE(__reduce_add_sync, unsigned, all + one)
SIM_REDUCE(__reduce_min_sync, int, one < all ? one : all)
SIM_REDUCE(__reduce_min_sync, unsigned, one < all ? one : all)
SIM_REDUCE(__reduce_max_sync, int, one > all ? one : all)
SIM_REDUCE(__reduce_max_sync, unsigned, one > all ? one : all)
SIM_REDUCE(__reduce_and_sync, unsigned, all & one)
SIM_REDUCE(__reduce_or_sync, unsigned, all | one)
SIM_REDUCE(__reduce_xor_sync, unsigned, all ^ one)

SIM_INLINE unsigned __activemask() { return sim_active(); }

// The lanes of a mask that pass the same bits. Every lane tells each its own.
template <class T> SIM_INLINE unsigned __match_any_sync(unsigned mask, T value, SIM_LINE) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "matches are of values of 4 or 8 bytes");
  unsigned same = 0;
  for (int lane = 0; lane < 32; lane++) {
    T one = simulator::shuffle(mask, value, lane, 32, simulator::part_of(lane), sim_line);
    same |= (mask >> lane & (unsigned)(__builtin_memcmp(&one, &value, sizeof(T)) == 0)) << lane;
  }
  return same;
}
template <class T> SIM_INLINE unsigned __match_all_sync(unsigned mask, T value, int *predicate, SIM_LINE) {
  *predicate = __match_any_sync(mask, value, sim_line) == mask;
  return *predicate ? mask : 0;
}
