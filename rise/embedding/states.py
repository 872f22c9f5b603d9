"""The state that a loop carries between iterations: the values of variables and arrays, as one value of the term.

Independent of loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rise.embedding import shapes as sh
from rise.embedding.conversions import WeakSymbol, as_part, inner
from rise.embedding.operands import Weak
from rise.embedding.symbolic_sizes import SymbolicSize
from rise.embedding.trace import Part, Scope, Trace, apply, viewed
from rise.embedding.values import Value
from rise.types import BOOL, I64, ArrayType, IndexType, PairType, Type


def leaves(value: Any) -> list[Any]:
    """The values in a tuple, or the value itself."""
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, tuple) else [value]


def like(value: Any, new: Sequence[Any]) -> Any:
    """A tuple nested like another one, with other values."""
    left = list(new)

    def build(each: Any) -> Any:
        return tuple(build(item) for item in each) if isinstance(each, tuple) else left.pop(0)

    return build(value)


def is_value(leaf: Any) -> bool:
    """Whether a value can be part of the term."""
    return isinstance(leaf, Value | SymbolicSize | WeakSymbol | bool | int | float | complex) or hasattr(
        leaf, "__array__"
    )


def is_weak(leaf: Any) -> bool:
    """Whether a value has no type yet."""
    return isinstance(leaf, SymbolicSize | WeakSymbol | bool | int | float | complex)


def is_same(old: Any, new: Any) -> bool:
    """Whether a name still has the value that it had before."""
    if isinstance(old, Value) and isinstance(new, Value):
        return old.cell is new.cell or old.part is new.part
    if old is new:
        return True
    return type(old) is type(new) and isinstance(old, bool | int | float | complex) and repr(old) == repr(new)


def part_of(leaf: Any, scope: Scope, wanted: Type | None = None) -> Part:
    """A value as a part of the term; a number takes the wanted type."""
    if isinstance(leaf, Value) or not is_weak(leaf):
        return as_part(leaf, scope)
    if (
        wanted is None
        and not isinstance(leaf, bool | float | complex)
        and not isinstance(inner(leaf, scope), Weak)
    ):
        wanted = I64
    if wanted == BOOL and not isinstance(leaf, bool):
        wanted = None
    if isinstance(wanted, IndexType):
        wanted = I64
    return as_part(leaf, scope, wanted)


def packed(parts: Sequence[Part]) -> Part:
    """Several values as one value: nested pairs."""
    whole = parts[-1]
    for part in reversed(parts[:-1]):
        whole = sh.paired(part, whole)
    return whole


def unpacked(whole: Part, count: int) -> list[Part]:
    """The values in nested pairs."""
    parts: list[Part] = []
    for _ in range(count - 1):
        assert isinstance(whole.type, PairType)
        parts.append(viewed(whole.type.first, apply("fst", whole.syntax), whole))
        whole = viewed(whole.type.second, apply("snd", whole.syntax), whole)
    return [*parts, whole]


def packed_type(types: Sequence[Type]) -> Type:
    """The type of nested pairs of values with these types."""
    whole = types[-1]
    for each in reversed(types[:-1]):
        whole = PairType(each, whole)
    return whole


def zero(type: Type, trace: Trace) -> Part:
    """The value of a type for a name without a value before the loop that assigns to it: all its numbers are zero, and
    its truth values False.
    """
    match type:
        case PairType(first, second):
            return sh.paired(zero(first, trace), zero(second, trace))
        case ArrayType(size, element):
            return sh.repeated(zero(element, trace), [size])
    return as_part(False if type == BOOL else 0, trace.root, type)
