// Clusters of blocks: barriers, shared memory of other blocks, copies to several blocks at once.
#include <cooperative_groups.h>
#include <cuda.h>
namespace cg = cooperative_groups;

#define BLOCKS 4
#define WIDTH 64

__device__ __forceinline__ unsigned address(const void* at) { return (unsigned)__cvta_generic_to_shared(at); }
__device__ __forceinline__ unsigned rank() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ __forceinline__ unsigned at_rank(const void* at, unsigned rank) {
  unsigned mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address(at)), "r"(rank));
  return mapped;
}
__device__ __forceinline__ void cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
__device__ __forceinline__ void cluster_arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
__device__ __forceinline__ void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
__device__ __forceinline__ void init(unsigned long long* bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(address(bar)), "r"(count) : "memory");
}
__device__ __forceinline__ void init_fence() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ __forceinline__ void expect(unsigned long long* bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(address(bar)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void arrive_at(unsigned bar) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(bar) : "memory");
}
__device__ __forceinline__ void wait(unsigned long long* bar, unsigned parity) {
  asm volatile("{\n\t.reg .pred p;\nWAIT:\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n\t@!p bra WAIT;\n\t}"
               :: "r"(address(bar)), "r"(parity) : "memory");
}

// Each block of a cluster holds some of the bins; all blocks add to all of them.
__global__ void __cluster_dims__(BLOCKS) shared_histogram(const int* x, int* bins, int n) {
  __shared__ int held[WIDTH / BLOCKS];
  cg::cluster_group cluster = cg::this_cluster();
  int own = cluster.block_rank(), bins_of_block = WIDTH / cluster.num_blocks();
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) held[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int* other = cluster.map_shared_rank(held, x[i] / bins_of_block);
    atomicAdd(other + x[i] % bins_of_block, 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) atomicAdd(&bins[own * bins_of_block + i], held[i]);
}

// A tile is read by the next block of the ring, while that of the block before is read here.
extern "C" __global__ void __cluster_dims__(BLOCKS, 1, 1) ring(const int* x, int* y, int steps) {
  __shared__ int tile[2][WIDTH];
  int t = threadIdx.x;
  tile[0][t] = x[blockIdx.x * WIDTH + t];
  cluster_arrive();
  cluster_wait();
  for (int step = 0; step < steps; step++) {
    int held;
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(held)
                 : "r"(at_rank(&tile[step % 2][t ^ 1], (rank() + BLOCKS - 1) % BLOCKS)) : "memory");
    tile[(step + 1) % 2][t] = held + 1;
    cluster_arrive();
    cluster_wait();
  }
  y[blockIdx.x * WIDTH + t] = tile[steps % 2][t];
}

// The threads of both blocks write to the other, whose barrier tells when all numbers are there.
extern "C" __global__ void __cluster_dims__(2) exchanged(const int* x, int* y, int rounds) {
  __shared__ int received[WIDTH];
  __shared__ unsigned long long full, empty;
  int t = threadIdx.x;
  if (t == 0) {
    init(&full, WIDTH);
    init(&empty, WIDTH);
    init_fence();
  }
  cluster_arrive_relaxed();
  cluster_wait();
  unsigned other = rank() ^ 1;
  int sum = x[blockIdx.x * WIDTH + t];
  for (int round = 0; round < rounds; round++) {
    wait(&empty, (round & 1) ^ 1);
    asm volatile("st.shared::cluster.s32 [%0], %1;" :: "r"(at_rank(&received[WIDTH - 1 - t], other)), "r"(sum) : "memory");
    arrive_at(at_rank(&full, other));
    wait(&full, round & 1);
    sum = 3 * sum + received[t];
    arrive_at(at_rank(&empty, other));
  }
  wait(&empty, (rounds & 1) ^ 1);
  y[blockIdx.x * WIDTH + t] = sum;
}

// Each block loads its part of a tile for all blocks of the cluster.
extern "C" __global__ void __cluster_dims__(BLOCKS) loaded_for_all(const int* x, int* y, int tiles) {
  __shared__ __align__(128) int tile[2][BLOCKS][WIDTH];
  __shared__ unsigned long long full[2], empty[2];
  int t = threadIdx.x, own = rank(), sum = 0;
  if (t == 0) {
    for (int s = 0; s < 2; s++) {
      init(&full[s], 1);
      init(&empty[s], BLOCKS * WIDTH);
    }
    init_fence();
  }
  cluster_arrive_relaxed();
  cluster_wait();
  for (int i = 0; i < tiles; i++) {
    int s = i % 2;
    if (t == 0) {
      expect(&full[s], BLOCKS * WIDTH * 4);
      wait(&empty[s], (i / 2 & 1) ^ 1);
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                   :: "r"(address(tile[s][own])), "l"(x + (i * BLOCKS + own) * WIDTH), "r"(WIDTH * 4), "r"(address(&full[s])),
                      "h"((unsigned short)((1 << BLOCKS) - 1)) : "memory");
    }
    wait(&full[s], i / 2 & 1);
    for (int part = 0; part < BLOCKS; part++) sum = 3 * sum + tile[s][part][t ^ own];
    for (int other = 0; other < BLOCKS; other++) arrive_at(at_rank(&empty[s], other));
  }
  y[blockIdx.x * WIDTH + t] = sum;
  cluster_arrive();
  cluster_wait();
}

// Halves of a tile of a tensor, each loaded by one block for both.
extern "C" __global__ void __cluster_dims__(2) tensor_for_both(const __grid_constant__ CUtensorMap x, float* y) {
  __shared__ __align__(1024) float tile[2][8][32];
  __shared__ unsigned long long full;
  int t = threadIdx.x, own = rank();
  if (t == 0) {
    init(&full, 1);
    init_fence();
    expect(&full, 2 * 8 * 32 * 4);
  }
  cluster_arrive_relaxed();
  cluster_wait();
  if (t == 0)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%3, %4}], [%2], %5;"
                 :: "r"(address(tile[own])), "l"(&x), "r"(address(&full)), "r"(0), "r"(8 * own), "h"((unsigned short)3) : "memory");
  wait(&full, 0);
  for (int row = 0; row < 16; row++) y[(blockIdx.x * 16 + row) * 32 + t] = (own ? 10 : 1) * tile[row / 8][row % 8][t];
}

// Sums of blocks are stored to the first one, which waits for their bytes.
extern "C" __global__ void __cluster_dims__(BLOCKS) sums_of_blocks(const int* x, int* y) {
  __shared__ __align__(16) int sums[BLOCKS][4];
  __shared__ int total;
  __shared__ unsigned long long full;
  int t = threadIdx.x;
  if (t == 0) {
    total = 0;
    init(&full, 1);
    init_fence();
    if (rank() == 0) expect(&full, BLOCKS * 20);
  }
  cluster_arrive();
  cluster_wait();
  int sum = __reduce_add_sync(0xffffffff, x[blockIdx.x * 32 + t]);
  if (t == 0) {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%2, %3, %4, %5}, [%1];"
                 :: "r"(at_rank(sums[rank()], 0)), "r"(at_rank(&full, 0)), "r"(sum), "r"(2 * sum), "r"(3 * sum), "r"(4 * sum) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.s32 [%0], %2, [%1];"
                 :: "r"(at_rank(&total, 0)), "r"(at_rank(&full, 0)), "r"(sum) : "memory");
  }
  if (rank() == 0) {
    wait(&full, 0);
    if (t < 4 * BLOCKS) y[blockIdx.x / BLOCKS * 32 + t] = sums[t / 4][t % 4];
    if (t == 31) y[blockIdx.x / BLOCKS * 32 + t] = total;
  }
}
