// Products and sums whose tiles are copied ahead: restatements of globalToShmemAsyncCopy. Matrices of n x n, n a multiple
// of 16; blocks of 16 x 16 threads.
#include <cuda_pipeline.h>
enum { TILE = 16, STAGES = 3, CHUNK = 128 };

// Copies of 4 bytes, waited for at once.
extern "C" __global__ void copied_and_waited_for(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float of_a[TILE][TILE], of_b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int k = 0; k < n; k += TILE) {
    __pipeline_memcpy_async(&of_a[y][x], &a[row * n + k + x], 4);
    __pipeline_memcpy_async(&of_b[y][x], &b[(k + y) * n + column], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += of_a[y][i] * of_b[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Copies of 16 bytes by a quarter of the threads, two stages ahead.
extern "C" __global__ void copied_in_stages(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float of_a[STAGES][TILE][TILE], of_b[STAGES][TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE, column = blockIdx.x * TILE;
  int stages = n / TILE;
  auto copy = [&](int stage) {
    if (stage < stages && x < 4) {
      __pipeline_memcpy_async(&of_a[stage % STAGES][y][4 * x], &a[(row + y) * n + stage * TILE + 4 * x], 16);
      __pipeline_memcpy_async(&of_b[stage % STAGES][y][4 * x], &b[(stage * TILE + y) * n + column + 4 * x], 16);
    }
    __pipeline_commit();
  };
  for (int stage = 0; stage < STAGES - 1; stage++) copy(stage);
  float sum = 0;
  for (int stage = 0; stage < stages; stage++) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    copy(stage + STAGES - 1);
    for (int i = 0; i < TILE; i++) sum += of_a[stage % STAGES][y][i] * of_b[stage % STAGES][i][x];
  }
  c[(row + y) * n + column + x] = sum;
}

// Half of the warps copy, the other half adds what they copied before.
extern "C" __global__ void copied_by_others(const float* x, float* y, int n) {
  __shared__ __align__(16) float held[2][CHUNK];
  int t = threadIdx.x, chunks = n / CHUNK;
  float sum = 0;
  for (int chunk = 0; chunk <= chunks; chunk++) {
    if (t < 32 && chunk < chunks) {
      __pipeline_memcpy_async(&held[chunk % 2][4 * t], &x[chunk * CHUNK + 4 * t], 16);
      __pipeline_commit();
      __pipeline_wait_prior(0);
    }
    if (t >= 32 && chunk > 0)
      for (int i = t - 32; i < CHUNK; i += 32) sum += held[(chunk - 1) % 2][i];
    __syncthreads();
  }
  if (t >= 32) y[t - 32] = sum;
}

// A ring of four pieces for each thread alone: no barrier, only waits. What is beyond n is filled with zeros.
extern "C" __global__ void own_rings(const float* x, float* y, int n) {
  __shared__ float ring[4][32];
  int t = threadIdx.x, turns = (n + 31) / 32;
  auto copy = [&](int turn) {
    int i = turn * 32 + t;
    if (turn < turns) __pipeline_memcpy_async(&ring[turn % 4][t], &x[i < n ? i : 0], 4, i < n ? 0 : 4);
    __pipeline_commit();
  };
  for (int turn = 0; turn < 3; turn++) copy(turn);
  float sum = 0;
  for (int turn = 0; turn < turns; turn++) {
    __pipeline_wait_prior(2);
    sum += ring[turn % 4][t];
    copy(turn + 3);
  }
  y[t] = sum;
}

// The same copies by PTX, of a tile that is read turned around.
extern "C" __global__ void copied_by_instructions(const float* x, float* y) {
  __shared__ __align__(16) float held[CHUNK];
  unsigned to = (unsigned)__cvta_generic_to_shared(held) + 16 * threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(to), "l"(x + 4 * threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncwarp();
  for (int i = threadIdx.x; i < CHUNK; i += 32) y[i] = held[CHUNK - 1 - i];
}
