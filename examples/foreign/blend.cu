__device__ float blend(float x, float y) { return 0.25f * x + 0.75f * y; }
