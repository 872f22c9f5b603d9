// Sums of all numbers up to each, by the textbook's methods: restatements of the samples scan and shfl_scan.
enum { SIZE = 128 };

// Every step adds what is a power of two before, from one buffer to the other.
extern "C" __global__ void scan_in_two_buffers(const int* x, int* y, int n) {
  __shared__ int held[2][SIZE];
  int t = threadIdx.x, from = 0;
  held[0][t] = t < n ? x[t] : 0;
  __syncthreads();
  for (int step = 1; step < SIZE; step *= 2) {
    held[1 - from][t] = t >= step ? held[from][t] + held[from][t - step] : held[from][t];
    from = 1 - from;
    __syncthreads();
  }
  if (t < n) y[t] = held[from][t];
}

// In one buffer, whose first half is zeros: read, meet, write, meet.
extern "C" __global__ void scan_after_zeros(const int* x, int* y, int n) {
  __shared__ int held[2 * SIZE];
  int t = threadIdx.x, at = SIZE + t;
  held[t] = 0;
  held[at] = t < n ? x[t] : 0;
  __syncthreads();
  for (int step = 1; step < SIZE; step *= 2) {
    int sum = held[at] + held[at - step];
    __syncthreads();
    held[at] = sum;
    __syncthreads();
  }
  if (t < n) y[t] = held[at];
}

// A tree of sums, then down again: work that grows with n only. Two numbers for each thread; without the number itself.
extern "C" __global__ void scan_in_a_tree(const int* x, int* y, int n) {
  __shared__ int held[2 * SIZE];
  int t = threadIdx.x, step = 1;
  held[2 * t] = 2 * t < n ? x[2 * t] : 0;
  held[2 * t + 1] = 2 * t + 1 < n ? x[2 * t + 1] : 0;
  for (int active = SIZE; active > 0; active /= 2, step *= 2) {
    __syncthreads();
    if (t < active) held[step * (2 * t + 2) - 1] += held[step * (2 * t + 1) - 1];
  }
  if (t == 0) held[2 * SIZE - 1] = 0;
  for (int active = 1; active <= SIZE; active *= 2) {
    step /= 2;
    __syncthreads();
    if (t < active) {
      int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1, before = held[left];
      held[left] = held[right];
      held[right] += before;
    }
  }
  __syncthreads();
  if (2 * t < n) y[2 * t] = held[2 * t];
  if (2 * t + 1 < n) y[2 * t + 1] = held[2 * t + 1];
}

// Warps scan by shuffles, the first one scans their sums; each block's sum is stored for `add_sums_before`.
extern "C" __global__ void scan_by_shuffles(const int* x, int* y, int* sums, int n) {
  __shared__ int of_warps[SIZE / 32];
  int t = threadIdx.x, i = blockIdx.x * SIZE + t, lane = t % 32, sum = i < n ? x[i] : 0;
  for (int step = 1; step < 32; step *= 2) {
    int other = __shfl_up_sync(0xffffffff, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == 31) of_warps[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    int its = t < SIZE / 32 ? of_warps[t] : 0;
    for (int step = 1; step < SIZE / 32; step *= 2) {
      int other = __shfl_up_sync(0xffffffff, its, step);
      if (lane >= step) its += other;
    }
    if (t < SIZE / 32) of_warps[t] = its;
  }
  __syncthreads();
  if (t >= 32) sum += of_warps[t / 32 - 1];
  if (i < n) y[i] = sum;
  if (t == SIZE - 1) sums[blockIdx.x] = sum;
}

// One thread reads what comes before a block, all of it add it.
extern "C" __global__ void add_sums_before(const int* before, int* y, int n) {
  __shared__ int shared;
  int i = blockIdx.x * SIZE + threadIdx.x;
  if (threadIdx.x == 0) shared = before[blockIdx.x];
  __syncthreads();
  if (i < n) y[i] += shared;
}
