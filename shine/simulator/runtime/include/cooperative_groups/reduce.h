// cooperative_groups::reduce over the lanes of a tile or of coalesced threads, in the order of their ranks.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {

#define SIM_OPERATOR(name, expression)                                                                       \
  template <class T = void> struct name {                                                                    \
    T operator()(const T &x, const T &y) const { return expression; }                                        \
  };                                                                                                         \
  template <> struct name<void> {                                                                            \
    template <class T> T operator()(const T &x, const T &y) const { return expression; }                     \
  };
SIM_OPERATOR(plus, x + y)
SIM_OPERATOR(less, y < x ? y : x)
SIM_OPERATOR(greater, x < y ? y : x)
SIM_OPERATOR(bit_and, x & y)
SIM_OPERATOR(bit_or, x | y)
SIM_OPERATOR(bit_xor, x ^ y)
#undef SIM_OPERATOR

template <class Group, class T, class Operator>
SIM_INLINE T reduce(const Group &group, T value, Operator combine, SIM_LINE) {
  T all = group.shfl(value, 0, sim_line);
  for (unsigned i = 1; i < group.num_threads(); i++) all = combine(all, group.shfl(value, i, sim_line));
  return all;
}

}  // namespace cooperative_groups
