// trsv(lower: N.N.f32, b: N.f32) -> N.f32 for all N
// for sm_80
extern "C" __global__ void __launch_bounds__(256) trsv(float* __restrict__ solved, const int N) {
  for (int i_x = blockIdx.x * 256 + threadIdx.x; i_x < N; i_x += gridDim.x * 256) {
    solved[i_x] = 0.0f;
  }
}

extern "C" __global__ void __launch_bounds__(1) trsv_1(
    const float* __restrict__ lower,
    const float* __restrict__ b,
    float* __restrict__ solved,
    float* __restrict__ next_1,
    const int N
) {
  for (int i_rowAndIndex = 0; i_rowAndIndex < N; i_rowAndIndex++) {
    float acc_1;
    acc_1 = 0.0f;
    for (int i_x_2 = 0; i_x_2 < N; i_x_2++) {
      acc_1 = acc_1 + lower[i_rowAndIndex * N + i_x_2] * solved[i_x_2];
    }
    const float next_2 = (b[i_rowAndIndex] - acc_1) / lower[i_rowAndIndex * N + i_rowAndIndex];
    for (int i_p_1 = 0; i_p_1 < N; i_p_1++) {
      next_1[i_p_1] = (long long)i_p_1 == (long long)i_rowAndIndex ? next_2 : solved[i_p_1];
    }
    for (int i_copy = 0; i_copy < N; i_copy++) {
      solved[i_copy] = next_1[i_copy];
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) trsv_2(
    const float* __restrict__ solved,
    float* __restrict__ output,
    const int N
) {
  for (int i_x_3 = blockIdx.x * 256 + threadIdx.x; i_x_3 < N; i_x_3 += gridDim.x * 256) {
    output[i_x_3] = solved[i_x_3];
  }
}
