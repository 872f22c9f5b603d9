"""Random inputs: floating-point numbers and parts of complex ones in [-1, 1), signed integers from -9 to 9, unsigned
ones from 0 to 9, indices anywhere in their range.

Depends on the types of parameters, but not on kernels.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NoReturn

import numpy as np

from rise.arguments.leaves import Leaf
from rise.arguments.mismatches import refuse_not_computed
from rise.complex_numbers import joined
from rise.diagnostics import Diagnostic, RiseError
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat
from rise.polynomials import NotComputed
from shine.calling.storage import NO_ROOM, refuse_array

MAX_RANDOM_INTEGER: Final = 9


def random_value(leaf: Leaf, sizes: Mapping[Atom, int], generator: np.random.Generator) -> Any:
    """Random numbers of a leaf's type, at these sizes."""
    shape = tuple(_size(leaf, size, sizes) for size in leaf.shape)
    if leaf.end is not None:
        end = _size(leaf, leaf.end, sizes)
        if end == 0 and 0 not in shape:
            _refuse("size-mismatch", f"`{leaf.parameter}` holds indices below 0, of which there are none", "")
    else:
        end = 0
    try:
        return _random(leaf, shape, end, generator)
    except NO_ROOM:
        refuse_array(f"`{leaf.parameter}`", leaf, shape)


def _random(leaf: Leaf, shape: tuple[int, ...], end: int, generator: np.random.Generator) -> Any:
    """Random numbers of a leaf's type; indices below `end` if it holds indices."""
    if leaf.end is not None:
        return generator.integers(0, max(end, 1), shape, np.int64)
    return random_numbers(leaf.dtype, shape, generator)


def random_numbers(dtype: np.dtype[Any], shape: tuple[int, ...], generator: np.random.Generator) -> Any:
    """Random numbers of a type; raises MemoryError if there is no room for them."""
    match dtype.kind:
        case "b":
            values: Any = generator.random(shape) < 0.5
        case "i":
            values = generator.integers(-MAX_RANDOM_INTEGER, MAX_RANDOM_INTEGER + 1, shape)
        case "u":
            values = generator.integers(0, MAX_RANDOM_INTEGER + 1, shape)
        case "c":
            values = joined(
                *(generator.random(shape) * 2 - 1 for _ in range(2)), dtype=np.dtype(np.complex128)
            )
        case _:
            values = generator.random(shape) * 2 - 1
    return np.asarray(values).astype(dtype)


def _size(leaf: Leaf, size: Nat, sizes: Mapping[Atom, int]) -> int:
    try:
        value = evaluate_natural(size, sizes)
    except NotComputed as error:
        refuse_not_computed(error, f"`{leaf.parameter}`: ")
    if not isinstance(value, int) or value < 0:
        _refuse("size-not-natural", f"`{leaf.parameter}`: expected a natural size, found {value}", "")
    return value


def _refuse(code: str, title: str, hint: str) -> NoReturn:
    raise RiseError(Diagnostic(code, title, hint=hint)) from None
