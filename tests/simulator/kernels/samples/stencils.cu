// Stencils and transforms of rows: restatements of the samples convolutionSeparable, FDTD3d, boxFilter, dwtHaar1D and
// fastWalshTransform.
#include <cooperative_groups.h>
enum { RADIUS = 3, SIZE = 64 };
__constant__ float weights[2 * RADIUS + 1] = {1, 2, 3, 4, 3, 2, 1};

// Rows of a picture, zeros outside. Blocks of 64 x 2 threads, a tile with a border on each side.
extern "C" __global__ void rows_convolved(const float* x, float* y, int width, int height) {
  __shared__ float tile[2][SIZE + 2 * RADIUS];
  int row = blockIdx.y * 2 + threadIdx.y, column = blockIdx.x * SIZE + threadIdx.x, t = threadIdx.x;
  const float* line = x + row * width;
  tile[threadIdx.y][RADIUS + t] = column < width ? line[column] : 0;
  if (t < RADIUS) {
    tile[threadIdx.y][t] = column >= RADIUS ? line[column - RADIUS] : 0;
    tile[threadIdx.y][RADIUS + SIZE + t] = column + SIZE < width ? line[column + SIZE] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i <= 2 * RADIUS; i++) sum += weights[i] * tile[threadIdx.y][t + i];
  if (column < width) y[row * width + column] = sum;
}

// Columns, by blocks of 16 x 8 threads, each of which does four rows.
extern "C" __global__ void columns_convolved(const float* x, float* y, int width, int height) {
  __shared__ float tile[32 + 2 * RADIUS][16];
  int column = blockIdx.x * 16 + threadIdx.x, first = blockIdx.y * 32;
  for (int i = threadIdx.y; i < 32 + 2 * RADIUS; i += 8) {
    int row = first + i - RADIUS;
    tile[i][threadIdx.x] = row >= 0 && row < height ? x[row * width + column] : 0;
  }
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += 8) {
    float sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++) sum += weights[k] * tile[i + k][threadIdx.x];
    if (first + i < height) y[(first + i) * width + column] = sum;
  }
}

// A step in space of three dimensions: a tile of the plane in shared memory, what is before and behind it in registers.
extern "C" __global__ void planes(const float* x, float* y, int nx, int ny, int nz) {
  __shared__ float tile[10][18];
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int stride = (nx + 2) * (ny + 2), at = (j + 1) * (nx + 2) + i + 1;
  float before, now = x[at], behind = x[at + stride];
  for (int k = 1; k <= nz; k++) {
    at += stride;
    before = now, now = behind, behind = x[at + stride];
    __syncthreads();
    tile[ty][tx] = now;
    if (threadIdx.y == 0) tile[0][tx] = x[at - (nx + 2)];
    if (threadIdx.y == 7) tile[9][tx] = x[at + (nx + 2)];
    if (threadIdx.x == 0) tile[ty][0] = x[at - 1];
    if (threadIdx.x == 15) tile[ty][17] = x[at + 1];
    __syncthreads();
    y[at] = 2 * now + before + behind + tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
  }
}

// Sums of a sliding window along columns: what enters is added, what leaves is subtracted.
extern "C" __global__ void windows(const float* x, float* y, int width, int height) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width) return;
  float sum = 0;
  for (int row = -RADIUS; row < height; row++) {
    if (row + RADIUS < height) sum += x[(row + RADIUS) * width + column];
    if (row - RADIUS > 0) sum -= x[(row - RADIUS - 1) * width + column];
    if (row >= 0) y[row * width + column] = sum;
  }
}

// Averages and differences of neighbours, level after level, in one block; both times their number.
extern "C" __global__ void haar(const float* x, float* y) {
  __shared__ float held[SIZE];
  int t = threadIdx.x;
  held[t] = x[t], held[t + SIZE / 2] = x[t + SIZE / 2];
  __syncthreads();
  for (int half = SIZE / 2; half > 0; half /= 2) {
    float a = 0, b = 0;
    if (t < half) a = held[2 * t], b = held[2 * t + 1];
    __syncthreads();
    if (t < half) {
      held[t] = a + b;
      y[half + t] = a - b;
    }
    __syncthreads();
  }
  if (t == 0) y[0] = held[0];
}

// Sums and differences of numbers a power of two apart, all powers.
extern "C" __global__ void walsh(const float* x, float* y) {
  __shared__ float held[SIZE];
  int t = threadIdx.x;
  held[t] = x[t], held[t + SIZE / 2] = x[t + SIZE / 2];
  for (int stride = SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    int low = t & (stride - 1), at = 2 * t - low;
    float a = held[at], b = held[at + stride];
    held[at] = a + b, held[at + stride] = a - b;
  }
  __syncthreads();
  y[t] = held[t], y[t + SIZE / 2] = held[t + SIZE / 2];
}

// Some steps of averaging neighbours in two arrays in turn, where all blocks meet after each.
extern "C" __global__ void smoothed(float* x, float* y, int n, int steps) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int step = 0; step < steps; step++) {
    const float* from = step % 2 ? y : x;
    float* to = step % 2 ? x : y;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
      to[i] = (i > 0 ? from[i - 1] : 0) + 2 * from[i] + (i + 1 < n ? from[i + 1] : 0);
    grid.sync();
  }
}
