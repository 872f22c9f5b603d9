// The transpose of a square matrix of n x n numbers, n a multiple of 16, by blocks of 16 x 4 threads: restatements of the
// sample transpose and of its copies.
enum { TILE = 16, ROWS = 4 };

extern "C" __global__ void copied(const float* x, float* y, int n) {
  int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) y[(row + i) * n + column] = x[(row + i) * n + column];
}

extern "C" __global__ void copied_by_shared_memory(const float* x, float* y, int n) {
  __shared__ float tile[TILE][TILE];
  int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) tile[threadIdx.y + i][threadIdx.x] = x[(row + i) * n + column];
  __syncthreads();
  for (int i = 0; i < TILE; i += ROWS) y[(row + i) * n + column] = tile[threadIdx.y + i][threadIdx.x];
}

extern "C" __global__ void transposed_at_once(const float* x, float* y, int n) {
  int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) y[column * n + row + i] = x[(row + i) * n + column];
}

extern "C" __global__ void transposed_in_tiles(const float* x, float* y, int n) {
  __shared__ float tile[TILE][TILE];
  int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) tile[threadIdx.y + i][threadIdx.x] = x[(row + i) * n + column];
  __syncthreads();
  column = blockIdx.y * TILE + threadIdx.x, row = blockIdx.x * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) y[(row + i) * n + column] = tile[threadIdx.x][threadIdx.y + i];
}

extern "C" __global__ void transposed_in_padded_tiles(const float* x, float* y, int n) {
  __shared__ float tile[TILE][TILE + 1];
  int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) tile[threadIdx.y + i][threadIdx.x] = x[(row + i) * n + column];
  __syncthreads();
  column = blockIdx.y * TILE + threadIdx.x, row = blockIdx.x * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) y[(row + i) * n + column] = tile[threadIdx.x][threadIdx.y + i];
}

// Blocks in the order of diagonals, so that neighbours do not write to one partition of memory.
extern "C" __global__ void transposed_along_diagonals(const float* x, float* y, int n) {
  __shared__ float tile[TILE][TILE + 1];
  int block_row = blockIdx.x, block_column = (blockIdx.x + blockIdx.y) % gridDim.x;
  int column = block_column * TILE + threadIdx.x, row = block_row * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) tile[threadIdx.y + i][threadIdx.x] = x[(row + i) * n + column];
  __syncthreads();
  column = block_row * TILE + threadIdx.x, row = block_column * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) y[(row + i) * n + column] = tile[threadIdx.x][threadIdx.y + i];
}

// In place: a block exchanges two tiles, and leaves those below the diagonal to the others.
extern "C" __global__ void transposed_in_place(float* y, int n) {
  __shared__ float upper[TILE][TILE + 1], lower[TILE][TILE + 1];
  if (blockIdx.x < blockIdx.y) return;
  int column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
  int other_column = blockIdx.y * TILE + threadIdx.x, other_row = blockIdx.x * TILE + threadIdx.y;
  for (int i = 0; i < TILE; i += ROWS) {
    upper[threadIdx.y + i][threadIdx.x] = y[(row + i) * n + column];
    lower[threadIdx.y + i][threadIdx.x] = y[(other_row + i) * n + other_column];
  }
  __syncthreads();
  for (int i = 0; i < TILE; i += ROWS) {
    y[(other_row + i) * n + other_column] = upper[threadIdx.x][threadIdx.y + i];
    if (blockIdx.x > blockIdx.y) y[(row + i) * n + column] = lower[threadIdx.x][threadIdx.y + i];
  }
}
