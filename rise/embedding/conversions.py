"""What users write as parts of terms: values, sizes, numbers, tuples, lists, arrays of numpy. Knows no operators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rise.dsl.printer import Listed
from rise.embedding import shapes as sh
from rise.embedding import trace as t
from rise.embedding.elementwise import Size, counted, number
from rise.embedding.places import refuse
from rise.embedding.symbolic_sizes import SymbolicSize
from rise.embedding.trace import Part, Scope
from rise.naturals import const
from rise.scalars import SCALARS
from rise.types import F32, ScalarType

_SCALAR_NAMES: Final = {facts.dtype: name for name, facts in SCALARS.items()}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Symbol:
    """What is shown to users holds a part of the term."""

    part: Part


def as_part(value: Any, scope: Scope, like: Any = None) -> Part:
    """What a user's function gives, as a value: numbers, lists, tuples and arrays of numpy included."""
    match inner(value, scope):
        case Part() as part:
            return part
        case Size() as size:
            return counted(size, like or F32)
        case tuple() as items if len(items) >= 2:
            parts = [as_part(one, scope) for one in items]
            made = parts[-1]
            for one in reversed(parts[:-1]):
                made = sh.paired(one, made)
            return made
        case list() as items if items:
            return sh.stacked([as_part(one, scope) for one in items])
        case bool() | int() | float() as plain:
            default = "bool" if isinstance(plain, bool) else "f32" if isinstance(plain, float) else "i32"
            return number(plain, like or ScalarType(default), scope)
    hint = "a function of a program returns values, numbers, or tuples of them"
    refuse(
        "no-value",
        f"expected a value, found {type(value).__name__}",
        hint + "; `return` may be missing" * (value is None),
    )


def inner(value: Any, scope: Scope) -> Any:
    """What the other files take for what users give."""
    match value:
        case Symbol():
            return value.part
        case SymbolicSize():
            return Size(value.nat, value.scope)
        case np.generic():
            return constant(np.asarray(value), scope)
        case np.ndarray():
            return constant(value, scope)
        case tuple():
            return tuple(inner(one, scope) for one in value)
        case list():
            return [inner(one, scope) for one in value]
        case slice():
            return slice(*(inner(one, scope) for one in (value.start, value.stop, value.step)))
    return value


def constant(xs: np.ndarray[Any, Any], scope: Scope) -> Part:
    """An array of numbers as it stands in the text."""
    name = _SCALAR_NAMES.get(xs.dtype)
    if name is None or not xs.size:
        title = f"expected an array of numbers, found one of {xs.dtype} with {xs.size} elements"
        refuse("type-mismatch", title, f"constants are of the types {', '.join(SCALARS)}, not empty")
    if not xs.shape:
        return number(xs.item(), ScalarType(name), scope)
    rows = [constant(one, scope) for one in xs]
    root = scope.trace.root
    return Part(t.array_of([const(len(rows))], rows[0].type), Listed(tuple(one.syntax for one in rows)), root)
