// Sorting networks, merging and radix sort: restatements of the samples sortingNetworks, mergeSort and radixSort.
enum { SIZE = 128 };

__device__ void ordered(int& a, int& b, bool up) {
  if ((a > b) == up) {
    int held = a;
    a = b, b = held;
  }
}

// 128 numbers for each block of 64 threads.
extern "C" __global__ void bitonic(const int* x, int* y) {
  __shared__ int held[SIZE];
  int t = threadIdx.x, first = blockIdx.x * SIZE;
  held[t] = x[first + t], held[t + SIZE / 2] = x[first + t + SIZE / 2];
  for (int size = 2; size <= SIZE; size *= 2) {
    bool up = (t & (size / 2)) == 0;
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int at = 2 * t - (t & (stride - 1));
      ordered(held[at], held[at + stride], up);
    }
  }
  __syncthreads();
  y[first + t] = held[t], y[first + t + SIZE / 2] = held[t + SIZE / 2];
}

extern "C" __global__ void odd_even(const int* x, int* y) {
  __shared__ int held[SIZE];
  int t = threadIdx.x, first = blockIdx.x * SIZE;
  held[t] = x[first + t], held[t + SIZE / 2] = x[first + t + SIZE / 2];
  for (int size = 2; size <= SIZE; size *= 2) {
    int stride = size / 2, offset = t & (stride - 1);
    __syncthreads();
    int at = 2 * t - (t & (stride - 1));
    ordered(held[at], held[at + stride], true);
    for (stride /= 2; stride > 0; stride /= 2) {
      __syncthreads();
      at = 2 * t - (t & (stride - 1));
      if (offset >= stride) ordered(held[at - stride], held[at], true);
    }
  }
  __syncthreads();
  y[first + t] = held[t], y[first + t + SIZE / 2] = held[t + SIZE / 2];
}

// A step of a bitonic sort of many blocks: neighbours in all of memory.
extern "C" __global__ void bitonic_step(int* y, int size, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = 2 * i - (i & (stride - 1));
  ordered(y[at], y[at + stride], (i & (size / 2)) == 0);
}

// Merges two sorted halves: a number's place is its own, and how many of the other half precede it.
extern "C" __global__ void merged_by_ranks(const int* x, int* y) {
  __shared__ int held[SIZE];
  int t = threadIdx.x;
  held[t] = x[t];
  __syncthreads();
  int mine = held[t], half = SIZE / 2, other = t < half ? half : 0, low = 0, high = half;
  while (low < high) {
    int middle = (low + high) / 2;
    bool precedes = t < half ? held[other + middle] < mine : held[other + middle] <= mine;
    if (precedes) low = middle + 1;
    else high = middle;
  }
  y[t % half + low] = mine;
}

// Sorts of a block by one bit after the other: those with 0 first, in order.
extern "C" __global__ void sorted_by_bits(const unsigned* x, unsigned* y, int bits) {
  __shared__ unsigned held[SIZE];
  __shared__ int zeros_of_warps[SIZE / 32];
  int t = threadIdx.x, lane = t % 32;
  held[t] = x[t];
  __syncthreads();
  for (int bit = 0; bit < bits; bit++) {
    unsigned mine = held[t];
    bool is_zero = !(mine >> bit & 1);
    unsigned ballot = __ballot_sync(0xffffffff, is_zero);
    if (lane == 0) zeros_of_warps[t / 32] = __popc(ballot);
    __syncthreads();
    int before = __popc(ballot & ((1u << lane) - 1)), all = 0;
    for (int warp = 0; warp < SIZE / 32; warp++) {
      if (warp < t / 32) before += zeros_of_warps[warp];
      all += zeros_of_warps[warp];
    }
    held[is_zero ? before : all + t - before] = mine;
    __syncthreads();
  }
  y[t] = held[t];
}

// How often each digit of 4 bits occurs in a block, then where each number goes; digits in order of places.
extern "C" __global__ void digits_counted(const unsigned* x, unsigned* counts, int shift, int n) {
  __shared__ unsigned of_block[16];
  int t = threadIdx.x, i = blockIdx.x * SIZE + t;
  if (t < 16) of_block[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&of_block[x[i] >> shift & 15], 1u);
  __syncthreads();
  if (t < 16) counts[t * gridDim.x + blockIdx.x] = of_block[t];
}

extern "C" __global__ void digits_scattered(const unsigned* x, const unsigned* starts, unsigned* y, int shift, int n) {
  __shared__ unsigned digits[SIZE];
  int t = threadIdx.x, i = blockIdx.x * SIZE + t;
  unsigned digit = i < n ? x[i] >> shift & 15 : 16;
  digits[t] = digit;
  __syncthreads();
  unsigned before = 0;
  for (int other = 0; other < t; other++) before += digits[other] == digit;
  if (i < n) y[starts[digit * gridDim.x + blockIdx.x] + before] = x[i];
}
