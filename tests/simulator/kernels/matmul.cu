// C = A B for row-major float matrices, 16 by 16 tiles in static shared memory, one thread per element of C.
extern "C" __global__ __launch_bounds__(256) void matmul(const float* __restrict__ A, const float* __restrict__ B,
                                                         float* __restrict__ C, int M, int N, int K) {
  __shared__ float a_tile[16][16];
  __shared__ float b_tile[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  int row = 16 * blockIdx.y + y, column = 16 * blockIdx.x + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 16) {
    a_tile[y][x] = A[row * K + k0 + x];
    b_tile[y][x] = B[(k0 + y) * N + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  C[row * N + column] = sum;
}
