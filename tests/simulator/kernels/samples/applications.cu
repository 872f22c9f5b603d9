// What kernels are written for: bodies, sparse matrices, rows of numbers, graphs, split sums. Restatements of nbody,
// scalarProd, stream-K's fix-up, and of the usual kernels for sparse matrices, softmax and breadth-first search.
enum { SIZE = 64 };

// Forces between all bodies, in a line; the bodies pass by in tiles.
extern "C" __global__ void bodies(const float4* x, float4* forces, int n) {
  __shared__ float4 tile[SIZE];
  int i = blockIdx.x * SIZE + threadIdx.x;
  float4 mine = x[i], sum = make_float4(0, 0, 0, 0);
  for (int first = 0; first < n; first += SIZE) {
    tile[threadIdx.x] = x[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < SIZE; j++) {
      float4 other = tile[j];
      sum.x += (other.x - mine.x) * other.w;
      sum.y += (other.y - mine.y) * other.w;
      sum.z += (other.z - mine.z) * other.w;
    }
    __syncthreads();
  }
  forces[i] = sum;
}

extern "C" __global__ void rows_of_threads(const int* starts, const int* columns, const float* values, const float* x,
                                           float* y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; i++) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

extern "C" __global__ void rows_of_warps(const int* starts, const int* columns, const float* values, const float* x,
                                         float* y, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  float sum = 0;
  for (int i = starts[row] + lane; i < starts[row + 1]; i += 32) sum += values[i] * x[columns[i]];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (lane == 0) y[row] = sum;
}

// The products of pairs of vectors: each block takes some, sums in turn in shared memory.
extern "C" __global__ void scalar_products(const float* a, const float* b, float* c, int vectors, int n) {
  __shared__ float sums[SIZE];
  for (int vector = blockIdx.x; vector < vectors; vector += gridDim.x) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += SIZE) sum += a[vector * n + i] * b[vector * n + i];
    sums[threadIdx.x] = sum;
    for (int half = SIZE / 2; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    __syncthreads();
    if (threadIdx.x == 0) c[vector] = sums[0];
  }
}

// The greatest of each row, subtracted from it: a block for each, its warps by shuffles.
extern "C" __global__ void less_the_greatest(const float* x, float* y, int n) {
  __shared__ float greatest[SIZE / 32];
  const float* row = x + blockIdx.x * n;
  float mine = -1e30f;
  for (int i = threadIdx.x; i < n; i += SIZE) mine = fmaxf(mine, row[i]);
  for (int with = 16; with > 0; with /= 2) mine = fmaxf(mine, __shfl_xor_sync(0xffffffff, mine, with));
  if (threadIdx.x % 32 == 0) greatest[threadIdx.x / 32] = mine;
  __syncthreads();
  for (int i = 0; i < SIZE / 32; i++) mine = fmaxf(mine, greatest[i]);
  for (int i = threadIdx.x; i < n; i += SIZE) y[blockIdx.x * n + i] = row[i] - mine;
}

// The next level of a graph: who finds a vertex first writes it to the queue. Its order is open, so only levels are compared.
extern "C" __global__ void next_level(const int* starts, const int* ends, const int* queue, int* levels, int* next,
                                      int* count, int n, int level) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  int vertex = queue[t];
  for (int i = starts[vertex]; i < starts[vertex + 1]; i++)
    if (atomicCAS(&levels[ends[i]], -1, level) == -1) next[atomicAdd(count, 1)] = ends[i];
}

// A sum that blocks share unevenly: each takes as many numbers, across rows. Who ends inside of a row leaves a part, and a
// flag behind it; who begins a row waits for the parts of those after it.
extern "C" __global__ void split_rows(const int* x, int* y, int* parts, int* flags, int length, int share) {
  __shared__ int held[SIZE];
  int t = threadIdx.x, first = blockIdx.x * share, last = first + share;
  while (first < last) {
    int row = first / length, end = (row + 1) * length < last ? (row + 1) * length : last, mine = 0;
    for (int i = first + t; i < end; i += SIZE) mine += x[i];
    held[t] = mine;
    __syncthreads();
    for (int half = SIZE / 2; half > 0; half /= 2) {
      if (t < half) held[t] += held[t + half];
      __syncthreads();
    }
    if (t == 0) {
      int sum = held[0];
      if (first % length != 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        atomicExch(&flags[blockIdx.x], 1);
      } else {
        for (int other = blockIdx.x + 1; other * share < (row + 1) * length; other++) {
          while (atomicAdd(&flags[other], 0) == 0) {}
          __threadfence();
          sum += parts[other];
        }
        y[row] = sum;
      }
    }
    __syncthreads();
    first = end;
  }
}

// What the votes of a warp say of some numbers.
extern "C" __global__ void votes(const int* x, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, mine = x[i];
  int all = __all_sync(0xffffffff, mine > -10), any = __any_sync(0xffffffff, mine == 9);
  unsigned same = __match_any_sync(0xffffffff, mine);
  y[i] = all + 2 * any + 4 * __popc(__ballot_sync(0xffffffff, mine > 0)) + 256 * __popc(same & ((1u << lane) - 1));
}

// A matrix of n rows times a vector, a row for each thread; parts of both pass by in shared memory.
extern "C" __global__ void times_a_vector(const float* a, const float* x, float* y, int n) {
  __shared__ float part[SIZE], tile[SIZE][SIZE + 1];
  int t = threadIdx.x, row = blockIdx.x * SIZE;
  float sum = 0;
  for (int k = 0; k < n; k += SIZE) {
    part[t] = x[k + t];
    for (int i = 0; i < SIZE; i++) tile[i][t] = a[(row + i) * n + k + t];
    __syncthreads();
    for (int i = 0; i < SIZE; i++) sum += tile[t][i] * part[i];
    __syncthreads();
  }
  y[row + t] = sum;
}

// A queue in shared memory that threads of a block take work from, until none is left.
extern "C" __global__ void shared_queue(const int* x, int* y, int n) {
  __shared__ int next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  for (;;) {
    int i = atomicAdd(&next, 1);
    if (i >= n) break;
    y[i] = x[i] * x[i];
  }
}

// Vectors of four numbers, in turns of the whole grid.
extern "C" __global__ void several_vectors(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n / 4; i += gridDim.x * blockDim.x) {
    float4 held = reinterpret_cast<const float4*>(x)[i];
    reinterpret_cast<float4*>(y)[i] = make_float4(2 * held.x, 2 * held.y, 2 * held.z, 2 * held.w);
  }
}
