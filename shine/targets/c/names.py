"""The names that generated C and CUDA C++ use internally, and names for exported functions.

`shine.imperative.identifiers` defines the form of names, and `shine.imperative.scopes` makes them unique.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from rise.primitives.functions import FUNCTIONS
from shine.imperative.identifiers import as_word, is_free
from shine.targets.c.library import is_of_library

#: prefix of exported functions whose name the language or its library already uses
PREFIX: Final = "shine_"
#: functions of numbers, and the C library functions that texts call for some of them
_NUMBERS: Final = (*(record.name for record in FUNCTIONS), "copysign", "fabs", "fma", "fmod", "rint")
#: the names that a text in C uses itself, except for those of a form that `identifier` knows
RESERVED: Final = frozenset(
    (
        "aligned_alloc",
        "allocate",
        "keep_scalar",
        "f16_of_bits",
        "f32_of_f16_at",
        "f32_of_bits",
        "f64_of_bits",
        "failure",
        "free",
        "give_memory",
        "last_failure",
        "new_memory",
        "report",
        "report_index",
        "status",
        "take_memory",
        *_NUMBERS,
        *(f"{name}f" for name in _NUMBERS),
    )
)


def exported(name: str, words: Container[str] = RESERVED) -> str:
    """A name for an exported function that neither linked libraries nor headers use.

    >>> exported("mm"), exported("ilogb"), exported("omp_get_max_threads"), exported("2d-conv")
    ('mm', 'shine_ilogb', 'shine_omp_get_max_threads', 'v2d_conv')
    """
    plain = as_word(name)
    return f"{PREFIX}{plain}" if is_of_library(plain) or not is_free(plain, words) else plain
