// molecular_dynamics(cutoff: f32, atoms: N.(f32, f32), neighbours: N.K.idx[N]) -> N.(f32, f32) for all N, K
#include <stdbool.h>
#include <stdint.h>

int molecular_dynamics(
    int64_t N,
    int64_t K,
    float cutoff,
    const float *restrict atoms_1st,
    const float *restrict atoms_2nd,
    const int64_t *restrict neighbours,
    float *restrict output_1st,
    float *restrict output_2nd
) {
  #pragma omp parallel for schedule(static) if(65535 < (49 * K + 6) * N)
  for (int64_t n = 0; n < N; n++) {
    float acc_1st;
    float acc_2nd;
    acc_1st = 0.0f;
    acc_2nd = 0.0f;
    for (int64_t k = 0; k < K; k++) {
      const int64_t neighbours_entry = neighbours[n * K + k];
      const float dx = atoms_1st[n] - atoms_1st[neighbours_entry];
      const float dy = atoms_2nd[n] - atoms_2nd[neighbours_entry];
      const float square = dx * dx + dy * dy;
      const bool all = (square < cutoff * cutoff) & (square > 0.0f);
      const float r2 = 1.0f / square;
      const float r6 = r2 * r2 * r2;
      const float s = 24.0f * r2 * r6 * (2.0f * r6 - 1.0f);
      const float choice_from_dx = all ? s * dx : 0.0f;
      const float choice_from_dy = all ? s * dy : 0.0f;
      acc_1st = acc_1st + choice_from_dx;
      acc_2nd = acc_2nd + choice_from_dy;
    }
    output_1st[n] = acc_1st;
    output_2nd[n] = acc_2nd;
  }
  return 0;
}
