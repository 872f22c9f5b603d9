"""Types and numbers in C. Knows no operations.

bf16 is 16-bit storage (`bf16`, an unsigned integer), computed on as float; f16 is `_Float16`; vectors are
those of the compilers' vector extension.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rise.diagnostics import Diagnostic, RiseError
from rise.scalars import SCALARS
from rise.types import ScalarType, VectorType
from shine.imperative import Constant, ValueType
from shine.naturals_text import PRIMARY, UNARY, Text

C_TYPES: Final[Mapping[str, str]] = {
    "bool": "bool",
    **{f"i{bits}": f"int{bits}_t" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}_t" for bits in (8, 16, 32, 64)},
    "f16": "_Float16",
    "bf16": "bf16",
    "f32": "float",
    "f64": "double",
}
INTEGER_SUFFIX: Final[Mapping[str, str]] = {"i64": "LL", "u32": "U", "u64": "ULL"}
WIDEST_VECTOR: Final = 1024  # bytes
ALIGNMENT: Final = 64  # bytes, of every temporary


def is_float(name: str) -> bool:
    """Whether a scalar type, by name, is a floating-point one."""
    return "floating" in SCALARS[name].classes


def is_small(name: str) -> bool:
    """Whether C computes on this integer type as `int`, so that results need a cast."""
    return not is_float(name) and name != "bool" and SCALARS[name].bits < 32


def element_name(t: ValueType) -> str:
    """The name of a scalar type, or of a vector's lanes."""
    match t:
        case ScalarType(name):
            return name
        case VectorType(_, ScalarType(name)):
            return name
    raise AssertionError(f"{t!r} is neither a scalar nor a vector of scalars")


def lanes_of(t: ValueType) -> int:
    """How many lanes a type has: 1 for scalars."""
    if isinstance(t, ScalarType):
        return 1
    lanes = t.size.constant
    assert lanes is not None, f"the vector size {t.size!r} is not known"
    return lanes


def c_name(t: ValueType) -> str:
    """The C type of a value: `float`, or `f32x8`."""
    name = element_name(t)
    return C_TYPES[name] if isinstance(t, ScalarType) else vector_name(name, lanes_of(t))


def vector_name(element: str, lanes: int) -> str:
    """The C type of a vector, which C compilers have for powers of two."""
    if lanes < 1 or lanes & (lanes - 1) or lanes * SCALARS[element].bits // 8 > WIDEST_VECTOR:
        raise RiseError(
            Diagnostic(
                "vector-size",
                f"a vector in C has 2, 4, 8, ... lanes and at most {WIDEST_VECTOR} bytes; this one has "
                f"{lanes} lanes of {element}",
                hint="choose another vector width with asVector",
            )
        )
    return f"{element}x{lanes}"


def constant_text(constant: Constant) -> Text:
    """A number of its type."""
    name = constant.type.name
    if is_float(name):
        return _float_text(float(constant.value), name)
    if name == "bool":
        return Text("true" if constant.value else "false")
    value = int(constant.value)
    bits = SCALARS[name].bits
    suffix = INTEGER_SUFFIX.get(name, "")
    if name.startswith("i") and value == -(2 ** (bits - 1)) and bits >= 32:
        return Text(f"({value + 1}{suffix} - 1)")
    return Text(f"{value}{suffix}", PRIMARY if value >= 0 else UNARY)


def _float_text(value: float, name: str) -> Text:
    dtype: Any = SCALARS[name].dtype
    if name == "bf16":
        bits = dtype.type(value).view("uint16")
        return Text(f"(bf16)0x{int(bits):04x} /* {value:g} */", UNARY)
    if value != value or value in (float("inf"), float("-inf")):
        text = Text("NAN") if value != value else Text("INFINITY") if value > 0 else Text("-INFINITY", UNARY)
        return text if name == "f32" else Text(f"({C_TYPES[name]}){text.at(UNARY)}", UNARY)
    digits = repr(float(value)) if name == "f64" else str(SCALARS["f32"].dtype.type(value))
    digits = digits if any(mark in digits for mark in ".e") else f"{digits}.0"
    number = Text(digits if name == "f64" else f"{digits}f", UNARY if digits.startswith("-") else PRIMARY)
    return Text(f"(_Float16){number.at(UNARY)}", UNARY) if name == "f16" else number
