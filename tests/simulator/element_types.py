"""The numpy types of the element types of matrix instructions."""

from typing import Any

import ml_dtypes
import numpy as np

DTYPES: dict[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "tf32": np.float32,
    "s8": np.int8,
    "u8": np.uint8,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "f32": np.float32,
    "s32": np.int32,
    "f64": np.float64,
}
