// Barriers in shared memory: pipelines of producers and consumers, and copies that barriers wait for.
#define STAGES 3
#define WIDTH 128

__device__ __forceinline__ unsigned address(const void* at) { return (unsigned)__cvta_generic_to_shared(at); }
__device__ __forceinline__ void init(unsigned long long* bar, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(address(bar)), "r"(count) : "memory");
}
__device__ __forceinline__ void arrive(unsigned long long* bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(address(bar)) : "memory");
}
__device__ __forceinline__ void arrive_with_bytes(unsigned long long* bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(address(bar)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void wait(unsigned long long* bar, unsigned parity) {
  asm volatile(
      "{\n\t.reg .pred done;\nWAIT:\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
      "@done bra DONE;\n\tbra WAIT;\nDONE:\n\t}" :: "r"(address(bar)), "r"(parity) : "memory");
}
__device__ __forceinline__ void copy(void* to, const void* from, unsigned bytes, unsigned long long* bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               :: "r"(address(to)), "l"(from), "r"(bytes), "r"(address(bar)) : "memory");
}

// A warp loads tiles by ordinary accesses, the others add them up.
extern "C" __global__ void produced_by_a_warp(const int* x, int* sums, int tiles) {
  __shared__ int tile[STAGES][32];
  __shared__ unsigned long long full[STAGES], empty[STAGES];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x == 0)
    for (int s = 0; s < STAGES; s++) {
      init(&full[s], 32);
      init(&empty[s], 3);
    }
  __syncthreads();
  if (warp == 0) {
    for (int i = 0; i < tiles; i++) {
      int s = i % STAGES;
      wait(&empty[s], (i / STAGES & 1) ^ 1);
      tile[s][lane] = x[(blockIdx.x * tiles + i) * 32 + lane];
      arrive(&full[s]);
    }
  } else {
    int sum = 0;
    for (int i = 0; i < tiles; i++) {
      int s = i % STAGES;
      wait(&full[s], i / STAGES & 1);
      sum = 3 * sum + tile[s][lane ^ warp];
      __syncwarp();
      if (lane == 0) arrive(&empty[s]);
    }
    sums[(blockIdx.x * 3 + warp - 1) * 32 + lane] = sum;
  }
}

// One thread has rows copied in bulk, with as many bytes expected as come; the others wait for them.
extern "C" __global__ void copied_in_bulk(const int* x, int* sums, int tiles) {
  __shared__ __align__(128) int tile[STAGES][WIDTH];
  __shared__ unsigned long long full[STAGES], empty[STAGES];
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; s++) {
      init(&full[s], 1);
      init(&empty[s], WIDTH);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    unsigned chosen;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(chosen));
    for (int i = 0; chosen && i < tiles; i++) {
      int s = i % STAGES;
      wait(&empty[s], (i / STAGES & 1) ^ 1);
      arrive_with_bytes(&full[s], WIDTH * 4);
      copy(tile[s], x + (blockIdx.x * tiles + i) * WIDTH, WIDTH * 2, &full[s]);
      copy(tile[s] + WIDTH / 2, x + (blockIdx.x * tiles + i) * WIDTH + WIDTH / 2, WIDTH * 2, &full[s]);
    }
  } else {
    int sum = 0, t = threadIdx.x - 32;
    for (int i = 0; i < tiles; i++) {
      int s = i % STAGES;
      wait(&full[s], i / STAGES & 1);
      sum = 3 * sum + tile[s][WIDTH - 1 - t];
      arrive(&empty[s]);
    }
    sums[blockIdx.x * WIDTH + t] = sum;
  }
}

// Blocks add their parts to one result in bulk, once what they wrote is fenced for the copies.
extern "C" __global__ void reduced_in_bulk(const float* x, float* total, int rows) {
  __shared__ __align__(16) float part[WIDTH];
  float sum = 0;
  for (int i = blockIdx.x; i < rows; i += gridDim.x) sum += x[i * WIDTH + threadIdx.x];
  part[threadIdx.x] = sum;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;"
                 :: "l"(total), "r"(address(part)), "r"(WIDTH * 4) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}

// Rows pass through two buffers: one is written while the copy of the other to global memory reads it.
extern "C" __global__ void stored_in_bulk(const int* x, int* y, int rows) {
  __shared__ __align__(16) int row[2][WIDTH];
  for (int i = 0; i < rows; i++) {
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    __syncthreads();
    row[i % 2][threadIdx.x ^ 1] = x[i * WIDTH + threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0)
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\tcp.async.bulk.commit_group;"
                   :: "l"(y + i * WIDTH), "r"(address(row[i % 2])), "r"(WIDTH * 4) : "memory");
  }
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  __syncthreads();
  if (rows > 1) y[rows * WIDTH + threadIdx.x] = y[WIDTH + threadIdx.x];
}

// Each thread's `cp.async` arrives when it has come: nobody waits for copies of its own.
extern "C" __global__ void copies_arrive(const int* x, int* y, int rows) {
  __shared__ int tile[5][64];
  __shared__ unsigned long long ready;
  if (threadIdx.x == 0) init(&ready, 64);
  __syncthreads();
  for (int i = 0; i < rows; i++) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(address(&tile[i][threadIdx.x])),
                 "l"(x + i * 64 + threadIdx.x) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(address(&ready)) : "memory");
    unsigned done = 0;
    while (!done)
      asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done) : "r"(address(&ready)), "r"(i & 1) : "memory");
    y[i * 64 + threadIdx.x] = tile[i][63 - threadIdx.x];
  }
}

// Half of the threads arrive and go on to other work before they wait for the phase that they took part in.
extern "C" __global__ void split_barrier(const int* x, int* y, int n) {
  __shared__ int part[64];
  __shared__ unsigned long long bar;
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  part[threadIdx.x] = x[threadIdx.x];
  unsigned long long state;
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(address(&bar)) : "memory");
  int own = n * x[threadIdx.x];
  asm volatile("{\n\t.reg .pred p;\nAGAIN: mbarrier.try_wait.shared::cta.b64 p, [%0], %1;\n\t@!p bra AGAIN;\n\t}"
               :: "r"(address(&bar)), "l"(state) : "memory");
  y[threadIdx.x] = own + part[63 - threadIdx.x];
}
