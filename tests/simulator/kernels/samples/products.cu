// The matrix product in the textbook's stages, up to tiles in registers and two buffers. Matrices of n x n, n a multiple of 32.
enum { TILE = 16, WIDE = 32, DEPTH = 8 };

extern "C" __global__ void an_element_for_each_thread(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.x * TILE + threadIdx.x, column = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

extern "C" __global__ void neighbours_in_a_row(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.x * TILE + threadIdx.x / TILE, column = blockIdx.y * TILE + threadIdx.x % TILE;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

extern "C" __global__ void tiles_in_shared_memory(const float* a, const float* b, float* c, int n) {
  __shared__ float of_a[TILE][TILE], of_b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int k = 0; k < n; k += TILE) {
    of_a[y][x] = a[row * n + k + x];
    of_b[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += of_a[y][i] * of_b[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Each of 128 threads has eight elements of a column of a 32 x 32 tile.
extern "C" __global__ void columns_in_registers(const float* a, const float* b, float* c, int n) {
  __shared__ float of_a[WIDE][DEPTH], of_b[DEPTH][WIDE];
  int t = threadIdx.x, x = t % WIDE, y = t / WIDE * 8, row = blockIdx.y * WIDE, column = blockIdx.x * WIDE;
  float sum[8] = {};
  for (int k = 0; k < n; k += DEPTH) {
    for (int i = t; i < WIDE * DEPTH; i += 128) {
      of_a[i / DEPTH][i % DEPTH] = a[(row + i / DEPTH) * n + k + i % DEPTH];
      of_b[i / WIDE][i % WIDE] = b[(k + i / WIDE) * n + column + i % WIDE];
    }
    __syncthreads();
    for (int d = 0; d < DEPTH; d++) {
      float factor = of_b[d][x];
      for (int i = 0; i < 8; i++) sum[i] += of_a[y + i][d] * factor;
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; i++) c[(row + y + i) * n + column + x] = sum[i];
}

// Each of 64 threads has 4 x 4 elements; rows are loaded as vectors, and a is stored transposed.
extern "C" __global__ void tiles_in_registers(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float of_a[DEPTH][WIDE], of_b[DEPTH][WIDE];
  int t = threadIdx.x, x = t % 8 * 4, y = t / 8 * 4, row = blockIdx.y * WIDE, column = blockIdx.x * WIDE;
  float sum[4][4] = {};
  for (int k = 0; k < n; k += DEPTH) {
    float4 part = *reinterpret_cast<const float4*>(a + (row + t / 2) * n + k + t % 2 * 4);
    of_a[t % 2 * 4][t / 2] = part.x, of_a[t % 2 * 4 + 1][t / 2] = part.y;
    of_a[t % 2 * 4 + 2][t / 2] = part.z, of_a[t % 2 * 4 + 3][t / 2] = part.w;
    *reinterpret_cast<float4*>(&of_b[t / 8][t % 8 * 4]) =
        *reinterpret_cast<const float4*>(b + (k + t / 8) * n + column + t % 8 * 4);
    __syncthreads();
    for (int d = 0; d < DEPTH; d++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += of_a[d][y + i] * of_b[d][x + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    *reinterpret_cast<float4*>(c + (row + y + i) * n + column + x) =
        make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}

// While one buffer is multiplied the next is loaded: one barrier for each step.
extern "C" __global__ void two_buffers(const float* a, const float* b, float* c, int n) {
  __shared__ float of_a[2][TILE][TILE], of_b[2][TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x, now = 0;
  of_a[0][y][x] = a[row * n + x];
  of_b[0][y][x] = b[y * n + column];
  __syncthreads();
  float sum = 0;
  for (int k = TILE; k <= n; k += TILE) {
    if (k < n) {
      of_a[1 - now][y][x] = a[row * n + k + x];
      of_b[1 - now][y][x] = b[(k + y) * n + column];
    }
    for (int i = 0; i < TILE; i++) sum += of_a[now][y][i] * of_b[now][i][x];
    now = 1 - now;
    __syncthreads();
  }
  c[row * n + column] = sum;
}
