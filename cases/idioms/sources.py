"""The public collections that idioms restate: their programs, and what the language lacks for the remaining ones.

Independent of idioms. Exercises that compute nothing on arrays (printing, imports, file formats, types of structures)
are not listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NPBENCH: Final = (
    "adi",
    "arc_distance",
    "atax",
    "azimint_hist",
    "azimint_naive",
    "bicg",
    "cavity_flow",
    "channel_flow",
    "cholesky",
    "cholesky2",
    "compute",
    "contour_integral",
    "conv2d_bias",
    "correlation",
    "covariance",
    "covariance2",
    "crc16",
    "deriche",
    "doitgen",
    "durbin",
    "fdtd_2d",
    "floyd_warshall",
    "gemm",
    "gemver",
    "gesummv",
    "go_fast",
    "gramschmidt",
    "hdiff",
    "heat_3d",
    "jacobi_1d",
    "jacobi_2d",
    "k2mm",
    "k3mm",
    "lenet",
    "lu",
    "ludcmp",
    "mandelbrot1",
    "mandelbrot2",
    "mlp",
    "mvt",
    "nbody",
    "nussinov",
    "resnet",
    "scattering_self_energies",
    "seidel_2d",
    "softmax",
    "spmv",
    "stockham_fft",
    "symm",
    "syr2k",
    "syrk",
    "trisolv",
    "trmm",
    "vadv",
)

EVERYDAY: Final = "everyday"
REDUCTIONS: Final = "reductions"
WORDS: Final = "words"

#: exercises about imports, printing, files, types of structures, dates, warnings, and how numpy itself works
NO_ARRAYS: Final = frozenset(
    {1, 2, 4, 5, 17, 20, 23, 26, 27, 28, 31, 32, 33, 34, 38, 43, 48, 49, 51, 54, 55, 63, 91}
)
EXERCISES: Final = tuple(number for number in range(1, 101) if number not in NO_ARRAYS)
COLLECTIONS: Final = (
    *(f"NPBench {name}" for name in NPBENCH),
    *(f"numpy-100 {number}" for number in EXERCISES),
)
"""All programs of the collections that compute on arrays."""

NOT_COVERED: Final[Mapping[str, str]] = {
    "numpy-100 12": "random numbers",
    "numpy-100 57": "random numbers",
}
"""What is missing, by program."""
