"""Names that CUDA C++ reserves, which a program's names must avoid. Independent of statements."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

from shine.targets.c.names import PREFIX
from shine.targets.c.names import RESERVED as OF_C
from shine.targets.c.names import exported as exported_in_c
from shine.targets.c.source import FAILURE

_WORDS: Final = """
threadIdx blockIdx blockDim gridDim warpSize dim3 half half2 nvcuda wmma std cuda simulator vec all_lanes
shared_memory same_type atomicAdd atomicCAS atomicMax atomicMin assert printf memcpy
"""
_ELEMENTS: Final = "char uchar short ushort int uint long ulong longlong ulonglong float double"
_VECTORS: Final = tuple(f"{element}{lanes}" for element in _ELEMENTS.split() for lanes in (1, 2, 3, 4))
#: names that printed texts use themselves, and CUDA's types
RESERVED: Final = OF_C - {FAILURE.name} | {
    *_WORDS.split(),
    *_VECTORS,
    *(f"make_{vector}" for vector in _VECTORS),
}

#: functions of CUDA that the C library lacks
_FUNCTIONS_OF_F32: Final = """
abs cospi cyl_bessel_i0 cyl_bessel_i1 erfcinv erfcx erfinv fdivide max min nextpow norm norm3d norm4d normcdf normcdfinv
rcbrt rhypot rnorm rnorm3d rnorm4d rsqrt saturate sincos sincospi sinpi
"""
_FUNCTIONS: Final = frozenset(
    (
        *(f"{name}{kind}" for name in _FUNCTIONS_OF_F32.split() for kind in ("", "f")),
        "llmax",
        "llmin",
        "ullmax",
        "ullmin",
        "umax",
        "umin",
        "clock64",
        "libraryPropertyType",
        "nv",
        "CUuuid",
    )
)
_FAMILIES: Final = re.compile(
    r"(atomic|cu|cuda|nv)[A-Z]\w*|(make|nv)_\w+|(surf|tex)[A-Z0-9]\w*|\w+4_(16|32)a"
)


def exported(name: str, words: Container[str] = RESERVED) -> str:
    """A name for a kernel that neither the C library nor the headers of nvcc and NVRTC declare.

    >>> exported("gemm"), exported("norm3d"), exported("cudaMalloc"), exported("index")
    ('gemm', 'shine_norm3d', 'shine_cudaMalloc', 'shine_index')
    """
    plain = exported_in_c(name, words)
    return f"{PREFIX}{plain}" if plain in _FUNCTIONS or _FAMILIES.fullmatch(plain) else plain
