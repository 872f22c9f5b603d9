// Two warps load tiles and two add them up, as in CudaDMA: each stage has a barrier for `full` and one for `empty`.
#define LOADERS 64
#define STAGES 2

__device__ __forceinline__ void sync(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" :: "r"(barrier), "r"(threads) : "memory");
}
__device__ __forceinline__ void arrive(int barrier, int threads) {
  asm volatile("bar.arrive %0, %1;" :: "r"(barrier), "r"(threads) : "memory");
}

extern "C" __global__ void loaded_by_warps(const int* x, int* sums, int tiles) {
  __shared__ int tile[STAGES][LOADERS];
  int t = threadIdx.x % LOADERS;
  if (threadIdx.x < LOADERS) {
    for (int i = 0; i < tiles; i++) {
      int stage = i % STAGES;
      if (i >= STAGES) sync(1 + STAGES + stage, 2 * LOADERS);
      tile[stage][t] = x[(blockIdx.x * tiles + i) * LOADERS + t];
      arrive(1 + stage, 2 * LOADERS);
    }
  } else {
    int sum = 0;
    for (int i = 0; i < tiles; i++) {
      int stage = i % STAGES;
      sync(1 + stage, 2 * LOADERS);
      sum = 3 * sum + tile[stage][LOADERS - 1 - t];
      if (i < tiles - STAGES) arrive(1 + STAGES + stage, 2 * LOADERS);
    }
    sums[blockIdx.x * LOADERS + t] = sum;
  }
}

// Two groups of two warps take turns with one buffer: each waits until the other hands it over. `bar.red` counts.
extern "C" __global__ void ping_pong(const int* x, int* y, int rounds) {
  __shared__ int buffer[64];
  int group = threadIdx.x / 64, t = threadIdx.x % 64;
  if (group == 1) arrive(1, 128);
  for (int i = 0; i < rounds; i++) {
    sync(1 + group, 128);
    buffer[t] = x[(i * 2 + group) * 64 + t];
    unsigned positive;
    asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 0; bar.red.popc.u32 %0, %2, 64, p; }"
                 : "=r"(positive) : "r"(buffer[t]), "r"(3 + group) : "memory");
    y[(i * 2 + group) * 64 + t] = buffer[t ^ 1] * (int)positive;
    if (i < rounds - 1 || group == 0) arrive(2 - group, 128);
  }
}
