"""Checks values that callers of programs and kernels pass, and raises diagnostics for those that do not fit.

Depends on types and numpy, but not on terms. Nothing is converted silently, except Python numbers, which have no scalar
type.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, NoReturn

import numpy as np

from rise.complex_numbers import joined
from rise.diagnostics import Diagnostic, RiseError, number_text
from rise.naturals import Atom, NatVar
from rise.nodes import postorder
from rise.polynomials import NotComputed
from rise.rounding import is_integral, part_type, round_number
from rise.scalars import SCALARS
from rise.size_equations import Equation
from rise.text.nat_printer import show_nat
from rise.text.type_printer import brief_type
from rise.types import DepPairType, Type

MAX_TYPE_CHARACTERS: Final = 200
#: sizes are i64
MAX_SIZE: Final = (1 << 63) - 1
#: the names of scalar types by their numpy types
SCALAR_NAMES: Final[Mapping[np.dtype[Any], str]] = {facts.dtype: name for name, facts in SCALARS.items()}


def refuse(code: str, title: str, hint: str = "", notes: tuple[str, ...] = ()) -> NoReturn:
    """Raise RiseError with a diagnostic."""
    raise RiseError(Diagnostic(code, title, hint=hint, notes=notes))


def mismatch(parameter: str, t: Type, found: str, hint: str = "", notes: tuple[str, ...] = ()) -> NoReturn:
    """Raise RiseError for a value that is not of its parameter's type."""
    refuse("argument-type", f"`{parameter}`: expected {brief(t)}, found {found}", hint, notes)


def brief(t: Type) -> str:
    """A type as text, clipped."""
    text = brief_type(t)
    return text if len(text) <= MAX_TYPE_CHARACTERS else f"{text[: MAX_TYPE_CHARACTERS - 3]}..."


def is_python_number(value: Any) -> bool:
    """Whether a value is a number without a scalar type."""
    return isinstance(value, int | float | complex) and not isinstance(value, np.generic)


def holds_dependent_pair(t: Type) -> bool:
    """Whether values of a type are or contain dependent pairs."""
    return any(type(node) is DepPairType for node in postorder(t))


def refuse_pair_in_array(t: Type) -> NoReturn:
    """Raise RiseError for an array of dependent pairs."""
    type_text = "" if t.dep_loose else f": {brief(t)}"
    title = f"expected single dependent pairs, found an array of them{type_text}"
    hint = "pass their values as one dependent array, `N..(i |-> len(i).f32)` with `{len: nat -> nat}`"
    refuse("dependent-pair", title, hint)


def found_text(value: Any) -> str:
    """A description of a value for a message."""
    match value:
        case np.ndarray() | np.generic():
            return shape_text(value)
        # not a sequence pattern: elements of a memoryview of two dimensions cannot be accessed
        case list() if value and isinstance(value[0], np.ndarray):
            return f"a list of {len(value)} arrays, the first of {found_text(value[0])}"
        case tuple():
            return f"a tuple of {len(value)}"
        case bool() | float() | complex():
            return f"the Python number {value}"
        case int():
            return f"the Python number {number_text(value)}"
        case Type():
            return brief_type(value)
        case _ if isinstance(getattr(value, "shape", None), tuple) and hasattr(value, "dtype"):
            return f"{array_name(value)} of {shape_text(value)}"
        case _:
            return f"a Python value of type {type(value).__name__}"


def shape_text(array: Any) -> str:
    """The shape and the type of an array of any library, for a message."""
    name = SCALAR_NAMES.get(array.dtype, str(array.dtype))
    return f"shape {tuple(array.shape)} of {name}" if array.shape else f"a scalar of {name}"


def array_name(value: Any) -> str:
    """The class of an array with its article, as its library's documentation names it.

    >>> array_name(memoryview(b""))
    'a memoryview'
    """
    package, name = package_of(value), type(value).__qualname__
    if package in ("jax", "jaxlib"):  # the classes of its arrays are private
        return "a jax.Array"
    shown = name if package == "builtins" else f"{package}.{name}"
    return f"{'an' if shown[0] in 'aeiouAEIOU' else 'a'} {shown}"


def package_of(value: Any) -> str:
    """The package that defines a value's class."""
    return type(value).__module__.partition(".")[0]


def given_sizes(sizes: Any) -> Mapping[str, Any]:
    """The sizes that a caller gives by name, if any. Raises RiseError for anything else."""
    if sizes is None:
        return {}
    if not isinstance(sizes, Mapping):
        title = f"`sizes`: expected sizes by name, found {found_text(sizes)}"
        refuse("argument-type", title, 'as sizes={"N": 1024}')
    return sizes


