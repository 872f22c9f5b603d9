"""Programs as Python functions: `@rise.program`.

Depends on Python's operators and numpy's functions, but not on RISE text.

>>> import numpy as np
>>> import rise
>>> @rise.program
... def softmax(x: "N.f32"):
...     e = np.exp(x - x.max())
...     return e / e.sum()
>>> str(softmax.type)
'{N: nat} -> N.f32 -> N.f32'
"""

from rise.embedding.annotations import TYPES, sizes
from rise.embedding.bounded_results import (
    compress,
    flatnonzero,
    intersect1d,
    nonzero,
    setdiff1d,
    top_k,
    union1d,
    unique,
)
from rise.embedding.data_slices import DataSlice
from rise.embedding.functions import arange, call, fold, generate, map, reduce, scan, slide, split, zip
from rise.embedding.programs import PythonProgram, program
from rise.embedding.spanned_values import SpannedValue
from rise.embedding.symbolic_numbers import SymbolicNumber
from rise.embedding.symbolic_sizes import SymbolicSize
from rise.embedding.values import Value

#: the scalar types for annotations: `x: f32[N, M]`
i8, i16, i32, i64 = TYPES["i8"], TYPES["i16"], TYPES["i32"], TYPES["i64"]
u8, u16, u32, u64 = TYPES["u8"], TYPES["u16"], TYPES["u32"], TYPES["u64"]
f8e4m3, f8e5m2 = TYPES["f8e4m3"], TYPES["f8e5m2"]
f16, bf16, f32, f64 = TYPES["f16"], TYPES["bf16"], TYPES["f32"], TYPES["f64"]
c64, c128 = TYPES["c64"], TYPES["c128"]
bool_ = TYPES["bool"]

__all__ = [
    "DataSlice",
    "PythonProgram",
    "SpannedValue",
    "SymbolicNumber",
    "SymbolicSize",
    "Value",
    "arange",
    "bf16",
    "bool_",
    "c128",
    "c64",
    "call",
    "compress",
    "f16",
    "f32",
    "f64",
    "f8e4m3",
    "f8e5m2",
    "flatnonzero",
    "fold",
    "generate",
    "i16",
    "i32",
    "i64",
    "i8",
    "intersect1d",
    "map",
    "nonzero",
    "program",
    "reduce",
    "scan",
    "setdiff1d",
    "sizes",
    "slide",
    "split",
    "u16",
    "u32",
    "u64",
    "top_k",
    "u8",
    "union1d",
    "unique",
    "zip",
]
