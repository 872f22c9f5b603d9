"""Scalar types, vector types and numbers in C and similar languages. Independent of operations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from rise.scalars import SCALARS, is_complex
from rise.types import ScalarType, VectorType
from shine.imperative.naturals_text import PRIMARY, UNARY, Text
from shine.imperative.nodes import Constant, ValueType
from shine.imperative.vectors import lanes_of
from shine.targets.c.dialect import Dialect

INTEGER_SUFFIX: Final[Mapping[str, str]] = {"i64": "LL", "u32": "U", "u64": "ULL"}
MAX_VECTOR_BYTES: Final = 1024


def is_float(name: str) -> bool:
    """Whether a scalar type, by name, is a floating-point type."""
    return "floating" in SCALARS[name].classes


def is_small(name: str) -> bool:
    """Whether C computes on this integer type as `int`, so that results need a cast."""
    return "integral" in SCALARS[name].classes and SCALARS[name].bits < 32


def element_name(t: ValueType) -> str:
    """The name of a scalar type, or of a vector's lanes."""
    match t:
        case ScalarType(name):
            return name
        case VectorType(_, ScalarType(name)):
            return name
    raise AssertionError(f"{t!r} is neither a scalar nor a vector of scalars")


def vector_name(t: VectorType, language: str) -> str:
    """The name of a vector type, such as `f32x8`; compilers support powers of two as numbers of lanes."""
    element, lanes = element_name(t), lanes_of(t)
    if is_complex(element):
        title = (
            f"there are no vectors of complex numbers in {language}; this one has {lanes} lanes of {element}"
        )
        raise RiseError(Diagnostic("vector-type", title, hint="use an array of complex numbers"))
    if lanes < 1 or lanes & (lanes - 1) or lanes * SCALARS[element].bits // 8 > MAX_VECTOR_BYTES:
        raise RiseError(
            Diagnostic(
                "vector-size",
                f"a vector in {language} has 2, 4, 8, ... lanes and at most {MAX_VECTOR_BYTES} bytes; this one has "
                f"{lanes} lanes of {element}",
                hint="choose another vector width with asVector",
            )
        )
    return f"{element}x{lanes}"


def constant_text(constant: Constant, dialect: Dialect) -> Text:
    """The text of a number of a type."""
    name = constant.type.name
    if part := SCALARS[name].part:
        parts = (dialect.float_text(number, part) for number in (float(constant.value), 0.0))
        return Text(dialect.complex.format(dialect.types[name], *(text.code for text in parts)))
    if is_float(name):
        return dialect.float_text(float(constant.value), name)
    if name == "bool":
        return Text("true" if constant.value else "false")
    return integer_text(int(constant.value), name)


def integer_text(value: int, name: str) -> Text:
    """The text of an integer of a scalar type."""
    bits = SCALARS[name].bits
    suffix = INTEGER_SUFFIX.get(name, "")
    if name.startswith("i") and value == -(2 ** (bits - 1)) and bits >= 32:
        return Text(f"({value + 1}{suffix} - 1)")
    return Text(f"{value}{suffix}", PRIMARY if value >= 0 else UNARY)


def decimal_text(value: float, name: str) -> Text:
    """A finite floating-point number in the fewest digits: as a double, or as a float for narrower types."""
    digits = repr(float(value)) if name == "f64" else str(SCALARS["f32"].dtype.type(value))
    digits = digits if any(mark in digits for mark in ".e") else f"{digits}.0"
    return Text(digits if name == "f64" else f"{digits}f", UNARY if digits.startswith("-") else PRIMARY)
