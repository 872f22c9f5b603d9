// Asynchronous copies into shared memory by a group of threads.
#pragma once
#include "../cooperative_groups.h"
#include "../simulator/copies_by_threads.h"

namespace cooperative_groups {

template <class Group, class T, class Size>
SIM_INLINE void memcpy_async(const Group &group, T *to, const T *from, const Size &size, SIM_LINE) {
  simulator::copy_part<simulator::CopyAlignment<Size>::value, sizeof(T)>(to, from, (size_t)size, (size_t)group.thread_rank(),
                                                                        (size_t)group.num_threads(), sim_line);
  sim_commit_copies();
}
// Of two numbers of elements the lesser one.
template <class Group, class T, class Size>
SIM_INLINE void memcpy_async(const Group &group, T *to, const Size &room, const T *from, const Size &count, SIM_LINE) {
  size_t elements = (size_t)room < (size_t)count ? (size_t)room : (size_t)count;
  memcpy_async(group, to, from, elements * sizeof(T), sim_line);
}
template <class Group> SIM_INLINE void wait(const Group &group, SIM_LINE) {
  sim_wait_for_copies(0);
  group.sync(sim_line);
}
template <unsigned But, class Group> SIM_INLINE void wait_prior(const Group &group, SIM_LINE) {
  sim_wait_for_copies(But);
  group.sync(sim_line);
}

}  // namespace cooperative_groups
