// cooperative_groups: the grid, clusters of blocks, blocks, tiles of a warp, coalesced threads.
#pragma once

// Counts the blocks that wait for the whole grid; the highest bit turns when all do. The checks know it by its name.
static unsigned sim_grid_arrived;

namespace cooperative_groups {

class thread_block {
 public:
  static constexpr bool is_valid() { return true; }
  static void sync(SIM_LINE) { sim_syncthreads(sim_line); }
  static unsigned long long size() { return num_threads(); }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static dim3 dim_threads() { return group_dim(); }
};
SIM_INLINE thread_block this_thread_block() { return thread_block(); }

namespace sim {
// The lanes of a mask that work together; each has a rank among them.
class lanes {
 protected:
  unsigned mask, rank, count;
  lanes(unsigned mask_, unsigned rank_, unsigned count_) : mask(mask_), rank(rank_), count(count_) {}
  // The lane of a rank; one beyond the group is left open by CUDA.
  unsigned lane_of(unsigned its) const { return sim_lane_of(mask, its); }
  unsigned ranks_of(unsigned ballot) const { return sim_ranks_of(mask, ballot); }

 public:
  unsigned long long size() const { return count; }
  unsigned num_threads() const { return count; }
  unsigned thread_rank() const { return rank; }
  unsigned lanes_of_group() const { return mask; }
  void sync(SIM_LINE) const { sim_syncwarp(mask, sim_line); }
  template <class T> T shfl(T value, unsigned from, SIM_LINE) const {
    return simulator::shuffle(mask, value, (int)lane_of(from % count), 32, simulator::SHUFFLE_INDEX, sim_line);
  }
  template <class T> T shfl_down(T value, unsigned by, SIM_LINE) const {
    unsigned from = rank + by < count ? rank + by : rank;
    return simulator::shuffle(mask, value, (int)lane_of(from), 32, simulator::SHUFFLE_INDEX, sim_line);
  }
  template <class T> T shfl_up(T value, unsigned by, SIM_LINE) const {
    unsigned from = rank >= by ? rank - by : rank;
    return simulator::shuffle(mask, value, (int)lane_of(from), 32, simulator::SHUFFLE_INDEX, sim_line);
  }
  int any(int predicate, SIM_LINE) const { return (int)sim_vote(mask, predicate, simulator::VOTE_ANY, sim_line); }
  int all(int predicate, SIM_LINE) const { return (int)sim_vote(mask, predicate, simulator::VOTE_ALL, sim_line); }
  unsigned ballot(int predicate, SIM_LINE) const {
    return ranks_of(sim_vote(mask, predicate, simulator::VOTE_BALLOT, sim_line));
  }
  template <class T> unsigned match_any(T value, SIM_LINE) const {
    return ranks_of(__match_any_sync(mask, value, sim_line));
  }
};
SIM_INLINE unsigned mask_of_tile(unsigned size) {
  return size == 32 ? ~0u : ((1u << size) - 1) << (sim_lane() & ~(size - 1));
}
// The lanes of a tile that the block has: its last warp may be short.
SIM_INLINE unsigned lanes_of_tile(unsigned size) {
  unsigned after = thread_block::num_threads() - (thread_block::thread_rank() & ~31u);
  return mask_of_tile(size) & (after >= 32 ? ~0u : (1u << after) - 1);
}
}  // namespace sim

class coalesced_group : public sim::lanes {
 public:
  explicit coalesced_group(unsigned mask_)
      : lanes(mask_, (unsigned)__builtin_popcount(mask_ & ((1u << sim_lane()) - 1)), (unsigned)__builtin_popcount(mask_)) {}
};
SIM_INLINE coalesced_group coalesced_threads() { return coalesced_group(sim_active()); }
// The lanes of a group that have the same label, or the same truth value.
template <class Group, class T> SIM_INLINE coalesced_group labeled_partition(const Group &group, T label, SIM_LINE) {
  return coalesced_group(__match_any_sync(group.lanes_of_group(), label, sim_line));
}
template <class Group> SIM_INLINE coalesced_group binary_partition(const Group &group, bool label, SIM_LINE) {
  unsigned with = sim_vote(group.lanes_of_group(), label, simulator::VOTE_BALLOT, sim_line);
  return coalesced_group(label ? with : group.lanes_of_group() & ~with);
}

template <unsigned N, class Parent = void> class thread_block_tile : public sim::lanes {
  static_assert(N && N <= 32 && !(N & (N - 1)), "tiles have 1, 2, 4, 8, 16 or 32 threads");

 public:
  thread_block_tile(unsigned meta_rank_, unsigned meta_size_)
      : lanes(sim::lanes_of_tile(N), sim_lane() & (N - 1), N), meta_rank(meta_rank_), meta_size(meta_size_) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<N, Other> &other)
      : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}
  static constexpr unsigned long long size() { return N; }
  static constexpr unsigned num_threads() { return N; }
  template <class T> T shfl_xor(T value, unsigned with, SIM_LINE) const {
    return simulator::shuffle(mask, value, (int)with, (int)N, simulator::SHUFFLE_XOR, sim_line);
  }
  unsigned meta_group_rank() const { return meta_rank; }
  unsigned meta_group_size() const { return meta_size; }

 private:
  unsigned meta_rank, meta_size;
};
// A tile of a block, or of a larger tile.
template <unsigned N, class Parent> SIM_INLINE thread_block_tile<N, Parent> tiled_partition(const Parent &parent) {
  return {parent.thread_rank() / N, (parent.num_threads() + N - 1) / N};
}

