"""Names from other languages and libraries that do not exist in RISE, each with its equivalent in RISE.

Independent of terms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from rise.primitives import lookup
from rise.scalars import SCALARS, SYNONYMS
from rise.text.hints import DEFINITION, FUNCTION
from rise.text.libraries import LIBRARIES, SUFFIX, library_names

_LENGTH: Final = "a length is part of the type: name it there, as in `xs: N.f32`"
_FILLED: Final = "write `generate(fun(i => 0.0))`, with the length in the type of what it is used with"
_AXES: Final = (
    "`xs |> join` removes an axis, `xs |> split(n)` makes rows of n elements, `transpose` exchanges axes"
)
_FOLD: Final = "write `reduce(f, start)`"
_ARRAYS: Final = (
    "arrays are values and have no addresses: an element is `xs |> idx(i)`, and a function returns its result"
)
_LOOP: Final = "there are no loops: write `xs |> map(fun(x => ...))`, `reduce` or `iterate`"
_CHOSEN: Final = (
    "state the length, as it cannot depend on elements: `xs |> compress(4, xs |> map(fun(x => x > 0.0)), 0.0)` has"
    " the first 4 for which the function is true, then 0.0"
)
_PRINT: Final = "`printType(x)` shows the type of x; the result of a program is what its function returns"
#: hints by name
_HINTS: Final[Mapping[str, str]] = {
    "filter": _CHOSEN,
    "pack": _CHOSEN,
    "flatnonzero": _CHOSEN,
    "fold": _FOLD,
    "foldl": _FOLD,
    "foldr": _FOLD,
    "einsum": 'write the subscripts first: `einsum("ab,bc->ac")` is a function of two arrays',
    "len": _LENGTH,
    "length": _LENGTH,
    "size": _LENGTH,
    "shape": _LENGTH,
    "range": "write `generate(fun(i => ...))`",
    "arange": "write `generate(fun(i => ...))`",
    "iota": "write `generate(fun(i => ...))`",
    "zeros": _FILLED,
    "ones": _FILLED,
    "full": _FILLED,
    "empty": _FILLED,
    "flatten": "write `join`",
    "ravel": "write `join`",
    "head": "write `idx(0)`",
    "tail": "write `drop(1)`",
    "where": "write `if condition then a else b`",
    "window": "write `slide(size, step)`",
    "reshape": _AXES,
    "T": "write `transpose(xs)`",
    "astype": "write `cast{t}(x)`, with the type to convert to in braces",
    "cumsum": "write `scan(add, 0.0)`",
    "relu": "write `max(x, 0.0)`",
    "pad": "write `padCst(l, r, x)`, which adds copies of x, or `padClamp(l, r)`, which repeats the ends",
    "return": "a function returns its body: remove `return`",
    "for": _LOOP,
    "while": _LOOP,
    "load": _ARRAYS,
    "store": _ARRAYS,
    "lambda": FUNCTION,
    "def": DEFINITION,
    "function": DEFINITION,
    "entry": DEFINITION,
    "True": "write `true`",
    "False": "write `false`",
    "None": "every expression has a value: `if condition then a else b` needs both",
    "sum": "write `reduce(add, 0.0)`",
    "fmax": "write `max`",
    "fmin": "write `min`",
    "fabs": "write `abs`",
    "first": "write `fst(p)`",
    "_1": "write `fst(p)`",
    "second": "write `snd(p)`",
    "_2": "write `snd(p)`",
    "print": _PRINT,
    "printf": _PRINT,
    "println": _PRINT,
}
#: definitions of libraries that have another name in other languages
_DEFINITIONS: Final[Mapping[str, str]] = {
    "matmul": "mm",
    "reverse": "reversed",
    "rev": "reversed",
    "flip": "reversed",
    "average": "mean",
    "var": "variance",
    "std": "deviation",
    "stddev": "deviation",
    "normalize": "normalised",
    "normalise": "normalised",
    "norm": "nrm2",
    "eye": "identity",
    "tril": "lower",
    "triu": "upper",
    "cov": "covariance",
    "corrcoef": "correlation",
}
#: modules of functions, as programs in Python call them
MODULES: Final = frozenset(("np", "numpy", "jnp", "math", "torch", "tl", "cupy", "cp"))
#: types of C and of Python
_TYPES: Final[Mapping[str, str]] = {
    "boolean": "bool",
    "char": "i8",
    "short": "i16",
    "long": "i64",
    "unsigned": "u32",
    "size_t": "u64",
    "bfloat16": "bf16",
    "float8": "f8e4m3",
    "float8_e4m3fn": "f8e4m3",
    "float8_e5m2": "f8e5m2",
    "fp8": "f8e4m3",
    "e4m3": "f8e4m3",
    "e5m2": "f8e5m2",
    "complex": "c128",
    "complex64": "c64",
    "complex128": "c128",
    "real": "f32",
}
_NUMPY_TYPE: Final = re.compile(r"(float|int|uint)(8|16|32|64)(?:_t)?")
_VALUE: Final = re.compile(r"^val (\w+) =", re.MULTILINE)


def foreign_hint(name: str) -> str:
    """The replacement of a name; empty if nothing is known about it.

    >>> foreign_hint("sqrtf"), foreign_hint("double"), foreign_hint("softmax")
    ('write `sqrt`', 'write `cast{f64}(x)`', 'write `import statistics` at the top of the text: it defines `softmax`')
    """
    if name in _HINTS:
        return _HINTS[name]
    if name in SCALARS or name in SYNONYMS:
        return f"write `cast{{{SYNONYMS.get(name, name)}}}(x)`"
    if name.endswith("f") and lookup(name[:-1]) is not None:
        return f"write `{name[:-1]}`"
    defined = _DEFINITIONS.get(name, name)
    library = _libraries().get(defined)
    return (
        "" if library is None else f"write `import {library}` at the top of the text: it defines `{defined}`"
    )


def foreign_type(name: str) -> str:
    """The replacement of the name of a type of C or numpy; empty if nothing is known about it.

    >>> foreign_type("float32"), foreign_type("size_t"), foreign_type("image")
    ('write `f32`', 'write `u64`', '')
    """
    known = _TYPES.get(name)
    numpy = _NUMPY_TYPE.fullmatch(name)
    if numpy is not None:
        known = f"{numpy[1][0]}{numpy[2]}"
    return f"write `{known}`" if known in SCALARS else ""


@cache
def _libraries() -> Mapping[str, str]:
    """The library that defines a name, the first one in the order of their names."""
    found: dict[str, str] = {}
    for library in library_names():
        for name in _VALUE.findall((LIBRARIES / (library + SUFFIX)).read_text(encoding="utf-8")):
            found.setdefault(name, library)
    return found
