// Sums by cooperative groups: restatements of reduceSinglePassMultiBlockCG, reductionMultiBlockCG, binaryPartitionCG and
// simpleCooperativeGroups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
enum { SIZE = 128 };

// A tile of sixteen sums by shuffles, whose first adds to the result.
extern "C" __global__ void tiles_of_16(const int* x, int* sum, int n) {
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x, mine = i < n ? x[i] : 0;
  for (int step = 8; step > 0; step /= 2) mine += tile.shfl_down(mine, step);
  if (tile.thread_rank() == 0) atomicAdd(sum, mine);
}

extern "C" __global__ void reduced_by_the_library(const int* x, int* sum, int n) {
  __shared__ int of_warps[SIZE / 32];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int mine = 0;
  for (int i = blockIdx.x * SIZE + threadIdx.x; i < n; i += gridDim.x * SIZE) mine += x[i];
  mine = cg::reduce(warp, mine, cg::plus<int>());
  if (warp.thread_rank() == 0) of_warps[warp.meta_group_rank()] = mine;
  block.sync();
  if (block.thread_rank() == 0) {
    for (int i = 1; i < SIZE / 32; i++) mine += of_warps[i];
    atomicAdd(sum, mine);
  }
}

// All blocks meet; then the first one adds up what each has stored.
extern "C" __global__ void all_blocks_meet(const int* x, int* parts, int* sum, int n) {
  __shared__ int held[SIZE];
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  int t = threadIdx.x, mine = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) mine += x[i];
  held[t] = mine;
  cg::sync(block);
  for (int half = SIZE / 2; half > 0; half /= 2) {
    if (t < half) held[t] += held[t + half];
    cg::sync(block);
  }
  if (t == 0) parts[blockIdx.x] = held[0];
  cg::sync(grid);
  if (grid.thread_rank() == 0) {
    int all = 0;
    for (int i = 0; i < gridDim.x; i++) all += parts[i];
    *sum = all;
  }
}

// Odd and even numbers are counted by those of a tile that have them.
extern "C" __global__ void odd_and_even(const int* x, int* counts, int n) {
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    bool is_odd = x[i] & 1;
    unsigned odd = tile.ballot(is_odd);
    if (tile.thread_rank() == 0) {
      atomicAdd(&counts[1], __popc(odd));
      atomicAdd(&counts[0], 32 - __popc(odd));
    }
  }
}

// Groups of four exchange by shared memory, and meet alone.
extern "C" __global__ void tiles_of_4_meet(const int* x, int* y) {
  __shared__ int held[SIZE];
  cg::thread_block_tile<4> tile = cg::tiled_partition<4>(cg::this_thread_block());
  int t = threadIdx.x;
  held[t] = x[blockIdx.x * SIZE + t];
  tile.sync();
  int sum = 0;
  for (int i = 0; i < 4; i++) sum += held[t / 4 * 4 + i];
  tile.sync();
  held[t] = sum;
  tile.sync();
  y[blockIdx.x * SIZE + t] = held[t ^ 3] + tile.thread_rank();
}
