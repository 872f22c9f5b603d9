"""The public collections that idioms restate: their programs, and what the language lacks for the rest of them.

Knows no idiom. Exercises that compute nothing on arrays (printing, imports, file formats, types of structures) are
not listed.
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
COLLECTIONS: Final = (*(f"NPBench {name}" for name in NPBENCH),)
"""All programs of the collections that compute on arrays."""

SORTS: Final = "sorting and what rests on it; ranks by comparing all pairs would be another algorithm"
COMPUTED_INDEX: Final = "an index that is computed from data: an integer cannot become an `idx`"
DATA_SIZE: Final = "a result whose size depends on the data"
COMPLEX: Final = "complex numbers, and `np.linalg.inv` or `solve`"

NOT_COVERED: Final[Mapping[str, str]] = {
    "NPBench azimint_hist": f"`np.histogram`: {COMPUTED_INDEX}; by comparing with all edges it is azimint_naive",
    "NPBench contour_integral": COMPLEX,
    "NPBench scattering_self_energies": "complex numbers; indices with an offset that may be out of range",
    "NPBench spmv": "rows of different lengths in Python functions; as RISE text it is the case csr_mv",
}
"""What is missing, by program."""
