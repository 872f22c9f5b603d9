// Sums of blocks, from the simplest to the fastest: the steps of the well-known tutorial, in our own words.
// Each takes n numbers and stores one sum per block; blocks have 128 threads.
enum { SIZE = 128 };

extern "C" __global__ void interleaved(const int* x, int* sums, int n) {
  __shared__ int part[SIZE];
  int t = threadIdx.x, i = blockIdx.x * SIZE + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < SIZE; step *= 2) {
    if (t % (2 * step) == 0) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

extern "C" __global__ void strided(const int* x, int* sums, int n) {
  __shared__ int part[SIZE];
  int t = threadIdx.x, i = blockIdx.x * SIZE + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < SIZE; step *= 2) {
    int at = 2 * step * t;
    if (at < SIZE) part[at] += part[at + step];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

extern "C" __global__ void halved(const int* x, int* sums, int n) {
  __shared__ int part[SIZE];
  int t = threadIdx.x, i = blockIdx.x * SIZE + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int half = SIZE / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

extern "C" __global__ void first_sum_while_loading(const int* x, int* sums, int n) {
  __shared__ int part[SIZE];
  int t = threadIdx.x, i = blockIdx.x * SIZE * 2 + t;
  int mine = i < n ? x[i] : 0;
  if (i + SIZE < n) mine += x[i + SIZE];
  part[t] = mine;
  __syncthreads();
  for (int half = SIZE / 2; half > 0; half /= 2) {
    if (t < half) part[t] = mine = mine + part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = mine;
}

extern "C" __global__ void last_warp_shuffles(const int* x, int* sums, int n) {
  __shared__ int part[SIZE];
  int t = threadIdx.x, i = blockIdx.x * SIZE * 2 + t;
  int mine = i < n ? x[i] : 0;
  if (i + SIZE < n) mine += x[i + SIZE];
  part[t] = mine;
  __syncthreads();
  for (int half = SIZE / 2; half > 32; half /= 2) {
    if (t < half) part[t] = mine = mine + part[t + half];
    __syncthreads();
  }
  if (t < 32) {
    mine += part[t + 32];
    for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(0xffffffff, mine, step);
    if (t == 0) sums[blockIdx.x] = mine;
  }
}

template <int size> __device__ int sum_unrolled(int mine, volatile int* part) {
  int t = threadIdx.x;
  part[t] = mine;
  __syncthreads();
  if (size >= 128) {
    if (t < 64) part[t] = mine = mine + part[t + 64];
    __syncthreads();
  }
  if (t < 32) {
    mine += part[t + 32];
    part[t] = mine;
    __syncwarp();
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
      if (t < step) part[t] = mine = mine + part[t + step];
      __syncwarp();
    }
  }
  return mine;
}

extern "C" __global__ void unrolled(const int* x, int* sums, int n) {
  __shared__ int part[SIZE];
  int i = blockIdx.x * SIZE * 2 + threadIdx.x;
  int mine = sum_unrolled<SIZE>((i < n ? x[i] : 0) + (i + SIZE < n ? x[i + SIZE] : 0), part);
  if (threadIdx.x == 0) sums[blockIdx.x] = mine;
}

extern "C" __global__ void several_for_each_thread(const int* x, int* sums, int n) {
  __shared__ int part[SIZE];
  int mine = 0;
  for (int i = blockIdx.x * SIZE * 2 + threadIdx.x; i < n; i += SIZE * 2 * gridDim.x) {
    mine += x[i];
    if (i + SIZE < n) mine += x[i + SIZE];
  }
  mine = sum_unrolled<SIZE>(mine, part);
  if (threadIdx.x == 0) sums[blockIdx.x] = mine;
}

__device__ int sum_of_lanes(unsigned mask, int mine, int lanes) {
  int lane = threadIdx.x % 32;
  for (int step = 16; step > 0; step /= 2) {
    int other = __shfl_down_sync(mask, mine, step);
    if (lane + step < lanes) mine += other;
  }
  return mine;
}

extern "C" __global__ void warps_shuffle(const int* x, int* sums, int n) {
  __shared__ int part[SIZE / 32];
  int t = threadIdx.x, mine = 0;
  for (int i = blockIdx.x * SIZE + t; i < n; i += SIZE * gridDim.x) mine += x[i];
  mine = sum_of_lanes(0xffffffff, mine, 32);
  if (t % 32 == 0) part[t / 32] = mine;
  __syncthreads();
  unsigned mask = __ballot_sync(0xffffffff, t < SIZE / 32);
  if (t < SIZE / 32) {
    mine = sum_of_lanes(mask, part[t], SIZE / 32);
    if (t == 0) sums[blockIdx.x] = mine;
  }
}
