"""The meaning of the foreign function of blend.rise. Its C and CUDA texts are in blend.c and blend.cu."""

import rise

blend = rise.Foreign("blend", "f32 -> f32 -> f32", meaning=lambda x, y: 0.25 * x + 0.75 * y)