def given_size(name: str, value: Any) -> int:
    """A size that a caller gives. Raises RiseError unless it is an integer from 0 to 2^63 - 1."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        refuse("argument-type", f"`{name}`: expected a size, an integer >= 0, found {found_text(value)}")
    if value > MAX_SIZE:
        refuse_large(f"`{name}`: expected a size", int(value))
    return int(value)


def refuse_not_computed(shown: NotComputed, subject: str = "") -> NoReturn:
    """Raise RiseError for sizes for which another size is too large to compute."""
    title = f"{subject}expected sizes that are natural numbers below 2^63, found {shown}"
    refuse("size-too-large", title, "use smaller sizes")


def refuse_large(expected: str, found: int) -> NoReturn:
    """Raise RiseError for a number that is 2^63 or more."""
    refuse("size-too-large", f"{expected} below 2^63, found {number_text(found)}", "use smaller sizes")


def given_pair(parameter: str, t: Type, value: Any) -> tuple[int, Any]:
    """The number and the value of a dependent pair that a caller gives."""
    if not isinstance(value, tuple) or len(value) != 2:
        mismatch(parameter, t, found_text(value), "pass a tuple of the number and the value: (len(xs), xs)")
    number = value[0][()] if isinstance(value[0], np.ndarray) and value[0].ndim == 0 else value[0]
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 0:
        title = (
            f"`{parameter}`: expected the number of {brief(t)}, an integer >= 0, found {found_text(value[0])}"
        )
        refuse("argument-type", title, "pass a tuple of the number and the value: (len(xs), xs)")
    if number > MAX_SIZE:
        refuse_large(f"`{parameter}`: expected the number of {brief(t)}", int(number))
    return int(number), value[1]


def made_number(number: int) -> int:
    """The number of a dependent pair that a program creates. Raises RiseError if it is 2^63 or more."""
    if number > MAX_SIZE:
        refuse_large("expected the number of a dependent pair", number)
    return number


def pair_text(value: Any) -> str:
    """A description of a given dependent pair for a message."""
    return f"the number {value[0]} with {found_text(value[1])}"


def given_number(parameter: str, t: Type, value: Any, dtype: np.dtype[Any]) -> Any:
    """A Python number as a scalar, rounded once. It is of the type's kind, or of one that this kind includes: an int
    for a floating-point type, any number for a complex one.
    """
    fits = isinstance(value, bool) == (dtype.kind == "b") and not (
        is_integral(dtype) and isinstance(value, float)
    )
    if not fits or (isinstance(value, complex) and dtype.kind != "c"):
        mismatch(parameter, t, found_text(value))
    if isinstance(value, complex):
        parts = (given_number(parameter, t, part, part_type(dtype)) for part in (value.real, value.imag))
        return joined(*parts, dtype=dtype)
    try:
        with np.errstate(over="ignore"):
            number = round_number(value, dtype)
    except OverflowError:
        shown = number_text(value) if isinstance(value, int) else str(value)
        mismatch(parameter, t, f"{shown}, which is out of range")
    is_finite = not isinstance(value, float) or math.isfinite(value)
    if is_finite and not is_integral(dtype) and dtype.kind != "b" and not np.isfinite(number):
        mismatch(parameter, t, f"{value}, which is out of range")
    return number


def size_notes(
    equation: Equation, expected: int | None, sizes: Mapping[Atom, int], origins: Mapping[NatVar, str]
) -> tuple[str, ...]:
    """Notes on why the size of an axis does not fit, and where the sizes in it come from; `expected` is None if no
    natural number solves the equation.
    """
    size_text = show_nat(equation.size)
    if expected is None:
        fact = f"axis {equation.axis}: no natural number makes {size_text} equal to {equation.found}"
    else:
        equality = "" if size_text == str(expected) else f"{size_text} = "
        fact = f"axis {equation.axis}: expected {equality}{expected}, found {equation.found}"
    named = [v for v in equation.size.free if isinstance(v, NatVar) and v in sizes]
    return (
        fact,
        *(f"{v.name} = {sizes[v]}, from {origins[v]}" for v in sorted(named, key=lambda v: v.name)),
    )


def check_indices(parameter: str, array: Any, end: int) -> None:
    """Raise RiseError for an array, or a number, with an index that is not from 0 to `end` (exclusive)."""
    if not array.size or (array.min() >= 0 and array.max() < end):
        return
    array = np.asarray(array)
    position = np.unravel_index(int(np.argmax((array < 0) | (array >= end))), array.shape)
    position_text = f" at {tuple(map(int, position))}" if position else ""
    title = (
        f"`{parameter}`: expected indices from 0 to {end} (exclusive), found {array[position]}{position_text}"
    )
    refuse("index-out-of-range", title)


def check_distinct(parameter: str, array: Any) -> None:
    """Raise RiseError for an array with a row that contains a number twice."""
    array = np.asarray(array)
    ordered = np.sort(array, axis=-1)
    repeated = ordered[..., 1:] == ordered[..., :-1]
    if not repeated.any():
        return
    row = tuple(map(int, np.argwhere(repeated)[0]))
    number, numbers = ordered[row], array[row[:-1]]
    first, second = np.flatnonzero(numbers == number)[:2]
    where = f"{first} and {second} of row {row[:-1]}" if row[:-1] else f"{first} and {second}"
    title = f"`{parameter}`: expected distinct indices, found {number} at {where}"
    hint = "use distinct indices, or add up elements with the same index with `scatterAdd`"
    refuse("duplicate-index", title, hint)
