// Scans over the lanes of a tile or of coalesced threads, in the order of their ranks.
#pragma once
#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operator = plus<T>>
SIM_INLINE T inclusive_scan(const Group &group, T value, Operator combine = Operator(), SIM_LINE) {
  T all = group.shfl(value, 0, sim_line), mine = all;
  for (unsigned i = 1; i < group.num_threads(); i++) {
    all = combine(all, group.shfl(value, i, sim_line));
    if (i == group.thread_rank()) mine = all;
  }
  return mine;
}
template <class Group, class T, class Operator = plus<T>>
SIM_INLINE T exclusive_scan(const Group &group, T value, Operator combine = Operator(), SIM_LINE) {
  T all = group.shfl(value, 0, sim_line), mine = T();
  for (unsigned i = 1; i < group.num_threads(); i++) {
    if (i == group.thread_rank()) mine = all;
    all = combine(all, group.shfl(value, i, sim_line));
  }
  return mine;
}

}  // namespace cooperative_groups
