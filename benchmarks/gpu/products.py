"""Matrix products to be timed on a device: shapes and tiles. Does not measure time; independent of devices.

Half-precision factors, sums in single precision, each kernel for its own sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import rise
import shine
from benchmarks.gpu.model import Kernel, Product
from benchmarks.gpu.programs import SMALL_TILES, WMMA, lowered, written
from benchmarks.gpu.reference_product import by_hand
from shine.targets import TARGETS

Shape = tuple[int, int, int]
SQUARES: tuple[Shape, ...] = tuple((size, size, size) for size in (4096, 1024, 8192, 2048))
OTHERS: tuple[Shape, ...] = ((8192, 1024, 8192), (1024, 8192, 1024), (16384, 512, 256), (256, 4096, 16384))
#: candidates that might be faster, tried at 4096
TILES: Mapping[str, Mapping[str, int]] = {
    "depth 64": {"depth": 64},
    "room 16": {"room": 16},
    "256 x 128, warps 64 x 64": {"rows": 256, "warp_columns": 64},
    "64 x 64, warps 32 x 32": SMALL_TILES,
}


def built(name: str, strategy: str, parameters: Mapping[str, int], shape: Shape, arch: str) -> Kernel:
    """A case under a strategy, for sizes and an architecture."""
    (one,) = (each for each in written() if each.name == name)
    m, k, n = shape
    low = rise.specialise(lowered(one, strategy, tuple(parameters.items())), M=m, K=k, N=n)
    kernel: Kernel = shine.compile(low, target="cuda", arch=arch, name=name)
    return kernel


def half(
    name: str, shape: Shape, parameters: Mapping[str, int], other: Callable[[str], Kernel] | None = None
) -> Product:
    """A product of half-precision matrices; its error grows with the length of the sums."""
    build = partial(built, "gemm_plain", WMMA, parameters, shape)
    return Product(name, build, shape, "f16", "f32", 1e-7 * max(shape[1], 64), other)


def single(shape: Shape) -> Product:
    """A product in single precision, which uses no tensor cores."""
    build = partial(built, "mm", TARGETS["cuda"].strategy, {}, shape)
    return Product("single precision", build, shape, "f32", "f32", 1e-7 * max(shape[1], 64))


PRODUCTS: tuple[Product, ...] = (
    *(half("wmma beside the one by hand", shape, {}, partial(by_hand, shape)) for shape in SQUARES),
    *(half("wmma", shape, {}) for shape in (*SQUARES, *OTHERS)),
    *(half(f"wmma, {name}", SQUARES[0], parameters) for name, parameters in TILES.items()),
    *(half("wmma beside the one by hand", shape, {}, partial(by_hand, shape)) for shape in OTHERS),
    single(SQUARES[0]),
)
