// The sum of n numbers in one launch: each block stores its part and takes a ticket, the last one adds the parts.
__device__ unsigned tickets = 0;

__device__ int sum_of_block(int mine, int* shared) {
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  return shared[0];
}

extern "C" __global__ void last_block(const int* x, int* parts, int* sum, int n) {
  __shared__ int shared[64];
  __shared__ bool is_last;
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  int part = sum_of_block(mine, shared);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = part;
    __threadfence();
    is_last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
    mine = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) mine += parts[i];
    __syncthreads();
    part = sum_of_block(mine, shared);
    if (threadIdx.x == 0) *sum = part;
  }
}

// The same where all threads store, fence and meet before one of them takes the ticket.
extern "C" __global__ void all_threads_fence(const int* x, int* parts, int* sum, int n) {
  __shared__ int shared[64];
  __shared__ unsigned ticket;
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  parts[blockIdx.x * blockDim.x + threadIdx.x] = mine;
  __threadfence();  // of all
  __syncthreads();  // before the ticket
  if (threadIdx.x == 0) ticket = atomicInc(&tickets, gridDim.x - 1);
  __syncthreads();
  if (ticket != gridDim.x - 1) return;
  mine = 0;
  for (int i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) mine += parts[i];
  mine = sum_of_block(mine, shared);
  if (threadIdx.x == 0) *sum = mine;
}

// The same with parts that are volatile, in the last block read by one thread, which needs no fence of its own.
extern "C" __global__ void volatile_parts(const int* x, volatile int* parts, int* sum, int n) {
  __shared__ int shared[64];
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  int part = sum_of_block(mine, shared);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = part;
    __threadfence();  // of a volatile part
    if (atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1) {
      part = 0;
      for (int i = 0; i < gridDim.x; i++) part += parts[i];
      *sum = part;
    }
  }
}

// The same with a histogram of atomic additions, which the last block reads.
extern "C" __global__ void last_block_reads_counts(const int* x, int* counts, int* sum, int n) {
  __shared__ bool is_last;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[x[i] & 7], x[i]);
  __threadfence();  // of all that have counted
  __syncthreads();  // before the ticket
  if (threadIdx.x == 0) is_last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int all = 0;
    for (int i = 0; i < 8; i++) all += counts[i];
    *sum = all;
  }
}
