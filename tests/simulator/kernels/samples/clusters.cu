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