// A tile whose size is known when the kernel runs.
class thread_group : public sim::lanes {
 public:
  explicit thread_group(unsigned size_) : lanes(sim::lanes_of_tile(size_), sim_lane() & (size_ - 1), size_) {}
};
SIM_INLINE thread_group tiled_partition(const thread_block &, unsigned size) { return thread_group(size); }

// All blocks of the launch. As on a device it needs all of them at once: at most 16384 threads.
class grid_group {
 public:
  static constexpr bool is_valid() { return true; }
  static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static unsigned long long size() { return num_blocks() * thread_block::num_threads(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static dim3 dim_blocks() { return group_dim(); }
  static dim3 block_index() { return thread_block::group_index(); }
  static void sync(SIM_LINE) {
    sim_syncthreads(sim_line);
    if (thread_block::thread_rank() == 0) {
      __threadfence();
      unsigned others = (unsigned)num_blocks() - 1, turn = 0x80000000u;
      unsigned before = atomicAdd(&sim_grid_arrived, block_rank() == 0 ? turn - others : 1u, sim_line);
      while (!((before ^ atomicAdd(&sim_grid_arrived, 0u, sim_line)) & turn)) {}
      __threadfence();
    }
    sim_syncthreads(sim_line);
  }
};
SIM_INLINE grid_group this_grid() { return grid_group(); }

// The blocks of a cluster, each of which may access the shared memory of the others.
class cluster_group {
 public:
  struct arrival_token {};
  static void sync(SIM_LINE) {
    sim_cluster_arrive(true, sim_line);
    sim_cluster_wait(true, sim_line);
  }
  static arrival_token barrier_arrive(SIM_LINE) {
    sim_cluster_arrive(true, sim_line);
    return {};
  }
  static void barrier_wait(SIM_LINE) { sim_cluster_wait(true, sim_line); }
  static void barrier_wait(arrival_token &&, SIM_LINE) { sim_cluster_wait(true, sim_line); }
  static unsigned block_rank() { return __clusterRelativeBlockRank(); }
  static unsigned num_blocks() { return __clusterSizeInBlocks(); }
  static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static dim3 dim_blocks() { return __clusterDim(); }
  static unsigned num_threads() { return num_blocks() * thread_block::num_threads(); }
  static unsigned size() { return num_threads(); }
  static unsigned thread_rank() { return block_rank() * thread_block::num_threads() + thread_block::thread_rank(); }
  static dim3 thread_index() {
    dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y, block.z * blockDim.z + threadIdx.z);
  }
  static dim3 dim_threads() {
    dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  template <class T> static T *map_shared_rank(T *at, int rank, SIM_LINE) {
    return (T *)sim_map_pointer((const void *)at, (unsigned)rank, sim_line);
  }
  static unsigned query_shared_rank(const void *at) { return sim_rank_of_pointer(at); }
};
SIM_INLINE cluster_group this_cluster() { return cluster_group(); }

template <class Group> SIM_INLINE void sync(const Group &group, SIM_LINE) { group.sync(sim_line); }
template <class Group> SIM_INLINE unsigned thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> SIM_INLINE unsigned group_size(const Group &group) { return group.num_threads(); }

}  // namespace cooperative_groups
